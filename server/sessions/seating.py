"""Handlers of the messages by which a socket takes a seat: a new one, or its own again."""

from collections.abc import Callable, Coroutine
from typing import Any

from protocol.from_client import ClientMessage, Create, Join, Resume
from protocol.vocabulary import CloseCode, ErrorCode
from server.live.repository import ChangeUnanswered
from server.networks import hashed_networks, is_loopback
from server.rooms.events import SitDown
from server.rooms.identity import Origin, identify
from server.rooms.record import Room, VersionedRoom
from server.rooms.refusal import Refusal
from server.rooms.seat_numbers import latest_number
from server.sessions.reports import report_disconnected, report_unanswered
from server.sessions.session import Session
from server.sessions.tokens import hash_token, opens
from server.store import NewSeat
from server.views.replies import joined_text

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


async def _create(session: Session, message: Create) -> None:
    services = session.services
    if not is_loopback(session.address) and not services.rooms.take(session.address):
        raise Refusal(ErrorCode.TOO_MANY_ROOMS)
    token, generation = services.draw_token(), services.draw_generation()
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
    except ChangeUnanswered as error:
        services.hub.spawn(report_unanswered(services, error.code, generation), "gone")
        raise
    session.hold(seat.number, seat.record)
    await _enter(session, latest, token)


async def _join(session: Session, message: Join) -> None:
    services = session.services
    if not is_loopback(session.address) and not services.joins.take(session.address):
        raise Refusal(ErrorCode.TOO_MANY_JOINS)
    token, generation = services.draw_token(), services.draw_generation()
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
        session.close(NO_WAY_IN[refusal.code])
        return
    seat = NewSeat(latest_number(latest.room), token_hash, generation)
    session.hold(seat.number, seat.record)
    await _enter(session, latest, token)


async def _find(session: Session, code: str) -> VersionedRoom:
    """Return the open room of a code, which is a guess of the session's address.

    Raises:
        TooManyGuesses: the address has guessed too often.
        Refusal: there is no such room.
    """
    services = session.services
    async with services.guesses.look_up(session.address):
        return services.hub.latest(code) or await services.repository.read(code)


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
        await _refuse_guess(session, message, refusal.code)
        return
    seat = latest.room.seat(message.seat) or latest.room.applicant(message.seat)
    if record is None or seat is None or not opens(message.token, record.token_hash):
        await _refuse_guess(session, message, ErrorCode.BAD_TOKEN)
    elif seat.kicked:
        session.refuse(message, ErrorCode.BAD_TOKEN)
        session.close(CloseCode.KICKED)
    elif not services.returns.take(f"{code} {message.seat}"):
        raise Refusal(ErrorCode.TOO_MANY_JOINS)
    elif not session.closed:  # the owner of a closed socket may have reconnected already
        async with session.missed_chat(message.have):
            await _sit(session, latest, message, record.token_hash)


async def _refuse_guess(session: Session, message: Resume, code: ErrorCode) -> None:
    """Refuse a wrong code or token, and count it.

    Raises:
        TooManyGuesses: the address has guessed too often; this one may be right or wrong.
    """
    await session.services.guesses.spend(session.address)
    session.refuse(message, code)
    session.close(NO_WAY_IN[code])


async def _sit(session: Session, latest: VersionedRoom, message: Resume, token_hash: str) -> None:
    """Take a seat, and report its connection to the room."""
    services, code = session.services, message.room
    await session.take(latest, message.seat, message.tab, token_hash)
    try:
        # Taking the seat does not change the record, so `latest` need not be read again.
        latest = await services.repository.apply(
            code,
            session.holding.reconnection(services),
            known=latest,
            process=_unlisted(session, code),
        )
    except ChangeUnanswered:
        lost = report_disconnected(services, code, session.seat, session.generation)
        services.hub.spawn(lost, "gone")
        raise
    # Connections that take the seat at the same moment are written in one change of the room.
    session.holding.check(latest.room)
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


TAKE_SEAT: dict[type[ClientMessage], CommandHandler] = {
    Create: _create,
    Join: _join,
    Resume: _resume,
}
"""Handlers of the messages by which a socket takes a seat; it has none before."""
