"""Files of finished rounds, over HTTP."""

import asyncio
import gzip
import itertools
import time
from unittest.mock import Mock

import pytest

from server.games.transcripts import format_player, parse_round
from server.sessions.limits import Rate
from server.views import replays
from server.views.replays import steps_of
from server.views.sharing import result_picture
from server.web import finished_rounds
from server.web.limits import HttpLimits
from tests.players import is_move
from tests.present import present
from tests.store.rooms_and_acts import change
from tests.world.stage import Person, Stage, begin, finish, get, staged, start_race

WAYS = ("", ".txt", "/course", "/seats/0", "/picture.svg")
UNSURE = ("/review", "/seats/0/win")
"""Files that need a process for computing."""
HERE, THERE = "203.0.113.5", "198.51.100.9"


async def play(player: Person, acts: int) -> None:
    """Play some acts, and an undo and its redo at the end."""
    for _ in range(acts - 2):
        moves = [act for act in player.table["legal"] if is_move(act)]
        await player.act(moves[0] if moves else "deal")
    await player.act("undo")
    await player.act("redo")


@staged
async def test_a_round_that_is_on_is_as_one_that_never_was(stage: Stage) -> None:
    port = stage.port
    ada, bob = await start_race(port)
    path = f"/api/rooms/{ada.code}/rounds"
    await ada.ask("forfeit")
    for way in (*WAYS, *UNSURE):
        on, never = [await get(port, f"{path}/{n}{way}") for n in (1, 2)]
        assert (on.status, on.body) == (never.status, never.body)
        assert on.status == 404
        assert (await get(port, f"/api/rooms/0000000000/rounds/1{way}")).status == 404
    await finish(bob)
    before = {way: await get(port, f"{path}/1{way}") for way in WAYS}
    assert {answer.status for answer in before.values()} == {200}
    assert (await get(port, f"{path}/1/seats/2")).status == 404

    # It keeps its address when the room goes on.
    await ada.ask("next_round")
    await begin([ada, bob])
    for way in WAYS:
        again = await get(port, f"{path}/1{way}", If_None_Match=before[way].headers["etag"])
        assert (again.status, again.body) == (304, b"")
        assert (await get(port, f"{path}/1{way}")).body == before[way].body
        assert "immutable" in before[way].headers["cache-control"]
        assert (await get(port, f"{path}/2{way}")).status == 404


@staged
async def test_the_picture_of_a_result_is_drawn_once_in_each_language(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = Mock(wraps=result_picture)
    monkeypatch.setattr(finished_rounds, "result_picture", drawn)
    ada, bob = await start_race(stage.port)
    await play(ada, 8)
    await finish(bob, ada)
    path = f"/api/rooms/{ada.code}/rounds/1/picture.svg"
    plain, again = [await get(stage.port, path) for _ in range(2)]
    assert plain.headers["content-type"] == "image/svg+xml"
    assert plain.headers["content-security-policy"].startswith("default-src 'none'")
    assert plain.headers["vary"] == "Accept-Encoding, Accept-Language"
    assert " 2026</text>" in plain.body.decode()
    assert "Nobody finished" in plain.body.decode()
    assert again.body == plain.body
    for german in (
        await get(stage.port, f"{path}?lang=de"),
        await get(stage.port, path, Accept_Language="de"),
    ):
        assert "Niemand ist im Ziel" in german.body.decode()
    assert [call.args[2] for call in drawn.call_args_list] == ["en", "de"]


@staged
async def test_files_are_made_once_for_all_requests(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: each request wrote the text anew; two of them blocked the loop for 97 ms."""
    replayed, written = Mock(wraps=steps_of), Mock(wraps=format_player)
    monkeypatch.setattr(replays, "steps_of", replayed)
    monkeypatch.setattr(replays, "format_player", written)
    port = stage.port
    monkeypatch.setattr(finished_rounds, "BATCH", 2)
    ada, bob = await start_race(port, undo="any")
    await play(ada, 40)
    await finish(ada, bob)
    path = f"/api/rooms/{ada.code}/rounds/1"
    texts = await asyncio.gather(*(get(port, f"{path}.txt") for _ in range(5)))
    assert len({answer.body for answer in texts}) == 1
    assert len(parse_round(texts[0].body.decode()).players[0].entries) == 40
    packed = await get(port, f"{path}.txt", Accept_Encoding="gzip")
    assert gzip.decompress(packed.body) == texts[0].body
    assert packed.headers["content-type"] == "text/plain; charset=utf-8"
    assert "attachment" in packed.headers["content-disposition"]
    assert [call.args[0] for call in written.call_args_list] == ["Player 0", "Player 1"]

    answers = await asyncio.gather(*(get(port, f"{path}/seats/0") for _ in range(5)))
    packed = await get(port, f"{path}/seats/0", Accept_Encoding="gzip")
    assert {gzip.decompress(packed.body)} == {answer.body for answer in answers}
    assert [len(call.args[1]) for call in replayed.call_args_list] == [40]


@staged
async def test_an_address_that_causes_too_much_work_gets_a_retry_time(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = itertools.count(step=2.0)
    monkeypatch.setattr(time, "thread_time", lambda: next(seconds))
    port = stage.process(http=HttpLimits(work_of_address=Rate(1, 0.001))).port
    (ada,) = await start_race(port, players=1, undo="any")
    await play(ada, 40)
    await finish(ada)
    path = f"/api/rooms/{ada.code}/rounds/1"
    assert (await get(port, path, HERE)).status == 200
    answer = await get(port, f"{path}.txt", HERE)
    assert answer.status == 429
    assert int(answer.headers["retry-after"]) > 0
    text = "too many long replays from your address; try again"
    assert answer.body.decode().startswith(text)
    assert (await get(port, path, HERE)).status == 200  # it is kept
    assert (await get(port, f"{path}.txt", THERE)).status == 200


@staged
async def test_files_are_those_of_the_present_record(stage: Stage) -> None:
    """A failover may lose the end of a round, which then ends differently or is replaced."""
    (ada,) = await start_race(stage.port, players=1, undo="any")
    await play(ada, 4)
    await finish(ada)
    paths = [f"/api/rooms/{ada.code}/rounds/1{way}" for way in WAYS]
    before = [(await get(stage.port, path)).body for path in paths]
    stored = present(await stage.store.rooms.read(ada.code))
    doc = stored.doc.replace('"Player 0"', '"Somebody"')
    assert await stage.store.rooms.change(ada.code, stored.v, change(doc=doc))
    after = [(await get(stage.port, path)).body for path in paths]
    assert all(old != new for old, new in zip(before, after, strict=True))
