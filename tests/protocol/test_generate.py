import json
from pathlib import Path
from typing import get_args

import pytest

from protocol import generate
from protocol.from_client import ClientMessage
from protocol.games import GameId
from protocol.to_client import ServerMessage


@pytest.mark.interpreted  # it reads documents beside the sources
def test_generated_files_are_up_to_date() -> None:
    assert generate.main(["--check"]) == 0


@pytest.mark.interpreted  # it reads documents beside the sources
def test_an_outdated_file_is_reported_and_rewritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generate.main(["--check"], tmp_path) == 1
    output = capsys.readouterr().out
    assert "messages.d.ts is out of date" in output
    assert "protocol.js is out of date" in output
    assert generate.main([], tmp_path) == 0
    assert generate.main(["--check"], tmp_path) == 0


def test_asyncapi_lists_every_message_and_the_piles_of_every_game() -> None:
    document = json.loads(
        (generate.ROOT / "protocol" / "generated" / "asyncapi.json").read_text(encoding="utf-8")
    )
    assert document["components"]["messages"].keys() == {
        *(f"fromClient.{model.__name__}" for model in get_args(ClientMessage)),
        *(f"toClient.{model.__name__}" for model in get_args(ServerMessage)),
    }
    assert document["x-piles"].keys() == set(get_args(GameId))
    assert document["x-piles"]["little-spider"][-1]["id"] == "stock"
