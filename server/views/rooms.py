"""The only place that shows cards.

Whatever leaves the server about a room, a table or a deal is made here. A face-down card is
shown as a number of cards; a seed, a salt or a deck only of a round that is over.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import assert_never

from protocol import actions as wire
from protocol import codec, written
from protocol.http import FinishedRound, LogEntry, PlayerLog, PublicRoom, PublicRooms
from protocol.settings import Settings
from protocol.to_client import Changes, Hinted, Links, RefusalDetails, RoundOver
from protocol.views import (
    Counts,
    Outcome,
    PileView,
    Reveal,
    RoomState,
    RoomView,
    RoundView,
    SeatView,
    TablePile,
    TableView,
    WaitingView,
)
from server.games import actions, notation
from server.games.actions import Action, Kind
from server.games.cards import card_names
from server.games.catalogue import GAMES
from server.games.errors import IllegalAction
from server.games.game import Game
from server.games.kinds import GameKind
from server.rooms.card import game_of, next_game
from server.rooms.record import Deal, Room, Round, Seat
from server.rooms.rounds import commitment_of, deck_of, rules_of
from server.views.log import LogRecord
from server.views.match import match_view
from server.views.standings import ranking_view

SEATS_WHOLE = 12
"""Seats of the largest room that is sent whole on each change: it fits into a packet or two."""
LINES_ALONG = 32
"""Lines of match cards that come along with the room, at most; more are sent on their own."""
BETWEEN_GAMES = {RoomState.LOBBY, RoomState.FINISHED}
"""The states in which the next game of a match can be chosen."""


@lru_cache(maxsize=256)
def settings_view(settings: Settings) -> Settings:
    """Settings without what a newer release has stored with them: the wire knows only these."""
    return Settings.model_construct(**vars(settings))


def room_view(room: Room, v: int) -> RoomView:
    """The room as everybody in it may see it."""
    return RoomView(
        code=room.code,
        v=v,
        state=room.state,
        settings=settings_view(room.settings),
        host=room.host,
        seats=tuple(_seat_view(seat) for seat in room.seats),
        round=None if room.round is None else _round_view(room.round, game_of(room)),
        played=len(room.played()),
        match=match_view(room) if match_comes_along(room) else None,
        next_game=next_game(room) if room.state in BETWEEN_GAMES else None,
        rematch=room.rematch,
        waiting=tuple(
            WaitingView(seat=seat.number, name=seat.name, role=seat.role) for seat in room.waiting
        ),
    )


def _seat_view(seat: Seat) -> SeatView:
    return SeatView(
        seat=seat.number,
        name=seat.name,
        role=seat.role,
        state=seat.state,
        connection=seat.connection,
    )


def match_comes_along(room: Room) -> bool:
    """Whether the cards of the match are few enough to be sent with each change of the room."""
    return len(room.seats) * len(room.played()) <= LINES_ALONG


def changes_since(before: Room, room: Room, v: int) -> Changes | None:
    """What has changed since an earlier state of the room; None if more than seats and host has.

    Small rooms are sent whole: None as well.
    """
    if len(room.seats) <= SEATS_WHOLE or _frame_of(before) != _frame_of(room):
        return None
    was = {seat.number: seat for seat in before.seats}
    changed = (seat for seat in room.seats if was.get(seat.number) != seat)
    gone = was.keys() - {seat.number for seat in room.seats}
    return Changes(
        v=v,
        host=room.host,
        seats=tuple(_seat_view(seat) for seat in changed),
        gone=tuple(sorted(gone)),
    )


def _frame_of(room: Room) -> tuple[object, ...]:
    """Everything of the room's view but its seats and its host."""
    played = room.round and (room.round.n, room.round.t0, room.round.t_end)
    match = (len(room.rounds), room.match, room.chosen)
    return (room.state, room.settings, played, match, room.rematch, room.waiting)


def waiting_view(room: Room, v: int, number: int) -> RoomView:
    """The room as one who waits to be let in may see it: the host, the rules, and the queue."""
    seats = tuple(seat for seat in room.seats if seat.number == room.host)
    queue = tuple(seat for seat in room.waiting if seat.number == number)
    shown = room_view(room.model_copy(update={"seats": seats, "waiting": queue}), v)
    return shown.model_copy(update={"match": None, "rematch": None})


