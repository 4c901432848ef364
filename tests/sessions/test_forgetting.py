"""Forgetting a person at a kept table: the name disappears from everything that is stored."""

from typing import Any

import pytest

from protocol.vocabulary import RoomState
from server.rooms.table_history import parse_entries
from server.store import Unreadable
from tests.sessions.clients import ELSEWHERE, Site
from tests.world.world import Person


async def race(site: Site, *people: Person) -> None:
    for person in people:
        await person.say("ready" if person.last["type"] != "round_over" else "rematch")
    await site.until_state(people[0].room, RoomState.RUNNING)
    for person in people:
        await person.say("forfeit")
    await site.until_state(people[0].room, RoomState.FINISHED)


async def table(site: Site) -> tuple[Person, Person]:
    """Return Ada and Bobo, who have raced at a kept table; one round is on the shelf."""
    host, code = await site.open()
    await host.say("keep", name="Friday")
    guest = await site.ask("join", room=code, name="Bobo", browser="laptop")
    await race(site, host, guest)
    await guest.say("say", text="well played")
    stored, store = await site.room(code), site.store.rooms
    store.shelves[code] = {9: stored.rounds[0].replace(n=9).model_dump_json(), 8: "Damaged"}
    return host, guest


def stored(site: Site, code: str) -> str:
    """Return all stored texts of a room."""
    rooms = site.store.rooms
    texts: Any = rooms[code].doc, rooms.histories[code], rooms.shelves[code], rooms.events_of[code]
    return str(texts)


@pytest.mark.parametrize("lost", [False, True])
async def test_a_name_leaves_record_history_shelf_and_chat(site: Site, *, lost: bool) -> None:
    """Another change comes first, or the reply is lost and the command repeated."""
    host, guest = await table(site)
    assert "Bobo" in stored(site, host.room)
    await guest.disconnect()
    await site.world.wait(20)
    forget = {"seat": guest.seat, "attempt": "one-press-of-a-button"}
    if lost:
        site.lose_next_answer()
        await host.say("forget", **forget)
    else:
        site.faults.refuse("rooms.change")
    await host.say("forget", **forget)
    assert (await site.room(host.room)).kept.forgotten == 1  # type: ignore[union-attr]  # it is kept
    text = stored(site, host.room)
    assert "Bobo" not in text
    assert "Damaged" in text
    entries, damaged = parse_entries(await site.here.store.rooms.history(host.room))
    assert [[row.name for row in entry.rows] for entry in entries] == [["Ada", ""]]
    assert damaged == 0
    lost_seat = await site.ask("resume", room=guest.room, seat=guest.seat, token=guest.token)
    assert lost_seat.refusal == "bad_token"


async def test_a_member_is_forgotten_while_another_process_ends_a_race(site: Site) -> None:
    """The round that ends meanwhile is in the history only once."""
    host, guest = await table(site)
    third = await site.ask("join", at=ELSEWHERE, room=host.room, name="Cy", browser="phone")
    await guest.say("forget", seat=guest.seat)
    assert "Bobo" not in str(site.store.rooms.histories)
    assert "Bobo" in stored(site, host.room)  # as the name of a seat
    await guest.say("forget", seat=host.seat)
    assert guest.refusal == "not_host"
    await host.say("next_round")
    await race(site, host, guest, third)
    entries, _ = parse_entries(site.store.rooms.histories[host.room])
    assert [entry.n for entry in entries] == [1, 2]
    await third.say("forget", seat=third.seat)
    entries, _ = parse_entries(site.store.rooms.histories[host.room])
    names = [{row.name for row in entry.rows} for entry in entries]
    assert names == [{"Ada", ""}, {"Ada", "Bobo", ""}]


async def test_a_damaged_history_keeps_nobody_from_being_forgotten(site: Site) -> None:
    """The table is not set aside: an unreadable history may contain the name and is deleted."""
    host, guest = await table(site)
    site.faults.failing["rooms.history"] = Unreadable("a key of another type")
    site.faults.failing["rooms.shelf"] = Unreadable("a key of another type")
    await guest.say("forget", seat=guest.seat)
    assert guest.refusal is None
    assert "Bobo" not in str(site.store.rooms.histories)
    await host.say("rematch")
    await guest.say("rematch")
    await site.until_state(host.room, RoomState.RUNNING)
