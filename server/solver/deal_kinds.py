"""The kinds of deals, how hard a deal is, and the search of one deal for a win.

Deals are of one kind if the same rules decide whether they can be won: the game, its layout, and
whether cards may be dealt onto empty columns. The degree of a deal says how hard it was for the
solver: how many positions a search of the untouched deal judges before it wins. This number is the
same on every machine and with every budget.

The computing process imports only this module before its first search, to start it quickly.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from protocol.games import GAMES, GameId
from protocol.vocabulary import DEGREES, Degree, Layout
from server.games.actions import Action
from server.games.deals import new_game, secret_deck
from server.games.rules import Rules
from server.solver.beam import ShouldStop
from server.solver.solve import Verdict, solve

DealKind = str  # the name of a kind, such as "spider-4:left4:strict"


def kind_name(game: str, layout: str, *, relaxed: bool) -> DealKind:
    """Return the kind of deal of these rules; `relaxed`: cards may be dealt onto empty columns."""
    return f"{game}:{layout}:{'relaxed' if relaxed else 'strict'}"


def searched_rules(game: GameId, layout: Layout, auto_remove: bool, relaxed: bool) -> Rules:  # noqa: FBT001  # settings
    """Return the rules for searching a deal. No other rule affects whether it can be won."""
    return Rules(game, layout, auto_remove, relaxed, undo="off", score=GAMES[game].scores[0])


DEAL_KINDS: Final[Mapping[DealKind, Rules]] = {
    kind_name(each.id, layout, relaxed=relaxed): searched_rules(
        each.id, layout, "auto_remove" in each.options, relaxed
    )
    for each in GAMES.values()
    for layout in each.layouts
    for relaxed in ((False, True) if "relaxed_deal" in each.options else (False,))
}  # all kinds, with the rules for searching their deals


DEGREE_LIMITS: Final[Mapping[DealKind, tuple[int, int]]] = {
    "spider-4:left4:strict": (37_646, 71_505),
    "spider-4:left4:relaxed": (34_007, 58_814),
    "spider-4:spread:strict": (38_904, 70_623),
    "spider-4:spread:relaxed": (37_020, 59_767),
    "spider-2:left4:strict": (11_445, 15_549),
    "spider-2:left4:relaxed": (9_143, 10_956),
    "spider-2:spread:strict": (11_847, 15_964),
    "spider-2:spread:relaxed": (9_208, 11_179),
    "spider-1:left4:strict": (10_933, 13_052),
    "spider-1:left4:relaxed": (6_842, 7_470),
    "spider-1:spread:strict": (10_864, 13_055),
    "spider-1:spread:relaxed": (6_855, 7_512),
    "spiderette-4:left4:strict": (11_303, 41_043),
    "spiderette-4:left4:relaxed": (9_925, 36_175),
    "spiderette-2:left4:strict": (4_092, 6_012),
    "spiderette-2:left4:relaxed": (2_592, 3_411),
    "spiderette-1:left4:strict": (3_530, 4_428),
    "spiderette-1:left4:relaxed": (2_025, 2_289),
    "little-spider:left4:strict": (16_148, 21_000),
}
"""By kind: the most positions judged to win a deal that counts as easy, and as middle.

These limits split the won deals of the seeds 0 to 999 into thirds. `python -m bench.degrees`
measures them.
"""


def degree_of(kind: DealKind, verdict: Verdict) -> Degree:
    """Return how hard a deal of this kind was for the solver.

    `verdict` must come from a search that won the untouched deal with the default seed, within
    any budget.
    """
    assert verdict.kind == "won", "a deal without a known win has no degree"
    return DEGREES[bisect_left(DEGREE_LIMITS[kind], verdict.judged)]


def max_judged(kind: DealKind, degree: Degree) -> int | None:
    """Return how many positions a search needs at most to win such a deal; None if unlimited."""
    return None if degree == "hard" else DEGREE_LIMITS[kind][DEGREES.index(degree)]


@dataclass(frozen=True, slots=True)
class Found:
    """The result of searching the deal of one seed."""

    seed: bytes
    line: tuple[Action, ...] | None  # the actions that win; None if none were found
    is_open: bool = False  # whether a longer search may find a win
    is_unsearched: bool = False  # whether the search has judged nothing
    degree: Degree | None = None  # None if no win was found


def find_win(kind: DealKind, seed: bytes, budget: int, should_stop: ShouldStop) -> Found:
    """Search the deal of this kind and seed for a win, judging at most `budget` positions."""
    rules = DEAL_KINDS[kind]
    deck = secret_deck(rules.game, seed)
    try:
        verdict = solve(new_game(rules, deck), budget=budget, should_stop=should_stop)
    except MemoryError:
        return Found(seed, None)
    if verdict.kind == "won":
        return Found(seed, verdict.line, degree=degree_of(kind, verdict))
    return Found(seed, None, is_open=verdict.kind == "unknown", is_unsearched=not verdict.judged)
