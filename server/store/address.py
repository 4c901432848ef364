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
NO_REDIS = "What listens at {0} does not answer as a Redis{0.scheme_advice}."
# The meaning of each connection error for the operator; the first match counts.
REFUSALS: tuple[tuple[type | tuple[type, ...], type[StoreUnusable], str], ...] = (
    (AuthenticationError, StoreUnusable, "The Redis at {} asks for a password."),
    (exceptions.BusyLoadingError, StoreNotReady, "The Redis at {} cannot be written yet: {}"),
    (exceptions.ClusterDownError, StoreNotReady, "The Redis at {} cannot be written yet: {}"),
    # Redis's own text explains these: read-only, disk full, out of memory.
    (ResponseError, StoreUnusable, "The Redis at {} cannot be written: {}"),
    # It hangs up or stays silent, like a proxy whose Redis is still starting.
    ((OSError, RuntimeError, exceptions.ConnectionError), StoreNotReady, NO_REDIS),
    (RedisError, StoreUnusable, NO_REDIS),
)
LONGEST_SOCKET_PATH = 103  # bytes that the address of a Unix socket can hold on all systems
# Its groups: the scheme, the user and password, the nodes, and the rest.
CLUSTER_URL = re.compile(r"(rediss?)\+cluster://(.*@)?([^@/?,]+(?:,[^@/?,]+)*)([/?].*)?")
OLDEST_REDIS = (7, 0)
VERSION = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?(?!\d)", re.ASCII)  # major and minor
CERTIFICATE_FILES = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")
ERRNO = re.compile(r"\[Errno (\d+)\]")
PERMANENT = {errno.EACCES, errno.ENOTSOCK}  # waiting does not help
# This runs even if the memory is full: servers must be able to start, and then empty the store.
PROBE = "#!lua flags=allow-oom\nreturn redis.call('SET', KEYS[1], 1, 'PX', 1)"
REPLY_TIMEOUT_S = 2.0


@dataclass(frozen=True, slots=True)
class StoreTimings:
    """How long a store and its embedded server wait, in seconds; tests choose other times."""

    reply_s: float = REPLY_TIMEOUT_S  # a Redis that is silent for longer counts as unavailable
    pubsub_reply_s: float = REPLY_TIMEOUT_S  # the same for subscriptions and their tests
    ping_after_s: float = 3.0  # pause between two PINGs on a subscription
    health_s: float = 1.0  # check the memory and disk of all masters this often

    sync_s: float = 1.0  # compare the clock with the store's this often
    confirmation_wait_s: float = 3.0  # at the start, wait for another process to confirm the time
    confirmation_poll_s: float = 0.1  # ask for that confirmation this often

    start_s: float = 60.0  # the embedded server may have a long file to read
    stop_s: float = 10.0  # when it stops, it writes the rest of the append-only file
    watch_s: float = 0.1  # check this often whether it runs, and whether a full disk has space
    pauses_s: tuple[float, ...] = (0.0, 0.2, 0.5, 1.0)
    """The pause before each restart. Even after the longest, the server is back within 2 s."""
    forgiven_s: float = 60.0  # a crash that is older than this no longer counts


STORE_TIMINGS = StoreTimings()


