"""A store whose methods a test can delay, watch, or let fail."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from server.store import AnswerHandler, Commit, Commits, HintCount, SeatRecord, Store, StoredRoom

Hook = Callable[..., Awaitable[Any]]
"""What is called in place of a method, with the method and its arguments."""
HOOKED = {
    "read": "rooms.read",
    "create": "rooms.create",
    "change": "rooms.change",
    "events": "rooms.events",
    "take_seat": "seats.take",
    "read_seats": "seats.read_all",
    "read_log": "logs.read",
    "beat": "processes.beat",
    "public_rooms": "lists.public",
}
"""The parts and methods by the names of their hooks."""


class HookedStore(Store):
    """A real store. `hooks` are called in place of methods, by the names in `HOOKED`."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.hooks: dict[str, Hook] = {}
        self.commit_error: Exception | None = None
        for name, place in HOOKED.items():
            part_name, method = place.split(".")
            part = getattr(self, part_name)
            vars(part)[method] = partial(self._call, name, getattr(part, method))
        vars(self.rooms)["read_with_seat"] = self._read_with_seat
        self.commits = FailingCommits(self, self.commits)

    async def _call(self, name: str, method: Hook, *given: Any, **named: Any) -> Any:
        hook = self.hooks.get(name)
        return await (method(*given, **named) if hook is None else hook(method, *given, **named))

    async def _read_with_seat(
        self, code: str, seat: int
    ) -> tuple[StoredRoom | None, SeatRecord | None]:
        return await self.rooms.read(code), await self.seats.read(code, seat)


class FailingCommits:
    """Commits that fail while the store has a `commit_error`."""

    def __init__(self, store: HookedStore, commits: Commits) -> None:
        self._store = store
        self._commits = commits
        self.count_hint: Callable[[HintCount, AnswerHandler], None] = commits.count_hint

    def commit(self, commit: Commit, answer: AnswerHandler) -> None:
        if self._store.commit_error is not None:
            raise self._store.commit_error
        self._commits.commit(commit, answer)
