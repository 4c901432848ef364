"""Too much of something, from one socket, from many, from one address and from several."""

import asyncio
import itertools
import socket
from collections import Counter
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

import pytest

from protocol.vocabulary import CHAT_MESSAGES, MESSAGES_AT_ONCE
from server import metrics
from server.http.limits import HttpLimits
from server.http.listener import Listener
from server.live.timings import LiveTimings
from server.rooms.events import Tick
from server.sessions.limits import SESSION_LIMITS, SessionLimits
from server.sessions.rate_limit import Rate
from server.websocket.handshake import Handshake
from server.websocket.limits import WEBSOCKET_LIMITS, WebsocketLimits
from server.websocket.reader import SLICE_BYTES
from tests.hooked import Hook, HookedStore
from tests.players import Player, start_race
from tests.security.raw import RawSocket, frame, message
from tests.server.conftest import FAST, Serving
from tests.server.http import get
from tests.waiting import until_answer

PROXY = ("127.0.0.0/8",)
HERE, THERE = "203.0.113.5", "198.51.100.9"
SELDOM = 0.001
"""So few a second that none is gained while a test runs, however slowly."""
TWO_GUESSES = SessionLimits(guesses=Rate(2, SELDOM))


async def say_from(port: int, address: str, kind: str, **fields: object) -> dict[str, object]:
    """Return the answer to one command of a client behind a proxy."""
    eve = await RawSocket.open(port, X_Forwarded_For=address)
    eve.say(kind, **fields)
    answer = await eve.receive("joined", "refused", "error")
    await eve.leave()
    return answer


async def test_a_flood_from_many_sockets_harms_no_other_player(serving: Serving) -> None:
    async with serving(trusted_proxies=PROXY) as listener:
        ada, _ = await start_race(listener.port)
        ping = frame(message("ping", t=1))
        floods = []
        for number in range(30):
            eve = await RawSocket.open(listener.port, X_Forwarded_For=f"203.0.113.{number % 3}")
            eve.say("join", room=ada.code, name=f"Eve {number}", role="spectator")
            eve.write(ping * (2 * MESSAGES_AT_ONCE))
            floods.append(eve)
        assert (await ada.act(ada.table["legal"][0]))["type"] == "acted"
        assert {code for code, _ in [await eve.closed() for eve in floods]} == {4005}
        assert (await ada.act(ada.table["legal"][0]))["type"] == "acted"


async def test_ten_thousand_pings_at_once_cost_sixty_answers(serving: Serving) -> None:
    messages = Rate(MESSAGES_AT_ONCE, SELDOM)
    async with serving(websocket=WebsocketLimits(messages=messages)) as listener:
        ada = await Player.create(listener.port)
        eve = await RawSocket.open(listener.port)
        eve.say("create", name="Eve")
        await eve.receive("joined")
        eve.write(frame(message("ping", t=1)) * 10_000)
        answers = 0
        while (await eve.frame())[0] == 1:
            answers += 1
        assert answers <= MESSAGES_AT_ONCE
        await eve.leave()
        assert (await ada.ask("ping", t=1))["type"] == "pong"


async def test_commands_that_are_sent_to_all_seats_have_a_limit_of_their_own(
    serving: Serving,
) -> None:
    commands = Rate(SESSION_LIMITS.commands.burst, SELDOM)
    async with serving(sessions=SessionLimits(commands=commands)) as listener:
        ada = await Player.create(listener.port)
        bob = await Player.join(listener.port, ada.code, "Bob")
        for number in range(SESSION_LIMITS.commands.burst + 5):
            await bob.say("ready", ready=number % 2 == 0)
        assert await bob.closed() == 4005
        assert (await ada.ask("ping", t=1))["type"] == "pong"


async def test_a_seat_that_comes_back_has_the_limits_that_it_had(serving: Serving) -> None:
    """Regression: each new socket began anew, so 120 lines were sent in three seconds."""
    sessions = SessionLimits(commands=Rate(10, SELDOM))
    async with serving(sessions=sessions) as listener:
        ada = await Player.create(listener.port)
        bob = await Player.join(listener.port, ada.code, "Bob")
        for number in range(8):
            await bob.ask("ready", ready=number % 2 == 0)
        bob = await bob.resume(listener.port)
        for number in range(3):
            await bob.say("ready", ready=number % 2 == 0)
        assert await bob.closed() == 4005
        bob = await bob.resume(listener.port)  # the way back stays open
        await bob.say("ready")
        assert await bob.closed() == 4005
        assert (await ada.ask("ready"))["type"] == "room"


