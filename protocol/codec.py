"""The edge: text in, models out, and back. Nothing else parses or prints JSON of the wire."""

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


NOT_JSON = {"json_invalid", "string_unicode"}
LONGEST_WHERE = 64


@dataclass(frozen=True, slots=True)
class BadMessage:
    """A frame that is no message of ours.

    `where` names the first field that is wrong: `json`, `type`, or a path such as `action.count`.
    """

    where: str


def parse(text: str | bytes) -> ClientMessage | BadMessage:
    """What a client said, or which field of it cannot be understood."""
    try:
        return FROM_CLIENT.validate_json(text, by_alias=True, by_name=False)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        _tag, *path = first["loc"] or ("",)
        if path:
            # The name of an unknown field is the sender's own, and may be as long as a frame.
            return BadMessage(".".join(str(part) for part in path)[:LONGEST_WHERE])
        return BadMessage("json" if first["type"] in NOT_JSON else "type")


def dump(message: ServerMessage) -> str:
    """A server's message as one line of JSON."""
    return message.model_dump_json()
