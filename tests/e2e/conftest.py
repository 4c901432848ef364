from collections.abc import Iterator

import pytest

from tests.e2e.pages import serving

SHORT_COUNTDOWN_MS = 1_500


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose every deal comes from one seed, and so is one that can be won."""
    data_dir = tmp_path_factory.mktemp("server")
    with serving(data_dir, countdown_ms=SHORT_COUNTDOWN_MS) as found:
        yield found


@pytest.fixture(scope="session")
def unhurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Another, with the countdown of every day: for those who do something while it runs."""
    with serving(tmp_path_factory.mktemp("unhurried")) as found:
        yield found
