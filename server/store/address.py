"""Where Redis is, and how to connect to it."""

import asyncio
from typing import Any

from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.exceptions import RedisError

from server.store.errors import StoreAway, StoreUnusable

# A Redis that is silent for longer than this is away.
PATIENCE = 2.0

# What a connection that breaks raises: TimeoutError is an OSError, and uvloop has a RuntimeError
# for writing to a transport that has just closed.
BROKEN = (RedisError, OSError, RuntimeError)


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
                "rediss://user:password@host:6379/0 or unix:///path/to/redis.sock."
            ) from error

    def __str__(self) -> str:
        options = self._options
        if "path" in options:
            return str(options["path"])
        return f"{options.get('host', 'localhost')}:{options.get('port', 6379)}"

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


async def hang_up(connection: AbstractConnection) -> None:
    """Close the connection without waiting for the other side."""
    await connection.disconnect(nowait=True)