def _round_view(played: Round, game: int) -> RoundView:
    return RoundView(
        n=played.n,
        game=game,
        t0=played.t0,
        t_end=played.t_end,
        commitment=commitment_of(played.deal),
        number=played.deal.number,
    )


def public_room(room: Room) -> PublicRoom:
    """One line of the front page's list."""
    host = None if room.host is None else room.seat(room.host)
    return PublicRoom(
        code=room.code,
        state=room.state,
        game=room.settings.game,
        host=host.name if host else "",
        players=sum(seat.role == "player" for seat in room.seats),
    )


def public_rooms(rooms: Iterable[Room]) -> PublicRooms:
    """The front page's list."""
    return PublicRooms(rooms=tuple(map(public_room, rooms)))


def table_view(game: Game, seat: int, last_id: int, elapsed_ms: int) -> TableView:
    """A player's own table."""
    return TableView(
        seat=seat,
        game=game.kind.id,  # type: ignore[arg-type]  # the catalogue's ids are the protocol's
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
            for index, spec in enumerate(game.kind.piles)
        ),
        legal=legal_view(game),
        score=game.score,
        counts=counts_view(game),
        elapsed_ms=elapsed_ms,
        outcome=outcome_view(game),
        stuck=stuck_view(game),
    )


def table_text(game: Game, seat: int, last_id: int, elapsed_ms: int) -> str:
    """A player's own table, written as the `table` message."""
    return _table_text(game, seat, last_id, legal_texts(game), elapsed_ms)


def board_text(game: Game, seat: int, elapsed_ms: int) -> str:
    """Another player's table, written likewise: nothing can be done there."""
    return _table_text(game, seat, 0, (), elapsed_ms)


def _table_text(game: Game, seat: int, last_id: int, legal: Iterable[str], elapsed_ms: int) -> str:
    layout = _LAYOUTS[game.kind.id]
    return written.table(
        seat,
        game.kind.id,
        game.at,
        last_id,
        [pile_text(game, index)[:-1] + drawn for index, drawn in enumerate(layout)],
        legal,
        game.score,
        game.counts,
        elapsed_ms,
        outcome_view(game),
        stuck_view(game),
    )


def _layout_of(kind: GameKind) -> tuple[str, ...]:
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
        for spec in kind.piles
    )
    return tuple(pile.model_dump_json().partition('"up":[]')[2] for pile in piles)


_LAYOUTS = {kind.id: _layout_of(kind) for kind in GAMES.values()}


def board_view(game: Game, seat: int, elapsed_ms: int) -> TableView:
    """Somebody else's table, as a spectator may see it: nothing to be done there."""
    table = table_view(game, seat, 0, elapsed_ms)
    return table.model_copy(update={"legal": ()})


def outcome_view(game: Game) -> Outcome | None:
    """How the game ended by its own rules, if it has."""
    return None if game.outcome is None else game.outcome.value


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
    return PileView(id=game.kind.pile_names[index], down=down, up=tuple(up))


def pile_text(game: Game, index: int) -> str:
    """The same, written."""
    return written.pile(game.kind.pile_names[index], *face_up(game, index))


def acted_text(act_id: int, game: Game, changed: Iterable[int]) -> str:
    """The reply to an act as the game is now, to be `timed` when the store has told the time."""
    return written.acted(
        act_id,
        game.at,
        [pile_text(game, pile) for pile in changed],
        game.score,
        game.counts,
        legal_texts(game),
        outcome_view(game),
        stuck_view(game),
    )


def counts_view(game: Game) -> Counts:
    """The game in whole numbers."""
    return Counts(**game.counts._asdict())


def legal_view(game: Game) -> tuple[wire.Action, ...]:
    """Every legal action, in the form in which it can be sent."""
    return tuple(_wire_action(action, game.kind.pile_names) for action in game.legal_actions())


def legal_texts(game: Game) -> list[str]:
    """The same, written."""
    texts = _TEXTS[game.kind.id]
    return [texts[action] for action in game.legal_actions()]


