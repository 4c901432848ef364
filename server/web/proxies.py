"""The client of a request behind proxies, and warnings about misconfigured proxies."""

import re
from collections import defaultdict
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import NamedTuple

import structlog
from websockets.datastructures import Headers
from websockets.http11 import Request

from server import metrics
from server.networks import is_loopback, networks_of, parsed_address, unknown_clients_of

IpNetwork = IPv4Network | IPv6Network

FORWARDED_FOR = "X-Forwarded-For"
FORWARDED_PROTO = "X-Forwarded-Proto"
HOP = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9.]+))(?::[0-9]{1,5})?")
"""An address in an entry of `X-Forwarded-For`, with or without a port."""

NEARBY = re.compile(r"https?://(localhost|127(\.[0-9]+){3}|\[::1\])(:[0-9]+)?")
"""The origin of a page on this machine, which needs no proxy."""
FORWARDING = (FORWARDED_FOR, FORWARDED_PROTO, "Forwarded", "X-Real-Ip")
MAX_PROXIES = 32  # how many proxies are logged for each fault
MAX_LOGGED_LENGTH = 80  # how many characters of a header are logged

NGINX_FIXES = {
    "HTTP/1.1": "proxy_http_version 1.1;",
    "Upgrade": "proxy_set_header Upgrade $http_upgrade;",
    "Connection": 'proxy_set_header Connection "upgrade";',
    "Origin": "proxy_set_header Host $http_host;",
}
"""The parts that a handshake may lack, and the line of nginx's configuration that fixes each.

`Origin` stands for a proxy that passes on another host than the page's.
"""

log = structlog.get_logger()


class Sender(NamedTuple):
    """The client of a request, or the trusted proxy that does not say who its client is."""

    address: str
    hidden: str | None = None
    """The text that this proxy forwards instead of an address; None if `address` is the client."""


def client_of(peer: str, headers: Headers, trusted: Sequence[IpNetwork]) -> Sender:
    """Return the client: the peer, or the one that trusted proxies name.

    `X-Forwarded-For` is read from its end, as long as trusted proxies have added its entries, and
    up to an entry that is not an address. Anything before that may be forged.
    """
    if not trusted or not is_trusted(peer, trusted):
        return Sender(peer)
    entries = headers.get_all(FORWARDED_FOR)
    chain = ",".join(entries).split(",") if entries else []
    address = peer
    while chain and is_trusted(address, trusted):
        hop = chain.pop()
        forwarded = address_of_hop(hop)
        if forwarded is None:
            return Sender(address, hop.strip())
        address = forwarded
    return Sender(address)


def address_of_hop(hop: str) -> str | None:
    """Return the address in an entry of `X-Forwarded-For`, without port, brackets and quotes.

    Return None if there is no address in it.
    """
    text = hop.strip().removeprefix('"').removesuffix('"')
    if _is_address(text):
        return text
    parts = HOP.fullmatch(text)
    address = "" if parts is None else parts[1] or parts[2]
    return address if _is_address(address) else None


def counted_network(peer: str, headers: Headers, trusted: Sequence[IpNetwork]) -> str | None:
    """Return the network whose limits a request or connection counts towards.

    Return None (no limits) if many clients may share the address. It may be a trusted proxy that
    does not name its client, or the loopback, behind which there may be an untrusted proxy.
    """
    client = client_of(peer, headers, trusted)
    is_proxy = client.address == peer and is_trusted(peer, trusted)
    if is_proxy or client.hidden is not None:
        return None
    network = networks_of(client.address)[0].name
    return None if is_loopback(network) else network


def client_network(peer: str, headers: Headers, trusted: Sequence[IpNetwork]) -> str:
    """Return the network of a client for limits that exempt nobody, such as the limit of guesses.

    All clients whose address a trusted proxy hides share one network, with larger limits.
    """
    client = client_of(peer, headers, trusted)
    if client.hidden is not None:
        return unknown_clients_of(client.address)
    return networks_of(client.address)[0].name


def is_trusted(address: str, trusted: Sequence[IpNetwork]) -> bool:
    """Return whether the forwarding headers of this address are trusted.

    To a server that listens on `::`, an IPv4 peer looks like `::ffff:127.0.0.1`. The networks may
    be written either way.
    """
    unmapped = parsed_address(address) if trusted else None
    if unmapped is None or not _is_address(address):  # a network such as `2001:db8::/64`
        return False
    forms = ip_address(address), unmapped
    return any(form in network for network in trusted for form in forms)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


