"""An act on its way in, as the engine's action, and on its way back, as the reply."""

from collections.abc import Callable
from typing import assert_never

from protocol.actions import Action, Deal, Finish, Move, Redo, Remove, Undo
from protocol.to_client import Acted
from protocol.views import PileView
from server.games import actions
from server.games.errors import IllegalAction, RefusalCode
from server.games.game import Game
from server.games.kinds import GameKind
from server.rooms.views import counts_view, legal_view, outcome_view, stuck_view


def engine_action(kind: GameKind, action: Action) -> actions.Action:
    """What a client asks for, in the engine's terms; nothing is judged yet.

    Raises:
        IllegalAction: it names a pile that the game does not have.
    """
    index = kind.pile_index
    try:
        match action:
            case Move():
                source, target = index[action.source], index[action.target]
                return actions.move(source, action.count, target, exception=action.exception)
            case Remove():
                return actions.remove(index[action.source])
            case Deal():
                return actions.DEAL
            case Undo():
                return actions.UNDO
            case Redo():
                return actions.REDO
            case Finish():
                return actions.FINISH
            case other:
                assert_never(other)
    except KeyError:
        raise IllegalAction(RefusalCode.NO_SUCH_PILE) from None


def acted(act_id: int, game: Game, piles: tuple[PileView, ...]) -> Callable[[int], Acted]:
    """The reply as the game is now, lacking only the time that the store will tell."""
    at, score, counts, legal = game.at, game.score, counts_view(game), legal_view(game)
    outcome, stuck = outcome_view(game), stuck_view(game)

    def reply(elapsed_ms: int) -> Acted:
        return Acted.model_construct(
            type="acted",
            id=act_id,
            at=at,
            piles=piles,
            score=score,
            counts=counts,
            legal=legal,
            outcome=outcome,
            stuck=stuck,
            elapsed_ms=elapsed_ms,
        )

    return reply
