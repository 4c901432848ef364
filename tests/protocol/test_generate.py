import json
from pathlib import Path
from typing import get_args

import pytest

from protocol import generate
from protocol.from_client import ClientMessage
from protocol.settings import HOUSE_RULES, Settings
from protocol.to_client import ServerMessage
from protocol.vocabulary import GameId


def test_generated_files_are_up_to_date() -> None:
    assert generate.main(["--check"]) == 0


def test_an_outdated_file_is_reported_and_rewritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generate.main(["--check"], tmp_path) == 1
    output = capsys.readouterr().out
    assert "messages.d.ts is out of date" in output
    assert "protocol.js is out of date" in output
    assert generate.main([], tmp_path) == 0
    assert generate.main(["--check"], tmp_path) == 0


def test_an_outdated_table_of_house_rules_is_reported_and_rewritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    (tmp_path / "README.md").write_text(readme.replace("| hints | none; ", "| hints | "), "utf-8")
    assert generate.main(["--check"], tmp_path) == 1
    assert "README.md is out of date" in capsys.readouterr().out
    assert generate.main([], tmp_path) == 0
    assert (tmp_path / "README.md").read_text("utf-8") == readme


def test_each_setting_is_described_in_one_row_of_the_readme() -> None:
    described = [name for row in HOUSE_RULES for name in row.settings]
    assert sorted(described) == sorted(set(Settings.model_fields) - {"game", "score"})


def test_asyncapi_lists_every_message_and_its_references_resolve() -> None:
    document = json.loads(
        (generate.ROOT / "protocol" / "generated" / "asyncapi.json").read_text(encoding="utf-8")
    )
    assert document["asyncapi"] == "3.0.0"
    assert document["components"]["messages"].keys() == {
        *(f"fromClient.{model.__name__}" for model in get_args(ClientMessage)),
        *(f"toClient.{model.__name__}" for model in get_args(ServerMessage)),
    }
    assert document["x-piles"].keys() == set(get_args(GameId))
    assert document["x-piles"]["little-spider"][-1]["id"] == "stock"

    def references(part: object) -> list[str]:
        if isinstance(part, dict):
            own = [part["$ref"]] if "$ref" in part else []
            return own + [ref for value in part.values() for ref in references(value)]
        if isinstance(part, list):
            return [ref for value in part for ref in references(value)]
        return []

    for reference in references(document):
        place = document
        for step in reference.removeprefix("#/").split("/"):
            assert step in place, reference
            place = place[step]
