"""The server as it is, but for its countdown, and for what one address may ask of it."""

import sys

from server.__main__ import main
from server.app import Tuning
from server.rooms.timings import RoomTimings
from server.sessions.limits import SessionLimits
from server.sessions.rate_limit import Rate

MANY = Rate(1_000_000, 1)
HASTY = Tuning(rooms=RoomTimings(countdown_ms=0), sessions=SessionLimits(rooms=MANY, guesses=MANY))

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], HASTY))