async def test_commands_and_chat_of_an_address_have_limits_too(serving: Serving) -> None:
    sessions = SessionLimits(commands_of_address=Rate(6, SELDOM), chat_of_address=Rate(2, SELDOM))
    async with serving(sessions=sessions, trusted_proxies=PROXY) as listener:
        ada = await Player.create(listener.port)

        async def seated(address: str) -> RawSocket:
            eve = await RawSocket.open(listener.port, X_Forwarded_For=address)
            eve.say("join", room=ada.code, name="Eve")
            await eve.receive("joined")
            return eve

        async def said(eve: RawSocket) -> str:
            eve.say("say", text="hello")
            answer = await eve.receive("said", "refused")
            return str(answer.get("code", "said"))

        eves = [await seated(HERE) for _ in range(2)]
        lines = [await said(eve) for eve in (*eves, eves[0])]
        assert lines == ["said", "said", "too_much_said"]
        eves[1].say("cards")
        assert (await eves[1].receive("match"))["match"] is None
        eves[1].say("cards")
        assert (await eves[1].closed())[0] == 4005
        assert await said(await seated(THERE)) == "said"
        for _ in range(8):
            assert (await ada.ask("cards"))["type"] == "match"  # the loopback is everybody's


async def test_acts_that_are_answered_with_the_whole_table_count_as_commands(
    serving: Serving,
) -> None:
    """A whole table takes a hundred times as long as the act: 0.1 ms, twenty times a second."""
    sessions = SessionLimits(commands=Rate(10, SELDOM))
    async with serving(sessions=sessions, websocket=FAST) as listener:
        ada, bob = await start_race(listener.port)
        for number in range(30):
            await bob.say("act", id=number + 1, at=7, action=bob.table["legal"][0])
        assert await bob.closed() == 4005
        tables = [message for message in bob.received if message.get("code") == "stale"]
        assert 0 < len(tables) <= 10
        assert all(message["table"] for message in tables)
        assert (await ada.act(ada.table["legal"][0]))["type"] == "acted"


async def test_room_openings_of_an_address_have_a_limit_and_other_addresses_go_on(
    serving: Serving,
) -> None:
    sessions = SessionLimits(rooms=Rate(3, SELDOM))
    async with serving(sessions=sessions, trusted_proxies=PROXY) as listener:
        port = listener.port
        opened = [await say_from(port, HERE, "create", name="Eve") for _ in range(4)]
        assert [answer["type"] for answer in opened] == ["joined"] * 3 + ["refused"]
        assert opened[3]["code"] == "too_many_rooms"
        assert (await say_from(port, THERE, "create", name="Ada"))["type"] == "joined"
        for _ in range(4):  # behind an unnamed proxy all clients are loopback
            await Player.create(port)


async def test_open_rooms_of_an_address_have_a_limit_at_all_processes_together(
    serving: Serving,
) -> None:
    """Five a second are not many, but they stayed for a week: 830 MB from one address."""
    limits: dict[str, Any] = {"trusted_proxies": PROXY, "rooms_per_address": 2}
    async with serving(**limits) as one, serving(**limits) as two:
        opened = [
            await say_from(port, HERE, "create", name="Eve")
            for port in (one.port, two.port, one.port, two.port)
        ]
        assert [answer["type"] for answer in opened] == ["joined"] * 2 + ["refused"] * 2
        assert opened[3]["code"] == "too_many_rooms"
        assert (await say_from(two.port, THERE, "create", name="Ada"))["type"] == "joined"
        for _ in range(3):
            await Player.create(one.port)  # loopback: everybody's
        code = opened[0]["room"]["code"]  # type: ignore[index]  # a room view
        for later in (20_000, 3_600_000):  # all seats are gone, and so is the room
            tick = Tick(two.services.store.clock.now() + later)
            await two.services.hub.apply(code, tick)
        assert (await say_from(one.port, HERE, "create", name="Eve"))["type"] == "joined"


