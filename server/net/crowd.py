"""How many are here from each address, so that one of them cannot take all the places."""

import contextlib
import sys
from collections import Counter

from server.sessions.allowances import is_loopback


class Crowd:
    """At most `limit` of one address; any number of loopback, where a proxy nobody named is."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._here: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Counts one in; False, and not counted, if the address has its fill."""
        if self._here[address] >= self._limit and not is_loopback(address):
            return False
        self._here[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Counts out one who was let in."""
        self._here[address] -= 1
        if not self._here[address]:
            del self._here[address]

    def __len__(self) -> int:
        """The number of addresses."""
        return len(self._here)


def make_room() -> None:
    """Lets this process have as many sockets as the system allows; shells give it fewer."""
    if sys.platform != "win32":
        import resource  # noqa: PLC0415  # not to be had on Windows

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != hard:
            with contextlib.suppress(ValueError, OSError):  # then it stays as it is
                resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
