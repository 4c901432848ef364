"""The server as it is, but for its chance: every secret deal is the one that tests can win.

That win removes suits by hand, so rooms do too where nothing else is chosen.

`python -m tests.e2e.serve COUNTDOWN_MS [options]`; most tests need not see all of a countdown, nor
wait until a player who gives up can no longer take it back.
"""

import sys

from protocol.settings import Settings
from server.__main__ import main
from server.app import Tuning
from server.rooms.events import COUNTDOWN_MS, FORFEIT_HOLD_MS, RoomTimings
from tests.games.wins import winnable

SHORT_HOLD_MS = 300

if __name__ == "__main__":
    countdown_ms, *options = sys.argv[1:]
    is_short = int(countdown_ms) < COUNTDOWN_MS
    hold_ms = SHORT_HOLD_MS if is_short else FORFEIT_HOLD_MS
    rooms = RoomTimings(countdown_ms=int(countdown_ms), forfeit_hold_ms=hold_ms)
    Settings.model_fields["auto_remove"].default = False
    sys.exit(main(options, Tuning(rooms=rooms, draw_entropy=winnable)))