class Address:
    """Where a Redis is and how to connect; it is unavailable if silent for `reply_s` seconds."""

    def __init__(self, url: str, reply_s: float = REPLY_TIMEOUT_S) -> None:
        """Parse `redis://`, `rediss://` or `unix://`; raise StoreUnusable for any other URL.

        `parse_addresses` splits the URL of a cluster into URLs of these kinds.
        """
        self.reply_s = reply_s
        try:
            self.options: dict[str, Any] = dict(parse_url(url))
            kind: type[AbstractConnection] = self.options.pop("connection_class", Connection)
            self._connection_class = kind  # for TCP, TLS or a Unix socket
            # These override the URL's options: replies are bytes, and callers set the timeouts.
            self.options |= {"protocol": 2, "decode_responses": False, "driver_info": None}
            self.options |= {"socket_timeout": None, "socket_connect_timeout": reply_s}
            self._connection_class(**self.options)  # raises an error for an unknown option
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
        return issubclass(self._connection_class, SSLConnection)

    @property
    def scheme_advice(self) -> str:
        """The end of a sentence that advises the operator to try the URL's other scheme."""
        if self.has_tls:
            return "; if it has no TLS, its URL begins with redis"
        return "" if "path" in self.options else "; if it has TLS, its URL begins with rediss"

    def at(self, host: str | None, port: int) -> Self:
        """Return the address of another node, with the same user, password and options.

        An empty `host`, or "?" (Redis does not know it), means the host of this node.
        """
        other = copy(self)
        named = {} if host in {None, "", "?"} else {"host": host}
        other.options = self.options | named | {"port": port}
        return other

    async def connect(self) -> AbstractConnection:
        """Return a new, authenticated connection; cancelling leaves none open.

        If no Redis answers within `reply_s`, raise StoreAway with the reason as its cause.
        """
        connection = self._connection_class(**self.options)
        try:
            async with asyncio.timeout(self.reply_s):
                with short_path(self.options.get("path", "")) as path:
                    connection.path = path  # type: ignore[attr-defined]  # only a Unix socket's
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
        """Keep a new connection open while the block runs, for at most `reply_s` seconds."""
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

        Raise as `connect` does; cancelling leaves no connection open.
        """
        connection = await self.connect()
        try:
            return RedisProtocol(connection, on_reply, on_lost)
        except BaseException:
            await connection.disconnect(nowait=True)
            raise


def parse_addresses(url: str, reply_s: float = REPLY_TIMEOUT_S) -> tuple[list[Address], bool]:
    """Return a URL's addresses, and whether they are a cluster's, or raise StoreUnusable."""
    if (cluster := CLUSTER_URL.fullmatch(url)) is None:
        return [Address(url, reply_s)], False
    scheme, user, hosts, rest = cluster.groups(default="")
    found = [Address(f"{scheme}://{user}{host}{rest}", reply_s) for host in hosts.split(",")]
    if any(address.options.get("db") for address in found):
        raise StoreUnusable("A Redis Cluster has no numbered databases; leave the number out.")
    return found, True


@contextmanager
def short_path(socket: str) -> Iterator[str]:
    """Yield a path to a Unix socket that is short enough to connect to."""
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
    """Yield an error, its cause or context, the cause of that one, and so on."""
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
        _, result, text = next(row for row in REFUSALS if isinstance(error, row[0]))
        raise result(text.format(address, error)) from error


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
    for reason in _reasons(error):  # the system's error is the context of redis-py's
        if isinstance(reason, socket.gaierror | TimeoutError):
            # A Redis without TLS does not answer TLS either: it waits for the end of a line.
            advice = address.scheme_advice if address.has_tls else ""
            unknown = isinstance(reason, socket.gaierror)
            why = "host name is not known" if unknown else f"host does not answer{advice}"
            return StoreNotReady(f"{away}: the {why}.")
        if isinstance(reason, OSError):
            # If the host name has several addresses, only the combined text has error numbers.
            number = reason.errno or next(map(int, ERRNO.findall(str(reason))), None)
            if number is not None:
                kind = StoreUnusable if number in PERMANENT else StoreNotReady
                advice = address.scheme_advice if number == errno.ECONNRESET else ""
                return kind(f"{away}: {os.strerror(number)}{advice}.")
    return StoreNotReady(f"{away}{address.scheme_advice}.")


def _tls_failure(address: Address, reason: ssl.SSLError) -> str:
    """Return why TLS failed, as the end of a sentence."""
    if (why := getattr(reason, "verify_message", None)) is None:
        return f" over TLS{address.scheme_advice}"
    return f": its certificate is not trusted ({why}); ?ssl_ca_certs=FILE in the URL names its CA"


async def check_version(address: Address, probe: str | None = None, *, clustered: bool) -> None:
    """Raise StoreTooOld, StoreNotReady or StoreUnusable unless this Redis can be used.

    It must be a node of a cluster if and only if `clustered` is true. If the key `probe` is
    given, write it to test whether Redis takes writes.
    """
    async with connected_for_operator(address) as connection:
        await connection.send_command("INFO", "server")
        fields: dict[str, str] = {}
        with suppress(exceptions.NoPermissionError):  # a hosted Redis may refuse INFO
            reply = await connection.read_response()
            if not isinstance(reply, bytes):
                raise exceptions.InvalidResponse("not the text of INFO")
            fields = parse_info(reply)
        _check_info(address, fields, clustered=clustered)
        if probe is None:
            return
        # This is a script because most of the server's writes are scripts.
        await connection.send_command("EVAL", PROBE, 1, probe)
        with suppress(exceptions.MovedError):  # the slot is at another node of the cluster
            await connection.read_response()


def _check_info(address: Address, fields: dict[str, str], *, clustered: bool) -> None:
    """Raise StoreTooOld or StoreUnusable if these fields show a wrong version or mode."""
    if (version := fields.get("redis_version")) is not None:
        found = VERSION.match(version)
        if found is None:
            why = "which is not a number; Redis 7.0 or newer is needed, or Valkey"
            raise StoreUnusable(f"The Redis at {address} has the version {version[:40]}, {why}.")
        if (int(found[1]), int(found[2] or 0)) < OLDEST_REDIS:
            raise StoreTooOld(version)
    mode = fields.get("redis_mode") or fields.get("server_mode")  # its name in Valkey
    if mode is not None and (mode == "cluster") is not clustered:
        article, scheme = ("no", "redis") if clustered else ("a", "redis+cluster")
        advice = f"write {scheme}:// before its host"
        raise StoreUnusable(f"The Redis at {address} is {article} cluster; {advice}.")


def parse_info(info: bytes) -> dict[str, str]:
    """Return the fields of a reply to `INFO`."""
    lines = info.decode(errors="replace").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line)
