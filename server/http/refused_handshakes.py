"""Handshakes of websockets that are refused, and the proxies that cause it."""

from collections.abc import Sequence

import structlog
from websockets.http11 import Request

from server import metrics
from server.http.unnamed_proxies import MOST, is_near
from server.websocket.origin import IpNetwork, is_trusted

MENDS = {
    "HTTP/1.1": "proxy_http_version 1.1;",
    "Upgrade": "proxy_set_header Upgrade $http_upgrade;",
    "Connection": 'proxy_set_header Connection "upgrade";',
    "Origin": "proxy_set_header Host $host;",
}
"""What a handshake can lack, each with the line that mends it in nginx."""

log = structlog.get_logger()


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
