"""Views of tables: the only module that shows cards while a round is running.

Tables, piles and actions are written in the notation (`server/games/NOTATION.md`). Piles have only
their hidden form here, with the number of face-down cards.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from protocol import codec
from protocol.games import Variant
from protocol.to_client import Assessed, Hinted, RefusalDetails, TableMessage
from protocol.views import CountsView, TableSnapshot
from protocol.vocabulary import HintReason, Outlook
from server.games.actions import ACTION_TEXTS, Action
from server.games.cards import card_names
from server.games.errors import IllegalAction
from server.games.game import Counts, Game

_COUNT_NAMES: Final = tuple(CountsView.model_fields)
_COUNTS_FORMAT: Final = "{" + ",".join(f'"{name}":%d' for name in _COUNT_NAMES) + "}"


def table_view(
    game: Game, seat: int, last_id: int, elapsed_ms: int, late_ms: int = 0
) -> TableSnapshot:
    """Return a player's own table.

    `last_id` is the highest id of its acts, `late_ms` how long after t0 the player started.
    """
    return TableSnapshot(
        seat=seat,
        game=game.variant.id,
        at=game.at,
        last_id=last_id,
        piles=tuple(map(game.pile_text, range(len(game.variant.piles)))),
        legal=legal_text(game),
        score=game.score,
        counts=CountsView(**game.counts._asdict()),
        elapsed_ms=elapsed_ms,
        outcome=game.outcome,
        stuck=game.stuck,
        late_ms=late_ms,
    )


def board_view(game: Game, seat: int, elapsed_ms: int) -> TableSnapshot:
    """Return the view of another player's table: without legal actions and act ids."""
    table = table_view(game, seat, last_id=0, elapsed_ms=elapsed_ms)
    return table.model_copy(update={"legal": ""})


def table_text(game: Game, seat: int, last_id: int, elapsed_ms: int, late_ms: int = 0) -> str:
    """Return the `table` message of a player's own table (see `table_view`)."""
    return codec.dump(TableMessage(table=table_view(game, seat, last_id, elapsed_ms, late_ms)))


def board_text(game: Game, seat: int, elapsed_ms: int) -> str:
    """Return the `table` message of another player's table, without legal actions."""
    return codec.dump(TableMessage(table=board_view(game, seat, elapsed_ms)))


def full_reply_text(act_id: int, game: Game) -> str:
    """Return the `acted` message for an act that was sent again, with all piles and counts."""
    return acted_text(act_id, game, range(len(game.variant.piles)), game.counts, before=None)


def acted_text(
    act_id: int, game: Game, changed: Iterable[int], counts: Counts, before: Counts | None
) -> str:
    """Return the `acted` message up to its time, which `timed` adds.

    It has the piles that the act `changed` and the `counts` that differ from the client's counts
    `before`, or all counts if that is None. As every act needs it, the JSON is written by hand:
    the message's model would take half as long again. No text in it needs escapes.
    """
    # `map` and `join` run in C, without Python instructions for each pile.
    piles = '","'.join(map('":"'.join, named_piles(game, changed)))
    piles = f'{{"{piles}"}}' if piles else "{}"
    changes = _COUNTS_FORMAT % counts if before is None else _changes(counts, before)
    outcome, stuck = game.outcome, game.stuck
    end = "" if outcome is None else f',"outcome":"{outcome}"'
    if stuck is not None:
        end += f',"stuck":"{stuck}"'
    return (
        f'{{"type":"acted","id":{act_id},"at":{game.at},"piles":{piles},"score":{game.score},'
        f'"counts":{changes},"legal":"{legal_text(game)}"{end},"elapsed_ms":'
    )


def _changes(counts: Counts, before: Counts) -> str:
    """Return the counts that differ from the client's counts `before`, as JSON."""
    changes = ""
    for index, n in enumerate(counts):
        if n != before[index]:
            separator = "," if changes else ""
            changes += f'{separator}"{_COUNT_NAMES[index]}":{n}'
    return f"{{{changes}}}"


def timed(text: str, elapsed_ms: int) -> str:
    """Complete the result of `acted_text` with the act's time, which the store returns."""
    return f"{text}{elapsed_ms}}}"


def named_piles(game: Game, indexes: Iterable[int]) -> list[tuple[str, str]]:
    """Return the name and the text of each of these piles."""
    names = game.variant.pile_names
    return [(names[index], game.pile_text(index)) for index in indexes]


def legal_text(game: Game) -> str:
    """Return the legal actions, in the notation of messages."""
    return ACTION_TEXTS[game.variant.id].format_legal(game.legal_actions())


def hinted_text(variant: Variant, at: int, action: Action, hints: int, reason: HintReason) -> str:
    """Return the `hinted` message, which names piles but no cards."""
    text = ACTION_TEXTS[variant.id].format(action)
    return codec.dump(Hinted(at=at, action=text, hints=hints, reason=reason))


def assessed_text(
    variant: Variant, at: int, outlook: Outlook, line: Sequence[Action], gain: int
) -> str:
    """Return the `assessed` message, which names no card; `gain`: what a dead game can score."""
    text = ACTION_TEXTS[variant.id].format_legal(tuple(line))
    return codec.dump(Assessed(at=at, outlook=outlook, line=text, gain=gain))


def refusal_details(error: IllegalAction, variant: Variant) -> RefusalDetails:
    """Return the cards and piles that an action was refused for; all these cards lie face up."""
    return RefusalDetails(
        cards=tuple(card_names(error.cards)),
        piles=tuple(variant.pile_names[pile] for pile in error.piles),
    )
