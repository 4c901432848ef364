"""What is known about the rest of a game, from end to end: who is told, when, and how often."""

from typing import Any

from server.games.action_texts import ACTION_TEXTS
from server.http.listener import Listener
from server.sessions.limits import SessionLimits
from server.sessions.rate_limit import Rate
from tests.games.wins import SEED, one_suit_game, one_suit_win
from tests.players import Player, actions_in, start_race
from tests.server.conftest import FAST, Serving

TEXTS = ACTION_TEXTS["spider-1"]
ONE_SUIT: dict[str, Any] = {
    "game": "spider-1",
    "deal": "seed",
    "seed": SEED.hex(),
    "auto_remove": False,
}
DEALT_OUT: dict[str, Any] = {"game": "spider-4", "deal": "seed", "seed": f"{1:032x}"}
"""A deal in which one move is left once everything is dealt, and nothing comes of it."""


def all_seen() -> int:
    """Return the number of acts of the win after which its player sees all cards."""
    game = one_suit_game()
    for number, action in enumerate(one_suit_win()):
        if not game.counts.face_down and not game.counts.stock:
            return number
        game.apply(action)
    raise AssertionError("all cards are seen before the end")


async def play(player: Player, actions: list[str]) -> None:
    for action in actions:
        assert (await player.act(action))["type"] == "acted"


def a_move(player: Player) -> str:
    """Return a legal move of a player."""
    moves: list[str] = [action for action in player.table["legal"] if "x" in action]
    return moves[0]


async def test_a_won_game_can_be_played_out_by_its_line(serving: Serving) -> None:
    async with serving(websocket=FAST) as listener:
        ada, bob = await start_race(listener.port, **ONE_SUIT)
        await play(ada, [TEXTS.format(action) for action in one_suit_win()[: all_seen()]])
        assessed = await ada.ask("assess")
        assert (assessed["outlook"], assessed["at"]) == ("won", all_seen())
        assert await ada.ask("assess") == assessed
        line = actions_in(assessed["line"])
        await play(ada, line[:3])
        back = await ada.resume(listener.port)
        await back.race()
        rest = await back.ask("assess")
        assert (rest["outlook"], rest["at"]) == ("won", all_seen() + 3)
        await play(back, actions_in(rest["line"]))
        assert back.table["outcome"] == "won"
        assert (await back.ask("assess"))["code"] in {"game_over", "not_racing"}
        await bob.say("forfeit")
        over = await back.receive("round_over")
        assert over["winners"] == [0]
        assert "assessed" not in {message["type"] for message in bob.received}


async def test_in_a_room_without_autoplay_nothing_is_offered(serving: Serving) -> None:
    async with serving(websocket=FAST) as listener:
        (ada,) = await start_race(listener.port, players=1, autoplay=False, **ONE_SUIT)
        await play(ada, [TEXTS.format(action) for action in one_suit_win()[: all_seen()]])
        assessed = await ada.ask("assess")
        assert (assessed["outlook"], assessed["line"]) == ("open", "")


async def test_a_dead_game_is_told_once_all_is_dealt(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1, **DEALT_OUT)
    await play(ada, ["deal"] * 4)
    assert (await ada.ask("assess"))["outlook"] == "open"
    await play(ada, ["deal"])
    assert ada.table["stuck"] is None
    assert any("x" in action for action in ada.table["legal"])
    assessed = await ada.ask("assess")
    assert (assessed["outlook"], assessed["at"], assessed["line"]) == ("dead", 5, "")
    assert assessed["gain"] >= 0


async def test_a_dead_game_is_stopped_with_its_place(listener: Listener) -> None:
    ada, bob, cy = await start_race(listener.port, players=3, **DEALT_OUT)
    refused = await ada.ask("forfeit", dead=True)
    assert (refused["command"], refused["code"]) == ("forfeit", "not_finished")
    await play(ada, ["deal"] * 5)
    back = await ada.resume(listener.port)
    await back.race()
    await back.ask("forfeit", dead=True)
    await bob.ask("forfeit")
    assert (await back.act("undo"))["code"] in {"too_late", "not_racing"}
    await play(cy, ["deal"])
    await cy.ask("forfeit")
    over = await cy.receive("round_over")
    rows = [(row["seat"], row["state"]) for row in over["ranking"]]
    assert rows[0] == (0, "FINISHED")
    assert {state for _, state in rows[1:]} == {"FORFEIT"}
    assert over["winners"] == [0]


async def test_a_position_may_be_asked_about_again_and_again(listener: Listener) -> None:
    """Regression: the second question about a position ended the answers for the connection."""
    (ada,) = await start_race(listener.port, players=1, **DEALT_OUT)
    await play(ada, ["deal"] * 5)
    assert [(await ada.ask("assess"))["outlook"] for _ in range(4)] == ["dead"] * 4
    assert (await ada.ask("forfeit", dead=True))["type"] != "refused"


async def test_messages_behind_a_question_are_answered_after_it(listener: Listener) -> None:
    """Regression: a pong came before the answer to the question that was sent first."""
    (ada,) = await start_race(listener.port, players=1, **DEALT_OUT)
    await play(ada, ["deal"] * 5)
    behind: dict[str, dict[str, Any]] = {"ping": {"t": 1}, "watch": {}, "forfeit": {"dead": True}}
    replies = {"ping": "pong", "watch": "standings", "forfeit": "round_over"}
    for kind, fields in behind.items():
        await ada.say("assess")
        await ada.say(kind, **fields)
        answers = [await ada.receive("assessed", replies[kind]) for _ in range(2)]
        assert [answer["type"] for answer in answers] == ["assessed", replies[kind]]


async def test_what_was_not_searched_is_not_kept_and_dead_games_are_always_searched(
    serving: Serving,
) -> None:
    """Regression: after too many questions a dead game was refused as one that goes on."""
    few = SessionLimits(searches=Rate(1, 1e-6))
    async with serving(sessions=few) as listener:
        (ada,) = await start_race(listener.port, players=1, **DEALT_OUT)
        await play(ada, ["deal"] * 5)
        assert (await ada.ask("assess"))["outlook"] == "dead"
        await play(ada, [a_move(ada)])
        assert (await ada.ask("assess"))["outlook"] == "open"
        assert (await ada.ask("forfeit", dead=True))["type"] != "refused"


async def test_only_players_of_a_running_game_are_answered(listener: Listener) -> None:
    nobody = await Player.connect(listener.port)
    assert (await nobody.ask("assess"))["code"] == "not_joined"
    host = await Player.create(listener.port)
    assert (await host.ask("assess"))["code"] == "not_racing"
    ada, _ = await start_race(listener.port)
    looker = await Player.join(listener.port, ada.code, "Don", "spectator")
    assert (await looker.ask("assess"))["code"] == "not_racing"
    await ada.ask("forfeit")
    assert (await ada.ask("assess"))["code"] == "not_racing"


async def test_one_search_at_a_time_and_none_while_acts_are_in_flight(
    listener: Listener,
) -> None:
    (ada,) = await start_race(listener.port, players=1, **DEALT_OUT)
    await play(ada, ["deal"] * 5)
    for _ in range(9):
        await ada.say("assess")
    answers = [await ada.receive("assessed", "refused") for _ in range(9)]
    told = [answer.get("code", answer.get("outlook")) for answer in answers]
    assert set(told) <= {"try_again", "dead"}  # the second one for questions during the search
    assert "dead" in told
    await ada.say("act", id=6, at=5, action=a_move(ada))
    await ada.say("assess")
    answers = [await ada.receive("acted", "refused") for _ in range(2)]
    assert {answer.get("code") for answer in answers} == {None, "try_again"}
