"""The example messages, which the client's tests read too."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from protocol import codec
from protocol.documents import MORE

FOLDER = Path(__file__).parents[2] / "protocol"


def examples(name: str) -> list[Any]:
    found = json.loads((FOLDER / "examples" / f"{name}.json").read_text(encoding="utf-8"))
    return [pytest.param(example, id=example["about"]) for example in found]


def schema(name: str) -> Draft202012Validator:
    text = (FOLDER / "generated" / f"{name}.schema.json").read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


@pytest.mark.parametrize("example", examples("from_client"))
def test_the_example_messages_of_clients_parse(example: dict[str, Any]) -> None:
    message = codec.parse(json.dumps(example["message"]))
    assert not isinstance(message, codec.BadMessage)
    assert message.type == example["message"]["type"]
    schema("from_client").validate(example["message"])


@pytest.mark.parametrize("example", examples("bad"))
def test_an_invalid_message_is_refused_with_its_field(example: dict[str, Any]) -> None:
    assert codec.parse(example["text"]) == codec.BadMessage(example["where"])


@pytest.mark.parametrize("example", examples("to_client"))
def test_messages_of_the_server_serialize_as_in_the_examples(example: dict[str, Any]) -> None:
    shown = example["message"]
    message = codec.TO_CLIENT.validate_json(json.dumps(shown))
    assert json.loads(codec.dump(message)) == shown
    schema("to_client").validate(shown)


@pytest.mark.interpreted  # it reads a document beside the sources
def test_the_examples_of_the_page_are_valid_unless_they_are_marked_as_cut() -> None:
    page = (FOLDER.parent / "docs" / "protocol.md").read_text(encoding="utf-8")
    shown = set()
    for name in ("from_client", "to_client"):
        part = page.partition(f"<!-- made: {name} -->")[2].partition("<!-- end -->")[0]
        for text in re.findall(r"```json\n(.*?)```", part, re.DOTALL):
            if MORE not in text:
                schema(name).validate(message := json.loads(text))
                shown.add(message["type"])
    assert shown > {"join", "act", "room", "acted", "refused", "standings"}


@pytest.mark.parametrize(
    ("name", "union"), [("from_client", codec.FROM_CLIENT), ("to_client", codec.TO_CLIENT)]
)
def test_every_message_has_an_example(name: str, union: Any) -> None:
    """A message of nothing but its type is its own example."""
    schema = union.json_schema()
    tags = {
        tag: schema["$defs"][at.rpartition("/")[2]]["properties"]
        for tag, at in schema["discriminator"]["mapping"].items()
    }
    shown = {example.values[0]["message"]["type"] for example in examples(name)}
    assert shown <= set(tags)
    assert {tag for tag, fields in tags.items() if set(fields) > {"type"}} <= shown
