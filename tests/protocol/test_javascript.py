"""The client's generated modules agree with the server, and are formatted as by biome."""

import re
from enum import Enum

import pytest

from protocol import vocabulary
from protocol.games import GAMES
from protocol.javascript import (
    EXPORTED,
    FIGURES,
    WIDTH,
    Value,
    games_module,
    literal,
    protocol_module,
    settings_module,
)
from protocol.settings import EXCLUSIONS, SETTINGS

NUMBERS = list(range(70_000, 70_012))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (24, "24"),
        (4500, "4_500"),
        ("left4", "'left4'"),
        (["any", None], "['any', null]"),
        ({"deal": ["seed"], "seed": [None]}, "{ deal: ['seed'], seed: [null] }"),
    ],
)
def test_a_value_is_written_as_javascript(value: Value, text: str) -> None:
    assert literal(value) == text


def test_every_game_is_written_and_equal_piles_once() -> None:
    text = games_module("Generated.")
    assert text.startswith("// Generated.\n//\n")
    assert text.count("/** @type {readonly PileSpec[]} */") == len(
        {game.piles for game in GAMES.values()}
    )
    for game in GAMES:
        named = "".join(rf"    {name}: .+,\n" for name in FIGURES)
        assert re.search(
            rf"^  '{game}': {{\n{named}    piles: [A-Z_0-9]+,\n  }},$", text, re.MULTILINE
        )
    place = "x: 2.75, y: 1, fan: 'none', direction: 'up'"
    assert f"  {{ id: 'f1', role: 'foundation', {place} }},\n" in text


def test_a_line_that_is_too_long_is_broken() -> None:
    text = literal({"numbers": NUMBERS, "few": [1]}, before="const all = ")
    assert text.startswith("{\n  numbers: [\n    70_000,\n")
    assert text.endswith("  few: [1],\n}")
    assert all(len(line) <= WIDTH for line in text.splitlines())


def test_a_line_can_be_as_long_as_the_width() -> None:
    """The comma or semicolon behind it counts."""
    flat = literal(["x" * 40, "y" * 40])
    room = WIDTH - len(flat) - 1
    assert literal(["x" * 40, "y" * 40], before=" " * room) == flat
    assert "\n" in literal(["x" * 40, "y" * 40], before=" " * (room + 1))


def test_every_constant_of_the_client_is_written_with_its_meaning() -> None:
    text = protocol_module("Generated.")
    assert text.startswith("// Generated.\n//\n")
    for name in (*EXPORTED, "ABOUT_PEOPLE"):
        assert re.search(rf"^/\*\* .+\. \*/\nexport const {name} =\s", text, re.MULTILINE), name


def test_the_table_has_every_setting_and_every_exclusion() -> None:
    text = settings_module("Generated.", types="./messages.d.ts")
    assert text.startswith("// Generated.\n//\n")
    assert "from './messages.d.ts'" in text
    for name, setting in SETTINGS.items():
        assert re.search(rf"^  {name}: {{\s+chapter: '{setting.chapter}',", text, re.MULTILINE)
    assert text.count("reason: '") == len(EXCLUSIONS)


def test_the_table_agrees_with_schema_description_and_default() -> None:
    """The entries are written out: a number, a choice that depends on the game, and a switch."""
    text = settings_module("", types="")
    entries: dict[str, dict[str, Value]] = {
        "number": {
            "chapter": "deal",
            "kind": "number",
            "usual": None,
            "nullable": True,
            "least": 1,
            "most": 1_000_000_000,
            "onlyWith": {"name": "deal", "values": ["numbered"]},
        },
        "score": {
            "chapter": "score",
            "kind": "choice",
            "usual": "woods",
            "fits": True,
            "values": ["woods", "dos", "cards", "moves"],
            "byGame": "scores",
        },
        "hints": {"chapter": "hints", "kind": "switch", "usual": False},
    }
    for name, entry in entries.items():
        assert f"  {name}: {literal(entry, f'{name}: ', 2)},\n" in text


@pytest.mark.parametrize("codes", [vocabulary.ErrorCode, vocabulary.CloseCode])
def test_every_code_is_written(codes: type[Enum]) -> None:
    text = protocol_module("")
    for code in codes:
        assert f"  {code.name}: {literal(code.value)},\n" in text
