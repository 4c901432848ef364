"""The only module that parses messages of clients, and that serializes models for them."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from protocol.from_client import ClientMessage
from protocol.to_client import ServerMessage

FROM_CLIENT: TypeAdapter[ClientMessage] = TypeAdapter(
    Annotated[ClientMessage, Field(discriminator="type")]
)
TO_CLIENT: TypeAdapter[ServerMessage] = TypeAdapter(
    Annotated[ServerMessage, Field(discriminator="type")]
)


_parse = FROM_CLIENT.validator.validate_json  # the adapter's own method calls only this one
NOT_JSON_ERRORS = {"json_invalid", "string_unicode"}
MAX_WHERE_LENGTH = 64


@dataclass(frozen=True, slots=True)
class BadMessage:
    """A frame that is not a valid message.

    `where` names the first invalid field: `json`, `type`, or a path such as `settings.undo`.
    """

    where: str


def parse(text: str | bytes) -> ClientMessage | BadMessage:
    """Return the message of a frame, or a `BadMessage` that names its first invalid field."""
    try:
        message: ClientMessage = _parse(text, by_alias=True, by_name=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        _tag, *path = first["loc"] or ("",)
        if path:
            # An unknown field's name comes from the sender and can be as long as a frame.
            return BadMessage(".".join(str(part) for part in path)[:MAX_WHERE_LENGTH])
        return BadMessage("json" if first["type"] in NOT_JSON_ERRORS else "type")
    return message


def dump(message: ServerMessage) -> str:
    """Return a message of the server as one line of JSON."""
    return message.model_dump_json()
