"""The ways into a seat and out of it: a new one, one's own again, and a lost connection."""

from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from protocol.from_client import ClientMessage, Create, Join, Resume
from protocol.vocabulary import CloseCode, ErrorCode, Presence
from server.live.repository import ChangeUnanswered
from server.networks import hashed_networks, is_loopback
from server.rooms.admission import ClientOrigin, identify, seat_of_attempt
from server.rooms.events import Refusal, SitDown
from server.rooms.record import Room, Seat, VersionedRoom
from server.rooms.seats import latest_number
from server.sessions.seat_holder import SeatHolder, Session
from server.sessions.services import Services, report_disconnected, report_unanswered
from server.sessions.taken_seat import (
    TakenSeat,
    hash_attempt,
    hash_token,
    opens,
    token_of,
)
from server.store import NewSeat, SeatRecord, StoreAway
from server.views.replies import joined_text

SeatingHandler = Callable[[Session, Any], Coroutine[Any, Any, None]]

log = structlog.get_logger()

NO_WAY_IN = {
    ErrorCode.NO_SUCH_ROOM: CloseCode.NO_SUCH_ROOM,
    ErrorCode.ROOM_FULL: CloseCode.FULL,
    ErrorCode.BAD_TOKEN: CloseCode.BAD_TOKEN,
    ErrorCode.BANNED: CloseCode.KICKED,
    ErrorCode.ROOM_LOCKED: CloseCode.NOT_ADMITTED,
    ErrorCode.NO_PROGRAMS: CloseCode.NOT_ADMITTED,
    ErrorCode.ONE_SEAT: CloseCode.NOT_ADMITTED,
    ErrorCode.TOO_MANY_SEATS: CloseCode.NOT_ADMITTED,
}
"""Close codes of refusals after which a client does not reconnect."""


async def _create(session: Session, message: Create) -> None:
    """Open a room and take its first seat, within the limit of the address."""
    services = session.services
    if not is_loopback(session.address) and not services.rooms.take(session.address):
        raise Refusal(ErrorCode.TOO_MANY_ROOMS)
    token, generation = _new_token(services, message), services.draw_generation()
    seat = NewSeat(0, hash_token(token), generation)
    origin = ClientOrigin(session.address, message.browser)
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
            hash_attempt(message.attempt),
            message.kind,
        )
    except ChangeUnanswered as error:
        services.hub.spawn(report_unanswered(services, error.code, generation), "gone")
        raise
    earlier = _earlier_seat(services, message, latest, generation)
    if earlier is None:
        await _enter_new(session, message, seat, latest, token)
    else:
        services.rooms.owe(session.address, -1)
        await _sit_again(session, message, latest, earlier)


async def _join(session: Session, message: Join) -> None:
    """Take a seat in a room, within the limit of the address."""
    services = session.services
    if not is_loopback(session.address) and not services.joins.take(session.address):
        raise Refusal(ErrorCode.TOO_MANY_JOINS)
    token, generation = _new_token(services, message), services.draw_generation()
    token_hash = hash_token(token)
    origin = ClientOrigin(session.address, message.browser)

    def sit_down(room: Room) -> SitDown:
        return SitDown(
            message,
            identify(room.salt, origin),
            services.limits.seats_per_address,
            generation=generation,
            process=services.hub.process,
            attempt=hash_attempt(message.attempt),
            now=services.store.clock.now(),
        )

    try:
        latest = await services.repository.apply(
            message.room,
            sit_down,
            token_hash,
            known=await _find(session, message.room),
            process=_unlisted(session, message.room),
        )
    except ChangeUnanswered as error:
        services.hub.spawn(report_unanswered(services, error.code, generation), "gone")
        raise
    except Refusal as refusal:
        if refusal.code not in NO_WAY_IN:
            raise
        session.refuse(message, refusal.code)
        session.socket.close(NO_WAY_IN[refusal.code])
        return
    earlier = _earlier_seat(services, message, latest, generation)
    if earlier is None:
        seat = NewSeat(latest_number(latest.room), token_hash, generation)
        await _enter_new(session, message, seat, latest, token)
    else:
        services.joins.owe(session.address, -1)
        await _sit_again(session, message, latest, earlier)


