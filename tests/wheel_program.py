"""A program with packages named like ours: it races with itself, and replays the round."""

import asyncio
import sys
from importlib import import_module
from urllib.request import urlopen

from spider_race_client import connect, fetch_round
from spider_race_client.protocol import from_client, vocabulary

for name in ("server", "protocol", "web_client"):
    owner = import_module(name).OWNER
    assert owner == f"the program, {name}"


async def main(url: str) -> None:
    async with connect(url) as client:
        host = await client.create("Ada", {"game": "spider-1"})
        guest = await client.join(host.link, "Bob")
        await host.ready()
        await guest.command(from_client.Ready(ready=True))
        table = await host.wait_for_table()
        table = await host.act(table.legal[0])
        await host.forfeit()
        await guest.forfeit()
        result = await host.wait_for_result()
        assert host.room.state is vocabulary.RoomState.FINISHED
    played = await fetch_round(url, host.code, result.n)
    (act,) = played.replay(played.document.players[0])
    assert act.game.score == table.score


address = sys.argv[1]
with urlopen(address) as page:  # noqa: S310  # it is that of a test's server
    assert b"Spider Race" in page.read()
asyncio.run(main(address))
print("The race is over, and its acts are played again.")
