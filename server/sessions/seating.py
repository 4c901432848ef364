"""How a socket takes a new seat or an earlier one, and leaves it when it disconnects."""

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import Any

import structlog

from protocol.from_client import ClientMessage, Create, Join, Resume, TakeOver
from protocol.vocabulary import CloseCode, ErrorCode, Presence
from server.live.repository import ChangeUnconfirmed, Host
from server.networks import hashed_networks
from server.rooms.admission import (
    ClientOrigin,
    client_name,
    hash_attempt,
    identify,
    seat_of_attempt,
)
from server.rooms.events import Reconnected, Refusal, SitDown, TakenOver
from server.rooms.record import Room, Seat, VersionedRoom
from server.rooms.seats import latest_number
from server.sessions.seat_holder import SeatHolder, Session
from server.sessions.services import Services, report_disconnected, report_unconfirmed
from server.sessions.taken_seat import TakenSeat, hash_token, opens, token_of
from server.store import SeatRecord, StoreAway, StoreFull, Unreadable
from server.views.replies import joined_text

log = structlog.get_logger()

FINAL_REFUSALS = {
    ErrorCode.NO_SUCH_ROOM: CloseCode.NO_SUCH_ROOM,
    ErrorCode.ROOM_FULL: CloseCode.FULL,
    ErrorCode.BAD_TOKEN: CloseCode.BAD_TOKEN,
    ErrorCode.BANNED: CloseCode.KICKED,
    ErrorCode.ROOM_LOCKED: CloseCode.NOT_ADMITTED,
    ErrorCode.NO_PROGRAMS: CloseCode.NOT_ADMITTED,
    ErrorCode.ONE_SEAT: CloseCode.NOT_ADMITTED,
    ErrorCode.TOO_MANY_SEATS: CloseCode.NOT_ADMITTED,
}  # after these close codes the client does not reconnect


async def _create(session: Session, message: Create) -> None:
    """Open a room and take its host's seat."""
    services, attempt = session.services, hash_attempt(message.attempt)
    origin = ClientOrigin(session.address, message.browser)
    networks = hashed_networks(session.address)

    async def open_room(token_hash: str, generation: int) -> VersionedRoom:
        host = Host(message.name, token_hash, generation, services.hub.process, attempt)
        host = replace(host, kind=message.kind, origin=origin, networks=networks)
        if message.cards:
            return await _open_with_cards(services, message, host, origin)
        return await services.repository.open(host, message.settings)

    await _take_new(session, message, open_room)


async def _open_with_cards(
    services: Services, message: Create, host: Host, origin: ClientOrigin
) -> VersionedRoom:
    """Open a room that deals the cards of another game again, with that game's rules.

    A player may start a day's game only once, so the game is claimed for this room. If the message
    is repeated, return the room that it has opened before.
    """
    days, client = services.days, client_name(origin)
    try:
        try:
            async with services.guesses.look_up(origin.address):
                deal = await days.named_deal(message.cards, message.acts, host.token_hash, client)
                deal = deal._replace(nameless=message.nameless)
            async with days.claimed(deal) as claim:
                start = partial(deal.start, claim.key)
                return await services.repository.open(host, deal.settings, start, claim.room_code)
        except (Refusal, StoreFull):  # perhaps because this message was handled before
            if opened := await days.opened(message.cards, host.attempt, client):
                return opened
            raise
    except StoreFull as error:
        raise Refusal(ErrorCode.STORE_FULL) from error
    except Unreadable as error:
        log.warning("cards cannot be read", cards=message.cards, why=str(error))
        raise Refusal(ErrorCode.NO_SUCH_CARDS) from error
    except Refusal as refusal:
        if refusal.code is ErrorCode.NO_SUCH_ROOM:
            raise Refusal(ErrorCode.NO_SUCH_CARDS) from refusal
        raise


