from typing import Protocol


class LogRecord(Protocol):
    """One entry of a seat's log, as the store gives it back."""

    @property
    def action(self) -> int:
        """The action, in sixteen bits."""

    @property
    def ms(self) -> int:
        """When it was done, in milliseconds since t0."""
