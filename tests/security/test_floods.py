"""Floods from one socket or many, from one address or several.

The deterministic world tests limits of sessions and rooms; limits on bytes, sockets or several
processes need real ones.
"""

import asyncio
import itertools
import socket
from collections import Counter
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

import pytest

from protocol.vocabulary import CHAT_MESSAGES
from server import metrics
from server.live.hub import LiveTimings
from server.sessions.limits import Rate, SessionLimits
from server.web.limits import HttpLimits
from tests.players import Player, start_race
from tests.security.raw import RawSocket
from tests.server import http
from tests.server.conftest import FAST, Serving
from tests.world import stage as world
from tests.world.stage import LOOPBACK, Person, Stage, staged

PROXY = ("127.0.0.0/8",)
HERE, THERE = "203.0.113.5", "198.51.100.9"
NOWHERE = "0000000"
SELDOM = 0.001
"""A rate so slow that even a slow test gains nothing."""
TWO_GUESSES = SessionLimits(guesses=Rate(2, SELDOM))


# Limits of sessions and rooms


async def answer(port: int, address: str, kind: str, **fields: object) -> str:
    """Send one message; return the type of the answer, or the code of a refusal."""
    eve = await Person.connect(port, address=address)
    await eve.say(kind, **{"name": "Eve", **fields} if kind != "resume" else fields)
    reply = await eve.receive("joined", "refused", "error")
    await eve.leave()
    return str(reply.get("code", reply["type"]))


def seat_of(person: Person, token: str = "") -> dict[str, object]:
    """Return the fields to resume a person's seat, perhaps with another token."""
    return {"room": person.code, "seat": person.seat, "token": token or person.token}


@pytest.mark.parametrize(
    ("limit", "kind", "fields", "answers"),
    [
        ("rooms", "create", {}, ("joined", "too_many_rooms")),
        ("joins", "join", {}, ("joined", "too_many_joins")),
        ("guesses", "join", {"room": NOWHERE}, ("no_such_room", "too_many_joins")),
        ("guesses", "resume", {"token": "guess"}, ("bad_token", "too_many_joins")),
    ],
)
@staged
async def test_an_address_has_so_many_and_other_addresses_go_on(
    stage: Stage, limit: str, kind: str, fields: dict[str, str], answers: tuple[str, str]
) -> None:
    limits: Any = {limit: Rate(3, SELDOM)}
    port = stage.process(limits=SessionLimits(**limits)).port
    ada = await Person.create(port)
    own: Any = {"create": {}, "join": {"room": ada.code}, "resume": seat_of(ada)}[kind]
    accepted, refused = answers
    found = [await answer(port, HERE, kind, **{**own, **fields}) for _ in range(4)]
    assert found == [accepted] * 3 + [refused]
    assert await answer(port, THERE, kind, **{**own, **fields}) == accepted
    if accepted == "joined":  # behind an unnamed proxy everybody comes from the loopback
        others = [await answer(port, LOOPBACK, kind, **own) for _ in range(4)]
        assert others == ["joined"] * 4


@staged
async def test_resumes_of_a_seat_have_a_rate_limit(stage: Stage) -> None:
    """Each resume is sent to all seats of the room."""
    port = stage.process(limits=SessionLimits(returns=Rate(2, SELDOM))).port
    ada = await Person.create(port)
    bob = await Person.join(port, ada.code, "Bob")
    answers = [await answer(port, HERE, "resume", **seat_of(ada)) for _ in range(3)]
    assert answers == ["joined", "joined", "too_many_joins"]
    assert await answer(port, HERE, "resume", **seat_of(bob)) == "joined"


@staged
async def test_open_rooms_of_an_address_have_a_limit_at_all_processes_together(
    stage: Stage,
) -> None:
    """Regression: rooms stayed for a week, so a slow flood filled 830 MB from one address."""
    one, two = (stage.process(rooms_per_address=2) for _ in range(2))
    host = await Person.connect(one.port, address=HERE)
    code = (await host.ask("create", name="Eve"))["room"]["code"]
    opened = [await answer(each.port, HERE, "create") for each in (two, one, two)]
    assert opened == ["joined", "too_many_rooms", "too_many_rooms"]
    assert await answer(two.port, THERE, "create") == "joined"
    assert [await answer(one.port, LOOPBACK, "create") for _ in range(3)] == ["joined"] * 3
    await host.leave()
    await asyncio.sleep(1)
    for later in (20_000, 3_600_000):  # all seats are gone, and so is the room
        stage.store.clock.shift_ms += later
        await two.hub.tick(code)
    assert await answer(one.port, HERE, "create") == "joined"


