"""Documents of finished rounds, written as the web floor writes them."""

from collections.abc import Mapping, Sequence

from protocol.http import FinishedRound
from server.games.actions import TimedAction
from server.rooms.record import Room, Round
from server.views.replays import Document, round_document, text_document

Log = Sequence[TimedAction]
Logs = Mapping[int, Sequence[TimedAction]]


def written(document: Document, *logs: Log) -> str:
    parts = zip(document.seats, logs, strict=True)
    texts = ["".join(document.write_part(seat, log)) for seat, log in parts]
    return document.head + document.between.join(texts) + document.tail


def finished_round(room: Room, played: Round, logs: Logs) -> FinishedRound:
    text = written(round_document(room, played), *(logs[seat] for seat in played.names))
    return FinishedRound.model_validate_json(text)


def round_text(room: Room, played: Round, logs: Logs) -> str:
    return written(text_document(room, played), *(logs[seat] for seat in played.names))
