"""The descriptions of settings are complete."""

import pytest
from pydantic import ValidationError

from protocol.games import OPTIONS
from protocol.settings import ABOUT_PEOPLE, DEPENDENT, EXCLUSIONS, SETTINGS, Settings, values_of
from protocol.vocabulary import Exclusion, Given


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
    for name in DEPENDENT:  # `server.rooms.settings` tries all their values
        assert Settings().model_dump()[name] in values_of(name)


@pytest.mark.parametrize("exclusion", EXCLUSIONS, ids=lambda one: one.reason.value)
def test_an_exclusion_names_settings_and_their_values(exclusion: Exclusion) -> None:
    for name, values in exclusion.values.items():
        assert name in SETTINGS
        assert isinstance(values, Given) or all(can_be(name, value) for value in values)
