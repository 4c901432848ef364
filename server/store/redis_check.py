"""The check of a Redis before its first use: its version, its mode, and the right to write."""

import asyncio
import errno
import re
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import redis.exceptions
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    ClusterDownError,
    InvalidResponse,
    MasterDownError,
    MovedError,
    NoPermissionError,
    ResponseError,
)

from server.store.address import BROKEN, Address, hang_up, is_authentication, reasons
from server.store.errors import StoreAway, StoreNotReady, StoreTooOld, StoreUnusable
from server.store.keys import UNPREFIXED

OLDEST = (7, 0)
ERRNO = re.compile(r"\[Errno (\d+)\]")
NETWORK_REASONS = {
    errno.ECONNREFUSED: "nothing listens there",
    errno.ECONNRESET: "what listens there closes the connection",
    errno.EHOSTUNREACH: "the host cannot be reached",
    errno.ENETUNREACH: "no network leads to this host",
    errno.ENOENT: "there is no such socket",
    errno.EACCES: "this user has no right to use the socket",
    errno.ENOTSOCK: "this is no socket",
}
PERMANENT = {errno.EACCES, errno.ENOTSOCK}
"""Reasons that do not go by themselves, so nobody needs to wait for their end."""
STARTING = (ClusterDownError, MasterDownError)
LOST = (OSError, RuntimeError, redis.exceptions.ConnectionError)
VERSION = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?(?!\d)", re.ASCII)
# The script runs even if the memory is full: a full store becomes empty only if servers can start.
PROBE = "#!lua flags=allow-oom\nreturn redis.call('SET', KEYS[1], 1, 'PX', 1)"


async def check_version(
    address: Address, *, clustered: bool = False, probe: str = UNPREFIXED.probe
) -> None:
    """Return if the Redis at this address can be used; cancelling disconnects.

    The Redis must be a node of a cluster if and only if `clustered` is true. The key `probe` is
    written for a moment.

    Raises:
        StoreTooOld: the Redis is older than 7.0.
        StoreNotReady: the Redis cannot be reached, or is starting.
        StoreUnusable: the Redis refuses the login, cannot be written, or the peer is no Redis.
    """
    async with connected(address) as connection:
        await _examine(connection, address, probe, clustered=clustered)


@asynccontextmanager
async def connected(address: Address) -> AsyncIterator[AbstractConnection]:
    """Connect to a Redis for a block that takes `reply_s` at most; cancelling disconnects.

    Raises:
        StoreNotReady: the Redis cannot be reached, or is starting.
        StoreUnusable: the Redis refuses what the block asks for, or the peer is no Redis.
    """
    try:
        connection = await address.connect()
    except StoreAway as error:
        raise unreachable(address, error) from error
    try:
        async with asyncio.timeout(address.reply_s):
            yield connection
    except AuthenticationError as error:
        raise StoreUnusable(f"The Redis at {address} asks for a password.") from error
    except BusyLoadingError as error:
        raise StoreNotReady(f"The Redis at {address} is still loading its data.") from error
    except STARTING as error:
        raise StoreNotReady(f"The Redis at {address} cannot be written yet: {error}") from error
    except ResponseError as error:
        # The text of Redis is for the operator: read-only, disk full, out of memory.
        raise StoreUnusable(f"The Redis at {address} cannot be written: {error}") from error
    except BROKEN as error:
        # What closes the connection or is silent may be a proxy of a Redis that starts.
        kind = StoreNotReady if isinstance(error, LOST) else StoreUnusable
        raise kind(f"What listens at {address} does not answer as a Redis.") from error
    finally:
        await hang_up(connection)


def unreachable(address: Address, error: StoreAway) -> StoreUnusable:
    """Return the error for the operator about a Redis to which no connection was made."""
    if is_authentication(error):
        return StoreUnusable(f"The Redis at {address} refuses the user or password.")
    permanent = any(
        isinstance(reason, ssl.SSLError | ResponseError)
        or (isinstance(reason, OSError) and reason.errno in PERMANENT)
        for reason in reasons(error)
    )
    kind = StoreUnusable if permanent else StoreNotReady
    return kind(f"No Redis answers at {address}{_reason(error)}.")


async def _examine(
    connection: AbstractConnection, address: Address, probe: str, *, clustered: bool
) -> None:
    """Check the version of a Redis, its mode, and that it executes scripts."""
    fields = await _info(connection)
    version = fields.get("redis_version")
    if version is not None:
        found = VERSION.match(version)
        if found is None:
            raise StoreUnusable(
                f"The Redis at {address} has the version {version[:40]}, which is no number; "
                f"Redis 7.0 or newer is needed, or Valkey."
            )
        if (int(found[1]), int(found[2] or 0)) < OLDEST:
            raise StoreTooOld(version)
    mode = fields.get("redis_mode") or fields.get("server_mode")  # as Valkey calls it
    if mode == "cluster" and not clustered:
        raise StoreUnusable(
            f"The Redis at {address} is a cluster; write redis+cluster:// instead of redis://."
        )
    if mode not in {None, "cluster"} and clustered:
        raise StoreUnusable(
            f"The Redis at {address} is no cluster; write redis:// instead of redis+cluster://."
        )
    # Most writes of the server are made by scripts.
    await connection.send_command("EVAL", PROBE, 1, probe)
    with suppress(MovedError):  # another node of a healthy cluster owns the slot
        await connection.read_response()


async def _info(connection: AbstractConnection) -> dict[str, str]:
    await connection.send_command("INFO", "server")
    try:
        reply = await connection.read_response()
    except NoPermissionError:
        return {}  # a hosted Redis may refuse INFO: the version and the mode are then unknown
    if not isinstance(reply, bytes):
        raise InvalidResponse("not the text of INFO")
    return fields_of(reply)


def fields_of(info: bytes) -> dict[str, str]:
    """Return the fields of a reply to `INFO`."""
    lines = info.decode(errors="replace").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)


def _reason(error: BaseException) -> str:
    """Return the reason for a failed connection, if the operator can act on it; never a secret."""
    for reason in reasons(error):
        if isinstance(reason, ssl.SSLCertVerificationError):
            return f": its certificate is not trusted ({reason.verify_message})"
        if isinstance(reason, ssl.SSLError):
            return ": what is there speaks no TLS"
        if isinstance(reason, ResponseError):
            return f" as it must: {reason}"
    for reason in reasons(error):
        if isinstance(reason, OSError) and (why := _network_reason(reason)):
            return f": {why}"
    return ""


def _network_reason(error: OSError) -> str:
    """Return why no connection was made, or ""; redis-py keeps the first error as the context."""
    if isinstance(error, socket.gaierror):
        return "the host name is not known"
    if isinstance(error, TimeoutError):
        return "the host does not answer"
    # The errors of several addresses of one name are a text alone.
    found = error.errno or next(map(int, ERRNO.findall(str(error))), None)
    return NETWORK_REASONS.get(found, "") if found is not None else ""
