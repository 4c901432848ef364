"""The end of a game whose player sees all cards: the moves that win it, if a narrow search does.

1. Nothing is searched while a card lies face down or is left in the stock. So the line shows
   nothing that its player does not see.
2. The beams are so narrow that they win only what is as good as won: most such games of Spider,
   and of Little Spider only those in which every card can go home at once.
"""

from collections.abc import Iterator
from typing import Final

from protocol.vocabulary import Outcome
from server.games.actions import NOT_A_MOVE, Action, target
from server.games.game import Game
from server.solver.beam import Attempt, Beam
from server.solver.budgets import Budget
from server.solver.lines import as_played
from server.solver.verdicts import never
from server.solver.weights import weights_of

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