async def _join(session: Session, message: Join) -> None:
    """Take a new seat in an existing room. A wrong code counts as a guess of the address."""
    services, code = session.services, message.room
    origin = ClientOrigin(session.address, message.browser)

    async def add_seat(token_hash: str, generation: int) -> VersionedRoom:
        async with services.guesses.look_up(session.address):  # counts a guess if there is no room
            latest = services.hub.latest(code) or await services.repository.read(code)
        sit_down = SitDown(
            message,
            identify(latest.room.salt, origin),
            services.limits.seats_per_address,
            generation=generation,
            process=services.hub.process,
            attempt=hash_attempt(message.attempt),
            now_ms=services.clock.now_ms(),
        )
        apply, process = services.repository.apply, _unlisted_process(services, code)
        return await apply(code, sit_down, token_hash, known=latest, process=process)

    try:
        await _take_new(session, message, add_seat)
    except Refusal as refusal:
        _refuse_finally(session, message, refusal)


def _refuse_finally(session: Session, message: ClientMessage, refusal: Refusal) -> None:
    """Send a final refusal and close the socket; raise any other refusal again."""
    if refusal.code not in FINAL_REFUSALS:
        raise refusal
    session.refuse(message, refusal.code)
    session.socket.close(FINAL_REFUSALS[refusal.code])


async def _take_new(
    session: Session,
    message: Create | Join,
    add_seat: Callable[[str, int], Awaitable[VersionedRoom]],
) -> None:
    """Add a seat to a room and enter the room, within the limits of the address.

    `add_seat` gets the hash of the seat's token and the seat's generation, and returns the room
    with the seat. If the same attempt has added a seat before, take that seat again, without
    counting it towards the limits. The client gets the same reply as for a new seat.
    """
    services, attempt = session.services, hash_attempt(message.attempt)
    opens_room = isinstance(message, Create)
    limits = services.room_limits if opens_room else services.join_limits
    if not limits.take(session.address):
        raise Refusal(ErrorCode.TOO_MANY_ROOMS if opens_room else ErrorCode.TOO_MANY_JOINS)
    token = token_of(message.attempt) if message.attempt else services.draw_token()
    token_hash, generation = hash_token(token), services.draw_generation()
    try:
        latest = await add_seat(token_hash, generation)
    except ChangeUnconfirmed as error:
        services.hub.spawn(report_unconfirmed(services, error.code, generation), "gone")
        raise
    room = latest.room
    seat = seat_of_attempt(room, attempt, services.clock.now_ms())
    # The seat is new unless an earlier message of this attempt added it, with another generation.
    if seat is None or (seat.process, seat.generation) == (services.hub.process, generation):
        number = 0 if opens_room else latest_number(room)  # the host has seat 0
        # The attempt names the tab, so a connection that repeats it counts as the same tab.
        taken = TakenSeat(room.code, number, session.address, tab=attempt, generation=generation)
        await _enter(session, taken, SeatRecord(generation, token_hash), latest, token)
        return
    limits.owe(session.address, -1)  # gives back the token that `take` has taken
    wanted = TakenSeat(room.code, seat.number, session.address, tab=attempt)
    if not services.return_limits.take(wanted.name):
        raise Refusal(ErrorCode.TOO_MANY_JOINS)
    if session.socket.is_open:
        await _take_again(session, wanted, token_hash, token=token)


def _unlisted_process(services: Services, room_code: str) -> str:
    """Return this process's name if it is not listed yet as serving the room, otherwise ""."""
    return services.hub.process if services.hub.latest(room_code) is None else ""


