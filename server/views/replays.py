"""Documents about finished rounds: deal and logs, replays act by act, courses and reviews.

The engine computes every position, so clients need not know the rules. A round of many long games
takes megabytes, so its documents are written in small steps, seat by seat: the caller can pause
between steps, and each model is serialized and dropped before the next one is made. A round is
reviewed when somebody opens its results (`thinking/reviews.py`). Nothing of a running round is
revealed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import BaseModel

from protocol import codec, http
from server.games.actions import ACTION_TEXTS, TimedAction
from server.games.game import Game
from server.games.transcripts import RevealedDeal, format_head, format_player
from server.rooms.deals import deal_game, pack_line, unpack_line
from server.rooms.ranking import final_ranking
from server.rooms.record import Record, Room, Round
from server.rooms.settings import rules_of
from server.solver.reviews import Reviewed
from server.views.finished_rounds import round_result
from server.views.tables import board_view, named_piles

MAX_STEPS = 3_000  # acts before a replay skips to its end: ten long games, about a megabyte
MAX_PROOF_ACT_MS = 2_000  # an act takes at most this long in the replay of a deal's winning line
NOBODY = -1  # stands for a seat in the replay of a winning line that no player has played
MAX_REVIEWED: Final = 32  # how many games of a round are reviewed
WIN_ACT_MS = 1_000  # how long each act of the solver takes in the replay of a player's missed win
Point = tuple[int, int, int]
"""The time in milliseconds since t0, and the score and the number of suits from then on."""

WritePart = Callable[[int, Sequence[TimedAction]], Iterator[str]]
"""Yields the text of a seat's part of a document, given the seat and its log."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document with one part for each seat, made from the seat's log.

    The document is `head`, the parts joined by `between`, and `tail`. `write_part` yields a part
    in pieces, so that the caller can pause after each. A piece may be empty.
    """

    content_type: str
    head: str
    seats: tuple[int, ...]
    write_part: WritePart
    tail: str = ""
    between: str = ""


def round_document(room: Room, played: Round) -> Document:
    """Return the JSON document of a round's result, deal and logs."""
    texts = ACTION_TEXTS[played.settings.game]

    def write_part(seat: int, log: Sequence[TimedAction]) -> Iterator[str]:
        name, late_ms = played.names[seat], played.late_ms.get(seat)
        head, tail = _split(http.SeatLog(seat=seat, name=name, late_ms=late_ms, log=()))
        yield head
        yield from _joined_by_commas(
            codec.dump_fields({"action": texts.format(entry.action), "ms": entry.ms})
            for entry in log
        )
        yield tail

    whole = http.FinishedRound(**vars(round_result(room, played)), players=())
    return _json_document(whole, tuple(played.names), write_part)


def text_document(_room: Room, played: Round) -> Document:
    """Return the document of a round in the text notation."""
    assert played.ended is not None, "a running round is not revealed"
    game, deal = played.settings.game, played.deal

    def write_part(seat: int, log: Sequence[TimedAction]) -> Iterator[str]:
        return format_player(played.names[seat], log, game)

    seed, salt = (None if text is None else bytes.fromhex(text) for text in (deal.seed, deal.salt))
    head = format_head(rules_of(played.settings), RevealedDeal(seed, salt, deal.number))
    return Document("text/plain; charset=utf-8", head, tuple(played.names), write_part)


def course_document(room: Room, played: Round) -> Document:
    """Return the JSON document of a round's result, and each player's score over time."""

    def write_part(seat: int, log: Sequence[TimedAction]) -> Iterator[str]:
        points: list[Point] = []
        for point in points_of(played, seat, log):  # None for an act that changes nothing shown
            if point is not None:
                points.append(point)
            yield ""  # so that the caller can pause after each act
        ms, score, suits = zip(*points, strict=True)
        course = http.Course(seat=seat, name=played.names[seat], ms=ms, score=score, suits=suits)
        yield course.model_dump_json()

    whole = http.RoundCourse(**vars(round_result(room, played)), courses=())
    return _json_document(whole, tuple(played.names), write_part)


