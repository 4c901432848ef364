"""Computer players that a host adds: their seats and their quotas."""

import asyncio
import contextlib
from typing import Any

import pytest

from protocol.vocabulary import CloseCode, Presence
from server.live.quotas import RoomLimits
from server.live.repository import Repository
from server.rooms.events import COUNTDOWN_MS, GRACE_MS, Refusal, Tick
from server.rooms.seats import BOT_GRACE_MS
from server.sessions.seating import take_bot_seat
from server.store import StoreAway
from server.store.counts import BOT_COUNTED_S
from tests.sessions.clients import ELSEWHERE, HERE, Site
from tests.waiting import until
from tests.world.world import Person

ADD = {"level": "club", "attempt": "first-press-of-add-it"}
STAND_IN = {"seat": 1, "level": "club", "attempt": "first-press-of-let-it-play"}


async def places(site: Site) -> tuple[int, int]:
    """Return how many computer players are counted, and how many Experts."""
    bots = site.store.bots
    return await bots.count(), await bots.count("expert")


async def renewed_places(site: Site) -> tuple[int, int]:
    """Return the counts after a renewal, when players without a room no longer count."""
    quotas, rooms = site.here.repository.quotas, site.world.first.rooms
    keeping = asyncio.create_task(quotas.keep_bots(rooms, interval_s=1))
    await asyncio.sleep(BOT_COUNTED_S + 1)
    keeping.cancel()
    return await places(site)


def limit_bots(site: Site, bots: int) -> RoomLimits:
    """Set the first process's quota of computer players."""
    services, limits = site.here, RoomLimits(bots=bots)
    services.repository.quotas = Repository(services.store, limits).quotas
    return limits


async def seat_bot(site: Site, code: str, at: str = HERE) -> Person:
    """Let a process take the seat of the first computer player without a connection."""
    room = await site.room(code)
    bots = [each for each in room.seats if each.is_played_by_bot]
    lost = next(each for each in bots if each.connection is Presence.GRACE)
    bot = site.socket(at)
    await take_bot_seat(bot.session, code, lost.number)
    return bot


async def test_a_bot_has_a_seat_whose_token_nobody_has(site: Site) -> None:
    host, code = await site.open()
    for _ in range(2):  # a repeated command adds only one bot
        await host.say("add_bot", **ADD, pace="faster")
    shown = host.received[-1]["room"]["seats"][1]
    assert (shown["kind"], shown["level"], shown["state"]) == ("program", "club", "READY")
    assert "pace" not in shown
    seats = (await site.room(code)).seats
    assert (seats[1].pace, len(seats)) == ("faster", 2)
    guess = await site.ask("resume", room=code, seat=1, token=ADD["attempt"])
    assert guess.refusal == "bad_token"
    bot = await seat_bot(site, code)
    joined = {"type": "joined", "seat": 1, "token": None}
    assert bot.received[0].items() >= joined.items()


async def test_a_bot_is_taken_by_the_process_that_serves_the_host(site: Site) -> None:
    adopted: dict[str, list[str]] = {HERE: [], ELSEWHERE: []}
    for name, process in site.world.processes.items():
        process.services.adopt_bots = lambda room, name=name: adopted[name].append(room.code)
    host, code = await site.open()
    await site.ask("join", at=ELSEWHERE, room=code, name="Bob")
    await host.say("add_bot", **ADD)
    await until(lambda: code in adopted[HERE])
    assert adopted[ELSEWHERE] == []


async def test_no_seat_of_a_person_or_of_a_bot_elsewhere_is_taken(site: Site) -> None:
    host, code = await site.open()
    await host.say("add_bot", **ADD)
    await seat_bot(site, code, ELSEWHERE)
    for number in (0, 1, 7):
        with pytest.raises(Refusal):
            await take_bot_seat(site.socket().session, code, number)


@pytest.mark.parametrize("lost", ["the answer", "the change"])
async def test_a_repeated_command_lets_an_unconfirmed_bot_play(site: Site, lost: str) -> None:
    host, code = await site.open()
    if lost == "the answer":
        site.lose_next_answer()
    else:
        site.faults.failing["rooms.change"] = StoreAway()
    await host.say("add_bot", **ADD)
    assert host.refusal == "try_again"
    site.faults.failing.clear()
    await host.say("add_bot", **ADD)
    await host.say("add_bot", **ADD)
    assert host.received[-1]["type"] == "room"
    bot = await seat_bot(site, code)
    assert bot.received[0]["type"] == "joined"
    assert await renewed_places(site) == (1, 0)


