from collections.abc import AsyncIterator, Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from server.app import Tuning
from server.games.actions import ActionKind, kind
from server.games.deals import new_game, secret_deck
from server.games.hints import find_hint
from server.games.rules import Rules
from server.live.hub import draw_entropy
from server.rooms.deals import Entropy
from server.rooms.events import RoomTimings
from server.sessions.limits import Rate
from server.web.limits import WebsocketLimits
from server.web.listener import Listener
from tests.players import running
from tests.servers import AT_ONCE

Serving = Callable[..., Any]
SOON = RoomTimings(countdown_ms=100)
FAST = WebsocketLimits(messages=Rate(60, 10_000))
"""For programs, which play faster than hands."""


def lively_entropy() -> Entropy:
    """Draw chance until the deal of Spider that it makes begins with two moves."""
    while True:
        drawn = draw_entropy()
        game = new_game(Rules("spider-4"), secret_deck("spider-4", drawn.seed))
        for _ in range(2):
            hint = find_hint(game)
            if hint is None or kind(hint) is not ActionKind.MOVE:
                break
            game.apply(hint)
        else:
            return drawn


@pytest.fixture
def serving(embedded_url: str, tmp_path: Path, store: object) -> Serving:
    """`async with serving() as listener`: a server whose countdown is short, on a clean store.

    Arguments are fields of `Tuning`, or settings.
    """
    assert store is not None
    names = {field.name for field in fields(Tuning)}

    def make(**given: Any) -> Any:
        tuned = {name: given.pop(name) for name in names & given.keys()}
        tuning = Tuning(
            **{"rooms": SOON, "store": AT_ONCE, "draw_entropy": lively_entropy, **tuned}
        )
        return running(tuning, redis_url=embedded_url, data_dir=tmp_path, **given)

    return make


@pytest.fixture
async def listener(serving: Serving) -> AsyncIterator[Listener]:
    """A server as `serving` makes it without arguments."""
    async with serving() as listener:
        yield listener


__all__ = ["Listener"]
