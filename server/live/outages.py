"""The log of the times in which the store is away: one sentence each for beginning and end."""

import structlog

from server.store import StoreAway

log = structlog.get_logger()


class Outage:
    """The present outage of the store, if there is one, as one task sees it."""

    def __init__(self) -> None:
        self._reasons: set[str] = set()  # those that are logged

    def goes_on(self, error: StoreAway) -> None:
        """Log that the store is away, once for each reason."""
        why = str(error)
        if why not in self._reasons:
            self._reasons.add(why)
            log.warning("the store is away", why=why)

    def is_over(self) -> None:
        """Log that the store is back, if it was away."""
        if self._reasons:
            self._reasons.clear()
            log.info("the store is back")
