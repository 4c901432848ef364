"""Where Redis is, and how to connect to it."""

import asyncio
import re
from copy import copy
from typing import Any, Self

from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.exceptions import RedisError

from server.store.errors import StoreAway, StoreUnusable

# A Redis that is silent for longer than this is away.
PATIENCE = 2.0

# What a connection that breaks raises: TimeoutError is an OSError, and uvloop has a RuntimeError
# for writing to a transport that has just closed.
BROKEN = (RedisError, OSError, RuntimeError)


# The scheme, who we are, the nodes, and the rest.
CLUSTER = re.compile(r"(rediss?)\+cluster://(.*@)?([^@/?,]+(?:,[^@/?,]+)*)([/?].*)?")


class Address:
    """The parsed URL of a Redis; makes connections to it."""

    def __init__(self, url: str) -> None:
        """Parse `redis://`, `rediss://` or `unix://`.

        Raises:
            StoreUnusable: it is none of these, or has an option that nobody knows.
        """
        try:
            options: dict[str, Any] = dict(parse_url(url))
            self._connection: type[AbstractConnection] = options.pop(
                "connection_class", Connection
            )
            # Ours win over the URL's: replies are bytes, and whoever asks keeps the time.
            self._options = options | {
                "protocol": 2,
                "decode_responses": False,
                "driver_info": None,
                "socket_timeout": None,
                "socket_connect_timeout": PATIENCE,
            }
            self._connection(**self._options)
        except (ValueError, TypeError, RedisError) as error:
            # Neither the URL nor the error's text is shown: a password may stand in them.
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
        """The host, of an address that is no Unix socket."""
        return str(self._options.get("host", "localhost"))

    @property
    def database(self) -> int:
        """The number of the database; a cluster has only 0."""
        return int(self._options.get("db", 0))

    def at(self, host: str, port: int) -> Self:
        """Return the address of another node, entered in the same way."""
        other = copy(self)
        vars(other)["_options"] = self._options | {"host": host, "port": port}
        return other

    async def connect(self) -> AbstractConnection:
        """Return a fresh connection, authenticated; cancelling leaves none open.

        Raises:
            StoreAway: nobody answers there within `PATIENCE`. Its cause says why.
        """
        connection = self._connection(**self._options)
        try:
            async with asyncio.timeout(PATIENCE):
                await connection.connect()  # type: ignore[no-untyped-call]  # redis-py's own
        except BROKEN as error:
            await hang_up(connection)
            raise StoreAway(f"Redis cannot be reached: {str(error) or 'no answer'}") from error
        except BaseException:
            await hang_up(connection)
            raise
        return connection


def nodes(url: str) -> tuple[list[Address], bool]:
    """Return the addresses in a URL, and whether it is that of a cluster.

    Raises:
        StoreUnusable: as `Address`, or it names a database of a cluster.
    """
    cluster = CLUSTER.fullmatch(url)
    if cluster is None:
        return [Address(url)], False
    scheme, user, places, rest = cluster.groups(default="")
    found = [Address(f"{scheme}://{user}{place}{rest}") for place in places.split(",")]
    if any(address.database for address in found):
        raise StoreUnusable("A Redis Cluster has no numbered databases; leave the number out.")
    return found, True


async def hang_up(connection: AbstractConnection) -> None:
    """Close the connection without waiting for the other side."""
    await connection.disconnect(nowait=True)
