"""The parts of `docs/protocol.md` that are made from the contract, so that they cannot be wrong.

They stand between `<!-- made: NAME -->` and `<!-- end -->`; the rest is written by hand.
"""

import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

from protocol import vocabulary
from protocol.compatibility import GROWING, MAY_FALL, MAY_RISE
from protocol.from_client import ClientMessage
from protocol.javascript import MEANINGS
from protocol.to_client import ServerMessage
from protocol.vocabulary import FIRST_FINAL_CODE, CloseCode, ErrorCode

PART = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
# A member of an enumeration, or a heading above a group of members.
MEMBER = re.compile(r"^    (?:([A-Z_]+) = |# (.+))", re.MULTILINE)
EXAMPLES = Path(__file__).parent / "examples"
WIDTH = 96
SHORT = 24  # the longest list or object, in characters, that shares a line with other fields
MORE = "…"  # stands for the parts of an example that are left out
WHOLE = {"room", "standings"}  # messages shown in full
# How many entries of these fields an example shows; other lists show two.
LONGEST = {
    **dict.fromkeys(("settings", "room"), 3),
    **dict.fromkeys(("deck", "piles", "match"), 4),
    **dict.fromkeys(("seats", "ranking"), 1),
    "ranking[]": 5,  # the fields of a row
}
CLIENT = Path(__file__).parents[1] / "docs" / "client.mjs"


def with_made_parts(page: str) -> str:
    """Return the page with all its generated parts up to date."""
    return PART.sub(lambda part: f"{part[1]}\n{PARTS[part[2]]()}\n{part[3]}", page)


def _messages(direction: str, models: Iterable[type[Any]]) -> str:
    """Return the description of each message and its first example."""
    text = (EXAMPLES / f"{direction}.json").read_text(encoding="utf-8")
    examples = [each["message"] for each in json.loads(text)]
    parts = []
    for model in models:
        name = model.model_fields["type"].default
        example = next((each for each in examples if each["type"] == name), {"type": name})
        shown = example if name in WHOLE else shortened(example)
        parts.append(f"**`{name}`** {inspect.getdoc(model)}\n\n```json\n{_example(shown)}\n```")
    return "\n\n".join(parts) + "\n"


def reply_of(model: type[Any]) -> str:
    """Return the type of the reply to a client's message, which its docstring names."""
    found = re.search(r"Reply: `(\w+)`", inspect.getdoc(model) or "")
    assert found, f"the description of {model.__name__} names no reply"
    return found[1]


def shortened(value: Any, field: str = "") -> Any:
    """Return an example with its long parts cut; `field` names the value in `LONGEST`."""
    if isinstance(value, dict):
        most = LONGEST.get(field, len(value))
        shown = {name: shortened(part, name) for name, part in list(value.items())[:most]}
        return shown if len(shown) == len(value) else {**shown, MORE: MORE}
    if isinstance(value, list):
        most = LONGEST.get(field, 2)
        items = [shortened(part, f"{field}[]") for part in value[:most]]
        return items + [MORE] * (len(value) > most)
    return value


def _example(value: Any, indent: int = 0) -> str:
    """Return an example as JSON; if it is long, break it into lines of several short fields."""
    flat = re.sub(f'("{MORE}": )?"{MORE}"', MORE, json.dumps(value, ensure_ascii=False))
    if indent + len(flat) <= WIDTH or not isinstance(value, dict | list):
        return flat
    space = " " * (indent + 2)
    named = [("", part) for part in value] if isinstance(value, list) else value.items()
    lines: list[str] = []
    shares_line = False
    for name, part in named:
        label = f'"{name}": ' if name else ""
        item = MORE if name == MORE else label + _example(part, indent + 2)
        is_short = not isinstance(part, dict | list) or len(item) <= SHORT
        if is_short and shares_line and len(space + lines[-1] + item) + 3 <= WIDTH:
            lines[-1] += f", {item}"
        else:
            lines.append(item)
        shares_line = is_short
    opened, closed = "[]" if isinstance(value, list) else "{}"
    return f"{opened}\n" + ",\n".join(space + line for line in lines) + f"\n{' ' * indent}{closed}"


def _refusals() -> str:
    """Return a table of codes below each heading in the source of `ErrorCode`."""
    lines: list[str] = []
    for name, heading in MEMBER.findall(inspect.getsource(ErrorCode)):
        if heading:
            lines.append(f"\n**{heading}**\n\n| code | meaning |\n|---|---|")
        else:
            lines.append(f"| `{ErrorCode[name]}` | {ErrorCode[name].meaning} |")
    return "\n".join(lines).strip() + "\n"


def _table(head: str, rows: Iterable[Iterable[object]]) -> str:
    """Return a Markdown table; `head` has the names of its columns, separated by bars."""
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in ([head], *rows)]
    return "\n".join([lines[0], "|---" * (head.count("|") + 1) + "|", *lines[1:], ""])


def _close_codes() -> str:
    then = {True: "stops", False: "connects again and resumes"}
    rows = ((code, code.reason, then[code >= FIRST_FINAL_CODE]) for code in CloseCode)
    return _table("code | the reason | the client", rows)


def _limits() -> str:
    names = (*MAY_RISE, *MAY_FALL)
    rows = ((f"`{name}`", f"{getattr(vocabulary, name):,}", MEANINGS[name]) for name in names)
    return _table("limit | value | meaning", rows)


PARTS: Mapping[str, Callable[[], str]] = {
    "from_client": lambda: _messages("from_client", get_args(ClientMessage)),
    "to_client": lambda: _messages("to_client", get_args(ServerMessage)),
    "client": lambda: f"```js\n{CLIENT.read_text(encoding='utf-8')}```\n",
    "refusals": _refusals,
    "close_codes": _close_codes,
    "limits": _limits,
    "growing": lambda: _table(
        "list | what a client does", ((f"`{each}`", then) for each, then in GROWING.items())
    ),
}
