"""Acts that are repeated after their round: each gets its reply again and is applied once."""

import json
from collections.abc import AsyncIterator, Callable

import pytest

from protocol.vocabulary import Outcome
from server.games.game import Game
from server.http.listener import Listener
from server.rooms.timings import RoomTimings
from server.store import Store, keys
from tests.players import Message, Player, is_move, start_race
from tests.server.conftest import Serving
from tests.server.http import get

ACTS = 3
"""In these tests a game is won with its third act."""


@pytest.fixture(autouse=True)
def _short_games(monkeypatch: pytest.MonkeyPatch) -> None:
    won = property(lambda game: Outcome.WON if game.at >= ACTS else None)
    monkeypatch.setattr(Game, "outcome", won)


async def play(player: Player) -> tuple[list[Message], list[Message]]:
    """Plays the game to its end; returns what was sent and what was answered."""
    sent: list[Message] = []
    answers = []
    first = next(action for action in player.table["legal"] if is_move(action))
    for action in (first, "undo", "redo"):
        sent.append({"id": player.used + 1, "at": player.table["at"], "action": action})
        answers.append(await player.act(action))
    assert answers[-1]["outcome"] == "won"
    return sent, answers


def same(reply: Message, first: Message) -> bool:
    """Return whether a repeated reply agrees with the first one."""
    replies = ("type", "id", "at", "score", "legal", "outcome", "stuck", "elapsed_ms")
    parts = all(first[part].items() <= reply.get(part, {}).items() for part in ("piles", "counts"))
    return parts and all(reply.get(field) == first.get(field) for field in replies)


async def both(player: Player, port: int) -> AsyncIterator[Player]:
    """The player on the same connection, then on a new one."""
    yield player
    yield await player.resume(port)


async def entries(player: Player, port: int, n: int = 1) -> int:
    """How long the player's log of a finished round is."""
    answer = await get(port, f"/api/rooms/{player.code}/rounds/{n}")
    (log,) = [each for each in json.loads(answer.body)["players"] if each["seat"] == player.seat]
    return len(log["log"])


async def test_the_act_that_ended_the_round_gets_its_reply_again(listener: Listener) -> None:
    """Regression: it was refused as too late, although it was stored."""
    (ada,) = await start_race(listener.port, players=1, undo="any")
    sent, answers = await play(ada)
    await ada.in_state("FINISHED")
    for _ in range(2):
        assert await ada.ask("act", **sent[-1]) == answers[-1]
    assert await ada.ask("act", **sent[-2]) == answers[-2]
    new = await ada.ask("act", id=ACTS + 1, at=ACTS, action="deal")
    assert (new["code"], new["table"]) == ("too_late", None)
    assert await entries(ada, listener.port) == ACTS


async def test_a_reconnect_to_any_process_gets_the_reply_too(serving: Serving) -> None:
    async with serving() as one, serving() as other:
        (ada,) = await start_race(one.port, players=1, undo="any")
        sent, answers = await play(ada)
        await ada.in_state("FINISHED")
        for listener in (one, other):
            ada = await ada.resume(listener.port)
            assert ada.room["state"] == "FINISHED"
            for _ in range(2):
                assert same(await ada.ask("act", **sent[-1]), answers[-1])
            new = await ada.ask("act", id=ACTS + 1, at=ACTS, action="deal")
            assert new["code"] == "too_late"
        assert not any(message["type"] == "table" for message in ada.received)
        assert await entries(ada, one.port) == ACTS


async def test_the_lobby_of_the_next_round_repeats_the_reply(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1, undo="any")
    sent, answers = await play(ada)
    await ada.in_state("FINISHED")
    await ada.ask("next_round")
    async for player in both(ada, listener.port):
        assert player.room["state"] == "LOBBY"
        assert same(await player.ask("act", **sent[-1]), answers[-1])
        new = await player.ask("act", id=9, at=ACTS, action="deal")
        assert new["code"] == "not_racing"


async def test_the_countdown_repeats_the_reply_too(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1, undo="any")
    sent, answers = await play(ada)
    await ada.in_state("FINISHED")
    await ada.ask("next_round")
    listener.services.repository.timings = RoomTimings(countdown_ms=60_000)
    await ada.ask("start")
    async for player in both(ada, listener.port):
        assert player.room["state"] == "COUNTDOWN"
        assert same(await player.ask("act", **sent[-1]), answers[-1])
        new = await player.ask("act", id=9, at=ACTS, action="deal")
        assert new["code"] == "early"


