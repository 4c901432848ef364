"""Changes of a room's settings by its host. Pure, like the room."""

from protocol.from_client import Choose, Configure
from protocol.settings import ABOUT_PEOPLE, Settings
from protocol.vocabulary import ErrorCode, SeatState
from server.rooms.default_settings import complete
from server.rooms.events import Command
from server.rooms.match_card import may_be_played_again, next_game, numbers, open_games
from server.rooms.record import Room, stored_settings
from server.rooms.refusal import Refusal
from server.rooms.rounds import clash_in
from server.rooms.seats import host_only, unready_state, with_seats


def checked(chosen: Settings) -> Settings:
    """Return complete settings that go together.

    Raises:
        Refusal: they exclude each other.
    """
    settings = complete(chosen)
    clash = clash_in(settings)
    if clash is not None:
        raise Refusal(ErrorCode.BAD_SETTINGS, clash)
    return settings


def configure(room: Room, command: Command[Configure]) -> Room:
    """Replace the settings of a lobby; other rules make ready players confirm again."""
    host_only(room, command.seat)
    settings = stored_settings(checked(command.message.settings), before=room.settings)
    if not _same_rules(room.settings, settings):
        room = _unready(room)
    return room.model_copy(update={"settings": settings})


def _unready(room: Room) -> Room:
    """Return the room with no person ready: they agreed to another game."""
    ready = [seat for seat in room.seats if seat.state is SeatState.READY and not seat.is_bot]
    return with_seats(
        room, *(seat.model_copy(update={"state": unready_state(room, seat)}) for seat in ready)
    )


def choose(room: Room, command: Command[Choose]) -> Room:
    """Choose the next game of the match; of the DOS card also one that is played already."""
    host_only(room, command.seat)
    game = command.message.game
    again = may_be_played_again(room, game)
    if game in numbers(room.played()) and not again:
        raise Refusal(ErrorCode.GAME_PLAYED)
    if game not in open_games(room) and not again:
        raise Refusal(ErrorCode.NO_SUCH_GAME)
    if game == next_game(room):
        return room
    return _unready(room).model_copy(update={"chosen_game": game, "plays_again": again})


def _same_rules(before: Settings, after: Settings) -> bool:
    people = {name: getattr(before, name) for name in ABOUT_PEOPLE}
    return after.model_copy(update=people) == before


def configure_people(room: Room, command: Command[Configure]) -> Room:
    """Replace the settings about people; the rules of a round that has begun are fixed."""
    host_only(room, command.seat)
    settings = stored_settings(checked(command.message.settings), before=room.settings)
    if not _same_rules(room.settings, settings):
        raise Refusal(ErrorCode.NOT_IN_STATE)
    return room.model_copy(update={"settings": settings})
