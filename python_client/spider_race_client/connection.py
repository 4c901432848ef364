"""The connection of one seat: a lost one is opened again, until the server closes it for good.

The waits have full jitter. A connection that is silent after a ping is given up, since a lost
network closes nothing. The server's limit of messages is kept by waiting.
"""

import asyncio
import json
import ssl
import time
from collections import deque
from collections.abc import Callable
from socket import gaierror
from typing import Any, Final, Protocol

from pydantic import ValidationError
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidStatus,
    InvalidURI,
    WebSocketException,
)
from websockets.typing import Subprotocol

from protocol.codec import TO_CLIENT
from protocol.from_client import ClientMessage, Ping
from protocol.to_client import Joined, Pong, ServerMessage
from protocol.vocabulary import (
    FIRST_FINAL_CODE,
    MESSAGES_AT_ONCE,
    MESSAGES_PER_S,
    SUBPROTOCOL,
    CloseCode,
)
from spider_race_client.addresses import ServerAddress
from spider_race_client.connection_options import ConnectionOptions
from spider_race_client.errors import (
    BadAnswer,
    RaceError,
    UnknownWord,
    Unreachable,
    VersionUnknown,
)
from spider_race_client.pacing import TokenBucket, wait_before_attempt
from spider_race_client.server_clock import ServerClock

NORMAL_CLOSURE: Final = 1_000
ABNORMAL_CLOSURE: Final = 1_006
RACING_PING_S = 5.0
IDLE_PING_S = 20.0
STEADY_S = 5.0
"""The time after which a connection with its seat has worked: earlier failures do not count."""
FIRST_ATTEMPTS = 3
"""Attempts before a server that has sent nothing so far is unreachable."""
TOO_MANY, SERVER_ERROR = 429, 500
_FAILURES = (OSError, EOFError, ImportError, WebSocketException)  # a proxy may need a library


Place = Callable[[], ClientMessage | None]
"""A place in the queue: what returns its message once it can be sent, None if it has none then."""


class Owner(Protocol):
    """The race whose connection this is."""

    def first_message(self) -> ClientMessage:
        """Return the message that takes the seat."""

    def receive(self, message: ServerMessage) -> None:
        """Take a message, which is no pong for the clock; raise a RaceError to end the race."""

    def handle_pong(self, ping_t: float) -> None:
        """Take the answer to a ping that stands behind a command."""

    def handle_lost(self, code: int) -> None:
        """Take the loss of a connection, which will be opened again."""

    def is_racing(self) -> bool:
        """Return whether the clock has to be exact now."""

    def version(self) -> int:
        """Return the newest event of the room that is known."""