async def test_a_host_who_is_replaced_meanwhile_adds_no_bot(site: Site) -> None:
    """Regression: each such command used up a place for six hours."""
    host, code = await site.open()
    token = host.received[0]["token"]
    for _ in range(3):
        again = await site.ask("resume", at="elsewhere", room=code, seat=0, token=token)
        await host.say("add_bot", level="expert")
        host = again
    assert await site.names(code) == ["Ada"]
    assert await places(site) == (0, 0)


async def test_a_bot_that_gets_no_seat_is_not_counted(site: Site) -> None:
    host, _ = await site.open()
    site.faults.failing["rooms.change"] = RuntimeError("a bug")
    with contextlib.suppress(RuntimeError):
        await host.say("add_bot", **ADD)
    assert await places(site) == (0, 0)


async def test_a_bot_that_no_room_has_stops_counting_after_half_a_minute(site: Site) -> None:
    """Regression: a player that was lost in any way counted for six hours."""
    host, _ = await site.open()
    await host.say("add_bot", level="expert")
    await site.store.bots.claim("7K3QZ0A lost", {"": 100, "expert": 10})
    assert await places(site) == (2, 2)
    assert await renewed_places(site) == (1, 1)


async def test_a_server_without_bots_or_with_too_many_refuses_more(site: Site) -> None:
    host, code = await site.open()
    adopt, site.here.adopt_bots = site.here.adopt_bots, None
    await host.say("add_bot", **ADD)
    assert host.refusal == "no_bots"
    site.here.adopt_bots = adopt
    limit_bots(site, 0)
    await host.say("add_bot", **ADD)
    assert host.refusal == "no_bots"
    assert await site.names(code) == ["Ada"]


async def test_counts_stay_right_after_removals_refusals_and_lost_counts(site: Site) -> None:
    host, code = await site.open()
    bob = await site.ask("join", room=code, name="Bob")
    await bob.say("add_bot", **ADD)
    assert (bob.refusal, await places(site)) == ("not_host", (0, 0))
    await bob.say("leave")
    await host.say("add_bot", level="expert")
    await host.say("add_bot", level="beginner")
    assert await places(site) == (2, 1)
    first, second = (seat.number for seat in (await site.room(code)).seats if seat.is_bot)
    await host.say("kick", seat=second)
    assert await places(site) == (1, 1)
    site.store.bots.until.clear()  # as after a failover
    await host.say("ready")
    assert await places(site) == (1, 1)
    await host.say("abort")
    await host.say("kick", seat=first)
    assert await places(site) == (0, 0)


async def test_a_hundred_rooms_that_want_five_experts_each_are_bounded(site: Site) -> None:
    """The hosts see `bots_busy`; other rooms go on."""
    limits, answers = limit_bots(site, 40), []
    for _ in range(100):
        host = site.socket()
        await host.say("create", name="Ada", settings={})
        for _ in range(5):
            await host.say("add_bot", level="expert")
            answers.append(host.refusal)
    assert answers.count(None) == limits.experts == 4
    assert answers.count("bots_busy") == 496
    await host.say("add_bot", level="beginner")
    assert host.refusal is None
    await host.say("start")
    assert host.refusal is None


async def test_one_address_takes_half_of_the_places_and_others_the_rest(site: Site) -> None:
    """Regression: a stranger could use up the quota of Experts in seconds, for hours."""
    limits = limit_bots(site, 40)
    for address in ("203.0.113.5", "203.0.113.6"):
        answers = []
        for _ in range(3):
            host = site.socket(address=address)
            await host.say("create", name="Ada", settings={})
            await host.say("add_bot", level="expert")
            answers.append(host.refusal)
        assert answers == [None, None, "bots_busy"]
        await host.say("add_bot", level="club")
        assert host.refusal is None
    await host.say("add_bot", level="club")
    await host.say("leave")
    assert (await site.store.bots.count(), limits.experts) == (5, 4)


def test_an_address_always_has_places_for_one_room() -> None:
    many, few, networks = RoomLimits(bots=100), RoomLimits(bots=3), {"a": 1, "b": 4}
    assert many.of_bot(networks, "club") == {"": 100, "a": 50, "b": 200}
    experts = {"expert": 10, "expert:a": 5, "expert:b": 20}
    assert many.of_bot(networks, "expert") == many.of_bot(networks, "club") | experts
    assert few.of_bot(networks, "club") == {"": 3, "a": 8, "b": 32}
    experts = {"expert": 1, "expert:a": 1, "expert:b": 4}
    assert few.of_bot(networks, "expert") == few.of_bot(networks, "club") | experts


