"""Reports about each master of a store, for `doctor`.

Law: an inspection uses connections of its own and changes nothing.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha1
from typing import Any

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import MovedError, ResponseError

from server.store.address import REPLY_TIMEOUT_S, Address, connected_for_operator, parse_info
from server.store.cluster import Topology
from server.store.keys import Keys

BEATS_MS = 15_000  # a process without a heartbeat for this long counts as gone
EMPTY_SCRIPT = "return 1"
# Servers write this key when they start. It no longer exists, so `XX` makes this write nothing.
WRITE_SCRIPT = "#!lua\nreturn redis.call('SET', KEYS[1], 1, 'XX', 'PX', 1)"
NEEDED = (
    ("PING",),
    ("TIME",),
    ("SCRIPT", "LOAD", EMPTY_SCRIPT),
    ("EVALSHA", sha1(EMPTY_SCRIPT.encode(), usedforsecurity=False).hexdigest(), "0"),
)  # commands that Redis must not refuse
SETTINGS = ("appendonly", "appendfsync", "save", "maxmemory-policy")  # to report


@dataclass(frozen=True, slots=True)
class MasterReport:
    """The state of one Redis, as this installation sees it."""

    address: str
    info: Mapping[str, str]  # the fields of `INFO`
    settings: Mapping[str, str] = field(default_factory=dict)  # the values of `SETTINGS`
    refusal: str | None = None  # why it refuses to write or to run a script
    ahead_ms: int = 0  # its clock is at least this far ahead of ours
    wrong_types: Sequence[str] = ()  # keys that belong to no room and hold a wrong type
    clustered: bool = False
    channel_refusal: str | None = None  # why it refuses to publish or to subscribe
    servers: int = 0  # processes with recent heartbeats here: in a cluster, one master has them


async def inspect(url: str, prefix: str) -> list[MasterReport]:
    """Report on each master of the store at `url`; raise StoreTooOld or StoreUnusable."""
    topology = await Topology.open(url, REPLY_TIMEOUT_S)
    keys, masters = Keys(prefix), {str(master): master for master in topology.owners}
    in_order = [masters[name] for name in sorted(masters)]
    reports = (_report(master, keys, clustered=topology.clustered) for master in in_order)
    return await asyncio.gather(*reports)


async def _report(address: Address, keys: Keys, *, clustered: bool) -> MasterReport:
    """Return a report of one master, on a connection of its own."""
    async with connected_for_operator(address) as connection:
        asked_s = time.time()
        time_reply = await _ask(connection, "TIME")
        answered_s = time.time()
        info = await _info(connection, "INFO", "all")
        if clustered:
            info |= await _info(connection, "CLUSTER", "INFO")
        # This tests the permissions for rooms' keys as well: all keys start with the prefix.
        refusal = await _refusal(connection, "EVAL", WRITE_SCRIPT, "1", keys.probe)
        for words in NEEDED:
            refusal = refusal or await _refusal(connection, *words)
        settings = _pairs(await _ask(connection, "CONFIG", "GET", *SETTINGS))
        replies = {key: await _ask(connection, "TYPE", key) for key in keys.shared()}
        # In a cluster, the reply for another node's key is an error.
        types = {key: type_.decode() for key, type_ in replies.items() if isinstance(type_, bytes)}
        wrong = [key for key, type_ in types.items() if type_ not in {"none", keys.type_of(key)}]
        beating_from = str(round(1_000 * asked_s) - BEATS_MS)
        beating = await _ask(connection, "ZCOUNT", keys.processes, beating_from, "+inf")
        channel = keys.channel("doctor")
        publish_refusal = await _refusal(connection, "SPUBLISH", channel, "")
        # This comes last: a connection with a subscription takes no other commands.
        subscribe_refusal = await _refusal(connection, "SSUBSCRIBE", channel)
    return MasterReport(
        str(address),
        info,
        settings=settings,
        refusal=refusal,
        ahead_ms=_ahead_ms(time_reply, asked_s, answered_s),
        wrong_types=wrong,
        clustered=clustered,
        channel_refusal=publish_refusal or subscribe_refusal,
        servers=beating if isinstance(beating, int) else 0,
    )


async def _refusal(connection: AbstractConnection, *words: str) -> str | None:
    """Return why Redis refuses a command, or None; a redirection is no refusal."""
    reply = await _ask(connection, *words)
    if not isinstance(reply, ResponseError) or isinstance(reply, MovedError):
        return None
    return f"{reply.status_code or ''} {reply}".lstrip()  # redis-py cuts known codes off the text


async def _ask(connection: AbstractConnection, *words: str) -> Any:
    """Send a command and return the reply, which may be an error such as a missing permission."""
    await connection.send_command(*words, check_health=False)
    try:
        return await connection.read_response()
    except ResponseError as error:
        return error


async def _info(connection: AbstractConnection, *words: str) -> dict[str, str]:
    """Return the fields of a reply; no fields if Redis has refused the command."""
    reply = await _ask(connection, *words)
    return parse_info(reply) if isinstance(reply, bytes) else {}


def _pairs(reply: object) -> dict[str, str]:
    """Return the settings in a reply to `CONFIG GET`; no settings if Redis has refused it."""
    if not isinstance(reply, list):
        return {}
    texts = [bytes(word).decode(errors="replace") for word in reply]
    return dict(zip(texts[::2], texts[1::2], strict=True))


def _ahead_ms(reply: object, asked_s: float, answered_s: float) -> int:
    """Return by how many ms, at least, Redis's clock is ahead of ours (negative: behind).

    `reply` is to a `TIME` that was sent at `asked_s` and answered at `answered_s` by our clock.
    """
    if not isinstance(reply, list):
        return 0
    theirs_s = int(reply[0]) + int(reply[1]) / 1_000_000
    nearest_s = min(max(theirs_s, asked_s), answered_s)  # by our clock
    return round(1_000 * (theirs_s - nearest_s))
