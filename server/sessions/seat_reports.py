"""Reports of a seat to its room, repeated until they succeed: the room waits for the seat.

No other process makes these reports while this one lives. So they are repeated while the store
is away, and at growing intervals while the room cannot be read.
"""

import asyncio
import contextlib
from collections.abc import Callable

from protocol.vocabulary import ErrorCode
from server.rooms.events import Disconnected, Event, GameEnded, Refusal
from server.rooms.record import Room
from server.sessions.services import Services
from server.sessions.taken_seat import TakenSeat
from server.store import StoreAway, Unreadable


async def report_disconnected(services: Services, seat: TakenSeat) -> None:
    """Report that the connection of a seat was lost."""
    with contextlib.suppress(Refusal):  # the room or the seat does not exist any more
        await _report(
            services, seat.room_code, lambda now: Disconnected(seat.number, seat.generation, now)
        )
    await services.hub.forget(seat.room_code)


async def report_unanswered(services: Services, room_code: str, generation: int) -> None:
    """Report the connection of a new seat as lost: the store may have the seat, or may not.

    While the store is away many seats may be asked for. Only changes that were under way when it
    went away may be stored, and these are reported first, so the later ones are left out.
    """
    if services.unanswered == services.limits.unanswered:
        return
    process = services.hub.process

    def lost(now: int) -> Callable[[Room], Event]:
        def disconnected(room: Room) -> Event:
            for seat in (*room.seats, *room.waiting):
                if (seat.process, seat.generation) == (process, generation):
                    return Disconnected(seat.number, generation, now)
            raise Refusal(ErrorCode.NO_SUCH_SEAT)

        return disconnected

    services.unanswered += 1
    try:
        with contextlib.suppress(Refusal):  # the store has no such room or seat
            await _report(services, room_code, lost)
    finally:
        services.unanswered -= 1
    await services.hub.forget(room_code)


async def report_game_ended(services: Services, seat: TakenSeat, n: int) -> None:
    """Report that the game of a seat in round `n` has ended.

    Raises:
        Refusal: the room does not exist any more, or it does not allow the event.
    """
    await _report(services, seat.room_code, lambda now: GameEnded(seat.number, n, now))


async def _report(
    services: Services, room_code: str, event: Callable[[int], Event | Callable[[Room], Event]]
) -> None:
    """Apply an event until it succeeds; each attempt makes it for its own time."""
    limits = services.limits
    pause = limits.unreadable_s
    while True:
        try:
            await services.hub.apply(room_code, event(services.store.clock.now()))
        except StoreAway:
            await asyncio.sleep(limits.retry_s)
        except Unreadable:
            await asyncio.sleep(pause)
            pause = min(2 * pause, limits.longest_unreadable_s)
        else:
            return
