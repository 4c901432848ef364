"""A room between races: opening it, its settings, starting a race and returning to the lobby.

Pure, like `room.py`.
"""

from typing import Any

from protocol.from_client import Abort, Choose, Configure, NextRound, Ready, Rematch, Start
from protocol.settings import ABOUT_PEOPLE, Settings
from protocol.vocabulary import HIGHEST_ROUND, HOST_WAIT_S, ErrorCode, RoomState, SeatState
from server.rooms import record, seats
from server.rooms.deals import draw_deal
from server.rooms.events import Command, Refusal, Tick
from server.rooms.race import check_not_won
from server.rooms.record import DealRecord, Room, Round, Seat, round_of
from server.rooms.settings import clash_in, complete


def open_room(code: str, name: str, settings: Settings, salt: str = "", **fields: Any) -> Room:
    """Return a new room with only its host, `name`; refuse settings that clash.

    `salt` is for the hashes that identify people, `fields` are further fields of the host's seat.
    """
    host = Seat(number=0, name=name, role="player", state=SeatState.SEATED, **fields)
    stored = record.stored_settings(valid_settings(settings))
    return Room(code=code, settings=stored, host=0, seats=(host,), numbers_given=1, salt=salt)


def valid_settings(chosen: Settings) -> Settings:
    """Fill in the settings that were left open; refuse settings that clash."""
    settings = complete(chosen)
    if (clash := clash_in(settings)) is not None:
        raise Refusal(ErrorCode.BAD_SETTINGS, clash)
    return settings


def configure(room: Room, command: Command[Configure]) -> Room:
    """Replace the settings. If the rules change, ready players have to confirm again.

    Outside of the lobby only settings about people can be changed.
    """
    seats.require_host(room, command.seat)
    if room.is_sealed:
        raise Refusal(ErrorCode.NOT_IN_STATE)  # unlocked, it would show newcomers a secret deal
    chosen = valid_settings(command.message.settings)
    settings = record.stored_settings(chosen, before=room.settings)
    people = {name: getattr(room.settings, name) for name in ABOUT_PEOPLE}
    if settings.model_copy(update=people) != room.settings:  # not only these have changed
        if room.state is not RoomState.LOBBY:
            raise Refusal(ErrorCode.NOT_IN_STATE)
        room = _unready(room)
    return room.replace(settings=settings)


def _unready(room: Room) -> Room:
    """Make all people not ready, since the game that they agreed to has changed."""
    ready = [seat for seat in room.seats if seat.state is SeatState.READY and not seat.is_bot]
    return room.with_seats(*(seat.replace(state=_unready_state(room, seat)) for seat in ready))


def _unready_state(room: Room, seat: Seat) -> SeatState:
    """Return the state of a seat that is not ready: after a race, how its game ended."""
    if room.state is not RoomState.FINISHED or room.round is None:
        return SeatState.SEATED
    return room.round.states.get(seat.number, SeatState.WATCHING)


def choose(room: Room, command: Command[Choose]) -> Room:
    """Let the host choose the match's next game; some matches may repeat a finished game."""
    seats.require_host(room, command.seat)
    game = command.message.game
    is_repeat = record.may_be_played_again(room, game)
    if game in record.played_games(room) and not is_repeat:
        raise Refusal(ErrorCode.GAME_PLAYED)
    if game not in record.open_games(room) and not is_repeat:
        raise Refusal(ErrorCode.NO_SUCH_GAME)
    if game == record.next_game(room):
        return room
    return _unready(room).replace(chosen_game=game, plays_again=is_repeat)


def set_ready(room: Room, command: Command[Ready]) -> Room:
    """Make a player ready or not; once everybody is ready, the countdown starts."""
    room = _with_wish(room, command.seat, wanted=command.message.ready)
    return start_if_all_ready(room, command)


def _with_wish(room: Room, number: int, *, wanted: bool) -> Room:
    """Note whether a seat wants the next race; a spectator then becomes a player."""
    seat = seats.seat_of(room, number)
    if seat.role == "spectator" and not wanted:
        raise Refusal(ErrorCode.NOT_A_PLAYER)
    state = SeatState.READY if wanted else _unready_state(room, seat)
    return room.with_seats(seats.as_player(room, seat, state))


def start_if_all_ready(room: Room, event: Command[Any] | Tick) -> Room:
    """Start the countdown if all present players are ready: two or more, one of them a person.

    Only the host opens a window, since people who are away now may play too.
    """
    present = _present(room)
    can_race = len(present) > 1 and not all(seat.is_bot for seat in present)
    may_start = can_race and room.settings.window_s is None and not _not_ready(room)
    return count_down(room, event) if may_start else room


