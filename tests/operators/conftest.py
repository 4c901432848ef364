import pytest

import server.__main__ as program
from tests.server.conftest import serving


@pytest.fixture(autouse=True)
def no_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep this process's logging: a command would log to its own output."""
    monkeypatch.setattr(program, "set_up_logs", lambda _options: None)


__all__ = ["serving"]
