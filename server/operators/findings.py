"""What the doctor finds, and the sentences with which an operator mends it."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple


class State(StrEnum):
    """The state of one thing, the best first."""

    OK = "ok"
    WARNING = "warning"
    BAD = "bad"


class Finding(NamedTuple):
    """The state of one thing; `mend` is one sentence, empty where nothing is to be done."""

    what: str
    state: State
    found: str
    mend: str = ""


def ok(what: str, found: str) -> Finding:
    """Return a thing that is in order."""
    return Finding(what, State.OK, found)


def warning(what: str, found: str, mend: str) -> Finding:
    """Return a thing that works, but not under all circumstances."""
    return Finding(what, State.WARNING, found, mend)


def bad(what: str, found: str, mend: str) -> Finding:
    """Return a thing with which the server does not work, or rooms may be lost."""
    return Finding(what, State.BAD, found, mend)


def exit_code(findings: Iterable[Finding]) -> int:
    """Return the exit code of the worst: 0 for ok, 1 for a warning, 2 for bad."""
    order = list(State)
    return max((order.index(finding.state) for finding in findings), default=0)
