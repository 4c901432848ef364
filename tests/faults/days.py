"""Each game of today is on the board, and each round in its table's history, exactly once."""

import asyncio
import contextlib
import itertools
import json
import random
import secrets
import time
from collections import Counter
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from spider_race_client import ActLost, Client, Race, RaceError, Refused, SeatLost, connect

from protocol.vocabulary import DayGameId, RoomState
from server.live.days import DAY_MS, day_of, end_ms_of
from server.live.hub import LIVE_TIMINGS
from server.rooms.days import DayDeal, entry_name
from server.store import Store
from tests.faults.checker import RoundKey
from tests.games.wins import SEED
from tests.server.http import get

GAME: DayGameId = "spider-1"
ACTS = 6
RELOADS, RIVALS = 0.3, 0.2  # the probabilities that a player reloads, or starts a second game
# If a failover has lost a deadline, its result is at most one interval late.
PATIENCE_S = LIVE_TIMINGS.days_s + 60
LONGEST_WAIT_S = 2.0

Played = tuple[str, str, float]
"""The room of a finished game, its key, and when it ended (monotonic)."""


async def choose_deals(url: str, directory: Path) -> None:
    """Choose the deals of the days of a run, since its servers compute none."""
    store = await Store.open(url, directory)
    text = DayDeal(seed=SEED.hex(), salt=bytes(16).hex(), line="").model_dump_json()
    now = store.clock.now_ms()
    for day in (day_of(now), day_of(now + DAY_MS)):
        await store.days.choose(day, GAME, text, end_ms_of(day) + DAY_MS)
    await store.close()


class DayPlayer:
    """A player of today's race, again and again, each time as another browser."""

    def __init__(self, locate: Callable[[], str], rng: random.Random) -> None:
        self.ending = False
        self.played: list[Played] = []
        self.lost: list[tuple[str, str]] = []  # the room of each seat that was lost, and why
        self.doubled: list[tuple[str, str]] = []  # the day and the room of each second game
        self._locate, self._rng = locate, rng

    async def live(self) -> None:
        while not self.ending:
            with contextlib.suppress(RaceError):
                await self._play()

    async def _play(self) -> None:
        day, browser = day_of(round(time.time() * 1_000)), secrets.token_hex(8)
        cards = f"{day}/{GAME}"
        async with self._connect() as client:
            race = await client.create("Day", cards=cards, browser=browser)
            key = "" if race.room.round is None else race.room.round.key
            if self._rng.random() >= RELOADS:
                await self._finish(race, key)
        if race.room.state is not RoomState.FINISHED:
            async with self._connect() as client:
                try:
                    again = await client.resume(race.code, race.seat, race.token)
                    await self._finish(again, key)
                except SeatLost as error:
                    self.lost.append((race.code, f"{error!r}"))
                    raise
        if self._rng.random() < RIVALS:
            async with self._connect() as client:
                with contextlib.suppress(Refused):
                    rival = await client.create("Day", cards=cards, browser=browser)
                    self.doubled.append((day, rival.code))

    def _connect(self) -> contextlib.AbstractAsyncContextManager[Client]:
        return connect(self._locate, longest_wait_s=LONGEST_WAIT_S)

    async def _finish(self, race: Race, key: str) -> None:
        for _ in range(ACTS):
            await asyncio.sleep(self._rng.uniform(0, 0.4))
            with contextlib.suppress(ActLost, Refused):
                if race.table is not None and race.table.legal:
                    await race.act(self._rng.choice(race.table.legal))
        while race.room.state is not RoomState.FINISHED:
            with contextlib.suppress(Refused):
                await race.forfeit()
            await asyncio.sleep(0.1)
        self.played.append((race.room.code, key, time.monotonic()))


async def check_board(
    ports: list[int], players: list[DayPlayer], may_forget: Callable[[str, float | None], bool]
) -> list[str]:
    """Return the errors on the board, once all reports have had time to arrive."""
    played = [each for player in players for each in player.played]
    give_up_s = time.monotonic() + PATIENCE_S
    while True:
        missing = [
            f"{code}: a game that was over is not on the board"
            for code, key, at in played
            if not may_forget(code, at) and await _own_entry(ports, key) != entry_name(key)
        ]
        if not missing or time.monotonic() > give_up_s:
            break
        await asyncio.sleep(1)
    missing += [
        f"{code}: a second game of its browser on {day}"
        for player in players
        for day, code in player.doubled
        if not may_forget(day, None)
    ]
    lost = [each for player in players for each in player.lost if not may_forget(each[0], None)]
    missing += [f"{code}: a seat was lost: {why}" for code, why in lost]
    rows = (await _board(ports, played[0][1]))["rows"] if played else []
    counted = Counter(row["entry"] for row in rows)
    return [*missing, *(f"{each} stands twice" for each, n in counted.items() if n > 1)]


async def _own_entry(ports: list[int], key: str) -> str:
    return str((await _board(ports, key)).get("own", ""))


async def _board(ports: list[int], key: str) -> dict[str, Any]:
    """Return the board of the day when the game with this key was started."""
    now = round(time.time() * 1_000)
    for port, day in itertools.product(ports, (day_of(now), day_of(now - DAY_MS))):
        with contextlib.suppress(OSError, TimeoutError, ValueError, IndexError):
            answer = await get(port, f"/api/days/{day}/{GAME}?key={key}")
            found: dict[str, Any] = json.loads(answer.body) if answer.status == 200 else {}
            if found.get("own"):
                return found
    return {}


async def check_tables(
    store: Store,
    rooms: Collection[str],
    over: Collection[RoundKey],
    may_forget: Callable[[str, float | None], bool],
) -> tuple[int, list[str]]:
    """Return the number of kept tables among the rooms, and the errors in their histories.

    `over`: the rounds that have surely ended.
    """
    tables, wrong = 0, list[str]()
    for code in sorted(rooms):
        stored = await store.rooms.read(code)
        kept = None if stored is None else json.loads(stored.doc).get("kept")
        if kept is None:
            continue
        tables += 1
        counted = Counter(json.loads(line)["n"] for line in await store.rooms.history(code))
        wrong += [f"{code} round {n}: there {k} times" for n, k in counted.items() if k > 1]
        if kept["races"] != counted.total():
            wrong.append(f"{code}: {counted.total()} rounds instead of {kept['races']}")
        if not may_forget(code, None):
            missing = {n for room, n in over if room == code} - counted.keys()
            wrong += [f"{code} round {n}: missing" for n in sorted(missing)]
    return tables, wrong