@staged
async def test_open_rooms_of_the_networks_around_an_ipv6_address_have_limits_too(
    stage: Stage,
) -> None:
    port = stage.process(rooms_per_address=1).port
    networks = ("1", "1", "2", "3", "4", "5", "100")
    opened = [await answer(port, f"2001:db8:1:{each}::1", "create") for each in networks]
    assert [number for number, code in enumerate(opened) if code != "joined"] == [1, 5]


@staged
async def test_a_full_server_refuses_new_rooms_and_its_rooms_go_on(stage: Stage) -> None:
    port = stage.process(max_rooms=2).port
    ada = await Person.create(port)
    assert await answer(port, HERE, "create") == "joined"
    for address in (HERE, THERE, LOOPBACK):
        assert await answer(port, address, "create") == "server_full"
    await Person.join(port, ada.code, "Bob")
    await ada.say("start")
    assert await ada.race()


@staged
async def test_a_classroom_behind_one_address_may_join_or_practise_each_alone(
    stage: Stage,
) -> None:
    ada = await Person.create(stage.port)
    alone = [answer(stage.port, HERE, "create") for _ in range(40)]
    together = [answer(stage.port, LOOPBACK, "join", room=ada.code) for _ in range(40)]
    assert set(await asyncio.gather(*alone, *together)) == {"joined"}


@staged
async def test_a_seat_that_comes_back_has_the_limits_that_it_had(stage: Stage) -> None:
    """Regression: each new socket had fresh limits, so 120 lines came in three seconds."""
    port = stage.process(limits=SessionLimits(commands=Rate(10, SELDOM))).port
    ada = await Person.create(port)
    bob = await Person.join(port, ada.code, "Bob")
    for number in range(8):
        await bob.ask("ready", ready=number % 2 == 0)
    for sent in (3, 1):  # the seat can still be resumed
        bob = await bob.resume(port)
        for number in range(sent):
            await bob.say("ready", ready=number % 2 == 0)
        assert await bob.closed() == 4005
    assert (await ada.ask("ready"))["type"] in {"room", "changes"}


@staged
async def test_commands_and_chat_of_an_address_have_limits_too(stage: Stage) -> None:
    sessions = SessionLimits(commands_of_address=Rate(6, SELDOM), chat_of_address=Rate(2, SELDOM))
    port = stage.process(limits=sessions).port
    ada = await Person.create(port)

    eves = [await Person.connect(port, address=address) for address in (HERE, HERE, THERE)]
    for eve in eves:
        await eve.ask("join", room=ada.code, name="Eve")
    one, two, elsewhere = eves
    said = [await eve.ask("say", text="hello") for eve in (one, two, one, elsewhere)]
    codes = [answer.get("code", answer["type"]) for answer in said]
    assert codes == ["said", "said", "too_much_said", "said"]
    assert (await two.ask("cards"))["match"] is None
    await two.say("cards")
    assert await two.closed() == 4005
    for _ in range(8):
        assert (await ada.ask("cards"))["type"] == "match"  # the loopback has no limit


# Guesses


@staged
async def test_codes_are_guessed_by_address_and_a_closed_room_looks_like_an_unknown_one(
    stage: Stage,
) -> None:
    process = stage.process(limits=SessionLimits(guesses=Rate(4, SELDOM)))
    ada = await Person.create(process.port)
    await ada.say("leave")
    await ada.closed()
    stage.store.clock.shift_ms += 31 * 60 * 1_000
    await process.hub.tick(ada.code)
    calls = process.store.faults.calls
    before, answers = calls["rooms.read"], []
    for code in (ada.code, NOWHERE, ada.code, "ZZZZZZZ", ada.code):
        eve = await Person.connect(process.port, address=HERE)
        answers.append(await eve.ask("join", room=code, name="Eve"))
    codes = [answer.pop("code") for answer in answers]
    assert codes == ["no_such_room"] * 4 + ["too_many_joins"]
    assert all(answer == answers[0] for answer in answers)
    # One read each, so neither takes longer; the last is not looked up.
    assert calls["rooms.read"] == before + 4


