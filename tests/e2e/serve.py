"""The server as it is, but for its chance: every secret deal comes from one seed.

`python -m tests.e2e.serve SEED_HEX [options]`; for tests that must know how a deal is won.
"""

import sys

from server.__main__ import main
from server.rooms.events import Chance
from server.sessions import dispatch


def fixed(seed: bytes) -> None:
    """From now on every round of this process is dealt from `seed`."""
    vars(dispatch)["draw_chance"] = lambda: Chance(seed, bytes(16))


if __name__ == "__main__":
    fixed(bytes.fromhex(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
