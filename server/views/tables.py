"""Views of tables: the only module that shows cards while a round is running.

Face-down cards are shown as a number of cards.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import assert_never

from protocol import actions as protocol_actions
from protocol import codec, fast_json
from protocol.to_client import Hinted, RefusalDetails
from protocol.views import CountsView, PileView, TablePile, TableView
from server.games import actions
from server.games.actions import Action, ActionKind
from server.games.cards import card_names
from server.games.catalogue import GAMES
from server.games.errors import IllegalAction
from server.games.game import Game
from server.games.variant_spec import VariantSpec

timed = fast_json.timed
"""The function that completes a reply with the time, which the store returns."""


def table_view(game: Game, seat: int, last_id: int, elapsed_ms: int) -> TableView:
    """Return the view of a player's own table."""
    return TableView(
        seat=seat,
        game=game.variant.id,  # type: ignore[arg-type]  # the catalogue's ids are the protocol's
        at=game.at,
        last_id=last_id,
        piles=tuple(
            TablePile(
                **dict(pile_view(game, index)),
                role=spec.role,
                x=spec.x,
                y=spec.y,
                fan=spec.fan,
                direction=spec.direction,
            )
            for index, spec in enumerate(game.variant.piles)
        ),
        legal=legal_view(game),
        score=game.score,
        counts=counts_view(game),
        elapsed_ms=elapsed_ms,
        outcome=game.outcome,
        stuck=stuck_view(game),
    )


def table_text(game: Game, seat: int, last_id: int, elapsed_ms: int) -> str:
    """Return the `table` message of a player's own table."""
    return _table_text(game, seat, last_id, legal_texts(game), elapsed_ms)


def board_text(game: Game, seat: int, elapsed_ms: int) -> str:
    """Return the `table` message of another player's table, without legal actions."""
    return _table_text(game, seat, 0, (), elapsed_ms)


def _table_text(game: Game, seat: int, last_id: int, legal: Iterable[str], elapsed_ms: int) -> str:
    layout = _LAYOUTS[game.variant.id]
    return fast_json.table(
        seat,
        game.variant.id,
        game.at,
        last_id,
        [pile_text(game, index)[:-1] + drawn for index, drawn in enumerate(layout)],
        legal,
        game.score,
        game.counts,
        elapsed_ms,
        game.outcome,
        stuck_view(game),
    )


def _layout_of(variant: VariantSpec) -> tuple[str, ...]:
    """Return the end of each pile's JSON, which is the same for all games of a variant."""
    piles = (
        TablePile(
            id=spec.id,
            down=0,
            up=(),
            role=spec.role,
            x=spec.x,
            y=spec.y,
            fan=spec.fan,
            direction=spec.direction,
        )
        for spec in variant.piles
    )
    return tuple(pile.model_dump_json().partition('"up":[]')[2] for pile in piles)


_LAYOUTS = {variant.id: _layout_of(variant) for variant in GAMES.values()}


def board_view(game: Game, seat: int, elapsed_ms: int) -> TableView:
    """Return the view of another player's table for spectators, without legal actions."""
    table = table_view(game, seat, 0, elapsed_ms)
    return table.model_copy(update={"legal": ()})


def stuck_view(game: Game) -> str | None:
    """Return the reason why a game is stuck, or None if it is not."""
    return None if game.stuck is None else game.stuck.value


def face_up(game: Game, index: int) -> tuple[int, list[str]]:
    """Return the number of face-down cards of a pile, and the names of its face-up cards."""
    down, cards = game.pile(index)
    return down, card_names(cards[down:])


def pile_view(game: Game, index: int) -> PileView:
    """Return the view of one pile."""
    down, up = face_up(game, index)
    return PileView(id=game.variant.pile_names[index], down=down, up=tuple(up))


def pile_text(game: Game, index: int) -> str:
    """Return the view of one pile as JSON."""
    return fast_json.pile(game.variant.pile_names[index], *face_up(game, index))


def acted_text(act_id: int, game: Game, changed: Iterable[int]) -> str:
    """Return the `acted` message without its time; `timed` completes it."""
    return fast_json.acted(
        act_id,
        game.at,
        [pile_text(game, pile) for pile in changed],
        game.score,
        game.counts,
        legal_texts(game),
        game.outcome,
        stuck_view(game),
    )


def counts_view(game: Game) -> CountsView:
    """Return the view of a game's counts."""
    return CountsView(**game.counts._asdict())


def legal_view(game: Game) -> tuple[protocol_actions.Action, ...]:
    """Return the legal actions, in the form in which clients send them."""
    return tuple(_action_model(action, game.variant.pile_names) for action in game.legal_actions())


def legal_texts(game: Game) -> list[str]:
    """Return the legal actions, each as JSON."""
    texts = _TEXTS[game.variant.id]
    return [texts[action] for action in game.legal_actions()]


class _Texts(dict[Action, str]):
    """The actions of a variant as JSON, each serialized when it is first needed."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def __missing__(self, action: Action) -> str:
        text = self[action] = _action_model(action, self._names).model_dump_json()
        return text


_TEXTS = {variant.id: _Texts(variant.pile_names) for variant in GAMES.values()}


@lru_cache(maxsize=8_192)
def _action_model(action: Action, names: tuple[str, ...]) -> protocol_actions.Action:
    """Return the model of an action; models are frozen, so equal actions share one."""
    match actions.kind(action):
        case ActionKind.MOVE:
            return protocol_actions.Move(
                source=names[actions.source(action)],
                count=actions.count(action),
                target=names[actions.target(action)],
                exception=actions.is_exception(action),
            )
        case ActionKind.DEAL:
            return protocol_actions.Deal()
        case ActionKind.REMOVE:
            return protocol_actions.Remove(source=names[actions.source(action)])
        case ActionKind.UNDO:
            return protocol_actions.Undo()
        case ActionKind.REDO:
            return protocol_actions.Redo()
        case ActionKind.FINISH:
            return protocol_actions.Finish()
        case other:
            assert_never(other)


def hinted_text(variant: VariantSpec, at: int, action: Action, hints: int) -> str:
    """Return the `hinted` message, which names piles and no card."""
    return codec.dump(Hinted(at=at, action=_action_model(action, variant.pile_names), hints=hints))


def refusal_details(error: IllegalAction, variant: VariantSpec) -> RefusalDetails:
    """Return the cards and piles that a refusal concerns; all these cards lie face up."""
    return RefusalDetails(
        cards=tuple(card_names(error.cards)),
        piles=tuple(variant.pile_names[pile] for pile in error.piles),
    )
