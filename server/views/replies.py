"""Replies to one client's commands, and messages for that client only."""

import json
from itertools import groupby
from typing import Final

import segno

from protocol import codec
from protocol.from_client import Act, ClientMessage
from protocol.to_client import CarryCode, Error, Pong, RefusalDetails, Refused, RoomMessage, Said
from protocol.views import RoomView, TableSnapshot
from protocol.vocabulary import ErrorCode, Role
from server.rooms.settings import Clash

MARGIN: Final = 2  # on each side of a QR code, in modules (its little squares)


def joined_text(seat: int, role: Role, token: str | None, view_json: str, now_ms: int) -> str:
    """Return the `joined` message; `token` is None if the client already has its token.

    `view_json` is the room's view, serialized once for all players who return together.
    """
    token_json = "null" if token is None else f'"{token}"'  # its characters need no escapes
    return (
        f'{{"type":"joined","seat":{seat},"role":"{role}","token":{token_json},'
        f'"room":{view_json},"now":{now_ms}}}'
    )


def room_text(room: RoomView) -> str:
    """Return the `room` message with a view that only one client gets."""
    return codec.dump(RoomMessage(room=room))


def qr_code(text: str) -> tuple[str, int]:
    """Return a QR code as the data of an SVG path, and its width and height with the margin."""
    rows, runs = segno.make(text, micro=False).matrix, []
    for y, row in enumerate(rows, MARGIN):
        x = MARGIN
        for is_dark, modules in groupby(row):
            width = len([*modules])
            if is_dark:
                runs.append(f"M{x} {y}h{width}v1h-{width}z")
            x += width
    return "".join(runs), len(rows) + 2 * MARGIN


def carry_code_text(code: str, until: int, link: str) -> str:
    """Return the `carry_code` message for moving a seat, with `link` as a QR code if it is set."""
    qr, size = qr_code(link) if link else ("", 0)
    return codec.dump(CarryCode(code=code, until=until, qr=qr, size=size))


def error_text(where: str) -> str:
    """Return the `error` message for an invalid frame; `where` names the invalid field."""
    return codec.dump(Error(code=ErrorCode.BAD_MESSAGE, where=where))


def pong_text(t: float, now_ms: int, v: int) -> str:
    """Return the reply to a `ping`: its `t`, and the number `v` of the room's latest event."""
    return codec.dump(Pong(t=t, now=now_ms, v=v))


def clash_details(clash: Clash | None) -> RefusalDetails:
    """Return the refusal's details about settings that clash; they are empty if none do."""
    if clash is None:
        return RefusalDetails()
    return RefusalDetails(fields=clash.fields, reason=clash.reason)


def refused_text(
    message: ClientMessage,
    code: ErrorCode,
    details: RefusalDetails | None = None,
    at: int | None = None,
    table: TableSnapshot | None = None,
) -> str:
    """Return a refusal; `at` is the log's length, `table` replaces the client's wrong table."""
    refused = Refused(
        command=message.type,
        code=code,
        details=details or RefusalDetails(),
        id=message.id if isinstance(message, Act) else None,
        at=at,
        table=table,
    )
    return codec.dump(refused)


def said_text(v: int, event: str) -> str | None:
    """Return the `said` message for a stored event; None if this release cannot read it."""
    try:
        fields = json.loads(event)
        values = {name: fields.get(name) for name in ("seat", "name", "text", "emote")}
        return codec.dump(Said(v=v, **values))
    except (ValueError, AttributeError):
        return None
