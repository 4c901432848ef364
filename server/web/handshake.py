"""The opening handshake of a websocket, which the library checks, and the check of its origin."""

import logging
from collections.abc import Sequence
from urllib.parse import urlsplit

from websockets.datastructures import Headers
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol

from protocol.vocabulary import MAX_FRAME_BYTES, SUPPORTED_SUBPROTOCOLS

SENT_BY_NODE = "Sec-Fetch-Mode"  # by browsers as well
BROWSER_HEADERS = {"Sec-Fetch-Site", "Cookie", SENT_BY_NODE}
NODE = "node"  # the user agent of Node's websockets

quiet = logging.getLogger("spider_race.websocket")
quiet.setLevel(logging.ERROR)


class Handshake(ServerProtocol):
    """The library's protocol, with this server's protocol versions and limits."""

    def __init__(self, state: State = State.CONNECTING) -> None:
        """Expect a handshake or, with the state `OPEN`, the frames after it."""
        super().__init__(state=state, max_size=MAX_FRAME_BYTES, logger=quiet)

    def select_subprotocol(self, subprotocols: Sequence[Subprotocol]) -> Subprotocol | None:
        """Return the newest protocol version that both sides speak.

        Otherwise return the peer's first: a websocket must open to be closed with a code.
        """
        common = (Subprotocol(name) for name in SUPPORTED_SUBPROTOCOLS if name in subprotocols)
        return next(common, subprotocols[0] if subprotocols else None)

    @property
    def is_version_supported(self) -> bool:
        """Whether this server speaks the peer's version, or the peer has named no version."""
        return self.subprotocol is None or self.subprotocol in SUPPORTED_SUBPROTOCOLS


def is_origin_allowed(headers: Headers, allowed: frozenset[str]) -> bool:
    """Return whether the page named in these headers may open a websocket.

    Pages of the server's own host and of the origins in `allowed` may. Browsers always send the
    origin. Other programs need not: they have no cookies that a page could abuse.
    """
    origins = headers.get_all("Origin")
    if not origins:
        # Refuse anything that looks like a browser. Node also sends one of a browser's headers.
        agent = "".join(headers.get_all("User-Agent"))
        signs = BROWSER_HEADERS - {SENT_BY_NODE} if agent == NODE else BROWSER_HEADERS
        return "Mozilla/" not in agent and not any(name in headers for name in signs)
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
    is_web_page = parts.scheme in {"http", "https"} and bool(parts.netloc)
    return is_web_page and len(hosts) == 1 and parts.netloc == hosts[0].lower()
