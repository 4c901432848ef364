"""What a command prints, and its exit code."""

from typing import NamedTuple


class Answer(NamedTuple):
    """The text of a command that has ended, and its exit code."""

    text: str
    code: int = 0
