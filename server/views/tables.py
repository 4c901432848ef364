"""Tables, the only place that shows cards while a round is on.

A face-down card is shown as one of a number of cards.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import assert_never

from protocol import actions as wire
from protocol import codec, fast_json
from protocol.to_client import Hinted, RefusalDetails
from protocol.views import Counts, PileView, TablePile, TableView
from server.games import actions
from server.games.actions import Action, Kind
from server.games.cards import card_names
from server.games.catalogue import GAMES
from server.games.errors import IllegalAction
from server.games.game import Game
from server.games.variant_spec import VariantSpec

timed = fast_json.timed
"""Complete a reply with the time, once the store has told it."""


def table_view(game: Game, seat: int, last_id: int, elapsed_ms: int) -> TableView:
    """A player's own table."""
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
    """A player's own table, written as the `table` message."""
    return _table_text(game, seat, last_id, legal_texts(game), elapsed_ms)


def board_text(game: Game, seat: int, elapsed_ms: int) -> str:
    """Another player's table, written likewise: nothing can be done there."""
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
    """How each pile of a kind of game is drawn: what a `TablePile` has after its cards."""
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
    """Somebody else's table, as a spectator may see it: nothing to be done there."""
    table = table_view(game, seat, 0, elapsed_ms)
    return table.model_copy(update={"legal": ()})


def stuck_view(game: Game) -> str | None:
    """Why no way forward is left, if none is."""
    return None if game.stuck is None else game.stuck.value


def face_up(game: Game, index: int) -> tuple[int, list[str]]:
    """One pile: the number of its face-down cards, and the names of those that lie face up."""
    down, cards = game.pile(index)
    return down, card_names(cards[down:])


def pile_view(game: Game, index: int) -> PileView:
    """One pile as it is shown."""
    down, up = face_up(game, index)
    return PileView(id=game.variant.pile_names[index], down=down, up=tuple(up))


def pile_text(game: Game, index: int) -> str:
    """The same, written."""
    return fast_json.pile(game.variant.pile_names[index], *face_up(game, index))


def acted_text(act_id: int, game: Game, changed: Iterable[int]) -> str:
    """The reply to an act as the game is now, to be `timed` when the store has told the time."""
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


def counts_view(game: Game) -> Counts:
    """The game in whole numbers."""
    return Counts(**game.counts._asdict())


def legal_view(game: Game) -> tuple[wire.Action, ...]:
    """Every legal action, in the form in which it can be sent."""
    return tuple(_wire_action(action, game.variant.pile_names) for action in game.legal_actions())


def legal_texts(game: Game) -> list[str]:
    """The same, written."""
    texts = _TEXTS[game.variant.id]
    return [texts[action] for action in game.legal_actions()]


class _Texts(dict[Action, str]):
    """The legal actions of a kind of game, each written when it first comes up."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def __missing__(self, action: Action) -> str:
        text = self[action] = _wire_action(action, self._names).model_dump_json()
        return text


_TEXTS = {variant.id: _Texts(variant.pile_names) for variant in GAMES.values()}


@lru_cache(maxsize=8_192)
def _wire_action(action: Action, names: tuple[str, ...]) -> wire.Action:
    """The models are frozen, so each is made once."""
    match actions.kind(action):
        case Kind.MOVE:
            return wire.Move(
                source=names[actions.source(action)],
                count=actions.count(action),
                target=names[actions.target(action)],
                exception=actions.is_exception(action),
            )
        case Kind.DEAL:
            return wire.Deal()
        case Kind.REMOVE:
            return wire.Remove(source=names[actions.source(action)])
        case Kind.UNDO:
            return wire.Undo()
        case Kind.REDO:
            return wire.Redo()
        case Kind.FINISH:
            return wire.Finish()
        case other:
            assert_never(other)


def hinted_text(variant: VariantSpec, at: int, action: Action, hints: int) -> str:
    """Advice as its player is told it: names of piles, and no card."""
    return codec.dump(Hinted(at=at, action=_wire_action(action, variant.pile_names), hints=hints))


def refusal_details(error: IllegalAction, variant: VariantSpec) -> RefusalDetails:
    """The cards and piles in question; all of them lie face up."""
    return RefusalDetails(
        cards=tuple(card_names(error.cards)),
        piles=tuple(variant.pile_names[pile] for pile in error.piles),
    )
