"""Acts that are repeated: each gets its reply again and is applied once, also after its round."""

import json
from collections.abc import AsyncIterator

import pytest

from protocol.vocabulary import Outcome
from server.games.game import Game
from server.rooms.events import RoomTimings
from tests.players import Message
from tests.world.stage import Person, Stage, a_move, begin, get, staged, start_race

ACTS = 3
"""In these tests a game is won with its third act."""


@pytest.fixture(autouse=True)
def _short_games(monkeypatch: pytest.MonkeyPatch) -> None:
    won = property(lambda game: Outcome.WON if game.at >= ACTS else None, lambda *_: None)
    monkeypatch.setattr(Game, "outcome", won)


async def play(player: Person) -> tuple[list[Message], list[Message]]:
    """Play the game to its end; return the acts and their replies."""
    sent: list[Message] = []
    answers = []
    for action in (a_move(player), "undo", "redo"):
        sent.append({"id": player.used + 1, "at": player.table["at"], "action": action})
        answers.append(await player.act(action))
    assert answers[-1]["outcome"] == "won"
    return sent, answers


async def won(stage: Stage) -> tuple[Person, list[Message], list[Message]]:
    """Return a player after winning alone, with the acts and their replies."""
    (ada,) = await start_race(stage.port, players=1, undo="any")
    sent, answers = await play(ada)
    await ada.in_state("FINISHED")
    return ada, sent, answers


def same(reply: Message, first: Message) -> bool:
    """Return whether a repeated reply agrees with the first one."""
    replies = ("type", "id", "at", "score", "legal", "outcome", "stuck", "elapsed_ms")
    parts = all(first[part].items() <= reply.get(part, {}).items() for part in ("piles", "counts"))
    return parts and all(reply.get(field) == first.get(field) for field in replies)


async def both(player: Person, port: int) -> AsyncIterator[Person]:
    """Yield the player on the same connection, then on a new one."""
    yield player
    yield await player.resume(port)


@staged
async def test_a_repeated_id_gets_its_reply_again_and_is_applied_once(stage: Stage) -> None:
    ada, bob = await start_race(stage.port, undo="any")
    act = {"id": 1, "at": 0, "action": a_move(ada)}
    first = await ada.ask("act", **act)
    assert same(await ada.ask("act", **act), first)
    ada = await ada.resume(stage.port)
    assert (await ada.race())["at"] == 1
    rebuilt = await ada.ask("act", **act)
    assert same(rebuilt, first)
    assert rebuilt["piles"] == ada.table["piles"]
    # A player who gave up gets the reply while the race goes on.
    await ada.ask("forfeit")
    async for player in both(ada, stage.port):
        assert same(await player.ask("act", **act), first)
        assert (await player.ask("act", id=2, at=1, action="deal"))["code"] == "not_racing"
    await bob.ask("ping", t=1)


@staged
async def test_the_act_that_ended_a_round_gets_its_reply_at_any_process(stage: Stage) -> None:
    """Regression: it was refused as too late, although it was stored."""
    one, other = stage.process(), stage.process()
    ada, sent, answers = await won(stage)
    for _ in range(2):
        assert same(await ada.ask("act", **sent[-1]), answers[-1])
    assert (await ada.ask("act", **sent[-2]))["at"] == ACTS
    new = await ada.ask("act", id=ACTS + 1, at=ACTS, action="deal")
    assert (new["code"], new["table"]) == ("too_late", None)
    for port in (one.port, other.port):
        ada = await ada.resume(port)
        assert ada.room["state"] == "FINISHED"
        # Replies come in order while the log is read.
        await ada.say("act", **sent[-1])
        await ada.say("act", id=ACTS + 1, at=ACTS, action="deal")
        await ada.say("act", **sent[-1])
        replies = [await ada.receive("acted", "refused") for _ in range(3)]
        assert [each.get("code") for each in replies] == [None, "too_late", None]
        assert all(same(each, answers[-1]) for each in replies[::2])
    assert not any(message["type"] == "table" for message in ada.received)
    played = json.loads((await get(stage.port, f"/api/rooms/{ada.code}/rounds/1")).body)
    assert len(played["players"][0]["log"]) == ACTS


@staged
async def test_lobby_and_countdown_of_the_next_round_repeat_the_reply(stage: Stage) -> None:
    ada, sent, answers = await won(stage)
    await ada.ask("next_round")
    stage.one.repository.timings = RoomTimings(countdown_ms=20_000)
    for state, code in (("LOBBY", "not_racing"), ("COUNTDOWN", "early")):
        if state == "COUNTDOWN":
            await ada.ask("start")
        async for player in both(ada, stage.port):
            ada = player
            assert ada.room["state"] == state
            assert same(await ada.ask("act", **sent[-1]), answers[-1])
            assert (await ada.ask("act", id=9, at=ACTS, action="deal"))["code"] == code


@staged
async def test_no_reply_of_another_round_is_sent(stage: Stage) -> None:
    """The same action at the same position of the round before does not belong to this round."""
    (ada,) = await start_race(stage.port, players=1, undo="any", deal="numbered", number=24)
    sent, answers = await play(ada)
    await ada.in_state("FINISHED")
    await ada.ask("next_round")
    await begin([ada])
    stale = await ada.ask("act", **sent[-1])
    assert (stale["code"], stale["table"]["at"]) == ("stale", 0)
    again, latest = await play(ada)
    assert [act["action"] for act in again[1:]] == [act["action"] for act in sent[1:]]
    await ada.in_state("FINISHED")
    async for player in both(ada, stage.port):
        assert (await player.ask("act", **sent[-1]))["code"] == "too_late"
        assert same(await player.ask("act", **again[-1]), latest[-1])
    assert answers[-1]["id"] != latest[-1]["id"]


@staged
async def test_a_log_that_is_gone_answers_nothing(stage: Stage) -> None:
    ada, sent, _ = await won(stage)
    del stage.store.logs[ada.code, 1, 0]
    back = await ada.resume(stage.port)
    assert (await back.ask("act", **sent[-1]))["code"] == "too_late"
    (bob,) = await start_race(stage.port, players=1, undo="any")
    act = {"id": 1, "at": 0, "action": a_move(bob)}
    await bob.ask("act", **act)
    await bob.ask("abort")
    back = await bob.resume(stage.port)
    assert (await back.ask("act", **act))["code"] == "not_racing"
