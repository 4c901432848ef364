"""Checks of finished rounds, some of them tampered with."""

import asyncio
import io
import json
import ssl
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from spider_race_client import Race, connect

from server.__main__ import main
from server.app import Tuning
from server.config import VerifyOptions
from server.games.actions import ACTION_TEXTS
from server.games.deals import new_game, numbered_deck
from server.games.hints import find_hint
from server.games.rules import Rules
from server.operators import Failed
from server.operators.verify import Differs, check_round, data_url, verify
from server.rooms.events import RoomTimings
from server.web.listener import Listener
from tests.players import is_move, running
from tests.python_client.races import answering, begin
from tests.server.http import get

Change = Callable[[Any], None]
AT_ONCE = Tuning(rooms=RoomTimings(countdown_ms=0))


@asynccontextmanager
async def race_of(count: int, **settings: Any) -> AsyncIterator[tuple[Listener, list[Race]]]:
    """Return a server with a store of its own, and the players of a race that has just begun."""
    with TemporaryDirectory() as data:
        async with (
            running(AT_ONCE, data_dir=Path(data)) as listener,
            connect(f"http://127.0.0.1:{listener.port}") as client,
        ):
            host = await client.create("Player 0", settings)
            names = [f"Player {number}" for number in range(1, count)]
            players = [host, *[await client.join(host.code, name) for name in names]]
            await begin(*players)
            yield listener, players


async def play(**settings: Any) -> tuple[bytes, bytes]:
    """Return a round as JSON and as text."""
    async with race_of(2, undo="any", **settings) as (listener, players):
        for turn, player in enumerate(players):
            for _ in range(3 + turn):
                assert player.table is not None
                moves = [each for each in player.table.legal if is_move(each)]
                await player.act(moves[0] if moves else "deal")
            await player.act("deal")
            await player.act("undo")
        await leave_all(players)
        path = f"/api/rooms/{players[0].code}/rounds/1"
        text = await get(listener.port, f"{path}.txt")
        return (await get(listener.port, path)).body, text.body


def lines(content: bytes, promised: str | None = None) -> list[str]:
    """Return the good lines, and the first bad one after a cross."""
    found = []
    try:
        for line in check_round(content, promised):
            found.append(line)  # noqa: PERF402  # a later check may raise
    except Differs as error:
        found.append(f"✗ {error}")
    return found


async def test_a_round_is_verified_line_by_line() -> None:
    content, text = await play()
    seal = json.loads(content)["reveal"]["commitment"]
    first, *acts, scores, ranking = lines(content, seal)
    assert first.startswith("Deal verified: Seed and salt match the hash shown before the race")
    assert len(acts) == 2
    assert acts[0] == "Player 0: 5 acts by the rules."
    assert scores.startswith("Scores:")
    assert ranking == "Ranking: that of the scores; nobody won."
    head, *games = lines(text, seal)
    assert head.startswith("Deal verified")
    assert len(games) == 2
    assert lines(text, "0" * 64)[-1].startswith("✗ Deal not verified: Seed and salt don’t match")
    for change, expected in CHANGES:
        document = json.loads(content)
        change(document)
        *_, last = lines(json.dumps(document).encode())
        assert last.startswith("✗ "), expected
        assert expected in last
    illegal = lines(changed_once(text, b" deal\n", b" t0x13-t1\n"))[-1]
    assert illegal.endswith("ms) is against the rules: the pile holds fewer cards.")
    for broken, said in (
        (changed_once(text, b"player: ", b"zzz\nplayer: "), "not a line of a player: 'zzz'"),
        (changed_once(text, b" deal\n", b" deal\n  zzz\n"), "not milliseconds and an action: 'z"),
        (changed_once(text, b" deal\n", b" zzz\n"), "not an action: 'zzz'"),
        (changed_once(text, b"deck: ", b"dock: "), "the round has no field deck"),
    ):
        with pytest.raises(Failed, match=f"^This is not a finished round: {said}"):
            lines(broken)


def changed_once(text: bytes, old: bytes, new: bytes) -> bytes:
    assert old in text
    return text.replace(old, new, 1)


def put(value: object, *path: str | int) -> Change:
    """Return a change that sets the value at a path."""

    def change(document: Any) -> None:
        *way, last = path
        for step in way:
            document = document[step]
        document[last] = value

    return change


