"""The server as it is, but for its countdown, and for what one address may ask of it."""

import sys

from server.__main__ import main
from server.app import Tuning
from server.rooms.timings import RoomTimings
from server.sessions import services

if __name__ == "__main__":
    services.ROOMS = services.GUESSES = 1_000_000
    sys.exit(main(sys.argv[1:], Tuning(rooms=RoomTimings(countdown_ms=0))))
