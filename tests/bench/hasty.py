"""The server as it is, but for its countdown, and for what one address may ask of it."""

import sys

from server.__main__ import main
from server.rooms import countdown
from server.sessions import services

if __name__ == "__main__":
    countdown.COUNTDOWN_MS = 0
    services.ROOMS = services.GUESSES = 1_000_000
    sys.exit(main(sys.argv[1:]))
