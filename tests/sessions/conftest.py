"""Sessions in a loop whose time passes only while nobody has to act."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from server.games.game import Game
from tests.sessions.clients import FEW, Site
from tests.world.world import JumpingLoop


def pytest_asyncio_loop_factories() -> dict[str, type[JumpingLoop]]:
    return {"jumping": JumpingLoop}


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with Site.opened(FEW) as site:
        yield site


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return all acts that are played again."""
    acts: list[Any] = []
    replay = Game.replay

    def counted(game: Game, action: Any) -> Any:
        acts.append(action)
        return replay(game, action)

    monkeypatch.setattr(Game, "replay", counted)
    return acts
