"""Handlers of commands: most are a change of the room, some need more.

`TAKE_SEAT` and `HANDLERS` name the messages that need more; any other message goes to the
room's table of transitions as a `Command`, and is refused if it has no entry there.
"""

from collections.abc import Callable, Coroutine
from typing import Any

from protocol.from_client import (
    Act,
    Cards,
    Chase,
    ClientMessage,
    Create,
    Forfeit,
    Hint,
    Join,
    Leave,
    Ping,
    Resume,
    Say,
    Watch,
)
from protocol.vocabulary import CloseCode, ErrorCode
from server.live.repository import CreationUnanswered
from server.networks import hashed_networks, is_loopback
from server.rooms.events import Command, Event, SitDown
from server.rooms.identity import Origin, identify
from server.rooms.record import Room, VersionedRoom
from server.rooms.refusal import Refusal
from server.sessions.reports import report_disconnected, report_unanswered
from server.sessions.session import Session
from server.sessions.tokens import draw_token, hash_token, opens
from server.store import NewSeat, StoreAway, StoreFull
from server.views.replies import joined_text, room_text
from server.views.room_messages import RoomMessages

CommandHandler = Callable[[Session, Any], Coroutine[Any, Any, None]]

NO_WAY_IN = {
    ErrorCode.NO_SUCH_ROOM: CloseCode.NO_SUCH_ROOM,
    ErrorCode.ROOM_FULL: CloseCode.FULL,
    ErrorCode.BAD_TOKEN: CloseCode.BAD_TOKEN,
    ErrorCode.BANNED: CloseCode.KICKED,
    ErrorCode.ROOM_LOCKED: CloseCode.NOT_ADMITTED,
    ErrorCode.ONE_SEAT: CloseCode.NOT_ADMITTED,
    ErrorCode.TOO_MANY_SEATS: CloseCode.NOT_ADMITTED,
}
"""Close codes of refusals after which a client need not reconnect by itself."""


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


async def _create(session: Session, message: Create) -> None:
    services = session.services
    if not is_loopback(session.address) and not services.rooms.take(session.address):
        raise Refusal(ErrorCode.TOO_MANY_ROOMS)
    token, generation = draw_token(), services.draw_generation()
    seat = NewSeat(0, hash_token(token), generation)
    origin = Origin(session.address, message.browser)
    networks = hashed_networks(session.address)
    try:
        latest = await services.repository.open(
            message.name,
            message.settings,
            seat.token_hash,
            networks,
            origin,
            generation,
            services.hub.process,
        )
    except CreationUnanswered as error:
        services.hub.spawn(report_unanswered(services, error.code, generation), "gone")
        raise
    session.hold(seat.number, seat.record)
    await _enter(session, latest, token)


async def _join(session: Session, message: Join) -> None:
    services = session.services
    too_fast = not is_loopback(session.address) and not services.joins.take(session.address)
    if too_fast or not services.guesses.may(session.address):
        raise Refusal(ErrorCode.TOO_MANY_JOINS)
    token, generation = draw_token(), services.draw_generation()
    token_hash = hash_token(token)
    origin = Origin(session.address, message.browser)

    def sit_down(room: Room) -> SitDown:
        return SitDown(
            message,
            identify(room.salt, origin),
            services.limits.seats_per_address,
            generation=generation,
            process=services.hub.process,
        )

    try:
        latest = await services.repository.apply(
            message.room, sit_down, token_hash, process=_unlisted(session, message.room)
        )
    except StoreAway as error:
        if not isinstance(error, StoreFull):
            services.hub.spawn(report_unanswered(services, message.room, generation), "gone")
        raise
    except Refusal as refusal:
        if refusal.code is ErrorCode.NO_SUCH_ROOM:
            services.guesses.owe(session.address)
        if refusal.code not in NO_WAY_IN:
            raise
        session.refuse(message, refusal.code)
        session.close(NO_WAY_IN[refusal.code])
        return
    seat = NewSeat(latest.room.seated - 1, token_hash, generation)
    session.hold(seat.number, seat.record)
    await _enter(session, latest, token)


def _unlisted(session: Session, code: str) -> str:
    """Return this process if a room is not in its list yet, as it has no subscribers here."""
    hub = session.services.hub
    return hub.process if hub.latest(code) is None else ""


