"""The address of a Redis, connections to it, and checks before its first use."""

import asyncio
import errno
import os
import re
import socket
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from redis import exceptions
from redis.asyncio.connection import AbstractConnection, Connection, SSLConnection, parse_url
from redis.exceptions import AuthenticationError, RedisError, ResponseError

from server.store.connection import OnLost, OnReply, RedisProtocol
from server.store.errors import StoreAway, StoreNotReady, StoreTooOld, StoreUnusable

# Errors of a broken connection. TimeoutError is an OSError, and uvloop raises a RuntimeError for
# writing to a transport that has just closed.
BROKEN = (RedisError, OSError, RuntimeError)
NO_REDIS = "What listens at {0} does not answer as a Redis{0.other_scheme}."
REFUSALS: tuple[tuple[type | tuple[type, ...], type[StoreUnusable], str], ...] = (
    (AuthenticationError, StoreUnusable, "The Redis at {} asks for a password."),
    (exceptions.BusyLoadingError, StoreNotReady, "The Redis at {} cannot be written yet: {}"),
    (exceptions.ClusterDownError, StoreNotReady, "The Redis at {} cannot be written yet: {}"),
    # Redis explains it to the operator: read-only, disk full, out of memory.
    (ResponseError, StoreUnusable, "The Redis at {} cannot be written: {}"),
    # It hangs up or stays silent, as a proxy does whose Redis is still starting.
    ((OSError, RuntimeError, exceptions.ConnectionError), StoreNotReady, NO_REDIS),
    (RedisError, StoreUnusable, NO_REDIS),
)  # errors of a connection, as the operator reads them; the first match counts
LONGEST_SOCKET_PATH = 103  # bytes that the address of a Unix socket can hold on all systems
# The scheme, the user and password, the nodes, and the rest.
CLUSTER = re.compile(r"(rediss?)\+cluster://(.*@)?([^@/?,]+(?:,[^@/?,]+)*)([/?].*)?")
OLDEST_REDIS = (7, 0)
VERSION = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?(?!\d)", re.ASCII)
CERTIFICATE_FILES = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
ERRNO = re.compile(r"\[Errno (\d+)\]")
PERMANENT = {errno.EACCES, errno.ENOTSOCK}  # waiting does not help
# This runs even if the memory is full: servers must be able to start, and then empty the store.
PROBE = "#!lua flags=allow-oom\nreturn redis.call('SET', KEYS[1], 1, 'PX', 1)"
REPLY_TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class StoreTimings:
    """How long a store and its embedded server wait, in seconds; tests choose other times."""

    reply_s: float = REPLY_TIMEOUT_S  # a Redis that is silent for longer is away
    pubsub_reply_s: float = REPLY_TIMEOUT_S  # the same for subscriptions and their tests
    ping_after_s: float = 3.0  # pause between two PINGs on a subscription
    health_s: float = 1.0  # check the memory and disk of all masters this often

    sync_s: float = 1.0  # compare the clock with the store's this often
    confirmation_wait_s: float = 3.0  # at the start, wait for another process to confirm the time
    confirmation_poll_s: float = 0.1  # ask for that confirmation this often

    start_s: float = 60.0  # the embedded server may have a long file to read
    stop_s: float = 10.0  # when it stops, it writes the rest of the append-only file
    watch_s: float = 0.1  # its owner checks this often whether it runs, and a full disk for space
    pauses_s: tuple[float, ...] = (0.0, 0.2, 0.5, 1.0)
    """Pauses before each restart. Even after the last one it is back within two seconds."""
    forgiven_s: float = 60.0  # an older crash of the server no longer counts


STORE_TIMINGS = StoreTimings()


