"""A store whose methods a test can delay, watch, or let fail."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from server.store import Commit, LogRecord, RoomChange, SeatRecord, Store, StoredRoom
from server.store.commits import Answer

Hook = Callable[..., Awaitable[Any]]
"""What is called in place of a method, with the method and its arguments."""


class HookedStore(Store):
    """A real store. `hooks` are called in place of the methods that they are named after."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.hooks: dict[str, Hook] = {}
        self.commit_error: Exception | None = None
        self._commit, self.commit = self.commit, self._commit_unless_error

    async def _call(self, name: str, method: Callable[..., Awaitable[Any]], *given: Any) -> Any:
        hook = self.hooks.get(name)
        return await (method(*given) if hook is None else hook(method, *given))

    async def read(self, code: str) -> StoredRoom | None:
        stored: StoredRoom | None = await self._call("read", super().read, code)
        return stored

    async def create(self, code: str, change: RoomChange) -> bool:
        created: bool = await self._call("create", super().create, code, change)
        return created

    async def change(self, code: str, v: int, change: RoomChange) -> int | None:
        written: int | None = await self._call("change", super().change, code, v, change)
        return written

    async def events(self, code: str, after: int) -> list[tuple[int, str]]:
        found: list[tuple[int, str]] = await self._call("events", super().events, code, after)
        return found

    async def take_seat(self, code: str, seat: int) -> SeatRecord | None:
        record: SeatRecord | None = await self._call("take_seat", super().take_seat, code, seat)
        return record

    async def read_seats(self, code: str, seats: Sequence[int]) -> list[SeatRecord | None]:
        records: list[SeatRecord | None] = await self._call(
            "read_seats", super().read_seats, code, seats
        )
        return records

    async def read_with_seat(
        self, code: str, seat: int
    ) -> tuple[StoredRoom | None, SeatRecord | None]:
        return await self.read(code), await self.read_seat(code, seat)

    async def read_log(self, code: str, n: int, seat: int, start: int = 0) -> list[LogRecord]:
        log: list[LogRecord] = await self._call("read_log", super().read_log, code, n, seat, start)
        return log

    async def beat(self, process: str, now: int, codes: Sequence[str]) -> None:
        await self._call("beat", super().beat, process, now, codes)

    async def public_rooms(self, limit: int = 50) -> list[str]:
        codes: list[str] = await self._call("public_rooms", super().public_rooms, limit)
        return codes

    def _commit_unless_error(self, commit: Commit, answer: Answer) -> None:
        if self.commit_error is not None:
            raise self.commit_error
        self._commit(commit, answer)
