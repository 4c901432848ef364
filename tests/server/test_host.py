"""The host's commands to other seats, and chat."""

import asyncio
from dataclasses import replace

from protocol.vocabulary import CHAT_MESSAGES
from server.http.listener import Listener
from tests.players import Player, start_race
from tests.server.conftest import SOON, Serving
from tests.server.http import get


async def test_kicked_players_are_closed_with_the_code_and_cannot_return(
    listener: Listener,
) -> None:
    ada, bob = await start_race(listener.port)
    assert (await bob.ask("kick", seat=0))["code"] == "not_host"
    await ada.ask("kick", seat=1)
    assert await bob.closed() == 4505
    again = await Player.connect(listener.port)
    await again.ask("resume", room=bob.code, seat=1, token=bob.token)
    assert await again.closed() == 4505
    assert [seat["state"] for seat in ada.room["seats"]] == ["RACING", "FORFEIT"]


async def test_the_host_ends_a_race_with_a_grace(listener: Listener) -> None:
    ada, bob = await start_race(listener.port, time_limit_s=None)
    assert (await ada.ask("end", grace_s=5))["room"]["round"]["t_end"] is not None
    over = await bob.receive("round_over")
    assert {row["state"] for row in over["ranking"]} == {"TIMED_OUT"}


async def finish(*players: Player) -> None:
    """End the race: everybody gives up."""
    for player in players:
        await player.say("forfeit")
    for player in players:
        await player.in_state("FINISHED")
        player.table = {}


async def test_a_rematch_that_all_ask_for_at_once_is_a_race_in_the_same_room(
    serving: Serving,
) -> None:
    async with serving() as one, serving() as other:
        host = await Player.create(one.port, "Ada", game="spider-2")
        guests = [
            await Player.join((one, other)[n % 2].port, host.code, f"Guest {n}") for n in range(3)
        ]
        watcher = await Player.join(other.port, host.code, "Cy", "spectator")
        everybody = [host, *guests]
        for player in everybody:
            await player.say("ready")
        for player in everybody:
            await player.race()
        await finish(*everybody)
        await asyncio.gather(*(player.say("rematch") for player in everybody))
        for player in everybody:
            await player.race()
        assert {player.room["code"] for player in everybody} == {host.code}
        assert (host.room["round"]["n"], host.room["settings"]["game"]) == (2, "spider-2")
        await watcher.in_state("RUNNING")
        await finish(*everybody)
        assert [seat["wins"] for seat in host.room["seats"]] == [0] * 5  # giving up wins nothing
        assert (await get(one.port, f"/api/rooms/{host.code}/rounds/1")).status == 200
        assert (await get(other.port, f"/api/rooms/{host.code}/rounds/2")).status == 200


async def test_who_wants_a_rematch_is_seen_and_the_absent_do_not_hold_it_up(
    serving: Serving,
) -> None:
    async with serving(rooms=replace(SOON, grace_ms=300)) as listener:
        ada, bob, cy = await start_race(listener.port, players=3)
        await finish(ada, bob, cy)
        await bob.ask("rematch")
        while [seat["state"] for seat in ada.room["seats"]][1] != "READY":
            await ada.next()
        assert ada.room["state"] == "FINISHED"
        assert (await ada.ask("start"))["code"] == "not_in_state"  # others may still want it
        await ada.ask("rematch")
        await cy.leave()
        await ada.race()
        await bob.race()
        assert [seat["state"] for seat in ada.room["seats"]] == ["RACING", "RACING", "WATCHING"]
        back = await cy.resume(listener.port)
        await back.in_state("RUNNING")


async def test_chat_reaches_all_seats_and_those_that_reconnect(serving: Serving) -> None:
    async with serving() as one, serving() as other:
        ada = await Player.create(one.port)
        bob = await Player.join(other.port, ada.code, "Bob")
        said = await ada.ask("say", text="<b>Hello</b>\u202e")
        assert (said["name"], said["text"], said["emote"]) == ("Ada", "<b>Hello</b>", None)
        assert (await bob.receive("said"))["text"] == "<b>Hello</b>"
        await bob.leave()
        await ada.ask("say", emote="wow")
        back = await bob.resume(one.port)
        assert (await back.receive("said"))["text"] == "<b>Hello</b>"
        assert (await back.receive("said"))["emote"] == "wow"


async def test_chat_has_a_rate_limit(listener: Listener) -> None:
    ada = await Player.create(listener.port)
    for number in range(CHAT_MESSAGES):
        assert (await ada.ask("say", text=f"line {number}"))["type"] == "said"
    assert (await ada.ask("say", text="too much"))["code"] == "too_much_said"
    for _ in range(2):  # the limit is the seat's, on whichever socket
        ada = await ada.resume(listener.port)
        await ada.say("say", text="too much")
        assert (await ada.receive("refused"))["code"] == "too_much_said"
