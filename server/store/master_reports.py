"""Reports about a store for its operator; nothing in the store is changed.

Each master of a cluster is asked for itself, over connections of its own.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import MovedError, RedisError, ResponseError

from server.store.address import Address, nodes
from server.store.errors import StoreAway, StoreUnusable
from server.store.keys import Keys, belongs_to_room
from server.store.redis_check import connected, fields_of, unreachable
from server.store.timings import STORE_TIMINGS, StoreTimings
from server.store.topology import fetch_slots

SETTINGS = ("appendonly", "appendfsync", "save", "maxmemory-policy", "dir")


@dataclass(frozen=True, slots=True)
class MasterReport:
    """What one Redis says of itself: the fields of `INFO`, and some of its settings.

    `refusal` is why it cannot be written, or None, and `channel_refusal` why messages cannot be
    published or received. Both are asked with names of this installation. `ahead_ms` is how far
    its clock is ahead of this machine's, at least: less than the time of the question is 0.
    `types` are the types of the keys that belong to no room.
    """

    address: str
    info: Mapping[str, str]
    settings: Mapping[str, str] = field(default_factory=dict)
    refusal: str | None = None
    ahead_ms: int = 0
    types: Mapping[str, str] = field(default_factory=dict)
    clustered: bool = False
    channel_refusal: str | None = None


async def inspect(
    url: str, prefix: str = "", timings: StoreTimings = STORE_TIMINGS
) -> list[MasterReport]:
    """Return the reports of a Redis, or of each master of a cluster.

    Raises:
        StoreUnusable: the URL is not understood, or a Redis does not answer.
    """
    seeds, clustered = nodes(url, timings.reply_s)
    masters = await _masters(seeds) if clustered else seeds[:1]
    keys = Keys(prefix)
    return list(await asyncio.gather(*(_report(each, keys, clustered) for each in masters)))


async def running_url(data_dir: Path, timings: StoreTimings = STORE_TIMINGS) -> str | None:
    """Return the address of the embedded server that runs on a directory, or None.

    Raises:
        StoreUnusable: the server does not answer.
    """
    from server.store.embedded import Embedded  # noqa: PLC0415  # not on Windows

    return await Embedded.find(data_dir, timings)


def is_used(data_dir: Path) -> bool:
    """Return whether a store has ever been in this directory."""
    from server.store.data_dir import has_rooms  # noqa: PLC0415  # not on Windows

    return has_rooms(data_dir)


def wrong_types(report: MasterReport, prefix: str = "") -> list[str]:
    """Return the keys that belong to no room and hold another type than they should."""
    keys = Keys(prefix)
    return [key for key, found in report.types.items() if found not in {"none", keys.type_of(key)}]


async def _masters(seeds: list[Address]) -> list[Address]:
    """Return the masters of a cluster, as the first seed that answers names them."""
    failure: StoreUnusable | None = None
    for seed in seeds:
        try:
            by, ranges = await fetch_slots(seed)
        except StoreAway as error:
            if failure is None:
                failure = unreachable(seed, error)
                failure.__cause__ = error
            continue
        found = {(node[0][0] or by.host, node[0][1]) for _, _, node in ranges}
        return [by.at(host, port) for host, port in sorted(found)]
    assert failure is not None, "a URL names a node"
    raise failure


async def _report(address: Address, keys: Keys, clustered: bool) -> MasterReport:  # noqa: FBT001  # a fact
    """Return what one master says about itself."""
    async with connected(address) as connection:
        asked = time.time()
        reply = await _ask(connection, "TIME")
        answered = time.time()
        info = await _info(connection, "INFO", "all")
        if clustered:
            info |= await _info(connection, "CLUSTER", "INFO")
        # The rights to a room's keys too: `return 1` writes nothing.
        refused = await _refusal(connection, "EVAL", "#!lua\nreturn 1", "1", keys.probe)
        settings = _pairs(await _ask(connection, "CONFIG", "GET", *SETTINGS))
        types = await _types(connection, keys)
        channel = keys.channel("doctor")
        unpublished = await _refusal(connection, "SPUBLISH", channel, "")
        # The last question: a connection with a subscription takes no other commands.
        unheard = await _refusal(connection, "SSUBSCRIBE", channel)
        return MasterReport(
            str(address),
            info,
            settings,
            refused,
            _ahead_ms(reply, asked, answered),
            types,
            clustered,
            unpublished or unheard,
        )


async def _refusal(connection: AbstractConnection, *words: str) -> str | None:
    """Return why Redis refuses a command, or None; another node of a cluster is no refusal."""
    reply = await _ask(connection, *words)
    refused = isinstance(reply, ResponseError) and not isinstance(reply, MovedError)
    return str(reply) if refused else None


async def _types(connection: AbstractConnection, keys: Keys) -> dict[str, str]:
    found = {}
    for key in keys.shared():
        assert not belongs_to_room(key), "a room's key would be in a slot of its own"
        reply = await _ask(connection, "TYPE", key)
        if isinstance(reply, bytes):  # another node of a cluster owns the slot
            found[key] = reply.decode()
    return found


async def _ask(connection: AbstractConnection, *words: str) -> Any:
    """Return a reply; an error of Redis, such as a missing right, is returned too."""
    await connection.send_command(*words, check_health=False)
    try:
        return await connection.read_response()
    except ResponseError as error:
        return error
    except RedisError as error:
        if "NOPERM" in str(error):
            return ResponseError(str(error))
        raise


async def _info(connection: AbstractConnection, *words: str) -> dict[str, str]:
    """Return the fields of a reply; none if Redis has refused the command."""
    reply = await _ask(connection, *words)
    return fields_of(reply) if isinstance(reply, bytes) else {}


def _pairs(reply: object) -> dict[str, str]:
    if not isinstance(reply, list):
        return {}
    texts = [bytes(each).decode(errors="replace") for each in reply]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def _ahead_ms(reply: object, asked: float, answered: float) -> int:
    """Return how far the clock of Redis is ahead; its time was read between the two times."""
    if not isinstance(reply, list):
        return 0
    theirs = int(reply[0]) + int(reply[1]) / 1_000_000
    if asked <= theirs <= answered:
        return 0
    return round(1_000 * (theirs - (answered if theirs > answered else asked)))
