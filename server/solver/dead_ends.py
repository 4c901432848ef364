"""The question whether a game can still change, from what its player sees.

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

from protocol.vocabulary import SUIT_SIZE
from server.games.actions import COUNT_MASK, PILE_MASK, SOURCE_SHIFT, TARGET_SHIFT
from server.games.cards import KING, RANK_MASK
from server.games.foundations import accepted_cards
from server.games.game import Game
from server.games.scores import value_of_pair
from server.solver.columns import Column, Columns, pairs_in
from server.solver.positions import list_all
from server.solver.visible_table import UNKNOWN
from server.solver.weights import weights_of

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