class ProxyLog:
    """Logs warnings about proxies in front of the server: each fault once for each proxy.

    Refused handshakes are also counted.
    """

    def __init__(self, trusted: Sequence[IpNetwork]) -> None:
        self.trusted = trusted
        self._logged = defaultdict[str, set[str]](set)  # the proxies logged for each kind of fault

    def notice(self, peer: str, headers: Headers) -> None:
        """Warn about a proxy whose players all share one address and its limits.

        Either the proxy is on the local network but not trusted, or it forwards no addresses.
        """
        if is_trusted(peer, self.trusted):
            self._notice_hidden(peer, headers)
        elif _is_near(peer) and _forwards(headers) and self._notes_new("shared limits", peer):
            log.warning(
                "a proxy is in front that is not trusted; all its players share one address",
                proxy=peer,
                option=f"--trusted-proxies {peer}",
            )

    def _notice_hidden(self, peer: str, headers: Headers) -> None:
        """Warn about a trusted proxy that does not forward the addresses of its clients."""
        sender, forwarded = client_of(peer, headers, self.trusted)
        proxy = sender
        if forwarded is None and FORWARDED_FOR not in headers:
            # The proxy itself may have sent the request, or somebody on this machine, unless it
            # comes from a remote page or has a forwarding header.
            is_from_remote_page = not all(map(NEARBY.fullmatch, headers.get_all("Origin")))
            if is_from_remote_page or _forwards(headers):
                forwarded = "nothing"
        elif forwarded is None and sender != peer and is_trusted(sender, self.trusted):
            # The gateway of a container network without IPv6 hides the addresses of IPv6 players.
            proxy, forwarded = peer, sender
        if forwarded is not None and self._notes_new("shared limits", sender):
            log.warning(
                "a trusted proxy does not forward the addresses of its clients; they share limits",
                proxy=proxy,
                header=FORWARDED_FOR,
                forwarded=forwarded[:MAX_LOGGED_LENGTH],
            )

    def note_refusal(self, peer: str, request: Request, *, origin_allowed: bool) -> None:
        """Count a refused handshake; if a proxy may be the cause, log how to configure nginx.

        If a proxy drops headers of the handshake or changes the host, the page loads through it,
        but nobody can play.
        """
        lacking = missing_parts(request, origin_allowed=origin_allowed)
        for name in lacking:
            metrics.handshakes_refused.labels(name).inc()
        # Anybody may send such a request, but operators can only fix a proxy of their own.
        may_be_proxy = _is_near(peer) or is_trusted(peer, self.trusted)
        if not (lacking and may_be_proxy and self._notes_new(str(lacking), peer)):
            return
        why, found = "a proxy in front drops headers", dict[str, str]()
        if missing := [name for name in lacking if name != "Origin"]:
            found["missing"] = ", ".join(missing)
        if not origin_allowed:
            why = "the page's origin is not the host that the proxy passes on"
            for name in ("Origin", "Host"):
                value = ", ".join(request.headers.get_all(name)) or "none"
                found[name.lower()] = value[:MAX_LOGGED_LENGTH]
        event = f"websockets are refused, so nobody can play: {why}"
        log.warning(
            event,
            proxy=peer,
            **found,
            nginx=" ".join(NGINX_FIXES[name] for name in lacking),
            sample="deploy/nginx/spider-race.conf",
        )

    def _notes_new(self, kind: str, proxy: str) -> bool:
        """Note this kind of fault in a proxy; return whether it is new, and so to be logged."""
        logged = self._logged[kind]
        if proxy in logged or len(logged) >= MAX_PROXIES:
            return False
        logged.add(proxy)
        return True


def missing_parts(request: Request, *, origin_allowed: bool) -> list[str]:
    """Return the parts that a browser's handshake lacks, or [] for any other request."""
    headers = request.headers
    if "Sec-WebSocket-Key" not in headers:
        return []
    found = {
        "HTTP/1.1": request.protocol == "HTTP/1.1",
        "Upgrade": "websocket" in ",".join(headers.get_all("Upgrade")).lower(),
        "Connection": "upgrade" in ",".join(headers.get_all("Connection")).lower(),
        "Origin": origin_allowed,
    }
    return [name for name, is_there in found.items() if not is_there]


def _forwards(headers: Headers) -> bool:
    return any(name in headers for name in FORWARDING)


def _is_near(peer: str) -> bool:
    """Return whether the peer is on this machine or its network; others may forge headers."""
    address = parsed_address(peer)
    return address is not None and (address.is_loopback or address.is_private)
