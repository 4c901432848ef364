"""The verdict of a search on a deal or a position whose hidden cards are known."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from server.games.actions import Action

VerdictKind = Literal["won", "unwinnable", "unknown"]

ShouldStop = Callable[[], bool]
"""A function that a search calls every few thousand positions; the search ends once it is true."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a search found out, and what that cost."""

    kind: VerdictKind
    """`won` with a line, `unwinnable` after an exhaustive search, and `unknown` otherwise."""
    line: tuple[Action, ...]
    """The actions that win from the position on, as the engine takes them; empty unless `won`."""
    children: int
    """The number of positions that were judged."""


def never() -> bool:
    """Return that no search has to stop."""
    return False
