"""Replays of finished rounds, act by act, for clients without the rules.

The engine computes every position. Functions yield in small steps, so that the caller can pause
between them.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from protocol.http import Course, Replay, RoundCourse, Step
from server.games.actions import ACTION_TEXTS, Action
from server.games.game import Game
from server.rooms.record import Room, Round
from server.rooms.rounds import deal_game
from server.rooms.winnable_deals import unpack_line
from server.views.finished_rounds import round_result
from server.views.tables import board_view, named_piles
from server.views.timed_action import TimedAction

SLOWEST_MS = 2_000
"""The time of an act in a line that wins, where the race took longer."""

MAX_STEPS = 3_000
"""The number of acts that a replay shows before it skips to the end of the game.

The limit is ten times a long game, and gives a replay of about a megabyte.
"""


def replay_view(played: Round, seat: int, steps: Sequence[Step], acts: int) -> Replay:
    """Return one player's game of a finished round, from the steps of `steps_of`."""
    assert played.ended is not None, "a running round is not revealed"
    return Replay(
        seat=seat,
        name=played.names[seat],
        start=board_view(deal_game(played), seat, 0),
        acts=acts,
        steps=tuple(steps),
    )


NOBODY = -1
"""The seat of a line that no player has played."""


class LineAct(NamedTuple):
    """An act of a line that wins, at a time of the race."""

    action: int
    ms: int


def proof_log(played: Round) -> list[LineAct]:
    """Return the line that wins a deal, spread over the time of its race; empty without one."""
    assert played.ended is not None, "a running round is not revealed"
    line = unpack_line(played.deal.line)
    length = min(played.ended - played.t0, SLOWEST_MS * len(line))
    return [LineAct(each, length * at // len(line)) for at, each in enumerate(line, 1)]


def proof_replay(played: Round, acts: int) -> Replay:
    """Return the line that wins a deal as a replay without its steps."""
    start = board_view(deal_game(played), NOBODY, 0)
    return Replay(seat=NOBODY, name="", start=start, acts=acts, steps=())


def steps_of(
    played: Round, log: Sequence[TimedAction], most: int = MAX_STEPS
) -> Iterator[Step | None]:
    """Yield the step of every act of a player, or None for acts that are skipped.

    After `most` steps only the last act has one, which shows the whole table.
    """
    assert played.ended is not None, "a running round is not revealed"
    game = deal_game(played)
    for number, entry in enumerate(log, 1):
        changed: Sequence[int] = game.replay(Action(entry.action)).changed
        if number > most:
            changed = range(len(game.variant.piles))
        shown = number <= most or number == len(log)
        yield _step(game, entry, changed) if shown else None


def _step(game: Game, entry: TimedAction, changed: Sequence[int]) -> Step:
    counts = game.counts
    return Step(
        ms=entry.ms,
        action=ACTION_TEXTS[game.variant.id].format(Action(entry.action)),
        piles=dict(named_piles(game, changed)),
        score=game.score,
        moves=counts.moves,
        suits=counts.suits,
        home=counts.home,
        face_down=counts.face_down,
    )


Point = tuple[int, int, int]
"""The time in milliseconds since t0, and the score and the number of suits from then on."""


def points_of(
    played: Round, seat: int, log: Sequence[TimedAction], most: int = MAX_STEPS
) -> Iterator[Point | None]:
    """Yield the points of a player's score, from the deal on, or None for acts without a point.

    An act has a point if it changes the score or the number of suits; after `most` of them only
    the last act has one. All times are milliseconds since t0, for chasers too.
    """
    assert played.ended is not None, "a running round is not revealed"
    game = deal_game(played)
    latest = (game.score, game.counts.suits)
    yield (played.late_ms.get(seat, 0), *latest)
    points = 1
    for number, entry in enumerate(log, 1):
        game.replay(Action(entry.action))
        now = (game.score, game.counts.suits)
        if now == latest or (points > most and number < len(log)):
            yield None
            continue
        latest = now
        points += 1
        yield (entry.ms, *now)


def course(played: Round, seat: int, points: Sequence[Point]) -> Course:
    """Return one player's line of the chart, from the points of `points_of`."""
    return Course(
        seat=seat,
        name=played.names[seat],
        ms=tuple(ms for ms, _, _ in points),
        score=tuple(score for _, score, _ in points),
        suits=tuple(suits for _, _, suits in points),
    )


def round_course(room: Room, played: Round, courses: Sequence[Course]) -> RoundCourse:
    """Return the result of a finished round, with the courses of its players."""
    return RoundCourse(**vars(round_result(room, played)), courses=tuple(courses))
