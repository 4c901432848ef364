"""Presence of players, the host's role, and connections that end without a close."""

import asyncio
from dataclasses import replace

import pytest

from protocol.http import FinishedRound
from protocol.vocabulary import FIRST_FRAME_S
from server.http.limits import HttpLimits
from server.http.listener import Listener
from server.live.timings import LiveTimings
from server.rooms.events import Tick
from server.store import Notification
from server.websocket.connection import WebsocketConnection
from server.websocket.limits import WEBSOCKET_LIMITS, WebsocketLimits
from tests.players import Player, start_race
from tests.server.conftest import SOON, Serving
from tests.server.http import until_status
from tests.server.relay import relayed
from tests.server.test_ranking import limit
from tests.waiting import until

OFTEN = LiveTimings(sweep_s=0.05)
QUICK = {
    "websocket": WebsocketLimits(closing_s=0.1),
    "http": HttpLimits(check_s=0.05),
    "rooms": replace(SOON, grace_ms=500),
    "live": OFTEN,
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


async def test_a_half_open_socket_is_noticed_and_its_player_may_come_back(
    serving: Serving,
) -> None:
    async with serving(**QUICK) as server, relayed(server.port) as relay:
        ada = await Player.create(relay.port, "Ada")
        (hers,) = sockets(server)
        bob = await Player.join(server.port, ada.code, "Bob")
        cy = await Player.join(server.port, ada.code, "Cy", "spectator")
        assert bob.room["host"] == 0
        await pinged(server)
        relay.swallow()
        hers.check(server.now() + WEBSOCKET_LIMITS.silence_s + 1)
        await until_connection(bob, 0, "grace")
        assert bob.room["host"] == 0
        await until_connection(bob, 0, "gone")
        assert bob.room["host"] == 1  # the earliest player who is there
        await until_connection(cy, 0, "gone")
        back = await ada.resume(server.port)
        await until_connection(bob, 0, "on")
        assert back.room["host"] == 0  # before the next countdown the chair is theirs again
        await back.say("kick", seat=2)
        assert await cy.closed() == 4505


async def test_peers_whose_bytes_wait_after_a_stop_of_the_process_are_not_closed(
    serving: Serving,
) -> None:
    """Regression: after a stop of 44 s peers were closed before what they had sent was read."""
    async with serving(**QUICK) as server:
        ada = await Player.create(server.port, "Ada")
        (hers,) = sockets(server)
        # Nothing is read between the two calls, as if the process had been stopped.
        await ada.say("ping", t=1)
        hers.check(server.now() + WEBSOCKET_LIMITS.silence_s + 1)
        assert (await ada.receive("pong"))["t"] == 1
        hers.check(server.now() + WEBSOCKET_LIMITS.silence_s + 1)
        assert await ada.closed() == 4004


async def test_a_peer_whose_first_message_waits_after_a_stop_of_the_process_is_not_closed(
    serving: Serving,
) -> None:
    async with serving(**QUICK) as server:
        ada = await Player.connect(server.port)
        (hers,) = sockets(server)
        await ada.say("create", name="Ada", settings={})
        hers.check(server.now() + 2 * FIRST_FRAME_S)
        assert (await ada.receive("joined"))["seat"] == 0


async def test_a_host_who_returns_in_time_is_still_host(serving: Serving) -> None:
    patient = {**QUICK, "rooms": replace(SOON, grace_ms=60_000)}
    async with serving(**patient) as server, relayed(server.port) as relay:
        ada = await Player.create(relay.port, "Ada")
        (hers,) = sockets(server)
        bob = await Player.join(server.port, ada.code, "Bob")
        relay.swallow()
        hers.check(server.now() + WEBSOCKET_LIMITS.silence_s + 1)
        await until_connection(bob, 0, "grace")
        await ada.resume(server.port)
        await until_connection(bob, 0, "on")
        later = server.services.store.clock.now() + 90_000
        timings = server.services.repository.timings
        await server.services.hub.apply(ada.code, Tick(later, timings=timings))
        await bob.ask("ping", t=1)
        assert bob.room["host"] == 0
        assert bob.room["seats"][0]["connection"] == "on"


async def test_a_race_that_everybody_left_runs_to_its_limit_and_any_process_ends_it(
    serving: Serving,
) -> None:
    async with serving(live=OFTEN) as other:
        async with serving(live=OFTEN) as one:
            ada, bob = await start_race(one.port)
            told = await ada.act(ada.table["legal"][0])
            before = ada.room["round"]["t_end"]
            await limit(one, ada.code, 1_000)
            while (ended := ada.room["round"]["t_end"]) == before:
                await ada.next()
            for player in (ada, bob):
                player.socket.transport.abort()
        # Now even the process has gone at which they sat.
        path = f"/api/rooms/{ada.code}/rounds/1"
        answer = await until_status(other.port, 200, path)
        played = FinishedRound.model_validate_json(answer.body)
        assert {line.state for line in played.ranking} == {"TIMED_OUT"}
        assert played.ranking[0].score == told["score"]
        assert played.ended == ended
        back = await ada.resume(other.port)
        assert (await back.receive("round_over"))["n"] == 1


async def test_players_and_spectators_of_a_race_sit_anywhere(serving: Serving) -> None:
    async with serving() as one, serving() as two, serving() as three:
        ada = await Player.create(
            one.port, "Ada", game="spider-1", spectate="boards", board_delay_s=0
        )
        bob = await Player.join(two.port, ada.code, "Bob")
        cy = await Player.join(three.port, ada.code, "Cy", "spectator")
        await bob.say("ready")
        await ada.say("ready")
        await asyncio.gather(ada.race(), bob.race())
        dee = await Player.join(two.port, ada.code, "Dee", "spectator")  # late
        for _ in range(3):
            await ada.act(ada.table["legal"][0])
        for watcher in (cy, dee):
            await watcher.say("watch", boards=[0])
            while watcher.table.get("at") != 3:
                await watcher.next()
            assert watcher.table["piles"] == ada.table["piles"]
            assert watcher.table["legal"] == []
        await ada.ask("forfeit")
        await bob.ask("forfeit")
        for watcher in (cy, dee):
            assert (await watcher.receive("round_over"))["n"] == 1


async def test_updates_arrive_although_notifications_are_lost(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = replace(OFTEN, unseen_s=0.3)
    async with serving(live=live) as one, serving(live=live) as other:
        ada = await Player.create(one.port, "Ada")
        pubsub = other.services.store.pubsub

        def notify(channel: bytes, notification: Notification) -> None:
            """As if a message had been lost on its way, with the connection in order."""

        monkeypatch.setattr(pubsub, "_notify", notify)
        bob = await Player.join(other.port, ada.code, "Bob")
        await Player.join(one.port, ada.code, "Cy")
        while len(bob.room["seats"]) < 3:
            await bob.next()
