"""The reason of a hint: what its action changes, from the cards that its player sees."""

from protocol.vocabulary import HintReason
from server.games.actions import Action, ActionKind, count, kind, source, target
from server.games.game import Game
from server.games.hints import Beneath, Onto, SeenColumn, column_of

_OF_OTHERS = {
    ActionKind.DEAL: HintReason.DEALS,
    ActionKind.REMOVE: HintReason.REMOVES_SUIT,
    ActionKind.FINISH: HintReason.WINS,
}


def reason_of(game: Game, action: Action) -> HintReason:
    """Return the reason of a hint for the position of a game; the most welcome one if several."""
    if kind(action) is not ActionKind.MOVE:
        return _OF_OTHERS[kind(action)]
    if game.variant.piles[target(action)].role == "foundation":
        return HintReason.PLAYS_TO_FOUNDATION
    if game.variant.goal == "cards":
        return HintReason.UNCOVERS_NEXT
    here, to = (column_of(game.pile(place)) for place in (source(action), target(action)))
    return _reason_of_move(here, to, count(action))


def _reason_of_move(here: SeenColumn, to: SeenColumn, n: int) -> HintReason:
    """Return the most important thing that a move of `n` cards does."""
    beneath, onto = here.beneath(n), to.rate_target(here.up[-n], n)
    if onto is Onto.KING:
        return HintReason.COMPLETES_SUIT
    if beneath is Beneath.DOWN:
        return HintReason.TURNS_CARD
    if beneath is Beneath.NOTHING and onto is not Onto.SPACE:
        return HintReason.EMPTIES_COLUMN
    if onto is Onto.SUIT:
        return HintReason.JOINS_SUIT
    return HintReason.FREES_CARD if beneath is Beneath.BREAK else HintReason.FILLS_COLUMN
