"""Views of rooms for their members and for newcomers, and the messages that carry them.

Each message about a version of a room is serialized once for all who get it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from pydantic import TypeAdapter

from protocol import codec
from protocol.http import Invitation, NumberedDeal, PublicRoom
from protocol.to_client import Changes, MatchMessage
from protocol.views import KeptView, RoomView, RoundView, SeatView, WaitingView
from protocol.vocabulary import HISTORY_LENGTH, DealLabel, Presence, RoomState, SeatState
from server.rooms import record
from server.rooms.admission import has_free_seat
from server.rooms.deals import commitment_of, is_winnable, known_degree
from server.rooms.record import Room, Round, Seat, VersionedRoom
from server.views import view_of
from server.views.finished_rounds import match_view, round_over

MAX_SEATS_SENT_WHOLE = 12
"""Rooms with more seats send only their changes. Smaller rooms fit into a packet or two."""
MAX_CARD_LINES_IN_ROOM = 32  # with more lines, the match cards are not in the `room` message
BETWEEN_GAMES = {RoomState.LOBBY, RoomState.FINISHED}  # the next game of a match can be chosen

_SEAT_VIEWS: Final = TypeAdapter(tuple[SeatView, ...])


def room_view(room: Room, v: int) -> RoomView:
    """Return the view of a room, in its version `v`, for all its members."""
    return RoomView(
        code=room.code,
        v=v,
        state=room.state,
        settings=record.known_settings(room.settings),
        host=room.host,
        seats=_seat_views(room, room.seats),
        round=None if room.round is None else _round_view(room.round),
        played=len(room.counted_rounds()),
        match=match_view(room) if includes_match(room) else None,
        next_game=record.next_game(room) if room.state in BETWEEN_GAMES else None,
        waiting=tuple(
            WaitingView(seat=seat.number, name=seat.name, role=seat.role, kind=seat.kind)
            for seat in room.waiting
        ),
        kept=kept_view(room),
    )


def kept_view(room: Room) -> KeptView | None:
    """Return what a kept table's members see of it; None for other rooms."""
    if room.kept is None:
        return None
    races = min(room.kept.races, HISTORY_LENGTH)  # the history keeps only the latest ones
    return view_of(KeptView, room.kept, races=races)


def _seat_views(room: Room, seats: Iterable[Seat]) -> tuple[SeatView, ...]:
    """Return the views of seats; validating all of them at once takes a third less time.

    In an open window others may still have to play, so the views hide how games have ended.
    """
    ended = record.round_of(room).results if room.has_open_window else {}
    return _SEAT_VIEWS.validate_python(
        tuple(
            {
                "seat": seat.number,
                "name": seat.name,
                "role": seat.role,
                "state": SeatState.FINISHED if seat.number in ended else seat.state,
                "connection": seat.connection,
                "wins": seat.wins,
                "kind": seat.kind,
                "level": seat.level,
                "colour": seat.colour,
                "stand_in": seat.stand_in and seat.stand_in.level,
                "forfeits_at": seat.forfeits_at,
            }
            for seat in seats
        )
    )


def includes_match(room: Room) -> bool:
    """Return whether the match cards are small enough to be part of the `room` message."""
    return len(room.seats) * len(room.counted_rounds()) <= MAX_CARD_LINES_IN_ROOM


def is_sent_whole(before: Room, room: Room) -> bool:
    """Return whether members get the whole room: if it is small, or if more than seats changed."""
    is_small = len(room.seats) <= MAX_SEATS_SENT_WHOLE
    return is_small or _without_seats(before) != _without_seats(room)


def changes_since(before: Room, room: Room, v: int) -> Changes | None:
    """Return the changes of seats and host up to version `v`; None to send the whole room."""
    if is_sent_whole(before, room):
        return None
    earlier = {seat.number: seat for seat in before.seats}
    changed = (seat for seat in room.seats if earlier.get(seat.number) != seat)
    gone = earlier.keys() - {seat.number for seat in room.seats}
    return Changes(v=v, host=room.host, seats=_seat_views(room, changed), gone=tuple(sorted(gone)))


