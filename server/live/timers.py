"""The work that each process repeats every few seconds: the sweep for deadlines, and heartbeats.

1. Each room whose deadline has passed gets a tick, in a task of its own. A room that fails
   does not block the others: it is set aside and tried again later.
2. When a process ends, the others report that to its rooms: at once if it has left cleanly, and
   after a while if it has fallen silent.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import structlog

from server import metrics
from server.live.days import DayRaces
from server.live.hub import Hub
from server.live.repository import Repository
from server.rooms.events import ProcessDied, Refusal
from server.rooms.record import Room
from server.store import Processes, StoreAway, StoreDamaged, Unreadable

log = structlog.get_logger()


def log_outage(logged: set[str], error: StoreAway | None) -> None:
    """Log the reason for an outage unless `logged` has it; if `error` is None, log its end."""
    if error is not None and str(error) not in logged:
        logged.add(str(error))
        log.warning("the store is away", why=str(error))
    elif error is None and logged:
        logged.clear()
        log.info("the store is back")


LATE_MS = 2_000  # a room overdue by more is not in the store's list, or the store is unavailable


async def sweep(repository: Repository, hub: Hub, days: DayRaces) -> None:
    """Keep ticking rooms whose deadline has passed, and refreshing the rooms of this process.

    `days` delivers the results in the rooms' outboxes.
    """
    async with asyncio.TaskGroup() as tasks:
        for work in (Sweeper(repository, hub, days).sweep, hub.refresh):
            tasks.create_task(_repeat(work, hub.timings.sweep_s), name=work.__name__)


async def _repeat(work: Callable[[], Awaitable[None]], interval_s: float) -> None:
    while True:
        await work()
        await asyncio.sleep(interval_s)


class Sweeper:
    """Sweeps for one process, and remembers its own log lines."""

    def __init__(self, repository: Repository, hub: Hub, days: DayRaces) -> None:
        self._repository, self._hub, self._days = repository, hub, days
        self._logged_failures: set[str] = set()  # rooms whose unexpected error is logged already
        self._due_before: set[str] = set()  # rooms that were due at the latest sweep
        self._rooms_set_aside = 0  # how many, because they could not be read
        self._away: StoreAway | None = None  # why the store did not answer in this sweep
        self._logged_reasons: set[str] = set()  # of the present outage

    async def sweep(self) -> None:
        """Tick all due rooms, and rooms here whose deadline the store has lost."""
        store, self._away = self._repository.store, None
        due: list[str] = []
        try:
            due = await store.lists.due(store.clock.now_ms())
            self._rooms_set_aside = await store.lists.count_set_aside()
            metrics.rooms_unreadable.set(self._rooms_set_aside)
            metrics.rooms_open.set(await store.open_rooms.count())
            with contextlib.suppress(StoreDamaged):  # no room depends on this list
                metrics.tables_kept.set(await store.kept.count())
        except StoreAway as error:
            self._away = error
        except Exception:
            log.exception("sweep failed")
        # A failover of a cluster may lose deadlines; processes with subscribers still know them.
        overdue = self._hub.overdue(self._hub.clock.now_ms() - LATE_MS)
        async with asyncio.TaskGroup() as ticks:
            for code in dict.fromkeys((*overdue, *due)):
                ticks.create_task(self._tick(code), name="tick")
        self._due_before = set(due)
        log_outage(self._logged_reasons, self._away)

    async def _tick(self, code: str) -> None:
        """Apply the time to a room and correct its deadline; if this fails, set the room aside."""
        store = self._repository.store
        try:
            try:
                latest = await self._hub.tick(code)
                await self._days.deliver(latest.room)  # if it has results of the day's race
            except Refusal:  # closed or expired
                await store.lists.correct(code)
            except StoreAway:
                raise
            except Exception as error:
                if not isinstance(error, Unreadable) and code not in self._logged_failures:
                    self._logged_failures.add(code)
                    log.exception("room cannot be moved on", room=code)
                await store.lists.set_aside(code, is_due=True)
                return
            self._logged_failures.discard(code)
            if self._rooms_set_aside:  # perhaps this one, which can be read now
                await store.lists.readmit(code)
            if code in self._due_before:  # still due after a tick: the list has a wrong deadline
                await store.lists.correct(code)
        except StoreAway as error:
            self._away = error
        except Exception:
            log.exception("sweep failed", room=code)


LEAVE_S = 2.0  # a process that ends waits at most this long for the store


@dataclass(eq=False, slots=True)
class Heartbeats:
    """The heartbeats of this process, and its reports to rooms about processes that have ended.

    `adopt_bots` takes over the computer players that such a process had in a room.
    """

    _processes: Processes
    _hub: Hub
    _adopt_bots: Callable[[Room], None] | None = None
    _tried_at: dict[str, float] = field(default_factory=dict)
    """When this process last tried to report each process that some rooms still list."""

    async def keep(self) -> None:
        """Keep sending heartbeats and reporting processes that have ended.

        If a process was silent itself, it reports no silent ones for a while: the same cause may
        have silenced all of them. Heartbeats continue while the end of a process is reported
        to its rooms, perhaps thousands of them.
        """
        hub, now = self._hub, asyncio.get_running_loop().time
        silent_s = hub.timings.silent_ms / 1_000
        steady_since = last_beat = now()
        report, logged_reasons = None, set[str]()
        async with asyncio.TaskGroup() as tasks:
            while True:
                try:
                    await self._processes.beat(hub.process, hub.clock.now_ms(), hub.codes())
                    log_outage(logged_reasons, None)
                    if now() - last_beat > silent_s / 2:  # this process was silent itself
                        steady_since = now()
                    last_beat = now()
                    if report is None or report.done():
                        is_steady = last_beat - steady_since > silent_s
                        report = tasks.create_task(self._report_ended(with_silent=is_steady))
                except StoreAway as error:
                    log_outage(logged_reasons, error)
                    steady_since = now()
                except Exception:
                    log.exception("presence failed")
                await asyncio.sleep(hub.timings.beat_s)

    async def _report_ended(self, *, with_silent: bool) -> None:
        """Report processes that have left and, if `with_silent`, silent ones; log all errors."""
        processes, now = self._processes, asyncio.get_running_loop().time
        since_ms = self._hub.clock.now_ms() - self._hub.timings.silent_ms
        try:
            left = await processes.left()
            # `silent` also returns those that have left.
            ended = await processes.silent(since_ms) if with_silent else left
            tried_at = {each: at for each, at in self._tried_at.items() if each in ended}
            self._tried_at = tried_at
            for process in ended:
                if process in tried_at:  # some of its rooms could not be changed then
                    if now() < tried_at[process] + self._hub.timings.unreported_s:
                        continue
                elif process in left:
                    log.info("a process has left", process=process)
                else:
                    log.warning("a process is silent", process=process)
                if await self._report_death(process, is_first=process not in tried_at):
                    await processes.forget(process)
                else:
                    tried_at[process] = now()
        except StoreAway:
            pass  # the heartbeats log the outage; the report is repeated once it is over
        except Exception:
            log.exception("presence failed")

    async def _report_death(self, process: str, *, is_first: bool) -> bool:
        """Report a dead process to its rooms. Several processes may do this at the same time.

        Returns False if a room could not be changed. The room stays in the dead process's list, as
        another process may be able to read it. Only the first report logs unexpected errors.
        """
        is_complete, processes, hub = True, self._processes, self._hub
        try:
            codes = await processes.rooms_of(process)
        except StoreDamaged:
            return False  # go on with the other processes
        for code in codes:
            try:
                latest = await hub.apply(code, ProcessDied(process, hub.clock.now_ms()))
                if self._adopt_bots is not None:
                    self._adopt_bots(latest.room)
                await hub.tick(code)  # a game may have ended that the process did not report
            except Refusal:
                pass  # the room has closed
            except StoreAway:
                raise
            except Exception as error:
                if is_first and not isinstance(error, Unreadable):
                    log.exception("presence failed", room=code)
                is_complete = False
                continue
            await processes.drop_room(process, code)
        return is_complete


async def leave(processes: Processes, hub: Hub) -> None:
    """Let the other processes take over from this one, whose tasks must have ended before."""
    with contextlib.suppress(StoreAway, TimeoutError):  # then they notice its silence
        async with asyncio.timeout(LEAVE_S):
            await processes.leave(hub.process)
