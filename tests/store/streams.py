"""Players that act without a pause, as the server's sessions do, also while the store fails."""

import asyncio

from server.store import Commit, CommitAnswer, Store, StoreAway, keys
from server.store.slots import SLOTS, slot_of
from tests.servers import MASTERS
from tests.store.rooms_and_acts import SEAT, act, committed

TOGETHER = 4


def code_in(third: int, salt: str = "") -> str:
    """Return a code whose slot is in this third of all slots, so on this master at first."""
    return next(
        code
        for code in (f"ROOM{salt}{number}" for number in range(1000))
        if slot_of(keys.room(code)) * MASTERS // SLOTS == third
    )


CODES = [code_in(third) for third in range(MASTERS)]


class Stream:
    """Acts on the seat of a room: act number `at` has `at` as its action.

    When an act fails, the stream reads the log and continues from its end, like a client that
    sends missing acts again. `acked` has the acknowledged acts, `lost` those of them that were
    missing later.
    """

    def __init__(self, store: Store, code: str) -> None:
        self.store = store
        self.code = code
        self.at = 0
        self.acked: dict[int, int] = {}
        self.lost: list[int] = []
        self.failures: list[CommitAnswer] = []
        self._id = 0
        self._generation = 1
        self._stop = False

    async def play(self) -> None:
        """Act until `stop` is called."""
        while not self._stop:
            if not await self._act():
                await self._read()
                await asyncio.sleep(0.01)

    def stop(self) -> None:
        self._stop = True

    async def check(self) -> None:
        """Check that the log contains each act once, in order, and nothing else."""
        log = await self.store.logs.read(self.code, 1, SEAT)
        assert [record.action for record in log] == list(range(len(log)))
        assert len(log) >= self.at
        assert all(log[at].ms == ms for at, ms in self.acked.items())

    async def _act(self) -> bool:
        commits = [self._commit(i) for i in range(TOGETHER)]
        answers = await committed(self.store, *commits)
        good = [answer for answer in answers if isinstance(answer, int)]
        assert answers[: len(good)] == good, "a later act counts though an earlier does not"
        for answer in good:
            self.acked[self.at] = answer
            self.at += 1
        self.failures += answers[len(good) :]
        self._id += TOGETHER
        return bool(good)

    def _commit(self, i: int) -> Commit:
        at = self.at + i
        return act(
            code=self.code, generation=self._generation, id=self._id + i + 1, at=at, action=at
        )

    async def _read(self) -> None:
        """Take the seat again, so that acts which are still under way cannot be stored."""
        while True:
            try:
                seat = await self.store.seats.take(self.code, SEAT)
                log = await self.store.logs.read(self.code, 1, SEAT)
                break
            except StoreAway:
                await asyncio.sleep(0.01)
        assert seat is not None
        self._generation, self._id = seat.generation, seat.last_id
        self.lost += [at for at in self.acked if at >= len(log)]
        self.acked = {at: ms for at, ms in self.acked.items() if at < len(log)}
        self.at = len(log)
