from typing import get_args

from protocol.from_client import Act, ClientMessage, Hint, Ping
from server.rooms.room import TRANSITIONS
from server.sessions.dispatch import HANDLERS
from server.sessions.seating import TAKE_SEAT


def test_every_message_has_a_handler_or_a_transition() -> None:
    messages = set(get_args(ClientMessage))
    answered_by_handler = {Act, Hint, Ping}
    of_rooms = {type_ for _, type_ in TRANSITIONS if type_ in messages}
    assert messages - answered_by_handler == {*TAKE_SEAT, *HANDLERS, *of_rooms}
