"""Documents about finished rounds, serialized in small steps, seat by seat.

A round of many long games takes megabytes, so its models are made, serialized and dropped one by
one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from protocol.http import FinishedRound
from server.rooms.record import Room, Round
from server.views.finished_rounds import log_texts, player_lines, player_log, round_head
from server.views.replays import (
    MAX_STEPS,
    NOBODY,
    Point,
    course,
    points_of,
    proof_replay,
    replay_view,
    round_course,
    steps_of,
)
from server.views.timed_action import TimedAction

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
