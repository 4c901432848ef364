"""Replays of finished rounds, compared with the engine."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from protocol.games import GAMES
from protocol.http import Replay, Step
from server.games.actions import DEAL, FINISH, REDO, UNDO, Action, is_exception
from server.games.game import Game
from server.games.pile_texts import format_pile
from server.rooms.race import round_of
from server.rooms.record import Round
from server.rooms.rounds import deal_game
from server.rooms.winnable_deals import pack_line
from server.store import LogRecord
from server.views.replays import (
    MAX_STEPS,
    NOBODY,
    SLOWEST_MS,
    course,
    points_of,
    proof_log,
    proof_replay,
    replay_view,
    round_course,
    steps_of,
)
from tests.rooms.rooms import ADA, BOB, finished, running

RULES: list[dict[str, Any]] = [
    {},
    {"game": "spider-1", "auto_remove": True, "undo": "any", "score": "moves"},
    {"game": "spider-4", "exceptions": "easy", "undo": "any"},
    {"game": "spiderette-2", "undo": "any"},
    {"game": "little-spider", "score": "cards", "undo": "any"},
]
ACTS = 120


def over(**settings: Any) -> Round:
    return round_of(finished(**settings))


def play(played: Round, acts: int, seed: int = 7) -> tuple[list[LogRecord], list[Game]]:
    """Return a log of random acts with many undos, and the game before it and after each act."""
    entropy = random.Random(seed)
    game = deal_game(played)
    log: list[LogRecord] = []
    games = [game.copy()]
    while len(log) < acts:
        legal = [action for action in game.legal_actions() if action != FINISH]
        if not legal:
            break
        odd = [a for a in legal if a in {UNDO, REDO, DEAL} or is_exception(a)]
        action = entropy.choice(odd if odd and entropy.random() < 0.4 else legal)
        game.apply(action)
        log.append(LogRecord(action, 500 * len(log) + 250))
        games.append(game.copy())
    return log, games


def deals_and_moves(played: Round, acts: int) -> tuple[list[LogRecord], list[Game]]:
    """Return a log of moves and deals alone, so that every act costs a point."""
    game = deal_game(played)
    log, games = [], [game.copy()]
    for number in range(acts):
        action = next(a for a in game.legal_actions() if a not in {UNDO, REDO, FINISH})
        game.apply(action)
        log.append(LogRecord(action, 500 * number + 250))
        games.append(game.copy())
    return log, games


def with_line(acts: int) -> Round:
    """Return a finished round with a line of moves and deals as its known win."""
    played = over()
    line = [Action(entry.action) for entry in deals_and_moves(played, acts)[0]]
    deal = played.deal.model_copy(update={"line": pack_line(line)})
    return played.model_copy(update={"deal": deal})


def replayed(played: Round, log: Sequence[LogRecord], most: int = MAX_STEPS) -> Replay:
    steps = [step for step in steps_of(played, log, most) if step is not None]
    return replay_view(played, ADA, steps, len(log))


def piles(start: Replay, steps: Sequence[Step]) -> dict[str, str]:
    """Return the table of a client that applies the piles of each step to the table before."""
    names = GAMES[start.start.game].pile_names
    found = dict(zip(names, start.start.piles, strict=True))
    for step in steps:
        assert step.piles.keys() <= found.keys()
        found |= step.piles
    return found


def table(game: Game) -> dict[str, str]:
    names = game.variant.pile_names
    return {name: format_pile(game.pile(at), hidden=True) for at, name in enumerate(names)}


@pytest.mark.parametrize("settings", RULES, ids=lambda rules: rules.get("game", "usual"))
def test_every_step_leads_to_the_table_of_the_engine(settings: dict[str, Any]) -> None:
    played = over(**settings)
    log, games = play(played, ACTS)
    shown = replayed(played, log)
    assert (shown.acts, len(shown.steps), shown.name) == (len(log), len(log), "Ada")
    assert piles(shown, ()) == table(games[0])
    for at, game in enumerate(games[1:], 1):
        assert piles(shown, shown.steps[:at]) == table(game)
        step = shown.steps[at - 1]
        counts = game.counts
        assert (step.score, step.moves, step.suits) == (game.score, counts.moves, counts.suits)
        assert (step.home, step.face_down) == (counts.home, counts.face_down)
        assert step.ms == log[at - 1].ms


def test_replays_include_undos_redos_deals_and_exceptions() -> None:
    played = over(game="spider-4", exceptions="easy", undo="any")
    actions = {Action(entry.action) for entry in play(played, ACTS)[0]}
    assert {UNDO, REDO, DEAL} <= actions
    assert any(is_exception(action) for action in actions)
    texts = {step.action for step in replayed(played, play(played, ACTS)[0]).steps}
    assert {"undo", "redo", "deal"} <= texts
    assert any(text.endswith("!") for text in texts)


def test_a_replay_without_acts_has_the_table_as_it_was_dealt_and_no_known_win() -> None:
    shown = replayed(over(), [])
    assert (shown.acts, shown.steps, shown.start.at, shown.start.legal) == (0, (), 0, "")
    assert (shown.start.last_id, shown.start.elapsed_ms) == (0, 0)
    assert proof_log(over()) == []
    (begun,) = points_of(over().model_copy(update={"late_ms": {BOB: 4_000}}), BOB, [])
    assert begun is not None
    assert begun[0] == 4_000  # when the chaser began


def test_the_end_of_a_very_long_game_is_shown_whole() -> None:
    played = over(undo="any")
    log, games = play(played, ACTS)
    shown = replayed(played, log, 10)
    assert (shown.acts, len(shown.steps)) == (ACTS, 11)
    assert piles(shown, shown.steps) == table(games[-1])
    assert shown.steps[-1].ms == log[-1].ms
    points = [point for point in points_of(played, BOB, log, 10) if point is not None]
    assert len(points) <= 12
    assert points[-1][1:] == (games[-1].score, games[-1].counts.suits)
    # A game at the limit is shown act by act.
    whole = replayed(played, log[:10])
    assert replayed(played, log[:10], 10) == whole
    assert len(whole.steps[-1].piles) < len(whole.start.piles)


def test_the_course_of_a_very_long_game_has_its_first_points_and_its_last() -> None:
    played = over(score="moves")
    log, games = deals_and_moves(played, 30)
    points = [point for point in points_of(played, ADA, log, 5) if point is not None]
    assert [ms for ms, _, _ in points] == [0, *(entry.ms for entry in log[:5]), log[-1].ms]
    assert points[-1][1] == games[-1].score


@pytest.mark.parametrize("settings", RULES, ids=lambda rules: rules.get("game", "usual"))
def test_a_course_has_a_point_for_every_change_of_the_score(settings: dict[str, Any]) -> None:
    played = over(**settings)
    log, games = play(played, ACTS)
    line = course(
        played, BOB, [point for point in points_of(played, BOB, log) if point is not None]
    )
    assert (line.seat, line.name, line.ms[0]) == (BOB, "Bob", 0)
    points_by_ms = dict(zip(line.ms, zip(line.score, line.suits, strict=True), strict=True))
    now = points_by_ms[0]
    assert now == (games[0].score, 0)
    for entry, game in zip(log, games[1:], strict=True):
        changed = now != (game.score, game.counts.suits)
        now = (game.score, game.counts.suits)
        assert points_by_ms.get(entry.ms) == (now if changed else None)


def test_a_round_course_has_the_ranking_and_the_deal() -> None:
    room = finished()
    played = over()
    lines = [course(played, seat, [(0, 10, 0)]) for seat in played.names]
    whole = round_course(room, played, lines)
    assert (whole.room, whole.n, whole.ended) == (room.code, 1, played.ended)
    assert [line.name for line in whole.ranking] == ["Ada", "Bob"]
    assert whole.reveal.seed == played.deal.seed
    assert whole.courses == tuple(lines)


@pytest.mark.parametrize("length_ms", [20_000, 10_000_000])
def test_a_known_win_is_played_within_the_time_of_the_race(length_ms: int) -> None:
    played = with_line(40)
    played = played.model_copy(update={"ended": played.t0 + length_ms})
    log = proof_log(played)
    times = [act.ms for act in log]
    assert times == sorted(set(times))
    assert times[-1] == min(length_ms, 40 * SLOWEST_MS)
    assert [act.action for act in log] == [e.action for e in deals_and_moves(played, 40)[0]]


def test_a_known_win_is_the_replay_of_nobody_from_the_deal_on() -> None:
    shown = proof_replay(with_line(40), 40)
    assert (shown.seat, shown.name, shown.acts, shown.steps) == (NOBODY, "", 40, ())
    assert piles(shown, ()) == table(deal_game(with_line(40)))


def test_a_running_round_has_no_replay_and_no_course() -> None:
    room = running()
    played = round_of(room)
    for shown in (
        lambda: next(steps_of(played, [])),
        lambda: next(points_of(played, ADA, [])),
        lambda: replay_view(played, ADA, (), 0),
        lambda: round_course(room, played, ()),
        lambda: proof_log(played),
    ):
        with pytest.raises(AssertionError):
            shown()
