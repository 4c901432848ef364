"""The server with its fencing broken on purpose: `python -m tests.faults.unfenced`.

The name of a log says nothing about its writer, so a replaced holder of a seat can go on writing.
The module only serves to show that the checker notices a missing fence.
"""

import sys

from server.store.keys import Keys

_log = Keys.log


def _log_of_anybody(self: Keys, code: str, n: int, seat: int, writer: int = 0) -> str:  # noqa: ARG001
    return _log(self, code, n, seat)


if __name__ == "__main__":
    Keys.log = _log_of_anybody  # type: ignore[method-assign]
    from server.__main__ import main

    sys.exit(main())
