"""Recordings of the contract, and the changes that programs of an earlier one do not survive.

`protocol/compatibility.py` has the rules. `python -m tests.protocol.contracts 1.0.0` records the
present contract under the name of a release.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from protocol import vocabulary
from protocol.compatibility import FIXED, GROWING, MAY_FALL, MAY_RISE
from protocol.http import HTTP_MODELS

PROTOCOL = Path(vocabulary.__file__).parent
RELEASES = PROTOCOL / "releases"

LOWER = ("minimum", "minLength", "minItems")
UPPER = ("maximum", "maxLength", "maxItems")
COMPARED = {
    *("type", "enum", "const", "pattern", "default", *LOWER, *UPPER, "items", "properties"),
    *("required", "additionalProperties", "propertyNames", "patternProperties"),
}
"""The keywords of schemas that are compared; `anyOf` and `$ref` lead to them."""
IGNORED = {"title", "description", "examples"}

Schema = dict[str, Any]
Schemas = Mapping[str, Schema]


def contract() -> Schema:
    """Return the present contract in the form of a recording."""
    asyncapi = _generated("asyncapi")
    return {
        "subprotocol": vocabulary.SUBPROTOCOL,
        "limits": {name: getattr(vocabulary, name) for name in (*MAY_RISE, *MAY_FALL)},
        "fixed": {name: getattr(vocabulary, name) for name in FIXED},
        "replies": asyncapi["x-replies"],
        "close_codes": asyncapi["x-close-codes"],
        "piles": {
            game: [pile["id"] for pile in piles] for game, piles in asyncapi["x-piles"].items()
        },
        **{name: _messages(name) for name in ("from_client", "to_client", "http")},
    }


def _generated(name: str) -> Schema:
    path = PROTOCOL / "generated" / f"{name}.json"
    read: Schema = json.loads(path.read_text(encoding="utf-8"))
    return read


def _messages(name: str) -> Schema:
    """Return the definitions of one schema, and of its messages by their types."""
    schema = _generated(f"{name}.schema")
    documents = {model.__name__: f"#/$defs/{model.__name__}" for model in HTTP_MODELS}
    return {
        "messages": schema["discriminator"]["mapping"] if "discriminator" in schema else documents,
        "definitions": {part: _bare(about) for part, about in schema["$defs"].items()},
    }


def _bare(schema: Any, *, are_names: bool = False) -> Any:
    """Return a schema without its texts for people."""
    if isinstance(schema, list):
        return [_bare(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: part if key == "default" and not are_names else _bare(part, are_names=is_map(key))
        for key, part in schema.items()
        if are_names or key not in IGNORED
    }


def is_map(key: str) -> bool:
    """Return whether the keys below a keyword are names, not keywords."""
    return key in {"properties", "patternProperties"}


def breaking_changes(before: Schema, now: Schema) -> list[str]:
    """Return the changes that break programs of the contract `before` under the contract `now`."""
    return list(
        dict.fromkeys(
            [
                *_limit_changes(before["limits"], now["limits"]),
                *_lost(before["fixed"], now["fixed"], "the value"),
                *_lost(before["replies"], now["replies"], "the reply to"),
                *_lost(before["close_codes"], now["close_codes"], "close code"),
                *_lost(before["piles"], now["piles"], "piles of"),
                *_Comparison(before["from_client"], now["from_client"], is_sent=False).changes(),
                *_Comparison(before["to_client"], now["to_client"], is_sent=True).changes(),
                *_Comparison(before["http"], now["http"], is_sent=True).changes(),
            ]
        )
    )


def _limit_changes(before: Mapping[str, float], now: Mapping[str, float]) -> Iterator[str]:
    for name, limit in before.items():
        if name not in now or (now[name] > limit if name in MAY_FALL else now[name] < limit):
            yield f"{name} is tighter: {limit} before, {now.get(name)} now"


def _lost(before: Mapping[str, Any], now: Mapping[str, Any], what: str) -> Iterator[str]:
    for key, value in before.items():
        if now.get(key) != value:
            yield f"{what} {key}: {value} before, {now.get(key)} now"


class _Comparison:
    """The messages of one direction, before and now; `is_sent` for the server's messages.

    Readers of a message survive it if every value that is written now was possible before. For
    messages of clients the old program writes and the new server reads.
    """

    def __init__(self, before: Schema, now: Schema, *, is_sent: bool) -> None:
        self._before, self._now = before, now
        self._is_sent = is_sent
        self._compared: set[tuple[str, str]] = set()

    def changes(self) -> Iterator[str]:
        """Yield the breaking changes of all messages."""
        for tag, reference in self._before["messages"].items():
            if tag not in self._now["messages"]:
                yield f"the message {tag} is lost"
            else:
                now = {"$ref": self._now["messages"][tag]}
                yield from self._changes({"$ref": reference}, now, tag)

    def _changes(self, before: Schema, now: Schema, path: str) -> Iterator[str]:
        """Yield the changes between two schemas of one place."""
        forms_before = _forms(before, self._before["definitions"])
        forms_now = _forms(now, self._now["definitions"])
        narrow, wide = (forms_now, forms_before) if self._is_sent else (forms_before, forms_now)
        for form, (name_narrow, narrow_form) in sorted(narrow.items()):
            # Every whole number is a number.
            found = wide.get(form) or (wide.get("number") if form == "integer" else None)
            if found is None:
                change = "is now sometimes" if self._is_sent else "may no longer be"
                yield f"{path} {change} {form}"
                continue
            name_wide, wide_form = found
            pair = (name_narrow, narrow_form), (name_wide, wide_form)
            (name, form_now), (name_before, form_before) = pair if self._is_sent else pair[::-1]
            if not name or (name_before, name) not in self._compared:
                self._compared.add((name_before, name))
                yield from self._changes_of_form(form_before, form_now, name or path)

    def _changes_of_form(self, before: Schema, now: Schema, path: str) -> Iterator[str]:
        """Yield the changes between two schemas of the same JSON type."""
        unknown = (before.keys() | now.keys()) - COMPARED - IGNORED
        assert not unknown, f"{path}: these keywords are not compared: {unknown}"
        narrow, wide = (now, before) if self._is_sent else (before, now)
        if not self._has_words(narrow, wide, path):
            words = f"{_other(before, now)} before, {_other(now, before)} now"
            yield f"{path} has other words: {words}"
        if narrow.get("pattern") != wide.get("pattern") and "pattern" in wide:
            yield f"{path} has another pattern"
        inf = float("inf")
        if any(narrow.get(key, -inf) < wide.get(key, -inf) for key in LOWER) or any(
            narrow.get(key, inf) > wide.get(key, inf) for key in UPPER
        ):
            yield f"{path} has another range"
        for key in ("items", "propertyNames", "additionalProperties"):
            if isinstance(before.get(key), dict) and isinstance(now.get(key), dict):
                yield from self._changes(before[key], now[key], path)
        yield from self._changes_of_fields(before, now, path)

    def _has_words(self, narrow: Schema, wide: Schema, path: str) -> bool:
        """Return whether the wide schema has all words of the narrow one.

        A list of words that may grow has all its words of before.
        """
        if self._is_sent and any(fnmatch(path, place) for place in GROWING):
            narrow, wide = wide, narrow
        allowed = _words(wide)
        return allowed is None or set(_words(narrow) or [None]) <= set(allowed)

    def _changes_of_fields(self, before: Schema, now: Schema, path: str) -> Iterator[str]:
        """Yield the changes of an object's fields."""
        for key in ("properties", "patternProperties"):
            known, fields = before.get(key, {}), now.get(key, {})
            for name, schema in known.items():
                place = f"{path}.{name}"
                if name not in fields:
                    yield f"{place} is lost"
                    continue
                if not self._is_sent and schema.get("default") != fields[name].get("default"):
                    yield f"{place} means something else if it is left out"
                yield from self._changes(schema, fields[name], place)
        required, required_now = set(before.get("required", ())), set(now.get("required", ()))
        if self._is_sent:
            for name in sorted(required - required_now):
                yield f"{path}.{name} may now be left out"
        else:
            for name in sorted(required_now - required):
                yield f"{path}.{name} is now required"