async def test_a_chaser_gets_the_reply_again_too(listener: Listener) -> None:
    ada, bob = await start_race(listener.port, undo="any", chasers=True)
    cy = await Player.join(listener.port, ada.code, "Cy")
    await cy.ask("chase")
    await cy.race()
    sent, answers = await play(cy)
    await ada.ask("forfeit")
    await bob.ask("forfeit")
    await cy.in_state("FINISHED")
    assert await cy.ask("act", **sent[-1]) == answers[-1]
    back = await cy.resume(listener.port)
    assert same(await back.ask("act", **sent[-1]), answers[-1])
    never = await ada.resume(listener.port)  # a seat without acts has none to repeat
    assert (await never.ask("act", **sent[-1]))["code"] == "too_late"


async def test_a_player_who_gave_up_gets_the_reply_while_the_race_goes_on(
    listener: Listener,
) -> None:
    ada, _bob = await start_race(listener.port, undo="any")
    action = next(action for action in ada.table["legal"] if is_move(action))
    answer = await ada.act(action)
    await ada.ask("forfeit")
    async for player in both(ada, listener.port):
        assert same(await player.ask("act", id=1, at=0, action=action), answer)
        new = await player.ask("act", id=2, at=1, action="deal")
        assert new["code"] == "not_racing"


OTHERS: dict[str, Callable[[list[Message]], Message]] = {
    "another action": lambda sent: {**sent[-1], "action": "deal"},
    "no pile of the game": lambda sent: {**sent[-1], "action": "remove u0"},
    "another place": lambda sent: {**sent[-1], "at": 0},
    "a place that is not there": lambda sent: {**sent[-1], "at": ACTS},
    "the act of another id": lambda sent: {**sent[0], "id": ACTS},
    "the last act, of an earlier id": lambda sent: {**sent[-1], "id": ACTS - 1},
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
async def test_an_id_that_was_used_for_something_else_is_too_late(
    listener: Listener, other: Callable[[list[Message]], Message]
) -> None:
    (ada,) = await start_race(listener.port, players=1, undo="any")
    sent, _ = await play(ada)
    await ada.in_state("FINISHED")
    async for player in both(ada, listener.port):
        refused = await player.ask("act", **other(sent))
        assert (refused["code"], refused["table"]) == ("too_late", None)


async def test_no_reply_of_another_round_is_sent(listener: Listener) -> None:
    """The same action, at the same place, of the round before: it is not this round's."""
    (ada,) = await start_race(listener.port, players=1, undo="any", deal="numbered", number=24)
    sent, answers = await play(ada)
    await ada.in_state("FINISHED")
    await ada.ask("next_round")
    ada.table = {}
    await ada.ask("start")
    await ada.race()
    stale = await ada.ask("act", **sent[-1])
    assert (stale["code"], stale["table"]["at"]) == ("stale", 0)
    again, latest = await play(ada)
    assert [act["action"] for act in again[1:]] == [act["action"] for act in sent[1:]]
    await ada.in_state("FINISHED")
    async for player in both(ada, listener.port):
        assert (await player.ask("act", **sent[-1]))["code"] == "too_late"
        assert same(await player.ask("act", **again[-1]), latest[-1])
    assert answers[-1]["id"] != latest[-1]["id"]


async def test_a_log_that_is_not_there_any_more_answers_nothing(
    listener: Listener, store: Store
) -> None:
    (ada,) = await start_race(listener.port, players=1, undo="any")
    sent, _ = await play(ada)
    await ada.in_state("FINISHED")
    log = keys.log(ada.code, 1, 0)
    await store.client.call(log, "DEL", log)
    back = await ada.resume(listener.port)
    assert (await back.ask("act", **sent[-1]))["code"] == "too_late"


async def test_an_act_of_a_round_that_was_stopped_has_no_reply_any_more(
    listener: Listener,
) -> None:
    (ada,) = await start_race(listener.port, players=1, undo="any")
    action = next(action for action in ada.table["legal"] if is_move(action))
    await ada.act(action)
    await ada.ask("abort")
    back = await ada.resume(listener.port)
    assert (await back.ask("act", id=1, at=0, action=action))["code"] == "not_racing"


async def test_replies_come_in_order_while_the_log_is_read(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1, undo="any")
    sent, _ = await play(ada)
    await ada.in_state("FINISHED")
    back = await ada.resume(listener.port)
    await back.say("act", **sent[-1])
    await back.say("act", id=ACTS + 1, at=ACTS, action="deal")
    await back.say("act", **sent[-1])
    answers = [await back.receive("acted", "refused") for _ in range(3)]
    assert [(each["type"], each["id"]) for each in answers] == [
        ("acted", ACTS),
        ("refused", ACTS + 1),
        ("acted", ACTS),
    ]
