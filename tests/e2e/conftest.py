from collections.abc import Iterator

import pytest

from tests.e2e.pages import serving
from tests.games.wins import SEED


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose every deal comes from `SEED`, and so is one that can be won."""
    with serving(tmp_path_factory.mktemp("server"), SEED.hex()) as found:
        yield found