async def _resume(session: Session, message: Resume) -> None:
    """Take a seat again; a valid token works whatever guesses its address has made."""
    services, code = session.services, message.room
    latest = services.hub.latest(code)
    try:
        if latest is None:
            latest, record = await services.repository.read_with_seat(code, message.seat)
        else:
            record = await services.store.read_seat(code, message.seat)
    except Refusal as refusal:
        _wrong_guess(session, message, refusal.code)
        return
    seat = latest.room.seat(message.seat) or latest.room.applicant(message.seat)
    if record is None or seat is None or not opens(message.token, record.token_hash):
        _wrong_guess(session, message, ErrorCode.BAD_TOKEN)
    elif seat.kicked:
        session.refuse(message, ErrorCode.BAD_TOKEN)
        session.close(CloseCode.KICKED)
    elif not services.returns.take(f"{code} {message.seat}"):
        raise Refusal(ErrorCode.TOO_MANY_JOINS)
    elif not session.closed:  # the owner of a closed socket may have reconnected already
        async with session.missed_chat(message.have):
            await _sit(session, latest, message)


def _wrong_guess(session: Session, message: Resume, code: ErrorCode) -> None:
    """Refuse a wrong code or token, and count it.

    Raises:
        Refusal: the address has made too many guesses; it does not show whether this one is wrong.
    """
    guesses = session.services.guesses
    if not guesses.may(session.address):
        raise Refusal(ErrorCode.TOO_MANY_JOINS)
    guesses.owe(session.address)
    session.refuse(message, code)
    session.close(NO_WAY_IN[code])


async def _sit(session: Session, latest: VersionedRoom, message: Resume) -> None:
    """Take a seat, and report its connection to the room."""
    services, code = session.services, message.room
    await session.take(latest, message.seat, message.tab)
    try:
        # Taking the seat does not change the record, so `latest` need not be read again.
        latest = await services.repository.apply(
            code, session.reconnection(), known=latest, process=_unlisted(session, code)
        )
    except StoreAway:
        lost = report_disconnected(services, code, session.seat, session.generation)
        services.hub.spawn(lost, "gone")
        raise
    await _enter(session, latest, None)


async def _enter(session: Session, latest: VersionedRoom, token: str | None) -> None:
    """Enter the room in which the session holds a seat; `token` is that of a new one."""
    services = session.services
    session.attach(latest)
    view = session.view_json(services.hub.messages(latest))
    now = services.clock.now()
    session.send(joined_text(session.seat, session.role(latest), token, view, now))
    services.hub.update(latest)
    await session.subscribe(latest)


async def _change_room(session: Session, message: ClientMessage) -> None:
    """Apply a message that the room alone decides: see `TRANSITIONS` in `rooms/room.py`."""
    assert not isinstance(message, Act | Hint | Ping), "the handler of the socket answers these"
    await _apply(session, await _command(session, message))


async def _command(session: Session, message: ClientMessage) -> Command[ClientMessage]:
    services = session.services
    now, entropy = await services.store.now(), services.hub.draw_entropy()
    return Command(session.seat, now, entropy, message, timings=services.repository.timings)


async def _apply(session: Session, event: Event | Callable[[Room], Event]) -> None:
    assert session.code is not None, "the session has a seat"
    before = session.v
    session.answer(await session.services.repository.apply(session.code, event), before)


async def _chase(session: Session, message: Chase) -> None:
    await _change_room(session, message)
    session.services.boards.leave(session)


async def _forfeit(session: Session, message: Forfeit) -> None:
    await session.table.settle()
    await _apply(session, session.as_holder(await _command(session, message)))
    session.table.close()


async def _say(session: Session, message: Say) -> None:
    assert session.code is not None, "the session has a seat"
    if not session.may_say():
        raise Refusal(ErrorCode.TOO_MUCH_SAID)
    latest = await session.services.repository.read(session.code)
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
    session.send(RoomMessages(await _read_room(session)).match_text)


async def _read_room(session: Session) -> VersionedRoom:
    """Return the session's room.

    Raises:
        Refusal: the seat waits for the host to admit it.
    """
    assert session.code is not None, "the session has a seat"
    latest = await session.services.repository.read(session.code)
    if session.waits(latest):
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    return latest


async def _leave(session: Session, message: Leave) -> None:
    services, code = session.services, session.code
    assert code is not None, "the session has a seat"
    await session.table.settle()
    leave = await _command(session, message)
    with session.hold_updates():  # the leaving client must not be closed as kicked
        latest = await services.repository.apply(code, session.as_holder(leave))
    await services.hub.leave(code, session)
    session.table.close()
    session.code = None
    services.hub.update(latest)
    session.send(room_text(session.view(latest)))
    session.close(1000)


TAKE_SEAT: dict[type[ClientMessage], CommandHandler] = {
    Create: _create,
    Join: _join,
    Resume: _resume,
}
"""Handlers of the messages by which a socket takes a seat; it has none before."""

HANDLERS: dict[type[ClientMessage], CommandHandler] = {
    Chase: _chase,
    Forfeit: _forfeit,
    Leave: _leave,
    Say: _say,
    Watch: _watch,
    Cards: _send_cards,
}
"""Handlers of the messages of a seat that take more than a change of the room's record."""
