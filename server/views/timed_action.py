from typing import Protocol


class TimedAction(Protocol):
    """One entry of a seat's log, as the store returns it."""

    @property
    def action(self) -> int:
        """The action, in sixteen bits."""

    @property
    def ms(self) -> int:
        """The time of the action, in milliseconds since t0."""
