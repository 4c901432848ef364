"""The check that no room was held up while the record of another room could not be read.

A room is held up while one of its players waits for an act and no player in it is answered.
Servers that stop or end, and players that disconnect, hold a room up too, for less than
`HELD_UP_S`; the store has no other fault meanwhile.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tests.faults.notes import Notes
from tests.faults.records import Broken

HELD_UP_S = 5.0
"""Time that is shorter than any unreadable record, and longer than any other delay of a room."""

Wait = tuple[float, float]


@dataclass
class Beside:
    """The result for the other rooms; `held_up` must be empty in a correct run.

    `answered` is the number of their acts that were answered, `longest_s` the longest time for
    which one of them was held up.
    """

    answered: int = 0
    longest_s: float = 0.0
    held_up: list[str] = field(default_factory=list)


def check_beside(records: Iterable[Broken], notes: Sequence[Notes]) -> Beside:
    """Check the other rooms from the time each record was broken until it was restored."""
    waits: dict[str, list[Wait]] = defaultdict(list)
    for player in notes:
        waits[player.room] += player.waits
    found = Beside()
    for broken in records:
        for room in sorted(waits.keys() - {broken.room}):
            there = [
                (since, until)
                for since, until in waits[room]
                if since < broken.until and until > broken.since
            ]
            found.answered += sum(until <= broken.until for _, until in there)
            longest = _longest(there, broken.since, broken.until)
            found.longest_s = max(found.longest_s, longest)
            if longest > HELD_UP_S:
                text = f"{room} for {longest:.1f} s, while {broken.room} was unreadable"
                found.held_up.append(text)
    return found


def _longest(waits: list[Wait], since: float, until: float) -> float:
    """Return the longest time between two answers in which a player waited for an answer."""
    answers = sorted(answered for _, answered in waits if answered < until)
    longest = 0.0
    for before, after in pairwise((since, *answers, until)):
        waiting = [sent for sent, answered in waits if sent < after and answered >= after]
        if waiting:
            longest = max(longest, after - max(before, min(waiting)))
    return longest
