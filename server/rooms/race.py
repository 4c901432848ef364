"""A running race: its results, its boards, and the end of its round. Pure, like `room.py`.

In a window (`window_s`) each player starts once, when they like, with their own clock:

1. The round runs until the window ends, even if nobody plays. It ends sooner if the host says so,
   or once everybody has played and nobody new can enter.
2. A lost connection stops no clock. The tick ends the games whose time is over.
3. The host stays host while disconnected, so that nobody else can end the window.
4. Nobody sees a result until they have finished their own game. So a win or a forfeit changes
   nothing more in the room than any other end of a game, and is never delayed.
"""

from collections.abc import Sequence

from protocol.from_client import Chase, End, Forfeit, Leave, Sign
from protocol.vocabulary import MAX_ROUNDS, ErrorCode, Presence, RoomState, SeatState
from server.rooms import record, seats
from server.rooms.admission import check_one_seat, has_free_seat, without_applicant
from server.rooms.events import Command, GameEnded, Refusal, Tick
from server.rooms.kept import kept_after
from server.rooms.ranking import final_ranking, opening_stats, winners
from server.rooms.record import Outgoing, Room, Round, Seat, Stats, round_of

DESERTED_MS = 12 * 60 * 60 * 1_000
"""A race without a time limit ends this long after the last connection is lost.

Losing the connection does not forfeit: players who go to bed find their race in the morning.
"""

ROUNDS_KEPT = 2 * MAX_ROUNDS  # rounds in a record: enough for the current match and the last one


def chase(room: Room, command: Command[Chase]) -> Room:
    """Let a seat start now on its own clock: ranked in a window, else unranked as a chaser."""
    seat = seats.seat_of(room, command.seat)
    current = round_of(room)
    if not (current.is_window or current.settings.chasers):
        raise Refusal(ErrorCode.NO_CHASERS)
    t_end = current.t_end if current.is_window else None
    if seat.number in current.names or (t_end is not None and command.now_ms >= t_end):
        raise Refusal(ErrorCode.NOT_IN_STATE)
    players = [player for player in room.seats if player.number in current.names]
    check_one_seat(room, seat.identity, players)
    browsers = seat.known_browsers
    if current.is_window and any(browsers & player.known_browsers for player in players):
        raise Refusal(ErrorCode.ONE_SEAT)  # this browser knows the cards
    state = SeatState.RACING if current.is_window else SeatState.CHASING
    changed = seats.as_player(room, seat, state)
    late_ms = current.late_ms | {seat.number: max(0, command.now_ms - current.t0)}
    started = record.with_players(current, changed).replace(late_ms=late_ms)
    return room.with_seats(changed).replace(round=started)


def game_ended(room: Room, event: GameEnded) -> Room:
    """End the game of a seat if its log shows that it is over."""
    seat = seats.seat_of(room, event.seat)
    if round_of(room).n != event.n or not seat.plays:
        return room  # a process that replays the log reports the end a second time
    if not _is_over(event.stats.get(seat.number)):
        return room  # a failover has lost the last act; the player can continue
    return _with_game_ended(room, seat, SeatState.FINISHED, event.stats, event.now_ms)


def forfeit(room: Room, command: Command[Forfeit]) -> Room:
    """End the game of a player who gives up; a `held` forfeit can be taken back for a while."""
    seat = seats.seat_of(room, command.seat)
    message = command.message
    if not seat.plays:
        raise Refusal(ErrorCode.NOT_RACING)
    if message.taken_back:
        return room.with_seats(seat.replace(forfeits_at=None))
    # RULES, Ranking of a round: a dead game counts as played to the end.
    # Computer players never give up: they stop when they see nothing to gain, proven or not.
    if message.dead or seat.is_played_by_bot:
        return _after_forfeit(room, seat, command.stats, command.now_ms, SeatState.FINISHED)
    end = round_of(room).end_of(seat.number)
    is_late = end is not None and command.now_ms >= end
    # In a window a pending forfeit would reveal to other players that the game was not won.
    may_wait = message.held and not (room.has_open_window or is_late)
    if may_wait and not _is_over(command.stats.get(seat.number)):
        # Repeating the forfeit does not delay it further.
        final_at = seat.forfeits_at or command.now_ms + command.timings.forfeit_hold_ms
        return room.with_seats(seat.replace(forfeits_at=final_at))
    return _after_forfeit(room, seat, command.stats, command.now_ms)


