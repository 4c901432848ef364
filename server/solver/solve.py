"""Whether a position can be won. Games with columns and Little Spider have separate searches."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from protocol.vocabulary import Outcome
from server.games.actions import FINISH, Action, ActionKind, kind, move, source
from server.games.cards import PileState
from server.games.deals import set_up
from server.games.game import Game
from server.solver.beam import Attempt, Beam, Budget, ShouldStop
from server.solver.columns import COLUMN_WEIGHTS, Columns
from server.solver.exhaustive_search import ExhaustiveSearch
from server.solver.piles import (
    FOUNDATIONS,
    PILE_WEIGHTS,
    PILES,
    PilePosition,
    Piles,
    PileSearch,
    choices_of_red_up,
)

COLUMN_ATTEMPTS: Final = (
    Attempt(10, 0), Attempt(30, 40), Attempt(100, 40), Attempt(100, 80), Attempt(300, 40),
    Attempt(1000, 40), Attempt(3000, 40, pruned=False), Attempt(10000, 80), Attempt(10000, 120),
)  # fmt: skip  # tried in order, until one wins or the budget is spent
PILE_ATTEMPTS: Final = (
    Attempt(30, 0), Attempt(100, 30), Attempt(300, 30), Attempt(1000, 30), Attempt(3000, 30),
)  # fmt: skip  # for Little Spider
MAX_COLUMN_POSITIONS: Final = 2_000_000  # stored by an exhaustive search: 150 bytes each
MAX_IN_STOCK: Final = 24  # do not search exhaustively with more cards in the stock
MAX_PILE_POSITIONS: Final = 200_000  # stored by a search of Little Spider: 500 bytes each

_STOCK: Final = PILES + FOUNDATIONS  # the index of Little Spider's stock

VerdictKind = Literal["won", "unwinnable", "unknown"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a search, and its cost."""

    kind: VerdictKind  # `unwinnable` is proved by an exhaustive search
    line: tuple[Action, ...]  # the actions that win, if `won`
    judged: int  # how many positions were judged


def solve(
    game: Game, *, budget: int, seed: int = 0, should_stop: ShouldStop | None = None
) -> Verdict:
    """Return the verdict on the position of a game, which is not changed.

    About `budget` positions are judged at most. Equal arguments give equal verdicts: all chance
    comes from `seed`. The line continues from this position, without the FINISH that may have
    ended the game.
    """
    if game.outcome is Outcome.WON:
        return Verdict("won", (), 0)
    piles = [game.pile(index) for index in range(len(game.variant.piles))]
    # A game that is over has no legal actions, so search a running one with the same piles.
    running = game if game.outcome is None else set_up(game.rules, piles)
    search = _solve_columns if game.variant.goal == "suits" else _solve_piles
    return search(running, piles, Budget(budget, should_stop), seed)


def _solve_columns(game: Game, piles: Sequence[PileState], budget: Budget, seed: int) -> Verdict:
    """Search a game with columns: by a narrow beam, by wider, noisy ones, then exhaustively."""
    size, relaxed = game.variant.columns, game.rules.relaxed_deal
    columns, deals = piles[:size], deals_of(piles[size], size)
    for number, attempt in enumerate(COLUMN_ATTEMPTS):
        beam = Beam(COLUMN_WEIGHTS, attempt, budget, seed=seed + number, relaxed=relaxed)
        if line := as_played(game, beam.search(columns, deals)):
            return Verdict("won", line, budget.spent)
    if sum(map(len, deals)) > MAX_IN_STOCK:
        return Verdict("unknown", (), budget.spent)
    return exhaust(game, columns, deals, budget)


def exhaust(
    game: Game, columns: Sequence[PileState], deals: Sequence[bytes], budget: Budget
) -> Verdict:
    """Return the verdict of an exhaustive search; `deals` are the cards of each deal left."""
    rules = game.rules
    all_columns = Columns(COLUMN_WEIGHTS, keeps_suits=not rules.auto_remove)
    start, relaxed = all_columns.of(columns), rules.relaxed_deal
    search = ExhaustiveSearch(
        all_columns, start, MAX_COLUMN_POSITIONS, deals, budget=budget, relaxed=relaxed
    )
    # Where players remove suits, this search's actions include the removals, so add none.
    if line := as_played(game, search.search(), removes=False):
        return Verdict("won", line, budget.spent)
    # The search never moves mixed runs, so it proves nothing in a room that allows this.
    is_proved = search.is_exhausted and rules.exceptions == "off"
    return Verdict("unwinnable" if is_proved else "unknown", (), budget.spent)


