"""The limits of connections and addresses, and the counts that they apply to.

1. Plain connections and websockets have separate limits. A trusted proxy's connections are not
   counted: each request in progress counts as a connection of its client.
2. The unread bytes of one connection are bounded, but an address may have many connections. So
   unread bytes are also bounded by address, and for all addresses together.

`counted_network` in `proxies.py` defines what counts as an address.
"""

import contextlib
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from time import monotonic

import structlog

from protocol.vocabulary import FIRST_FRAME_S, MESSAGES_AT_ONCE, MESSAGES_PER_S
from server import metrics
from server.networks import networks_of, parsed_address
from server.sessions.limits import Rate, RateLimits

RESERVE = 128  # file descriptors kept for the store's connections, files, workers and operators
WINDOWS_SOCKETS = 10_000  # sockets on Windows, where no limit of descriptors is known
MAX_LOGGED = 20  # new bans, and as many lifted ones, in a log line
LOG_INTERVAL_S = 60.0  # time between two log lines about too few descriptors

PIECE_BYTES = 64 * 1024  # how much of a body a connection has in its buffer
SMALL_BYTES = 4 * 1024  # bodies up to this size are sent even if too much is unread
ALL = object()  # stands for all addresses together

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """The limits of connections and addresses, and how long peers may take."""

    head_s: float = 5.0  # how long a peer may take to send the head of a request
    keep_alive_s: float = 15.0  # how long a connection stays open after a response
    requests_of_connection: int = 100
    """The most requests on one connection, so that a load balancer can choose a server again."""
    sockets: int | None = None
    """The most sockets of players; None means as many as the file descriptors allow."""
    turned_away: int = 50
    """How many surplus connections of an address get a response; more are aborted."""
    unread_of_address: int = 32 * 1024 * 1024
    """How many bytes of responses to an address may be unread, and thus in memory."""
    unread: int = 256 * 1024 * 1024  # of all addresses together, loopback included
    check_s: float = 1.0  # interval between checks of all connections, and reads of the bans
    takeover_s: float = 0.2
    """How long a process that shuts down waits before it closes connections. By then the others
    that a deploy shuts down no longer listen either."""

    visits: Rate = Rate(20_000, 200)
    """An address's requests for the client's files, and its connections. Sixty people who open
    every page at once cause 17,000. After a restart a thousand players reconnect at once."""
    requests: Rate = Rate(600, 20)
    """An address's other requests. Files of finished rounds have limits of their own."""
    qr_codes: Rate = Rate(100, 1)  # for an address: each takes five milliseconds
    searches_of_address: Rate = Rate(20, 0.2)
    """How often an address may cause a search for a deal's label, which can take some seconds."""
    searches: Rate = Rate(600, 5)  # of all addresses together
    work_of_address: Rate = Rate(15_000, 100)
    """Milliseconds of work on files of finished rounds for an address: a classroom's replays of a
    race take five seconds."""
    work_of_room: Rate = Rate(20_000, 200)
    """The same for a room: enough for all files of a round with a hundred long games."""
    listed_s: float = 1.0  # how old a served list of public rooms may be
    max_kept_bytes: int = 16 * 1024 * 1024  # of files that are expensive to make, in the cache
    max_made_together: int = 16  # how many of them are made at the same time


HTTP_LIMITS = HttpLimits()


@dataclass(frozen=True, slots=True)
class WebsocketLimits:
    """The limits of one websocket, and how long it may be silent or slow."""

    messages: Rate = Rate(MESSAGES_AT_ONCE, MESSAGES_PER_S)
    first_frame_s: float = FIRST_FRAME_S  # how long the peer may take to get a seat
    ping_s: float = 15.0  # how long the peer may be silent before it gets a ping
    silence_s: float = 40.0  # how long it may be silent before its websocket is closed
    closing_s: float = 3.0  # how long closing may take before the connection is aborted
    skip_from_bytes: int = 64 * 1024  # with more unread bytes than this, updates are skipped
    close_from_bytes: int = 256 * 1024  # with more, the websocket is closed
    unread_of_address: int = 16 * 1024 * 1024
    """With this many unread bytes on all websockets of an address, each that has more than
    `spare_bytes` is closed. Short frames take three times their bytes in memory. A hundred slow
    readers leave 6 MiB unread, as hardly anything is sent past `skip_from_bytes`."""
    unread: int = 64 * 1024 * 1024  # of all addresses together, loopback included
    spare_bytes: int = 16 * 1024  # what any websocket may leave unread in any case


WEBSOCKET_LIMITS = WebsocketLimits()


