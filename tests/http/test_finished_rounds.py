"""Rounds that are over, over HTTP."""

import asyncio
import gzip
import json
from datetime import UTC, datetime
from typing import Any

import pytest

from protocol.vocabulary import Language
from server.games.notation import SeededDeal, parse_round
from server.http import finished_rounds
from server.http.limits import HttpLimits
from server.http.listener import Listener
from server.sessions.rate_limit import Rate
from server.views import documents
from server.views.finished_rounds import player_lines
from server.views.replays import steps_of
from server.views.result_pictures import result_picture
from tests.players import Player, is_move, read_table, start_race
from tests.server.conftest import Serving
from tests.server.http import Answer, get, raw

WAYS = ("", ".txt", "/course", "/seats/0", "/picture.svg")
UNSURE = ("/review", "/seats/0/win")
"""Files that need a process that thinks."""


def body(answer: Answer) -> Any:
    assert answer.status == 200
    return json.loads(answer.body)


async def play(player: Player, acts: int) -> None:
    """Some acts, the last two of which are an undo and its redo."""
    for _ in range(acts - 2):
        moves = [act for act in player.table["legal"] if is_move(act)]
        await player.act(moves[0] if moves else "deal")
    await player.act("undo")
    await player.act("redo")


async def test_a_round_that_is_on_is_as_one_that_never_was(listener: Listener) -> None:
    ada, bob = await start_race(listener.port)
    path = f"/api/rooms/{ada.code}/rounds"
    await ada.ask("forfeit")
    for way in (*WAYS, *UNSURE):
        on, never = [await get(listener.port, f"{path}/{n}{way}") for n in (1, 2)]
        assert (on.status, on.body) == (never.status, never.body)
        assert on.status == 404
        assert (await get(listener.port, f"/api/rooms/0000000000/rounds/1{way}")).status == 404
    await bob.ask("forfeit")
    await bob.in_state("FINISHED")
    for way in WAYS:
        assert (await get(listener.port, f"{path}/1{way}")).status == 200
    assert (await get(listener.port, f"{path}/1/seats/2")).status == 404


async def test_a_replay_ends_with_the_table_of_its_player(listener: Listener) -> None:
    ada, bob = await start_race(listener.port, undo="any")
    await play(ada, 12)
    await ada.ask("forfeit")
    await bob.ask("forfeit")
    await bob.in_state("FINISHED")
    path = f"/api/rooms/{ada.code}/rounds/1"
    replay = body(await get(listener.port, f"{path}/seats/0"))
    piles = read_table(replay["start"])["piles"]
    for step in replay["steps"]:
        piles |= step["piles"]
    assert piles == ada.table["piles"]
    assert [step["action"] for step in replay["steps"][-2:]] == ["undo", "redo"]
    assert replay["steps"][-1]["score"] == ada.table["score"]
    assert body(await get(listener.port, f"{path}/seats/1"))["steps"] == []

    course = body(await get(listener.port, f"{path}/course"))
    assert [line["seat"] for line in course["courses"]] == [0, 1]
    assert course["courses"][0]["score"][-1] == ada.table["score"]
    assert course["ranking"][0]["name"] in {"Player 0", "Player 1"}


async def test_a_round_stays_where_it_was_when_the_room_goes_on(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1)
    await ada.act(ada.table["legal"][0])
    await ada.ask("forfeit")
    path = f"/api/rooms/{ada.code}/rounds/1"
    before = {way: (await get(listener.port, path + way)).body for way in WAYS}
    await ada.ask("next_round")
    await ada.say("start")
    await ada.in_state("RUNNING")
    for way in WAYS:
        assert (await get(listener.port, path + way)).body == before[way]
    assert (await get(listener.port, f"/api/rooms/{ada.code}/rounds/2/course")).status == 404
    assert parse_round(before[".txt"].decode()).players[0].name == "Player 0"


