"""The settings of rooms: filling in what the host left open, clashes, and the engine's rules.

1. A setting is chosen if it was in the message, even with its default (`model_fields_set`). Chosen
   values are never changed here, even if they clash.
2. A setting that was left open gets its usual value, or the first one that does not clash.
3. Rooms only have complete settings, both stored and shown.
"""

from dataclasses import fields
from functools import lru_cache
from typing import Any, NamedTuple

from protocol.games import OPTIONS
from protocol.settings import DEPENDENT, EXCLUSIONS, ROOM_EXCLUSIONS, SETTINGS, Settings, values_of
from protocol.vocabulary import Layout, SettingsClash
from server.games.errors import BadRules
from server.games.rules import Rules, check_rules, variant_of

PYSOLFC_LAYOUT: Layout = "spread"  # PySolFC's layout for numbered deals


def complete(chosen: Settings) -> Settings:
    """Return the settings with a suitable value for each one that was left open."""
    settings = chosen
    for name in DEPENDENT:
        if name not in chosen.model_fields_set:
            settings = _with_fitting(name, settings)
    return settings


def _with_fitting(name: str, settings: Settings) -> Settings:
    """Return the settings with the first value for `name` that does not clash, if there is one."""
    exclusions = [exclusion for exclusion in EXCLUSIONS if name in exclusion.values]
    values = _usual_first(name, settings)
    candidates = [settings.model_copy(update={name: value}) for value in values]
    fitting = (each for each in candidates if not any(one.holds_for(each) for one in exclusions))
    # If every value clashes, so do the chosen settings, and they are refused.
    return next(fitting, candidates[0])


def _usual_first(name: str, settings: Settings) -> tuple[Any, ...]:
    """Return the values of a setting in this game, the usual one first."""
    if settings.game not in OPTIONS.get(name, (settings.game,)):  # the game has no such setting
        return (getattr(Rules(settings.game), name),)
    if (by_game := SETTINGS[name].by_game) is None:
        return (Settings.model_fields[name].default, *values_of(name))
    supported: tuple[Any, ...] = getattr(variant_of(settings.game), by_game)
    # So that its table is PySolFC's too (RULES, "Where a deal comes from").
    if settings.deal == "numbered" and PYSOLFC_LAYOUT in supported:
        return (PYSOLFC_LAYOUT, *supported)
    return supported


@lru_cache(maxsize=256)
def rules_of(settings: Settings) -> Rules:
    """Return the engine's rules for these settings; all games of a round share the object."""
    return Rules(**{field.name: getattr(settings, field.name) for field in fields(Rules)})


class Clash(NamedTuple):
    """The names of settings that clash, and the reason."""

    reason: SettingsClash
    fields: tuple[str, ...]


def clash_in(settings: Settings) -> Clash | None:
    """Return the first clash in these settings, or None."""
    for exclusion in ROOM_EXCLUSIONS:
        if exclusion.holds_for(settings):
            return Clash(exclusion.reason, tuple(exclusion.values))
    try:
        check_rules(rules_of(settings))
    except BadRules as error:
        return Clash(SettingsClash(error.code), error.fields)
    return None