def swap_cards(document: Any) -> None:
    deck = document["reveal"]["deck"]
    other = next(place for place, card in enumerate(deck) if card != deck[0])
    deck[0], deck[other] = deck[other], deck[0]


CHANGES: list[tuple[Change, str]] = [
    (put("00" * 16, "reveal", "seed"), "Deal not verified: Seed and salt don’t match"),
    (put("00" * 16, "reveal", "salt"), "Deal not verified: Seed and salt don’t match"),
    (put("00" * 32, "reveal", "commitment"), "Deal not verified: Seed and salt don’t match"),
    (swap_cards, "Deal not verified: These are not the cards that the seed deals. Card 1 is"),
    (lambda document: document["reveal"]["deck"].pop(), "These are not the cards that the seed"),
    (put("numbered", "reveal", "deal"), "the settings say secret, the deal numbered"),
    (lambda document: document["players"][0]["log"].pop(0), "Player 0: "),
    (put("t0x13-t9", "players", 1, "log", 2, "action"), "Player 1: act 3 (t0x13-t9 at "),
    (put(9_999, "ranking", 0, "score"), ": score is "),
    (lambda document: document["ranking"].reverse(), "Ranking: row 1 is "),
    (put([0], "winners"), "Ranking: the winners are seats [0]"),
    (put([{"seat": 0, "by": "cheats"}], "tie_breaks"), "Ranking: what decides between equal"),
    (put("Eve", "players", 0, "name"), "Eve has another name in the result."),
    (put(7, "players", 0, "late_ms"), "Player 0 begins at another time in the result."),
    (lambda document: document["ranking"].pop(), " has acts, but no place in the result."),
    (lambda document: document["players"].pop(1), "Player 1 has a place in the result, but no"),
]


@pytest.mark.parametrize("settings", [{"number": 24}, {"seed": "24" * 16}])
async def test_an_open_deal_is_checked_by_its_cards(settings: dict[str, Any]) -> None:
    content, text = await play(**settings)
    assert lines(content)[0].startswith("Open deal")
    assert lines(content)[-1].startswith("Ranking")
    assert lines(text)[0].startswith("Open deal")
    document = json.loads(content)
    swap_cards(document)
    (only,) = lines(json.dumps(document).encode())
    assert only.startswith("✗ Deal not verified: These are not the cards that the seed deals.")
    document["reveal"] |= {"seed": None, "number": None}
    (only,) = lines(json.dumps(document).encode())
    assert only == "✗ Deal not verified: it has neither a seed nor a number."


async def test_a_link_of_a_page_is_read_from_its_server() -> None:
    async with race_of(2) as (listener, players):
        await leave_all(players)
        link = f"{players[0].link}/1"
        answer = await asyncio.to_thread(lambda: asyncio.run(verify(VerifyOptions(source=link))))
        assert answer.code == 0, answer.text
        assert answer.text.startswith("✓ Deal verified")
        path = f"/api/rooms/{players[0].code}/rounds/1"
        document = json.loads((await get(listener.port, path)).body)
    del document["ranking"][0]["has_acted"]  # as in an earlier release: nobody has acted
    assert not any(line.startswith("✗") for line in lines(json.dumps(document).encode()))


async def leave_all(players: list[Race]) -> None:
    for player in players:
        await player.forfeit()
    await players[0].wait_for_result()


def test_links_of_pages_stand_for_their_data() -> None:
    for link in ("https://race.example/r/7K3QZ0A/2", "https://race.example/r/7K3QZ0A/2/?l=de#top"):
        assert data_url(link) == "https://race.example/api/rooms/7K3QZ0A/rounds/2"
    direct = "https://race.example/api/rooms/7K3QZ0A/rounds/2.txt"
    assert data_url(direct) == direct


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "it begins with '', not with 'Spider Race round, format 1'."),
        (b"{}", "room: Field required."),
        (b"\xff\xfe", "it begins with "),
        (b'{"room": "\x1b[31m"}', "the document: Invalid JSON"),
        (b"hello\nworld", "it begins with 'hello', not"),
    ],
)
def test_other_files_are_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, sentence: str
) -> None:
    file = tmp_path / "round"
    file.write_bytes(content)
    assert main(["verify", str(file)]) == 2
    output, error = capsys.readouterr()
    assert error.startswith(f"spider-race: This is not a finished round: {sentence}")
    assert (output, error.count("\n")) == ("", 1)
    assert "\x1b" not in error


