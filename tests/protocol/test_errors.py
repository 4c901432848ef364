import re
from pathlib import Path

from protocol import errors
from protocol.errors import CloseCode, ErrorCode
from server.games.errors import RefusalCode


def test_every_refusal_of_the_rules_has_its_code_on_the_wire() -> None:
    assert {code.value for code in RefusalCode} <= {code.value for code in ErrorCode}


def test_every_code_says_in_a_line_what_it_means() -> None:
    text = Path(errors.__file__).read_text(encoding="utf-8")
    for code in (*ErrorCode, *CloseCode):
        assert re.search(rf"^    {code.name} = .+  # .*\w{{3}}", text, re.MULTILINE), code
