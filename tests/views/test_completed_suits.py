"""The recorded acts on which the sentences of the page are tested are those of the engine."""

import json

from tests.views.completed_suits import RECORDED, recorded


def test_the_recorded_games_are_what_the_engine_plays() -> None:
    games = json.loads(RECORDED.read_text())
    for game in games:
        assert game == recorded(game["game"], game["seed"], game["actions"].split(", "))
    assert sum(len(game["acts"]) for game in games) == 12
