"""Whether a game is as good as won, or dead, judged from what its player sees.

**As good as won** (`EndingSearch`):

1. The search starts only when the stock is empty and no card lies face down. So its line gives
   no secret away.
2. The beams are narrow, so they win only games that are as good as won, and miss a few of these.
   In Little Spider, a game is as good as won if all cards can go home without other moves.

**Dead** (`DeadEndSearch`):

1. The search tries every legal move, and every move after it, until a card turns up, cards can be
   dealt, a suit is complete or a card can go home. Then the question stays open. So cards that the
   player does not see have no effect.
2. If none of these can be reached, the game is dead: its moves go round in circles. Only pairs can
   still add to the score, and the search finds out how much at most.
3. The order of columns does not matter, since no card is dealt to them. Apart from that no two
   positions share a key, so a game that is called dead really is.
4. A search that reaches too many positions ends without a result.
"""

from collections.abc import Iterator
from typing import Final

from protocol.vocabulary import Outcome
from server.games.actions import NOT_A_MOVE, Action, target
from server.games.game import Game
from server.games.scores import value_of_pair
from server.solver.beam import Attempt, Beam, Budget
from server.solver.columns import COLUMN_WEIGHTS, Columns, pairs_in, size_of
from server.solver.plans import GainSearch, UncoveringSearch, VisibleColumn, position_of
from server.solver.solve import as_played, split_piles

ATTEMPTS: Final = (Attempt(1, 0), Attempt(3, 0), Attempt(5, 0))  # in order, until one wins
BUDGET: Final = 1_000  # how many positions each of them may judge: 2 or 3 ms in Python


class EndingSearch:
    """The search for a win from a game's position. It does not change the game."""

    def __init__(self, game: Game) -> None:
        self.line: tuple[Action, ...] = ()  # the actions that win, after all steps
        self._game = game

    def steps(self) -> Iterator[None]:
        """Search for `line`; each step is one beam."""
        game = self._game
        counts = game.counts
        if game.outcome is not None or counts.face_down or counts.stock:
            return
        if game.variant.goal == "cards":
            self.line = _way_home(game)
            return
        piles = [game.pile(index) for index in range(game.variant.columns)]
        for attempt in ATTEMPTS:
            beam = Beam(COLUMN_WEIGHTS, attempt, Budget(BUDGET), seed=0, relaxed=False)
            if (actions := beam.search(piles, [])) is not None:
                self.line = as_played(game, actions) or ()
                return
            yield


def _way_home(game: Game) -> tuple[Action, ...]:
    """Return moves to the foundations if they alone win, otherwise ()."""
    game, start = game.copy(), game.at
    homes = [to for to, pile in enumerate(game.variant.piles) if pile.role == "foundation"]
    while moves := [
        each for each in game.legal_actions() if each < NOT_A_MOVE and target(each) in homes
    ]:
        game.apply(moves[0])
    return game.log[start:] if game.outcome is Outcome.WON else ()


MAX_POSITIONS: Final = 2_000  # in a search for a dead end: 20 ms in pure Python


class DeadEndSearch:
    """The search for any progress from a game's position. It does not change the game."""

    def __init__(self, game: Game, max_positions: int = MAX_POSITIONS) -> None:
        # After all steps:
        self.is_dead = False  # whether the game is proved to be dead
        self.gain = 0  # if it is dead: the most points that moves can still add
        self._game, self._max_positions = game, max_positions

    def steps(self) -> Iterator[None]:
        """Search for progress; each step looks at one position."""
        game = self._game
        # The search never moves mixed runs, so it proves nothing in a room that allows this.
        if game.outcome is not None or game.rules.exceptions != "off":
            return iter(())
        return self._over_piles() if game.variant.goal == "cards" else self._over_columns()

    def _over_columns(self) -> Iterator[None]:
        """Search a game of Spider or Spiderette."""
        game = self._game
        piles = [game.pile(index) for index in range(game.variant.columns)]
        all_columns = Columns(COLUMN_WEIGHTS)
        seen = [VisibleColumn(pile.down, bytes(pile.cards[pile.down :])) for pile in piles]
        start = position_of(all_columns, seen).columns
        can_deal = game.counts.stock > 0
        # The game is not dead if a complete suit can be removed (`position_of` has taken it off),
        # or if the stock can be dealt at once.
        has_suit = size_of(start) < sum([len(pile.cards) for pile in piles])
        if has_suit or (can_deal and game.rules.relaxed_deal):
            return
        # A deal needs all columns filled, and at least as many cards as columns (RULES 3). The
        # search only looks for spaces: with fewer cards there would be one.
        search = GainSearch(all_columns, start, self._max_positions, can_deal=can_deal)
        yield from search.steps()
        self.is_dead = search.is_exhausted
        if self.is_dead:
            new_pairs = search.most_pairs()[0] - pairs_in(start)
            self.gain = new_pairs * value_of_pair(game.rules.score)

    def _over_piles(self) -> Iterator[None]:
        """Search a game of Little Spider."""
        game = self._game
        if game.counts.stock:  # a deal is always possible here
            return
        piles = [game.pile(index) for index in range(len(game.variant.piles))]
        columns, foundations, _ = split_piles(piles)
        search = UncoveringSearch(columns, foundations, self._max_positions)
        yield from search.steps()
        self.is_dead = search.is_exhausted