async def test_open_rooms_of_the_networks_around_an_ipv6_address_have_limits_too(
    serving: Serving,
) -> None:
    async with serving(trusted_proxies=PROXY, rooms_per_address=1) as listener:
        opened = [
            await say_from(listener.port, f"2001:db8:1:{network}::1", "create", name="Eve")
            for network in ("1", "1", "2", "3", "4", "5", "100")
        ]
        assert [answer["type"] for answer in opened] == [
            *("joined", "refused", "joined", "joined", "joined", "refused", "joined")
        ]


async def test_a_full_server_refuses_new_rooms_and_its_rooms_go_on(serving: Serving) -> None:
    async with serving(trusted_proxies=PROXY, max_rooms=2) as listener:
        port = listener.port
        ada = await Player.create(port)
        assert (await say_from(port, HERE, "create", name="Eve"))["type"] == "joined"
        for address in (HERE, THERE, "127.0.0.1"):
            refused = await say_from(port, address, "create", name="Eve")
            assert (refused["type"], refused["code"]) == ("refused", "server_full")
        await Player.join(port, ada.code, "Bob")
        await ada.say("start")
        assert await ada.race()


async def test_a_classroom_behind_one_address_may_practise_each_alone(serving: Serving) -> None:
    async with serving(trusted_proxies=PROXY) as listener:
        pupils = [say_from(listener.port, HERE, "create", name=f"Pupil {n}") for n in range(40)]
        assert {answer["type"] for answer in await asyncio.gather(*pupils)} == {"joined"}


async def test_sockets_of_an_address_have_a_limit_and_other_addresses_get_theirs(
    serving: Serving,
) -> None:
    async with serving(trusted_proxies=PROXY, connections_per_address=2) as listener:
        port = listener.port

        async def status(address: str) -> tuple[RawSocket, int]:
            opened = await RawSocket.open(port, X_Forwarded_For=address)
            return opened, int(opened.head.split()[1])

        first, _ = await status(HERE)
        assert (await status(HERE))[1] == 101
        assert (await status(HERE))[1] == 429
        assert (await status(THERE))[1] == 101
        # Of version 6 a whole network is one address.
        networks = [await status(f"2001:db8:1:2::{n}") for n in range(3)]
        assert [code for _, code in networks] == [101, 101, 429]
        # And a larger network, which one customer may have too, is not as many as it has of them.
        larger = [await status(f"2001:db8:1:{n:x}::1") for n in range(3, 10)]
        assert [code for _, code in larger] == [101] * 6 + [429]
        await first.leave()
        await until_answer(lambda: status(HERE), lambda answer: answer[1] == 101)
        # The header of an untrusted peer is ignored, so the address is the peer's, here loopback.
    async with serving(connections_per_address=1) as listener:
        for _ in range(3):
            direct = await RawSocket.open(listener.port, X_Forwarded_For=HERE)
            assert direct.head.startswith(b"HTTP/1.1 101 ")


async def test_codes_are_guessed_by_address_and_a_closed_room_looks_like_none(
    serving: Serving,
) -> None:
    sessions, opened = SessionLimits(guesses=Rate(4, SELDOM)), HookedStore.open
    async with serving(sessions=sessions, open_store=opened, trusted_proxies=PROXY) as listener:
        port, store = listener.port, listener.services.store
        ada = await Player.create(port)
        await ada.ask("leave")
        later = store.clock.now() + 31 * 60 * 1_000
        await listener.services.hub.apply(ada.code, Tick(later, {}))
        reads: list[str] = []

        async def counted(read: Hook, code: str) -> Any:
            reads.append(code)
            return await read(code)

        store.hooks["read"] = counted
        answers = [
            await say_from(port, HERE, "join", room=code, name="Eve")
            for code in (ada.code, "0000000", ada.code, "ZZZZZZZ", ada.code)
        ]
        codes = [answer.pop("code") for answer in answers]
        assert codes == ["no_such_room"] * 4 + ["too_many_joins"]
        assert all(answer == answers[0] for answer in answers)
        assert len(reads) == 4  # one each: neither takes longer, and the last is not looked up
        bob = await say_from(port, THERE, "join", room="0000000", name="Bob")
        assert bob["code"] == "no_such_room"


