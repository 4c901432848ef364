"""The help of the commands, and their messages about bad options."""

import pytest

from server import __version__
from server.__main__ import COMMANDS, main
from server.command_line import LONGEST, plain
from server.config import CommandOptions, Config

KINDS: dict[str, type[CommandOptions]] = {
    "serve": Config,
    **{name: command.options for name, command in COMMANDS.items()},
}


def help_of(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", KINDS)
def test_help_shows_no_type_and_explains_every_option(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = help_of(name, capsys)
    for word in ("tuple", "IPv4", " str\n", " int ", "Path", "null", "factory", "positional: "):
        assert word not in text
    flat = " ".join(text.split())
    for info in KINDS[name].model_fields.values():
        assert info.description
        assert info.description in flat.replace("%%", "%")
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("given", [["--version"], ["backup", "--version"]])
def test_the_version_is_printed(given: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(given)
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"spider-race {__version__}\n"


def test_a_bad_value_is_shown_short_and_without_control_characters() -> None:
    assert plain("a\nb\x07") == "a\\nb\\x07"
    assert plain(" ") == '" "'
    assert len(plain("x" * 1_000)) == LONGEST
