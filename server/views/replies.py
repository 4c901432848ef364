"""What a socket is answered, and what it is told of itself."""

import json

from protocol import codec
from protocol.from_client import Act, ClientMessage
from protocol.to_client import Error, Joined, Pong, RefusalDetails, Refused, Said
from protocol.to_client import Room as RoomMessage
from protocol.views import RoomView, TableView
from protocol.vocabulary import ErrorCode, Role
from server.rooms.rounds import Clash


def joined_text(seat: int, role: Role, token: str | None, room: RoomView, now: int) -> str:
    """The `joined` message: the seat, and the key to it if it is new."""
    return codec.dump(Joined(seat=seat, role=role, token=token, room=room, now=now))


def room_text(room: RoomView) -> str:
    """The `room` message of a view that is one socket's own."""
    return codec.dump(RoomMessage(room=room))


def error_text(where: str) -> str:
    """The answer to a frame that is no message; `where` names what is wrong with it."""
    return codec.dump(Error(code=ErrorCode.BAD_MESSAGE, where=where))


def pong_text(t: float, now: int, v: int) -> str:
    """The answer to a `ping`."""
    return codec.dump(Pong(t=t, now=now, v=v))


def clash_details(clash: Clash | None) -> RefusalDetails:
    """What is wrong with settings, if that is why a command is refused."""
    if clash is None:
        return RefusalDetails()
    return RefusalDetails(fields=clash.fields, reason=clash.reason)


def refused_text(
    message: ClientMessage,
    code: ErrorCode,
    details: RefusalDetails | None = None,
    at: int | None = None,
    table: TableView | None = None,
) -> str:
    """The refusal of a command; of an act or a hint with the table's entry `at`."""
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
    """The `said` message of a room's event; None for one that this release does not know."""
    try:
        fields = json.loads(event)
        known = {name: fields.get(name) for name in ("seat", "name", "text", "emote")}
        return codec.dump(Said(v=v, **known))
    except (ValueError, AttributeError):
        return None