async def test_room_codes_are_not_guessed_by_the_files_of_finished_rounds(
    serving: Serving,
) -> None:
    async with serving(sessions=TWO_GUESSES, trusted_proxies=PROXY) as listener:
        path = "/api/rooms/0000000/rounds/1"
        wrong = [path, f"{path}/course", f"{path}/picture.svg", f"{path}/seats/0"]
        answers = [await get(listener.port, each, X_Forwarded_For=HERE) for each in wrong]
        assert [answer.status for answer in answers] == [404, 404, 429, 429]
        assert "too many wrong codes" in answers[-1].body.decode()
        joined = await say_from(listener.port, HERE, "join", room="0000000", name="Eve")
        assert joined["code"] == "too_many_joins"  # one limit for all ways
        assert (await get(listener.port, path, X_Forwarded_For=THERE)).status == 404


async def test_a_network_that_looks_for_the_result_of_a_running_race_guesses_nothing(
    serving: Serving,
) -> None:
    async with serving(sessions=TWO_GUESSES, trusted_proxies=PROXY) as listener:
        ada = await Player.create(listener.port)
        path = f"/api/rooms/{ada.code}/rounds/1"
        answers = [
            await get(listener.port, f"{path}{file}", X_Forwarded_For=HERE)
            for file in ("", ".txt", "/course", "/picture.svg", "/seats/0") * 3
        ]
        assert {answer.status for answer in answers} == {404}
        joined = await say_from(listener.port, HERE, "join", room=ada.code, name="Bob")
        assert joined["type"] == "joined"


async def test_wrong_tokens_count_as_guesses_too(serving: Serving) -> None:
    async with serving(sessions=TWO_GUESSES, trusted_proxies=PROXY) as listener:
        ada = await Player.create(listener.port)
        seat = {"room": ada.code, "seat": 0}
        tries = [
            await say_from(listener.port, HERE, "resume", token=f"guess {n}", **seat)
            for n in range(3)
        ]
        assert [answer["code"] for answer in tries] == ["bad_token", "bad_token", "too_many_joins"]
        back = await say_from(listener.port, THERE, "resume", token=ada.token, **seat)
        assert back["type"] == "joined"


async def test_a_valid_token_opens_its_seat_whatever_its_address_has_guessed(
    serving: Serving,
) -> None:
    """Regression: 300 wrong codes at once locked an address, right tokens included."""
    async with serving(trusted_proxies=PROXY) as listener:
        ada = await Player.create(listener.port)
        commands: list[tuple[str, dict[str, object]]] = [
            ("join", {"name": "Eve"}),
            ("resume", {"seat": 0, "token": "guess"}),
        ]
        wrong = [
            say_from(listener.port, HERE, kind, room="0000000", **fields)
            for kind, fields in commands * 150
        ]
        codes = {answer["code"] for answer in await asyncio.gather(*wrong)}
        assert codes <= {"no_such_room", "too_many_joins"}
        seat = {"room": ada.code, "seat": 0, "token": ada.token}
        guess = await say_from(listener.port, HERE, "resume", **{**seat, "token": "guess"})
        assert guess["code"] == "too_many_joins"
        assert (await say_from(listener.port, HERE, "resume", **seat))["type"] == "joined"


async def guess_by_socket(port: int, kind: str, **fields: object) -> str:
    """Return the code of the answer to a join or a resume of one address; `joined` if it is."""
    answer = await say_from(port, HERE, kind, **fields)
    return str(answer.get("code", answer["type"]))


async def guess_by_page(port: int, path: str) -> str:
    """Return whether the answer to a request shows that there is no room, or one."""
    answer = await get(port, path, X_Forwarded_For=HERE)
    shows = answer.status != 429 and (path.startswith("/api") or b'name="room"' in answer.body)
    return f"shown {answer.status}" if shows else "too_many_joins"


async def test_no_more_guesses_are_answered_than_promised_however_many_come_at_once(
    serving: Serving,
) -> None:
    """Regression: 900 sockets at once got 300 answers, and each process counted for itself."""
    sessions = SessionLimits(guesses=Rate(20, SELDOM))
    limits: dict[str, Any] = {"sessions": sessions, "trusted_proxies": PROXY}
    async with serving(**limits) as one, serving(**limits) as two:
        ada = await Player.create(one.port)
        codes = itertools.count()

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

        floods = [
            each for _ in range(12) for port in (one.port, two.port) for each in of_each_kind(port)
        ]
        answers = Counter(await asyncio.gather(*floods))
        assert set(answers) <= {"no_such_room", "bad_token", "shown 404", "too_many_joins"}
        assert answers.total() - answers["too_many_joins"] == 20
        for port in (one.port, two.port):
            assert (
                await guess_by_socket(port, "join", room=ada.code, name="Bob") == "too_many_joins"
            )
            assert await guess_by_page(port, f"/r/{ada.code}") == "too_many_joins"


