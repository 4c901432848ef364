"""The messages of a program: checked before they are sent, and safe to be sent again."""

import secrets
from typing import TypeVar

from pydantic import ValidationError

from protocol.base import Model
from protocol.from_client import Create, Join, Resume
from spider_race_client.errors import BadRequest

Message = TypeVar("Message", bound=Model)
FirstMessage = Create | Join | Resume
"""The messages that take a seat."""


def request(kind: type[Message], /, **fields: object) -> Message:
    """Return a message with these fields.

    Raises:
        BadRequest: the protocol has no such field, or not this value of it.
    """
    try:
        return kind.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise BadRequest(kind.model_fields["type"].default, where, first["msg"]) from error


def with_attempt(message: Message) -> Message:
    """Return a message that is done once, however often it is sent: with the id of an attempt.

    Messages of other types, and those that have an id already, stay as they are.
    """
    if getattr(message, "attempt", None) != "":
        return message
    return message.model_copy(update={"attempt": secrets.token_urlsafe(24)})
