"""Handlers of commands, which wait for the store. Each socket handles one command at a time.

A message without a handler here or in `seating.py` becomes a `Command` for the room's table of
transitions, and is refused if the table has no entry for it.
"""

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from protocol import from_client as sent
from protocol.from_client import ClientMessage
from protocol.vocabulary import CloseCode, ErrorCode, RoomState
from server.live.repository import Withheld
from server.rooms.computer_players import counted_bots, counted_name
from server.rooms.deals import deal_kind_of
from server.rooms.events import Command, Refusal
from server.rooms.record import Room, VersionedRoom
from server.rooms.room import apply, is_repeated
from server.sessions.seat_holder import SeatHolder, Session
from server.sessions.seating import SEATING_HANDLERS, lose_seat, unsubscribe
from server.sessions.taken_seat import Replaced, carry_code_of, hash_token
from server.store import StoreAway, Unreadable
from server.views.replies import carry_code_text, room_text

CommandHandler = Callable[[SeatHolder, Any], Coroutine[Any, Any, None]]


async def run(session: Session, message: ClientMessage) -> None:
    """Handle a command and send the reply, which may be a refusal."""
    session.is_busy = True
    holder = session.holder
    try:
        await _handle(session, message)
    except Refusal as refusal:
        session.refuse(message, refusal.code, refusal.clash)
    except Replaced as replaced:
        session.socket.close(replaced.close_code)
    except StoreAway:
        session.refuse(message, ErrorCode.TRY_AGAIN)
    except Unreadable as error:
        room_code = getattr(message, "room", None) if holder is None else holder.seat.room_code
        if room_code is not None:
            await session.services.repository.quarantine.add(room_code, error)
        session.refuse(message, ErrorCode.TRY_AGAIN)
        # The client reconnects: another process may be able to read the room.
        session.socket.close(CloseCode.DRAINING)
    finally:
        session.is_busy = False
        if session.is_disconnected:
            await lose_seat(session)


async def _handle(session: Session, message: ClientMessage) -> None:
    """Handle a message and send the reply, or raise an error that `run` replies to."""
    holder, take_seat = session.holder, SEATING_HANDLERS.get(type(message))
    if take_seat is not None:
        if holder is not None:
            raise Refusal(ErrorCode.ALREADY_JOINED)
        await take_seat(session, message)
    elif holder is None:
        raise Refusal(ErrorCode.NOT_JOINED)
    else:
        await holder.assessments.wait()  # its reply must come first
        await HANDLERS.get(type(message), _change_room)(holder, message)


async def handle_disconnect(session: Session) -> None:
    """Leave the seat of a closed socket, once no command is running that might still take one."""
    session.is_disconnected = True
    if not session.is_busy:
        await lose_seat(session)


async def _change_room(holder: SeatHolder, message: ClientMessage) -> None:
    """Apply a message that needs nothing but its transition (`TRANSITIONS` in `rooms/room.py`)."""
    await _apply(holder, _command(holder, message))


async def _apply(
    holder: SeatHolder, command: Command[Any], withhold: Callable[[Room, Room], bool] | None = None
) -> None:
    """Apply a command and reply with the room.

    `withhold` gets the room before and after, and returns whether to raise Withheld instead.
    """
    v_before, seat, repository = holder.feed.v, holder.seat, holder.services.repository
    latest = await repository.apply(seat.room_code, seat.fenced(command), withholds=withhold)
    holder.reply(latest, v_before)


def _is_repeated(holder: SeatHolder, message: ClientMessage) -> bool:
    """Return whether this message was handled before, judging by the version known here."""
    latest = holder.latest
    return latest is not None and is_repeated(latest.room, holder.seat_number, message)


def _command(holder: SeatHolder, message: ClientMessage) -> Command[Any]:
    """Return the message as this seat's command, with the time and fresh randomness."""
    services, number = holder.services, holder.seat.number
    now_ms, entropy = services.clock.now_ms(), services.hub.draw_entropy()
    return Command(number, now_ms, entropy, message, timings=services.repository.timings)


