import asyncio

from websockets.http11 import Request

from server.http.services import HttpServices
from server.websocket.connection import WebsocketConnection
from server.websocket.handshake import Handshake
from server.websocket.origin import counted_as, limited_as


def websocket_over(
    transport: asyncio.Transport,
    services: HttpServices,
    peer: str,
    request: Request,
    handshake: Handshake | None,
) -> WebsocketConnection:
    """Return the websocket to which a transport is switched, counted until it is lost.

    The library's `handshake` has opened it; without one the caller writes the response. In any
    case the caller starts it.
    """
    counted = counted_as(peer, request.headers, services.trusted_proxies)
    address = limited_as(peer, request.headers, services.trusted_proxies)

    def lost(connection: WebsocketConnection) -> None:
        services.connections.discard(connection)
        if counted is not None:
            services.connection_limits.players.leave(counted)

    websocket = WebsocketConnection(
        services.websocket,
        transport,
        handshake,
        lambda connection: services.make_handler(connection, address),
        lost,
        counted,
    )
    request.headers.clear()  # the library's parser keeps a reference to the request
    services.connections.add(websocket)
    transport.set_protocol(websocket)
    transport.resume_reading()
    return websocket
