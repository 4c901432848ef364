"""The server with room codes of ten characters: `python -m tests.faults.with_before`.

The release before this one does not read the shorter codes of this release. Rooms that both are to
serve need codes that both read.
"""

import sys

from protocol.vocabulary import CODE_LENGTHS
from server.live import entropy

entropy.CODE_LENGTH = CODE_LENGTHS[-1]  # type: ignore[attr-defined]  # its name there is imported

if __name__ == "__main__":
    from server.__main__ import main

    sys.exit(main())
