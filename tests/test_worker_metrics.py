"""Workers on one port collect each other's metrics; here all are in this process."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from server import metrics
from server.metrics import among_workers


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory with a path short enough for a socket."""
    made = Path(tempfile.mkdtemp(prefix="sr-"))
    yield made
    shutil.rmtree(made)


def sockets(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir())


async def test_each_worker_counts_once_under_its_own_label(place: Path) -> None:
    async with among_workers(place, 0) as scrape:
        async with among_workers(place, 1):
            page = (await scrape()).decode()
            for worker in ("0", "1"):
                assert f'spider_race_acts_total{{worker="{worker}"}}' in page
            assert page.count("# TYPE spider_race_acts_total counter") == 1
            assert 'spider_race_act_seconds_bucket{le="+Inf",worker="1"}' in page
        assert 'worker="1"' not in (await scrape()).decode()
    assert sockets(place) == []


async def test_workers_that_do_not_answer_are_skipped(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metrics, "TIMEOUT_S", 0.05)
    async with among_workers(place, 0) as scrape:
        (place / "1.99").touch()  # of a killed worker

        over, silent = asyncio.Event(), asyncio.Event()

        async def say_nothing(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await over.wait()
            writer.close()
            silent.set()

        hung = await asyncio.start_unix_server(say_nothing, place / "2.99")
        with capture_logs() as logs:
            page = (await scrape()).decode()
        assert 'worker="0"' in page
        assert {line["worker"] for line in logs} == {"1.99", "2.99"}
        hung.close()
        over.set()
        await silent.wait()
        # The successor of a dead worker removes its socket.
        monkeypatch.setattr(metrics, "TIMEOUT_S", 20.0)
        async with among_workers(place, 1), among_workers(place, 2) as heir:
            assert not (place / "1.99").exists()
            assert 'worker="1"' in (await heir()).decode()