def replay_document(played: Round, seat: int, acts: int, max_steps: int = MAX_STEPS) -> Document:
    """Return the JSON document of one player's replay: its first `max_steps` steps and its last.

    `acts` is the length of the log. The replay of a deal's winning line has the seat `NOBODY`.
    """

    def write_part(_seat: int, log: Sequence[TimedAction]) -> Iterator[str]:
        steps = steps_of(played, log, max_steps, played.began_ms(seat))
        return _joined_by_commas("" if step is None else step.model_dump_json() for step in steps)

    assert played.ended is not None, "a running round is not revealed"
    start = board_view(deal_game(played), seat, elapsed_ms=0)
    name = played.names.get(seat, "")
    whole = http.Replay(seat=seat, name=name, start=start, acts=acts, steps=())
    return _json_document(whole, (seat,), write_part)


def _json_document(whole: BaseModel, seats: tuple[int, ...], write_part: WritePart) -> Document:
    """Return the document of `whole`, whose last field is an empty list for the parts to fill."""
    head, tail = _split(whole)
    return Document("application/json", head, seats, write_part, tail, ",")


def _split(model: BaseModel) -> tuple[str, str]:
    """Split a model's JSON inside its last field, an empty list, so that entries can be added."""
    end = "]}"
    return model.model_dump_json().removesuffix(end), end


def _joined_by_commas(texts: Iterable[str]) -> Iterator[str]:
    """Yield the texts with commas between them; an empty one only lets the caller pause."""
    before = ""
    for text in texts:
        yield before + text if text else ""
        before = "," if text else before


