from pathlib import Path

import pytest

from tests.store.recordings import BEFORE, NoHistory, export


@pytest.fixture(scope="session")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the directory with the code of the release before."""
    try:
        return export(BEFORE, tmp_path_factory.mktemp("before"))
    except NoHistory as error:
        pytest.skip(f"this clone has no history to take the release before from: {error}")