def _name(reference: str) -> str:
    return reference.rpartition("/")[2]


def _forms(schema: Schema, definitions: Schemas, name: str = "") -> dict[str, tuple[str, Schema]]:
    """Return the schemas of a place by their JSON types, each with the name of its definition.

    A place that can be null has two.
    """
    if "$ref" in schema:
        name = _name(schema["$ref"])
        return _forms(definitions[name], definitions, name)
    if "anyOf" in schema:
        forms: dict[str, tuple[str, Schema]] = {}
        for part in schema["anyOf"]:
            for form, each in _forms(part, definitions, name).items():
                assert form not in forms, f"two forms of {form} are not compared: {schema}"
                forms[form] = each
        return forms
    has_words = "enum" in schema or "const" in schema  # such as names of properties
    return {schema.get("type", "string" if has_words else "anything"): (name, schema)}


def _words(schema: Schema) -> list[Any] | None:
    """Return the only values that a schema allows, or None."""
    return [schema["const"]] if "const" in schema else schema.get("enum")


def _other(schema: Schema, than: Schema) -> list[Any] | str:
    """Return the words of a schema that another one does not have."""
    words = _words(schema)
    return "any" if words is None else [each for each in words if each not in (_words(than) or ())]


def text_of(recording: Any, depth: int = 3) -> str:
    """Return a recording as JSON with a line for each definition."""
    if not depth or not isinstance(recording, dict):
        return json.dumps(recording)
    lines = (f"{json.dumps(key)}: {text_of(part, depth - 1)}" for key, part in recording.items())
    return "{\n" + ",\n".join(lines) + "\n}"


def record(release: str, folder: Path = RELEASES) -> None:
    """Write the present contract under the name of a release."""
    path = folder / f"{release}.json"
    path.write_text(text_of(contract()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record(sys.argv[1])