async def _resume(session: Session, message: Resume) -> None:
    """Take a seat again. A valid token works even from an address that has guessed too often."""
    services, room_code = session.services, message.room
    wanted = TakenSeat(room_code, message.seat, session.address, message.tab)
    latest = services.hub.latest(room_code)
    try:
        # Another process may have added the seat a moment ago.
        if latest is None or wanted.find(latest.room) is None:
            latest = await services.repository.read(room_code)
        record = await services.store.seats.read(room_code, message.seat)
    except Refusal as refusal:
        await _refuse_guess(session, message, refusal)
        return
    seat = wanted.find(latest.room)
    if record is None or seat is None or not opens(message.token, record.token_hash):
        await _refuse_guess(session, message, Refusal(ErrorCode.BAD_TOKEN))
    elif seat.was_kicked:
        session.refuse(message, ErrorCode.BAD_TOKEN)
        session.socket.close(CloseCode.KICKED)
    elif not services.return_limits.take(wanted.name):
        raise Refusal(ErrorCode.TOO_MANY_JOINS)
    elif session.socket.is_open:  # otherwise the owner may have reconnected already
        await _take_again(session, wanted, record.token_hash, latest, have=message.have)


async def _take_over(session: Session, message: TakeOver) -> None:
    """Move a seat to this device and take it.

    The code works only once: one change uses it up and gives the seat the token of this attempt.
    If the reply is lost, repeating the attempt takes the seat again.
    """
    services, room_code = session.services, message.room
    token = token_of(message.attempt) if message.attempt else services.draw_token()
    token_hash, origin = hash_token(token), ClientOrigin(session.address, message.browser)
    try:
        latest, wanted = await _find_carried(session, message)
        identity, now_ms = identify(latest.room.salt, origin), services.clock.now_ms()
        event = TakenOver(wanted.number, message, hash_token(message.code), identity, now_ms)
        latest = await services.repository.apply(room_code, event, token_hash, known=latest)
    except Refusal as refusal:
        if refusal.code in {ErrorCode.NO_SUCH_ROOM, ErrorCode.BAD_TOKEN}:
            await services.guesses.spend(session.address)
        _refuse_finally(session, message, refusal)
        return
    log.info("seat moved", room=room_code, seat=wanted.number)
    services.hub.update(latest)  # closes the previous device, if it is connected here
    if session.socket.is_open:
        await _take_again(session, wanted, token_hash, latest, token=token)


async def _find_carried(session: Session, message: TakeOver) -> tuple[VersionedRoom, TakenSeat]:
    """Return the room and the seat that a code moves, even if it has been used already.

    Raise Refusal if no seat has this code, or if the seat was taken too often lately.
    """
    services, room_code, code = session.services, message.room, message.code
    latest = services.hub.latest(room_code)
    # Another process may have issued the code a moment ago.
    if latest is None or (seat := _seat_of_code(latest.room, code)) is None:
        latest = await services.repository.read(room_code)
        seat = _seat_of_code(latest.room, code)
    if seat is None:
        raise Refusal(ErrorCode.BAD_TOKEN)
    wanted = TakenSeat(room_code, seat.number, session.address, message.tab)
    if not services.return_limits.take(wanted.name):
        raise Refusal(ErrorCode.TOO_MANY_JOINS)
    return latest, wanted


def _seat_of_code(room: Room, code: str) -> Seat | None:
    """Return the seat that this code moves to another device, or has moved already, if any."""
    for seat in room.seats:
        if seat.carry is not None and opens(code, seat.carry.code_hash):
            return seat
    return None


async def take_bot_seat(session: Session, room_code: str, number: int) -> Seat:
    """Take a seat that a computer plays, perhaps as a stand-in, for a session without a websocket.

    Raise Refusal if there is no such seat or another process has it; StoreAway; Unreadable.
    """
    services = session.services
    latest = await services.repository.read(room_code)
    record = await services.store.seats.read(room_code, number)
    seat = latest.room.seat(number)
    if record is None or seat is None or not seat.is_played_by_bot:
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    # Any process may take a seat that has just lost its connection.
    if seat.connection is not Presence.GRACE and seat.process != services.hub.process:
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    stand_in = "" if seat.stand_in is None else seat.stand_in.token
    wanted = TakenSeat(room_code, number, session.address, stand_in=stand_in)
    await _take_again(session, wanted, record.token_hash, latest)
    return seat