@staged
async def test_a_valid_token_opens_its_seat_after_any_number_of_guesses(stage: Stage) -> None:
    """Regression: 300 wrong codes at once locked out an address, even with right tokens."""
    ada = await Person.create(stage.port)
    wrong = [
        answer(stage.port, HERE, kind, room=NOWHERE, **fields)
        for kind, fields in (("join", {}), ("resume", {"seat": 0, "token": "guess"})) * 150
    ]
    assert set(await asyncio.gather(*wrong)) == {"no_such_room", "too_many_joins"}
    guess = await answer(stage.port, HERE, "resume", **seat_of(ada, "guess"))
    assert guess == "too_many_joins"
    assert await answer(stage.port, HERE, "resume", **seat_of(ada)) == "joined"


async def shown(port: int, path: str, address: str = HERE) -> str:
    """Request a page; return whether the answer shows a room, or counts as a guess too many."""
    return shows(path, await world.get(port, path, address))


def shows(path: str, answer: http.Answer) -> str:
    is_answered = answer.status != 429 and (
        path.startswith("/api") or b'name="room"' in answer.body
    )
    return f"shown {answer.status}" if is_answered else "too_many_joins"


@staged
async def test_all_ways_into_a_room_share_one_limit_of_guesses(stage: Stage) -> None:
    port = stage.process(limits=TWO_GUESSES).port
    ada = await Person.create(port)
    files = ("", ".txt", "/course", "/picture.svg", "/seats/0")
    for file in files * 3:  # asking about a running race is no guess
        assert await shown(port, f"/api/rooms/{ada.code}/rounds/1{file}") == "shown 404"
    found = [await shown(port, f"/api/rooms/{NOWHERE}/rounds/1{file}") for file in files]
    assert found == ["shown 404"] * 2 + ["too_many_joins"] * 3
    for code in (NOWHERE, ada.code):
        for path in (f"/r/{code}", f"/api/rooms/{code}"):
            assert await shown(port, path) == "too_many_joins"
        assert await answer(port, HERE, "join", room=code) == "too_many_joins"
    assert await shown(port, f"/api/rooms/{ada.code}", THERE) == "shown 200"
    assert await shown(port, f"/r/{NOWHERE}", THERE) == "shown 404"


@staged
async def test_a_wrong_code_in_the_link_of_a_challenge_is_a_guess(stage: Stage) -> None:
    port = stage.process(limits=TWO_GUESSES).port
    for _ in range(2):
        assert (await world.get(port, f"/g/{NOWHERE}/1/0", HERE)).status == 200
    assert await shown(port, f"/api/rooms/{NOWHERE}") == "too_many_joins"


@staged
async def test_a_right_code_among_many_wrong_ones_costs_guesses_too(stage: Stage) -> None:
    port = stage.process(limits=TWO_GUESSES).port
    ada = await Person.create(port)
    guesses = [f"{number:07}" for number in range(60, 120)] + [ada.code] * 20
    answers = Counter(
        await asyncio.gather(*(shown(port, f"/api/rooms/{code}") for code in guesses))
    )
    assert answers["shown 404"] == 2
    assert answers["shown 200"] + answers["too_many_joins"] == 78
    assert await shown(port, f"/api/rooms/{ada.code}") == "too_many_joins"


async def guess_by_socket(port: int, kind: str, **fields: object) -> str:
    """Join or resume from one address over a real socket; return the answer."""
    eve = await RawSocket.open(port, X_Forwarded_For=HERE)
    eve.say(kind, **fields)
    reply = await eve.receive("joined", "refused", "error")
    await eve.close()
    return str(reply.get("code", reply["type"]))


async def guess_by_page(port: int, path: str) -> str:
    return shows(path, await http.get(port, path, X_Forwarded_For=HERE))


