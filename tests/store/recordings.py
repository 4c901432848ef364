"""Recordings of a release's store: `python -m tests.store.recordings` makes that of this one.

This code serves rooms in all states and is then killed. The contents of its store are written to
`tests/store/releases/`, with the tokens of the players. Each release adds one such file, named by
its version, and every later release must serve all of them.
"""

import asyncio
import json
import re
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from server import __version__
from tests.faults.processes import FENCED, Server
from tests.players import Player, is_move
from tests.server.http import get
from tests.servers import start_embedded
from tests.store import snapshot

RELEASES = Path(__file__).parent / "releases"

KEY_PARTS = re.compile(r"\n(?:   +|  (?=[]}]))")
"""Line breaks within a key or a room's seats: each of them becomes one line of the file."""
Recorded = dict[str, Any]


@dataclass
class Recording:
    """The players of a release, by the name of their room."""

    port: int
    seats: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def keep(self, name: str, *players: Player) -> None:
        self.seats[name] = [
            {
                "room": player.code,
                "seat": player.seat,
                "token": player.token,
                "at": player.table.get("at", 0),
                "used": player.used,
            }
            for player in players
        ]

    async def race(self, players: int = 2, **settings: Any) -> list[Player]:
        """Start a race, and let each player send a few acts."""
        host = await Player.create(self.port, "Ada", **settings)
        others = [await Player.join(self.port, host.code, f"Bob {n}") for n in range(1, players)]
        for player in (*others, host):
            await player.say("ready" if others else "start")
        for player in (host, *others):
            await player.race()
            await played(player, 4)
        return [host, *others]

    async def all_of_it(self) -> None:
        """Create rooms in every state, of every preset, and of every game."""
        self.keep("race", *await self.race(game="spider-1", time_limit_s=None, undo="any"))

        chased = await self.race(game="spider-1", time_limit_s=None, chasers=True, hints=True)
        await chased[0].ask("hint")
        late = await Player.join(self.port, chased[0].code, "Cy")
        await late.say("chase")
        await late.race()
        await played(late, 3)
        self.keep("chased", *chased, late)

        match = await self.race(game="spider-2", rounds=3, match_ranking="score")
        await self._over(match)
        await match[0].say("next_round")
        await match[0].in_state("LOBBY")
        self.keep("between rounds", *match)

        over = await self.race(game="spiderette-1", deal="numbered", number=24)
        await over[0].ask("say", text="Good game, all of you")
        await self._over(over)
        self.keep("over", *over)

        again = await self.race(game="little-spider", score="cards")
        await self._over(again)
        await again[0].say("rematch")
        while again[1].room["seats"][0]["state"] != "READY":
            await again[1].next()
        self.keep("rematch", *again)

        catalogue = json.loads((await get(self.port, "/api/catalogue")).body)
        for preset in catalogue["presets"]:
            host = await Player.create(self.port, "Ada", **preset["settings"])
            self.keep(f"preset {preset['id']}", host)
        for game in catalogue["games"]:
            alone = await self.race(players=1, game=game["id"], max_players=1)
            self.keep(f"race of {game['id']}", *alone)

    async def _over(self, players: list[Player]) -> None:
        for player in players:
            await player.say("forfeit")
        for player in players:
            await player.in_state("FINISHED")


async def played(player: Player, acts: int) -> None:
    """Send some acts, one of them an undo."""
    for number in range(acts):
        legal = [one for one in player.table["legal"] if is_move(one) or one == "deal"]
        action = "undo" if number == 1 and "undo" in player.table["legal"] else legal[0]
        assert (await player.act(action))["type"] == "acted"


async def record() -> Recorded:
    """Return the contents of the store after the server was killed during its races."""
    with tempfile.TemporaryDirectory() as made:
        store = start_embedded(Path(made))
        server = Server(1, FENCED, store.url, Path(made))
        try:
            await server.start()
            assert server.port is not None
            recording = Recording(server.port)
            await recording.all_of_it()
            await server.end()
            taken = round(time.time() * 1_000)
            return {"taken": taken, "seats": recording.seats, "keys": snapshot.take(store.socket)}
        finally:
            await server.close()
            store.stop()


def main() -> None:
    recorded = asyncio.run(record())
    path = RELEASES / f"{__version__}.json"
    text = json.dumps(recorded, indent=1, ensure_ascii=False)
    path.write_text(KEY_PARTS.sub("", text) + "\n")
    print(f"{path.name}: {len(recorded['keys'])} keys, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
