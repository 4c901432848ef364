"""The page's module of the contract: enumerations and limits, the games, and the settings."""

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from enum import Enum
from typing import Any

from protocol import settings, vocabulary
from protocol.games import GAMES, OPTIONS, PileSpec

EXPORTED = (  # the enumerations and limits of `vocabulary` that the client uses
    *("SUBPROTOCOL", "MAX_IN_FLIGHT", "MAX_BOARDS", "NAME_LENGTH", "LINE_LENGTH", "CODE_LENGTH"),
    *("CODE_ALPHABET", "HIGHEST_NUMBER", "HOST_WAIT_S", "ACTION_PATTERN", "MAX_MOVE_COUNT"),
    *("RANKS", "SUITS", "SEAT_COLOURS", "ErrorCode", "CloseCode", "FIRST_FINAL_CODE"),
)

PROPERTIES = settings.Settings.model_json_schema()["properties"]
_COMMENTED = re.findall(r"^([A-Z_]+) = .+?  # (.+)$", inspect.getsource(vocabulary), re.MULTILINE)
# The comments beside the limits in `vocabulary`, as sentences.
MEANINGS = {name: f"{text[0].upper()}{text[1:]}." for name, text in _COMMENTED}
# Keywords of JSON Schema, and their names in the table.
LIMITS = {"enum": "values", "minimum": "least", "maximum": "most", "pattern": "pattern"}

SHAPES = """/**
 * The key of a setting's label is its name.
 *
 * @import {Settings} from './messages.d.ts'
 * @typedef {string | number | boolean | null} Value
 *
 * @typedef {object} Setting
 * @property {string} chapter the part of the form and of the page of rules
 * @property {Value} usual the default; a boolean for a switch
 * @property {boolean} [fits] if left open, the setting gets a value that fits the others
 * @property {boolean} [nullable]
 * @property {readonly string[]} [values] the choices
 * @property {number} [least]
 * @property {number} [most]
 * @property {readonly number[]} [offered] numbers to choose from
 * @property {string} [pattern]
 * @property {readonly string[]} [games] the games that support it, if not all do
 * @property {'scores' | 'layouts'} [byGame] the field of the catalogue with a game's values
 * @property {{name: keyof Settings, values: readonly Value[]}} [onlyWith] else it has no effect
 *
 * @typedef {object} Exclusion two settings that do not go together if each has one of the values
 * @property {Readonly<Partial<Record<keyof Settings, readonly Value[] | 'given'>>>} values
 *
 * The fields of piles and games are described in `protocol/games.py`.
 *
 * @typedef {{ id: string, role: 'tableau' | 'stock' | 'foundation', x: number, y: number,
 *   fan: 'down' | 'none', direction: 'up' | 'down' | null }} PileSpec
 * @typedef {{ family: string, names: {en: string, de: string}, goal: 'suits' | 'cards',
 *   decks: number, suits: 1 | 2 | 4, cards: number, covered_columns: number, face_down: number,
 *   foundations: number, piles: readonly PileSpec[] }} Game
 */
"""
FIGURES = (  # the attributes of a `Variant` that the client uses, besides its piles
    *("family", "names", "goal"),
    *("decks", "suits", "cards", "covered_columns", "face_down", "foundations"),
)


def module(note: str) -> str:
    """Return the module, with `note` at its head."""
    described = {name: dict(_entry(name)) for name in settings.SETTINGS}
    exclusions = [{"values": each.values} for each in settings.EXCLUSIONS]
    return "\n".join(
        [
            f"// {note}\n//\n// The contract: enumerations and limits, the games, the settings.\n",
            SHAPES,
            *map(_exported, EXPORTED),
            *_games(),
            _constant(
                "SETTINGS",
                _in_lines(described),
                "In the order of the form. @type {Readonly<Record<keyof Settings, Setting>>}",
            ),
            _constant(
                "EXCLUSIONS",
                _in_lines(exclusions),
                "The settings that do not go together. @type {readonly Exclusion[]}",
            ),
            _constant(
                "ABOUT_PEOPLE",
                _json(settings.ABOUT_PEOPLE),
                "Settings about people, which no preset has and which can always be changed.",
            ),
        ]
    )


def _games() -> Iterator[str]:
    """Yield the lists of piles, each shared by games with the same ones, and then the games."""
    lists: dict[tuple[PileSpec, ...], str] = {}
    for game in GAMES.values():
        lists.setdefault(game.piles, game.id.replace("-", "_").upper())
    for piles, name in lists.items():
        yield "/** @type {readonly PileSpec[]} */"
        yield f"const {name} = {_in_lines([asdict(pile) for pile in piles])};\n"
    yield "/** By the id of a game. @type {Readonly<Record<string, Game>>} */"
    yield "export const GAMES = {"
    for game in GAMES.values():
        yield f'  "{game.id}": {{'
        yield from (f'    "{name}": {_json(getattr(game, name))},' for name in FIGURES)
        yield f'    "piles": {lists[game.piles]},\n  }},'
    yield "};\n"


def _entry(name: str) -> Iterator[tuple[str, Any]]:
    """Yield the properties of a setting in the page's table, as `SHAPES` describes them."""
    setting, field = settings.SETTINGS[name], settings.Settings.model_fields[name]
    # The schema of a field that may be null is `anyOf` its own schema and null's.
    schema, *null = PROPERTIES[name].get("anyOf", [PROPERTIES[name]])
    yield "chapter", setting.chapter
    yield "usual", field.default
    if name in settings.DEPENDENT:
        yield "fits", True
    if null:
        yield "nullable", True
    for key, word in LIMITS.items():
        if key in schema:
            yield word, schema[key]
    if setting.offered:
        yield "offered", setting.offered
    if name in OPTIONS:
        yield "games", OPTIONS[name]
    if setting.by_game:
        yield "byGame", setting.by_game
    if setting.only_with:
        other, values = setting.only_with
        yield "onlyWith", {"name": other, "values": values}


def _exported(name: str) -> str:
    """Return the declaration of an enumeration or limit of `vocabulary`."""
    value = getattr(vocabulary, name)
    if isinstance(value, type) and issubclass(value, Enum):
        members = _in_lines({member.name: member.value for member in value})
        about = (inspect.getdoc(value) or "").split("\n")[0]
        return _constant(name, f"/** @type {{const}} */ ({members})", about)
    text = f"/{value}/" if name.endswith("_PATTERN") else _json(value)
    return _constant(name, text, MEANINGS[name])


def _constant(name: str, text: str, about: str) -> str:
    return f"/** {about} */\nexport const {name} = {text};\n"


def _json(value: Any) -> str:
    return json.dumps(value, default=lambda _given: "given")


def _in_lines(value: Mapping[str, Any] | list[Any]) -> str:
    """Return a value as JSON, with each item on a line."""
    if isinstance(value, Mapping):
        opened, closed = "{}"
        items = [f"{json.dumps(name)}: {_json(part)}" for name, part in value.items()]
    else:
        opened, closed = "[]"
        items = list(map(_json, value))
    return f"{opened}\n" + "".join(f"  {item},\n" for item in items) + closed