def _solve_piles(game: Game, piles: Sequence[PileState], budget: Budget, seed: int) -> Verdict:
    """Search a position of Little Spider: once for each colour that may still build up.

    One colour goes home from ace to king, the other from king to ace. The first card home decides.
    """
    columns, foundations, deals = split_piles(piles)
    searches: list[tuple[PileSearch, list[PilePosition]]] = []
    for number, attempt in enumerate(PILE_ATTEMPTS):
        searches = []
        for red_up in choices_of_red_up(foundations):
            all_piles = Piles(PILE_WEIGHTS, red_up=red_up, noise=attempt.noise, seed=seed + number)
            search = PileSearch(all_piles, attempt.width, budget)
            searches.append((search, search.starts(columns, foundations, deals)))
        if all(search.is_lost for search, _ in searches):
            return Verdict("unwinnable", (), budget.spent)
        # The colour with the cheaper best start comes first. One without starts is not searched.
        searches.sort(key=lambda each: each[1][0].cost if each[1] else 0)
        for search, starts in searches:
            if line := as_played(game, search.win_from(starts)):
                return Verdict("won", line, budget.spent)
    for search, starts in searches:
        if line := as_played(game, search.exhaust(starts, MAX_PILE_POSITIONS)):
            return Verdict("won", line, budget.spent)
    is_lost = all(search.is_lost for search, _ in searches)
    return Verdict("unwinnable" if is_lost else "unknown", (), budget.spent)


def deals_of(stock: PileState, size: int) -> list[bytes]:
    """Return the cards of each deal from a stock, in order, with `size` cards in each."""
    cards = bytes(reversed(stock.cards))
    return [cards[at : at + size] for at in range(0, len(cards), size)]


def split_piles(states: Sequence[PileState]) -> tuple[list[bytes], list[bytes], list[bytes]]:
    """Return the cards of Little Spider's piles, of its foundations, and of each deal."""
    cards = [bytes(state.cards) for state in states]
    return cards[:PILES], cards[PILES:_STOCK], deals_of(states[_STOCK], PILES)


def as_played(
    game: Game, actions: Sequence[int] | None, *, removes: bool = True
) -> tuple[Action, ...] | None:
    """Turn a search's actions into a line that is legal by the game's rules and wins.

    Most searches let complete suits leave at once. Where players remove suits themselves, the line
    gets these removals, unless `removes` is false because `actions` include them. The game is not
    changed. Return None if `actions` is None or the log gets too long. Raise IllegalAction if they
    are not legal here.
    """
    if actions is None:
        return None
    game = game.copy()
    start = game.at
    for _ in steps(game, actions, removes=removes):
        pass
    return game.log[start:] if game.outcome is Outcome.WON else None


def steps(game: Game, actions: Sequence[int], *, removes: bool = True) -> Iterator[None]:
    """Play the actions in this game, one per step; stop once the log is full.

    With `removes`, also remove each complete suit at once, since the actions leave that out.
    """
    if removes:
        _remove_suits(game)
    for action in actions:
        if game.at >= game.max_entries:
            return
        game.apply(_with_foundation(game, Action(action)))
        if removes:
            _remove_suits(game)
        yield
    if game.outcome is None and FINISH in game.legal_actions():
        game.apply(FINISH)


def _with_foundation(game: Game, action: Action) -> Action:
    """Return the action. For a move home, choose the foundation, which the search leaves open."""
    if game.variant.goal == "cards" and action not in game.legal_actions():
        homes = [to for to, pile in enumerate(game.variant.piles) if pile.role == "foundation"]
        moves = (move(source(action), 1, to) for to in homes)
        return next((each for each in moves if each in game.legal_actions()), action)
    return action


def _remove_suits(game: Game) -> None:
    """Remove all complete suits that players remove themselves, until the log is full."""
    while game.at < game.max_entries and (
        removals := [each for each in game.legal_actions() if kind(each) is ActionKind.REMOVE]
    ):
        game.apply(removals[0])
