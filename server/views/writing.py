"""Rounds that are over, written down in small steps: what is served of them, seat by seat.

A round of many long games is megabytes. Its models are never there all at once: each is made,
written, and let go.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from protocol.http import FinishedRound
from server.rooms.record import Room, Round
from server.views.finished_rounds import log_texts, player_lines, player_log, round_head
from server.views.log import LogRecord
from server.views.replays import Point, course, points_of, replay, round_course, steps_of

JSON = "application/json"
TEXT = "text/plain; charset=utf-8"
LIST_END = "]}"

Part = Callable[[int, Sequence[LogRecord]], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Writing:
    """A text with a part for each of some seats, which is made of the seat's log.

    What a part yields is written; an empty text is a step that writes nothing.
    """

    content_type: str
    head: str
    seats: tuple[int, ...]
    part: Part
    tail: str = ""
    between: str = ""


def whole_writing(whole: FinishedRound, played: Round) -> Writing:
    """A round with all logs, from one that has no player yet."""

    def part(seat: int, log: Sequence[LogRecord]) -> Iterator[str]:
        head, tail = _opened(player_log(played, seat, ()))
        yield head
        yield from _listed(log_texts(played, log))
        yield tail

    head, tail = _opened(whole)
    return Writing(JSON, head, tuple(played.names), part, tail, ",")


def text_writing(played: Round) -> Writing:
    """A round as the text that the engine reads back."""

    def part(seat: int, log: Sequence[LogRecord]) -> Iterator[str]:
        return player_lines(played, seat, log)

    return Writing(TEXT, round_head(played), tuple(played.names), part)


def course_writing(room: Room, played: Round) -> Writing:
    """How a round ended, and how everybody came there."""

    def part(seat: int, log: Sequence[LogRecord]) -> Iterator[str]:
        points: list[Point] = []
        for point in points_of(played, seat, log):
            if point is not None:
                points.append(point)
            yield ""
        yield course(played, seat, points).model_dump_json()

    head, tail = _opened(round_course(room, played, ()))
    return Writing(JSON, head, tuple(played.names), part, tail, ",")


def replay_writing(played: Round, seat: int, acts: int) -> Writing:
    """One player's game of so many acts, act by act."""

    def part(_seat: int, log: Sequence[LogRecord]) -> Iterator[str]:
        steps = steps_of(played, log)
        return _listed("" if step is None else step.model_dump_json() for step in steps)

    head, tail = _opened(replay(played, seat, (), acts))
    return Writing(JSON, head, (seat,), part, tail)


def _opened(model: BaseModel) -> tuple[str, str]:
    """Return what is before the end of a model whose last field is an empty list, and the end."""
    return model.model_dump_json().removesuffix(LIST_END), LIST_END


def _listed(texts: Iterable[str]) -> Iterator[str]:
    """Return texts with commas between them; empty ones stay so, and count for none."""
    before = ""
    for text in texts:
        yield before + text if text else ""
        before = "," if text else before
