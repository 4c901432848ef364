"""An open connection to a Redis: packed commands and parsed replies; no coroutines.

redis-py opens the connection (`Address.open`) and takes care of URLs, TLS and logins. From then on
the transport feeds hiredis's parser: redis-py's reader needs three nested coroutines per reply.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import hiredis
import structlog
from redis.asyncio.connection import AbstractConnection, DefaultParser
from redis.exceptions import InvalidResponse, RedisError, ResponseError

from server.store.errors import StoreAway

log = structlog.get_logger(__name__)

Word = str | bytes | int
Reply = Any  # a parsed reply, an error reply (RedisError), or a StoreError
OnReply = Callable[[Reply], None]
OnLost = Callable[[Exception], None]

_INCOMPLETE = object()  # the parser returns this until it has a complete reply


class Command(NamedTuple):
    """A packed command, and its key: the master of the key's slot gets the command."""

    key: str
    packed: bytes


def pack(*words: Word) -> bytes:
    """Return the command as bytes of the Redis protocol."""
    # hiredis takes any number of words, though its stub declares one.
    packed: bytes = hiredis.pack_command(words)  # type: ignore[arg-type]
    return packed


def keyed(name: str, key: str, *words: Word) -> Command:
    """Return a command with its key as the first argument."""
    return Command(key, pack(name, key, *words))


class RedisProtocol(asyncio.Protocol):
    """An open connection to a Redis; its callbacks must not block.

    Law: `on_reply` gets every reply once, in order. `on_lost` is called once, after the last one.
    Neither is called after `stop`. A StoreAway from `on_reply` ends the connection.
    """

    def __init__(self, connection: AbstractConnection, on_reply: OnReply, on_lost: OnLost) -> None:
        self._connection, self._on_reply, self._on_lost = connection, on_reply, on_lost
        self._replies = hiredis.Reader(
            InvalidResponse, DefaultParser.parse_error, notEnoughData=_INCOMPLETE
        )
        self.is_lost = False  # or closed
        # redis-py has no public way to its transport.
        reader, writer = connection._reader, connection._writer  # noqa: SLF001
        if reader is None or writer is None or reader.at_eof() or writer.transport.is_closing():
            raise StoreAway("Redis has closed the connection.")
        self._transport = writer.transport
        self._transport.set_protocol(self)

    def send(self, commands: Sequence[bytes]) -> None:
        """Send packed commands, or raise StoreAway if the connection is lost."""
        if self.is_lost:
            raise StoreAway("the connection is lost")
        self._transport.write(b"".join(commands))

    def stop(self) -> None:
        """Disconnect without calling `on_lost`."""
        self.is_lost = True
        self._transport.abort()
        # Otherwise redis-py warns about a connection that it has not closed.
        self._connection._writer = None  # noqa: SLF001

    def lose(self, error: Exception) -> None:
        """Disconnect, and report the error to `on_lost`, unless it is lost already."""
        if not self.is_lost:
            self.stop()
            self._on_lost(error)

    def data_received(self, data: bytes) -> None:
        """Pass on each reply that this data completes; called by the transport."""
        replies = self._replies
        try:
            replies.feed(data)
            while not self.is_lost:
                reply = replies.gets()
                if reply is _INCOMPLETE:
                    return
                if isinstance(reply, RedisError) and not isinstance(reply, ResponseError):
                    self.lose(reply)  # Redis refuses the connection, not the command
                else:
                    self._on_reply(reply)
        except (RedisError, StoreAway) as error:
            self.lose(error)
        except Exception:
            # Replies and commands are out of step.
            log.exception("a reply of the store cannot be read")
            self.lose(StoreAway("a reply cannot be read"))

    def eof_received(self) -> None:
        """Report that Redis has closed the connection."""
        self.lose(ConnectionError("Connection closed by server."))

    def connection_lost(self, exc: Exception | None) -> None:
        """Report that the transport has lost the connection."""
        self.lose(exc or ConnectionError("Connection closed by server."))