class Connection:
    """The sockets of one seat, one after the other."""

    def __init__(self, options: ConnectionOptions, owner: Owner) -> None:
        self.server: ServerAddress | None = None
        """The server of the latest attempt."""
        self._clock = ServerClock()
        self._options = options
        self._observer = options.observer
        self._owner = owner
        self._limit = TokenBucket(MESSAGES_AT_ONCE, MESSAGES_PER_S)
        self._socket: ClientConnection | None = None
        self._outgoing: deque[ClientMessage | Place] = deque()
        self._has_outgoing = asyncio.Event()
        self._has_answered = False
        self._failure: Exception | None = None  # of the latest attempt
        self._failures = 0
        self._joined_at: float | None = None
        self._received_at = 0.0
        self._pings: dict[float, bool] = {}  # the unanswered ones; whether they are for the clock
        self._behind = 0  # pongs in a row that named a newer event than the known one

    async def run(self) -> int:
        """Hold the connection; return the close code with which the server ends it for good.

        Cancelling closes the socket.

        Raises:
            Unreachable: the server sends nothing, and has sent nothing before.
            VersionUnknown: the server does not speak this version of the protocol.
            BadAnswer: the server sends what the protocol does not have.
            RaceError: the owner ends the race.
        """
        while True:
            code = await self._use_socket()
            self._observer.connection_closed(code)
            if code == NORMAL_CLOSURE or code >= FIRST_FINAL_CODE:
                return code
            wait_s = self._wait_s(code)
            self._failures += 1
            is_hopeless = isinstance(self._failure, ssl.SSLCertVerificationError)
            if not self._has_answered and (is_hopeless or self._failures >= FIRST_ATTEMPTS):
                server, failure = self.server or "any server", self._failure
                raise Unreachable(f"No connection to {server}: {_reason(failure)}.") from failure
            self._owner.handle_lost(code)
            await asyncio.sleep(wait_s)

    @property
    def is_seated(self) -> bool:
        """Whether the present socket has the seat, so that messages can be sent."""
        return self._socket is not None and self._joined_at is not None

    def server_now_ms(self) -> float:
        """Return the server's time in ms since the epoch, as far as it is known."""
        return time.monotonic() * 1_000 + self._clock.offset_ms

    def send(self, *messages: ClientMessage | Place) -> None:
        """Send messages, in order; they are lost with the connection, which must be seated."""
        self._outgoing.extend(messages)
        self._has_outgoing.set()

    def open_again(self) -> None:
        """Close the socket, whose room cannot be read, and open another one later."""
        if self._socket is not None:
            self._socket.transport.abort()

    def next_ping_t(self) -> float:
        """Return the `t` of a new ping behind a command, whose pong the owner gets."""
        ping_t = self._new_ping_t()
        self._pings[ping_t] = False
        return ping_t

    def _new_ping_t(self) -> float:
        ping_t = time.monotonic() * 1_000
        while ping_t in self._pings:  # two within the resolution of the clock
            ping_t += 0.001
        return ping_t

    def _wait_s(self, code: int) -> float:
        """Return the seconds to wait after a close with this code."""
        if self._joined_at is not None and time.monotonic() - self._joined_at >= STEADY_S:
            self._failures = 0
        return wait_before_attempt(
            self._failures, self._options.longest_wait_s, is_moved=code == CloseCode.DRAINING
        )

    async def _use_socket(self) -> int:
        """Open a socket and use it to its end; return the close code."""
        self._begin()
        try:
            self.server = self._options.locate()
            tls: dict[str, Any] = {}  # certificates are checked as the system does
            if self.server.is_secure and self._options.tls is not None:
                tls["ssl"] = self._options.tls
            async with connect(
                self.server.websocket,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                compression=None,
                ping_interval=None,  # the protocol has its own, which measures the clock
                open_timeout=self._options.silence_s,
                close_timeout=1,
                proxy=None if self.server.is_loopback else True,
                **tls,
            ) as socket:
                return await self._converse(socket)
        except _FAILURES as error:
            self._failure = error
            return ABNORMAL_CLOSURE

    def _begin(self) -> None:
        """Forget what belonged to the connection before."""
        self._clock.begin_connection()
        self._outgoing.clear()
        self._pings.clear()
        self._joined_at = None
        self._behind = 0
        self._failure = None

    async def _converse(self, socket: ClientConnection) -> int:
        """Send and receive until the connection is closed; return its close code."""
        if socket.subprotocol != SUBPROTOCOL:
            raise VersionUnknown(f"{self.server} does not speak {SUBPROTOCOL}.")
        self._socket = socket
        self._received_at = time.monotonic()
        self._observer.connection_opened(socket)
        self.send(self._owner.first_message())
        reason: RaceError | None = None
        async with asyncio.TaskGroup() as tasks:
            beside = [
                tasks.create_task(self._write(socket)),
                tasks.create_task(self._watch(socket)),
            ]
            try:
                while True:
                    self._receive(_read(await socket.recv()))
            except ConnectionClosed:
                pass
            except RaceError as error:
                reason = error  # raised outside, where no group is made of it
            finally:
                self._socket = None
                for task in beside:
                    task.cancel()
        if reason is not None:
            raise reason
        code = socket.close_code
        return ABNORMAL_CLOSURE if code is None else code

    def _receive(self, message: ServerMessage | None) -> None:
        """Handle a message; None is one of a type that only a newer server knows."""
        now_ms = time.monotonic() * 1_000
        self._received_at, self._has_answered = time.monotonic(), True
        if message is None:
            return
        self._observer.message_received(message)
        match message:
            case Pong():
                self._receive_pong(message, now_ms)
                return
            case Joined():
                self._joined_at = time.monotonic()
                self._ping()
            case _:
                pass
        if isinstance(now := getattr(message, "now", None), int):
            self._clock.guess(now_ms, now)
        self._owner.receive(message)

    def _receive_pong(self, pong: Pong, now_ms: float) -> None:
        """Measure the clock; connect again if the room has events that never came."""
        is_for_clock = self._pings.pop(pong.t, None)
        if is_for_clock is None:
            return
        self._clock.measure(pong.t, now_ms, pong.now)
        self._behind = self._behind + 1 if pong.v > self._owner.version() else 0
        if self._behind > 1:
            self.open_again()
        if not is_for_clock:
            self._owner.handle_pong(pong.t)

    def _ping(self) -> None:
        ping_t = self._new_ping_t()
        self._pings[ping_t] = True
        self.send(Ping(t=ping_t))

    async def _write(self, socket: ClientConnection) -> None:
        """Send queued messages within the rate limit, until the connection is closed."""
        try:
            while True:
                while self._outgoing:
                    await self._limit.take()
                    first = self._outgoing.popleft()
                    message = first() if callable(first) else first
                    if message is None:
                        self._limit.give_back()
                        continue
                    self._observer.message_sent(message)
                    await socket.send(_written(message))
                self._has_outgoing.clear()
                await self._has_outgoing.wait()
        except ConnectionClosed:
            return  # the reader ends too, with the code

    async def _watch(self, socket: ClientConnection) -> None:
        """Send pings, and give up a socket that does not answer."""
        pinged_at = time.monotonic()
        while True:
            await asyncio.sleep(min(1.0, self._options.silence_s / 4))
            now = time.monotonic()
            if now - self._waits_since(now) > self._options.silence_s:
                socket.transport.abort()
                return
            interval_s = RACING_PING_S if self._owner.is_racing() else IDLE_PING_S
            if self._joined_at is not None and now - pinged_at >= interval_s:
                pinged_at = now
                self._ping()

    def _waits_since(self, now: float) -> float:
        """Return the time since which the server owes an answer; `now` if it owes none."""
        if self._joined_at is None:
            return self._received_at
        oldest_ping = next(iter(self._pings), now * 1_000) / 1_000
        return max(self._received_at, oldest_ping)


def _reason(failure: Exception | None) -> str:
    """Return in plain words why a connection could not be opened."""
    match failure:
        case None | TimeoutError():
            reason = "it is silent"
        case ssl.SSLCertVerificationError():
            reason = f"its certificate is not trusted ({failure.verify_message.rstrip('.')})"
        case ssl.SSLError():
            reason = f"no encrypted connection can be opened ({failure.reason or failure})"
        case ConnectionRefusedError():
            reason = "it accepts no connections"
        case ConnectionError():
            reason = "it ends the connection at once"
        case gaierror():
            reason = "its name is not known"
        case InvalidStatus(response=response):
            is_busy = response.status_code == TOO_MANY or response.status_code >= SERVER_ERROR
            name = "busy" if is_busy else "no Spider Race server"
            reason = f"it is {name} (it answers {response.status_code})"
        case InvalidURI():
            reason = f"it leads to {failure.uri}"
        case InvalidHandshake():
            reason = f"it is no Spider Race server ({failure})"
        case _:
            reason = str(failure).rstrip(".") or repr(failure)
    return reason


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
            raise UnknownWord(".".join(map(str, first["loc"])), first["input"]) from error
        raise BadAnswer(f"The server's message has a bad field: {first['loc']}") from error
    return message