def proof_log(played: Round) -> list[TimedAction]:
    """Return the deal's winning line, spread over the time of the race; [] if none is known."""
    assert played.ended is not None, "a running round is not revealed"
    line = unpack_line(played.deal.line)
    total_ms = min(played.ended - played.t0, MAX_PROOF_ACT_MS * len(line))
    return [TimedAction(action, total_ms * n // len(line)) for n, action in enumerate(line, 1)]


def steps_of(
    played: Round, log: Sequence[TimedAction], max_steps: int = MAX_STEPS, began_ms: int = 0
) -> Iterator[http.Step | None]:
    """Yield a step of the replay for each act of a player, or None for an act that is left out.

    Times count from `began_ms`. After `max_steps` acts all but the last are left out. The last
    step then shows the whole table, not only the piles that its act changed.
    """
    assert played.ended is not None, "a running round is not revealed"
    game = deal_game(played)
    for number, entry in enumerate(log, 1):
        changed: Sequence[int] = game.replay(entry.action).changed
        if number > max_steps:
            changed = range(len(game.variant.piles))
        shown = number <= max_steps or number == len(log)
        yield _step(game, entry, entry.ms - began_ms, changed) if shown else None


def _step(game: Game, entry: TimedAction, ms: int, changed: Sequence[int]) -> http.Step:
    """Return the step of an act that `game` has just made; it shows the piles in `changed`."""
    counts = game.counts
    return http.Step(
        ms=ms,
        action=ACTION_TEXTS[game.variant.id].format(entry.action),
        piles=dict(named_piles(game, changed)),
        score=game.score,
        moves=counts.moves,
        suits=counts.suits,
        home=counts.home,
        face_down=counts.face_down,
    )


def points_of(
    played: Round, seat: int, log: Sequence[TimedAction], max_points: int = MAX_STEPS
) -> Iterator[Point | None]:
    """Yield the points of a player's score chart: one for the deal, then a point or None per act.

    An act has a point if it changes the score or the number of suits. After `max_points` points
    only the last act can have one. Times are milliseconds since t0, even if the player started
    later. In a window, where players start when they like, times count from the game's start.
    """
    assert played.ended is not None, "a running round is not revealed"
    game = deal_game(played)
    latest = (game.score, game.counts.suits)
    began_ms = played.began_ms(seat)  # 0 except in a window
    yield (played.late_ms.get(seat, 0) - began_ms, *latest)
    points = 1
    for number, entry in enumerate(log, 1):
        game.replay(entry.action)
        point = (game.score, game.counts.suits)
        if point == latest or (points > max_points and number < len(log)):
            yield None
            continue
        latest = point
        points += 1
        yield (entry.ms - began_ms, *point)


class SeatReview(Record):
    """The stored review of one game: how long it could be won. Times are milliseconds since t0."""

    known_at: int | None = None
    """How many log entries lead to the last position with a known win, if there is one."""
    known_ms: int | None = None  # the time of the next act, or of the last if the game ended there
    line: str = ""  # the acts that win from that position (see `pack_line`)
    is_known_to_the_end: bool = False  # whether that position is the last one of the game
    lost_ms: int | None = None  # when the last win was lost; None if that is not proved
    children: int = 0  # how many positions the solver judged


def seats_to_review(played: Round) -> tuple[int, ...]:
    """Return the seats whose games are reviewed, in the order of their reviews."""
    return unwon_seats(played)[:MAX_REVIEWED]


def unwon_seats(played: Round) -> tuple[int, ...]:
    """Return the seats of games that were played but not won: people's first, each group by rank.

    A game that a computer player has finished for a person counts as the computer's.
    """
    rows = final_ranking(played).rows
    seats = (row.seat for row in rows if row.stats.has_acted and not row.stats.won)
    by_computer = {*played.programs, *played.stand_ins}
    return tuple(sorted(seats, key=lambda seat: seat in by_computer))


def seat_review(reviewed: Reviewed, times: Sequence[int], began_ms: int) -> SeatReview:
    """Return the stored form of a game's review.

    `times` are the times of the log's entries, at least one. `began_ms` is when the game started.
    Both are in milliseconds since t0.
    """
    known_ms = lost_ms = None
    if reviewed.known_at is not None:  # the win was known until the next entry, if there is one
        known_ms = times[min(reviewed.known_at, len(times) - 1)]
    if reviewed.lost_at is not None:  # it was lost once that position was reached
        lost_ms = (began_ms, *times)[reviewed.lost_at]
    return SeatReview(
        known_at=reviewed.known_at,
        known_ms=known_ms,
        line=pack_line(reviewed.line),
        is_known_to_the_end=reviewed.is_known_to_the_end,
        lost_ms=lost_ms,
        children=reviewed.judged,
    )


def round_review(
    room: Room, played: Round, reviews: Mapping[int, SeatReview], *, has_begun: bool, is_done: bool
) -> http.RoundReview:
    """Return as much of a round's review as is ready; `reviews` has the stored ones by seat."""
    assert played.ended is not None, "a running round is not revealed"
    seats = unwon_seats(played)

    def since_own_start(seat: int, ms: int | None) -> int | None:
        return None if ms is None else ms - played.began_ms(seat)

    return http.RoundReview(
        room=room.code,
        n=played.n,
        state="done" if is_done else "running" if has_begun else "waiting",
        games=tuple(
            http.GameReview(
                seat=seat,
                name=played.names[seat],
                known_ms=since_own_start(seat, reviews[seat].known_ms),
                to_the_end=reviews[seat].is_known_to_the_end,
                lost_ms=since_own_start(seat, reviews[seat].lost_ms),
                acts=len(unpack_line(reviews[seat].line)),
            )
            for seat in seats
            if seat in reviews
        ),
        missing=tuple(seat for seat in seats if seat not in reviews) if is_done else (),
    )


def win_log(review: SeatReview, log: Sequence[TimedAction]) -> list[TimedAction]:
    """Return a log to its last position with a known win, then that win; [] without one."""
    if review.known_at is None or review.known_ms is None:
        return []
    line = enumerate(unpack_line(review.line), 1)
    won = (TimedAction(action, review.known_ms + WIN_ACT_MS * n) for n, action in line)
    return [*log[: review.known_at], *won]
