"""Rooms of many seats: the bytes of each change, and that no seat misses one."""

import asyncio
import json
import time

import pytest

from server.http.listener import Listener
from server.live.timings import LiveTimings
from server.views import rooms
from tests.players import Player
from tests.server.conftest import Serving

SEATS = 30
INTERVAL_S = 3.0


async def full_room(port: int, seats: int = SEATS, **settings: object) -> list[Player]:
    ada = await Player.create(port, "Ada", **settings)
    others = [await Player.join(port, ada.code, f"P{number}") for number in range(1, seats)]
    return [ada, *others]


async def settled(players: list[Player]) -> None:
    """Wait until all players have the latest version of the room."""
    latest = max(player.room["v"] for player in players)
    async with asyncio.timeout(10):
        for player in players:
            while player.room["v"] < latest:
                await player.next()


async def ready(player: Player, players: int) -> None:
    """Wait until the room shows that so many players are ready."""
    while sum(seat["state"] == "READY" for seat in player.room["seats"]) < players:
        await player.next()


async def test_readiness_of_many_players_is_sent_in_few_messages(listener: Listener) -> None:
    ada, *others = await full_room(listener.port)
    await settled([ada, *others])
    listener.services.hub.timings = LiveTimings(room_interval_s=INTERVAL_S)
    before, began = len(ada.received), time.monotonic()
    answers = await asyncio.gather(*(player.ask("ready") for player in others[1:]))
    assert {answer["type"] for answer in answers} == {"changes"}
    await asyncio.gather(*(ready(player, SEATS - 2) for player in (ada, *others)))
    heard = [
        messages for messages in ada.received[before:] if messages["type"] in {"room", "changes"}
    ]
    assert sum(len(messages["seats"]) for messages in heard) >= SEATS - 2
    assert len(heard) <= 4 + (time.monotonic() - began) // INTERVAL_S
    assert sum(len(json.dumps(messages)) for messages in heard) < 8_000
    views = [player.room["seats"] for player in (ada, *others)]
    assert all(seats == views[0] for seats in views)
    assert [seat["state"] for seat in views[0]] == ["SEATED"] * 2 + ["READY"] * (SEATS - 2)


async def test_a_race_begins_for_all_at_once_however_many_they_are(listener: Listener) -> None:
    players = await full_room(listener.port, game="spider-1")
    await asyncio.gather(*(player.ask("ready") for player in players))
    tables = await asyncio.gather(*(player.race() for player in players))
    assert {table["at"] for table in tables} == {0}
    await players[3].act(players[3].table["legal"][0])


async def test_latecomers_to_a_large_race_get_a_table(listener: Listener) -> None:
    """A chaser's start changes one seat, and is sent with the other seats' changes."""
    players = await full_room(listener.port, game="spider-1", chasers=True)
    await asyncio.gather(*(player.ask("ready") for player in players))
    await asyncio.gather(*(player.race() for player in players))
    late = await Player.join(listener.port, players[0].code, "Zoe")
    assert (await late.ask("chase"))["type"] in {"room", "changes"}
    assert (await late.receive("table"))["table"]["seat"] == SEATS


async def test_cards_that_are_many_come_at_the_end_of_a_round_and_when_asked_for(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms, "MAX_CARD_LINES_IN_ROOM", 1)
    async with serving() as listener:
        ada = await Player.create(listener.port, "Ada", game="spider-1", rounds=3)
        bob = await Player.join(listener.port, ada.code, "Bob")
        assert (await bob.ask("cards"))["match"] is None
        for player in (ada, bob):
            await player.ask("ready")
        await asyncio.gather(ada.race(), bob.race())
        for player in (ada, bob):
            await player.ask("forfeit")
        at_the_end = await bob.receive("match")
        assert [len(card["lines"]) for card in at_the_end["match"]["cards"]] == [1, 1]
        await ada.ask("next_round")
        await bob.in_state("LOBBY")
        assert (bob.room["played"], bob.room["match"]) == (1, None)
        back = await bob.resume(listener.port)
        assert (back.room["played"], back.room["match"]) == (1, None)
        assert (await back.ask("cards"))["match"] == at_the_end["match"]
