"""Stores of releases as files: `python -m tests.tools.recordings` records one of this release.

The program serves rooms in all states, and writes the contents of their store to
`tests/store/releases`, by version, with the tokens of the players. Every later release must serve
all of these files. When a test restores a store, each number of thirteen digits counts as a time
and moves on to now; dates move on by whole days.
"""

import asyncio
import json
import re
import tempfile
import time
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import Any

import redis

from server import __version__
from server.live.days import day_of, days_from
from server.store.keys import UNPREFIXED
from tests.players import Player, is_move, running, start_race
from tests.server.http import get
from tests.servers import start_embedded

RELEASES = Path(__file__).parents[1] / "store" / "releases"
TIME = re.compile(r"(?<![0-9A-Za-z])1\d{12}(?![0-9A-Za-z])")
DAY = re.compile(r"(?<![0-9A-Za-z])20\d\d-\d\d-\d\d(?![0-9A-Za-z])")
BYTES = "hex:"
LINES_OF_KEYS = re.compile(r"\n(?:   +|  (?=[]}]))")  # a key or a room takes one line of the file
Recorded = dict[str, Any]


def take(client: Any) -> dict[str, Any]:
    """Return all keys with their types and values.

    Leave out the clock of running processes, and keys that only guard work, or count.
    """
    names = sorted(set(client.keys("*")) - {b"clock"})
    lasting = [name for name in names if not UNPREFIXED.is_dispensable(_text(name))]
    return {_text(name): _value(client, name) for name in lasting}


def _value(client: Any, name: bytes) -> dict[str, Any]:
    read: dict[str, Callable[[], Any]] = {
        "string": lambda: _text(client.get(name)),
        "hash": lambda: _texts(client.hgetall(name).items()),
        "list": lambda: [_text(entry) for entry in client.lrange(name, 0, -1)],
        "set": lambda: sorted(_text(member) for member in client.smembers(name)),
        "zset": lambda: {
            _text(member): f"{score:.0f}"
            for member, score in client.zrange(name, 0, -1, withscores=True)
        },
        "stream": lambda: [
            [number.decode(), _texts(fields.items())] for number, fields in client.xrange(name)
        ],
    }
    type_ = client.type(name).decode()
    return {type_: read[type_]()}


def put_back(socket: Path, recorded: Recorded) -> None:
    """Write the keys into an empty Redis, as if they had been recorded just now."""
    now, taken = round(time.time() * 1_000), recorded["taken"]
    days = (date.fromisoformat(day_of(now)) - date.fromisoformat(day_of(taken))).days

    def shifted(text: str) -> bytes:
        text = DAY.sub(lambda day: days_from(day[0], days), text)
        return _bytes(TIME.sub(lambda ms: str(int(ms[0]) + now - taken), text))

    client: Any
    with redis.Redis(unix_socket_path=str(socket)) as client:
        client.flushall()
        for name, kept in recorded["keys"].items():
            ((type_, value),) = kept.items()
            _put(client, shifted(name), type_, value, shifted)


def _put(client: Any, key: bytes, type_: str, value: Any, shifted: Callable[[str], bytes]) -> None:
    def moved(fields: dict[str, str]) -> dict[bytes, bytes]:
        return {_bytes(name): shifted(value) for name, value in fields.items()}

    match type_:
        case "string":
            client.set(key, shifted(value))
        case "hash":
            client.hset(key, mapping=moved(value))
        case "list":
            client.rpush(key, *map(_bytes, value))
        case "set":
            client.sadd(key, *map(_bytes, value))
        case "zset":
            client.zadd(key, moved(value))
        case "stream":
            for entry, fields in value:
                client.xadd(key, moved(fields), id=entry)
        case _:
            raise ValueError(f"no type of ours: {type_}")


