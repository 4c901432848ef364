from collections.abc import Iterator

import pytest

from server.games.actions import Action
from server.games.catalogue import new_game
from server.games.deals import secret_deck
from server.games.game import Game
from server.games.options import Rules
from tests.e2e.pages import serving
from tests.games.search import find_win

SEED = bytes([5]) * 16


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server whose every deal comes from `SEED`."""
    with serving(tmp_path_factory.mktemp("server"), SEED.hex()) as found:
        yield found


def one_suit_game() -> Game:
    """The one-suit game that everybody gets there."""
    return new_game(Rules("spider-1"), secret_deck("spider-1", SEED))


@pytest.fixture(scope="session")
def win() -> list[Action]:
    """Actions that win it."""
    found = find_win(one_suit_game())
    assert found is not None
    return found