def leave_race(room: Room, command: Command[Leave]) -> Room:
    """Remove a seat; seats with a game in the round stay for the standings."""
    if room.applicant(command.seat) is not None:
        return without_applicant(room, command.seat)
    seat = room.seat(command.seat)
    if seat is None or (seat.has_left and seat.is_gone):
        return room
    if seat.number not in round_of(room).names:
        return seats.without_seat(room, command.seat)
    if seat.plays:
        room = _after_forfeit(room, seat, command.stats, command.now_ms)
    leaver = seats.seat_of(room, command.seat)
    leaver = leaver.replace(connection=Presence.GONE, left_at=command.now_ms, has_left=True)
    return seats.without_past_host(seats.with_host(room.with_seats(leaver)), command.seat)


def check_not_won(room: Room, stats: Stats) -> None:
    """Refuse to stop a race that a ranked player has won: that round counts in the match."""
    current = round_of(room)
    # `stats` may contain a win that is already stored, but not yet in the room.
    for number, result in {**stats, **current.results}.items():
        if result.won and current.is_ranked(number):
            raise Refusal(ErrorCode.ROUND_WON)


def end_race(room: Room, command: Command[End]) -> Room:
    """Make the race end after the host's `grace_s`, unless it ends sooner."""
    seats.require_host(room, command.seat)
    if round_of(room).is_todays_race:
        raise Refusal(ErrorCode.NOT_IN_STATE)  # only giving up ends today's race
    return _with_end_at(room, command.now_ms + command.message.grace_s * 1_000)


def sign(room: Room, command: Command[Sign]) -> Room:
    """Name a game of today's race that was started without a name; this works once."""
    seat, played, name = seats.seat_of(room, command.seat), round_of(room), command.message.name
    if not played.nameless or seat.number not in played.names:
        raise Refusal(ErrorCode.NOT_IN_STATE)
    signed = played.replace(names={seat.number: name}, nameless=False)
    is_over = played.ended is not None  # then the board may already have it without a name
    return room.with_seats(seat.replace(name=name)).replace(
        round=signed,
        rounds=tuple(signed if known.n == signed.n else known for known in room.rounds),
        outbox=room.outbox | ({signed.n: Outgoing(due=command.now_ms)} if is_over else {}),
    )


def _with_end_at(room: Room, t_end: int) -> Room:
    """Return the room with its race ending at `t_end` (ms since the epoch), if not sooner."""
    current = round_of(room)
    if current.t_end is not None and current.t_end <= t_end:
        return room
    return room.replace(round=current.replace(t_end=t_end))


def ends_at(room: Room) -> int | None:
    """Return when the race ends on its own (ms since the epoch): see `t_end` and `DESERTED_MS`."""
    t_end, since = round_of(room).t_end, seats.deserted_since(room)
    return t_end if t_end is not None or since is None else since + DESERTED_MS


def deadlines(room: Room) -> list[int | None]:
    """Return when the race, a window's games and pending forfeits end; None if no end is set."""
    playing, current = room.playing(), round_of(room)
    ends = [current.end_of(seat.number) for seat in playing if current.is_window]
    return [ends_at(room), *ends, *(seat.forfeits_at for seat in playing)]