async def test_many_guesses_at_once_get_no_more_answers_than_the_limit(serving: Serving) -> None:
    """Regression: 900 sockets at once got 300 answers, and each process counted alone."""
    sessions = SessionLimits(guesses=Rate(20, SELDOM))
    limits: dict[str, Any] = {"sessions": sessions, "trusted_proxies": PROXY}
    async with serving(**limits) as one, serving(**limits) as two:
        ada = await Player.create(one.port)
        ports, codes = (one.port, two.port), itertools.count()
        # A classroom that joins at once guesses nothing.
        pupils = [
            guess_by_socket(port, "join", room=ada.code, name="Pupil")
            for port in ports
            for _ in range(9)
        ]
        assert set(await asyncio.gather(*pupils)) == {"joined"}

        def of_each_kind(port: int) -> list[Coroutine[Any, Any, str]]:
            wrong = [f"{next(codes):07}" for _ in range(5)]
            return [
                guess_by_socket(port, "join", room=wrong[0], name="Eve", role="spectator"),
                guess_by_socket(port, "resume", room=wrong[1], seat=0, token="guess"),
                guess_by_socket(port, "resume", room=ada.code, seat=0, token="guess"),
                guess_by_page(port, f"/api/rooms/{wrong[2]}"),
                guess_by_page(port, f"/r/{wrong[3]}"),
                guess_by_page(port, f"/api/rooms/{wrong[4]}/rounds/1"),
            ]

        floods = [each for _ in range(8) for port in ports for each in of_each_kind(port)]
        answers = Counter(await asyncio.gather(*floods))
        assert set(answers) <= {"no_such_room", "bad_token", "shown 404", "too_many_joins"}
        assert answers.total() - answers["too_many_joins"] == 20
        for port in ports:
            bob = await guess_by_socket(port, "join", room=ada.code, name="Bob")
            assert bob == "too_many_joins"
            assert await guess_by_page(port, f"/r/{ada.code}") == "too_many_joins"


@staged
async def test_drawings_are_limited_by_address(stage: Stage) -> None:
    port = stage.process(http=HttpLimits(qr_codes=Rate(2, SELDOM))).port
    addresses = (HERE, HERE, HERE, THERE)
    drawn = [(await world.get(port, "/qr/7K3QZ0A.svg", each)).status for each in addresses]
    assert drawn == [200, 200, 429, 200]


# Sockets and bytes


async def test_clients_that_do_not_read_are_closed_and_other_clients_go_on(
    serving: Serving,
) -> None:
    """Smaller limits here, and smaller buffers in the system, make the test fast."""
    small = replace(FAST, skip_from_bytes=1_000, close_from_bytes=4_000)
    live = LiveTimings(standings_interval_s=0.001)

    def counted(name: str, **labels: str) -> float:
        return metrics.REGISTRY.get_sample_value(f"spider_race_{name}_total", labels) or 0.0

    async with serving(websocket=small, live=live) as listener:
        ada, bob = await start_race(listener.port, game="spider-1", undo="any")
        here = set(listener.connections)
        slow = await RawSocket.open(listener.port)
        (theirs,) = listener.connections - here
        transport = vars(theirs)["_transport"]
        there = transport.get_extra_info("socket")
        # Linux doubles the requested size for its own bookkeeping.
        assert there.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 128 * 1_024
        there.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2_048)
        slow.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        slow.reader._transport.pause_reading()  # type: ignore[attr-defined]  # the test's end
        slow.say("join", room=ada.code, name="Slow", role="spectator")
        await bob.ask("watch")
        skipped = counted("fanout_skips")
        while counted("fanout_skips") < skipped + 5:
            assert (await ada.act(ada.table["legal"][-1]))["type"] == "acted"
        waiting = transport.get_write_buffer_size()
        assert 1_000 < waiting < 4_000
        for _ in range(3):  # of rooms, too, only the latest counts
            assert (await ada.act(ada.table["legal"][-1]))["type"] == "acted"
            guest = await Player.join(listener.port, ada.code, "Guest", "spectator")
            await guest.ask("leave")
        assert transport.get_write_buffer_size() == waiting  # no more updates

        slow.reader._transport.resume_reading()  # type: ignore[attr-defined]  # as above
        for kind in ("standings", "room", "standings"):  # the first ones, and the latest
            await slow.receive(kind)
        slow.reader._transport.pause_reading()  # type: ignore[attr-defined]  # as above
        closed = counted("closes", code="4002")
        while theirs in listener.connections:  # chat is sent to slow sockets too
            guest = await Player.join(listener.port, ada.code, "Guest", "spectator")
            for _ in range(CHAT_MESSAGES):
                await guest.ask("say", text="x" * 200)
            await guest.ask("leave")
        assert counted("closes", code="4002") == closed + 1
        assert (await ada.act(ada.table["legal"][0]))["type"] == "acted"
        assert (await bob.ask("ping", t=1))["type"] == "pong"
