"""The settings of a room, as clients send them and as the server completes them."""

from typing import Any

import pytest

from protocol.settings import Settings
from server.http.listener import Listener
from tests.players import Player, start_race

FIELDS = set(Settings.model_fields)


@pytest.mark.parametrize(
    ("chosen", "complete"),
    [
        (
            {},
            {
                "game": "spider-1",
                "deal": "secret",
                "layout": "left4",
                "score": "woods",
                "auto_remove": True,
                "undo": "no_reveal",
                "time_limit_s": 900,
            },
        ),
        ({"game": "little-spider"}, {"score": "cards", "layout": "left4", "auto_remove": False}),
        ({"deal": "numbered"}, {"layout": "spread", "number": None}),
        ({"deal": "numbered", "layout": "left4"}, {"layout": "left4"}),
        ({"score": "dos"}, {"undo": "off", "auto_remove": False}),
    ],
)
async def test_a_room_shows_a_value_for_every_setting_that_was_left_open(
    listener: Listener, chosen: dict[str, Any], complete: dict[str, Any]
) -> None:
    created = await Player.create(listener.port, **chosen)
    configured = await Player.create(listener.port, game="spider-2", hints=True)
    answer = await configured.ask("configure", settings=chosen)
    assert answer["type"] == "room"
    for settings in (created.room["settings"], answer["room"]["settings"]):
        assert set(settings) == FIELDS
        assert {name: settings[name] for name in complete} == complete
    assert created.room["settings"] == answer["room"]["settings"]


async def test_little_spider_is_played_without_a_word_about_its_score(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1, game="little-spider")
    assert (ada.table["game"], ada.table["score"]) == ("little-spider", 0)


async def test_a_numbered_deal_is_the_table_of_pysolfc(listener: Listener) -> None:
    (ada,) = await start_race(listener.port, players=1, game="spider-4", number=24)
    columns = [ada.table["piles"][f"t{column}"] for column in range(10)]
    assert ", ".join(columns) == (
        "[5] QC, [4] 9H, [4] 2D, [5] 5C, [4] QH, [4] 3D, [5] 6D, [4] 7C, [4] AH, [5] QC"
    )


@pytest.mark.parametrize(
    ("chosen", "reason", "fields"),
    [
        (
            {"game": "little-spider", "score": "woods"},
            "score_not_of_game",
            ["score", "game"],
        ),
        ({"score": "dos", "undo": "no_reveal"}, "dos_without_undo", ["undo", "score"]),
        (
            {"game": "spiderette-4", "deal": "numbered", "layout": "spread"},
            "option_not_of_game",
            ["layout", "game"],
        ),
    ],
)
async def test_settings_that_were_chosen_and_clash_are_refused(
    listener: Listener, chosen: dict[str, Any], reason: str, fields: list[str]
) -> None:
    nobody = await Player.connect(listener.port)
    ada = await Player.create(listener.port)
    for refused in (
        await nobody.ask("create", name="Bob", settings=chosen),
        await ada.ask("configure", settings=chosen),
    ):
        assert (refused["type"], refused["code"]) == ("refused", "bad_settings")
        details = refused["details"]
        assert (details["reason"], details["fields"]) == (reason, fields)
