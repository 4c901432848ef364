"""The first words to a Redis: is it one, is it new enough, may we write."""

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import suppress

from redis.asyncio.connection import AbstractConnection
from redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    MovedError,
    NoPermissionError,
    RedisError,
    ResponseError,
)

from server.store.address import PATIENCE, Address, hang_up
from server.store.errors import StoreAway, StoreTooOld, StoreUnusable

OLDEST = (7, 0)
# Executed even if the memory is full: somebody has to serve for a full store to empty itself.
PROBE = "#!lua flags=allow-oom\nreturn redis.call('SET', KEYS[1], 1, 'PX', 1)"


async def check_version(address: Address, *, clustered: bool = False) -> None:
    """Return if the Redis there can do what the game asks of it; cancelling hangs up.

    It has to be a node of a cluster if `clustered`, and else none.

    Raises:
        StoreTooOld: it is older than 7.0.
        StoreUnusable: it cannot be reached, lets us not in, cannot be written, or is none.
    """
    try:
        connection = await address.connect()
    except StoreAway as error:
        if _is_authentication(error):
            raise StoreUnusable(f"The Redis at {address} refuses the user or password.") from error
        why = _why_not(error)
        raise StoreUnusable(f"No Redis answers at {address}{why}.") from error
    try:
        async with asyncio.timeout(PATIENCE):
            await _examine(connection, address, clustered=clustered)
    except AuthenticationError as error:
        raise StoreUnusable(f"The Redis at {address} asks for a password.") from error
    except BusyLoadingError as error:
        raise StoreUnusable(f"The Redis at {address} is still loading its data.") from error
    except ResponseError as error:
        # What it says is meant for the operator: read-only, disk full, out of memory.
        raise StoreUnusable(f"The Redis at {address} cannot be written: {error}") from error
    except (RedisError, OSError) as error:  # TimeoutError is an OSError
        raise StoreUnusable(f"What listens at {address} does not answer as a Redis.") from error
    finally:
        await hang_up(connection)


async def _examine(connection: AbstractConnection, address: Address, *, clustered: bool) -> None:
    fields = await _info(connection)
    version = fields.get("redis_version")
    if version is not None and tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
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
    # Writing by a script is what most of ours is.
    await connection.send_command("EVAL", PROBE, 1, "spider-race:probe")
    with suppress(MovedError):  # the cluster is well, and it is another's to write
        await connection.read_response()


async def _info(connection: AbstractConnection) -> dict[str, str]:
    await connection.send_command("INFO", "server")
    try:
        reply: bytes = await connection.read_response()
    except NoPermissionError:
        return {}  # a hosted Redis may keep it to itself: then nobody can say
    pipelines = reply.decode(errors="replace").splitlines()
    return dict(line.split(":", 1) for line in pipelines if ":" in line)


def _is_authentication(error: BaseException) -> bool:
    return any(isinstance(reason, AuthenticationError) for reason in _reasons(error))


def _why_not(error: BaseException) -> str:
    """What only the operator can mend and would not guess; nothing of it is secret."""
    for reason in _reasons(error):
        if isinstance(reason, ssl.SSLCertVerificationError):
            return f": its certificate is not trusted ({reason.verify_message})"
        if isinstance(reason, ssl.SSLError):
            return ": what is there speaks no TLS"
        if isinstance(reason, ResponseError):
            return f" as it must: {reason}"
    return ""


def _reasons(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
