"""The comments that cite RULES.md."""

import re
from pathlib import Path

import pytest

RULES = Path("server/games/RULES.md")
CITATION = re.compile(r"\bRULES(?: ([1-9])|, Little Spider ([1-9])|, ([A-Z`][^:.;()\n]*))")


@pytest.mark.interpreted  # it reads the sources
def test_every_citation_leads_to_a_rule() -> None:
    page = RULES.read_text("utf-8")
    spider = page.partition("## Moves of Spider")[2].partition("## Little Spider")[0]
    little = page.partition("## Little Spider")[2].partition("## Scores")[0]
    named = re.findall(r"^## (.*?)(?: \(.*)?$|\*\*(.+?)\.?\*\*", page, re.MULTILINE)
    names = {heading or bold for heading, bold in named}
    cited = 0
    for source in [*Path("server").rglob("*.py"), *Path("tests").rglob("*.py")]:
        for number, of_little, name in CITATION.findall(source.read_text("utf-8")):
            cited += 1
            found = (
                f"\n{number}. " in spider
                if number
                else f"\n{of_little}. " in little
                if of_little
                else name in names
            )
            assert found, f"{source}: {number or of_little or name}"
    assert cited > 20
