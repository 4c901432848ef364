from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.games.actions import ActionKind, kind
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


def lively_entropy() -> Entropy:
    """Chance as it is, but for deals of Spider in which hardly anything can be moved at once."""
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
def serving(
    embedded_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store: object
) -> Serving:
    """`async with serving() as listener`: a server whose countdown is short, on a clean store."""
    assert store is not None
    monkeypatch.setattr(countdown, "COUNTDOWN_MS", 100)
    monkeypatch.setattr(dispatch, "draw_entropy", lively_entropy)

    def make(**settings: Any) -> Any:
        return running(redis_url=embedded_url, data_dir=tmp_path, **settings)

    return make


__all__ = ["Listener"]