class Address:
    """The URL of a Redis, which opens connections; it is away if silent for `reply_s` seconds."""

    def __init__(self, url: str, reply_s: float = REPLY_TIMEOUT_S) -> None:
        """Parse `redis://`, `rediss://` or `unix://`; raise StoreUnusable for any other URL.

        URLs of clusters are split into these before.
        """
        self.reply_s = reply_s
        try:
            self.options: dict[str, Any] = dict(parse_url(url))
            kind: type[AbstractConnection] = self.options.pop("connection_class", Connection)
            self._connection = kind
            # These override the URL's options: replies are bytes, and callers set the timeouts.
            self.options |= {"protocol": 2, "decode_responses": False, "driver_info": None}
            self.options |= {"socket_timeout": None, "socket_connect_timeout": reply_s}
            self._connection(**self.options)  # raises an error for an unknown option
        except (ValueError, TypeError, RedisError) as error:
            # Show neither the URL nor the error's text: they may contain a password.
            raise StoreUnusable(
                "The Redis URL is not understood; it looks like redis://host:6379/0, "
                "rediss://user:password@host:6379/0, unix:///path/to/redis.sock or "
                "redis+cluster://host:6379,host:6379."
            ) from error
        for name in CERTIFICATE_FILES:
            if (path := self.options.get(name)) and not os.access(path, os.R_OK):
                raise StoreUnusable(f"{name} in the Redis URL names {path}, which cannot be read.")

    def __str__(self) -> str:
        options = self.options
        host, port = options.get("host", "localhost"), options.get("port", 6379)
        return str(options.get("path", f"{host}:{port}"))

    @property
    def has_tls(self) -> bool:
        """Whether its URL starts with `rediss`."""
        return issubclass(self._connection, SSLConnection)

    @property
    def other_scheme(self) -> str:
        """The advice to try the other scheme, as the end of a sentence."""
        if self.has_tls:
            return "; if it has no TLS, its URL begins with redis"
        return "" if "path" in self.options else "; if it has TLS, its URL begins with rediss"

    def at(self, host: str | None, port: int) -> Self:
        """Return the address of another node, with the same user, password and options.

        An empty `host`, or "?" for an unknown one, stands for the host of this node.
        """
        other = copy(self)
        named = {} if host in {None, "", "?"} else {"host": host}
        other.options = self.options | named | {"port": port}
        return other

    async def connect(self) -> AbstractConnection:
        """Return a new, authenticated connection; cancelling leaves none open.

        Raise StoreAway if no Redis answers within `reply_s`, with the reason as its cause.
        """
        connection = self._connection(**self.options)
        try:
            async with asyncio.timeout(self.reply_s):
                with short_path(self.options.get("path", "")) as connection.path:  # type: ignore[attr-defined]  # only Unix sockets have it
                    await connection.connect()  # type: ignore[no-untyped-call]  # redis-py's own
        except BaseException as error:
            await connection.disconnect(nowait=True)
            if not isinstance(error, Exception):
                raise
            refused = is_authentication(error)
            why = "Redis refuses the user or password" if refused else "Redis cannot be reached"
            # Other errors may quote the bytes that were sent.
            text = str(error) if isinstance(error, BROKEN) else type(error).__name__
            raise StoreAway(f"{why}: {text or 'no answer'}") from error
        return connection

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[AbstractConnection]:
        """Connect as `connect` does while the block runs, for at most `reply_s` seconds."""
        connection = await self.connect()
        try:
            async with asyncio.timeout(self.reply_s):
                yield connection
        finally:
            await connection.disconnect(nowait=True)

    async def ask(self, *words: str) -> Any:
        """Send a command on a new connection and return the reply.

        Raise StoreAway, RedisError or OSError.
        """
        async with self.connected() as connection:
            await connection.send_command(*words, check_health=False)
            return await connection.read_response()

    async def open(self, on_reply: OnReply, on_lost: OnLost) -> RedisProtocol:
        """Return a new connection; `on_reply` gets its replies, and `on_lost` why it broke.

        Errors and cancelling are as in `connect`.
        """
        connection = await self.connect()
        try:
            return RedisProtocol(connection, on_reply, on_lost)
        except BaseException:
            await connection.disconnect(nowait=True)
            raise


def parse_addresses(url: str, reply_s: float = REPLY_TIMEOUT_S) -> tuple[list[Address], bool]:
    """Return the addresses in a URL, and whether it names a cluster, or raise StoreUnusable."""
    if (cluster := CLUSTER.fullmatch(url)) is None:
        return [Address(url, reply_s)], False
    scheme, user, hosts, rest = cluster.groups(default="")
    found = [Address(f"{scheme}://{user}{host}{rest}", reply_s) for host in hosts.split(",")]
    if any(address.options.get("db") for address in found):
        raise StoreUnusable("A Redis Cluster has no numbered databases; leave the number out.")
    return found, True


@contextmanager
def short_path(socket: str) -> Iterator[str]:
    """Yield another path to a Unix socket if its own is too long to connect to."""
    if len(os.fsencode(socket)) <= LONGEST_SOCKET_PATH:
        yield socket
        return
    path = Path(socket)
    folder = os.open(path.parent, os.O_PATH)  # only Linux has this
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


def is_authentication(error: BaseException) -> bool:
    """Return whether Redis refused the user or password."""
    return any(isinstance(reason, AuthenticationError) for reason in _reasons(error))


