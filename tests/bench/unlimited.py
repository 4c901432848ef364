"""The server as it is, but for its limits: programs play faster than hands."""

import sys

from server.__main__ import main
from server.app import Tuning
from server.sessions.limits import SessionLimits
from server.sessions.rate_limit import Rate
from server.websocket.limits import BURST, WebsocketLimits

LOG_ENTRIES = 1_000_000
MANY = Rate(1_000_000, 1)
UNLIMITED = Tuning(
    sessions=SessionLimits(commands=MANY, rooms=MANY, joins=MANY, log_entries=LOG_ENTRIES),
    websocket=WebsocketLimits(messages=Rate(BURST, 1_000_000)),
)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], UNLIMITED))
