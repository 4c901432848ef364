"""The generated files and parts of pages; comparing them shows any change of a generator."""

from pathlib import Path

import pytest

from protocol import generate
from protocol.documents import with_made_parts


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


def test_only_the_marked_parts_of_a_page_are_made() -> None:
    page = "Before.\n<!-- made: close_codes -->\nold\n<!-- end -->\nBehind.\n"
    before, _, rest = with_made_parts(page).partition("<!-- made: close_codes -->\n")
    made, _, behind = rest.partition("<!-- end -->")
    assert (before, behind) == ("Before.\n", "\nBehind.\n")
    assert "old" not in made
    assert "| 4501 | the server does not support this protocol version | stops |" in made
