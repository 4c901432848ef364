"""The connection of one seat: a lost one is opened again, until the server closes it for good.

The waits have full jitter. A connection that is silent after a ping is given up, since a lost
network closes nothing. The server's limits are kept by waiting.
"""

import asyncio
import json
import random
import ssl
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from socket import gaierror
from typing import Any, Final

from pydantic import ValidationError
from websockets import exceptions
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from protocol import vocabulary
from protocol.codec import TO_CLIENT
from protocol.from_client import ClientMessage, Ping
from protocol.to_client import Joined, Pong, ServerMessage
from protocol.vocabulary import SUBPROTOCOL, CloseCode
from spider_race_client import errors
from spider_race_client.addresses import is_loopback
from spider_race_client.calls import Calls
from spider_race_client.events import ConnectionLost

NORMAL_CLOSURE: Final = 1_000
ABNORMAL_CLOSURE: Final = 1_006
RACING_PING_S, IDLE_PING_S = 5.0, 20.0
STEADY_S = 5.0
"""The time after which a connection with its seat has worked: earlier failures do not count."""
FIRST_ATTEMPTS = 3
"""Attempts before a server that has sent nothing so far is unreachable."""
FIRST_WAIT_S = 0.5
MOVED_WAIT_S = 0.25
"""The longest wait before the seat is taken at the successor of a server that is replaced."""
USED = 0.8
"""The part of a limit that is used: messages that a network delays arrive closer together."""
CLOCK_SAMPLES = 8
TOO_MANY, SERVER_ERROR = 429, 500
_FAILURES = (
    OSError,
    EOFError,
    ImportError,
    exceptions.WebSocketException,
)  # a proxy may need a library

_REASONS: tuple[tuple[type, str], ...] = (
    (type(None), "it is silent"),
    (TimeoutError, "it is silent"),
    (ssl.SSLCertVerificationError, "its certificate is not trusted ({0.verify_message})"),
    (ssl.SSLError, "no encrypted connection can be opened ({0.reason})"),
    (ConnectionRefusedError, "it accepts no connections"),
    (ConnectionError, "it ends the connection at once"),
    (gaierror, "its name is not known"),
    (exceptions.InvalidURI, "it leads to {0.uri}"),
    (exceptions.InvalidHandshake, "it is no Spider Race server ({0})"),
)
"""Why a connection could not be opened, by the failure, the narrower ones first."""


class Observer:
    """Receives all that happens on the connections of a client, to record, measure or check it.

    A subclass overrides what it needs. The methods are called in the order of the traffic, in the
    client's tasks, and must not block. An error in one of them ends all races: `connect` raises it
    in a group.
    """

    def connection_opened(self, socket: ClientConnection) -> None:
        """Take a new websocket before its first message; a test of faults may break it later."""

    def message_sent(self, message: ClientMessage) -> None:
        """Take a message that is written to the websocket next; whether it arrives is unknown."""

    def message_received(self, message: ServerMessage) -> None:
        """Take a message before the race takes it; those of unknown types are left out."""

    def connection_closed(self, code: int) -> None:
        """Take the close code of a websocket, or 1006 for an attempt or an end without one."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of `connect`, which describes them, for all connections of a client."""

    locate: Callable[[], str]
    observer: Observer
    tls: ssl.SSLContext | None
    longest_wait_s: float
    silence_s: float


class TokenBucket:
    """A part of the server's limit: at most `burst` at once, then `per_s` a second."""

    def __init__(self, burst: float, per_s: float) -> None:
        self._burst, self._per_s = USED * burst, USED * per_s
        self._tokens, self._at = self._burst, time.monotonic()

    async def wait(self) -> None:
        """Wait until there is a token."""
        while True:
            now = time.monotonic()
            self._tokens = min(self._burst, self._tokens + (now - self._at) * self._per_s)
            self._at = now
            if self._tokens >= 1:
                return
            await asyncio.sleep((1 - self._tokens) / self._per_s)

    def take(self) -> None:
        """Take a token that was waited for."""
        self._tokens -= 1