def _new_token(services: Services, message: Create | Join) -> str:
    """Return the token of a new seat; the same for each repetition of an attempt."""
    return token_of(message.attempt) if message.attempt else services.draw_token()


def _earlier_seat(
    services: Services, message: Create | Join, latest: VersionedRoom, generation: int
) -> Seat | None:
    """Return the seat that an earlier message of the same attempt has taken, if one has."""
    attempt, now = hash_attempt(message.attempt), services.store.clock.now()
    seat = seat_of_attempt(latest.room, attempt, now)
    own = services.hub.process, generation
    return None if seat is None or (seat.process, seat.generation) == own else seat


async def _sit_again(
    session: Session, message: Create | Join, latest: VersionedRoom, earlier: Seat
) -> None:
    """Take the seat again that a repeated attempt has taken before, as a `resume` does.

    The seat is as new to the client as one that is taken for the first time.
    """
    token, tab = token_of(message.attempt), hash_attempt(message.attempt)
    resume = Resume(room=latest.room.code, seat=earlier.number, token=token, tab=tab)
    if not session.services.returns.take(f"{resume.room} {resume.seat}"):
        raise Refusal(ErrorCode.TOO_MANY_JOINS)
    if session.socket.is_open:
        seat, record, latest = await _take_again(session, resume, hash_token(token))
        holder = session.hold(seat, record, latest, misses_chat=False)
        await _enter(holder, latest, token)


async def _find(session: Session, room_code: str) -> VersionedRoom:
    """Return the open room of a code, which is a guess of the session's address.

    Raises:
        TooManyGuesses: the address has guessed too often.
        Refusal: there is no such room.
    """
    services = session.services
    async with services.guesses.look_up(session.address):
        return services.hub.rooms.latest(room_code) or await services.repository.read(room_code)


def _unlisted(session: Session, room_code: str) -> str:
    """Return this process if a room is not in its list yet, as it has no subscribers here."""
    hub = session.services.hub
    return hub.process if hub.rooms.latest(room_code) is None else ""


async def _resume(session: Session, message: Resume) -> None:
    """Take a seat again; a valid token works whatever guesses its address has made."""
    services, room_code = session.services, message.room
    latest = services.hub.rooms.latest(room_code)
    try:
        # A seat that was just taken at another process may not be known here yet.
        if latest is None or _seat_of(latest, message) is None:
            latest, record = await services.repository.read_with_seat(room_code, message.seat)
        else:
            record = await services.store.seats.read(room_code, message.seat)
    except Refusal as refusal:
        await _refuse_guess(session, message, refusal.code)
        return
    seat = _seat_of(latest, message)
    if record is None or seat is None or not opens(message.token, record.token_hash):
        await _refuse_guess(session, message, ErrorCode.BAD_TOKEN)
    elif seat.was_kicked:
        session.refuse(message, ErrorCode.BAD_TOKEN)
        session.socket.close(CloseCode.KICKED)
    elif not services.returns.take(f"{room_code} {message.seat}"):
        raise Refusal(ErrorCode.TOO_MANY_JOINS)
    elif session.socket.is_open:  # the owner of a closed socket may have reconnected already
        held, record, latest = await _take_again(session, message, record.token_hash, latest)
        holder = session.hold(held, record, latest, misses_chat=True)
        await _enter(holder, latest, None)
        # The chat is read when the room is entered, so none of it falls between. The client takes
        # later messages as proof that it has the earlier ones.
        try:
            missed = await services.repository.said(room_code, message.have)
        except StoreAway:
            session.socket.close(CloseCode.RESYNC)
            raise
        holder.send_missed(missed)


async def take_bot_seat(session: Session, code: str, number: int) -> Seat:
    """Take the seat of a computer player or of a stand-in, which has no connection; return it.

    Raises:
        Refusal: there is no such seat, or a process has it.
        StoreAway: the store does not answer.
        Unreadable: this release cannot read the room.
    """
    services = session.services
    latest, record = await services.repository.read_with_seat(code, number)
    seat = latest.room.seat(number)
    is_free = seat is not None and (
        seat.connection is Presence.GRACE or seat.process == services.hub.process
    )
    if record is None or seat is None or not (seat.is_held_by_bot and is_free):
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    stand_in = "" if seat.stand_in is None else seat.stand_in.token
    taken = Resume.model_construct(room=code, seat=number, token="", tab="")
    held, record, latest = await _take_again(session, taken, record.token_hash, latest, stand_in)
    await _enter(session.hold(held, record, latest, misses_chat=False), latest, None)
    return seat


