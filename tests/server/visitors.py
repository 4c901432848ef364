"""People who come to a server for a moment, and leave, break off or send nonsense."""

import asyncio
import json
import random

from websockets.exceptions import ConnectionClosed

from tests.players import OPEN, Player


async def visit(port: int, rng: random.Random, codes: list[str]) -> None:
    """Make one connection with a random course, from its beginning to its end."""
    player = await Player.connect(port)
    OPEN.remove(player.socket)
    try:
        match rng.choice(("silent", "nonsense", "create", "create", "join", "join", "watch")):
            case "silent":
                pass
            case "nonsense":
                await player.socket.send("nonsense")
                await player.next()
            case "create":
                await player.ask("create", name="Ada", settings={"game": "spider-1"})
                player.code = player.room["code"]
                codes.append(player.code)
                del codes[:-20]
                await player.say("start")
                await player.race()
                for _ in range(rng.randrange(4)):
                    await player.act(player.table["legal"][0])
            case kind:
                role = "player" if kind == "join" else "spectator"
                code = rng.choice(codes) if codes else "0000000"
                await player.say("join", room=code, name="Bob", role=role)
                await player.receive("joined", "refused")
                await player.say("ping", t=1)
        match rng.choice(("leave", "close", "vanish")):
            case "leave":
                await player.socket.send(json.dumps({"type": "leave"}))
                await asyncio.sleep(0)
                await player.socket.close()
            case "close":
                await player.socket.close()
            case _:
                player.socket.transport.abort()
    except ConnectionClosed:
        pass
    finally:
        player.socket.transport.abort()


async def churn(port: int, connections: int, together: int, rng: random.Random) -> None:
    """Make connections, `together` of them at a time."""
    codes: list[str] = []
    left = connections

    async def come_and_go() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            await visit(port, rng, codes)

    async with asyncio.TaskGroup() as tasks:
        for _ in range(together):
            tasks.create_task(come_and_go())
