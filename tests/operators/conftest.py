import pytest

import server.__main__ as command
from tests.server.conftest import serving
from tests.store.conftest import program


@pytest.fixture(autouse=True)
def no_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep this process's logging: a command would log to its own output."""
    monkeypatch.setattr(command, "set_up_logs", lambda _options: None)


__all__ = ["program", "serving"]