async def test_a_right_code_among_many_wrong_ones_at_once_is_not_found_for_less(
    serving: Serving,
) -> None:
    limits: dict[str, Any] = {"sessions": TWO_GUESSES, "trusted_proxies": PROXY}
    async with serving(**limits) as listener:
        ada = await Player.create(listener.port)
        guesses = [f"{number:07}" for number in range(60)] + [ada.code] * 20
        answers = Counter(
            await asyncio.gather(
                *(guess_by_page(listener.port, f"/api/rooms/{code}") for code in guesses)
            )
        )
        assert answers["shown 404"] == 2
        assert answers["shown 200"] + answers["too_many_joins"] == 78
        late = await guess_by_page(listener.port, f"/api/rooms/{ada.code}")
        assert late == "too_many_joins"


async def test_a_classroom_that_joins_at_once_at_two_processes_guesses_nothing(
    serving: Serving,
) -> None:
    limits: dict[str, Any] = {"sessions": TWO_GUESSES, "trusted_proxies": PROXY}
    async with serving(**limits) as one, serving(**limits) as two:
        ada = await Player.create(one.port)
        joined = await asyncio.gather(
            *(
                guess_by_socket(port, "join", room=ada.code, name=f"Pupil {number}")
                for number in range(9)
                for port in (one.port, two.port)
            )
        )
        assert set(joined) == {"joined"}


async def test_joins_of_an_address_have_a_rate_limit(serving: Serving) -> None:
    """Each join and leave is sent to all seats of the room."""
    sessions = SessionLimits(joins=Rate(3, SELDOM))
    async with serving(sessions=sessions, trusted_proxies=PROXY) as listener:
        port = listener.port
        ada = await Player.create(port)
        joined = [await say_from(port, HERE, "join", room=ada.code, name="Eve") for _ in range(4)]
        assert [answer["type"] for answer in joined] == ["joined"] * 3 + ["refused"]
        assert joined[3]["code"] == "too_many_joins"
        assert (await say_from(port, THERE, "join", room=ada.code, name="Bob"))["type"] == "joined"


async def test_resumes_of_a_seat_have_a_rate_limit(serving: Serving) -> None:
    """Each resume is sent to all seats of the room, too."""
    async with serving(sessions=SessionLimits(returns=Rate(2, SELDOM))) as listener:
        ada = await Player.create(listener.port)
        bob = await Player.join(listener.port, ada.code, "Bob")
        seat = {"room": ada.code, "seat": 0, "token": ada.token}
        answers = [await say_from(listener.port, HERE, "resume", **seat) for _ in range(3)]
        assert [answer["type"] for answer in answers] == ["joined", "joined", "refused"]
        assert answers[2]["code"] == "too_many_joins"
        other = {"room": ada.code, "seat": 1, "token": bob.token}
        assert (await say_from(listener.port, HERE, "resume", **other))["type"] == "joined"


async def test_drawings_are_limited_by_address_and_the_list_of_rooms_is_made_once_a_second(
    serving: Serving,
) -> None:
    http = HttpLimits(qr_codes=Rate(2, SELDOM), listed_s=3_600)
    async with serving(http=http, open_store=HookedStore.open, trusted_proxies=PROXY) as listener:

        async def status(path: str, address: str) -> int:
            return (await get(listener.port, path, X_Forwarded_For=address)).status

        drawing = "/qr/7K3QZ0A.svg"
        assert [await status(drawing, HERE) for _ in range(3)] == [200, 200, 429]
        assert await status(drawing, THERE) == 200
        requested: list[int] = []

        async def counted(public_rooms: Hook, *given: Any) -> Any:
            requested.append(1)
            return await public_rooms(*given)

        listener.services.store.hooks["public_rooms"] = counted
        answers = await asyncio.gather(*(status("/api/rooms", HERE) for _ in range(20)))
        assert (set(answers), len(requested)) == ({200}, 1)


