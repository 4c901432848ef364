"""Replays and courses of finished rounds, compared with the engine; and their documents."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

from protocol.games import GAMES
from protocol.http import FinishedRound, Replay, RoundCourse, Step
from server.games.actions import DEAL, FINISH, REDO, UNDO, Action, TimedAction, is_exception
from server.games.game import Game
from server.rooms.deals import deal_game, pack_line
from server.rooms.record import Room, Round, round_of
from server.views.finished_rounds import round_result
from server.views.replays import (
    MAX_PROOF_ACT_MS,
    NOBODY,
    Point,
    course_document,
    points_of,
    proof_log,
    replay_document,
    round_document,
    steps_of,
)
from tests.rooms.rooms import ADA, BOB, finished, running
from tests.views.documents import Log, written

RULES: list[dict[str, Any]] = [
    {},
    {"game": "spider-1", "auto_remove": True, "undo": "any", "score": "moves"},
    {"game": "spider-4", "exceptions": "easy", "undo": "any"},
    {"game": "spiderette-2", "undo": "any"},
    {"game": "little-spider", "score": "cards", "undo": "any"},
]
ACTS = 120
of_all_rules = pytest.mark.parametrize("rules", RULES, ids=lambda of: of.get("game", "usual"))


def over(**settings: Any) -> Round:
    return round_of(finished(**settings))


def play(
    played: Round, acts: int, *, plainly: bool = False
) -> tuple[list[TimedAction], list[Game]]:
    """Return a log of random acts with many undos, and the game before it and after each act.

    If it is played plainly, there are moves and deals alone, so that every act costs a point.
    """
    entropy, game = random.Random(7), deal_game(played)
    log, games = [], [game.copy()]
    left_out = {UNDO, REDO, FINISH} if plainly else {FINISH}
    for number in range(acts):
        legal = [action for action in game.legal_actions() if action not in left_out]
        if not legal:
            break
        odd = [a for a in legal if a in {UNDO, REDO, DEAL} or is_exception(a)]
        choices = odd if odd and entropy.random() < 0.4 else legal
        action = legal[0] if plainly else entropy.choice(choices)
        game.apply(action)
        log.append(TimedAction(action, 500 * number + 250))
        games.append(game.copy())
    return log, games


def with_line(acts: int) -> Round:
    """Return a finished round with a line of moves and deals as its known win."""
    line = [Action(entry.action) for entry in play(over(), acts, plainly=True)[0]]
    deal = over().deal.model_copy(update={"line": pack_line(line)})
    return over().model_copy(update={"deal": deal})


def steps(played: Round, log: Log, *limit: int) -> list[Step]:
    return [step for step in steps_of(played, log, *limit) if step is not None]


def points(played: Round, seat: int, log: Log, *limit: int) -> list[Point]:
    return [point for point in points_of(played, seat, log, *limit) if point is not None]


def replayed(played: Round, log: Log, *limit: int) -> Replay:
    text = written(replay_document(played, ADA, len(log), *limit), log)
    return Replay.model_validate_json(text)


def courses(room: Room, *logs: Log) -> RoundCourse:
    text = written(course_document(room, round_of(room)), *logs)
    return RoundCourse.model_validate_json(text)


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
    return {name: game.pile_text(at) for at, name in enumerate(names)}


@of_all_rules
def test_every_step_leads_to_the_table_of_the_engine(rules: dict[str, Any]) -> None:
    played = over(**rules)
    log, games = play(played, ACTS)
    shown = replayed(played, log)
    assert (shown.acts, len(shown.steps), shown.name) == (len(log), len(log), "Ada")
    assert piles(shown, ()) == table(games[0])
    for at, (game, step) in enumerate(zip(games[1:], shown.steps, strict=True), 1):
        assert piles(shown, shown.steps[:at]) == table(game)
        counts = game.counts
        assert (step.score, step.moves, step.suits) == (game.score, counts.moves, counts.suits)
        assert (step.home, step.face_down) == (counts.home, counts.face_down)
        assert step.ms == log[at - 1].ms
    if "exceptions" in rules:
        texts = {step.action for step in shown.steps}
        assert {"undo", "redo", "deal"} <= texts
        assert any(text.endswith("!") for text in texts)


def test_a_replay_without_acts_has_the_table_as_it_was_dealt_and_no_known_win() -> None:
    shown = replayed(over(), [])
    assert (shown.acts, shown.steps, shown.start.at, shown.start.legal) == (0, (), 0, "")
    assert (shown.start.last_id, shown.start.elapsed_ms) == (0, 0)
    assert proof_log(over()) == []
    (begun,) = points(over().model_copy(update={"late_ms": {BOB: 4_000}}), BOB, [])
    assert begun[0] == 4_000  # when the chaser began


def test_games_of_a_window_are_shown_by_their_own_clocks() -> None:
    window = over().settings.model_copy(update={"window_s": 86_400})
    played = over().model_copy(update={"settings": window, "late_ms": {BOB: 4_000}})
    log, _ = play(played, 3)
    late = [entry._replace(ms=entry.ms + 4_000) for entry in log]
    assert points(played, BOB, late)[0][0] == 0
    assert points(played, BOB, late) == points(played, ADA, log)
    shown = Replay.model_validate_json(written(replay_document(played, BOB, 3), late))
    assert [step.ms for step in shown.steps] == [entry.ms for entry in log]


def test_the_end_of_a_very_long_game_is_shown_whole() -> None:
    played = over(undo="any")
    log, games = play(played, ACTS)
    shown = replayed(played, log, 10)
    assert (shown.acts, len(shown.steps)) == (ACTS, 11)
    assert piles(shown, shown.steps) == table(games[-1])
    assert shown.steps[-1].ms == log[-1].ms
    few = points(played, BOB, log, 10)
    assert len(few) <= 12
    assert few[-1][1:] == (games[-1].score, games[-1].counts.suits)
    # A game at the limit is shown act by act.
    whole = replayed(played, log[:10])
    assert replayed(played, log[:10], 10) == whole
    assert len(whole.steps[-1].piles) < len(whole.start.piles)
    # A course has its first points and its last.
    played = over(score="moves")
    log, games = play(played, 30, plainly=True)
    few = points(played, ADA, log, 5)
    assert [ms for ms, _, _ in few] == [0, *(entry.ms for entry in log[:5]), log[-1].ms]
    assert few[-1][1] == games[-1].score


@of_all_rules
def test_a_course_has_a_point_for_every_change_of_the_score(rules: dict[str, Any]) -> None:
    log, games = play(over(**rules), ACTS)
    line = courses(finished(**rules), [], log).courses[1]
    assert (line.seat, line.name, line.ms[0]) == (BOB, "Bob", 0)
    points_by_ms = dict(zip(line.ms, zip(line.score, line.suits, strict=True), strict=True))
    now = points_by_ms[0]
    assert now == (games[0].score, 0)
    for entry, game in zip(log, games[1:], strict=True):
        changed = now != (game.score, game.counts.suits)
        now = (game.score, game.counts.suits)
        assert points_by_ms.get(entry.ms) == (now if changed else None)


def test_a_round_course_has_the_ranking_and_the_deal() -> None:
    room, played = finished(), over()
    whole = courses(room, [], [])
    assert (whole.room, whole.n, whole.ended) == (room.code, 1, played.ended)
    assert [line.name for line in whole.ranking] == ["Ada", "Bob"]
    assert whole.reveal.seed == played.deal.seed
    assert [(line.ms, line.suits) for line in whole.courses] == [((0,), (0,))] * 2


@pytest.mark.parametrize("length_ms", [20_000, 10_000_000])
def test_a_known_win_is_played_within_the_time_of_the_race(length_ms: int) -> None:
    played = with_line(40)
    log = proof_log(played.model_copy(update={"ended": played.t0 + length_ms}))
    times = [act.ms for act in log]
    assert times == sorted(set(times))
    assert times[-1] == min(length_ms, 40 * MAX_PROOF_ACT_MS)
    assert [act.action for act in log] == [e.action for e in play(played, 40, plainly=True)[0]]


def test_a_known_win_is_the_replay_of_nobody_from_the_deal_on() -> None:
    played = with_line(40)
    line = proof_log(played)
    shown = Replay.model_validate_json(written(replay_document(played, NOBODY, 40), line))
    assert (shown.seat, shown.name, shown.acts) == (NOBODY, "", 40)
    assert list(shown.steps) == steps(played, line)
    assert piles(shown, ()) == table(deal_game(played))


def test_a_running_round_has_no_replay_and_no_course() -> None:
    played = round_of(running())
    for shown in (
        lambda: next(steps_of(played, [])),
        lambda: next(points_of(played, ADA, [])),
        lambda: replay_document(played, ADA, 0),
        lambda: course_document(running(), played),
        lambda: proof_log(played),
    ):
        with pytest.raises(AssertionError):
            shown()


# Their documents, which are written part by part.


@of_all_rules
def test_the_document_of_a_round_equals_the_json_of_its_models(rules: dict[str, Any]) -> None:
    room, played = finished(**rules), over(**rules)
    logs: dict[int, list[TimedAction]] = {ADA: play(played, 60)[0], BOB: []}
    text = written(round_document(room, played), *logs.values())
    whole = FinishedRound.model_validate_json(text)
    assert len(whole.players[0].log) > 30
    assert text == whole.model_dump_json()
    assert whole.ranking == round_result(room, played).ranking


def test_the_documents_of_a_course_and_of_replays_equal_the_json_of_their_models() -> None:
    room, played = finished(undo="any"), over(undo="any")
    logs = [play(played, 60)[0], []]
    text = written(course_document(room, played), *logs)
    assert text == RoundCourse.model_validate_json(text).model_dump_json()
    for max_steps in (3_000, 10, 0):  # from no act left out to all but the last
        for seat, log in enumerate(logs):
            text = written(replay_document(played, seat, len(log), max_steps), log)
            shown = Replay.model_validate_json(text)
            assert text == shown.model_dump_json()
            assert list(shown.steps) == steps(played, log, max_steps)
