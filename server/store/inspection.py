"""Reports about each master of a store, for `doctor`.

Law: an inspection uses connections of its own and changes nothing.
"""

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Any

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import MovedError, ResponseError

from server.store.address import Address, fields_of, usable
from server.store.cluster import Topology
from server.store.keys import Keys
from server.store.timings import REPLY_TIMEOUT_S

BEATS_MS = 15_000  # the age of the latest heartbeat of a process that serves, at most
NOTHING = "return 1"  # a script
# What a server sends at its start; `XX` lets the script write nothing, as no such key exists.
WRITE = "#!lua\nreturn redis.call('SET', KEYS[1], 1, 'XX', 'PX', 1)"
ASKED = (
    ("PING",),
    ("TIME",),
    ("SCRIPT", "LOAD", NOTHING),
    ("EVALSHA", sha1(NOTHING.encode(), usedforsecurity=False).hexdigest(), "0"),
)
SETTINGS = ("appendonly", "appendfsync", "save", "maxmemory-policy")  # those in a report


@dataclass(frozen=True, slots=True)
class MasterReport:
    """What one Redis says of itself, asked with names of this installation."""

    address: str
    info: Mapping[str, str]  # the fields of `INFO`
    settings: Mapping[str, str] = field(default_factory=dict)  # those of `SETTINGS`
    refusal: str | None = None  # why it cannot be written, or a script cannot be run
    ahead_ms: int = 0  # how far its clock is ahead, at least; 0 if less than the question took
    types: Mapping[str, str] = field(default_factory=dict)  # of the keys that belong to no room
    clustered: bool = False
    channel_refusal: str | None = None  # why messages cannot be published or received
    servers: int = 0  # the processes that serve over it; in a cluster one master knows them


async def inspect(url: str, prefix: str) -> list[MasterReport]:
    """Return the reports of a Redis, or of each master of a cluster; raise as `Topology.open`."""
    topology = await Topology.open(url, REPLY_TIMEOUT_S)
    masters, clustered = {str(each): each for each in topology.owners}, topology.clustered
    asked = (_report(masters[name], Keys(prefix), clustered) for name in sorted(masters))
    return list(await asyncio.gather(*asked))


def wrong_types(report: MasterReport, prefix: str = "") -> list[str]:
    """Return the keys that belong to no room and hold another type than they should."""
    keys = Keys(prefix)
    return [key for key, found in report.types.items() if found not in {"none", keys.type_of(key)}]


async def _report(address: Address, keys: Keys, clustered: bool) -> MasterReport:  # noqa: FBT001  # a fact
    async with usable(address) as connection:
        asked = time.time()
        reply = await _ask(connection, "TIME")
        answered = time.time()
        info = await _info(connection, "INFO", "all")
        if clustered:
            info |= await _info(connection, "CLUSTER", "INFO")
        # The rights to a room's keys too.
        refused = await _refusal(connection, "EVAL", WRITE, "1", keys.probe)
        for words in ASKED:
            refused = refused or await _refusal(connection, *words)
        settings = _pairs(await _ask(connection, "CONFIG", "GET", *SETTINGS))
        held = {key: await _ask(connection, "TYPE", key) for key in keys.shared()}
        # Another node of a cluster owns the slots of the others.
        types = {key: each.decode() for key, each in held.items() if isinstance(each, bytes)}
        since = str(round(1_000 * asked) - BEATS_MS)
        beating = await _ask(connection, "ZCOUNT", keys.processes, since, "+inf")
        channel = keys.channel("doctor")
        unpublished = await _refusal(connection, "SPUBLISH", channel, "")
        # The last question: a connection with a subscription takes no other commands.
        unheard = await _refusal(connection, "SSUBSCRIBE", channel)
        name, ahead_ms = str(address), _ahead_ms(reply, asked, answered)
        unheard = unpublished or unheard
        servers = beating if isinstance(beating, int) else 0
        return MasterReport(
            *(name, info, settings, refused, ahead_ms, types, clustered, unheard, servers)
        )


async def _refusal(connection: AbstractConnection, *words: str) -> str | None:
    """Return why Redis refuses a command, or None; another node of a cluster is no refusal."""
    reply = await _ask(connection, *words)
    if not isinstance(reply, ResponseError) or isinstance(reply, MovedError):
        return None
    return f"{reply.status_code or ''} {reply}".lstrip()  # without its code if redis-py knows it


async def _ask(connection: AbstractConnection, *words: str) -> Any:
    """Return a reply; an error of Redis, such as a missing right, is returned too."""
    await connection.send_command(*words, check_health=False)
    try:
        return await connection.read_response()
    except ResponseError as error:
        return error


async def _info(connection: AbstractConnection, *words: str) -> dict[str, str]:
    """Return the fields of a reply; none if Redis has refused the command."""
    reply = await _ask(connection, *words)
    return fields_of(reply) if isinstance(reply, bytes) else {}


def _pairs(reply: object) -> dict[str, str]:
    """Return the settings of a reply to `CONFIG GET`; none if Redis has refused it."""
    if not isinstance(reply, list):
        return {}
    texts = [bytes(each).decode(errors="replace") for each in reply]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def _ahead_ms(reply: object, asked: float, answered: float) -> int:
    """Return how far the clock of Redis is ahead; its time was read between the two times."""
    if not isinstance(reply, list):
        return 0
    theirs = int(reply[0]) + int(reply[1]) / 1_000_000
    return round(1_000 * (theirs - min(max(theirs, asked), answered)))