def test_the_buffer_of_a_slow_reader_has_the_bounds_that_are_promised() -> None:
    assert WEBSOCKET_LIMITS.skip_from_bytes == 64 * 1_024
    assert WEBSOCKET_LIMITS.close_from_bytes == 256 * 1_024


async def test_the_system_keeps_little_for_a_slow_reader_before_ours_is_filled(
    listener: Listener,
) -> None:
    await Player.create(listener.port)
    (theirs,) = listener.connections
    there = vars(theirs)["_transport"].get_extra_info("socket")
    # Linux gives twice of what is asked for, for its own book-keeping.
    assert there.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF) <= 128 * 1_024


async def test_clients_that_do_not_read_are_closed_and_other_clients_go_on(
    serving: Serving,
) -> None:
    """The bounds are smaller here, as are the buffers of the system before them."""
    small = replace(FAST, skip_from_bytes=4_000, close_from_bytes=16_000)
    live = LiveTimings(standings_interval_s=0.001)

    def counted(name: str, **labels: str) -> float:
        return metrics.REGISTRY.get_sample_value(f"spider_race_{name}_total", labels) or 0.0

    async with serving(websocket=small, live=live) as listener:
        ada, bob = await start_race(listener.port, game="spider-1", undo="any")
        here = set(listener.connections)
        slow = await RawSocket.open(listener.port)
        (theirs,) = listener.connections - here
        transport = vars(theirs)["_transport"]
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2_048)
        slow.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        slow.reader._transport.pause_reading()  # type: ignore[attr-defined]  # the test's own end
        slow.say("join", room=ada.code, name="Slow", role="spectator")
        await bob.ask("watch")

        skipped = counted("fanout_skips")
        async with asyncio.timeout(60):
            while counted("fanout_skips") < skipped + 5:
                assert (await ada.act(ada.table["legal"][-1]))["type"] == "acted"
        waiting = transport.get_write_buffer_size()
        assert 4_000 < waiting < 16_000
        for _ in range(20):
            assert (await ada.act(ada.table["legal"][-1]))["type"] == "acted"
        assert theirs._transport.get_write_buffer_size() == waiting  # no more updates

        for _ in range(5):  # of the room too only the latest counts
            guest = await Player.join(listener.port, ada.code, "Guest", "spectator")
            await guest.ask("leave")
        assert theirs._transport.get_write_buffer_size() == waiting

        closed = counted("closes", code="4002")
        async with asyncio.timeout(60):
            while theirs in listener.connections:  # chat is sent to slow sockets too
                guest = await Player.join(listener.port, ada.code, "Guest", "spectator")
                for _ in range(CHAT_MESSAGES):
                    await guest.ask("say", text="x" * 200)
                await guest.ask("leave")
        assert counted("closes", code="4002") == closed + 1
        assert (await ada.act(ada.table["legal"][-1]))["type"] == "acted"
        assert (await bob.ask("ping", t=1))["type"] == "pong"


async def test_a_flood_is_not_taken_apart_to_its_end(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: half a second of the process went into frames that were then dropped."""
    parsed: list[int] = []
    receive = Handshake.receive_data

    def counted(ws: Handshake, data: bytes) -> None:
        parsed.append(len(data))
        receive(ws, data)

    monkeypatch.setattr(Handshake, "receive_data", counted)
    async with serving() as listener:
        eve = await RawSocket.open(listener.port)
        eve.write(frame(message("create", name="Eve")))
        await eve.receive("joined")
        parsed.clear()
        eve.write(frame(message("ping", t=1)) * 20_000)
        assert (await eve.closed())[0] == 4005
        assert sum(parsed) <= 2 * SLICE_BYTES


async def test_a_flood_behind_a_command_that_waits_is_closed_at_once(serving: Serving) -> None:
    async with serving(open_store=HookedStore.open) as listener:
        waiting = asyncio.Event()

        async def slowly(read: Hook, code: str) -> Any:
            await waiting.wait()
            return await read(code)

        listener.services.store.hooks["read"] = slowly
        eve = await RawSocket.open(listener.port)
        ping = frame(message("ping", t=1))
        eve.write(frame(message("join", room="0000000", name="Eve")) + ping * 200)
        assert (await eve.closed())[0] == 4005
        waiting.set()
