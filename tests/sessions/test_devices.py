"""A code moves a seat to another device, and a host deletes a table."""

import asyncio
from typing import Any

import pytest
from structlog.testing import capture_logs

from protocol.vocabulary import CARRY_S, CloseCode, Presence, RoomState
from server.rooms.record import Kept
from server.sessions.limits import Rate, SessionLimits
from server.sessions.taken_seat import hash_token
from tests.sessions.clients import ELSEWHERE, HERE, Site
from tests.waiting import until
from tests.world.world import Person

PHONE = {"attempt": "the-attempt-of-the-phone", "browser": "phone", "tab": "phone"}
AT = pytest.mark.parametrize("at", [HERE, ELSEWHERE])


async def carried(site: Site, **settings: Any) -> tuple[Person, Person, dict[str, Any]]:
    """Return the host, Bob's old device, and the fields that take over his seat."""
    host, code = await site.open(**settings)
    bob = await site.ask("join", room=code, name="Bob", browser="laptop")
    await bob.say("carry")
    return host, bob, {"room": code, "code": bob.of("carry_code")[-1]["code"], **PHONE}


async def racing(site: Site) -> tuple[Person, Person, dict[str, Any]]:
    """Return the same as `carried`, with both players in a running race."""
    host, bob, take = await carried(site, game="spider-1")
    await bob.say("ready")
    await host.say("ready")
    await site.until_state(take["room"], RoomState.RUNNING)
    await until(lambda: bob.table)
    return host, bob, take


async def keep(site: Site, code: str) -> None:
    """Make a room a kept table that both processes know."""
    stored = site.store.rooms[code]
    room = (await site.room(code)).replace(kept=Kept(since=0, raced=site.here.clock.now_ms()))
    site.store.rooms[code] = type(stored)(stored.v + 1, room.model_dump_json())
    site.store.notify(code, stored.v + 1)
    await asyncio.sleep(1)


async def lost_token(site: Site, person: Person) -> bool:
    """Return whether the token of a person no longer opens a seat."""
    guess = await site.ask("resume", room=person.room, seat=person.seat, token=person.token)
    return (guess.refusal, guess.close_code) == ("bad_token", CloseCode.BAD_TOKEN)


async def test_a_code_is_sent_only_to_its_owner_and_stored_as_a_hash(site: Site) -> None:
    now = site.here.clock.now_ms()
    host, bob, take = await carried(site)
    (given,) = bob.of("carry_code")
    assert len(given["code"]) * 6 >= 128  # bits
    assert given["until"] == now + CARRY_S * 1_000
    assert given["code"] not in str((host.received, bob.of("room", "joined")))
    doc = site.store.rooms[take["room"]].doc
    assert given["code"] not in doc
    assert hash_token(given["code"]) in doc
    assert hash_token(given["code"]) not in str((host.received, bob.received))


@AT
async def test_a_seat_moves_and_its_old_device_closes_at_any_process(site: Site, at: str) -> None:
    host, bob, take = await carried(site)
    phone = await site.ask("take_over", at=at, **take)
    (joined,) = phone.of("joined")
    assert (joined["seat"], joined["role"]) == (bob.seat, "player")
    assert joined["token"] not in {None, bob.token}
    await until(lambda: bob.close_code)
    assert bob.close_code == CloseCode.SEAT_MOVED
    assert await lost_token(site, bob)
    seat = (await site.room(take["room"])).seats[1]
    assert (seat.connection, seat.name) == (Presence.ON, "Bob")
    again = await site.ask("resume", room=phone.room, seat=phone.seat, token=phone.token)
    assert again.types()[0] == "joined"
    assert host.close_code is None


@AT
async def test_a_game_goes_on_where_it_was_but_not_on_the_old_device(site: Site, at: str) -> None:
    _, bob, take = await racing(site)
    for number in (1, 2):
        await bob.say("act", id=number, at=number - 1, action=bob.table["legal"][0])
        await asyncio.sleep(1)
    phone = await site.ask("take_over", at=at, **take)
    await until(lambda: phone.table)
    assert (phone.table["at"], phone.table["last_id"]) == (2, 2)
    before = len(bob.received)
    bob.socket.is_open = True  # messages that it sent before it was closed arrive later
    await bob.say("act", id=3, at=2, action=phone.table["legal"][0])
    await phone.say("act", id=3, at=2, action=phone.table["legal"][0])
    await until(lambda: phone.of("acted"))
    await asyncio.sleep(1)
    assert not [each for each in bob.received[before:] if each["type"] == "acted"]
    assert len(site.store.logs[take["room"], 1, bob.seat]) == 3


