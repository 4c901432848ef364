"""Today's race with many scripted players: the time of a board, and the size of its keys.

`python -m bench.days [PLAYERS]`: each player starts today's race, makes a few acts and gives up.
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from protocol.vocabulary import DayGameId
from server.config import StoreOptions
from server.live.days import DAY_MS, day_of, end_ms_of
from server.rooms.days import DayDeal
from server.store import Store
from server.store.connection import Command, pack
from tests.games.wins import SEED
from tests.players import Player, is_move, running
from tests.server.http import get

GAME: DayGameId = "spider-1"
TOGETHER = 50
PARTS = 5  # the board is measured after each part of the players
REQUESTS = 30


async def play(port: int, cards: str, number: int) -> str:
    """Play a short game of today's race; return its key."""
    names = {"name": f"Player {number}", "browser": f"browser-{number}"}
    player = await Player.seated(port, "create", cards=cards, **names)
    await player.race()
    for _ in range(number % 7):
        moves = [action for action in player.table["legal"] if is_move(action)]
        await player.act(moves[number % len(moves)] if moves else "deal")
    await player.ask("forfeit")
    await player.leave()
    return str(player.room["round"]["key"])


async def board_ms(port: int, path: str) -> float:
    """Return the median time of a request for the board, in milliseconds."""
    took = []
    for _ in range(REQUESTS):
        began = time.perf_counter()
        assert (await get(port, path)).status == 200
        took.append(1_000 * (time.perf_counter() - began))
    return statistics.median(took)


async def measure(players: int) -> None:
    """Let players play today's race, and print the times and sizes."""
    options: dict[str, Any] = {"max_rooms": 2 * players, "bots": 0, "thinkers": 0}
    options["log_level"] = "error"
    with tempfile.TemporaryDirectory() as made:
        async with running(data_dir=Path(made), **options) as listener:
            store = await Store.attach(StoreOptions(data_dir=Path(made)))
            day = day_of(store.clock.now_ms())
            deal = DayDeal(seed=SEED.hex(), salt=bytes(16).hex(), line="").model_dump_json()
            await store.days.choose(day, GAME, deal, end_ms_of(day) + DAY_MS)
            places, keys = asyncio.Semaphore(TOGETHER), list[str]()

            async def take_turn(number: int) -> None:
                async with places:
                    keys.append(await play(listener.port, f"{day}/{GAME}", number))

            for part in range(PARTS):
                ends = (players * (part + n) // PARTS for n in (0, 1))
                await asyncio.gather(*map(take_turn, range(*ends)))
                path = f"/api/days/{day}/{GAME}?key={keys[len(keys) // 2]}"
                print(f"{len(keys)} players: board {await board_ms(listener.port, path):.1f} ms")
            for name in ("deal", "begun", "released", "board", "results", "logs"):
                key = store.keys.day(day, name, GAME)
                size = await store.client.ask(
                    Command(key, pack("MEMORY", "USAGE", key, "SAMPLES", 0))
                )
                print(f"{name}: {size / 1e6:.2f} MB")
            await store.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.days", description=__doc__)
    parser.add_argument("players", type=int, nargs="?", default=10_000)
    sys.exit(asyncio.run(measure(parser.parse_args().players)))