def _present(room: Room) -> list[Seat]:
    """Return the players who are connected or in grace."""
    return [seat for seat in room.seats if seat.role == "player" and not seat.is_gone]


def _not_ready(room: Room) -> list[Seat]:
    """Return the present players who are not ready."""
    return [seat for seat in _present(room) if seat.state is not SeatState.READY]


def start(room: Room, command: Command[Start]) -> Room:
    """Start the countdown for the host; after a race the others first get some time to react.

    A window (each player starts when they like) opens at once, even if nobody is ready.
    `again` repeats the deal of an aborted practice.
    """
    host = seats.require_host(room, command.seat)
    if room.settings.window_s is not None:
        return count_down(room, command)
    others = [seat for seat in _not_ready(room) if seat.number != host.number]
    ended = None if room.round is None else room.round.ended
    if ended is not None and others and command.now_ms < ended + HOST_WAIT_S * 1_000:
        raise Refusal(ErrorCode.NOT_IN_STATE)
    if host.role == "player":  # a host who starts is ready
        room = room.with_seats(host.in_state(SeatState.READY))
    if not is_anybody_ready(room):
        raise Refusal(ErrorCode.NOBODY_READY)
    aborted = room.aborted if command.message.again else None
    if aborted is None or aborted.settings != room.settings:
        return count_down(room, command)
    return count_down(room, command, aborted.deal, cards=aborted.cards, secret=aborted.secret)


def opens_at(room: Room) -> int | None:
    """Return when a match opens its next window (ms since the epoch): when the last one ended.

    Nobody has to be there, but somebody must have a seat. The host can stop the match by aborting
    the window before anybody has started, which opens the lobby.
    """
    last, people = room.round, (seat for seat in room.seats if not (seat.is_bot or seat.has_left))
    if room.state is not RoomState.FINISHED or last is None or not last.is_window:
        return None
    is_over = record.next_game(room) is None or room.rounds_started >= HIGHEST_ROUND
    return None if is_over or not any(people) else last.ended


def is_anybody_ready(room: Room) -> bool:
    """Return whether a person is ready; computer players do not race alone."""
    return any(seat.state is SeatState.READY for seat in room.seats if not seat.is_bot)


def start_with_cards(room: Room, now_ms: int, deal: DealRecord, **round_fields: Any) -> Room:
    """Start the round of a new room for one player; `round_fields` are more fields of it."""
    ready = room.with_seats(*(seat.in_state(SeatState.READY) for seat in room.seats))
    return count_down(ready, Tick(now_ms), deal, **round_fields)


def count_down(
    room: Room, event: Command[Any] | Tick, deal: DealRecord | None = None, **round_fields: Any
) -> Room:
    """Start the countdown to a new round, with new cards unless a `deal` is given.

    `round_fields` are more fields of the round. Practice and windows start at once, but today's
    race has a countdown.
    """
    had_todays_race = any(played.is_todays_race for played in room.known_rounds)
    if room.rounds_started >= HIGHEST_ROUND or had_todays_race:  # no round may follow today's race
        raise Refusal(ErrorCode.NOT_IN_STATE)
    if room.state is RoomState.FINISHED:
        room = _for_next_race(room)
        if not (room.settings.window_s or is_anybody_ready(room)):
            # Nobody who is connected wants the race. Without racers it would never end.
            raise Refusal(ErrorCode.NOBODY_READY)
    room = _in_unfinished_match(room)
    window_s = room.settings.window_s
    is_todays_race = bool(round_fields.get("key"))  # as in `Round.is_todays_race`
    is_at_once = (room.settings.is_practice and not is_todays_race) or window_s is not None
    t0 = event.now_ms if is_at_once else event.now_ms + event.timings.countdown_ms
    limit_s = window_s or room.settings.time_limit_s
    n = room.rounds_started + 1
    game = record.next_game(room)
    assert game is not None, "a match that is not over has a game to play"
    if deal is None:
        assert event.entropy is not None, "an event that may start a round brings entropy"
        deal = draw_deal(room.settings, event.entropy, game - 1)
    new = Round(
        n=n,
        match=room.match,
        game=game,
        repeats=game in record.played_games(room),
        settings=room.settings,
        deal=deal,
        t0=t0,
        t_end=None if limit_s is None else t0 + limit_s * 1_000,
        **round_fields,
    )
    counting = room.replace(
        state=RoomState.COUNTDOWN,
        round=new,
        rounds_started=n,
        past_hosts=seats.lasting_hosts(room),
        aborted=None,
        idle_since=None,
    )
    tick = Tick(event.now_ms, timings=event.timings)
    return count_down_over(counting, tick) if is_at_once else counting