def test_a_file_that_cannot_be_read_is_one_sentence_and_no_forgery(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.operators.verify.MOST_BYTES", 1 << 20)
    (tmp_path / "large").write_bytes(b" " * ((1 << 20) + 1))
    for source, sentence in (
        (tmp_path / "none", "cannot be read: No such file"),
        ("http://127.0.0.1:1/r/7K3QZ0A/1", "cannot be read"),
        ("http://[", "is not an address"),
        (tmp_path / "large", "larger than 1 MiB"),
    ):
        assert main(["verify", str(source)]) == 2
        assert sentence in capsys.readouterr().err
    for ca, sentence in ((tmp_path / "none", "No such file"), (tmp_path / "large", "no cert")):
        assert main(["verify", "https://127.0.0.1:1/", "--ca", str(ca)]) == 2
        assert f"{ca} cannot be read: " in (error := capsys.readouterr().err)
        assert sentence.lower() in error.lower()


async def test_a_link_is_read_over_tls_with_a_private_ca(
    certificate: Path, server_tls: ssl.SSLContext, capsys: pytest.CaptureFixture[str]
) -> None:
    content, _ = await play()

    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.close()

    async with (
        answering(b"HTTP/1.0 200 OK\r\n\r\n" + content, ssl=server_tls) as url,
        await asyncio.start_server(plain, "127.0.0.1", 0) as server,
    ):
        port = server.sockets[0].getsockname()[1]
        for address, ca, code, said in (
            (url, [], 2, "not trusted (self-signed certificate); --ca FILE names"),
            (url, ["--ca", str(certificate)], 0, "✓ Deal verified"),
            (url.replace("https:", "http:"), [], 2, "cannot be read"),
            (f"https://localhost:{port}", [], 2, "without TLS its address starts with http://."),
        ):
            words = ["verify", f"{address}/round.json", *ca]
            assert await asyncio.to_thread(main, words) == code
            assert said in "".join(capsys.readouterr())


def winning_acts(**rules: Any) -> list[str]:
    """Return the acts that the hints win deal 4 of Spiderette with."""
    game = new_game(Rules("spiderette-1", **rules), numbered_deck("spiderette-1", 4))
    while game.outcome is None:
        hint = find_hint(game)
        assert hint is not None
        game.apply(hint)
    return [ACTION_TEXTS[game.variant.id].format(action) for action in game.log]


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        ({"auto_remove": True}, {"ranking": "first_home"}),
        ({"score": "moves"}, {"cheats": "tie"}),
        ({}, {"chasers": True}),
    ],
)
async def test_a_won_race_is_verified_with_its_times(
    rules: dict[str, Any], settings: dict[str, Any]
) -> None:
    options = {"auto_remove": False, **rules, **settings, "undo": "any"}
    deal = {"game": "spiderette-1", "deal": "numbered", "number": 4}
    async with race_of(3, **deal, **options) as (listener, (ada, bob, cy)):
        await asyncio.gather(*map(ada.act, winning_acts(**rules, undo="any")))
        for player in (bob, cy):
            await player.act("deal")
        if settings.get("chasers"):
            async with connect(ada.link) as client:
                late = await client.join(ada.link, "Late")
                await late.chase()
                await late.wait_for_table()
                await asyncio.gather(*map(late.act, winning_acts(**rules, undo="any")))
        await leave_all([bob, cy])
        content = (await get(listener.port, f"/api/rooms/{ada.code}/rounds/1")).body
    assert lines(content)[-1] == "Ranking: that of the scores; Player 0 won."
    document = json.loads(content)
    document["ranking"][0]["finished_ms"] += 1
    assert "Player 0: finished_ms is " in lines(json.dumps(document).encode())[-1]
    document = json.loads(content)
    document["players"][0]["log"].pop()
    assert lines(json.dumps(document).encode())[-1].startswith("✗ Player 0: ")


def test_a_good_round_is_good_where_the_output_has_no_tick(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Regression: an error of the encoding ended with 1, as a forged round does."""
    file, written = tmp_path / "round", io.BytesIO()
    file.write_bytes(asyncio.run(play())[0])
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    assert main(["verify", str(file)]) == 0
    assert written.getvalue().startswith(b"\\u2713 Deal verified: ")