def _seat_of(latest: VersionedRoom, message: Resume) -> Seat | None:
    """Return the seat that a message asks for, be it admitted or not."""
    return latest.room.seat(message.seat) or latest.room.applicant(message.seat)


async def _refuse_guess(session: Session, message: Resume, error_code: ErrorCode) -> None:
    """Refuse a wrong code or token, and count it.

    Raises:
        TooManyGuesses: the address has guessed too often; this one may be right or wrong.
    """
    await session.services.guesses.spend(session.address)
    session.refuse(message, error_code)
    session.socket.close(NO_WAY_IN[error_code])


async def _take_again(
    session: Session,
    message: Resume,
    token_hash: str,
    known: VersionedRoom | None = None,
    stand_in: str = "",
) -> tuple[TakenSeat, SeatRecord, VersionedRoom]:
    """Take a seat whose token has this hash, and report its connection to the room.

    `known` is the room as the caller has read it. `stand_in` is the token of the seat's stand-in,
    if that takes it. Return the seat as it is taken, its record, and the room
    after that.

    Raises:
        StoreAway: the store does not answer, or does not have this seat any more.
    """
    services, room_code = session.services, message.room
    record = await services.store.seats.take(room_code, message.seat)
    # A failover has lost the seat, or its number belongs to another person by now.
    if record is None or record.token_hash != token_hash:
        raise StoreAway("The seat is lost.")
    seat = TakenSeat(
        room_code, message.seat, record.generation, message.tab, session.address, stand_in
    )
    try:
        # Taking the seat does not change the record, so `known` need not be read again.
        latest = await services.repository.apply(
            room_code,
            seat.reconnection(services.hub.process),
            known=known,
            process=_unlisted(session, room_code),
        )
    except ChangeUnanswered:
        services.hub.spawn(report_disconnected(services, seat), "gone")
        raise
    # Connections that take the seat at the same moment are written in one change of the room.
    seat.check(latest.room)
    return seat, record, latest


async def _enter_new(
    session: Session, message: Create | Join, new: NewSeat, latest: VersionedRoom, token: str
) -> None:
    """Enter the room in which this socket has created a seat."""
    # A connection that repeats the attempt counts as one of the same tab.
    tab = hash_attempt(message.attempt)
    seat = TakenSeat(latest.room.code, new.number, new.generation, tab, session.address)
    record = SeatRecord(new.generation, new.token_hash)
    holder = session.hold(seat, record, latest, misses_chat=False)
    await _enter(holder, latest, token)


async def _enter(holder: SeatHolder, latest: VersionedRoom, token: str | None) -> None:
    """Enter the room of a seat; `token` is that of a new one."""
    hub = holder.services.hub
    seat = holder.seat.find(latest.room)
    assert seat is not None, "the socket has taken it"
    view = holder.view_json(hub.rooms.messages(latest))
    now = holder.services.clock.now()
    holder.socket.send(joined_text(seat.number, seat.role, token, view, now))
    hub.rooms.update(latest)
    holder.begin(latest)
    await hub.enter(latest, holder)


async def lose_seat(holder: SeatHolder) -> None:
    """Leave the seat of a lost socket and report it to the room, which keeps the seat."""
    services, seat = holder.services, holder.seat
    log.info("seat left", room=seat.room_code, seat=seat.number)
    services.lost_acts.keep(seat.room_code, seat.number)
    await unsubscribe(holder, reported=False)
    await report_disconnected(services, seat)


async def unsubscribe(holder: SeatHolder, *, reported: bool) -> None:
    """Send nothing to a seat any more; `reported` is whether the room shows that it is left."""
    holder.has_left = True
    holder.services.boards.leave(holder)
    await holder.services.hub.leave(holder.seat.room_code, holder, reported=reported)


SEATING_HANDLERS: dict[type[ClientMessage], SeatingHandler] = {
    Create: _create,
    Join: _join,
    Resume: _resume,
}
"""Handlers of the messages by which a socket takes a seat; it has none before."""
