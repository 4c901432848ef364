"""Documents about finished rounds equal the JSON of their models."""

from collections.abc import Sequence
from typing import Any

import pytest

from protocol.http import FinishedRound, Replay, RoundCourse
from server.rooms.record import Room, Round
from server.store import LogRecord
from server.views.documents import (
    Document,
    course_document,
    proof_document,
    replay_document,
    round_document,
    text_document,
)
from server.views.finished_rounds import finished_round, round_text
from server.views.replays import (
    NOBODY,
    Point,
    course,
    points_of,
    proof_log,
    proof_replay,
    replay_view,
    round_course,
    steps_of,
)
from tests.rooms.rooms import ADA, BOB, finished
from tests.views.test_replays import RULES, play, with_line


def over(**settings: Any) -> tuple[Room, Round, dict[int, list[LogRecord]]]:
    room = finished(**settings)
    assert room.round is not None
    return room, room.round, {ADA: play(room.round, 60)[0], BOB: []}


def written(document: Document, logs: dict[int, list[LogRecord]]) -> str:
    parts = ["".join(document.part(seat, logs[seat])) for seat in document.seats]
    return document.head + document.between.join(parts) + document.tail


@pytest.mark.parametrize("settings", RULES, ids=lambda rules: rules.get("game", "usual"))
def test_the_document_of_a_round_equals_the_json_of_its_models(settings: dict[str, Any]) -> None:
    room, played, logs = over(**settings)
    whole = finished_round(room, played, logs)
    assert len(whole.players[0].log) > 30
    text = written(round_document(finished_round(room, played, {}), played), logs)
    assert text == whole.model_dump_json()
    assert FinishedRound.model_validate_json(text) == whole
    assert written(text_document(played), logs) == round_text(played, logs)


def test_the_document_of_a_course_equals_the_json_of_its_model() -> None:
    room, played, logs = over(undo="any")

    def points(log: Sequence[LogRecord]) -> list[Point]:
        return [point for point in points_of(played, ADA, log) if point is not None]

    lines = [course(played, seat, points(log)) for seat, log in logs.items()]
    text = written(course_document(room, played), logs)
    assert RoundCourse.model_validate_json(text) == round_course(room, played, lines)


def test_the_document_of_a_replay_equals_the_json_of_its_model_with_skipped_acts() -> None:
    _, played, logs = over(undo="any")
    for most in (3_000, 10, 0):
        for seat, log in logs.items():
            steps = [step for step in steps_of(played, log, most) if step is not None]
            text = written(replay_document(played, seat, len(log), most), logs)
            assert Replay.model_validate_json(text) == replay_view(played, seat, steps, len(log))


def test_the_document_of_a_known_win_equals_the_json_of_its_model() -> None:
    played = with_line(40)
    log = proof_log(played)
    steps = tuple(step for step in steps_of(played, log) if step is not None)
    document = proof_document(played, len(log))
    text = document.head + "".join(document.part(NOBODY, log)) + document.tail
    whole = proof_replay(played, len(log)).model_copy(update={"steps": steps})
    assert Replay.model_validate_json(text) == whole
