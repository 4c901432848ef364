"""The limits of connections and addresses, and what is counted for them.

1. Plain connections and websockets are counted by separate limits. Behind a trusted proxy the
   connections are the proxy's: there a visitor is a request that is being answered.
2. What one connection may leave unread is bounded by its own limits; addresses have many of them.
   So the bytes that peers have not read are bounded by address and in all, too.

`counted_as` in `clients.py` defines one address.
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
SHOWN = 20  # banned networks in one line of the log, at most
LOG_INTERVAL_S = 60.0  # time between two lines of the log about too few descriptors

PIECE_BYTES = 64 * 1024  # bytes of a body that one connection has in its buffer, at most
SMALL_BYTES = 4 * 1024  # bytes of a body up to which it is sent however much is unread
ALL = object()  # stands for the readers of all addresses

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """The limits of connections and addresses, and the times after which peers are closed."""

    head_s: float = 5.0  # longest time in which a peer may send the head of a request
    keep_alive_s: float = 15.0
    requests_of_connection: int = 100
    """Requests on one connection, at most, so that a load balancer can choose a server again."""
    sockets: int | None = None
    """Sockets of players, at most; None means as many as the file descriptors allow."""
    turned_away: int = 50
    """Surplus connections of an address that get a response; further ones are aborted."""
    unread_of_address: int = 32 * 1024 * 1024
    """Bytes of responses that an address may have in memory because it does not read them."""
    unread: int = 256 * 1024 * 1024  # the same for all addresses together, the loopback included
    check_s: float = 1.0  # interval between two checks of all connections, and reads of the bans
    takeover_s: float = 0.2
    """Time before connections are closed, in which other processes of a deploy stop listening."""

    visits: Rate = Rate(20_000, 200)
    """Requests for client files, and connections, of an address. Sixty people who open every page
    at once cause 17,000. After a restart of the server a thousand players reconnect at once."""
    requests: Rate = Rate(600, 20)
    """Other requests of an address. Files of finished rounds have limits of their own."""
    qr_codes: Rate = Rate(100, 1)  # QR codes of an address: each takes five milliseconds
    searches_of_address: Rate = Rate(20, 0.2)
    """Numbered deals without a label about which an address begins to ask: each may add a search
    of seconds of the process that computes."""
    searches: Rate = Rate(600, 5)  # the same of all addresses together
    work_of_address: Rate = Rate(15_000, 100)
    """Milliseconds of work on files of finished rounds that are charged to an address: a
    classroom's replays of a race take five seconds."""
    work_of_room: Rate = Rate(20_000, 200)
    """The same for a room: enough for all files of a round of a hundred long games."""
    listed_s: float = 1.0  # age up to which the list of public rooms is served again


HTTP_LIMITS = HttpLimits()


@dataclass(frozen=True, slots=True)
class WebsocketLimits:
    """The limits of one websocket, and the times after which it is tested or closed."""

    messages: Rate = Rate(MESSAGES_AT_ONCE, MESSAGES_PER_S)
    first_frame_s: float = FIRST_FRAME_S
    ping_s: float = 15.0  # silence after which the peer is sent a ping
    silence_s: float = 40.0
    closing_s: float = 3.0
    skip_from_bytes: int = 64 * 1024  # unread bytes from which passing updates are skipped
    close_from_bytes: int = 256 * 1024
    unread_of_address: int = 16 * 1024 * 1024
    """Unread bytes of all websockets of an address, from which those above `spare_bytes` are
    closed. Short frames take three times their bytes in memory. A hundred slow readers of one
    address have 6 MiB: past `skip_from_bytes` they get hardly more."""
    unread: int = 64 * 1024 * 1024  # the same for all addresses together, the loopback included
    spare_bytes: int = 16 * 1024
    """Unread bytes that no websocket is closed for, however much the others leave unread."""


WEBSOCKET_LIMITS = WebsocketLimits()


