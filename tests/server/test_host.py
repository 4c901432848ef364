"""The host's commands to other seats, and chat."""

import asyncio
import contextlib

from websockets.exceptions import ConnectionClosed

from server.live.entropy import rematch_code
from server.sessions import session
from server.store import Store, keys
from tests.players import Player, start_race
from tests.server.conftest import Serving


async def test_kicked_players_are_closed_with_the_code_and_cannot_return(serving: Serving) -> None:
    async with serving() as listener:
        ada, bob = await start_race(listener.port)
        assert (await bob.ask("kick", seat=0))["code"] == "not_host"
        await ada.ask("kick", seat=1)
        assert await bob.closed() == 4505
        again = await Player.connect(listener.port)
        await again.ask("resume", room=bob.code, seat=1, token=bob.token)
        assert await again.closed() == 4505
        assert [seat["state"] for seat in ada.room["seats"]] == ["RACING", "FORFEIT"]


async def test_the_host_ends_a_race_with_a_grace(serving: Serving) -> None:
    async with serving() as listener:
        ada, bob = await start_race(listener.port, time_limit_s=None)
        assert (await ada.ask("end", grace_s=5))["room"]["round"]["t_end"] is not None
        over = await bob.receive("round_over")
        assert {row["state"] for row in over["ranking"]} == {"TIMED_OUT"}


async def test_a_rematch_that_all_ask_for_at_once_is_one_room(serving: Serving) -> None:
    async with serving() as one, serving() as other:
        host = await Player.create(one.port, "Ada", game="spider-2")
        guests = [
            await Player.join((one, other)[n % 2].port, host.code, f"Guest {n}") for n in range(4)
        ]
        await host.ask("start")
        await host.race()
        await host.ask("forfeit")
        everybody = [host, *guests]
        for player in everybody:
            await player.in_state("FINISHED")
        await asyncio.gather(*(player.ask("rematch") for player in everybody))
        codes = {player.room["rematch"] for player in everybody}
        assert len(codes) == 1
        (code,) = codes
        there = [await Player.join(one.port, code, f"Again {n}") for n in range(3)]
        assert there[0].room["settings"]["game"] == "spider-2"
        assert there[0].room["host"] == 0


async def test_a_rematch_that_a_failover_forgot_is_the_same_room(
    serving: Serving, store: Store
) -> None:
    """Regression: two rematches led the players to two different rooms."""
    async with serving() as listener:
        (ada,) = await start_race(listener.port, players=1)
        await ada.ask("forfeit")
        await ada.in_state("FINISHED")
        before = await store.read(ada.code)
        assert before is not None
        code = (await ada.ask("rematch"))["room"]["rematch"]
        room = keys.room(ada.code)
        await store._client.call(room, "HSET", room, "doc", before.doc, "v", before.v)
        await store._client.call(room, "DEL", keys.events(ada.code))
        again = await ada.resume(listener.port)
        assert again.room["rematch"] is None
        with contextlib.suppress(ConnectionClosed):  # 4003, where the process notices just now
            await again.ask("rematch")
        again = await ada.resume(listener.port)
        assert (await again.ask("rematch"))["room"]["rematch"] == code
        assert code != rematch_code(ada.code, "a guess")


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


async def test_chat_has_a_rate_limit(serving: Serving) -> None:
    async with serving() as listener:
        ada = await Player.create(listener.port)
        for number in range(session.CHAT_MESSAGES):
            assert (await ada.ask("say", text=f"line {number}"))["type"] == "said"
        assert (await ada.ask("say", text="too much"))["code"] == "too_much_said"