async def _start(holder: SeatHolder, message: sent.Ready | sent.Start | sent.Rematch) -> None:
    """Apply a message that may start a round. If it does, first find a winnable deal for it."""
    services, command = holder.services, _command(holder, message)
    has_deal = isinstance(message, sent.Start) and message.again  # the cards of an aborted round
    if services.thinking is None or has_deal:
        await _apply(holder, command)
        return
    try:
        await _apply(holder, command, withhold=_starts_secret_round)
    except Withheld as withheld:  # it would start one: find a deal, then try again
        code, settings = holder.seat.room_code, withheld.room.settings
        winnable = await services.thinking.deals.take(code, settings)
        entropy = replace(command.entropy, winnable=winnable)
        await _apply(holder, replace(command, entropy=entropy, now_ms=services.clock.now_ms()))


def _starts_secret_round(before: Room, after: Room) -> bool:
    """Return whether a change starts a round that wants a secret, winnable deal."""
    starts = before.state in BEFORE_A_ROUND and after.state not in BEFORE_A_ROUND
    return starts and deal_kind_of(before.settings) is not None


async def _add_bot(holder: SeatHolder, message: sent.AddBot | sent.AddStandIn) -> None:
    """Add a computer player, or a stand-in: a computer that plays on for somebody absent.

    It is first counted towards the limits of computer players. Its seat has no connection until
    the host's process sees it in the room and plays there. That needs no token, so only the
    token's hash is kept.
    """
    services, code = holder.services, holder.seat.room_code
    if services.adopt_bots is None:
        raise Refusal(ErrorCode.NO_BOTS)
    if _is_repeated(holder, message):
        await _change_room(holder, message)
        return
    v_before = holder.feed.v
    known = holder.latest or await services.repository.read(code)
    token_hash = hash_token(services.draw_token())
    event = holder.seat.fenced(replace(_command(holder, message), token_hash=token_hash))
    name, quotas = counted_name(token_hash), services.repository.quotas
    async with quotas.counted_bot(known.room, name, message.level):
        # A stand-in plays a seat whose owner keeps the token.
        new_seat = token_hash if isinstance(message, sent.AddBot) else None
        latest = await services.repository.apply(code, event, new_seat)
    if name not in counted_bots(latest.room):
        await quotas.release_bots(latest.room, name)  # an earlier command has added the player
    holder.reply(latest, v_before)


async def _keep(holder: SeatHolder, message: sent.Keep) -> None:
    """Make a room a kept table, if there is space for one more, or stop keeping it."""
    services, code = holder.services, holder.seat.room_code
    if not message.kept or _is_repeated(holder, message):
        await _change_room(holder, message)
        return
    known = holder.latest or await services.repository.read(code)
    apply(known.room, _command(holder, message))  # refuses a guest before the table is counted
    async with services.repository.quotas.counted_table(known.room):
        await _change_room(holder, message)


async def _wait_for_acts(holder: SeatHolder) -> None:
    """Wait until all acts of the seat's table are stored or refused."""
    while holder.table is not None and (settled := holder.table.all_settled) is not None:
        await settled.wait()


async def _chase(holder: SeatHolder, message: sent.Chase) -> None:
    """Start a game in the running race, and stop watching the boards of others."""
    await _change_room(holder, message)
    holder.services.boards.leave(holder)


async def _forfeit(holder: SeatHolder, message: sent.Forfeit) -> None:
    """Give up the seat's game once its acts are stored, or end it as `dead` if it really is."""
    await _wait_for_acts(holder)
    is_repeated = _is_repeated(holder, message)  # if so, its round may be over
    if message.dead and not is_repeated and not await _is_dead(holder):
        raise Refusal(ErrorCode.NOT_FINISHED)
    await _change_room(holder, message)
    goes_on = message.held or message.taken_back  # a held forfeit can be taken back for a while
    if not (is_repeated or goes_on):
        holder.close_table()


async def _is_dead(holder: SeatHolder) -> bool:
    """Return whether the seat has a game that is proved to be lost."""
    if (table := holder.table) is None or table.is_closed:
        return False
    if (game := table.settled_game()) is None:  # it is being read from the store
        raise Refusal(ErrorCode.TRY_AGAIN)
    return await holder.assessments.is_dead(table.played.n, game)


