"""Spider on few columns: a slow reference of RULES 1 to 4 and 6, for positions of any width.

It shares no code with the solver or the engine. A column is the number of its face-down cards
and its cards, bottom to top.
"""

from collections.abc import Iterator
from dataclasses import dataclass

Column = tuple[int, tuple[int, ...]]
SUIT = 13


@dataclass(frozen=True)
class Small:
    """A position: columns, and the cards of the deals that are left."""

    columns: tuple[Column, ...]
    deals: tuple[tuple[int, ...], ...]

    def name(self) -> "Small":
        """Return the same position with the columns sorted whose order affects no deal."""
        first = max(map(len, self.deals), default=0)
        return Small(self.columns[:first] + tuple(sorted(self.columns[first:])), self.deals)


@dataclass(frozen=True)
class SmallRules:
    """The rules that the solver gets besides the position."""

    auto_remove: bool
    relaxed: bool


Step = tuple[str, int, int, int]
"""`move` with source, number and target; `remove` with the column; `deal`."""


def steps(at: Small, rules: SmallRules) -> Iterator[tuple[Step, Small]]:
    """Yield each legal action with the position after it."""
    for here, (down, cards) in enumerate(at.columns):
        length = run_length(down, cards)
        if length == SUIT and not rules.auto_remove:
            yield ("remove", here, 0, 0), changed(at, {here: (down, cards[:-SUIT])})
        for n in range(1, length + 1):
            for to, (down_there, onto) in enumerate(at.columns):
                if here != to and (not onto or rank(onto[-1]) == rank(cards[-n]) + 1):
                    after = {here: (down, cards[:-n]), to: (down_there, onto + cards[-n:])}
                    yield ("move", here, n, to), swept(changed(at, after), rules)
    on_table = sum(len(cards) for _, cards in at.columns)
    has_space = any(not cards for _, cards in at.columns)
    if at.deals and (rules.relaxed or not (has_space or on_table < len(at.columns))):
        pairs = enumerate(zip(at.columns, at.deals[0], strict=False))
        after = {place: (down, (*cards, card)) for place, ((down, cards), card) in pairs}
        dealt = changed(Small(at.columns, at.deals[1:]), after)
        yield ("deal", 0, 0, 0), swept(dealt, rules)


def is_won(at: Small) -> bool:
    """Return whether nothing is left but complete suits."""
    complete = all(
        not cards or len(cards) == run_length(down, cards) == SUIT for down, cards in at.columns
    )
    return not at.deals and complete


def swept(at: Small, rules: SmallRules) -> Small:
    """Return the position without the complete suits at the ends of columns, if they leave."""
    if rules.auto_remove:
        for place, (down, cards) in enumerate(at.columns):
            if run_length(down, cards) == SUIT:
                return swept(changed(at, {place: (down, cards[:-SUIT])}), rules)
    return at


def changed(at: Small, after: dict[int, Column]) -> Small:
    """Return the position with other columns, whose last cards turn up."""
    columns = list(at.columns)
    for place, (down, cards) in after.items():
        columns[place] = (down - 1 if down and down == len(cards) else down, cards)
    return Small(tuple(columns), at.deals)


def run_length(down: int, cards: tuple[int, ...]) -> int:
    """Return the length of the run of one suit at the end of a column."""
    length = min(1, len(cards) - down)
    while 0 < length < len(cards) - down and cards[-length - 1] == cards[-length] + 1:
        length += 1
    return length


def rank(card: int) -> int:
    """Return 1 for an ace to 13 for a king."""
    return card % 16
