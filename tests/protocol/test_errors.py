import re
from pathlib import Path

from protocol import vocabulary
from protocol.vocabulary import CloseCode, ErrorCode


def test_every_code_has_a_comment_with_its_meaning() -> None:
    text = Path(vocabulary.__file__).read_text(encoding="utf-8")
    for code in (*ErrorCode, *CloseCode):
        assert re.search(rf"^    {code.name} = .+  # .*\w{{3}}", text, re.MULTILINE), code
