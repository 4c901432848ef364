"""The log of the times in which the store is away: one sentence each for beginning and end."""

import structlog

from server.store import StoreAway

log = structlog.get_logger()


class OutageLog:
    """The log of the outages of the store that one task notices."""

    def __init__(self) -> None:
        self._reasons: set[str] = set()  # those that are logged

    def log_away(self, error: StoreAway) -> None:
        """Log that the store is away, once for each reason."""
        why = str(error)
        if why not in self._reasons:
            self._reasons.add(why)
            log.warning("the store is away", why=why)

    def log_back(self) -> None:
        """Log that the store is back, if it was away."""
        if self._reasons:
            self._reasons.clear()
            log.info("the store is back")
