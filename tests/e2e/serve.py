"""The server as it is, but for its chance: every secret deal is the one that tests can win.

That win removes suits by hand, so rooms do too where nothing else is chosen.

`python -m tests.e2e.serve COUNTDOWN_MS [options]`; most tests need not see all of a countdown.
"""

import sys

from protocol.settings import Settings
from server.__main__ import main
from server.rooms import countdown
from server.rooms.events import Entropy
from server.sessions import dispatch
from tests.games.wins import SEED

if __name__ == "__main__":
    countdown_ms, *options = sys.argv[1:]
    countdown.COUNTDOWN_MS = int(countdown_ms)
    Settings.model_fields["auto_remove"].default = False
    vars(dispatch)["draw_entropy"] = lambda: Entropy(SEED, bytes(16))
    sys.exit(main(options))