def _without_seats(room: Room) -> tuple[object, ...]:
    """Return the parts of the room's view that can change, except its seats and host."""
    played = room.round and (room.round.n, room.round.t0, room.round.t_end, room.round.programs)
    match = (len(room.rounds), room.match, room.chosen_game, room.plays_again)
    return (room.state, room.settings, played, match, room.waiting, kept_view(room))


def waiting_view(room: Room, v: int, number: int) -> RoomView:
    """Return what seat `number` sees while it waits to be let in: host, settings and itself."""
    seats = tuple(seat for seat in room.seats if seat.number == room.host)
    queue = tuple(seat for seat in room.waiting if seat.number == number)
    shown = room_view(room.model_copy(update={"seats": seats, "waiting": queue}), v)
    return shown.model_copy(update={"match": None})


def _round_view(played: Round) -> RoundView:
    return view_of(
        RoundView,
        played,
        commitment=commitment_of(played.deal),
        number=played.deal.number,
        winnable=is_winnable(played),
        degree=known_degree(played),
    )


def numbered_deal_view(number: int, label: DealLabel, *, searching: bool) -> NumberedDeal:
    """Return the view of a numbered deal; `searching`: whether its label is being searched for."""
    return NumberedDeal(number=number, label=label, searching=searching)


def public_room(room: Room, now_ms: int | None = None) -> PublicRoom:
    """Return a room's row of the front page's list; `running_ms` is None without `now_ms`."""
    host, t0 = room.seat(room.host), running_since(room)
    return PublicRoom(
        code=room.code,
        state=room.state,
        game=room.settings.game,
        host=host.name if host else "",
        players=sum(seat.role == "player" for seat in room.seats),
        full=not has_free_seat(room, player=True),
        running_ms=None if t0 is None or now_ms is None else max(0, now_ms - t0),
    )


def running_since(room: Room) -> int | None:
    """Return when the running race started (ms since the epoch), or None."""
    return room.round.t0 if room.round and room.state is RoomState.RUNNING else None


def invitation(room: Room, now_ms: int) -> Invitation:
    """Return what a room shows to people who have its code but have not joined.

    During a race over hours or days (a window), it says how long they may start; at a kept
    table, who is there.
    """
    running = room.round if room.state is RoomState.RUNNING else None
    host = room.seat(room.host)
    return view_of(
        Invitation,
        public_room(room, now_ms),
        room.settings,
        watchable=has_free_seat(room, player=False),
        colour=host.colour if host else None,
        window_end=running.t_end if running is not None and running.is_window else None,
        kept=room.kept is not None,
        here=() if room.kept is None else tuple(seat.name for seat in room.seats if is_here(seat)),
    )


def is_here(seat: Seat) -> bool:
    """Return whether a person is connected to the seat."""
    return seat.connection is Presence.ON and not seat.is_played_by_bot


@dataclass(frozen=True)
class RoomMessages:
    """The messages about a version of a room, each serialized once for all who get it."""

    latest: VersionedRoom
    _texts_since: dict[int, str] = field(default_factory=dict, compare=False, repr=False)
    """The result of `since`, by the version that the client got last."""

    def since(self, last_sent: VersionedRoom | None) -> str:
        """Return the message that takes a client from the version `last_sent` to the latest.

        It is `changes` if only seats and the host of a large room have changed, otherwise `room`.
        """
        if last_sent is None:
            return self.room_text
        text = self._texts_since.get(last_sent.v)
        if text is None:
            changes = changes_since(last_sent.room, self.latest.room, self.latest.v)
            text = self.room_text if changes is None else codec.dump(changes)
            self._texts_since[last_sent.v] = text
        return text

    @cached_property
    def room_text(self) -> str:
        """The `room` message."""
        return f'{{"type":"room","room":{self.view_json}}}'

    @cached_property
    def view_json(self) -> str:
        """The view of the room as JSON, for the `room` and the `joined` message."""
        return room_view(self.latest.room, self.latest.v).model_dump_json()

    @cached_property
    def over_text(self) -> str:
        """The `round_over` message of a finished round."""
        return codec.dump(round_over(self.latest.room))

    @cached_property
    def match_text(self) -> str:
        """The `match` message."""
        return codec.dump(MatchMessage(match=match_view(self.latest.room)))
