"""Filling in settings that were left open; chosen settings stay, even if they clash."""

from itertools import product
from typing import Any, get_args

import pytest

from protocol.from_client import Configure
from protocol.games import GAMES, GameId
from protocol.settings import Settings
from protocol.vocabulary import DealSource, ErrorCode
from server.rooms.events import Refusal
from server.rooms.lobby import open_room
from server.rooms.room import apply
from server.rooms.settings import clash_in, complete
from server.views.front_page import PRESETS
from tests.rooms.rooms import ADA, CODE, lobby, sends

USUAL = {
    "deal": "secret",
    "layout": "left4",
    "score": "woods",
    "undo": "no_reveal",
    "auto_remove": True,
}
LITTLE = {"score": "cards", "auto_remove": False}
SEED = "ab" * 16
DEALS: tuple[DealSource, ...] = ("secret", "numbered")


@pytest.mark.parametrize(
    ("chosen", "filled"),
    [
        ({}, {}),
        ({"game": "spiderette-1"}, {}),
        ({"game": "little-spider"}, LITTLE),
        ({"game": "little-spider", "undo": "any"}, LITTLE),
        # PySolFC's own table, where the game has it.
        ({"deal": "numbered"}, {"layout": "spread"}),
        ({"deal": "numbered", "number": 24, "game": "spider-1"}, {"layout": "spread"}),
        ({"deal": "numbered", "layout": "left4"}, {}),
        ({"deal": "numbered", "game": "spiderette-4"}, {}),
        ({"deal": "numbered", "game": "little-spider"}, LITTLE),
        ({"deal": "seed", "seed": SEED}, {}),
        ({"layout": "spread"}, {}),
        # Under the DOS score undo is off, and suits are removed by hand.
        ({"score": "dos"}, {"undo": "off", "auto_remove": False}),
        ({"score": "dos", "exceptions": "hard"}, {"undo": "off", "auto_remove": False}),
        ({"score": "dos", "auto_remove": False}, {"undo": "off"}),
        ({"auto_remove": False}, {}),
        # A number or a seed implies its source of deals.
        ({"number": 24}, {"deal": "numbered", "layout": "spread"}),
        ({"number": 24, "layout": "left4"}, {"deal": "numbered"}),
        ({"number": None, "seed": None}, {}),
        ({"seed": SEED}, {"deal": "seed"}),
    ],
)
def test_open_settings_fit_the_chosen_ones(chosen: dict[str, Any], filled: dict[str, Any]) -> None:
    room = open_room(CODE, "Ada", Settings(**chosen))
    assert dict(room.settings) == dict(Settings(**{**USUAL, **chosen, **filled}))


@pytest.mark.parametrize(
    ("chosen", "reason", "fields"),
    [
        ({"deal": "secret", "number": 24}, "number_of_numbered", "deal number"),
        ({"deal": "seed"}, "seed_of_seeded", "deal seed"),
        ({"score": "dos", "undo": "any"}, "dos_without_undo", "undo score"),
        ({"score": "dos", "auto_remove": True}, "dos_by_hand", "auto_remove score"),
        ({"game": "little-spider", "score": "woods"}, "score_not_of_game", "score game"),
        ({"game": "spiderette-1", "layout": "spread"}, "option_not_of_game", "layout game"),
    ],
)
def test_clashes_name_their_reason(chosen: dict[str, Any], reason: str, fields: str) -> None:
    with pytest.raises(Refusal) as refused:
        apply(lobby(), sends(ADA, Configure(settings=Settings(**chosen))))
    assert refused.value.code is ErrorCode.BAD_SETTINGS
    assert refused.value.clash == (reason, tuple(fields.split()))
    with pytest.raises(Refusal):
        open_room(CODE, "Ada", Settings(**chosen))


@pytest.mark.parametrize("game", get_args(GameId))
def test_defaults_never_clash_with_a_game_and_its_scores(game: GameId) -> None:
    assert complete(Settings(game=game)).score == GAMES[game].scores[0]
    for score, deal in product(GAMES[game].scores, DEALS):
        assert clash_in(complete(Settings(game=game, score=score, deal=deal))) is None


def test_settings_are_completed_when_they_are_replaced_too() -> None:
    room = apply(lobby(), sends(ADA, Configure(settings=Settings(game="little-spider"))))
    assert room.settings.score == "cards"
    room = apply(room, sends(ADA, Configure(settings=Settings(deal="numbered"))))
    assert (room.settings.score, room.settings.layout) == ("woods", "spread")


def test_a_stored_room_keeps_its_settings() -> None:
    room = open_room(CODE, "Ada", Settings(deal="numbered", layout="left4"))
    again = type(room).model_validate_json(room.model_dump_json())
    assert again == room
    assert complete(again.settings) == room.settings


def test_presets_differ_and_leave_nothing_open() -> None:
    assert len({settings.model_dump_json() for settings in PRESETS.values()}) == len(PRESETS)
    assert [complete(settings) for settings in PRESETS.values()] == [*PRESETS.values()]
    # A new room is a race for people who meet the game.
    assert dict(open_room(CODE, "Ada", Settings()).settings) == dict(PRESETS["friends"])
