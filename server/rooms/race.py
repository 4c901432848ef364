"""A running race: its results, and the end of its round. Pure, like the room."""

from collections.abc import Mapping

from protocol.from_client import Chase, End, Forfeit, Leave
from protocol.vocabulary import MAX_ROUNDS, ErrorCode, Presence, RoomState, SeatState
from server.rooms.admission import check_fresh, check_place_for_player, without_applicant
from server.rooms.events import Command, GameEnded, Tick
from server.rooms.hosts import with_host, without_claim, without_past_hosts
from server.rooms.ranking import rank
from server.rooms.record import PlayerStats, Room, Round, Seat
from server.rooms.refusal import Refusal
from server.rooms.rounds import opening_stats
from server.rooms.seats import (
    after_grace,
    deserted_since,
    host_only,
    in_state,
    seat_of,
    with_seats,
    without,
)

DESERTED_MS = 12 * 60 * 60 * 1_000
"""Time from the loss of the last connection to the end of a race without a time limit.

A lost connection is no forfeit: players who disconnect at night find their race in the morning.
"""

ROUNDS_KEPT = 2 * MAX_ROUNDS
"""Rounds in a record: enough for the current match and the one before."""


def round_of(room: Room) -> Round:
    """Return the round of a room in a countdown or a race."""
    assert room.round is not None, "a countdown or a race has a round"
    return room.round


def chase(room: Room, command: Command[Chase]) -> Room:
    """Let a spectator begin the deal late: unranked, with a clock of its own."""
    seat = seat_of(room, command.seat)
    this = round_of(room)
    if not this.settings.chasers:
        raise Refusal(ErrorCode.NO_CHASERS)
    if seat.number in this.names:
        raise Refusal(ErrorCode.NOT_IN_STATE)
    check_fresh(room, seat)
    if seat.role != "player":
        check_place_for_player(room)
    changed = seat.model_copy(update={"state": SeatState.CHASING, "role": "player"})
    began = this.model_copy(
        update={
            "names": {**this.names, seat.number: seat.name},
            "late": {**this.late, seat.number: max(0, command.now - this.t0)},
        }
    )
    return with_seats(room, changed).model_copy(update={"round": began})


def game_ended(room: Room, event: GameEnded) -> Room:
    """End the game of a player that is over by the rules of the game."""
    seat = seat_of(room, event.seat)
    if round_of(room).n != event.n or not seat.plays:
        return room  # the process that replays the log reports the end a second time
    if not _ended(event.stats.get(seat.number)):
        return room  # a failover has lost the end; the player can go on from there
    return _out(room, seat, SeatState.FINISHED, event.stats, event.now)


def forfeit(room: Room, command: Command[Forfeit]) -> Room:
    """End the game of a player who gives up."""
    seat = seat_of(room, command.seat)
    if not seat.plays:
        raise Refusal(ErrorCode.NOT_RACING)
    return _given_up(room, seat, command)


def leave_race(room: Room, command: Command[Leave]) -> Room:
    """Remove a seat; that of a player of the round stays in the room, for the standings."""
    if room.applicant(command.seat) is not None:
        return without_applicant(room, command.seat)
    seat = seat_of(room, command.seat)
    if seat.number not in round_of(room).names:
        return without(room, command.seat)
    if seat.plays:
        room = _given_up(room, seat, command)
    left = seat_of(room, command.seat).model_copy(
        update={"connection": Presence.GONE, "left_at": command.now, "left": True}
    )
    return without_claim(with_host(with_seats(room, left)), command.seat)


def check_not_won(room: Room, stats: Mapping[int, PlayerStats]) -> None:
    """Check that no ranked player has won the race: a won round belongs to the match.

    `stats` count as well as results: a win may be stored before the room is changed.

    Raises:
        Refusal: a ranked player has won.
    """
    this = round_of(room)
    for number, known in {**stats, **this.results}.items():
        if known.won and number not in this.late:
            raise Refusal(ErrorCode.ROUND_WON)


def end(room: Room, command: Command[End]) -> Room:
    """Set the end of the race, if it would not end sooner."""
    host_only(room, command.seat)
    return _ending_by(room, command.now + command.message.grace_s * 1_000)


