"""How a game will end, from what its player sees: as good as won, or dead.

**As good as won** (`EndingSearch`):

1. Nothing is searched while a card lies face down or is left in the stock. So the line shows
   nothing that its player does not see.
2. The beams are so narrow that they win only what is as good as won: most such games of Spider,
   and of Little Spider only those in which every card can go home at once.

**Dead** (`DeadEndSearch`):

1. Every legal move is made, and every move after it, until a card turns up, cards can be dealt, a
   suit is complete or a card can go home. Then the question is open. So no card that its player
   does not see has any effect.
2. Where that search ends without any of these, the game is dead: its moves lead round and round.
   Only pairs can still add to the score, and the search knows how much at most.
3. It does not matter in which order the columns lie, as no card is dealt to them.
4. A search that comes to too many positions ends without a result.
"""

from collections.abc import Iterator
from typing import Final

from protocol.vocabulary import SUIT_SIZE, Outcome
from server.games.actions import (
    COUNT_MASK,
    NOT_A_MOVE,
    PILE_MASK,
    SOURCE_SHIFT,
    TARGET_SHIFT,
    Action,
    target,
)
from server.games.cards import KING, RANK_MASK
from server.games.foundations import accepted_cards
from server.games.game import Game
from server.games.scores import value_of_pair
from server.solver.beam import Attempt, Beam, Budget, never
from server.solver.columns import Column, Columns, list_all, pairs_in, weights_of
from server.solver.plans import UNKNOWN
from server.solver.solve import as_played

ATTEMPTS: Final = (Attempt(1, 0, True), Attempt(3, 0, True), Attempt(5, 0, True))
"""The beams, in order, until one wins."""
CHILDREN: Final = 1_000
"""The positions that each of them judges at most: two or three milliseconds in pure Python."""


class EndingSearch:
    """The search from one position of a game, which stays as it is."""

    def __init__(self, game: Game) -> None:
        self.line: tuple[Action, ...] = ()
        """The actions that win, once all steps are taken; empty if none were found."""
        self._game = game

    def steps(self) -> Iterator[None]:
        """Search; one beam goes over the table in each step."""
        game = self._game
        counts = game.counts
        if game.outcome is not None or counts.face_down or counts.stock:
            return
        if game.variant.goal == "cards":
            self.line = _way_home(game)
            return
        weights = weights_of(game.variant.id)
        piles = [game.pile(place) for place in range(game.variant.columns)]
        for attempt in ATTEMPTS:
            beam = Beam(weights, attempt, Budget(CHILDREN, never), seed=0, relaxed=False)
            actions = beam.search(piles, [])
            if actions is not None:
                self.line = as_played(game, actions) or ()
                return
            yield


def _way_home(game: Game) -> tuple[Action, ...]:
    """Return the moves to the foundations, if they are all that is left to do."""
    game, start = game.copy(), game.at
    piles = game.variant.piles
    while game.outcome is None:
        home = [
            action
            for action in game.legal_actions()
            if action < NOT_A_MOVE and piles[target(action)].role == "foundation"
        ]
        if not home:
            return ()
        game.apply(home[0])
    return game.log[start:] if game.outcome is Outcome.WON else ()


MOST_POSITIONS: Final = 2_000
"""The positions that are looked at: twenty milliseconds in pure Python, in steps."""


class DeadEndSearch:
    """The search from one position of a game, which stays as it is."""

    def __init__(self, game: Game, most_positions: int = MOST_POSITIONS) -> None:
        self.is_dead = False
        """Whether the game is known to be dead, once all steps are taken."""
        self.gain = 0
        """The points that moves can still add to the score of a dead game, at most."""
        self._game = game
        self._most_positions = most_positions

    def steps(self) -> Iterator[None]:
        """Search; one position is looked at in each step."""
        game = self._game
        # Moves of mixed runs are not searched.
        if game.outcome is not None or game.rules.exceptions != "off":
            return iter(())
        return self._over_piles() if game.variant.goal == "cards" else self._over_columns()

    # Spider and Spiderette.

    def _over_columns(self) -> Iterator[None]:
        """Look at the positions of a game with columns until one leaves the question open."""
        game = self._game
        table = Columns(weights_of(game.variant.id)[0], keeps_suits=True)
        piles = [game.pile(place) for place in range(game.variant.columns)]
        start = [
            table.column(bytes((UNKNOWN,)) * pile.down + bytes(pile.cards[pile.down :]), pile.down)
            for pile in piles
        ]
        stock, relaxed = game.counts.stock, game.rules.relaxed_deal
        known = {_key(start)}
        left = [start]
        pairs_at_first = most_pairs = pairs_in(start)
        for columns in left:
            # RULES 3: fewer cards than columns are not dealt to. They always leave a space.
            most_pairs = max(most_pairs, pairs_in(columns))
            if _has_suit(columns) or (stock and (relaxed or not _has_space(columns))):
                return
            for move in list_all(columns):
                after = _after(table, columns, move)
                if after is None:
                    return
                key = _key(after)
                if key not in known:
                    known.add(key)
                    left.append(after)
            if len(known) > self._most_positions:
                return
            yield
        self.is_dead = True
        self.gain = (most_pairs - pairs_at_first) * value_of_pair(game.rules.score)

    # Little Spider.

    def _over_piles(self) -> Iterator[None]:
        """Look at the positions of a game with single cards until one leaves the question open."""
        game = self._game
        piles = [bytearray(game.pile(place).cards) for place in range(len(game.variant.piles))]
        roles = [pile.role for pile in game.variant.piles]
        homes = [pile for pile, role in zip(piles, roles, strict=True) if role == "foundation"]
        wanted = {card for cards in accepted_cards(homes) for card in cards}
        start = tuple(
            bytes(pile)
            for pile, role in zip(piles, roles, strict=True)
            if role == "tableau" and pile
        )
        if game.counts.stock:
            return
        known = {tuple(sorted(start))}
        left = [start]
        for tops in left:
            if any(pile[-1] in wanted for pile in tops):
                return
            for after in _moved(tops):
                key = tuple(sorted(after))
                if key not in known:
                    known.add(key)
                    left.append(key)
            if len(known) > self._most_positions:
                return
            yield
        self.is_dead = True


def _key(columns: list[Column]) -> tuple[int, ...]:
    numbers = [column.number for column in columns]
    numbers.sort()
    return tuple(numbers)


def _has_suit(columns: list[Column]) -> bool:
    return any(column.run == SUIT_SIZE for column in columns)


def _has_space(columns: list[Column]) -> bool:
    return any(not column.size for column in columns)


def _after(table: Columns, columns: list[Column], move: int) -> list[Column] | None:
    """Return the columns after a move; None if it turns a card up."""
    here = move >> SOURCE_SHIFT & PILE_MASK
    to = move >> TARGET_SHIFT
    n = move & COUNT_MASK
    source, target = columns[here], columns[to]
    rest = table.without(source, n)
    if rest.size and rest.cards[-1] == UNKNOWN:
        return None
    after = columns.copy()
    after[here] = rest
    after[to] = table.with_run(target, source.head - source.run + n, n)
    return after


def _moved(piles: tuple[bytes, ...]) -> Iterator[tuple[bytes, ...]]:
    """Yield the piles after each move between two (RULES, Little Spider 4)."""
    for here, pile in enumerate(piles):
        for to, onto in enumerate(piles):
            apart = abs((pile[-1] & RANK_MASK) - (onto[-1] & RANK_MASK))
            if here != to and apart in {1, KING - 1}:
                after = list(piles)
                after[here], after[to] = pile[:-1], onto + pile[-1:]
                yield tuple(each for each in after if each)
