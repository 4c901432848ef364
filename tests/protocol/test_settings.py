"""A setting is described once: whatever is made from its description must find it whole."""

from typing import Any

import pytest
from pydantic import ValidationError

from protocol.settings import (
    ABOUT_PEOPLE,
    EXCLUSIONS,
    SETTINGS,
    Setting,
    Settings,
    values_of,
)
from protocol.vocabulary import OPTIONS, Exclusion, Given, SettingsClash


def can_be(name: str, value: object) -> bool:
    """Whether a setting can have a value."""
    try:
        Settings.model_validate({name: value})
    except ValidationError:
        return False
    return True


def test_every_setting_is_described() -> None:
    assert list(SETTINGS) == list(Settings.model_fields)


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_a_description_names_what_there_is(setting: Setting) -> None:
    if setting.only_with:
        name, values = setting.only_with
        assert all(can_be(name, value) for value in values)


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name, setting in SETTINGS.items() for value in setting.offered],
)
def test_what_a_form_offers_can_be_chosen(name: str, value: int) -> None:
    assert can_be(name, value)


def test_settings_that_fit_the_others_are_choices() -> None:
    """`server.rooms.defaults` goes through their values."""
    for name, setting in SETTINGS.items():
        if setting.left_open:
            assert Settings().model_dump()[name] in values_of(name)


def test_the_settings_about_people_are_the_last() -> None:
    """The contract says so: outside the lobby only these may change."""
    names = list(SETTINGS)
    assert ABOUT_PEOPLE == ("public", "locked", "max_players", "one_seat", "approve")
    assert names[-len(ABOUT_PEOPLE) :] == list(ABOUT_PEOPLE)


def test_options_of_games_are_settings() -> None:
    assert set(OPTIONS) <= set(SETTINGS)


@pytest.mark.parametrize("exclusion", EXCLUSIONS, ids=lambda one: one.reason.value)
def test_an_exclusion_names_settings_and_their_values(exclusion: Exclusion) -> None:
    for name, values in exclusion.values.items():
        assert name in SETTINGS
        assert isinstance(values, Given) or all(can_be(name, value) for value in values)


@pytest.mark.parametrize(
    ("chosen", "reason"),
    [
        ({}, None),
        ({"score": "dos", "undo": "off"}, None),
        ({"score": "dos"}, SettingsClash.DOS_WITHOUT_UNDO),
        ({"score": "dos", "undo": "off", "auto_remove": True}, SettingsClash.DOS_BY_HAND),
        ({"number": 1}, SettingsClash.NUMBER_OF_NUMBERED),
        ({"number": 1, "deal": "numbered"}, None),
        ({"deal": "numbered"}, None),
        ({"seed": "ab" * 16}, SettingsClash.SEED_OF_SEEDED),
        ({"seed": "ab" * 16, "deal": "seed"}, None),
        ({"deal": "seed"}, SettingsClash.SEED_OF_SEEDED),
    ],
)
def test_an_exclusion_holds_where_both_values_are_chosen(
    chosen: dict[str, Any], reason: SettingsClash | None
) -> None:
    settings = Settings(**chosen)
    held = [exclusion.reason for exclusion in EXCLUSIONS if exclusion.holds_for(settings)]
    assert held == ([] if reason is None else [reason])
