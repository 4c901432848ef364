"""The options of a command as people write and read them: its help, and what is wrong with one."""

import difflib
import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from inspect import cleandoc
from typing import Any, NoReturn, TypeVar

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import CliApp, CliSettingsSource, SettingsError

from server import __version__
from server.config import VARIABLES, CommandOptions, Shown
from server.operators.output import printable

WIDEST = 100  # columns of the help, at most
LONGEST = 80  # characters of a bad value that are shown, at most

Options = TypeVar("Options", bound=CommandOptions)


class BadOptions(Exception):  # noqa: N818  # a state of the options
    """The options cannot be used; `str()` is one sentence for the operator."""


def parse(
    command: str,
    kind: type[Options],
    given: Sequence[str],
    others: Mapping[str, type[CommandOptions]] | None = None,
) -> Options:
    """Return the options of a command; its help has a summary of each of the `others`.

    `--help` and `--version` print their text and end the process.

    Raises:
        BadOptions: an option is unknown, lacks its value, or has a bad one.
    """
    parser = _Parser(command, kind, others or {})
    source: CliSettingsSource[Any] = CliSettingsSource(
        kind, root_parser=parser, add_argument_method=_Parser.add_shown
    )
    try:
        return CliApp.run(kind, cli_args=list(given), cli_settings_source=source)
    except ValidationError as error:
        raise BadOptions(_sentence(error.errors()[0])) from error
    except SettingsError as error:
        raise BadOptions(str(error)) from error


class _Parser(ArgumentParser):
    """A parser that groups options, and shows the default of each in its own words."""

    def __init__(
        self,
        command: str,
        kind: type[CommandOptions],
        others: Mapping[str, type[CommandOptions]],
    ) -> None:
        named = [name for name, info in kind.model_fields.items() if _shown(info)]
        positional = [name.upper() for name in kind.model_fields if name not in named]
        common = "redis_url" if "redis_url" in named else named[0]
        text = [cleandoc(kind.__doc__ or "")]
        if others:
            text += ["", "Without a command it serves. The others, each with a --help of its own:"]
            text += [
                f"  {name:{max(map(len, others))}}  {_summary(others[name])}" for name in others
            ]
        super().__init__(
            prog=command,
            usage=" ".join([command, *(["[COMMAND]"] if others else positional), "[OPTION ...]"]),
            description="\n".join(text),
            epilog=f"Each option can be a variable too: --{common.replace('_', '-')} is "
            f"{VARIABLES}{common.upper()}.",
            formatter_class=_formatter,
            allow_abbrev=False,
        )
        self._fields = kind.model_fields
        self._in_groups: dict[str, Any] = {}
        self.add_argument("--version", action="version", version=f"spider-race {__version__}")

    def add_shown(self, *names: str, **keywords: Any) -> None:
        """Add an option with the placeholder, the group and the help of its field."""
        name = str(keywords.get("dest", names[0]))
        names = tuple(sorted(names, key=len))  # a shortcut before the name of the field
        info = self._fields[name]
        keywords["help"] = _help(info).replace("%", "%%")
        shown = _shown(info)
        if shown is None:
            self.add_argument(*names, **keywords)
            return
        if shown.value is not None:
            keywords["metavar"] = shown.value
        if "action" not in keywords:
            keywords.pop("nargs", None)
        if shown.group not in self._in_groups:
            self._in_groups[shown.group] = self.add_argument_group(shown.group)
        choices = shown.value is None and str(keywords.get("metavar", "")).strip("{}")
        if choices:
            keywords["metavar"] = choices.replace(",", "|")
        self._in_groups[shown.group].add_argument(*names, **keywords)

    def error(self, message: str) -> NoReturn:
        """Raise `BadOptions` in place of printing all options."""
        unknown = message.removeprefix("unrecognized arguments: ")
        if unknown == message:
            raise BadOptions(f"{message[0].upper()}{message[1:]}; see {self.prog} --help.")
        first = unknown.split()[0].partition("=")[0]
        near = difflib.get_close_matches(first, self._option_string_actions, 1)
        advice = f"did you mean {near[0]}?" if near else f"see {self.prog} --help."
        what = "option" if first.startswith("-") else "argument"
        raise BadOptions(f"There is no {what} {plain(first)}; {advice}")


def no_such_command(name: str, commands: Sequence[str]) -> str:
    """Return a sentence about a command that does not exist."""
    near = difflib.get_close_matches(name, commands, 1)
    advice = f"did you mean {near[0]}?" if near else f"the commands are {', '.join(commands)}."
    return f"There is no command {plain(name)}; {advice}"


def plain(value: object) -> str:
    """Return a value as one short line of printable characters, in quotes if it has none."""
    text = printable(value)
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    return text if text.strip() else f'"{text}"'


def _summary(kind: type[CommandOptions]) -> str:
    """Return the first sentence about a command."""
    return cleandoc(kind.__doc__ or "").partition("\n\n")[0].replace("\n", " ").rstrip(".")


def _formatter(prog: str) -> RawDescriptionHelpFormatter:
    columns = os.get_terminal_size().columns if sys.stdout.isatty() else WIDEST
    return RawDescriptionHelpFormatter(
        prog, max_help_position=32, width=max(40, min(columns, WIDEST) - 2)
    )


def _shown(info: FieldInfo) -> Shown | None:
    return next((each for each in info.metadata if isinstance(each, Shown)), None)


def _help(info: FieldInfo) -> str:
    about = info.description or ""
    default: object = None if info.is_required() else info.get_default(call_default_factory=True)
    unset = default is None or default is False or default in ("", ())
    return about if unset else f"{about} (default: {default})"


def _sentence(error: ErrorDetails) -> str:
    """Return a sentence that names the option, its value, and what is wrong with it."""
    option = str(error["loc"][0]).replace("_", "-") if error["loc"] else "options"
    value = plain(error["input"])
    reason = error["msg"].removeprefix("Value error, ")
    limits = error.get("ctx", {})
    match error["type"]:
        case "int_parsing" | "int_type" | "int_from_float":
            reason = f"{value} is no whole number"
        case "greater_than_equal":
            reason = f"{value} is less than {limits['ge']}"
        case "less_than_equal":
            reason = f"{value} is more than {limits['le']}"
        case "literal_error":
            reason = f"{value} is not {limits['expected'].replace(chr(39), '')}"
        case "ip_v4_network" | "ip_v6_network":
            reason = f"{value} is no network such as 172.31.77.0/24"
        case "bool_parsing":
            reason = f"{value} is neither true nor false"
        case "value_error":
            reason = printable(reason)
        case "missing":
            return f"--{option} is missing."
        case _:
            reason = f"{value}: {reason}"
    return f"Bad value for --{option}: {reason}."