async def test_after_a_race_a_seat_moves_with_its_result(site: Site) -> None:
    host, bob, take = await racing(site)
    await host.say("forfeit")
    await bob.say("forfeit")
    await site.until_state(take["room"], RoomState.FINISHED)
    phone = await site.ask("take_over", at=ELSEWHERE, **take)
    assert phone.types()[:2] == ["joined", "round_over"]
    await phone.say("rematch")
    assert (await site.room(take["room"])).seats[1].state == "READY"


@pytest.mark.parametrize("lost", ["rooms.change", "seats.take"])
async def test_a_reply_that_is_lost_is_given_to_the_same_attempt(site: Site, lost: str) -> None:
    """The process may die in between: the old token is invalid, and the new one is lost."""
    _, bob, take = await carried(site)
    site.faults.lose_answer(lost)
    first = await site.ask("take_over", **take)
    assert first.refusal == "try_again"
    another = {"attempt": "another-attempt-here"}
    other = await site.ask("take_over", at=ELSEWHERE, **take | another)
    assert other.refusal == "bad_token"
    assert await lost_token(site, bob)
    await asyncio.sleep(CARRY_S - 60)
    second = await site.ask("take_over", at=ELSEWHERE, **take)
    third = await site.ask("take_over", at=ELSEWHERE, **take)
    assert second.token == third.token
    assert (second.seat, third.seat) == (bob.seat, bob.seat)
    assert second.close_code == CloseCode.RESYNC
    back = await site.ask("resume", room=bob.room, seat=bob.seat, token=third.token)
    assert back.types()[0] == "joined"


async def test_a_process_that_dies_leaves_the_seat_to_the_same_attempt(site: Site) -> None:
    _, bob, take = await carried(site)
    with site.faults.held("seats.take"):
        asking = asyncio.create_task(site.ask("take_over", **take))
        await asyncio.sleep(1)
        assert bob.close_code == CloseCode.SEAT_MOVED  # before the other device gets the seat
        await site.world.processes[HERE].end()
    asking.cancel()
    phone = await site.ask("take_over", at=ELSEWHERE, **take)
    assert (phone.types()[0], phone.seat) == ("joined", bob.seat)


async def test_one_of_two_simultaneous_devices_gets_the_seat(site: Site) -> None:
    _, bob, take = await carried(site)
    devices = await asyncio.gather(
        *(
            site.ask("take_over", at=at, **{**take, "attempt": f"the-attempt-of-device-{n}"})
            for n, at in enumerate((HERE, ELSEWHERE) * 2)
        )
    )
    assert sorted(each.types()[0] for each in devices) == ["joined"] + ["refused"] * 3
    assert {each.close_code for each in devices} == {None, CloseCode.BAD_TOKEN}
    (taken,) = (each for each in devices if each.token)
    back = await site.ask("resume", room=bob.room, seat=bob.seat, token=taken.token)
    assert back.types()[0] == "joined"


@pytest.mark.parametrize("why", ["wrong", "used", "late", "replaced", "of another room", "left"])
async def test_a_code_that_moves_nothing_is_refused_as_a_wrong_token(site: Site, why: str) -> None:
    _, bob, take = await carried(site)
    if why == "wrong":
        take["code"] += "0"
    elif why == "used":
        await site.ask("take_over", **{**take, "attempt": "the-attempt-of-somebody"})
    elif why == "late":
        await asyncio.sleep(CARRY_S)
    elif why == "replaced":
        await bob.say("carry")
    elif why == "left":
        await bob.say("leave")
    else:
        take["room"] = (await site.open())[1]
    eve = await site.ask("take_over", at=ELSEWHERE, **take)
    assert (eve.refusal, eve.close_code) == ("bad_token", CloseCode.BAD_TOKEN)
    if why not in {"used", "left"}:
        assert not await lost_token(site, bob)


