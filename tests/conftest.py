import gzip
import os
import shutil
import signal
import ssl
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from server.games.game import Game
from server.store import Store
from server.store.connection import pack
from tests.servers import PATIENT_TIMEOUT_MS, Cluster, opened, processes_in, start_embedded

# Show failed comparisons of a page's text in full.
pytest.register_assert_rewrite("tests.e2e.pages")

# Only tests of the computing process start one beside their servers.
os.environ.setdefault("SPIDER_RACE_BOTS", "0")
os.environ.setdefault("SPIDER_RACE_THINKERS", "0")

# No test depends on the machine's speed. Only `make night` uses other examples in each run.
settings.register_profile(
    "settled", max_examples=40, deadline=None, derandomize=True, database=None
)
settings.register_profile("random", max_examples=400, deadline=None)
settings.load_profile("settled")

END_S = 5.0


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the longest tests, so that no worker is left alone with one at the end."""
    items.sort(key=lambda item: item.get_closest_marker("faults") is None)


@pytest.fixture(scope="session", autouse=True)
def no_store_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Fail after the last test if a store still runs; its directory has the name of its test."""
    yield
    give_up = time.monotonic() + END_S
    while (left := processes_in(tmp_path_factory.getbasetemp())) and time.monotonic() < give_up:
        time.sleep(0.05)  # a killed one takes a moment to end
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left, f"stores that were not stopped: {', '.join(left.values())}"


@pytest.fixture(scope="session", autouse=True)
def compressed_once() -> Iterator[None]:
    """Compress the client's files for the first server of this process only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gzip, "compress", lru_cache(512)(gzip.compress))
        yield


@pytest.fixture(scope="session")
def embedded_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a Valkey for this test process, started like the embedded store."""
    with start_embedded(tmp_path_factory.mktemp("valkey")) as server:
        yield server.url


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A cluster of three masters and their replicas; a test that breaks it repairs it."""
    cluster = Cluster(tmp_path_factory.mktemp("cluster"), PATIENT_TIMEOUT_MS)
    yield cluster
    cluster.stop()


@pytest.fixture
async def store(
    embedded_url: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Store]:
    """An empty store."""
    async with opened(embedded_url, tmp_path_factory.getbasetemp()) as store:
        await store.client.ask_any_master(pack("FLUSHALL"))
        yield store


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A self-signed certificate of `localhost`; its key is beside it."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl on the PATH")
    path = tmp_path_factory.mktemp("certificate") / "own.pem"
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    name += ["-addext", "keyUsage=critical,keyCertSign,digitalSignature"]  # for Python 3.13
    files = ["-keyout", f"{path}.key", "-out", str(path)]
    subprocess.run(["openssl", *words.split(), *name, *files], check=True, capture_output=True)
    return path


@pytest.fixture(scope="session")
def server_tls(certificate: Path) -> ssl.SSLContext:
    """The context of a server with this certificate."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, f"{certificate}.key")
    return context


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Collect all acts that are replayed."""
    acts: list[Any] = []
    replay = Game.replay

    def counted(game: Game, action: Any) -> Any:
        acts.append(action)
        return replay(game, action)

    monkeypatch.setattr(Game, "replay", counted)
    return acts
