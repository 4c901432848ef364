"""The address of a Redis, and connections to it."""

import asyncio
import re
from collections.abc import Iterator
from copy import copy
from typing import Any, Self

from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.exceptions import AuthenticationError, RedisError

from server.store.errors import StoreAway, StoreUnusable
from server.store.redis_protocol import OnLost, OnReply, RedisProtocol
from server.store.timings import REPLY_TIMEOUT_S

# The errors of a connection that breaks: TimeoutError is an OSError, and uvloop raises a
# RuntimeError for writing to a transport that has just closed.
BROKEN = (RedisError, OSError, RuntimeError)


# The scheme, the user and password, the nodes, and the rest.
CLUSTER = re.compile(r"(rediss?)\+cluster://(.*@)?([^@/?,]+(?:,[^@/?,]+)*)([/?].*)?")


class Address:
    """The URL of a Redis, which makes connections; a silence of `reply_s` seconds is an outage."""

    def __init__(self, url: str, reply_s: float = REPLY_TIMEOUT_S) -> None:
        """Parse `redis://`, `rediss://` or `unix://`.

        Raises:
            StoreUnusable: the URL has another scheme, or an unknown option.
        """
        self.reply_s = reply_s
        try:
            options: dict[str, Any] = dict(parse_url(url))
            self._connection: type[AbstractConnection] = options.pop(
                "connection_class", Connection
            )
            # These options override the URL's: replies are bytes, and callers set the timeouts.
            self._options = options | {
                "protocol": 2,
                "decode_responses": False,
                "driver_info": None,
                "socket_timeout": None,
                "socket_connect_timeout": reply_s,
            }
            self._connection(**self._options)
        except (ValueError, TypeError, RedisError) as error:
            # Neither the URL nor the error's text is shown: they may contain a password.
            raise StoreUnusable(
                "The Redis URL is not understood; it looks like redis://host:6379/0, "
                "rediss://user:password@host:6379/0, unix:///path/to/redis.sock or "
                "redis+cluster://host:6379,host:6379."
            ) from error

    def __str__(self) -> str:
        options = self._options
        if "path" in options:
            return str(options["path"])
        return f"{options.get('host', 'localhost')}:{options.get('port', 6379)}"

    @property
    def host(self) -> str:
        """The host; only for an address that is no Unix socket."""
        return str(self._options.get("host", "localhost"))

    @property
    def database(self) -> int:
        """The number of the database; always 0 in a cluster."""
        return int(self._options.get("db", 0))

    def at(self, host: str, port: int) -> Self:
        """Return the address of another node, with the same user, password and options."""
        other = copy(self)
        vars(other)["_options"] = self._options | {"host": host, "port": port}
        return other

    async def connect(self) -> AbstractConnection:
        """Return a new, authenticated connection; cancelling leaves none open.

        Raises:
            StoreAway: no Redis answers within `reply_s`; the exception's cause is the
                reason.
        """
        connection = self._connection(**self._options)
        try:
            async with asyncio.timeout(self.reply_s):
                await connection.connect()  # type: ignore[no-untyped-call]  # redis-py's own
        except Exception as error:
            await hang_up(connection)
            if is_authentication(error):
                why = "Redis refuses the user or password"
            else:
                why = "Redis cannot be reached"
            # An error of another kind may quote what was sent.
            text = str(error) or "no answer"
            text = text if isinstance(error, BROKEN) else type(error).__name__
            raise StoreAway(f"{why}: {text}") from error
        except BaseException:
            await hang_up(connection)
            raise
        return connection

    async def open(self, on_reply: OnReply, on_lost: OnLost) -> RedisProtocol:
        """Connect, and pass all replies on; cancelling leaves no connection open.

        Raises:
            StoreAway: no Redis answers there.
        """
        connection = await self.connect()
        try:
            return RedisProtocol(connection, on_reply, on_lost)
        except BaseException:
            await hang_up(connection)
            raise


def nodes(url: str, reply_s: float = REPLY_TIMEOUT_S) -> tuple[list[Address], bool]:
    """Return the addresses in a URL, and whether the URL is that of a cluster.

    Raises:
        StoreUnusable: see `Address`; or the URL of a cluster names a database.
    """
    cluster = CLUSTER.fullmatch(url)
    if cluster is None:
        return [Address(url, reply_s)], False
    scheme, user, hosts, rest = cluster.groups(default="")
    addresses = [Address(f"{scheme}://{user}{host}{rest}", reply_s) for host in hosts.split(",")]
    if any(address.database for address in addresses):
        raise StoreUnusable("A Redis Cluster has no numbered databases; leave the number out.")
    return addresses, True


def is_authentication(error: BaseException) -> bool:
    """Return whether a connection failed because the user or password was refused."""
    return any(isinstance(reason, AuthenticationError) for reason in reasons(error))


def reasons(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, and those that have led to it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


async def hang_up(connection: AbstractConnection) -> None:
    """Close the connection without waiting for the peer."""
    await connection.disconnect(nowait=True)