def _reasons(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, then its cause or context, then the cause of that, and so on."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


@asynccontextmanager
async def connected_for_operator(address: Address) -> AsyncIterator[AbstractConnection]:
    """Connect like `Address.connected`, but raise StoreUnusable, with advice to the operator."""
    try:
        async with address.connected() as connection:
            yield connection
    except StoreAway as error:
        raise explain_failure(address, error) from error
    except BROKEN as error:
        _, kind, text = next(each for each in REFUSALS if isinstance(error, each[0]))
        raise kind(text.format(address, error)) from error


def explain_failure(address: Address, error: StoreAway) -> StoreUnusable:
    """Turn the error of a failed connection into one for the operator, without secrets."""
    if is_authentication(error):
        return StoreUnusable(f"The Redis at {address} refuses the user or password.")
    away = f"No Redis answers at {address}"
    for reason in _reasons(error):
        if isinstance(reason, ssl.SSLError):
            return StoreUnusable(f"{away}{_tls_failure(address, reason)}.")
        if isinstance(reason, ResponseError):
            return StoreUnusable(f"{away} as it must: {reason}.")
    for reason in _reasons(error):  # redis-py keeps the first error as the context
        if isinstance(reason, socket.gaierror | TimeoutError):
            # A Redis without TLS is silent too: it waits for a line to end.
            advice = address.other_scheme if address.has_tls else ""
            unknown = isinstance(reason, socket.gaierror)
            why = "host name is not known" if unknown else f"host does not answer{advice}"
            return StoreNotReady(f"{away}: the {why}.")
        if isinstance(reason, OSError):
            # If a name has several addresses, their errors arrive as one text.
            number = reason.errno or next(map(int, ERRNO.findall(str(reason))), None)
            if number is not None:
                kind = StoreUnusable if number in PERMANENT else StoreNotReady
                advice = address.other_scheme if number == errno.ECONNRESET else ""
                return kind(f"{away}: {os.strerror(number)}{advice}.")
    return StoreNotReady(f"{away}{address.other_scheme}.")


def _tls_failure(address: Address, reason: ssl.SSLError) -> str:
    """Return why TLS failed, as the end of a sentence."""
    if (why := getattr(reason, "verify_message", None)) is None:
        return f" over TLS{address.other_scheme}"
    return f": its certificate is not trusted ({why}); ?ssl_ca_certs=FILE in the URL names its CA"


async def check_version(address: Address, probe: str | None = None, *, clustered: bool) -> None:
    """Raise StoreTooOld, StoreNotReady or StoreUnusable unless this Redis can be used.

    It must be a node of a cluster if and only if `clustered` is true. The key `probe`, if given,
    is written to test whether that is allowed.
    """
    async with connected_for_operator(address) as connection:
        await connection.send_command("INFO", "server")
        fields: dict[str, str] = {}
        with suppress(exceptions.NoPermissionError):  # a hosted Redis, whose fields are unknown
            reply = await connection.read_response()
            if not isinstance(reply, bytes):
                raise exceptions.InvalidResponse("not the text of INFO")
            fields = parse_info(reply)
        _check_info(address, fields, clustered=clustered)
        if probe is None:
            return
        # Most of the server's writes are scripts too.
        await connection.send_command("EVAL", PROBE, 1, probe)
        with suppress(exceptions.MovedError):  # another node of a healthy cluster owns the slot
            await connection.read_response()


def _check_info(address: Address, fields: dict[str, str], *, clustered: bool) -> None:
    """Raise StoreTooOld or StoreUnusable unless the version and mode in these fields are right."""
    if (version := fields.get("redis_version")) is not None:
        found = VERSION.match(version)
        if found is None:
            why = "which is not a number; Redis 7.0 or newer is needed, or Valkey"
            raise StoreUnusable(f"The Redis at {address} has the version {version[:40]}, {why}.")
        if (int(found[1]), int(found[2] or 0)) < OLDEST_REDIS:
            raise StoreTooOld(version)
    mode = fields.get("redis_mode") or fields.get("server_mode")  # as Valkey calls it
    if mode is not None and (mode == "cluster") is not clustered:
        kind, scheme = ("no", "redis") if clustered else ("a", "redis+cluster")
        advice = f"write {scheme}:// before its host"
        raise StoreUnusable(f"The Redis at {address} is {kind} cluster; {advice}.")


def parse_info(info: bytes) -> dict[str, str]:
    """Return the fields of a reply to `INFO`."""
    lines = info.decode(errors="replace").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)
