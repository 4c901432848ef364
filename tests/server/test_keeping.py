"""What a room leaves behind in the store, over real sockets."""

import json

from server.store import Store
from tests.players import Player, start_race
from tests.server.conftest import Serving
from tests.server.http import get


async def keys_of(store: Store, code: str) -> set[str]:
    found = await store.client.pipelines[0].call("KEYS", f"{{{code}}}:*")
    return {key.decode().partition(":")[2] for key in found}


async def test_left_seats_and_aborted_rounds_leave_no_keys(serving: Serving) -> None:
    async with serving() as server:
        store = server.services.store
        ada, bob = await start_race(server.port)
        await ada.act(ada.table["legal"][0])
        assert "log:1:0" in await keys_of(store, ada.code)
        await ada.say("abort")
        await ada.in_state("LOBBY")
        await bob.ask("leave")
        for number in range(3):  # comers and goers
            guest = await Player.join(server.port, ada.code, f"Guest {number}")
            await guest.ask("leave")
        assert await keys_of(store, ada.code) == {"room", "events", "seat:0"}


async def test_logs_of_older_rounds_go_when_a_room_has_too_many(serving: Serving) -> None:
    async with serving(kept_acts=3) as server:
        ada = await Player.create(server.port, "Ada", rounds=3)
        for _ in range(2):
            ada.table = {}
            await ada.say("start")
            await ada.race()
            for _ in range(2):
                assert (await ada.act(ada.table["legal"][0]))["type"] == "acted"
            await ada.say("forfeit")
            await ada.in_state("FINISHED")
            await ada.say("next_round")
            await ada.in_state("LOBBY")
        store = server.services.store
        assert {"log:2:0"} == {key for key in await keys_of(store, ada.code) if "log" in key}
        rounds = f"/api/rooms/{ada.code}/rounds"
        assert (await get(server.port, f"{rounds}/1")).status == 404
        assert (await get(server.port, f"{rounds}/1/seats/0")).status == 404
        whole = json.loads((await get(server.port, f"{rounds}/2")).body)
        assert len(whole["players"][0]["log"]) == 2
        # What the first round came to is still on the card.
        assert ada.room["match"]["n"] == [1, 2]