class _Texts(dict[Action, str]):
    """The legal actions of a kind of game, each written when it first comes up."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._names = names

    def __missing__(self, action: Action) -> str:
        text = self[action] = _wire_action(action, self._names).model_dump_json()
        return text


_TEXTS = {kind.id: _Texts(kind.pile_names) for kind in GAMES.values()}


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


def hinted_text(kind: GameKind, at: int, action: Action, hints: int) -> str:
    """Advice as its player is told it: names of piles, and no card."""
    return codec.dump(Hinted(at=at, action=_wire_action(action, kind.pile_names), hints=hints))


timed = written.timed


def refusal_details(error: IllegalAction, kind: GameKind) -> RefusalDetails:
    """The cards and piles in question; all of them lie face up."""
    return RefusalDetails(
        cards=tuple(card_names(error.cards)),
        piles=tuple(kind.pile_names[pile] for pile in error.piles),
    )


def reveal(played: Round) -> Reveal:
    """The deal of a round that is over, laid open."""
    assert played.ended is not None, "nothing is revealed of a round that is on"
    return Reveal(
        deal=played.settings.deal,
        number=played.deal.number,
        seed=played.deal.seed,
        salt=played.deal.salt,
        commitment=commitment_of(played.deal),
        deck=tuple(card_names(deck_of(played))),
    )


def round_over(room: Room) -> RoundOver:
    """The end of the room's round: the ranking, and the deal laid open."""
    assert room.state is RoomState.FINISHED, "the round is over"
    assert room.round is not None, "a finished room has a round"
    path = f"/api/rooms/{room.code}/rounds/{room.round.n}"
    return RoundOver(
        n=room.round.n,
        ranking=ranking_view(room.round),
        reveal=reveal(room.round),
        links=Links(round=path, text=f"{path}.txt"),
    )


def round_text(played: Round, logs: Mapping[int, Iterable[LogRecord]]) -> str:
    """A round that is over as the text that the engine reads back: of the players with logs."""
    players = (player_lines(played, seat, log) for seat, log in logs.items())
    return "".join([round_head(played), *(line for lines in players for line in lines)])


def round_head(played: Round) -> str:
    """What the text of a round that is over begins with: the deal, laid open."""
    assert played.ended is not None, "nothing is told of a round that is on"
    return notation.format_head(rules_of(played.settings), _told_deal(played.deal))


def player_lines(played: Round, seat: int, log: Iterable[LogRecord]) -> Iterator[str]:
    """One player's part of that text, in small steps."""
    assert played.ended is not None, "nothing is told of a round that is on"
    entries = (notation.LogEntry(entry.ms, Action(entry.action)) for entry in log)
    names = GAMES[played.settings.game].pile_names
    return notation.format_player(played.names[seat], entries, names)


def _told_deal(deal: Deal) -> notation.Deal:
    if deal.seed is None:
        assert deal.number is not None, "a deal has a seed or a number"
        return notation.NumberedDeal(deal.number)
    seed = bytes.fromhex(deal.seed)
    if deal.salt is None:
        return notation.SeededDeal(seed)
    return notation.SecretDeal(seed, bytes.fromhex(deal.salt))


def finished_round(
    room: Room, played: Round, logs: Mapping[int, Iterable[LogRecord]]
) -> FinishedRound:
    """A round that is over, with the logs that are given."""
    assert played.ended is not None, "nothing is told of a round that is on"
    return FinishedRound(
        room=room.code,
        n=played.n,
        settings=settings_view(played.settings),
        t0=played.t0,
        ended=played.ended,
        reveal=reveal(played),
        ranking=ranking_view(played),
        players=tuple(
            player_log(played, seat, map(LogEntry.model_validate_json, log_texts(played, log)))
            for seat, log in logs.items()
        ),
    )


def player_log(played: Round, seat: int, log: Iterable[LogEntry]) -> PlayerLog:
    """One player's part of a `FinishedRound`."""
    late = played.late.get(seat)
    return PlayerLog(seat=seat, name=played.names[seat], late_ms=late, log=tuple(log))


def log_texts(played: Round, log: Iterable[LogRecord]) -> Iterator[str]:
    """What a player did, as a `FinishedRound` has it, written in small steps."""
    names = GAMES[played.settings.game].pile_names
    texts: dict[int, str] = {}  # a long game has a few hundred different actions
    for entry in log:
        action = texts.get(entry.action)
        if action is None:
            action = texts[entry.action] = actions.format_action(Action(entry.action), names)
        yield written.log_entry(action, entry.ms)