async def _refuse_guess(session: Session, message: Resume, refusal: Refusal) -> None:
    """Count a wrong code or token as a guess, refuse the message, and close the socket."""
    await session.services.guesses.spend(session.address)
    _refuse_finally(session, message, refusal)


async def _take_again(
    session: Session,
    wanted: TakenSeat,
    token_hash: str,
    known: VersionedRoom | None = None,
    *,
    token: str | None = None,
    have: int | None = None,
) -> None:
    """Take an existing seat, whose token must have this hash, and enter its room.

    This raises the seat's generation. `known` is the version of the room that the caller has read,
    if any. For `token` and `have` see `_enter`.
    """
    services, code = session.services, wanted.room_code
    record = await services.store.seats.take(code, wanted.number)
    # Either a failover has lost the seat, or its number belongs to somebody else by now. The
    # client tries again, as when the store is unavailable.
    if record is None or record.token_hash != token_hash:
        raise StoreAway("The seat is lost.")
    seat = wanted._replace(generation=record.generation)

    def reconnected(room: Room) -> Reconnected:
        # Networks are hashed with the room's salt.
        networks, _ = identify(room.salt, ClientOrigin(seat.address))
        here = services.hub.process
        return Reconnected(seat.number, seat.generation, here, seat.tab, networks, seat.stand_in)

    event = seat.fenced(reconnected)  # raises Replaced if a newer connection has the seat
    process = _unlisted_process(services, code)
    try:
        # Taking the seat has not changed the room's record, so `known` is still valid.
        latest = await services.repository.apply(code, event, known=known, process=process)
    except ChangeUnconfirmed:
        services.hub.spawn(report_disconnected(services, seat), "gone")
        raise
    # One write may store several connections that take the seat at once. Only the newest keeps it.
    seat.check(latest.room)
    await _enter(session, seat, record, latest, token, have)


async def _enter(
    session: Session,
    taken: TakenSeat,
    record: SeatRecord,
    latest: VersionedRoom,
    token: str | None,
    have: int | None = None,
) -> None:
    """Send `joined` to a socket that has taken a seat, and subscribe it to the room.

    `token` is sent if it is new to the client. A client that resumes has chat up to event `have`.
    """
    services, seat = session.services, taken.find(latest.room)
    assert seat is not None, "the socket has taken it"
    log.info("seat taken", room=taken.room_code, seat=taken.number)
    holder = session.holder = SeatHolder(session, taken, record, latest)
    view = holder.feed.view_json(services.hub.messages(latest))
    session.socket.send(joined_text(seat.number, seat.role, token, view, services.clock.now_ms()))
    services.hub.update(latest)
    holder.start(latest)
    await services.hub.enter(latest, holder)
    # Read the chat only after subscribing, so that no message is lost in between. The feed sends
    # it before newer chat: after each message a client assumes that it has all earlier ones.
    try:
        missed = () if have is None else await services.repository.said(taken.room_code, have)
    except StoreAway:
        session.socket.close(CloseCode.RESYNC)
        raise
    holder.chat.send_missed(missed)


async def lose_seat(session: Session) -> None:
    """Leave the seat of a disconnected socket, if it has one, and report that to the room."""
    holder = session.holder
    if holder is None or holder.has_left:
        return
    log.info("seat left", room=holder.seat.room_code, seat=holder.seat_number)
    await unsubscribe(holder, reported=False)
    await report_disconnected(session.services, holder.seat)


async def unsubscribe(holder: SeatHolder, *, reported: bool) -> None:
    """Stop sending to a seat. `reported`: whether the room already knows that it was left."""
    holder.has_left = True
    holder.services.boards.leave(holder)
    await holder.services.hub.leave(holder.seat.room_code, holder, reported=reported)


SEATING_HANDLERS: dict[type[ClientMessage], Callable[[Session, Any], Coroutine[Any, Any, None]]]
SEATING_HANDLERS = {Create: _create, Join: _join, Resume: _resume, TakeOver: _take_over}
