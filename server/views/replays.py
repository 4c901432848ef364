"""A round that is over, act by act, by the engine that judged it: for those without its rules.

Everything here comes in small steps, so that whoever makes one can let others go first.
"""

from collections.abc import Iterator, Sequence

from protocol.http import Course, Replay, RoundCourse, Step
from server.games import actions
from server.games.actions import Action
from server.games.game import Game
from server.rooms.record import Room, Round
from server.rooms.rounds import deal_game
from server.views.finished_rounds import round_result
from server.views.log import LogRecord
from server.views.tables import board_view, pile_view

MOST_STEPS = 3_000
"""A game of more acts is told so far, and then its end. Ten times a long game, a megabyte."""


def replay(played: Round, seat: int, steps: Sequence[Step], acts: int) -> Replay:
    """One player's game of a round that is over, from the steps that `steps_of` gave."""
    assert played.ended is not None, "nothing is told of a round that is on"
    return Replay(
        seat=seat,
        name=played.names[seat],
        start=board_view(deal_game(played), seat, 0),
        acts=acts,
        steps=tuple(steps),
    )


def steps_of(played: Round, log: Sequence[LogRecord]) -> Iterator[Step | None]:
    """What every act of a player has changed; None for one that is passed over."""
    assert played.ended is not None, "nothing is told of a round that is on"
    game = deal_game(played)
    for number, entry in enumerate(log, 1):
        changed: Sequence[int] = game.replay(Action(entry.action)).changed
        if number > MOST_STEPS:
            changed = range(len(game.variant.piles))
        told = number <= MOST_STEPS or number == len(log)
        yield _step(game, entry, changed) if told else None


def _step(game: Game, entry: LogRecord, changed: Sequence[int]) -> Step:
    counts = game.counts
    return Step(
        ms=entry.ms,
        action=actions.format_action(Action(entry.action), game.variant.pile_names),
        piles=tuple(pile_view(game, index) for index in changed),
        score=game.score,
        moves=counts.moves,
        suits=counts.suits,
        home=counts.home,
        face_down=counts.face_down,
    )


Point = tuple[int, int, int]
"""Milliseconds since t0, and the score and the suits home from then on."""


def points_of(played: Round, seat: int, log: Sequence[LogRecord]) -> Iterator[Point | None]:
    """How a player's score went, beginning with the deal; None for an act that left it alone.

    All times are since t0, those of a chaser too.
    """
    assert played.ended is not None, "nothing is told of a round that is on"
    game = deal_game(played)
    known = (game.score, game.counts.suits)
    yield (played.late.get(seat, 0), *known)
    told = 1
    for number, entry in enumerate(log, 1):
        game.replay(Action(entry.action))
        now = (game.score, game.counts.suits)
        if now == known or (told > MOST_STEPS and number < len(log)):
            yield None
            continue
        known = now
        told += 1
        yield (entry.ms, *now)


def course(played: Round, seat: int, points: Sequence[Point]) -> Course:
    """One player's line of a chart, from the points that `points_of` gave."""
    return Course(
        seat=seat,
        name=played.names[seat],
        ms=tuple(ms for ms, _, _ in points),
        score=tuple(score for _, score, _ in points),
        suits=tuple(suits for _, _, suits in points),
    )


def round_course(room: Room, played: Round, courses: Sequence[Course]) -> RoundCourse:
    """A round that is over: how it ended, and how everybody came there."""
    return RoundCourse(**round_result(room, played), courses=tuple(courses))
