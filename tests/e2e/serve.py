"""The server as it is, but for its chance: every secret deal is the one that tests can win.

That win removes suits by hand, so rooms do too where nothing else is chosen.

`python -m tests.e2e.serve COUNTDOWN_MS [options]`; most tests need not see all of a countdown.
"""

import sys

from protocol.settings import Settings
from server.__main__ import main
from server.app import Tuning
from server.rooms.timings import RoomTimings
from tests.games.wins import winnable

if __name__ == "__main__":
    countdown_ms, *options = sys.argv[1:]
    rooms = RoomTimings(countdown_ms=int(countdown_ms))
    Settings.model_fields["auto_remove"].default = False
    sys.exit(main(options, Tuning(rooms=rooms, draw_entropy=winnable)))
