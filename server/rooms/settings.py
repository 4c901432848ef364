"""The settings of rooms: those that a host left open, clashes, and the rules that follow.

1. A setting is chosen if it stood in the message, with its default or with another value
   (`model_fields_set`). A chosen value is never changed here, not even where it clashes.
2. A setting that was left open gets its usual value, or the first one that the other settings
   do not exclude.
3. Rooms, stored or shown, hold complete settings only.
"""

from dataclasses import fields
from functools import lru_cache
from typing import Any, NamedTuple

from protocol.games import OPTIONS
from protocol.settings import EXCLUSIONS, LEFT_OPEN, ROOM_EXCLUSIONS, SETTINGS, Settings, values_of
from protocol.vocabulary import Layout, SettingsClash
from server.games.errors import BadRules
from server.games.rules import Rules, check_rules, variant_of

PYSOLFC_LAYOUT: Layout = "spread"  # the layout in which a numbered deal is PySolFC's own table


def complete(chosen: Settings) -> Settings:
    """Return the settings with a fitting value for each one that was left open."""
    settings = chosen
    for name in LEFT_OPEN:
        if name not in chosen.model_fields_set:
            settings = _with_fitting(name, settings)
    return settings


def _with_fitting(name: str, settings: Settings) -> Settings:
    """Return the settings with a value of this one that fits the others, if there is one."""
    concerned = [exclusion for exclusion in EXCLUSIONS if name in exclusion.values]
    values = _usual_first(name, settings)
    candidates = [settings.model_copy(update={name: value}) for value in values]
    fitting = (each for each in candidates if not any(one.holds_for(each) for one in concerned))
    # If no value fits, the chosen settings clash with each other and are refused.
    return next(fitting, candidates[0])


def _usual_first(name: str, settings: Settings) -> tuple[Any, ...]:
    """Return the values of a setting in this game, the usual one first."""
    if settings.game not in OPTIONS.get(name, (settings.game,)):
        return (getattr(Rules(settings.game), name),)
    by_game = SETTINGS[name].by_game
    if by_game is None:
        usual = Settings.model_fields[name].default
        return (usual, *values_of(name))
    known: tuple[Any, ...] = getattr(variant_of(settings.game), by_game)
    # RULES, "Where a deal comes from".
    if settings.deal == "numbered" and PYSOLFC_LAYOUT in known:
        return (PYSOLFC_LAYOUT, *known)
    return known


@lru_cache(maxsize=256)
def rules_of(settings: Settings) -> Rules:
    """Return the engine's rules for a room's settings; one object for all players of a round."""
    return Rules(**{field.name: getattr(settings, field.name) for field in fields(Rules)})


class Clash(NamedTuple):
    """Settings that exclude each other, and the reason."""

    reason: SettingsClash
    fields: tuple[str, ...]


def clash_in(settings: Settings) -> Clash | None:
    """Return the first clash of settings that exclude each other, or None."""
    for exclusion in ROOM_EXCLUSIONS:
        if exclusion.holds_for(settings):
            return Clash(exclusion.reason, tuple(exclusion.values))
    try:
        check_rules(rules_of(settings))
    except BadRules as error:
        return Clash(SettingsClash(error.code), error.fields)
    return None
