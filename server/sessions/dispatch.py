"""Handlers of commands: most are a change of the room, some need more.

`HANDLERS` names the messages that need more, `TAKE_SEAT` in `seating.py` those by which a socket
takes a seat. Any other message goes to the room's table of transitions as a `Command`, and is
refused if it has no entry there.
"""

from collections.abc import Callable

from protocol.from_client import (
    Act,
    Cards,
    Chase,
    ClientMessage,
    Forfeit,
    Hint,
    Leave,
    Ping,
    Say,
    Watch,
)
from protocol.vocabulary import ErrorCode
from server.rooms.events import Command, Event
from server.rooms.record import Room, VersionedRoom
from server.rooms.refusal import Refusal
from server.sessions.seat_table import SeatTable
from server.sessions.seating import TAKE_SEAT, CommandHandler
from server.sessions.session import Session
from server.sessions.table import LiveTable
from server.views.replies import room_text


async def dispatch(session: Session, message: ClientMessage) -> None:
    """Handle a message and send the reply; `Handler` answers acts, hints and pings of seats.

    Raises:
        Refusal: the message is refused, with a code for the client.
        Replaced: a newer connection has the seat, and the message is dropped.
        StoreAway: the store does not answer.
    """
    take_seat = TAKE_SEAT.get(type(message))
    if take_seat is not None and session.code is not None:
        raise Refusal(ErrorCode.ALREADY_JOINED)
    if take_seat is None and session.code is None:
        raise Refusal(ErrorCode.NOT_JOINED)
    handle = take_seat or HANDLERS.get(type(message), _change_room)
    await handle(session, message)


async def _change_room(session: Session, message: ClientMessage) -> None:
    """Apply a message that the room alone decides: see `TRANSITIONS` in `rooms/room.py`."""
    assert not isinstance(message, Act | Hint | Ping), "the handler of the socket answers these"
    await _apply(session, session.holding.event(await _command(session, message)))


async def _command(session: Session, message: ClientMessage) -> Command[ClientMessage]:
    services = session.services
    now, entropy = await services.store.now(), services.hub.draw_entropy()
    return Command(session.seat, now, entropy, message, timings=services.repository.timings)


async def _apply(session: Session, event: Event | Callable[[Room], Event]) -> None:
    assert session.code is not None, "the session has a seat"
    before = session.v
    session.answer(await session.services.repository.apply(session.code, event), before)


async def settle(table: SeatTable | LiveTable) -> None:
    """Return when no act is in flight to the store; cancelling changes nothing."""
    while (settled := table.settled) is not None:
        await settled.wait()


async def _chase(session: Session, message: Chase) -> None:
    await _change_room(session, message)
    session.services.boards.leave(session)


async def _forfeit(session: Session, message: Forfeit) -> None:
    await settle(session.table)
    await _change_room(session, message)
    session.table.close()


async def _say(session: Session, message: Say) -> None:
    assert session.code is not None, "the session has a seat"
    if not session.may_say():
        raise Refusal(ErrorCode.TOO_MUCH_SAID)
    latest = await session.services.repository.read(session.code)
    session.holding.check(latest.room)
    seat = latest.room.seat(session.seat)
    if seat is None:
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    await session.services.repository.say(session.code, seat, message)
    session.services.hub.reread(session.code)


async def _watch(session: Session, message: Watch) -> None:
    latest = await _read_room(session)
    if message.boards is not None:
        session.services.boards.watch(latest, session, message.boards)
    session.send(await session.services.hub.standings_text(latest))


async def _send_cards(session: Session, _message: Cards) -> None:
    session.send(session.services.hub.messages(await _read_room(session)).match_text)


async def _read_room(session: Session) -> VersionedRoom:
    """Return the session's room.

    Raises:
        Refusal: the seat waits for the host to admit it.
        Replaced: a newer connection has the seat.
    """
    assert session.code is not None, "the session has a seat"
    latest = await session.services.repository.read(session.code, session.latest())
    session.holding.check(latest.room)
    if session.waits(latest):
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    return latest


async def _leave(session: Session, message: Leave) -> None:
    services, code = session.services, session.code
    assert code is not None, "the session has a seat"
    await settle(session.table)
    leave = await _command(session, message)
    with session.hold_updates():  # the leaving client must not be closed as kicked
        latest = await services.repository.apply(code, session.holding.event(leave))
    await services.hub.leave(code, session)
    session.table.close()
    session.code = None
    services.hub.update(latest)
    session.send(room_text(session.view(latest)))
    session.close(1000)


HANDLERS: dict[type[ClientMessage], CommandHandler] = {
    Chase: _chase,
    Forfeit: _forfeit,
    Leave: _leave,
    Say: _say,
    Watch: _watch,
    Cards: _send_cards,
}
"""Handlers of the messages of a seat that take more than a change of the room's record."""