class ServerClock:
    """The difference between the server's clock and the program's, by the shortest of some pings.

    Another connection measures anew, and keeps the difference until its first ping is answered.
    """

    def __init__(self) -> None:
        self.offset_ms = 0.0
        """The server's time less the program's; 0 before the first answer."""
        self._offsets: deque[tuple[float, float]] = deque(maxlen=CLOCK_SAMPLES)  # by their trips

    def begin_connection(self) -> None:
        """Forget the pings, as the next server may have another clock."""
        self._offsets.clear()

    def measure(self, sent_ms: float, received_ms: float, now_ms: float) -> None:
        """Take the server's time in the answer to a ping."""
        trip_ms = max(0.0, received_ms - sent_ms)
        self._offsets.append((trip_ms, now_ms + trip_ms / 2 - received_ms))
        self.offset_ms = min(self._offsets)[1]


class Connection:
    """The sockets of one seat, one after the other."""

    def __init__(
        self,
        options: Options,
        calls: Calls,
        receive: Callable[[ServerMessage | ConnectionLost], None],
    ) -> None:
        """Send what `calls` has, and hand over what arrives; `receive` may raise a RaceError."""
        self.server = ""
        """The server of the latest attempt."""
        self._options, self._calls, self._receive = options, calls, receive
        self._limit = TokenBucket(vocabulary.MESSAGES_AT_ONCE, vocabulary.MESSAGES_PER_S)
        self._socket: ClientConnection | None = None
        self._has_answered = False
        self._failure: Exception | None = None  # of the latest attempt
        self._failures = 0
        self._seated_at = 0.0
        self._owes_since: float | None = None  # the time of a ping after which nothing has come
        self._clock = ServerClock()

    async def run(self) -> int:
        """Hold the connection; return the close code with which the server ends it for good.

        Cancelling closes the socket.

        Raises:
            Unreachable: the server sends nothing, and has sent nothing before.
            VersionUnknown: the server does not speak this version of the protocol.
            BadAnswer: the server sends what the protocol does not have.
            RaceError: `receive` has raised it.
        """
        while True:
            code = await self._use_socket()
            self._options.observer.connection_closed(code)
            if code == NORMAL_CLOSURE or code >= vocabulary.FIRST_FINAL_CODE:
                return code
            if self._calls.is_seated and time.monotonic() - self._seated_at >= STEADY_S:
                self._failures = 0
            wait_s = self._wait_s(is_moved=code == CloseCode.DRAINING)
            self._failures += 1
            is_hopeless = isinstance(self._failure, ssl.SSLCertVerificationError)
            if not self._has_answered and (is_hopeless or self._failures >= FIRST_ATTEMPTS):
                server, failure = self.server or "any server", self._failure
                raise errors.Unreachable(
                    f"No connection to {server}: {_reason(failure)}."
                ) from failure
            self._calls.is_seated = False
            self._receive(ConnectionLost(code))
            await asyncio.sleep(wait_s)

    def now_ms(self) -> float:
        """Return the server's time in ms since the epoch, as far as it is known."""
        return time.monotonic() * 1_000 + self._clock.offset_ms

    def open_again(self) -> None:
        """Close the socket, whose room cannot be read, and open another one later."""
        if self._socket is not None:
            self._socket.transport.abort()

    def _wait_s(self, *, is_moved: bool) -> float:
        """Return the seconds before the next attempt, with full jitter up to a growing bound."""
        bound = min(self._options.longest_wait_s, FIRST_WAIT_S * 2 ** min(self._failures + 1, 10))
        first = min(bound, FIRST_WAIT_S)
        if is_moved and not self._failures:  # its successor serves already
            first, bound = 0.0, MOVED_WAIT_S
        return random.uniform(first, bound)  # noqa: S311  # it spreads clients and hides nothing

    async def _use_socket(self) -> int:
        """Open a socket and use it to its end; return the close code."""
        self._calls.begin_connection()
        self._clock.begin_connection()
        self._failure = None
        try:
            self.server = self._options.locate()
            tls: dict[str, Any] = {}  # certificates are checked as the system does
            if self.server.startswith("https") and self._options.tls is not None:
                tls["ssl"] = self._options.tls
            async with connect(
                f"ws{self.server.removeprefix('http')}/ws",
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                compression=None,
                ping_interval=None,  # the protocol has its own, which measures the clock
                open_timeout=self._options.silence_s,
                close_timeout=1,
                proxy=None if is_loopback(self.server) else True,
                **tls,
            ) as socket:
                return await self._converse(socket)
        except _FAILURES as error:
            self._failure = error
            return ABNORMAL_CLOSURE

    async def _converse(self, socket: ClientConnection) -> int:
        """Send and receive until the connection is closed; return its close code."""
        if socket.subprotocol != SUBPROTOCOL:
            raise errors.VersionUnknown(f"{self.server} does not speak {SUBPROTOCOL}.")
        self._socket, self._owes_since = socket, time.monotonic()
        self._options.observer.connection_opened(socket)
        reason: errors.RaceError | None = None
        async with asyncio.TaskGroup() as tasks:
            beside = [
                tasks.create_task(each) for each in (self._write(socket), self._watch(socket))
            ]
            try:
                while True:
                    self._take(_read(await socket.recv()))
            except exceptions.ConnectionClosed:
                pass
            except errors.RaceError as error:
                reason = error  # raised outside, where no group is made of it
            finally:
                self._socket = None
                for task in beside:
                    task.cancel()
        if reason is not None:
            raise reason
        return ABNORMAL_CLOSURE if socket.close_code is None else socket.close_code

    def _take(self, message: ServerMessage | None) -> None:
        """Take a message; None is one of a type that only a newer server knows."""
        self._has_answered, self._owes_since = True, None
        if message is None:
            return
        self._options.observer.message_received(message)
        if isinstance(message, Joined):
            self._seated_at = time.monotonic()
            self._calls.ping()
        elif isinstance(message, Pong):
            self._clock.measure(message.t, time.monotonic() * 1_000, message.now)
        self._receive(message)

    async def _write(self, socket: ClientConnection) -> None:
        """Send messages within the rate limit, until the connection is closed."""
        try:
            while True:
                await self._limit.wait()
                message = self._calls.next_message()
                if message is None:
                    self._calls.changed.clear()
                    await self._calls.changed.wait()
                    continue
                self._limit.take()
                if isinstance(message, Ping) and self._owes_since is None:
                    self._owes_since = time.monotonic()
                self._options.observer.message_sent(message)
                await socket.send(_written(message))
        except exceptions.ConnectionClosed:
            return  # the reader ends too, with the code

    async def _watch(self, socket: ClientConnection) -> None:
        """Send pings, and give up a socket that does not answer."""
        pinged_at = time.monotonic()
        while True:
            await asyncio.sleep(min(1.0, self._options.silence_s / 4))
            now = time.monotonic()
            if self._owes_since is not None and now - self._owes_since > self._options.silence_s:
                socket.transport.abort()
                return
            interval_s = RACING_PING_S if self._calls.state.is_racing else IDLE_PING_S
            if self._calls.is_seated and now - pinged_at >= interval_s:
                pinged_at = now
                self._calls.ping()


