"""From the actions of a search to a line that the engine takes under the rules of the room."""

from collections.abc import Iterator, Sequence

from protocol.vocabulary import Outcome
from server.games.actions import FINISH, Action, ActionKind, kind, move, source
from server.games.game import Game


def as_played(
    game: Game, actions: Sequence[int], *, removes: bool = True
) -> tuple[Action, ...] | None:
    """Return the line that wins a game by these actions, or None if the game gets too long.

    Most searches let complete suits leave at once. Where the player has to remove them, the line
    does so as soon as it can, unless `removes` is false. The game stays as it is.

    Raises:
        IllegalAction: The actions do not belong to this position.
    """
    game = game.copy()
    start = game.at
    for _ in steps(game, actions, removes=removes):
        pass
    return game.log[start:] if game.outcome is Outcome.WON else None


def steps(game: Game, actions: Sequence[int], *, removes: bool = True) -> Iterator[None]:
    """Play the actions in this game, one a step; see `as_played`.

    It ends early where the log of the game is full.

    Raises:
        IllegalAction: The actions do not belong to this position.
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
    if game.outcome is None and game.is_legal(FINISH):
        game.apply(FINISH)


def _with_foundation(game: Game, action: Action) -> Action:
    """Return a move with the foundation that takes its card, where the search named another."""
    if game.variant.goal == "cards" and not game.is_legal(action):
        here, piles = source(action), game.variant.piles
        for to, pile in enumerate(piles):
            other = move(here, 1, to)
            if pile.role == "foundation" and game.is_legal(other):
                return other
    return action


def _remove_suits(game: Game) -> None:
    while game.at < game.max_entries:
        removals = [each for each in game.legal_actions() if kind(each) is ActionKind.REMOVE]
        if not removals:
            return
        game.apply(removals[0])
