from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.games.actions import Kind, kind
from server.games.catalogue import new_game
from server.games.deals import secret_deck
from server.games.hints import find_hint
from server.games.options import Rules
from server.http.listener import Listener
from server.live.entropy import draw_entropy
from server.rooms import countdown
from server.rooms.events import Entropy
from server.sessions import dispatch
from tests.players import running

Serving = Callable[..., Any]


def lively_chance() -> Entropy:
    """Chance as it is, but for deals of Spider in which hardly anything can be moved at once."""
    while True:
        chance = draw_entropy()
        game = new_game(Rules("spider-4"), secret_deck("spider-4", chance.seed))
        for _ in range(2):
            advice = find_hint(game)
            if advice is None or kind(advice) is not Kind.MOVE:
                break
            game.apply(advice)
        else:
            return chance


@pytest.fixture
def serving(
    embedded_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: object
) -> Serving:
    """`async with serving() as listener`: a server whose countdown is short, on a clean store."""
    assert store is not None
    monkeypatch.setattr(countdown, "COUNTDOWN_MS", 100)
    monkeypatch.setattr(dispatch, "draw_entropy", lively_chance)

    def make(**settings: Any) -> Any:
        return running(redis_url=embedded_url, data_dir=tmp_path, **settings)

    return make


__all__ = ["Listener"]
