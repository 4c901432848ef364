"""The opening handshake of a websocket: plain ones here, all others by the library."""

import logging
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from websockets.http11 import Request
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import Subprotocol
from websockets.utils import accept_key

from protocol.vocabulary import MAX_FRAME_BYTES, SUPPORTED_SUBPROTOCOLS

KEY = re.compile(r"[A-Za-z0-9+/]{22}==")  # the pattern of sixteen bytes in base 64

NONE: Mapping[str, str] = MappingProxyType({})

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


class Library:
    """The library's protocol of an open websocket, made when it is needed: whole texts need none.

    It takes a quarter of the objects of a connection.
    """

    __slots__ = ("_handshake",)

    def __init__(self, handshake: Handshake | None = None) -> None:
        """Begin with the protocol that has opened the websocket; without one it was plain."""
        self._handshake = handshake

    @property
    def used(self) -> bool:
        """Return whether the library has seen any part of this websocket."""
        return self._handshake is not None

    @property
    def protocol(self) -> Handshake:
        """Return the library's protocol."""
        if self._handshake is None:
            self._handshake = Handshake(State.OPEN)
        return self._handshake


def accept_plain(request: Request, headers: Mapping[str, str] = NONE) -> bytes | None:
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
