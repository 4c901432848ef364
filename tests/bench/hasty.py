"""The server as it is, but for its countdown: thousands of races begin at once."""

import sys

from server.__main__ import main
from server.rooms import room
from server.sessions import services

if __name__ == "__main__":
    room.COUNTDOWN_MS = 0
    services.GUESSES = 1_000_000  # codes of rooms that have closed since
    sys.exit(main(sys.argv[1:]))
