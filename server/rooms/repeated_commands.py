"""Commands that are repeated because their answer was lost. Pure, like the room.

Law: a command that the room refuses is answered with the room as it is, if the room shows that it
was done before. `IS_DONE` has an entry for each command of `TRANSITIONS` in `room.py`. A command
that the room does not refuse is applied, and changes nothing if it is repeated.
"""

from collections.abc import Callable
from typing import Any

from protocol.from_client import (
    Abort,
    AddBot,
    AddStandIn,
    Admit,
    Chase,
    Choose,
    ClientMessage,
    Configure,
    End,
    Forfeit,
    Kick,
    Leave,
    NextRound,
    Ready,
    Rematch,
    Start,
    TakeColour,
)
from protocol.vocabulary import RoomState, SeatState
from server.rooms.colours import colour_of
from server.rooms.computer_players import bot_of
from server.rooms.events import Command
from server.rooms.record import Room

HAS_BEGUN = {RoomState.COUNTDOWN, RoomState.RUNNING}
"""States of a room that has left the lobby, or the results of its latest round."""


def is_done(room: Room, command: Command[Any]) -> bool:
    """Return whether the room shows that a command, which it refuses, was done before."""
    return IS_DONE[type(command.message)](room, command)


def _takes_part(room: Room, command: Command[Ready | Rematch]) -> bool:
    """Return whether a round has begun with the player, or without, as the command says."""
    message = command.message
    seat = room.seat(command.seat)
    if room.state not in HAS_BEGUN or seat is None or seat.role != "player":
        return False
    wanted = message.ready if isinstance(message, Ready) else message.wanted
    return (seat.state in {SeatState.READY, SeatState.RACING}) is wanted


def _is_started(room: Room, command: Command[Start]) -> bool:
    attempt = command.message.attempt
    was_started = room.state in HAS_BEGUN or (attempt != "" and attempt == room.start_attempt)
    return room.host == command.seat and was_started


def _is_aborted(room: Room, command: Command[Abort]) -> bool:
    return room.host == command.seat and _is_in_lobby_after(room, has_result=False)


def _is_next_round(room: Room, command: Command[NextRound]) -> bool:
    return room.host == command.seat and _is_in_lobby_after(room, has_result=True)


def _is_in_lobby_after(room: Room, *, has_result: bool) -> bool:
    """Return whether the room is in the lobby after a round, which has a result or was aborted."""
    if room.state is not RoomState.LOBBY or not room.rounds_started:
        return False
    latest_result = room.rounds[-1].n if room.rounds else 0
    return (latest_result == room.rounds_started) is has_result


def _is_ended(room: Room, command: Command[End]) -> bool:
    return room.host == command.seat and room.state is RoomState.FINISHED


def _is_chosen(room: Room, command: Command[Choose]) -> bool:
    begun = room.round if room.state in HAS_BEGUN else None
    return room.host == command.seat and begun is not None and begun.game == command.message.game


def _is_removed(room: Room, command: Command[Kick]) -> bool:
    seat, ban = command.message.seat, command.message.ban
    is_kicked = room.kicked_last == seat and (room.banned_last == seat or not ban)
    return room.host == command.seat and is_kicked


def _is_added(room: Room, command: Command[AddBot]) -> bool:
    return room.host == command.seat and bot_of(room, command.message.attempt) is not None


def _has_stood_in(room: Room, command: Command[AddStandIn]) -> bool:
    """Return whether a stand-in has played in the round, and the round is over."""
    played = room.round if room.state is RoomState.FINISHED else None
    has_played = played is not None and command.message.seat in played.stand_ins
    return room.host == command.seat and has_played


def _is_admitted(room: Room, command: Command[Admit]) -> bool:
    seat = room.seat(command.message.seat)
    return room.host == command.seat and seat is not None and seat.was_admitted


def _is_chasing(room: Room, command: Command[Chase]) -> bool:
    """Return whether the seat chases; the end of the round ends the games of all chasers."""
    seat = room.seat(command.seat)
    if room.state is RoomState.FINISHED:
        return room.round is not None and command.seat in room.round.late_ms
    return seat is not None and seat.state is SeatState.CHASING


def _has_forfeited(room: Room, command: Command[Forfeit]) -> bool:
    """Return whether the game of the seat is over: a forfeit leaves a finished one as it is."""
    is_on = room.state in {RoomState.RUNNING, RoomState.FINISHED}
    if room.round is None or not is_on or command.message.taken_back:
        return False
    return command.seat in room.round.results


def _has_left(room: Room, command: Command[Leave]) -> bool:
    return room.seat(command.seat) is None and room.applicant(command.seat) is None


def _has_colour(room: Room, command: Command[TakeColour]) -> bool:
    seat = room.seat(command.seat)
    return seat is not None and colour_of(seat) == command.message.colour


def _never_refused(_room: Room, _command: Command[Configure]) -> bool:
    """Return False: settings that the room has already are refused to nobody but a former host."""
    return False


IS_DONE: dict[type[ClientMessage], Callable[[Room, Command[Any]], bool]] = {
    Abort: _is_aborted,
    AddBot: _is_added,
    AddStandIn: _has_stood_in,
    Admit: _is_admitted,
    Chase: _is_chasing,
    Choose: _is_chosen,
    Configure: _never_refused,
    End: _is_ended,
    Forfeit: _has_forfeited,
    Kick: _is_removed,
    Leave: _has_left,
    NextRound: _is_next_round,
    Ready: _takes_part,
    Rematch: _takes_part,
    Start: _is_started,
    TakeColour: _has_colour,
}
