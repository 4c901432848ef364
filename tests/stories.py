"""Tests written as text: a title in one line, and the events in indented lines."""

import re
from collections.abc import Callable

import pytest


def stories(text: str) -> pytest.MarkDecorator:
    """Return a mark that runs a test for each story of a text."""
    found = re.findall(r"^(\S.*)\n((?:  .*\n)+)", text, re.MULTILINE)
    return pytest.mark.parametrize("story", [pytest.param(s, id=title) for title, s in found])


def told(play: Callable[[str], object], text: str) -> Callable[[str], None]:
    """Return a test that plays each story of a text."""

    @stories(text)
    def tell(story: str) -> None:
        play(story)

    return tell
