"""The descriptions of settings are complete."""

from typing import Any

import pytest
from pydantic import ValidationError

from protocol.games import OPTIONS
from protocol.settings import ABOUT_PEOPLE, EXCLUSIONS, SETTINGS, Settings, values_of
from protocol.vocabulary import Exclusion, Given, SettingsClash


def can_be(name: str, value: object) -> bool:
    """Return whether a setting can have a value."""
    try:
        Settings.model_validate({name: value})
    except ValidationError:
        return False
    return True


def test_every_setting_is_described_with_values_that_exist() -> None:
    assert list(SETTINGS) == list(Settings.model_fields)
    assert set(OPTIONS) <= set(SETTINGS)
    # The contract names those about people by their position: outside the lobby only these change.
    assert tuple(SETTINGS)[-len(ABOUT_PEOPLE) :] == ABOUT_PEOPLE
    for name, setting in SETTINGS.items():
        if setting.only_with:
            other, values = setting.only_with
            assert all(can_be(other, value) for value in values)
        assert all(can_be(name, value) for value in setting.offered)
        if setting.left_open:  # `server.rooms.default_settings` tries all their values
            assert Settings().model_dump()[name] in values_of(name)


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