async def test_files_of_a_round_are_compressed_and_cached_by_browsers(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1, undo="any")
    await play(ada, 8)
    await ada.ask("forfeit")
    path = f"/api/rooms/{ada.code}/rounds/1/seats/0"
    plain = await get(listener.port, path)
    packed = await get(listener.port, path, Accept_Encoding="gzip")
    assert gzip.decompress(packed.body) == plain.body
    assert "immutable" in plain.headers["cache-control"]
    again = await get(listener.port, path, If_None_Match=plain.headers["etag"])
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize("way", WAYS)
async def test_a_file_of_a_round_says_once_how_it_may_be_kept(
    listener: Listener, way: str
) -> None:
    (ada,) = await start_race(listener.port, players=1)
    await ada.ask("forfeit")
    path = f"/api/rooms/{ada.code}/rounds/1{way}"
    answer = await raw(listener.port, f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    head, _, _ = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200")
    assert head.lower().count(b"\r\ncache-control:") == 1


async def test_the_picture_of_a_result_is_drawn_once_in_each_language(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def counted(played: Any, day: Any, language: Language) -> str:
        made.append(language)
        return result_picture(played, day, language)

    monkeypatch.setattr(finished_rounds, "result_picture", counted)
    ada, bob = await start_race(listener.port)
    await play(ada, 8)
    await bob.ask("forfeit")
    await ada.ask("forfeit")
    await ada.in_state("FINISHED")
    path = f"/api/rooms/{ada.code}/rounds/1/picture.svg"
    plain, again = [await get(listener.port, path) for _ in range(2)]
    assert plain.headers["content-type"] == "image/svg+xml"
    assert plain.headers["content-security-policy"].startswith("default-src 'none'")
    assert plain.headers["vary"] == "Accept-Encoding, Accept-Language"
    assert "immutable" in plain.headers["cache-control"]
    year = datetime.now(UTC).year
    assert f" {year}</text>" in plain.body.decode()
    assert "Nobody finished" in plain.body.decode()
    assert again.body == plain.body
    for german in (
        await get(listener.port, f"{path}?lang=de"),
        await get(listener.port, path, Accept_Language="de"),
    ):
        assert "Niemand ist im Ziel" in german.body.decode()
    assert made == ["en", "de"]


async def test_a_replay_is_made_once_for_all_requests_and_the_oldest_is_dropped(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []

    def counted(played: Any, log: Any, most: int) -> Any:
        made.append(len(log))
        return steps_of(played, log, most)

    monkeypatch.setattr(documents, "steps_of", counted)
    async with serving(slice_s=0) as listener:
        vars(listener.routes)["_rounds"].batch = 2
        ada, bob = await start_race(listener.port, undo="any")
        await play(ada, 6)
        await ada.ask("forfeit")
        await bob.ask("forfeit")
        await bob.in_state("FINISHED")
        paths = [f"/api/rooms/{ada.code}/rounds/1/seats/{seat}" for seat in (0, 1)]
        answers = await asyncio.gather(*(get(listener.port, paths[0]) for _ in range(5)))
        assert made == [6]
        assert len({answer.body for answer in answers}) == 1
        packed = await get(listener.port, paths[0], Accept_Encoding="gzip")
        cache = vars(listener.routes)["_rounds"].kept
        cache.kept_bytes = len(answers[0].body) + len(packed.body)
        await get(listener.port, paths[1])
        await get(listener.port, paths[0])
        assert made == [6, 0, 6]


async def test_a_rounds_text_is_made_once_and_compressed(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: each request wrote the file anew; two of them blocked the loop for 97 ms."""
    made: list[int] = []

    def counted(played: Any, seat: int, log: Any) -> Any:
        made.append(seat)
        return player_lines(played, seat, log)

    monkeypatch.setattr(documents, "player_lines", counted)
    async with serving() as listener:
        (ada,) = await start_race(listener.port, players=1, undo="any")
        await play(ada, 40)
        await ada.ask("forfeit")
        path = f"/api/rooms/{ada.code}/rounds/1.txt"
        answers = await asyncio.gather(*(get(listener.port, path) for _ in range(5)))
        assert made == [0]
        assert len({answer.body for answer in answers}) == 1
        assert len(parse_round(answers[0].body.decode()).players[0].entries) == 40
        packed = await get(listener.port, path, Accept_Encoding="gzip")
        assert gzip.decompress(packed.body) == answers[0].body
        assert packed.headers["content-type"] == "text/plain; charset=utf-8"
        assert "attachment" in packed.headers["content-disposition"]
        again = await get(listener.port, path, If_None_Match=packed.headers["etag"])
        assert (again.status, made) == (304, [0])


async def test_an_address_that_causes_too_much_work_gets_a_retry_time(serving: Serving) -> None:
    http = HttpLimits(work_of_address=Rate(1, 0.001))
    async with serving(http=http, trusted_proxies=("127.0.0.0/8",)) as listener:
        (ada,) = await start_race(listener.port, players=1, undo="any")
        await play(ada, 40)
        await ada.ask("forfeit")
        path = f"/api/rooms/{ada.code}/rounds/1"
        here = {"X_Forwarded_For": "203.0.113.5"}
        assert (await get(listener.port, path, **here)).status == 200
        answer = await get(listener.port, f"{path}.txt", **here)
        assert answer.status == 429
        assert int(answer.headers["retry-after"]) > 0
        assert answer.body.decode().startswith(
            "too many long replays from your address; try again"
        )
        assert (await get(listener.port, path, **here)).status == 200  # it is kept
        there = {"X_Forwarded_For": "198.51.100.9"}
        assert (await get(listener.port, f"{path}.txt", **there)).status == 200
        assert (await ada.ask("ping", t=1))["type"] == "pong"


async def test_a_seeded_round_is_served_as_seeded(listener: Listener) -> None:
    """Regression: its text was that of a secret deal, with an empty salt."""
    seed = "000102030405060708090a0b0c0d0e0f"
    (ada,) = await start_race(listener.port, players=1, game="spider-4", seed=seed)
    assert ada.room["round"]["commitment"] is None
    await ada.act("deal")
    await ada.ask("forfeit")
    over = await ada.receive("round_over")
    path = f"/api/rooms/{ada.code}/rounds/1"
    whole = body(await get(listener.port, path))
    course = body(await get(listener.port, f"{path}/course"))
    for told in (over, whole, course):
        reveal = told["reveal"]
        deck = reveal.pop("deck")
        assert reveal == {
            "deal": "seed",
            "number": None,
            "seed": seed,
            "salt": None,
            "commitment": None,
            "proof": None,
        }
        assert " ".join(deck[:10]) == "JD KH JD 6H KD AD AS 2S 5S 8H"
    text = (await get(listener.port, f"{path}.txt")).body.decode()
    assert "salt" not in text
    finished = parse_round(text)
    assert finished.deal == SeededDeal(bytes.fromhex(seed))
    assert finished.replay(finished.players[0]).counts.deals == 1
