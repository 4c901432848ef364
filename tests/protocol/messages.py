"""Strategies for all messages of clients, and for invalid messages."""

import json
from typing import Any, get_args

from hypothesis import strategies as st

from protocol import from_client
from protocol.lines import clean_line
from protocol.settings import Settings
from protocol.vocabulary import (
    ACTION_PATTERN,
    CODE_ALPHABET,
    CODE_LENGTH,
    LINE_LENGTH,
    NAME_LENGTH,
    SEAT_COLOURS,
    Emote,
)

counters = st.integers(0, 2**31 - 1)
seats = st.integers(0, 9_999)
browsers = st.from_regex(r"[0-9A-Za-z_-]{0,64}", fullmatch=True)
kinds = st.sampled_from(["person", "program"])
attempts = st.from_regex(r"(?:[0-9A-Za-z_-]{16,64})?", fullmatch=True)
codes = st.text(CODE_ALPHABET, min_size=CODE_LENGTH, max_size=CODE_LENGTH)


def lines(length: int) -> st.SearchStrategy[str]:
    """Return a strategy of lines that are clean already."""
    return st.text(max_size=2 * length).map(lambda text: clean_line(text, length)).filter(bool)


acts = st.from_regex(ACTION_PATTERN.removesuffix("$") + r"\Z", fullmatch=True)


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


settings = _settings()
GIVEN: dict[type[Any], dict[str, Any]] = {
    from_client.Create: {
        "name": lines(NAME_LENGTH),
        "settings": settings,
        "browser": browsers,
        "attempt": attempts,
        "kind": kinds,
    },
    from_client.Join: {
        "room": codes,
        "name": lines(NAME_LENGTH),
        "role": st.sampled_from(["player", "spectator"]),
        "browser": browsers,
        "attempt": attempts,
        "kind": kinds,
    },
    from_client.Resume: {
        "room": codes,
        "seat": seats,
        "token": st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=128),
        "have": counters,
    },
    from_client.Configure: {"settings": settings},
    from_client.Choose: {"game": st.integers(1, 12)},
    from_client.Ready: {"ready": st.booleans()},
    from_client.TakeColour: {"colour": st.sampled_from(SEAT_COLOURS)},
    from_client.End: {"grace_s": st.integers(5, 3_600)},
    from_client.Kick: {"seat": seats},
    from_client.AddStandIn: {"seat": seats},
    from_client.Admit: {"seat": seats},
    from_client.Say: {"text": lines(LINE_LENGTH)},
    from_client.Act: {"id": st.integers(1, 2**31 - 1), "at": counters, "action": acts},
    from_client.Watch: {"boards": st.lists(seats, max_size=8).map(tuple)},
    from_client.Ping: {"t": st.floats(0, 2**53)},
}


def _messages() -> st.SearchStrategy[Any]:
    kinds = get_args(from_client.ClientMessage)
    emotes = get_args(Emote)
    return st.one_of(
        *(st.builds(kind, **GIVEN.get(kind, {})) for kind in kinds if kind is not from_client.Say),
        st.builds(from_client.Say, **GIVEN[from_client.Say]),
        st.builds(from_client.Say, emote=st.sampled_from(emotes)),
    )


messages = _messages()


def written(message: Any) -> dict[str, Any]:
    """Return a message as a client writes it."""
    fields: dict[str, Any] = message.model_dump(mode="json", by_alias=True)
    return fields


# Messages that no client sends.

leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=30)
    | st.sampled_from([kind.__name__.lower() for kind in get_args(from_client.ClientMessage)])
)
json_values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=20,
)
FIELDS = sorted(
    {
        field.alias or name
        for kind in get_args(from_client.ClientMessage)
        for name, field in kind.model_fields.items()
    }
)


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