def time_passes(room: Room, event: Tick) -> Room:
    """End all grace periods, games and pending forfeits that are over, or the whole race."""
    room = seats.after_grace(room, event)
    t_end, current = ends_at(room), round_of(room)
    for seat in room.playing():
        # The race would wait forever for a lost computer player, so its game ends with its score.
        # A game can be over without a report: the process that stored its last act may have died.
        # `_with_result` marks it as FINISHED.
        is_lost = seat.is_bot and seat.is_gone
        end = current.end_of(seat.number) if current.is_window else None
        is_ended = is_lost or (end is not None and end <= event.now_ms)
        # An earlier result in this loop may have ended the round, and with it this game.
        if seat in room.playing() and (is_ended or _is_over(event.stats.get(seat.number))):
            room = _with_game_ended(room, seat, SeatState.TIMED_OUT, event.stats, event.now_ms)
    until = event.now_ms if t_end is None else min(event.now_ms, t_end)
    # A late tick may end several forfeited games, in the order of the forfeits.
    for seat in sorted(room.playing(), key=lambda seat: seat.forfeits_at or 0):
        if seat in room.playing() and seat.forfeits_at is not None and seat.forfeits_at <= until:
            room = _after_forfeit(room, seat, event.stats, seat.forfeits_at)
    if t_end is None or event.now_ms < t_end or room.state is not RoomState.RUNNING:
        return room
    for seat in room.racers():
        room = _with_game_ended(room, seat, SeatState.TIMED_OUT, event.stats, t_end)
    # The last racer's end has ended the round, unless it is a window.
    return _with_round_ended(room, event.stats, t_end) if room.has_open_window else room


def with_window_ended(room: Room, now_ms: int) -> Room:
    """End an open window if nobody is left who could still start a game in it."""
    if not room.has_open_window or room.playing() or room.waiting:
        return room
    # With a free seat newcomers may still become players, and so may spectators.
    has_seat, played = has_free_seat(room, player=True), round_of(room).names
    if has_seat and not room.settings.locked:
        return room
    unplayed = (seat for seat in room.seats if seat.number not in played)
    may_start = any(seat.role == "player" or has_seat for seat in unplayed)
    return room if may_start else _with_round_ended(room, {}, now_ms)


def _is_over(stats: record.PlayerStats | None) -> bool:
    return stats is not None and stats.finished_ms is not None


def _after_forfeit(
    room: Room, seat: Seat, stats: Stats, now_ms: int, state: SeatState = SeatState.FORFEIT
) -> Room:
    """Return the room after a forfeit: the game ends in `state`, unless it was over before."""
    current = round_of(room)
    result = stats.get(seat.number) or opening_stats(current)
    end = current.end_of(seat.number)
    if _is_over(result):
        state = SeatState.FINISHED
    elif end is not None and now_ms >= end:  # no tick has ended the game yet
        state, now_ms = SeatState.TIMED_OUT, end
    else:
        late_ms = current.late_ms.get(seat.number, 0)  # of players with their own clock
        result = result.replace(finished_ms=max(0, now_ms - current.t0 - late_ms))
    return _with_game_ended(room, seat, state, {**stats, seat.number: result}, now_ms)


def _with_game_ended(room: Room, seat: Seat, state: SeatState, stats: Stats, now_ms: int) -> Room:
    """Return the room with a seat's result; except in a window, the last racer ends the round."""
    room = _with_result(room, seat, state, stats, now_ms)
    if room.has_open_window:
        return room  # others may still start
    if not room.racers():
        return _with_round_ended(room, stats, now_ms)
    current = round_of(room)
    after_s = current.settings.after_win_s  # RULES, After the first win: how long others have
    is_win = current.results[seat.number].won and current.is_ranked(seat.number)
    return _with_end_at(room, now_ms + after_s * 1_000) if is_win and after_s is not None else room


def _with_result(room: Room, seat: Seat, state: SeatState, stats: Stats, now_ms: int) -> Room:
    """Return the room with a seat's final state, and with its result from `stats`."""
    current = round_of(room)
    result = stats.get(seat.number) or opening_stats(current)
    if state is SeatState.TIMED_OUT and _is_over(result):
        state = SeatState.FINISHED
    elif state is SeatState.TIMED_OUT and seat.forfeits_at is not None:
        state = SeatState.FORFEIT  # the race ends before the forfeit is final
    results = current.results | {seat.number: result}
    states = current.states | {seat.number: state}
    room = room.with_seats(seat.without_stand_in(now_ms).in_state(state))
    return room.replace(round=current.replace(results=results, states=states))


