"""The pools of deals in which a win is known, and the search of one seed for them.

A pool names the rules of one game on which a win depends: its layout, and whether cards are dealt
onto empty columns. A degree says how hard a deal was for the solver. It follows from the number of
positions that a search of the untouched deal judges before it wins. This number depends on no
machine, and not on the budget of the search.

The process that computes imports nothing else before it finds a deal: a player may be waiting.
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


def pool_name(game: str, layout: str, *, relaxed: bool) -> str:
    """Return the name of a pool."""
    return f"{game}:{layout}:{'relaxed' if relaxed else 'strict'}"


def searched_rules(game: GameId, layout: Layout, auto_remove: bool, relaxed: bool) -> Rules:  # noqa: FBT001  # settings
    """Return rules for searching a deal: all other rules change no win."""
    return Rules(game, layout, auto_remove, relaxed, undo="off", score=GAMES[game].scores[0])


POOLS: Final[Mapping[str, Rules]] = {
    pool_name(each.id, layout, relaxed=relaxed): searched_rules(
        each.id, layout, "auto_remove" in each.options, relaxed
    )
    for each in GAMES.values()
    for layout in each.layouts
    for relaxed in ((False, True) if "relaxed_deal" in each.options else (False,))
}  # by the name of the pool


DEGREE_LIMITS: Final[Mapping[str, tuple[int, int]]] = {
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
"""The most positions that are judged of an easy and of a middle deal, by its pool. They divide the
won deals of the seeds 0 to 999 into thirds, as `python -m bench.degrees` measures them."""


def degree_of(pool: str, verdict: Verdict) -> Degree:
    """Return how hard a deal of a pool was for the solver.

    `verdict` is that of a search that has won the untouched deal by the rules of the pool, with
    any budget and without a seed of its own.
    """
    assert verdict.kind == "won", "a deal without a known win has no degree"
    return DEGREES[bisect_left(DEGREE_LIMITS[pool], verdict.children)]


def most_children(pool: str, degree: Degree) -> int | None:
    """Return the most positions that are judged of a deal of this degree; None without a limit."""
    return None if degree == "hard" else DEGREE_LIMITS[pool][DEGREES.index(degree)]


@dataclass(frozen=True, slots=True)
class Found:
    """What the search of one seed has found."""

    seed: bytes
    line: tuple[Action, ...] | None
    is_open: bool = False  # whether a longer search may find a win
    is_hopeless: bool = False  # whether no seed of this kind can be searched
    degree: Degree | None = None  # how hard the deal was for the solver, if a win is found


def find_win(name: str, seed: bytes, budget: int, should_stop: ShouldStop) -> Found:
    """Search for a win of a deal of this kind."""
    rules = POOLS[name]
    deck = secret_deck(rules.game, seed)
    try:
        verdict = solve(new_game(rules, deck), budget=budget, should_stop=should_stop)
    except MemoryError:
        return Found(seed, None)
    if verdict.kind == "won":
        return Found(seed, verdict.line, degree=degree_of(name, verdict))
    return Found(seed, None, verdict.kind == "unknown", not verdict.children)
