"""The search for Little Spider, once for each colour that may build up."""

from collections.abc import Sequence
from typing import Final

from server.games.actions import Action
from server.games.cards import PileState
from server.games.deals import set_up
from server.games.foundations import SLOTS
from server.games.game import Game
from server.solver.budgets import Budget
from server.solver.lines import as_played
from server.solver.pile_search import PILES, PileAttempt, PilePosition, PileSearch
from server.solver.piles import Piles
from server.solver.verdicts import ShouldStop, Verdict
from server.solver.weights import PILE_WEIGHTS

_STOCK: Final = PILES + SLOTS

ATTEMPTS: Final = (
    PileAttempt(30, 0),
    PileAttempt(100, 30),
    PileAttempt(300, 30),
    PileAttempt(1000, 30),
    PileAttempt(3000, 30),
)
MOST_POSITIONS: Final = 200_000
"""The positions without a stock that an exhaustive search stores, of about 500 bytes each."""


def solve_little_spider(game: Game, *, budget: int, seed: int, should_stop: ShouldStop) -> Verdict:
    """Return the verdict on a position of Little Spider, all of whose cards are known."""
    piles = [game.pile(index) for index in range(len(game.variant.piles))]
    running = game if game.outcome is None else set_up(game.rules, piles)
    children = Budget(budget, should_stop)
    searches: list[tuple[PileSearch, list[PilePosition]]] = []
    for number, attempt in enumerate(ATTEMPTS):
        searches = []
        for red_up in (False, True):
            table = Piles(PILE_WEIGHTS, red_up=red_up, noise=attempt.noise, seed=seed + number)
            search = PileSearch(table, attempt.width, children, red_up=red_up)
            searches.append((search, search.starts(*split_piles(piles))))
        if all(search.is_lost for search, _ in searches):
            return Verdict("unwinnable", (), children.spent)
        searches.sort(key=lambda each: each[1][0].cost if each[1] else 0)
        for search, starts in searches:
            if not children.is_left():
                return Verdict("unknown", (), children.spent)
            line = _line(running, search.finish(starts))
            if line is not None:
                return Verdict("won", line, children.spent)
    for search, starts in searches:
        line = _line(running, search.exhaust(starts, MOST_POSITIONS))
        if line is not None:
            return Verdict("won", line, children.spent)
    is_lost = all(search.is_lost for search, _ in searches)
    return Verdict("unwinnable" if is_lost else "unknown", (), children.spent)


def _line(game: Game, actions: list[int] | None) -> tuple[Action, ...] | None:
    return None if actions is None else as_played(game, actions)


def split_piles(
    piles: Sequence[PileState],
) -> tuple[list[bytes], list[bytes], list[bytes]]:
    """Return the piles, the foundations, and the cards of each deal, the next one first."""
    cards = [bytes(pile.cards) for pile in piles]
    stock = bytes(reversed(cards[_STOCK]))
    deals = [stock[at : at + PILES] for at in range(0, len(stock), PILES)]
    return cards[:PILES], cards[PILES:_STOCK], deals
