"""This release serves the stores of earlier releases: every file of `releases/`.

`before-1.0.0.json` is of the code just before 1.0.0, whose rooms and days name no form.
`form_0.json` is older: its races do not go on, and all else does.
"""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import redis
from structlog.testing import capture_logs

from protocol.vocabulary import CloseCode
from server.app import Tuning
from server.games.transcripts import parse_round
from tests.players import Player, running
from tests.server.conftest import SOON
from tests.server.http import get
from tests.servers import AT_ONCE, RedisServer
from tests.tools.recordings import RELEASES, Recorded, put_back

QUICK = Tuning(rooms=SOON, store=AT_ONCE)
FILES = sorted(RELEASES.glob("*.json"))
OF_FORM_0 = "before 27 November 2026"
NEWER = "a newer release has stored it, in form 2"
FORM_0 = Path(__file__).with_name("form_0.json")


async def resumed(port: int, recorded: Recorded, name: str) -> list[Player]:
    """Return players who have resumed the seats of a recorded room by their tokens."""
    players = []
    for seat in recorded["seats"][name]:
        player = await Player.connect(port)
        player.code, player.seat, player.token = seat["room"], seat["seat"], seat["token"]
        player.used = seat["used"]
        players.append(await player.resume(port))
    return players


async def check_round(port: int, seats: list[dict[str, Any]]) -> None:
    """Check that a finished round can be read in every form, with logs of these lengths."""
    path = f"/api/rooms/{seats[0]['room']}/rounds/1"
    logs = {one["seat"]: one["at"] for one in seats}
    whole = json.loads((await get(port, path)).body)
    assert {one["seat"]: len(one["log"]) for one in whole["players"]} == logs
    assert len(json.loads((await get(port, f"{path}/course")).body)["courses"]) == len(logs)
    for seat, acts in logs.items():
        assert json.loads((await get(port, f"{path}/seats/{seat}")).body)["acts"] == acts
    text = (await get(port, f"{path}.txt")).body.decode()
    assert len(parse_round(text).players) == len(logs)


async def act_once(player: Player) -> None:
    assert (await player.act(player.table["legal"][0]))["type"] == "acted"


async def rooms_are_served(port: int, recorded: Recorded) -> None:
    for name, seats in recorded["seats"].items():
        for player, seat in zip(await resumed(port, recorded, name), seats, strict=True):
            assert player.room["code"] == seat["room"]
            if name.startswith(("race", "chased", "cards")):
                assert (await player.race())["at"] == seat["at"]
    over = recorded["seats"]["over"]
    await check_round(port, over)
    review = json.loads((await get(port, f"/api/rooms/{over[0]['room']}/rounds/1/review")).body)
    assert (review["state"], len(review["games"])) == ("done", len(over))
    said = (await resumed(port, recorded, "over"))[1]
    assert (await said.receive("said"))["text"] == "Good game, all of you"
    again = await resumed(port, recorded, "rematch")
    for player in again:
        await player.say("rematch")
    for player in again:
        await player.race()


async def races_continue(port: int, recorded: Recorded) -> None:
    ada, bob = await resumed(port, recorded, "race")
    for player in (ada, bob):
        player.used = max(player.used, (await player.race())["last_id"])
        await act_once(player)
    for player in (ada, bob):
        await player.say("forfeit")
    over = await bob.receive("round_over")
    assert {line["seat"]: line["moves"] > 0 for line in over["ranking"]} == {0: True, 1: True}
    seats = recorded["seats"]["race"]
    await check_round(port, [seat | {"at": seat["at"] + 1} for seat in seats])
    await ada.say("next_round")
    await ada.in_state("LOBBY")
    ada.table = {}
    await ada.say("start")
    await ada.race()
    await act_once(ada)

    new = await resumed(port, recorded, "no acts")
    for player in new:
        await player.race()
        await act_once(player)
        await player.say("forfeit")
    await new[0].receive("round_over")
    await check_round(port, [seat | {"at": 1} for seat in recorded["seats"]["no acts"]])

    ada, bob, cy = await resumed(port, recorded, "chased")
    for player in (ada, bob, cy):
        await player.race()
        await act_once(player)
    ada.used = bob.used = 1_000
    assert (await ada.ask("hint"))["hints"] == 2
    for player in (ada, bob):
        await player.say("forfeit")
    ranking = (await cy.receive("round_over"))["ranking"]
    (late,) = [line for line in ranking if line["late_ms"] is not None]
    assert (late["seat"], late["place"], late["state"]) == (2, None, "TIMED_OUT")

    await a_match_continues(port, recorded)


async def a_match_continues(port: int, recorded: Recorded) -> None:
    match = await resumed(port, recorded, "between rounds")
    for player in match:
        await player.say("ready")
    for player in match:
        await player.race()
        await player.say("forfeit")
    await match[0].in_state("FINISHED")


