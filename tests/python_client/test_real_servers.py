"""Races at a real server: by two programs, and by the client in Node; and fetched rounds."""

import asyncio
import sys
from pathlib import Path

import pytest
from spider_race_client import Client, Round, fetch_review, fetch_round
from spider_race_client.errors import (
    ProgramError,
    RaceError,
    Refused,
    RoundUnknown,
    ServerError,
    Unreachable,
)

from tests.python_client.races import EASY, answering, first_move, output, race_of_two
from tests.servers import silent_port

ROOT = Path(__file__).parents[2]


async def test_two_programs_race_to_the_result(
    real_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, guest = await race_of_two(real_client)
    with pytest.raises(RoundUnknown, match=f"no /api/rooms/{host.code}/rounds/1, or"):
        await fetch_round(real_client.server, host.code, 1)
    with pytest.raises(Refused, match="'act' was refused: "):
        await host.finish()
    assert (await host.act(first_move(host))).at == 1
    await host.forfeit()
    await guest.forfeit()
    result = await guest.wait_for_result()
    assert {seat.kind for seat in guest.room.seats} == {"program"}
    assert [row.seat for row in result.ranking] == [host.seat, guest.seat]
    played = await fetch_round(real_client.server, host.code, result.n)
    ada, bob = played.document.players
    review = await fetch_review(real_client.server, host.code, result.n)
    assert (review.room, review.n, review.state) == (host.code, result.n, "done")
    assert [act.game.at for act in played.replay(ada)] == [1]
    assert list(played.replay(bob)) == []
    with monkeypatch.context() as only_the_client:
        only_the_client.setitem(sys.modules, "server.games.cards", None)
        with pytest.raises(ProgramError, match=r"server\.games\.cards"):
            next(played.replay(ada))
    fewer = played.document.reveal.model_copy(update={"deck": played.document.reveal.deck[1:]})
    with pytest.raises(ServerError, match="no deck"):
        next(Round(played.document.model_copy(update={"reveal": fewer})).replay(ada))
    jump = ada.log[0].model_copy(update={"action": "t0x9-t1"})
    with pytest.raises(ServerError, match="against the rules"):
        list(played.replay(ada.model_copy(update={"log": (jump,)})))


@pytest.mark.faults
async def test_the_client_in_node_races_to_the_result(real_client: Client) -> None:
    node = Path(sys.executable).with_name("node")
    host = await real_client.create("Ada", EASY)
    racing = asyncio.create_task(output(node, ROOT / "docs/client.mjs", host.link, "Node"))
    await host.wait_until(lambda race: len(race.room.seats) == 2)
    await host.ready()
    await host.wait_for_table()
    await host.forfeit()
    result = await host.wait_for_result()
    ranked = {row.name: row for row in result.ranking}
    assert ranked["Node"].score > 0, ranked["Node"]
    shown = "".join(f"{row.place}. {row.name}: {row.score}\n" for row in result.ranking)
    assert await racing == shown


@pytest.mark.parametrize(
    ("answer", "error", "sentence"),
    [
        (b"", Unreachable, "No answer"),
        (b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\n\r\n", Unreachable, "answers 429"),
        (b"HTTP/1.1 503 Service Unavailable\r\n\r\n", Unreachable, "answers 503"),
        (b"HTTP/1.1 404 Not Found\r\n\r\n", ServerError, "is no Spider Race server"),
        (b"SSH-2.0-OpenSSH_9\r\n\r\n", Unreachable, "it sends no complete HTTP answer"),
        (b"HTTP/1.1 200 OK\r\n\r\n<html>", ServerError, "no FinishedRound"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}", Unreachable, "no complete HTTP"),
    ],
)
async def test_a_round_that_cannot_be_fetched_is_an_error_of_the_tree(
    answer: bytes, error: type[RaceError], sentence: str
) -> None:
    async with answering(answer) as url:
        with pytest.raises(RaceError, match=sentence) as caught:
            await fetch_round(url, "7K3QZ0A", 1)
    assert type(caught.value) is error


async def test_rounds_of_a_server_that_is_not_there_cannot_be_fetched() -> None:
    with silent_port() as port, pytest.raises(Unreachable, match=r": Connection refused\.$"):
        await fetch_round(f"http://127.0.0.1:{port}", "7K3QZ0A", 1)
