"""The wait for a command of a connection, whose own module has no coroutines."""

from collections.abc import Coroutine, Mapping
from typing import Any, Protocol

import structlog

from protocol.vocabulary import CloseCode

log = structlog.get_logger()


class CommandObserver(Protocol):
    """The connection whose command is awaited."""

    @property
    def log_context(self) -> Mapping[str, str | int | None]:
        """Return the peer's room and seat, for log events."""

    def close(self, code: CloseCode) -> None:
        """Close the socket."""

    def command_ended(self) -> None:
        """Handle that the command has ended, whatever came of it."""


async def await_command(command: Coroutine[Any, Any, None], observer: CommandObserver) -> None:
    """Await a command; one that fails closes the socket."""
    try:
        await command
    except Exception:
        log.exception("session failed", **observer.log_context)
        observer.close(CloseCode.INTERNAL_ERROR)
    observer.command_ended()
