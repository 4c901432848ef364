"""The server without its limits, since programs play faster than hands.

Unless the options ask for it, there is no computing process, which would take CPU time.
"""

import sys

from protocol.vocabulary import MESSAGES_AT_ONCE
from server.__main__ import main
from server.app import Tuning
from server.sessions.limits import Rate, SessionLimits
from server.web.limits import WebsocketLimits

LOG_ENTRIES = 1_000_000
MANY = Rate(1_000_000, 1)
UNLIMITED = Tuning(
    sessions=SessionLimits(commands=MANY, rooms=MANY, joins=MANY),
    max_log_entries=LOG_ENTRIES,
    websocket=WebsocketLimits(messages=Rate(MESSAGES_AT_ONCE, 1_000_000)),
)
ALONE = ("--thinkers", "0", "--bots", "0")

if __name__ == "__main__":
    sys.exit(main([*ALONE, *sys.argv[1:]], UNLIMITED))
