"""The server as it is, but for its limits: programs play faster than hands."""

import sys

from server.__main__ import main
from server.games import game
from server.sessions import handler, services
from server.websocket import limits


def unlimited() -> None:
    """From now on this process takes whatever comes, from wherever."""
    limits.MESSAGES_PER_S = 1_000_000
    game.MAX_LOG_ENTRIES = 1_000_000
    handler.COMMANDS = services.ROOMS = services.JOINS = 1_000_000


if __name__ in {"__main__", "__mp_main__"}:  # a worker is one of these as well
    unlimited()
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