def raise_descriptor_limit() -> int:
    """Raise the limit of file descriptors, which shells often set, to the system's.

    Return the number of sockets that it allows.
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
    """What the peers of each address have, such as connections, at most `limit` each.

    Of IPv6 the networks around the address have limits too: see `networks.py`. None stands for
    peers that count for no address, such as the loopback.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._of: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count a connection; return False, and count nothing, if the address is at its limit."""
        if self.is_address_full(address):
            return False
        self.add(address, 1)
        return True

    def add(self, address: str | None, number: int) -> None:
        """Count a number for an address, whatever its limit; a negative one is counted less."""
        for name, _ in () if address is None else networks_of(address):
            self._of[name] += number
            if not self._of[name]:
                del self._of[name]

    def is_address_full(self, address: str | None) -> bool:
        """Return whether the address, or a network around it, has reached its limit."""
        return address is not None and any(
            self._of[name] >= self._limit * share for name, share in networks_of(address)
        )

    def __len__(self) -> int:
        """Return the number of networks for which anything is counted."""
        return len(self._of)


class UnreadBytes(NetworkLimit):
    """The unread bytes of a process's peers, bounded by address and for all peers together."""

    def __init__(self, of_address: int = sys.maxsize, in_all: int = sys.maxsize) -> None:
        super().__init__(of_address)
        self._limit_of_all = in_all
        self.total = 0

    def add(self, address: str | None, number: int, in_all: int | None = None) -> None:
        """Count bytes, or remove counted ones; `in_all` is given if it differs from `number`."""
        self.total += number if in_all is None else in_all
        super().add(address, number)

    def is_full(self, address: str | None) -> bool:
        """Return whether the address or the process has reached its limit."""
        return self.total >= self._limit_of_all or self.is_address_full(address)


class UnreadBodies:
    """The bodies that peers are reading; one that several read is in memory once."""

    def __init__(self, limits: HttpLimits = HTTP_LIMITS) -> None:
        self.unread = UnreadBytes(limits.unread_of_address, limits.unread)
        self._readers: Counter[tuple[object, int]] = Counter()  # by address, or all, and body

    def may_send(self, address: str | None, size: int) -> bool:
        """Return whether a body of this size may be sent: not while too much is unread."""
        return size <= SMALL_BYTES or not self.unread.is_full(address)

    def hold(self, address: str | None, body: bytes, sign: int = 1) -> None:
        """Count a body that a peer of this address has not read: its own piece for each peer.

        The whole body is counted for its first reader. `release` stops that for its last one.
        """
        own, whole = sign * min(len(body), PIECE_BYTES), sign * len(body)
        is_only, is_only_in_all = (self._is_only(of, body, sign) for of in (address, ALL))
        self.unread.add(address, own + whole * is_only, own + whole * is_only_in_all)

    def release(self, address: str | None, body: bytes) -> None:
        """Stop counting the body of a peer that has read it, or is gone."""
        self.hold(address, body, -1)

    def _is_only(self, of: object, body: bytes, sign: int) -> bool:
        """Count a reader, or one less; return whether it is the first, or was the last."""
        before = self._readers[of, id(body)]
        self._readers[of, id(body)] += sign
        if not self._readers[of, id(body)]:
            del self._readers[of, id(body)]
        return {before, before + sign} == {0, 1}


class BannedNetworks:
    """The networks that operators have banned, as this process has read them last."""

    def __init__(self) -> None:
        self._networks: frozenset[IPv4Network | IPv6Network] = frozenset()

    def update(self, names: Iterable[str]) -> bool:
        """Take the banned networks; return whether there is a new one."""
        known, found = self._networks, set()
        for name in names:
            with contextlib.suppress(ValueError):  # nothing that a command has written
                found.add(ip_network(name))
        self._networks = frozenset(found)
        if found != known:
            new, over = (sorted(map(str, each))[:SHOWN] for each in (found - known, known - found))
            log.info("bans have changed", bans=len(found), new=new, over=over)
        return not found <= known

    def has(self, address: str | None) -> bool:
        """Return whether an address as `counted_as` names it is banned; None never is."""
        parsed = parsed_address(address) if address is not None and self._networks else None
        return parsed is not None and any(parsed in each for each in self._networks)


class ConnectionLimits:
    """The limits of the connections of a process, of which `connected` returns the number.

    `connections` limits plain HTTP connections, `players` websockets; behind a trusted proxy
    requests in progress count for their clients instead of connections.
    """

    def __init__(
        self,
        connections_per_address: int,
        connected: Callable[[], int],
        limits: HttpLimits = HTTP_LIMITS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._sockets = limits.sockets or raise_descriptor_limit()
        self._connected = connected
        self._clock = clock
        self._logged_at = float("-inf")
        self.connections = NetworkLimit(connections_per_address)
        self.players = NetworkLimit(connections_per_address)
        self.turned_away = NetworkLimit(limits.turned_away)
        self.bodies = UnreadBodies(limits)
        self.rate = RateLimits(*limits.visits)
        self.banned = BannedNetworks()

    def has_descriptor(self) -> bool:
        """Return whether one more socket fits; log a refusal at most every `LOG_INTERVAL_S`."""
        if self._connected() < self._sockets:
            return True
        metrics.turned_away.labels("descriptors").inc()
        now = self._clock()
        if now - self._logged_at >= LOG_INTERVAL_S:
            self._logged_at = now
            log.error("no more connections: file descriptors run out", connections=self._sockets)
        return False
