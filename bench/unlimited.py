"""The server without its limits, since programs play faster than hands.

Unless the options ask for it, there is no computing process, which would take CPU time.
"""

import sys

from protocol.vocabulary import MESSAGES_AT_ONCE
from server.__main__ import main
from server.app import Tuning
from server.live.quotas import RoomLimits
from server.sessions.limits import Rate, SessionLimits
from server.web.limits import WebsocketLimits

MANY = Rate(1_000_000, 1)
UNLIMITED = Tuning(
    sessions=SessionLimits(commands=MANY, rooms=MANY, joins=MANY),
    limits=RoomLimits(max_log_entries=1_000_000),
    websocket=WebsocketLimits(messages=Rate(MESSAGES_AT_ONCE, 1_000_000)),
)
ALONE = ("--thinkers", "0", "--bots", "0")

if __name__ == "__main__":
    sys.exit(main([*ALONE, *sys.argv[1:]], UNLIMITED))
