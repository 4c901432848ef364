"""The connection of one seat: it is opened again when lost, until the server closes it for good.

The waits between attempts are random. A silent connection is given up, since a broken network does
not close it. The client waits to stay within the server's limits.
"""

import asyncio
import json
import random
import ssl
import time
from collections.abc import Callable
from typing import NamedTuple

from pydantic import ValidationError
from websockets import exceptions
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from protocol import vocabulary
from protocol.codec import TO_CLIENT
from protocol.from_client import ClientMessage
from protocol.to_client import ServerMessage
from spider_race_client.addresses import is_loopback, server_address
from spider_race_client.calls import Calls
from spider_race_client.errors import RaceError, ServerError, Unreachable, known_code
from spider_race_client.race_state import ConnectionLost
from spider_race_client.tls import OPEN_S, reason_of, wrong_scheme

NORMAL_CLOSURE, ABNORMAL_CLOSURE = 1_000, 1_006
PING_S, FIRST_WAIT_S = 5.0, 0.5
STEADY_S = 5.0  # once a connection has kept its seat this long, earlier failures do not count
FIRST_ATTEMPTS = 3  # if a server has sent nothing by then, it is unreachable
USED = 0.8  # the share of a limit to use: network delays bring messages closer together
# The errors of opening a connection. An ImportError means that a proxy needs a missing library.
_FAILURES = (OSError, EOFError, ImportError, exceptions.WebSocketException)
Observer = Callable[[ClientConnection | ClientMessage | ServerMessage | int], None]
Receive = Callable[[ServerMessage | ConnectionLost], None]


class Options(NamedTuple):
    """The options of `connect`, for all connections of a client."""

    locate: Callable[[], str]
    observer: Observer
    tls: ssl.SSLContext | None
    longest_wait_s: float
    silence_s: float


class TokenBucket:
    """A limit that stays below one of the server's."""

    def __init__(self, burst: float, per_s: float) -> None:
        """Use part of the server's limit of `burst` messages at once, then `per_s` a second."""
        self._gap_s = 1 / (USED * per_s)  # between two tokens
        self._ahead_s = USED * burst * self._gap_s  # how early a token may be used, for a burst
        self._due = 0.0  # when the next token would be due at a steady rate

    async def take(self) -> None:
        """Take a token, waiting until it may be used."""
        now = time.monotonic()
        self._due = max(self._due, now) + self._gap_s
        await asyncio.sleep(max(0.0, self._due - self._ahead_s - now))