def _ending_by(room: Room, t_end: int) -> Room:
    this = round_of(room)
    if this.t_end is not None and this.t_end <= t_end:
        return room
    return room.model_copy(update={"round": this.model_copy(update={"t_end": t_end})})


def ends_at(room: Room) -> int | None:
    """Return when the race ends by itself: at its limit or, without one, if long deserted."""
    t_end = round_of(room).t_end
    if t_end is not None:
        return t_end
    since = deserted_since(room)
    return None if since is None else since + DESERTED_MS


def time_passes(room: Room, event: Tick) -> Room:
    """End games that are over, and at the end of the race all others."""
    room = after_grace(room, event.now, event.timings.grace_ms)
    t_end = ends_at(room)
    for seat in room.players():
        if seat in room.players() and _ended(event.stats.get(seat.number)):
            # The process that stored the last act may have died before it reported the end.
            room = _out(room, seat, SeatState.FINISHED, event.stats, event.now)
    if t_end is None or event.now < t_end or room.state is not RoomState.RUNNING:
        return room
    for seat in room.racers():
        room = _out(room, seat, SeatState.TIMED_OUT, event.stats, t_end)
    return room


def _ended(stats: PlayerStats | None) -> bool:
    return stats is not None and stats.finished_ms is not None


def _given_up(room: Room, seat: Seat, command: Command[Forfeit | Leave]) -> Room:
    """Return the room after a forfeit; a game that is over already counts as finished."""
    this = round_of(room)
    stats, state = command.stats.get(seat.number) or opening_stats(this), SeatState.FINISHED
    if not _ended(stats):
        played_ms = max(0, command.now - this.t0 - this.late.get(seat.number, 0))
        stats, state = stats.model_copy(update={"finished_ms": played_ms}), SeatState.FORFEIT
    return _out(room, seat, state, {**command.stats, seat.number: stats}, command.now)


def _out(
    room: Room, seat: Seat, state: SeatState, stats: Mapping[int, PlayerStats], now: int
) -> Room:
    """Return the room with the result of one player; the last racer ends the round.

    RULES, After the first win: the others then have `after_win_s` seconds, counted from the
    moment at which they can see the win.
    """
    room = _with_result(room, seat, state, stats)
    if not room.racers():
        return _over(room, stats, now)
    this = round_of(room)
    left_s = this.settings.after_win_s
    if left_s is None or seat.number in this.late or not this.results[seat.number].won:
        return room
    return _ending_by(room, now + left_s * 1_000)


def _with_result(
    room: Room, seat: Seat, state: SeatState, stats: Mapping[int, PlayerStats]
) -> Room:
    this = round_of(room)
    result = stats.get(seat.number) or opening_stats(this)
    if state is SeatState.TIMED_OUT and _ended(result):
        state = SeatState.FINISHED
    this = this.model_copy(
        update={
            "results": {**this.results, seat.number: result},
            "states": {**this.states, seat.number: state},
        }
    )
    return with_seats(room, *in_state([seat], state)).model_copy(update={"round": this})


def _over(room: Room, stats: Mapping[int, PlayerStats], now: int) -> Room:
    """End the round, and with it the games of its chasers."""
    for seat in room.players():
        room = _with_result(room, seat, SeatState.TIMED_OUT, stats)
    ended = round_of(room).model_copy(update={"ended": now})
    room = _with_wins(room, ended)
    return without_past_hosts(room).model_copy(
        update={
            "state": RoomState.FINISHED,
            "round": ended,
            "rounds": (*room.rounds, ended)[-ROUNDS_KEPT:],
            "idle_since": now,
        }
    )


def _with_wins(room: Room, ended: Round) -> Room:
    """Return the room with the win of a race counted; one without rivals counts for nobody."""
    places = {row.seat: row.place for row in rank(ended, {}, ended.states) if row.place}
    alone = len(places) == 1
    winners = [seat for seat in room.seats if places.get(seat.number) == 1 and not alone]
    return with_seats(room, *(seat.model_copy(update={"wins": seat.wins + 1}) for seat in winners))
