from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.net.listener import Listener
from server.rooms import room as machine
from tests.players import running

Serving = Callable[..., Any]


@pytest.fixture
def serving(
    embedded_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: object
) -> Serving:
    """`async with serving() as listener`: a server whose countdown is short, on a clean store."""
    assert store is not None
    monkeypatch.setattr(machine, "COUNTDOWN_MS", 100)

    def make(**settings: Any) -> Any:
        return running(redis_url=embedded_url, data_dir=tmp_path, **settings)

    return make


__all__ = ["Listener"]