async def test_a_bot_whose_room_nobody_attends_gives_its_place_back(site: Site) -> None:
    """Regression: after the host had left, the player still counted for half an hour or longer."""
    host, code = await site.open()
    await host.say("add_bot", level="expert")
    bot = await seat_bot(site, code)
    await host.say("leave")
    await until(lambda: bot.close_code == CloseCode.KICKED)
    assert await places(site) == (0, 0)
    assert await site.names(code) == []


async def begin_round(site: Site, code: str, later_ms: int = 0) -> None:
    """Start a round, and let some time pass."""
    room = await site.room(code)
    assert room.round is not None
    await site.here.hub.apply(code, Tick(room.round.t0))
    await site.here.hub.apply(code, Tick(room.round.t0 + COUNTDOWN_MS + later_ms))


async def abandoned(site: Site) -> tuple[Person, str, str]:
    """Return the host of a race that Bob has left, the room's code and Bob's token."""
    host, code = await site.open()
    bob = await site.ask("join", room=code, name="Bob")
    await bob.say("ready")
    await host.say("ready")
    await bob.disconnect()
    await begin_round(site, code, GRACE_MS)
    return host, code, bob.received[0]["token"]


def seat_of_bob(socket: Person) -> dict[str, Any]:
    """Return Bob's seat in the latest room that a socket has received."""
    rooms = [each["room"] for each in socket.received if each["type"] in {"room", "joined"}]
    seat: dict[str, Any] = rooms[-1]["seats"][1]
    return seat


async def test_a_stand_in_has_the_seat_until_the_owner_returns(site: Site) -> None:
    host, code, token = await abandoned(site)
    await host.say("add_stand_in", **STAND_IN)
    await host.say("add_stand_in", **STAND_IN)  # a repeated command adds only one
    assert host.refusal is None
    assert (seat_of_bob(host)["stand_in"], seat_of_bob(host)["connection"]) == ("club", "grace")
    # The other process has not read the room in the meantime.
    bot = await seat_bot(site, code, ELSEWHERE)
    assert (bot.received[0]["type"], bot.received[0]["token"]) == ("joined", None)
    assert await places(site) == (1, 0)
    bob = await site.ask("resume", room=code, seat=1, token=token)
    assert bob.received[0]["type"] == "joined"
    assert "stand_in" not in seat_of_bob(bob)
    await until(lambda: bot.close_code == CloseCode.REPLACED)
    assert await places(site) == (0, 0)
    with pytest.raises(Refusal):
        await take_bot_seat(site.socket().session, code, 1)


async def test_a_stand_in_takes_nothing_after_the_race_or_in_a_deleted_room(site: Site) -> None:
    host, code, _ = await abandoned(site)
    await host.say("add_stand_in", **STAND_IN)
    await host.say("abort")
    for at in (HERE, ELSEWHERE):
        with pytest.raises(Refusal):
            await take_bot_seat(site.socket(at).session, code, 1)
    assert await places(site) == (0, 0)
    await site.store.rooms.delete(code)
    with pytest.raises(Refusal):
        await take_bot_seat(site.socket().session, code, 1)


async def test_a_refused_stand_in_takes_no_place(site: Site) -> None:
    host, code, token = await abandoned(site)
    await site.ask("resume", room=code, seat=1, token=token)
    await host.say("add_stand_in", **STAND_IN)
    assert host.refusal == "player_is_back"
    assert await places(site) == (0, 0)
    site.here.adopt_bots = None
    await host.say("add_stand_in", **STAND_IN)
    assert host.refusal == "no_bots"


async def test_a_repeated_command_lets_an_unconfirmed_stand_in_play(site: Site) -> None:
    host, code, _ = await abandoned(site)
    site.lose_next_answer()
    await host.say("add_stand_in", **STAND_IN)
    assert host.refusal == "try_again"
    await host.say("add_stand_in", **STAND_IN)
    bot = await seat_bot(site, code)
    assert bot.received[0]["type"] == "joined"
    assert await renewed_places(site) == (1, 0)


async def test_a_stand_in_that_nobody_plays_may_be_added_again(site: Site) -> None:
    host, code, _ = await abandoned(site)
    await host.say("add_stand_in", **STAND_IN)
    site.store.clock.shift_ms += COUNTDOWN_MS + GRACE_MS + BOT_GRACE_MS
    await site.here.hub.apply(code, Tick(site.store.clock.now_ms()))
    assert seat_of_bob(host)["connection"] == "gone"
    assert await places(site) == (0, 0)
    await host.say("add_stand_in", **{**STAND_IN, "attempt": "second-press-of-let-it-play"})
    assert await places(site) == (1, 0)
