"""Whole races over real sockets and the real store: the messages, and the stored data."""

import asyncio
import hashlib
import random
from typing import Any

from protocol.games import GAMES
from protocol.http import FinishedRound
from server.games import actions
from server.games.cards import parse_card
from server.games.deals import replay, secret_deck
from server.rooms.settings import rules_of
from server.store import Store
from server.store.connection import pack
from server.web.listener import Listener
from tests.players import Message, Player
from tests.server.conftest import FAST, Serving
from tests.server.http import get
from tests.world.stage import begin

RACE: dict[str, Any] = {"game": "spider-2", "undo": "any", "rounds": 2}


async def play(player: Player, rng: random.Random, acts: int) -> None:
    for _ in range(acts):
        ways = [action for action in player.table["legal"] if action != "finish"]
        answer = await player.act(rng.choice(ways))
        assert answer["type"] == "acted", answer


async def keys_of(store: Store, code: str) -> set[str]:
    found = await store.client.ask_any_master(pack("KEYS", f"{{{code}}}:*"))
    return {key.decode().partition(":")[2] for key in found}


def check(over: Message, document: bytes, commitment: str, lengths: tuple[int, ...]) -> None:
    """Check a result as anybody can: by its commitment, its deck, and the logs of all players."""
    reveal = over["reveal"]
    seed, salt = bytes.fromhex(reveal["seed"]), bytes.fromhex(reveal["salt"])
    assert hashlib.sha256(seed + salt).hexdigest() == commitment
    deck = tuple(parse_card(card) for card in reveal["deck"])
    assert deck == secret_deck("spider-2", seed)
    found = FinishedRound.model_validate_json(document)
    names = GAMES["spider-2"].pile_names
    rows = {row.seat: row for row in found.ranking}
    assert [row["place"] for row in over["ranking"]] == [1, 2]
    for player, acts in zip(found.players, lengths, strict=True):
        assert len(player.log) == acts
        assert [entry.ms for entry in player.log] == sorted(entry.ms for entry in player.log)
        log = [actions.parse_action(entry.action, names) for entry in player.log]
        game, row = replay(rules_of(found.settings), deck, log), rows[player.seat]
        results = (row.score, row.moves, row.face_down)
        assert (game.score, game.counts.moves, game.counts.face_down) == results


async def test_a_match_at_three_processes_is_played_and_checked(serving: Serving) -> None:
    fast = {"websocket": FAST}
    async with serving(**fast) as one, serving(**fast) as two, serving(**fast) as three:
        ada = await Player.create(one.port, "Ada", spectate="boards", board_delay_s=0, **RACE)
        bob = await Player.join(two.port, ada.code, "Bob")
        don = await Player.join(three.port, ada.code, "Don", "spectator")
        await bob.say("start")
        assert (await bob.receive("refused"))["code"] == "not_host"
        await begin([ada, bob])
        assert ada.table["piles"] == bob.table["piles"]
        commitment = ada.room["round"]["commitment"]
        await asyncio.gather(play(ada, random.Random(1), 60), play(bob, random.Random(2), 40))
        first = {"id": ada.used + 1, "at": 60, "action": "undo"}
        undone = await ada.ask("act", **first)
        again = await ada.ask("act", **first)
        assert (again["id"], again["at"], again["legal"]) == tuple(
            undone[key] for key in ("id", "at", "legal")
        )
        for at in (0, 99):
            assert (await ada.ask("act", id=200, at=at, action="deal"))["code"] == "stale"
        await ada.say("say", text="Good luck")
        assert (await don.receive("said"))["text"] == "Good luck"
        await don.say("watch", boards=[0])
        while don.table.get("at") != 61:
            await don.next()
        assert (don.table["piles"], don.table["legal"]) == (ada.table["piles"], [])
        await don.standings_with(lambda rows: {row["moves"] > 0 for row in rows} == {True})

        before = ada.table
        moved = await ada.resume(two.port)
        assert await ada.closed() == 4503
        assert (await moved.race())["piles"] == before["piles"]
        while "Good luck" not in [each.get("text") for each in moved.received]:
            await moved.next()
        await moved.ask("forfeit")
        await bob.leave()
        bob = await bob.resume(three.port)
        await bob.race()
        await bob.ask("forfeit")
        over = await don.receive("round_over")
        document = (await get(three.port, over["links"]["round"])).body
        check(over, document, commitment, (61, 40))
        text = await get(one.port, over["links"]["text"])
        assert b"Ada" in text.body

        await moved.in_state("FINISHED")
        assert (await moved.ask("next_round"))["room"]["state"] == "LOBBY"
        await bob.in_state("LOBBY")
        await begin([moved, bob])
        for player in (moved, bob):
            await player.ask("forfeit")
        match = (await don.in_state("FINISHED"))["match"]
        while match["n"] != [1, 2]:
            match = (await don.receive("room"))["room"]["match"]
        assert (match["over"], {card["name"] for card in match["cards"]}) == (True, {"Ada", "Bob"})


async def test_seats_and_rounds_that_end_leave_no_keys(listener: Listener, store: Store) -> None:
    ada = await Player.create(listener.port, "Ada")
    bob = await Player.join(listener.port, ada.code, "Bob")
    await begin([ada, bob])
    await ada.act(ada.table["legal"][0])
    (log,) = [key for key in await keys_of(store, ada.code) if key.startswith("log:1:0")]
    assert log != "log:1:0"  # the log is closed
    await ada.say("abort")
    await ada.in_state("LOBBY")
    await bob.ask("leave")
    assert await bob.closed() == 1000
    refused = await Player.connect(listener.port)
    answer = await refused.ask("resume", room=ada.code, seat=1, token=bob.token)
    assert (answer["code"], await refused.closed()) == ("bad_token", 4502)
    for number in range(3):  # comers and goers
        guest = await Player.join(listener.port, ada.code, f"Guest {number}")
        await guest.ask("leave")
    assert await keys_of(store, ada.code) == {"room", "events", "seat:0"}
