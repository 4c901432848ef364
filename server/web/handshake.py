"""The opening handshake of a websocket, and what the log says of one that is refused.

Handshakes as the page sends them are judged here, all others by the library.
"""

import logging
import re
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import structlog
from websockets.datastructures import Headers
from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol
from websockets.utils import accept_key

from protocol.vocabulary import MAX_FRAME_BYTES, SUPPORTED_SUBPROTOCOLS
from server import metrics
from server.web.clients import MOST, IpNetwork, is_near, is_trusted

BROWSER_HEADERS = ("Sec-Fetch-Site", "Cookie", "Sec-Fetch-Mode")
NODE = "node"
"""The user agent of the websockets of Node, which send the last of these headers, too."""

KEY = re.compile(r"[A-Za-z0-9+/]{22}==")  # the pattern of sixteen bytes in base 64

MENDS = {
    "HTTP/1.1": "proxy_http_version 1.1;",
    "Upgrade": "proxy_set_header Upgrade $http_upgrade;",
    "Connection": 'proxy_set_header Connection "upgrade";',
    "Origin": "proxy_set_header Host $host;",
}
"""What a handshake can lack, each with the line that mends it in nginx."""

log = structlog.get_logger()
quiet = logging.getLogger("spider_race.websocket")
quiet.setLevel(logging.ERROR)


class Handshake(ServerProtocol):
    """The library's protocol, with this server's protocol versions and limits."""

    def __init__(self, state: State = State.CONNECTING) -> None:
        """Create the protocol of a connection; it expects a request, or frames if it is open."""
        super().__init__(state=state, max_size=MAX_FRAME_BYTES, logger=quiet)

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """Return the newest common version; else the first one offered, to close with a code."""
        common = (
            Subprotocol(version) for version in SUPPORTED_SUBPROTOCOLS if version in subprotocols
        )
        return next(common, subprotocols[0] if subprotocols else None)

    @property
    def version_supported(self) -> bool:
        """Return whether the peer's version is supported, or the peer named none."""
        return self.subprotocol is None or self.subprotocol in SUPPORTED_SUBPROTOCOLS


def accept_plain(request: Request, headers: Mapping[str, str]) -> bytes | None:
    """Return the response that opens a websocket for a handshake as the page sends it.

    `headers` are added to it. Return None for any other request. The library takes more forms of
    a handshake, and says what is wrong with one that it refuses.
    """
    names = ("Sec-WebSocket-Key", "Sec-WebSocket-Protocol", "Sec-WebSocket-Version", "Upgrade")
    values = [request.headers.get_all(name) for name in (*names, "Connection")]
    if any(len(each) != 1 for each in values):
        return None
    key, version, websocket_version, upgrade, connection = (each[0] for each in values)
    if (
        KEY.fullmatch(key) is None
        or version not in SUPPORTED_SUBPROTOCOLS
        or websocket_version != "13"
        or upgrade.lower() != "websocket"
        or "upgrade" not in {option.strip() for option in connection.lower().split(",")}
        or (request.method, request.protocol) != ("GET", "HTTP/1.1")
    ):
        return None
    added = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return (
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Accept: {accept_key(key)}\r\nSec-WebSocket-Protocol: {version}\r\n"
        f"{added}\r\n"
    ).encode()


def origin_allowed(headers: Headers, allowed: frozenset[str]) -> bool:
    """Return whether the page named in these headers may open a websocket.

    Pages of the server's own host and of the allow-list may. Browsers always send the origin of
    a websocket; other programs need not, and have no cookies that a page could abuse.
    """
    origins = headers.get_all("Origin")
    if not origins:
        agent = "".join(headers.get_all("User-Agent"))
        names = BROWSER_HEADERS[:-1] if agent == NODE else BROWSER_HEADERS
        return "Mozilla/" not in agent and not any(name in headers for name in names)
    if len(origins) > 1:
        return False
    origin = origins[0].lower()
    if origin in allowed:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    hosts = headers.get_all("Host")
    return (
        parts.scheme in {"http", "https"}
        and len(hosts) == 1
        and bool(parts.netloc)
        and parts.netloc == hosts[0].lower()
    )


def lacks(request: Request, *, origin_allowed: bool) -> list[str]:
    """Return what the handshake of a browser lacks; [] for a request that is no handshake."""
    headers = request.headers
    if "Sec-WebSocket-Key" not in headers:
        return []
    upgrade = ",".join(headers.get_all("Upgrade")).lower()
    connection = ",".join(headers.get_all("Connection")).lower()
    found = {
        "HTTP/1.1": request.protocol == "HTTP/1.1",
        "Upgrade": "websocket" in upgrade,
        "Connection": "upgrade" in connection,
        "Origin": origin_allowed,
    }
    return [name for name, is_there in found.items() if not is_there]


class RefusedHandshakes:
    """Handshakes that were refused: counted, and logged once for each proxy of the local network.

    Behind a proxy that drops these headers the page loads, but nobody can play.
    """

    def __init__(self, trusted: Sequence[IpNetwork]) -> None:
        self._trusted = trusted
        self._named: set[str] = set()

    def notice(self, peer: str, request: Request, *, origin_allowed: bool) -> None:
        """Count a refused handshake, and log what it lacks with the line that mends it."""
        lacking = lacks(request, origin_allowed=origin_allowed)
        for name in lacking:
            metrics.handshakes_refused.labels(name).inc()
        if not lacking or peer in self._named or len(self._named) >= MOST:
            return
        if not (is_near(peer) or is_trusted(peer, self._trusted)):
            return  # anybody elsewhere may send such a request
        self._named.add(peer)
        log.warning(
            "websockets are refused, so nobody can play: a proxy in front drops what they need",
            proxy=peer,
            missing=", ".join(lacking),
            nginx=" ".join(MENDS[name] for name in lacking),
            sample="deploy/nginx/spider-race.conf",
        )