class Connection:
    """One seat's connection to the server: a socket, and a new one after each loss."""

    def __init__(self, options: Options, calls: Calls, receive: Receive) -> None:
        """Send messages from `calls`, and pass those that arrive to `receive`.

        `receive` may raise a RaceError, or a ConnectionError to connect again.
        """
        self.server = ""  # the address of the latest attempt
        self._options, self._calls, self._receive = options, calls, receive
        self._limit = TokenBucket(vocabulary.MESSAGES_AT_ONCE, vocabulary.MESSAGES_PER_S)
        self._has_answered = False
        self._failures = 0  # in a row

    async def run(self) -> int:
        """Keep the connection open; return the close code when the server ends it for good.

        Raise the RaceError that `receive` has raised, or ServerError if the server sends nothing
        at all, or something unknown to this protocol.
        """
        while True:
            code, failure, began = ABNORMAL_CLOSURE, None, time.monotonic()
            self._calls.begin_connection()
            try:
                code = await self._use_socket()
            except _FAILURES as error:
                failure = error
            self._options.observer(code)
            if code == NORMAL_CLOSURE or code >= vocabulary.FIRST_FINAL_CODE:
                return code
            if self._calls.is_seated and time.monotonic() - began >= STEADY_S:
                self._failures = 0
            self._failures += 1
            if not self._has_answered:
                await self._check_address(failure)
            self._calls.is_seated = False
            self._receive(ConnectionLost(known_code(code)))
            bound = min(self._options.longest_wait_s, FIRST_WAIT_S * 2 ** min(self._failures, 10))
            # Random, so that a server's clients do not all return at the same time.
            await asyncio.sleep(random.uniform(min(bound, FIRST_WAIT_S), bound))  # noqa: S311

    async def _check_address(self, failure: Exception | None) -> None:
        """After a failure, raise Unreachable if the scheme is wrong or too many attempts fail."""
        if self._failures == 1 and self.server and failure is not None:
            wrong = await asyncio.to_thread(wrong_scheme, self.server, failure)
            if wrong is not None:
                raise Unreachable(wrong) from failure
        if self._failures < FIRST_ATTEMPTS:
            return
        server, reason = self.server or "any server", reason_of(failure)
        if isinstance(failure, exceptions.InvalidURI):  # of another scheme, such as https
            reason = f"it redirects to {failure.uri}: use {server_address(failure.uri)}"
        raise Unreachable(f"No connection to {server}: {reason}.") from failure

    async def _use_socket(self) -> int:
        """Open a socket and use it until it closes; return the close code."""
        self.server = self._options.locate()
        is_https = self.server.startswith("https:")
        # The first attempt is short: if it fails, `_check_address` looks for a wrong scheme.
        open_s = OPEN_S if is_https and not self._failures else self._options.silence_s
        async with connect(
            f"ws{self.server.removeprefix('http')}/ws",
            subprotocols=[Subprotocol(vocabulary.SUBPROTOCOL)],
            compression=None,
            ping_interval=None,  # the protocol has its own pings
            open_timeout=min(open_s, self._options.silence_s),
            close_timeout=1,
            proxy=None if is_loopback(self.server) else True,
            ssl=(self._options.tls or True) if is_https else None,
        ) as socket:
            if socket.subprotocol != vocabulary.SUBPROTOCOL:
                raise ServerError(f"{self.server} does not speak {vocabulary.SUBPROTOCOL}.")
            self._options.observer(socket)
            async with asyncio.TaskGroup() as tasks:
                beside = tasks.create_task(self._write(socket)), tasks.create_task(self._ping())
                error = await self._read(socket)
                for task in beside:
                    task.cancel()
            if error is not None:
                raise error  # here, outside the task group, it is not wrapped
            return ABNORMAL_CLOSURE if socket.close_code is None else socket.close_code

    async def _read(self, socket: ClientConnection) -> RaceError | None:
        """Handle messages until the socket closes or is silent; return any RaceError to raise."""
        try:
            while True:
                until_ping_s = PING_S if self._calls.is_seated else 0  # until then, no pings
                async with asyncio.timeout(until_ping_s + self._options.silence_s):
                    text = await socket.recv()
                message, self._has_answered = _parse(text), True
                if message is not None:
                    self._options.observer(message)
                    self._receive(message)
        except exceptions.ConnectionClosed:
            return None
        except (TimeoutError, ConnectionError):
            socket.transport.abort()
            return None
        except RaceError as error:
            return error

    async def _write(self, socket: ClientConnection) -> None:
        """Send messages within the rate limit, until the connection is closed."""
        try:
            while True:
                message = self._calls.next_message()
                if message is None:
                    self._calls.changed.clear()
                    await self._calls.changed.wait()
                    continue
                self._options.observer(message)
                # The server chooses fitting values for the fields that are left open.
                chosen = message.model_dump(mode="json", exclude_unset=True)
                await socket.send(json.dumps({"type": message.type, **chosen}))
                await self._limit.take()
        except exceptions.ConnectionClosed:
            return  # the reader ends too, with the code

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(PING_S)
            if self._calls.is_seated:
                self._calls.ping()


def _parse(text: str | bytes) -> ServerMessage | None:
    """Parse a message of the server; return None for a type that a newer server has added."""
    try:
        return TO_CLIENT.validate_json(text, extra="ignore")
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        if first["type"] == "union_tag_invalid":
            return None
        where = ".".join(map(str, first["loc"]))
        raise ServerError(f"This client does not know {where} {first['input']!r}.") from error
