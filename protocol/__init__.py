"""The wire contract of Spider Race: JSON text frames over one websocket.

Models are named for who speaks: `from_client` and `to_client`. What a client says is
parsed once, strictly, in `codec`; nothing behind it ever meets a `dict`.
"""

SUBPROTOCOL = "spider-race.v1"
"""The websocket subprotocol that both sides must agree on."""

MAX_FRAME_BYTES = 4096
"""A client's frame over this size is answered with close code 1009."""

MAX_IN_FLIGHT = 8
"""How many `act` messages of one seat may be unanswered at a time."""