def raise_descriptor_limit() -> int:
    """Raise the limit of file descriptors to the system's maximum; shells often set a lower one.

    Return the number of players' sockets that the limit allows.
    """
    if sys.platform == "win32":
        return WINDOWS_SOCKETS
    import resource  # noqa: PLC0415  # not available on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        with contextlib.suppress(ValueError, OSError):  # then the limit stays unchanged
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(limit - RESERVE, limit // 2)


class NetworkLimit:
    """Counts something for each address, such as its connections, and limits each count.

    The larger networks around an IPv6 address have limits too: 4 times `limit` for a /56, 16 times
    for a /48. The address None stands for peers that are not counted, such as the loopback.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.counts: Counter[str] = Counter()  # by network, without zeros

    def enter(self, address: str) -> bool:
        """Add one to an address's count. Return False, and add nothing, if it is at its limit."""
        if self.is_address_full(address):
            return False
        self.add(address, 1)
        return True

    def add(self, address: str | None, number: int) -> None:
        """Add `number`, which may be negative, to an address's count, even beyond its limit."""
        if address is None:
            return
        for name, _ in networks_of(address):
            self.counts[name] += number
            if not self.counts[name]:
                del self.counts[name]

    def is_address_full(self, address: str | None) -> bool:
        """Return whether the address, or a network around it, has reached its limit."""
        return address is not None and any(
            self.counts[name] >= self._limit * share for name, share in networks_of(address)
        )


class UnreadBytes(NetworkLimit):
    """The unread bytes of a process's peers, with a limit for each address and one for all."""

    def __init__(self, limit: int = sys.maxsize, total_limit: int = sys.maxsize) -> None:
        super().__init__(limit)
        self._total_limit = total_limit
        self.total = 0  # including peers that count for no address

    def add(self, address: str | None, number: int, to_total: int | None = None) -> None:
        """Add `number` to an address's count, and `to_total` (default: `number`) to the total."""
        self.total += number if to_total is None else to_total
        super().add(address, number)

    def is_full(self, address: str | None) -> bool:
        """Return whether the address or the process has reached its limit."""
        return self.total >= self._total_limit or self.is_address_full(address)


class UnreadBodies:
    """The bodies that peers are reading. A body that several peers read is in memory once."""

    def __init__(self, limits: HttpLimits = HTTP_LIMITS) -> None:
        self.unread = UnreadBytes(limits.unread_of_address, limits.unread)
        self._readers: Counter[tuple[object, int]] = Counter()  # by (address or `ALL`, id of body)

    def may_send(self, address: str | None, size: int) -> bool:
        """Return whether a body of this size may be sent before the peers have read more."""
        return size <= SMALL_BYTES or not self.unread.is_full(address)

    def hold(self, address: str | None, body: bytes) -> None:
        """Count a body that a peer has not read."""
        self._change(address, body, 1)

    def release(self, address: str | None, body: bytes) -> None:
        """Stop counting a body for a peer that has read it, or has gone."""
        self._change(address, body, -1)

    def _change(self, address: str | None, body: bytes, delta: int) -> None:
        """Count one more reader of a body (`delta` is 1) or one fewer (-1), and its unread bytes.

        The piece in the peer's buffer counts for each peer. The whole body is in memory once, so
        it counts once for each address and once in the total.
        """
        changes_address = self._count_reader(address, body, delta)
        changes_total = self._count_reader(ALL, body, delta)
        piece, whole = delta * min(len(body), PIECE_BYTES), delta * len(body)
        self.unread.add(address, piece + whole * changes_address, piece + whole * changes_total)

    def _count_reader(self, group: object, body: bytes, delta: int) -> bool:
        """Count one more or one fewer reader of a body in a `group`: an address, or `ALL`.

        Return whether the group's first reader has come, or its last one has gone.
        """
        key = group, id(body)
        before = self._readers[key]
        after = before + delta
        if after:
            self._readers[key] = after
        else:
            del self._readers[key]
        return before == 0 or after == 0


class BannedNetworks:
    """The networks that operators have banned, as this process last read them."""

    def __init__(self) -> None:
        self._networks: frozenset[IPv4Network | IPv6Network] = frozenset()

    def update(self, names: Iterable[str]) -> bool:
        """Replace the banned networks with these; return whether any of them is new."""
        known, found = self._networks, set()
        for name in names:
            with contextlib.suppress(ValueError):  # a name that no command of ours has written
                found.add(ip_network(name))
        self._networks = frozenset(found)
        if found != known:
            changes = (found - known, known - found)
            new, gone = (sorted(map(str, networks))[:MAX_LOGGED] for networks in changes)
            log.info("bans have changed", bans=len(found), new=new, over=gone)
        return bool(found - known)

    def has(self, address: str | None) -> bool:
        """Return whether an address, in the form of `counted_network`, is banned."""
        parsed = parsed_address(address) if address is not None and self._networks else None
        return parsed is not None and any(parsed in network for network in self._networks)


class ConnectionLimits:
    """The limits of a process's connections.

    `connections` counts plain HTTP connections, `players` websockets, and `turned_away` surplus
    connections that wait for a refusal. For a trusted proxy's connections, requests in progress
    count instead, each for its client.
    """

    def __init__(
        self, per_address: int, connected: Callable[[], int], limits: HttpLimits = HTTP_LIMITS
    ) -> None:
        """Allow each address `per_address` plain connections and as many websockets.

        `connected` returns how many of both kinds are open in the process.
        """
        self._max_sockets = limits.sockets or raise_descriptor_limit()
        self._connected = connected
        self._logged_at_s = float("-inf")  # when `accept_socket` last wrote to the log
        self.connections, self.players = NetworkLimit(per_address), NetworkLimit(per_address)
        self.turned_away = NetworkLimit(limits.turned_away)
        self.bodies = UnreadBodies(limits)
        self.visits = RateLimits(limits.visits)
        self.banned = BannedNetworks()

    def accept_socket(self) -> bool:
        """Return whether the process can take one more socket; if not, count and log this."""
        if self._connected() < self._max_sockets:
            return True
        metrics.turned_away.labels("descriptors").inc()
        now_s = monotonic()
        if now_s - self._logged_at_s >= LOG_INTERVAL_S:
            self._logged_at_s = now_s
            log.error(
                "no more connections: file descriptors run out", connections=self._max_sockets
            )
        return False