def _texts(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    return {_text(name): _text(value) for name, value in pairs}


def _text(value: bytes) -> str:
    text = value.decode(errors="replace")
    plain = text.encode() == value and text.isprintable() and not text.startswith(BYTES)
    return text if plain else BYTES + value.hex()


def _bytes(text: str) -> bytes:
    is_hex = text.startswith(BYTES)
    return bytes.fromhex(text.removeprefix(BYTES)) if is_hex else text.encode()


async def _race(port: int, players: int = 2, **settings: Any) -> list[Player]:
    """Start a race; each player makes a few acts, with an undo if that is allowed."""
    racing = await start_race(port, players, **settings)
    for player in racing:
        await _play(player)
    return racing


async def _play(player: Player) -> None:
    await player.race()
    for number in range(4):
        legal = [one for one in player.table["legal"] if is_move(one) or one == "deal"]
        undo = number == 1 and "undo" in player.table["legal"]
        assert (await player.act("undo" if undo else legal[0]))["type"] == "acted"


async def _end(players: list[Player]) -> None:
    for player in players:
        await player.say("forfeit")
    for player in players:
        await player.in_state("FINISHED")


async def all_rooms(port: int) -> dict[str, list[Player]]:
    """Open rooms in every state, for every preset and every game; return their players."""
    rooms = {"race": await _race(port, game="spider-1", time_limit_s=None, undo="any")}
    chased = await _race(port, game="spider-1", time_limit_s=None, chasers=True, hints=True)
    await chased[0].ask("hint")
    late = await Player.join(port, chased[0].code, "Cy")
    await late.say("chase")
    await late.race()
    await late.act(late.table["legal"][0])
    rooms["chased"] = [*chased, late]
    rooms["between rounds"] = match = await _race(port, rounds=3, match_ranking="score")
    await _end(match)
    await match[0].say("next_round")
    await match[0].in_state("LOBBY")
    rooms["over"] = over = await _race(port, game="spiderette-1", deal="numbered", number=24)
    await over[0].ask("say", text="Good game, all of you")
    await _end(over)
    await _review(port, over[0].code)
    rooms["cards of over"] = [await _with_cards(port, f"{over[0].code}/1/0", acts=2)]
    rooms["rematch"] = again = await _race(port, game="little-spider", score="cards")
    await _end(again)
    await again[0].say("rematch")
    while again[1].room["seats"][0]["state"] != "READY":
        await again[1].next()
    rooms["window"] = await _window(port)
    today = f"{day_of(round(time.time() * 1_000))}/spider-1"
    rooms["day"] = [await _with_cards(port, today, browser="browser-of-ada")]
    rooms["day over"] = done = [await _with_cards(port, today, browser="browser-of-bob")]
    await _end(done)
    rooms["no acts"] = await start_race(port, 2, game="spider-2", time_limit_s=None)
    catalogue = json.loads((await get(port, "/api/catalogue")).body)
    for preset in catalogue["presets"]:
        rooms[f"preset {preset['id']}"] = [await Player.create(port, "Ada", **preset["settings"])]
    for game in catalogue["games"]:
        rooms[f"race of {game['id']}"] = await _race(port, 1, game=game["id"], max_players=1)
    return rooms


async def _with_cards(port: int, cards: str, **fields: Any) -> Player:
    """Start a game of today's race, or one with the cards of a finished game."""
    player = await Player.seated(port, "create", name="Ada", cards=cards, **fields)
    await _play(player)
    return player


async def _window(port: int) -> list[Player]:
    """Open a race over days: Ada has not started, Bob plays, and Cy has played."""
    settings = {"game": "spider-1", "window_s": 86_400, "time_limit_s": None}
    ada = await Player.create(port, "Ada", **settings)
    others = [await Player.join(port, ada.code, name) for name in ("Bob", "Cy")]
    await ada.say("start")
    for player in others:
        await player.in_state("RUNNING")
        await player.say("chase")
        await _play(player)
    await others[1].say("forfeit")
    while others[1].room["seats"][2]["state"] != "FINISHED":
        await others[1].next()
    return [ada, *others]


async def _review(port: int, code: str) -> None:
    """Wait for the review of a room's first round."""
    path = f"/api/rooms/{code}/rounds/1/review"
    while json.loads((await get(port, path)).body)["state"] != "done":
        await asyncio.sleep(0.5)


def _seat(player: Player) -> dict[str, Any]:
    named = {"room": player.code, "seat": player.seat, "token": player.token}
    if key := (player.room.get("round") or {}).get("key"):
        named["key"] = key
    return named | {"at": player.table.get("at", 0), "used": player.used}


async def record() -> Recorded:
    """Return the contents of a store that a server and players are using."""
    with tempfile.TemporaryDirectory() as folder, start_embedded(Path(folder)) as store:
        async with running(redis_url=store.url, data_dir=Path(folder)) as listener:
            rooms = await all_rooms(listener.port)
            seats = {name: [_seat(player) for player in of_it] for name, of_it in rooms.items()}
            with redis.Redis(unix_socket_path=str(store.socket)) as client:
                taken = round(time.time() * 1_000)
                return {"taken": taken, "seats": seats, "keys": take(client)}


if __name__ == "__main__":
    text = json.dumps(asyncio.run(record()), indent=1, ensure_ascii=False)
    path = RELEASES / f"{__version__.partition('+')[0]}.json"
    path.write_text(LINES_OF_KEYS.sub("", text) + "\n")