async def _say(holder: SeatHolder, message: sent.Say) -> None:
    """Send a chat message to the room. If this one was sent before, only send the reply again."""
    services, room_code = holder.services, holder.seat.room_code
    may_say = services.chat_limits.take(holder.seat.name)
    if not may_say or not services.address_chat_limits.take(holder.seat.address):
        raise Refusal(ErrorCode.TOO_MUCH_SAID)
    latest = await services.repository.read(room_code)
    holder.seat.check(latest.room)
    if (seat := latest.room.seat(holder.seat.number)) is None:
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    if said_before := await services.repository.say(room_code, seat, message):
        holder.socket.send(said_before)
    else:
        services.hub.reread(room_code)  # sends the new message to the whole room, and so the reply


async def _watch(holder: SeatHolder, message: sent.Watch) -> None:
    """Send the standings. If the message has a list of seats, send their boards from now on."""
    latest = await _read_room(holder)
    if message.boards is not None:
        holder.services.boards.watch(latest, holder, message.boards)
    holder.socket.send(await holder.services.hub.standings_now(latest, holder.seat_number))


async def _send_match_cards(holder: SeatHolder, _message: sent.Cards) -> None:
    latest = await _read_room(holder)
    holder.socket.send(holder.services.hub.messages(latest).match_text)


async def _read_room(holder: SeatHolder) -> VersionedRoom:
    """Return the stored room; refuse applicants, and raise Replaced if the seat has been lost."""
    seat = holder.seat
    latest = await holder.services.repository.read(seat.room_code, holder.latest)
    seat.check(latest.room)
    if latest.room.applicant(seat.number) is not None:
        raise Refusal(ErrorCode.NO_SUCH_SEAT)
    return latest


async def _carry(holder: SeatHolder, message: sent.Carry) -> None:
    """Send a code that moves the seat to another device. Only the code's hash is stored."""
    services, seat = holder.services, holder.seat
    if not services.carry_limits.take(seat.address):
        raise Refusal(ErrorCode.TOO_MANY_JOINS)
    code = carry_code_of(message.attempt)
    event = replace(_command(holder, message), token_hash=hash_token(code))
    latest = await services.repository.apply(seat.room_code, seat.fenced(event))
    services.hub.update(latest)
    owned = latest.room.seat(seat.number)
    if owned is None or owned.carry is None or owned.carry.code_hash != event.token_hash:
        raise Refusal(ErrorCode.TRY_AGAIN)  # another code, asked for at the same time, replaced it
    link = holder.base and f"{holder.base}/r/{seat.room_code}#seat={code}"
    holder.socket.send(carry_code_text(code, owned.carry.until, link))


async def _delete_table(holder: SeatHolder, message: sent.DeleteTable) -> None:
    """Delete a kept table, as its host; the hub then closes everybody's socket."""
    services, seat = holder.services, holder.seat
    deleting = seat.fenced(_command(holder, message))
    latest = await services.repository.apply(seat.room_code, deleting)
    holder.socket.send(room_text(holder.feed.view(latest)))
    services.hub.update(latest)


async def _leave(holder: SeatHolder, message: sent.Leave) -> None:
    """Leave the room for good once the acts in flight are stored, and close the socket."""
    services, seat = holder.services, holder.seat
    await _wait_for_acts(holder)
    leaving = seat.fenced(_command(holder, message))
    holder.is_leaving = True  # or its absence from the next version would look like a kick
    latest = await services.repository.apply(seat.room_code, leaving)
    holder.close_table()
    await unsubscribe(holder, reported=True)
    services.hub.update(latest)
    holder.end(latest)


BEFORE_A_ROUND = {RoomState.LOBBY, RoomState.FINISHED}
HANDLERS: dict[type[ClientMessage], CommandHandler] = {
    sent.Ready: _start,
    sent.Start: _start,
    sent.Rematch: _start,
    sent.AddBot: _add_bot,
    sent.AddStandIn: _add_bot,
    sent.Chase: _chase,
    sent.Forfeit: _forfeit,
    sent.Carry: _carry,
    sent.DeleteTable: _delete_table,
    sent.Keep: _keep,
    sent.Leave: _leave,
    sent.Say: _say,
    sent.Watch: _watch,
    sent.Cards: _send_match_cards,
}  # for messages that need more than a transition of the room