def _reason(failure: Exception | None) -> str:
    """Return in plain words why a connection could not be opened."""
    if isinstance(failure, exceptions.InvalidStatus):
        status = failure.response.status_code
        is_busy = status == TOO_MANY or status >= SERVER_ERROR
        return f"it is {'busy' if is_busy else 'no Spider Race server'} (it answers {status})"
    reason = next((reason for kind, reason in _REASONS if isinstance(failure, kind)), "{0}")
    return reason.format(failure).rstrip(".") or repr(failure)


def _written(message: ClientMessage) -> str:
    """Return a message without fields that are left open: the server chooses what fits."""
    chosen = message.model_dump(mode="json", exclude_unset=True)
    return json.dumps({"type": message.type, **chosen})


def _read(text: str | bytes) -> ServerMessage | None:
    """Return a message; None if it is of a type that a newer server has added.

    Raises:
        BadAnswer: it is not a message of the protocol.
        UnknownWord: it has a word that a newer release has added.
    """
    try:
        message: ServerMessage = TO_CLIENT.validate_json(text, extra="ignore")
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        if first["type"] == "union_tag_invalid":
            return None
        if first["type"] in {"literal_error", "enum"}:
            raise errors.UnknownWord(".".join(map(str, first["loc"])), first["input"]) from error
        raise errors.BadAnswer(f"The server's message has a bad field: {first['loc']}") from error
    return message
