import pytest

import server.__main__ as program
from tests.server.conftest import serving


@pytest.fixture(autouse=True)
def no_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the logs of this process as they are: a command writes them to its own output."""
    monkeypatch.setattr(program, "set_up_logs", lambda _options: None)


__all__ = ["serving"]
