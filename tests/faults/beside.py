"""Whether other rooms were held up while the record of one could not be read.

A room is held up while a player of it waits for an act and nobody in it is answered. Servers that
stop or end, and players who break off, hold one up too, for less than `HELD_UP_S`; the store has
no other fault meanwhile.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tests.faults.notes import Notes
from tests.faults.records import Broken

HELD_UP_S = 5.0
"""Shorter than any record is unreadable, and longer than all else that may hold a room up."""

Wait = tuple[float, float]


@dataclass
class Beside:
    """What became of the other rooms meanwhile; `held_up` must be empty in a sound run.

    `answered` are acts of theirs, `longest_s` is the longest that any of them was held up.
    """

    answered: int = 0
    longest_s: float = 0.0
    held_up: list[str] = field(default_factory=list)


def look_beside(records: Iterable[Broken], notes: Sequence[Notes]) -> Beside:
    """Judge the rooms beside each record, from when it was unreadable to when it was put back."""
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
    """Return the longest time between two answers in which somebody waited for one."""
    answers = sorted(answered for _, answered in waits if answered < until)
    longest = 0.0
    for before, after in pairwise((since, *answers, until)):
        waiting = [asked for asked, answered in waits if asked < after and answered >= after]
        if waiting:
            longest = max(longest, after - max(before, min(waiting)))
    return longest
