"""The wire contract of Spider Race: JSON text frames over one websocket.

Models are named for who speaks: `from_client` and `to_client`. What a client says is
parsed once, strictly, in `codec`; nothing behind it ever meets a `dict`.
"""

SUBPROTOCOL = "spider-race.v1"
"""The websocket subprotocol that both sides must agree on."""

SPOKEN = (SUBPROTOCOL,)
"""The versions that the server still speaks, the newest first.

A page that was loaded before a deploy goes on if its version is among them; only others are told
to reload (close code 4501). So a new version stands here beside the one before it, until nobody
has had a page of that one open for a day.
"""

MAX_FRAME_BYTES = 4096
"""A client's frame over this size is answered with close code 1009."""

MAX_IN_FLIGHT = 8
"""How many `act` messages of one seat may be unanswered at a time."""