def _with_round_ended(room: Room, stats: Stats, now_ms: int) -> Room:
    """Return the room after the end of its round, which also ends the games of chasers."""
    for seat in room.playing():
        room = _with_result(room, seat, SeatState.TIMED_OUT, stats, now_ms)
    ended = round_of(room).replace(ended=now_ms)
    room = _with_wins(room, ended)
    rounds = _rounds_to_keep(room, ended)
    bots = (seat for seat in room.seats if seat.is_bot)  # they always want the next race
    return room.with_seats(*(bot.in_state(SeatState.READY) for bot in bots)).replace(
        state=RoomState.FINISHED,
        round=ended,
        rounds=rounds,
        kept=kept_after(room, ended, rounds),
        outbox=room.outbox | ({ended.n: Outgoing(due=now_ms)} if ended.is_todays_race else {}),
        plays_again=False,
        past_hosts=seats.lasting_hosts(room),
        idle_since=now_ms,
    )


def _rounds_to_keep(room: Room, ended: Round) -> tuple[Round, ...]:
    """Return the rounds that stay in the record: the latest, and all that count in the match."""
    rounds = (*room.rounds, ended)
    counted = {played.n for played in room.replace(rounds=rounds).counted_rounds()}
    spare = [played.n for played in rounds if played.n not in counted]
    dropped = set(spare[: max(0, len(rounds) - ROUNDS_KEPT)])  # the earliest
    return tuple(played for played in rounds if played.n not in dropped)


def _with_wins(room: Room, ended: Round) -> Room:
    """Count a win for each winning person, if at least two were ranked (RULES, Wins)."""
    rows = final_ranking(ended).rows
    people = {seat.number for seat in room.seats if not seat.is_bot}
    ranked = sum(row.place is not None and row.seat in people for row in rows)
    won = people.intersection(winners(rows)) if ranked > 1 else ()
    winning = (seat for seat in room.seats if seat.number in won)
    return room.with_seats(*(seat.replace(wins=seat.wins + 1) for seat in winning))


# Which boards a seat may see, and when (RULES, What a spectator or an opponent may know).


def check_watching(room: Room, watcher: int, boards: Sequence[int]) -> None:
    """Refuse if the room does not show all of these boards to this seat.

    All players of a round have the same deal, so players who can still act see no other board. In
    an open window, only players whose game is over see boards, and only boards of finished games.
    Once the round is over everybody sees all boards.
    """
    if not boards:
        return
    played, is_running = room.round, room.state is RoomState.RUNNING
    if played is None or not (is_running or room.state is RoomState.FINISHED):
        raise Refusal(ErrorCode.NOT_IN_STATE)
    is_barred = watcher in played.names and watcher not in played.results
    if room.has_open_window:
        is_barred = not sees_results(room, watcher) or any(
            board in played.names and board not in played.results for board in boards
        )
    if is_running and (played.settings.spectate != "boards" or is_barred):
        raise Refusal(ErrorCode.BOARDS_ARE_HIDDEN)
    if any(board not in played.names for board in boards):
        raise Refusal(ErrorCode.NO_SUCH_SEAT)


def sees_results(room: Room, seat: int) -> bool:
    """Return whether a seat may see results: in an open window, only once its own game is over."""
    return not room.has_open_window or seat in round_of(room).results


def is_undelayed(room: Room, watcher: int) -> bool:
    """Return whether a seat sees boards without delay: its own game is over, or the round is.

    A seat with a result cannot act any more: the store refuses its acts. Chasers and spectators
    see boards late, because they could help players who still race.
    """
    played = round_of(room)
    is_chaser = watcher in played.late_ms and not played.is_window  # in a window all start late
    is_over = watcher in played.results and not is_chaser
    return room.state is RoomState.FINISHED or is_over


def horizon_ms(room: Room, now_ms: int, *, delayed: bool) -> float:
    """Return how far into the round boards may show (ms since t0); `delayed` boards lag behind."""
    played = round_of(room)
    if room.state is RoomState.FINISHED:
        return float("inf")
    delay_s = played.settings.board_delay_s if delayed else 0
    return now_ms - played.t0 - delay_s * 1_000
