"""The descriptions of settings are complete."""

from typing import Any

import pytest
from pydantic import ValidationError

from protocol.games import OPTIONS
from protocol.settings import ABOUT_PEOPLE, EXCLUSIONS, SETTINGS, Setting, Settings, values_of
from protocol.vocabulary import Exclusion, Given, SettingsClash


def can_be(name: str, value: object) -> bool:
    """Return whether a setting can have a value."""
    try:
        Settings.model_validate({name: value})
    except ValidationError:
        return False
    return True


def test_every_setting_is_described() -> None:
    assert list(SETTINGS) == list(Settings.model_fields)


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_a_description_names_existing_settings_and_values(setting: Setting) -> None:
    if setting.only_with:
        name, values = setting.only_with
        assert all(can_be(name, value) for value in values)


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name, setting in SETTINGS.items() for value in setting.offered],
)
def test_numbers_that_a_form_offers_are_valid(name: str, value: int) -> None:
    assert can_be(name, value)


def test_settings_that_may_be_left_open_are_switches_or_choices() -> None:
    """`server.rooms.default_settings` tries all their values."""
    for name, setting in SETTINGS.items():
        if setting.left_open:
            assert Settings().model_dump()[name] in values_of(name)


def test_the_settings_about_people_are_the_last() -> None:
    """The contract names them by their position: outside the lobby only these may change."""
    assert tuple(SETTINGS)[-len(ABOUT_PEOPLE) :] == ABOUT_PEOPLE


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
        ({"score": "dos", "undo": "off", "auto_remove": False}, None),
        ({"score": "dos", "auto_remove": False}, SettingsClash.DOS_WITHOUT_UNDO),
        ({"score": "dos", "undo": "off"}, SettingsClash.DOS_BY_HAND),
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
