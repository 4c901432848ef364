"""Documents about finished rounds: deal and logs, replays act by act, courses and reviews.

The engine computes every position, for clients that do not know the rules. A round of many long
games takes megabytes. So documents are written in small steps, seat by seat, and the caller can
pause in between. Models are made, serialized and dropped one by one. A round is reviewed when
somebody opens its results (`thinking/reviews.py`). Nothing of a running round is revealed.
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

MAX_STEPS = 3_000  # acts before a replay skips to the end: ten long games, about a megabyte
SLOWEST_MS = 2_000  # the most time for each act in a line that wins
NOBODY = -1  # the seat of a line that no player has played
MOST_GAMES: Final = 32  # how many games of a round are reviewed
PACE_MS = 1_000  # the time for each act in a win that nobody has played
Point = tuple[int, int, int]
"""The time in milliseconds since t0, and the score and the number of suits from then on."""

Part = Callable[[int, Sequence[TimedAction]], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Document:
    """A document with one part for each seat, made from the seat's log.

    A part yields pieces of text; an empty piece is a step without output. The document is `head`,
    the parts joined by `between`, and `tail`.
    """

    content_type: str
    head: str
    seats: tuple[int, ...]
    part: Part
    tail: str = ""
    between: str = ""


def round_document(room: Room, played: Round) -> Document:
    """Return the JSON document of a round with all logs, which are long: each entry is a part."""
    texts = ACTION_TEXTS[played.settings.game]

    def part(seat: int, log: Sequence[TimedAction]) -> Iterator[str]:
        name, late_ms = played.names[seat], played.late_ms.get(seat)
        head, tail = _split(http.SeatLog(seat=seat, name=name, late_ms=late_ms, log=()))
        yield head
        yield from _with_commas(
            codec.dump_fields({"action": texts.format(entry.action), "ms": entry.ms})
            for entry in log
        )
        yield tail

    whole = http.FinishedRound(**vars(round_result(room, played)), players=())
    return _json(whole, tuple(played.names), part)


def text_document(_room: Room, played: Round) -> Document:
    """Return the document of a round in the text notation."""
    assert played.ended is not None, "a running round is not revealed"
    game, deal = played.settings.game, played.deal

    def part(seat: int, log: Sequence[TimedAction]) -> Iterator[str]:
        return format_player(played.names[seat], log, game)

    seed, salt = (None if text is None else bytes.fromhex(text) for text in (deal.seed, deal.salt))
    head = format_head(rules_of(played.settings), RevealedDeal(seed, salt, deal.number))
    return Document("text/plain; charset=utf-8", head, tuple(played.names), part)


def course_document(room: Room, played: Round) -> Document:
    """Return the JSON document of a round's result and its players' courses."""

    def part(seat: int, log: Sequence[TimedAction]) -> Iterator[str]:
        points: list[Point] = []
        for point in points_of(played, seat, log):
            if point is not None:
                points.append(point)
            yield ""  # the caller may pause here
        ms, score, suits = zip(*points, strict=True)
        course = http.Course(seat=seat, name=played.names[seat], ms=ms, score=score, suits=suits)
        yield course.model_dump_json()

    whole = http.RoundCourse(**vars(round_result(room, played)), courses=())
    return _json(whole, tuple(played.names), part)


def replay_document(played: Round, seat: int, acts: int, most: int = MAX_STEPS) -> Document:
    """Return the JSON document of one player's replay: `most` steps and the last one.

    `acts` is the length of the log. A line that wins has the seat `NOBODY`.
    """

    def part(_seat: int, log: Sequence[TimedAction]) -> Iterator[str]:
        steps = steps_of(played, log, most, played.began_ms(seat))
        return _with_commas("" if step is None else step.model_dump_json() for step in steps)

    assert played.ended is not None, "a running round is not revealed"
    start = board_view(deal_game(played), seat, elapsed_ms=0)
    name = played.names.get(seat, "")
    whole = http.Replay(seat=seat, name=name, start=start, acts=acts, steps=())
    return _json(whole, (seat,), part)


def _json(whole: BaseModel, seats: tuple[int, ...], part: Part) -> Document:
    """Return the document of `whole`, whose last field is the list of the parts, still empty."""
    head, tail = _split(whole)
    return Document("application/json", head, seats, part, tail, ",")


def _split(model: BaseModel) -> tuple[str, str]:
    """Return the JSON of a model, split inside the empty list that is its last field."""
    end = "]}"
    return model.model_dump_json().removesuffix(end), end


def _with_commas(texts: Iterable[str]) -> Iterator[str]:
    """Yield texts with commas between them; empty ones only let the caller pause."""
    before = ""
    for text in texts:
        yield before + text if text else ""
        before = "," if text else before


def proof_log(played: Round) -> list[TimedAction]:
    """Return the line that wins a deal, spread over the race's time, or [] if none is known."""
    assert played.ended is not None, "a running round is not revealed"
    line = unpack_line(played.deal.line)
    total_ms = min(played.ended - played.t0, SLOWEST_MS * len(line))
    return [TimedAction(each, total_ms * n // len(line)) for n, each in enumerate(line, 1)]


def steps_of(
    played: Round, log: Sequence[TimedAction], most: int = MAX_STEPS, began_ms: int = 0
) -> Iterator[http.Step | None]:
    """Yield the step of each act of a player, or None for acts that are skipped.

    Times count from `began_ms`. After `most` steps only the last act has one: the whole table.
    """
    assert played.ended is not None, "a running round is not revealed"
    game = deal_game(played)
    for number, entry in enumerate(log, 1):
        changed: Sequence[int] = game.replay(entry.action).changed
        if number > most:
            changed = range(len(game.variant.piles))
        shown = number <= most or number == len(log)
        yield _step(game, entry, entry.ms - began_ms, changed) if shown else None


def _step(game: Game, entry: TimedAction, ms: int, changed: Sequence[int]) -> http.Step:
    """Return the step of an act that has just been made; it shows the piles in `changed`."""
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
    played: Round, seat: int, log: Sequence[TimedAction], most: int = MAX_STEPS
) -> Iterator[Point | None]:
    """Yield the points of a player's score, from the deal on, or None for acts without a point.

    An act has a point if it changes the score or the number of suits. After `most` points only the
    last act has one. Times are milliseconds since t0, even for chasers. In a window they count
    from the start of each game, so that games of different days can be compared.
    """
    assert played.ended is not None, "a running round is not revealed"
    game = deal_game(played)
    latest = (game.score, game.counts.suits)
    began_ms = played.began_ms(seat)
    yield (played.late_ms.get(seat, 0) - began_ms, *latest)
    points = 1
    for number, entry in enumerate(log, 1):
        game.replay(entry.action)
        point = (game.score, game.counts.suits)
        if point == latest or (points > most and number < len(log)):
            yield None
            continue
        latest = point
        points += 1
        yield (entry.ms - began_ms, *point)


class SeatReview(Record):
    """The review of one game. Times are milliseconds since t0."""

    known_at: int | None = None
    """How many entries of the log lead to the last position with a known win, if there is one."""
    known_ms: int | None = None  # when the player left that position, or the game
    line: str = ""  # the packed acts that win from there
    is_known_to_the_end: bool = False  # whether the game ended in that position
    lost_ms: int | None = None  # when the last way to win was lost; None if that is not proved
    children: int = 0  # how many positions were judged


def games_to_review(played: Round) -> tuple[int, ...]:
    """Return the seats whose games are reviewed, in this order."""
    return unwon_games(played)[:MOST_GAMES]


def unwon_games(played: Round) -> tuple[int, ...]:
    """Return the seats of games that have acts and no win: people first, the best first.

    A game that a computer has finished for somebody does not count as a person's.
    """
    rows = final_ranking(played).rows
    seats = (row.seat for row in rows if row.stats.has_acted and not row.stats.won)
    by_computer = {*played.programs, *played.stand_ins}
    return tuple(sorted(seats, key=lambda seat: seat in by_computer))


def seat_review(reviewed: Reviewed, times: Sequence[int], began_ms: int) -> SeatReview:
    """Return the review of a game in the form that is stored.

    `times` are the times of the log's entries, at least one; `began_ms` is when the game started.
    """
    known_at, lost_at, reached_ms = reviewed.known_at, reviewed.lost_at, (began_ms, *times)
    return SeatReview(
        known_at=known_at,
        known_ms=None if known_at is None else times[min(known_at, len(times) - 1)],
        line=pack_line(reviewed.line),
        is_known_to_the_end=reviewed.is_known_to_the_end,
        lost_ms=None if lost_at is None else reached_ms[lost_at],
        children=reviewed.children,
    )


def round_review(
    room: Room, played: Round, reviews: Mapping[int, SeatReview], *, has_begun: bool, is_done: bool
) -> http.RoundReview:
    """Return the part of a round's review that is ready, from the stored `reviews` by seat."""
    assert played.ended is not None, "a running round is not revealed"
    seats = unwon_games(played)

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
    """Return a log up to its last position with a known win, then that win; [] without one."""
    if review.known_at is None or review.known_ms is None:
        return []
    line = enumerate(unpack_line(review.line), 1)
    won = (TimedAction(each, review.known_ms + PACE_MS * n) for n, each in line)
    return [*log[: review.known_at], *won]
