"""Replays of finished rounds, act by act, for clients without the rules.

The engine computes every position. Functions yield in small steps, so that the caller can pause
between them.


The reviews of finished rounds: the games that are reviewed, and what is kept. Pure.

Reviews are made after the round, when somebody opens its results (`thinking/reviews.py`).


Reviews of finished rounds: until when a win was known to each player, and the win itself.

Documents about finished rounds, serialized in small steps, seat by seat.

A round of many long games takes megabytes, so its models are made, serialized and dropped one by
one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, NamedTuple

from pydantic import BaseModel

from protocol.http import Course, FinishedRound, GameReview, Replay, RoundCourse, RoundReview, Step
from server.games.actions import ACTION_TEXTS, Action
from server.games.game import Game
from server.rooms.deals import deal_game, pack_line, unpack_line
from server.rooms.ranking import rank
from server.rooms.record import Record, Room, Round
from server.solver.reviews import Reviewed
from server.views.finished_rounds import (
    TimedAction,
    log_texts,
    player_lines,
    player_log,
    round_head,
    round_result,
)
from server.views.tables import board_view, named_piles

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


MOST_GAMES: Final = 32
"""The games of a round that are reviewed."""


class SeatReview(Record):
    """The review of one game. Times are milliseconds since t0."""

    known_at: int | None = None
    """The entries of the log up to the last position with a known win; None without one."""
    known_ms: int | None = None  # when the player left that position, or the game
    line: str = ""  # the packed acts that win from there
    is_known_to_the_end: bool = False  # whether the game ended in that position
    lost_ms: int | None = None
    """The time from which on no win was left; None if that is not proved."""
    children: int = 0  # the positions that were judged


def games_to_review(played: Round) -> tuple[int, ...]:
    """Return the seats whose games are reviewed, in this order."""
    return unwon_games(played)[:MOST_GAMES]


def unwon_games(played: Round) -> tuple[int, ...]:
    """Return the seats of games with acts that were not won: people first, the best first.

    A game that a computer has played on for somebody is none of a person.
    """
    seats = [
        row.seat
        for row in rank(played, {}, played.states)
        if row.stats.has_acted and not row.stats.won
    ]
    seats.sort(key=lambda seat: seat in played.programs or seat in played.stand_ins)
    return tuple(seats)


def seat_review(reviewed: Reviewed, times: Sequence[int], began_ms: int) -> SeatReview:
    """Return what is kept of a review.

    `times` are those of the entries of the log, of which there are some, and `began_ms` is that of
    the beginning of the game.
    """
    known_at, lost_at = reviewed.known_at, reviewed.lost_at
    return SeatReview(
        known_at=known_at,
        known_ms=None if known_at is None else times[min(known_at, len(times) - 1)],
        line=pack_line(reviewed.line),
        is_known_to_the_end=reviewed.is_known_to_the_end,
        lost_ms=None if lost_at is None else times[lost_at - 1] if lost_at else began_ms,
        children=reviewed.children,
    )


PACE_MS = 1_000
"""The time of an act in a win that nobody has played."""


def round_review(
    room: Room,
    played: Round,
    reviews: Mapping[int, SeatReview],
    *,
    has_begun: bool,
    is_done: bool,
) -> RoundReview:
    """Return the review of a round as far as it is made, from what is kept by seat."""
    assert played.ended is not None, "a running round is not revealed"
    seats = unwon_games(played)
    return RoundReview(
        room=room.code,
        n=played.n,
        state="done" if is_done else "running" if has_begun else "waiting",
        games=tuple(_game(played, seat, reviews[seat]) for seat in seats if seat in reviews),
        missing=tuple(seat for seat in seats if seat not in reviews) if is_done else (),
    )


def _game(played: Round, seat: int, review: SeatReview) -> GameReview:
    return GameReview(
        seat=seat,
        name=played.names[seat],
        known_ms=review.known_ms,
        to_the_end=review.is_known_to_the_end,
        lost_ms=review.lost_ms,
        acts=len(unpack_line(review.line)),
    )


def win_log(review: SeatReview, log: Sequence[TimedAction]) -> list[TimedAction]:
    """Return a player's log up to the last time a win was known, continued by that win.

    The log is empty if no win was ever known.
    """
    if review.known_at is None or review.known_ms is None:
        return []
    line = enumerate(unpack_line(review.line), 1)
    won = (LineAct(each, review.known_ms + PACE_MS * at) for at, each in line)
    return list(chain(log[: review.known_at], won))


JSON = "application/json"
TEXT = "text/plain; charset=utf-8"
LIST_END = "]}"

Part = Callable[[int, Sequence[TimedAction]], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Document:
    """A document with one part for each seat, made from the seat's log.

    A part yields pieces of text; an empty piece is a step without output. The document is
    `head`, the parts joined by `between`, and `tail`.
    """

    content_type: str
    head: str
    seats: tuple[int, ...]
    part: Part
    tail: str = ""
    between: str = ""


def round_document(whole: FinishedRound, played: Round) -> Document:
    """Return the JSON document of a round with all logs; `whole` must have no players."""

    def part(seat: int, log: Sequence[TimedAction]) -> Iterator[str]:
        head, tail = _opened(player_log(played, seat, ()))
        yield head
        yield from _listed(log_texts(played, log))
        yield tail

    head, tail = _opened(whole)
    return Document(JSON, head, tuple(played.names), part, tail, ",")


def text_document(played: Round) -> Document:
    """Return the document of a round in the text notation."""

    def part(seat: int, log: Sequence[TimedAction]) -> Iterator[str]:
        return player_lines(played, seat, log)

    return Document(TEXT, round_head(played), tuple(played.names), part)


def course_document(room: Room, played: Round) -> Document:
    """Return the JSON document of a round's result and its players' courses."""

    def part(seat: int, log: Sequence[TimedAction]) -> Iterator[str]:
        points: list[Point] = []
        for point in points_of(played, seat, log):
            if point is not None:
                points.append(point)
            yield ""
        yield course(played, seat, points).model_dump_json()

    head, tail = _opened(round_course(room, played, ()))
    return Document(JSON, head, tuple(played.names), part, tail, ",")


def replay_document(played: Round, seat: int, acts: int, most: int = MAX_STEPS) -> Document:
    """Return the JSON document of one player's replay, with `most` steps and the last one.

    `acts` is the length of the log.
    """

    def part(_seat: int, log: Sequence[TimedAction]) -> Iterator[str]:
        steps = steps_of(played, log, most)
        return _listed("" if step is None else step.model_dump_json() for step in steps)

    head, tail = _opened(replay_view(played, seat, (), acts))
    return Document(JSON, head, (seat,), part, tail)


def proof_document(played: Round, acts: int) -> Document:
    """Return the JSON document of a line that wins, which is a replay of nobody's seat."""

    def part(_seat: int, log: Sequence[TimedAction]) -> Iterator[str]:
        return _listed(
            "" if step is None else step.model_dump_json() for step in steps_of(played, log)
        )

    head, tail = _opened(proof_replay(played, acts))
    return Document(JSON, head, (NOBODY,), part, tail)


def _opened(model: BaseModel) -> tuple[str, str]:
    """Return the JSON of a model, split inside the empty list that is its last field."""
    return model.model_dump_json().removesuffix(LIST_END), LIST_END


def _listed(texts: Iterable[str]) -> Iterator[str]:
    """Yield texts with commas between them; empty texts stay empty."""
    before = ""
    for text in texts:
        yield before + text if text else ""
        before = "," if text else before
