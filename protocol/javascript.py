"""The client's module of the contract, as its formatter, biome, would write it."""

import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from enum import Enum

from protocol import settings, vocabulary
from protocol.games import GAMES, OPTIONS, PileSpec

WIDTH = 100
EXPORTED = (  # the enumerations and limits of `vocabulary` that the client uses
    *("SUBPROTOCOL", "MAX_IN_FLIGHT", "MAX_BOARDS", "NAME_LENGTH", "LINE_LENGTH", "CODE_LENGTH"),
    *("CODE_ALPHABET", "HIGHEST_NUMBER", "HOST_WAIT_S", "ACTION_PATTERN", "MAX_MOVE_COUNT"),
    *("RANKS", "SUITS", "SEAT_COLOURS", "ErrorCode", "CloseCode", "FIRST_FINAL_CODE"),
)

PROPERTIES = settings.Settings.model_json_schema()["properties"]
_COMMENTED = re.findall(r"^([A-Z_]+) = .+?  # (.+)$", inspect.getsource(vocabulary), re.MULTILINE)
# The comments after the limits of `vocabulary`, as sentences.
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

Value = str | float | None | vocabulary.Given | Sequence["Value"] | Mapping[str, "Value"]


def module(note: str) -> str:
    """Return the module, with `note` at its head."""
    people = literal(settings.ABOUT_PEOPLE, before="export const ABOUT_PEOPLE = ")
    about_people = "Settings about people, which no preset has and which can always be changed."
    return "\n".join(
        [
            f"// {note}\n//\n// The contract: enumerations and limits, the games, the settings.\n",
            SHAPES,
            *map(_word, EXPORTED),
            *_games(),
            *_settings(),
            _constant("ABOUT_PEOPLE", people, about_people),
        ]
    )


def _games() -> Iterator[str]:
    """Yield the games in the order of a menu; games with the same piles share one list."""
    lists: dict[tuple[PileSpec, ...], str] = {}
    for game in GAMES.values():
        lists.setdefault(game.piles, game.id.replace("-", "_").upper())
    for specs, name in lists.items():
        yield "/** @type {readonly PileSpec[]} */"
        yield f"const {name} = {literal([asdict(spec) for spec in specs], whole=True)};\n"
    yield "/** By the id of a game. @type {Readonly<Record<string, Game>>} */"
    yield "export const GAMES = {"
    for game in GAMES.values():
        yield f"  '{game.id}': {{"
        yield from (f"    {name}: {literal(getattr(game, name))}," for name in FIGURES)
        yield f"    piles: {lists[game.piles]},\n  }},"
    yield "};\n"


def _settings() -> Iterator[str]:
    """Yield the settings in the order of the form, and those that do not go together."""
    described = {name: dict(_entry(name)) for name in settings.SETTINGS}
    yield "/** In the order of the form. @type {Readonly<Record<keyof Settings, Setting>>} */"
    yield f"export const SETTINGS = {literal(described, whole=True)};\n"
    exclusions = [{"values": each.values} for each in settings.EXCLUSIONS]
    yield "/** The settings that do not go together. @type {readonly Exclusion[]} */"
    yield f"export const EXCLUSIONS = {literal(exclusions, whole=True)};\n"


def _entry(name: str) -> Iterator[tuple[str, Value]]:
    """Yield the properties of a setting in the table, as `SHAPES` describes them."""
    setting, field = settings.SETTINGS[name], settings.Settings.model_fields[name]
    schema, *null = PROPERTIES[name].get("anyOf", [PROPERTIES[name]])
    yield "chapter", setting.chapter
    yield "usual", field.default
    if name in settings.LEFT_OPEN:
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


def _word(name: str) -> str:
    """Return the declaration of an enumeration or limit of `vocabulary`."""
    value = getattr(vocabulary, name)
    if isinstance(value, type) and issubclass(value, Enum):
        members = literal({member.name: member.value for member in value}, whole=True)
        about = (inspect.getdoc(value) or "").split("\n")[0]
        return _constant(name, f"/** @type {{const}} */ ({members})", about)
    text = f"/{value}/" if name.endswith("_PATTERN") else literal(value)
    return _constant(name, text, MEANINGS[name])


def _constant(name: str, text: str, about: str) -> str:
    """Return the declaration of a constant, on two lines if one is too long."""
    broken = "\n" not in text and len(f"export const {name} = {text};") > WIDTH
    space = "\n  " if broken else " "
    return f"/** {about} */\nexport const {name} ={space}{text};\n"


def literal(value: Value, before: str = "", indent: int = 0, *, whole: bool = False) -> str:
    """Return a value as JavaScript, broken into lines if it is too long for one.

    `before` is the text before the value on its line, without the indent. `whole` puts each item
    on a line.
    """
    match value:
        case None | vocabulary.Given():
            return "null" if value is None else "'given'"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"{value:_}"
        case str():
            return f"'{value}'"
        case Mapping():
            opened, closed = "{ ", " }"
            items = [(f"{name}: ", part) for name, part in value.items()]
        case _:
            opened, closed = "[", "]"
            items = [("", part) for part in value]
    flat = opened + ", ".join(name + literal(part) for name, part in items) + closed
    if not whole and indent + len(before) + len(flat) + 1 <= WIDTH:
        return flat
    step = " " * (indent + 2)
    lines = (f"{step}{name}{literal(part, name, indent + 2)},\n" for name, part in items)
    return f"{opened.strip()}\n{''.join(lines)}{' ' * indent}{closed.strip()}"