def _for_next_race(room: Room) -> Room:
    """Return the room for the next race: only present players who want it stay ready.

    Disconnected players keep their seats and watch, since they would hold up the race.
    Disconnected computer players lose their seats.
    """
    ready = {seat.number for seat in _present(room) if seat.state is SeatState.READY}
    room = seats.without_lost_bots(room)
    staying = [seat for seat in room.seats if not (seat.has_left or seat.was_kicked)]
    others = (seat for seat in staying if seat.number not in ready)
    unready = (seat.replace(state=_state_in_lobby(seat)) for seat in others)
    return room.replace(seats=tuple(staying)).with_seats(*unready)


def _state_in_lobby(seat: Seat) -> SeatState:
    if seat.is_bot:
        return SeatState.READY
    return SeatState.SEATED if seat.role == "player" else SeatState.WATCHING


def _in_unfinished_match(room: Room) -> Room:
    """Start a new match if all games of the current one are played."""
    if record.next_game(room) is not None:
        return room
    return room.replace(match=room.match + 1, chosen_game=None)


def abort(room: Room, command: Command[Abort]) -> Room:
    """Stop the countdown, or a race that no ranked player has won."""
    seats.require_host(room, command.seat)
    played, bots = round_of(room), {seat.number for seat in room.seats if seat.is_bot}
    # Once a person has started playing in a window, it cannot be stopped at all. A refusal only
    # after a win would give the win away.
    if room.has_open_window and not bots.issuperset(played.names):
        raise Refusal(ErrorCode.NOT_IN_STATE)
    if played.is_todays_race:
        raise Refusal(ErrorCode.NOT_IN_STATE)  # it can be played only once
    check_not_won(room, command.stats)
    # Only practice may be dealt again (see `start`), so that nobody else races on known cards.
    # Check the round's own settings, since the room's may have changed.
    return to_lobby(room).replace(aborted=played if played.settings.is_practice else None)


def to_lobby(room: Room) -> Room:
    """Return the room in its lobby, with all players seated."""
    owners = (seat.without_stand_in(seat.left_at) for seat in room.seats)
    seated = tuple(seat.in_state(_state_in_lobby(seat)) for seat in owners)
    return room.replace(state=RoomState.LOBBY, round=None, seats=seated, idle_since=None)


def count_down_over(room: Room, event: Tick) -> Room:
    """Start the race at t0: ready players race, all other seats watch.

    In a window only computer players start now; people start when they like.
    """
    room = seats.after_grace(room, event)
    if event.now_ms < round_of(room).t0:
        return room
    ready = [seat for seat in room.seats if seat.state is SeatState.READY]
    if round_of(room).is_window:
        ready = [seat for seat in ready if seat.is_bot]
    racers = [seat.replace(state=SeatState.RACING) for seat in ready]
    all_watching = tuple(seat.replace(state=SeatState.WATCHING) for seat in room.seats)
    started = record.with_players(round_of(room), *racers)
    room = room.replace(state=RoomState.RUNNING, seats=all_watching, round=started)
    return room.with_seats(*racers)


def next_round(room: Room, command: Command[NextRound]) -> Room:
    """Open the lobby for the next round of the match, or for a new match."""
    seats.require_host(room, command.seat)
    room = to_lobby(_in_unfinished_match(room))
    if room.settings.window_s is not None or room.kept is not None:  # absent people will return
        room = seats.without_lost_bots(room)
        staying = [seat for seat in room.seats if not (seat.has_left or seat.was_kicked)]
    else:  # seats without a connection would hold up the next round
        staying = [seat for seat in room.seats if not seat.is_gone]
    return room.replace(seats=tuple(staying))


def rematch(room: Room, command: Command[Rematch]) -> Room:
    """Note whether a seat wants the next race; start it if the player is alone or all want it."""
    wanted = command.message.wanted
    room = _with_wish(room, command.seat, wanted=wanted)
    others = (seat for seat in room.seats if seat.role == "player" and seat.number != command.seat)
    # A player who has left does not count as a rival until they are back.
    has_rivals = any(not (seat.has_left and seat.is_gone) for seat in others)
    if wanted and not has_rivals and room.settings.window_s is None:
        return count_down(room, command)
    return start_if_all_ready(room, command)
