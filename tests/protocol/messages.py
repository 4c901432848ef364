"""Strategies for all messages of clients, and for invalid messages."""

import json
from typing import Any, get_args

from hypothesis import strategies as st

from protocol import from_client, vocabulary
from protocol.lines import clean_line
from protocol.settings import Settings


def lines(length: int) -> st.SearchStrategy[str]:
    """Return a strategy of lines that are clean already."""
    return st.text(max_size=2 * length).map(lambda text: clean_line(text, length)).filter(bool)


def _settings() -> st.SearchStrategy[Settings]:
    """Return a strategy of settings, whether they go together or not."""
    schema = Settings.model_json_schema()["properties"]
    return st.builds(Settings, **{name: _values(part) for name, part in schema.items()})


def _values(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return a strategy of all values that a schema allows."""
    match schema:
        case {"anyOf": parts}:
            return st.one_of(*map(_values, parts))
        case {"enum": values}:
            return st.sampled_from(values)
        case {"type": "integer", "minimum": least, "maximum": most}:
            return st.integers(least, most)
        case {"type": "string", "pattern": pattern}:
            return st.from_regex(pattern.removesuffix("$") + r"\Z", fullmatch=True)
        case {"type": "boolean"}:
            return st.booleans()
        case {"type": "null"}:
            return st.none()
        case _:
            raise NotImplementedError(schema)


KINDS = get_args(from_client.ClientMessage)
seats = st.integers(0, vocabulary.HIGHEST_SEAT)
codes = st.text(
    vocabulary.CODE_ALPHABET, min_size=vocabulary.CODE_LENGTH, max_size=vocabulary.CODE_LENGTH
)
tokens = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=128)
GIVEN: dict[str, st.SearchStrategy[Any]] = {
    "action": _values({"type": "string", "pattern": vocabulary.ACTION_PATTERN}),
    "at": st.integers(0, 2**31 - 1),
    "attempt": st.from_regex(r"(?:[0-9A-Za-z_-]{16,64})?", fullmatch=True),
    "boards": st.lists(seats, max_size=8).map(tuple),
    "browser": st.from_regex(r"[0-9A-Za-z_-]{0,64}", fullmatch=True),
    "code": st.from_regex(r"[0-9A-Za-z_-]{1,64}", fullmatch=True),
    "colour": st.sampled_from(vocabulary.SEAT_COLOURS),
    "game": st.integers(1, vocabulary.MAX_ROUNDS),
    "grace_s": st.integers(5, 3_600),
    "have": st.integers(0, 2**31 - 1),
    "id": st.integers(1, 2**31 - 1),
    "kind": st.sampled_from(get_args(vocabulary.SeatKind)),
    "name": lines(vocabulary.NAME_LENGTH),
    "ready": st.booleans(),
    "role": st.sampled_from(get_args(vocabulary.Role)),
    "room": codes,
    "seat": seats,
    "settings": _settings(),
    "t": st.floats(0, 2**53),
    "text": lines(vocabulary.LINE_LENGTH),
    "token": tokens,
}
"""The values of fields in all messages that have them; others are inferred from their types."""


def _built(kind: type[Any]) -> st.SearchStrategy[Any]:
    # In the order of the fields: the order of a set, and so the examples, differs by process.
    return st.builds(kind, **{name: GIVEN[name] for name in kind.model_fields if name in GIVEN})


emotes = st.sampled_from(get_args(vocabulary.Emote))
messages = st.one_of(*map(_built, KINDS), st.builds(from_client.Say, emote=emotes))


def written(message: Any) -> dict[str, Any]:
    """Return a message as a client writes it."""
    fields: dict[str, Any] = message.model_dump(mode="json")
    return fields


# Messages that no client sends.

leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=30)
    | st.sampled_from([kind.__name__.lower() for kind in KINDS])
)
json_values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=20,
)
FIELDS = sorted({name for kind in KINDS for name in kind.model_fields})


@st.composite
def nearly(draw: st.DrawFn) -> str:
    """Return a message with errors or oddities."""
    message = written(draw(messages))
    for _ in range(draw(st.integers(1, 3))):
        spoil(draw, message)
    text = json.dumps(message)
    match draw(st.integers(0, 7)):
        case 0:  # a name that comes twice
            name = draw(st.sampled_from(FIELDS))
            text = f'{text[:-1]},"{name}":{json.dumps(draw(json_values))}}}'
        case 1:  # a truncated text
            text = text[: draw(st.integers(0, len(text)))]
        case 2:  # a text with a suffix
            text += draw(st.sampled_from(["{}", ",", "\x00", "]", text]))
        case 3:  # an invalid number
            text = text.replace("0", draw(st.sampled_from(["NaN", "-Infinity", "1e999", "01"])))
        case 4:  # half a character
            text = text.replace('"', '"\\ud800', 1 + draw(st.integers(0, 9)))
        case _:
            pass
    return text


def spoil(draw: st.DrawFn, message: dict[str, Any]) -> None:
    """Remove a field, add one, or change one."""
    inside = [message, *(part for part in message.values() if isinstance(part, dict))]
    place = draw(st.sampled_from(inside))
    name = draw(st.sampled_from([*place, *FIELDS, "godMode"]))
    match draw(st.integers(0, 2)):
        case 0:
            place.pop(name, None)
        case 1:
            place[name] = draw(json_values)
        case _:
            place[name] = draw(st.sampled_from([10**300, "x" * 5_000, [[[[[]]]]], -1, {}, 0.5]))
