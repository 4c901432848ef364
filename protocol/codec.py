"""The only module that parses messages from clients and writes messages to them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import to_json

from protocol.from_client import ClientMessage
from protocol.settings import Settings
from protocol.to_client import ServerMessage

_BY_TYPE = Field(discriminator="type")
FROM_CLIENT: TypeAdapter[ClientMessage] = TypeAdapter(Annotated[ClientMessage, _BY_TYPE])
TO_CLIENT: TypeAdapter[ServerMessage] = TypeAdapter(Annotated[ServerMessage, _BY_TYPE])

_parse = FROM_CLIENT.validator.validate_json  # the adapter's own method calls only this one
NOT_JSON_ERRORS = {"json_invalid", "string_unicode"}
MAX_WHERE_LENGTH = 64
LONG: Final = 512  # frames longer than this have their parts counted
# The most strings in a frame, and the most commas and brackets; all settings need half as many.
# Otherwise errors could cost too much: each unknown field makes one, with a copy of its value.
MAX_PARTS: Final = 4 * len(Settings.model_fields)
WHITESPACE: Final = b" \t\r\n"  # costs the JSON parser next to nothing


@dataclass(frozen=True, slots=True)
class BadMessage:
    """A frame that is not a valid message."""

    where: str  # the first invalid field, such as `settings.undo`, or a word of `Error`


def parse(text: str | bytes) -> ClientMessage | BadMessage:
    """Return the message of a frame, or a `BadMessage` that names its first invalid field."""
    if len(text) > LONG and _has_too_many_parts(text):  # its errors could cost too much
        return BadMessage("parts")
    try:
        message: ClientMessage = _parse(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        path = first["loc"][1:]  # after the type of the message
        if path:
            # An unknown field's name comes from the sender and can be as long as a frame.
            return BadMessage(".".join(str(part) for part in path)[:MAX_WHERE_LENGTH])
        return BadMessage("json" if first["type"] in NOT_JSON_ERRORS else "type")
    return message


def _has_too_many_parts(text: str | bytes) -> bool:
    """Return whether a frame has more strings, commas, brackets or digits than any message."""
    written = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    # Once escaped quotes are removed, every quote starts or ends a string.
    pieces = written.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"', 2 * MAX_PARTS + 1)
    if len(pieces) > 2 * MAX_PARTS + 1:
        return True
    outside = b"".join(pieces[::2]).translate(None, WHITESPACE)
    if len(outside) > LONG:  # a huge number: nothing else outside strings is long
        return True
    return outside.count(b",") + outside.count(b"[") + outside.count(b"{") > MAX_PARTS


def dump_fields(fields: Mapping[str, object]) -> str:
    """Return the fields of a valid model as JSON, without the cost of making the model.

    Use it only for parts that documents have by the hundred thousand, such as entries of logs.
    """
    return to_json(fields).decode()


def dump(message: ServerMessage) -> str:
    """Return a message of the server as one line of JSON."""
    return message.model_dump_json()