async def test_wrong_codes_are_counted_as_guesses() -> None:
    limits = SessionLimits(guesses=Rate(2, 1e-6))
    async with Site.opened(limits) as site:
        _, _, take = await carried(site)
        wrong = {**take, "code": "guess"}
        asked = [await site.ask("take_over", **wrong) for _ in range(3)]
        assert [each.refusal for each in asked] == ["bad_token", "bad_token", "too_many_joins"]
        nowhere = await site.ask("take_over", **{**take, "room": "0000000"})
        assert nowhere.refusal == "too_many_joins"
        assert (await site.ask("take_over", **take)).types()[0] == "joined"


async def test_a_repeated_carry_gives_the_same_code_and_another_replaces_it(site: Site) -> None:
    _, bob, _ = await carried(site)
    for attempt in (*["first-press-of-the-button"] * 2, "second-press-of-it"):
        await bob.say("carry", attempt=attempt)
    codes = [each["code"] for each in bob.of("carry_code")]
    assert codes[1] == codes[2]
    assert len({*codes}) == 3
    refused = await site.ask("take_over", room=bob.room, code=codes[1], **PHONE)
    assert refused.refusal == "bad_token"
    assert (await site.ask("take_over", room=bob.room, code=codes[3], **PHONE)).seat == bob.seat


async def test_an_address_gets_few_codes() -> None:
    async with Site.opened(SessionLimits(carries=Rate(1, 1e-6))) as site:
        _, bob, _ = await carried(site)
        await bob.say("carry")
        assert bob.refusal == "too_many_joins"


async def test_a_device_that_may_have_no_seat_is_refused_for_good(site: Site) -> None:
    host, bob, take = await carried(site)
    eve = await site.ask("join", room=take["room"], name="Eve", browser="eves")
    await host.say("kick", seat=eve.seat, ban=True)
    banned = await site.ask("take_over", **{**take, "browser": "eves"})
    assert (banned.refusal, banned.close_code) == ("banned", CloseCode.KICKED)
    assert bob.close_code is None


async def test_no_log_contains_a_code_or_a_token(site: Site) -> None:
    with capture_logs() as logs:
        _, bob, take = await carried(site)
        await site.ask("take_over", **{**take, "code": take["code"] + "0"})
        phone = await site.ask("take_over", **take)
        await site.ask("take_over", at=ELSEWHERE, **take)
    assert "seat moved" in str(logs)
    for secret in (take["code"], hash_token(take["code"]), phone.token, bob.token):
        assert secret not in str(logs)


@AT
async def test_a_table_is_deleted_in_the_middle_of_a_race(site: Site, at: str) -> None:
    host, bob, take = await racing(site)
    watcher = await site.ask("join", at=at, room=take["room"], name="Don", role="spectator")
    await keep(site, take["room"])
    await bob.say("act", id=1, at=0, action=bob.table["legal"][0])
    await bob.say("delete_table")
    assert bob.refusal == "not_host"
    await host.say("delete_table")
    assert host.last["room"]["state"] == "CLOSED"
    await asyncio.sleep(1)
    closed = {each.close_code for each in (host, bob, watcher)}
    assert closed == {CloseCode.TABLE_DELETED}
    for each in (host, bob, watcher):
        await each.disconnect()
    for part in (site.store.rooms, site.store.seats, site.store.logs):
        assert take["room"] not in str([*part])
    for kind, fields in (("resume", {"seat": 1, "token": bob.token}), ("join", {"name": "Eve"})):
        late = await site.ask(kind, room=take["room"], **fields)
        assert late.close_code == CloseCode.NO_SUCH_ROOM


async def test_a_room_that_is_not_kept_is_not_deleted(site: Site) -> None:
    host, _ = await site.open()
    await host.say("delete_table")
    assert host.refusal == "not_in_state"


async def test_a_host_hands_the_room_over(site: Site) -> None:
    host, bob, take = await carried(site)
    await host.say("hand_over", seat=bob.seat)
    assert host.last["room"]["host"] == bob.seat
    await bob.say("start")
    assert (await site.room(take["room"])).state is RoomState.COUNTDOWN