async def a_window_goes_on_and_ends(port: int, recorded: Recorded) -> None:
    ada, bob, cy = await resumed(port, recorded, "window")
    assert (await bob.race())["at"] == 4
    await ada.say("end", grace_s=5)
    await ada.say("chase")
    for player in (ada, bob):
        await player.race()
        await act_once(player)
    await bob.say("forfeit")
    ranking = (await cy.receive("round_over"))["ranking"]
    states = {line["seat"]: (line["state"], line["moves"] > 0) for line in ranking}
    assert states == {0: ("TIMED_OUT", True), 1: ("FORFEIT", True), 2: ("FORFEIT", True)}
    seats = zip(recorded["seats"]["window"], (1, 5, 4), strict=True)
    await check_round(port, [seat | {"at": acts} for seat, acts in seats])


async def a_game_of_today_lands_on_the_board(port: int, recorded: Recorded) -> None:
    (ada,) = await resumed(port, recorded, "day")
    cards, key = ada.room["round"]["cards"], ada.room["round"]["key"]
    hidden = json.loads((await get(port, f"/api/days/{cards}?key={key}")).body)
    assert (hidden["players"], hidden["rows"]) == (2, [])
    await ada.race()
    await act_once(ada)
    await ada.say("forfeit")
    await ada.receive("round_over")
    shown = json.loads((await get(port, f"/api/days/{cards}?key={key}")).body)
    assert [row["state"] for row in shown["rows"]] == ["FORFEIT", "FORFEIT"]
    for row in shown["rows"]:
        whole = await get(port, f"/api/days/{cards}/{row['entry']}/seats/0?key={key}")
        assert json.loads(whole.body)["acts"] == (5 if row["entry"] == shown["own"] else 4)


@pytest.mark.parametrize(
    "recorded", [json.loads(path.read_text()) for path in FILES], ids=[path.stem for path in FILES]
)
async def test_rooms_of_an_earlier_release_are_served_and_their_races_continue(
    server: RedisServer, tmp_path: Path, recorded: Recorded
) -> None:
    put_back(server.socket, recorded)
    async with running(QUICK, redis_url=server.url, data_dir=tmp_path) as listener:
        await rooms_are_served(listener.port, recorded)
        await races_continue(listener.port, recorded)
        await a_window_goes_on_and_ends(listener.port, recorded)
        await a_game_of_today_lands_on_the_board(listener.port, recorded)
    with redis.Redis(unix_socket_path=str(server.socket)) as client:
        changed = f"{{{recorded['seats']['race'][0]['room']}}}:room"
        assert client.hget(changed, "form") == b"1", "any release may have opened the room"


async def refused(port: int, seat: dict[str, Any]) -> None:
    """Check that the seat cannot be taken here, and that nothing of its room is shown."""
    player = await Player.connect(port)
    named = {name: seat[name] for name in ("room", "seat", "token")}
    assert (await player.ask("resume", **named))["code"] == "try_again"
    assert await player.closed() == CloseCode.DRAINING
    assert (await get(port, f"/api/rooms/{seat['room']}/rounds/1")).status == 503


async def test_rooms_and_days_of_a_newer_form_are_refused_and_left_as_they_are(
    server: RedisServer, tmp_path: Path
) -> None:
    recorded = json.loads((RELEASES / "1.0.0.json").read_text())
    race = recorded["seats"]["race"][0]
    room = f"{{{race['room']}}}:room"
    put_back(server.socket, recorded)
    with capture_logs() as logs, redis.Redis(unix_socket_path=str(server.socket)) as client:
        client.hset(room, "form", "2")
        for name in client.keys("*:deal:spider-1"):
            client.set(name, client.get(name).replace(b'"form":1', b'"form":2'))
        before = client.hgetall(room)
        async with running(QUICK, redis_url=server.url, data_dir=tmp_path) as listener:
            await refused(listener.port, race)
            (ada,) = await resumed(listener.port, recorded, "day")
            cards = ada.room["round"]["cards"]
            assert (await get(listener.port, f"/api/days/{cards}")).status == 404
            await resumed(listener.port, recorded, "chased")
        assert client.hgetall(room) == before
    errors = [line for line in logs if line["log_level"] == "error"]
    assert [(line["room"], line["why"]) for line in errors] == [(race["room"], NEWER)]
    assert {line["why"] for line in logs if line["event"].startswith("the deal")} == {NEWER}
    assert not any(OF_FORM_0 in line["event"] for line in logs)


async def test_races_of_form_0_are_counted_at_the_start_and_finished_rounds_are_read(
    server: RedisServer, tmp_path: Path
) -> None:
    recorded = json.loads(FORM_0.read_text())
    put_back(server.socket, recorded)
    start = partial(running, QUICK, redis_url=server.url, data_dir=tmp_path)
    with capture_logs() as logs:
        async with start() as listener, start():  # of two processes one counts
            await refused(listener.port, recorded["seats"]["race"][0])
            await check_round(listener.port, recorded["seats"]["over"])
            await check_round(listener.port, recorded["seats"]["between rounds"])
            await a_match_continues(listener.port, recorded)
    (said,) = [line for line in logs if line["log_level"] == "warning"]
    assert OF_FORM_0 in said["event"]
    assert said["rooms"] == 1
    assert [line["why"] for line in logs if line["log_level"] == "error"] == [
        f"its race is in form 0, of {OF_FORM_0}"
    ]
