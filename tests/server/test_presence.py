"""Connections that end without a close, and those that only seem to."""

from dataclasses import replace

from protocol.vocabulary import FIRST_FRAME_S
from server.http.limits import HttpLimits
from server.http.listener import Listener
from server.live.timings import LiveTimings
from server.websocket.connection import WebsocketConnection
from server.websocket.limits import WEBSOCKET_LIMITS, WebsocketLimits
from tests.players import Player
from tests.server.conftest import SOON, Serving
from tests.server.relay import relayed
from tests.waiting import until

QUICK = {
    "websocket": WebsocketLimits(closing_s=0.1),
    "http": HttpLimits(check_s=0.05),
    "rooms": replace(SOON, grace_ms=100),
    "live": LiveTimings(sweep_s=0.05),
}
"""Connections that are closed end soon, and soon are lost for good."""


def sockets(server: Listener) -> list[WebsocketConnection]:
    """Return the server's ends of all sockets."""
    return [each for each in server.connections if isinstance(each, WebsocketConnection)]


async def pinged(server: Listener) -> None:
    """Check all sockets as after some silence, and wait until each peer has answered the ping."""
    asked = server.now()
    for each in sockets(server):
        each.check(asked + WEBSOCKET_LIMITS.ping_s + 1)
    await until(lambda: all(each._received_at > asked for each in sockets(server)))


async def until_connection(watcher: Player, seat: int, state: str) -> None:
    """Wait until the room shows this connection state of a seat."""
    while True:
        found = next(one for one in watcher.room["seats"] if one["seat"] == seat)
        if found["connection"] == state:
            return
        await watcher.next()


async def test_a_half_open_socket_is_noticed_and_its_player_comes_back(serving: Serving) -> None:
    async with serving(**QUICK) as server, relayed(server.port) as relay:
        ada = await Player.create(relay.port, "Ada")
        (hers,) = sockets(server)
        bob = await Player.join(server.port, ada.code, "Bob")
        await pinged(server)
        relay.swallow()
        hers.check(server.now() + WEBSOCKET_LIMITS.silence_s + 1)
        await until_connection(bob, 0, "gone")
        assert bob.room["host"] == 1
        back = await ada.resume(server.port)
        await until_connection(bob, 0, "on")
        assert back.room["host"] == 0  # before the next countdown the chair is theirs again


async def test_peers_whose_bytes_wait_after_a_stop_are_not_closed(serving: Serving) -> None:
    """Regression: after a stop of 44 s peers were closed before what they had sent was read."""
    async with serving(**QUICK) as server:
        ada = await Player.connect(server.port)
        (hers,) = sockets(server)
        # Nothing is read between two calls, as if the process had been stopped.
        await ada.say("create", name="Ada", settings={})
        hers.check(server.now() + 2 * FIRST_FRAME_S)
        assert (await ada.receive("joined"))["seat"] == 0
        await ada.say("ping", t=1)
        hers.check(server.now() + WEBSOCKET_LIMITS.silence_s + 1)
        assert (await ada.receive("pong"))["t"] == 1
        hers.check(server.now() + WEBSOCKET_LIMITS.silence_s + 1)
        assert await ada.closed() == 4004
