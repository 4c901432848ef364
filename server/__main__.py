"""The command `spider-race`: its options, its help, and its output."""

import asyncio
import difflib
import os
import shutil
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from functools import cache, partial
from inspect import cleandoc
from io import TextIOWrapper
from itertools import takewhile
from typing import Any, NoReturn, get_type_hints

import structlog
from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails
from pydantic_settings import CliApp, CliSettingsSource, SettingsError

from server import version
from server.app import TUNING, Tuning, addresses, serve_until_stopped
from server.config import (
    VARIABLE_PREFIX,
    CommandOptions,
    Config,
    Shown,
    json_line,
    set_up_logs,
    unknown_variables,
)
from server.operators import Failed, Output, one_line, printable
from server.operators.backup import back_up, restore
from server.operators.doctor import examine
from server.operators.moderation import ban, close_room, hide_name, lift_ban, list_bans, show_name
from server.operators.rooms import count_rooms, list_rooms
from server.operators.verify import verify
from server.store import StoreTooOld, StoreUnusable
from server.supervisor import run, supervise
from server.web.addresses import EVERYWHERE, container_hides_network

PROGRAM = "spider-race"
BAD_START, INTERRUPTED = 2, 130  # exit codes
MAX_COLUMNS = 100  # of the help
LONGEST_VALUE = 80  # show at most this many characters of a bad value

log = structlog.get_logger()

COMMANDS: Mapping[str, Callable[[Any], Coroutine[Any, Any, Output]]] = {
    "backup": back_up,
    "restore": restore,
    "doctor": examine,
    "stats": count_rooms,
    "rooms": list_rooms,
    "rooms close": close_room,
    "bans": list_bans,
    "bans add": ban,
    "bans remove": lift_ban,
    "day hide": hide_name,
    "day show": show_name,
    "verify": verify,
}
"""All commands but `serve`. The type of a function's `options` declares the command's options."""

REASONS = {
    "int_parsing": "{value} is not a whole number",
    "greater_than_equal": "{value} is less than {ge}",
    "less_than_equal": "{value} is more than {le}",
    "literal_error": "{value} is not {expected}",
    "bool_parsing": "{value} is neither true nor false",
    "value_error": "{error}",
}  # why a value is bad, by pydantic's error type


def main(arguments: Sequence[str] | None = None, tuning: Tuning = TUNING) -> int:
    """Run the command `spider-race`, by default with `sys.argv`; return its exit code."""
    if isinstance(sys.stdout, TextIOWrapper):  # its encoding may lack ✓, or letters of a name
        sys.stdout.reconfigure(errors="backslashreplace")
    name, given = _command(sys.argv[1:] if arguments is None else arguments)
    options: CommandOptions | None = None
    try:
        options = _options(name, given)
        set_up_logs(options)
        if name == "serve":
            log.info("starting", version=version())  # the first line of every log
        if name != "doctor":  # which lists unknown variables itself
            _report_unknown_variables(as_log=name == "serve")
        if isinstance(options, Config) and name == "serve":
            _serve(options, tuning)
            return 0
        output = asyncio.run(COMMANDS[name](options))
        (_note if output.is_note else _print)(output.text)
    except KeyboardInterrupt:
        return _fail("Interrupted.", INTERRUPTED, options)
    except (StoreTooOld, StoreUnusable) as error:
        return _fail(str(error), options=options)
    except Failed as error:
        return _fail(str(error), error.code, options)
    except OSError as error:
        verb = "listen on" if name == "serve" else "use"
        failed = f"{verb} {error.filename}" if error.filename else "start"
        return _fail(f"Cannot {failed}: {error.strerror or error}.", options=options)
    return output.code


def _command(given: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Split `given` into a command's name, of one or two words, and its arguments."""
    words = [*takewhile(lambda word: not word.startswith("-"), given[:2])]
    if words and not any(name.startswith(f"{words[0]} ") for name in COMMANDS):
        words = words[:1]  # no command of two words starts with this one
    return " ".join(words) or "serve", given[len(words) :]


def options_class(name: str) -> type[CommandOptions]:
    """Return the class of a command's options."""
    kind = Config if name == "serve" else get_type_hints(COMMANDS[name])["options"]
    assert issubclass(kind, CommandOptions), name
    return kind


def _report_unknown_variables(*, as_log: bool) -> None:
    """Warn about unknown `SPIDER_RACE_*` variables, in the log or on standard error."""
    for name, near in unknown_variables().items():
        if as_log:
            event = "there is no such variable; it is ignored"
            log.warning(event, name=plain(name), did_you_mean=near)
        else:
            advice = f"; did you mean {near}?" if near else "."
            _note(f"There is no variable {plain(name)}, so it is ignored{advice}")


def _serve(config: Config, tuning: Tuning) -> None:
    """Run the server until it ends; if there are several workers, each in a process of its own."""
    if any(network.prefixlen == 0 for network in config.trusted_proxies):
        log.warning("everybody is trusted as a proxy: clients can lie about their addresses")
    if config.workers > 1:
        run(supervise(config, partial(_announce, config), tuning=tuning))
    else:
        run(serve_until_stopped(config, lambda it: _announce(config, it.port), tuning=tuning))


def _announce(config: Config, port: int) -> None:
    """Print the addresses of the server, which can be reached now."""
    here, *elsewhere = addresses(config, port)
    where = " on the same network" if config.public_url is None else ""
    lines = [f"For friends{where}: {address}" for address in elsewhere]
    if config.host in EVERYWHERE and config.public_url is None and container_hides_network():
        lines.append(
            "In a container: friends use the address of the machine around it, and the port that "
            f"it publishes for {port}. --public-url puts that address into links."
        )
    if config.log_format == "json":
        print(json_line("ready", "info", address=here, notes=lines), flush=True)
    else:
        print(f"Spider Race is ready: {here}", *lines, sep="\n", flush=True)


def _fail(sentence: str, code: int = BAD_START, options: CommandOptions | None = None) -> int:
    """Print why the command has failed, and return its exit code `code`.

    `options` say whether to print text or a line of the JSON log; None if they are unreadable.
    """
    if options is not None and options.log_format == "json":
        print(json_line("failed", "critical", why=sentence, exit_code=code), file=sys.stderr)
    else:
        _note(sentence)
    return code


def _print(text: str) -> None:
    """Print the output; raise Failed if it cannot be written, so that the exit code is not 0."""
    try:
        print(text, flush=True)
    except OSError as error:
        # Python flushes again at exit, which must not fail too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # a reader such as `head` has read enough
            raise Failed(f"Cannot write to standard output: {error.strerror}.") from None


def _note(sentence: str) -> None:
    print(f"{PROGRAM}: {sentence}", file=sys.stderr)


class _Parser(ArgumentParser):
    """A parser whose `--help` groups the options and shows their defaults."""

    def __init__(self, command: str, kind: type[CommandOptions]) -> None:
        self._fields = kind.model_fields
        program = _program(command)
        # Fields that `--help` shows in no group are positional arguments.
        arguments = [kind.option(name) for name, info in self._fields.items() if not _shown(info)]
        example = "redis_url" if "redis_url" in self._fields else "log_format"
        text = [cleandoc(kind.__doc__ or "")]
        width = min(shutil.get_terminal_size((MAX_COLUMNS, 0)).columns, MAX_COLUMNS) - 2
        if kind is Config:
            arguments = ["[COMMAND]"]
            text += [
                "",
                "Without a command, it serves. The other commands, each with a --help of its own:",
            ]
            for name in COMMANDS:
                about = cleandoc(options_class(name).__doc__ or "").partition("\n\n")[0]
                text.append(f"  {name:11}  {' '.join(about.split()).rstrip('.')}")
        super().__init__(
            prog=program,
            usage=" ".join([program, *arguments, "[OPTION ...]"]),
            description="\n".join(text),
            epilog=f"Each option can be a variable too: --{example.replace('_', '-')} is "
            f"{VARIABLE_PREFIX}{example.upper()}.",
            formatter_class=partial(
                RawDescriptionHelpFormatter, max_help_position=32, width=width
            ),
            allow_abbrev=False,
        )
        self._group = cache(self.add_argument_group)
        self.add_argument("--version", action="version", version=f"spider-race {version()}")

    def add_shown(self, *names: str, **keywords: Any) -> None:
        """Add an option as `add_argument` does, with its field's placeholder, group and help."""
        field = str(keywords.get("dest", names[0]))
        info = next(info for name, info in self._fields.items() if field in {name, info.alias})
        default = None if info.is_required() else info.get_default(call_default_factory=True)
        is_unset = default is None or default is False or default in ("", ())
        about = f"{info.description}{'' if is_unset else f' (default: {default})'}"
        keywords["help"] = about.replace("%", "%%")
        shown = _shown(info)
        if shown is not None and shown.value is not None:
            keywords["metavar"] = shown.value
        group = self if shown is None else self._group(shown.group)
        group.add_argument(*names, **keywords)

    def error(self, message: str) -> NoReturn:
        """Raise `Failed` with one sentence, where argparse would print all options."""
        see = f"see {self.prog} --help."
        unknown = message.removeprefix("unrecognized arguments: ")
        if unknown == message:  # another mistake, such as a missing argument
            raise Failed(f"{message[0].upper()}{message[1:]}; {see}")
        first = unknown.split()[0].partition("=")[0]
        what = "option" if first.startswith("-") else "argument"
        advice = _advice(first, self._option_string_actions, see)
        if self.prog == PROGRAM and any(name.split()[0] == first for name in COMMANDS):
            advice = f"a command comes first: {PROGRAM} {first}, then its options."
        raise Failed(f"There is no {what} {plain(first)}; {advice}")


def _options(name: str, given: Sequence[str]) -> CommandOptions:
    """Parse the arguments `given` to the command `name`, or raise Failed.

    `--help` and `--version` print their text and end the process.
    """
    if name not in {"serve", *COMMANDS}:
        subcommands = [each for each in COMMANDS if each.startswith(f"{name} ")]
        known = subcommands or COMMANDS
        listed = f"the commands are {', '.join(known)}."
        if subcommands and {"-h", "--help"} & {*given}:
            print(listed.capitalize())
            sys.exit(0)
        raise Failed(f"There is no command {plain(name)}; {_advice(name, known, listed)}")
    kind = options_class(name)
    source: CliSettingsSource[Any] = CliSettingsSource(
        kind, root_parser=_Parser(name, kind), add_argument_method=_Parser.add_shown
    )
    try:
        return CliApp.run(kind, cli_args=list(given), cli_settings_source=source)
    except ValidationError as error:
        raise Failed(_sentence(name, given, error.errors()[0])) from error
    except SettingsError as error:
        raise Failed(str(error)) from error


def _sentence(command: str, given: Sequence[str], error: ErrorDetails) -> str:
    """Return a sentence about a bad value that names the option or variable it came from."""
    field = str(error["loc"][0]) if error["loc"] else "options"
    option = options_class(command).option(field)
    if error["type"] == "missing":
        return f"{option} is missing; see {_program(command)} --help."
    variables = {name.upper(): name for name, value in os.environ.items() if value}
    variable = variables.get(f"{VARIABLE_PREFIX}{field}".upper())
    is_given = any(word.partition("=")[0] == option for word in given)
    if variable is not None and option.startswith("--") and not is_given:
        option = variable
    words = {name: printable(each) for name, each in error.get("ctx", {}).items()}
    words |= {"value": plain(error["input"]), "problem": error["msg"]}
    words["expected"] = words.get("expected", "").replace("'", "")  # pydantic quotes each choice
    reason = REASONS.get(error["type"], "{value}: {problem}").format_map(words)
    return f"Bad value for {option}: {reason}."


def _advice(word: str, known: Iterable[str], otherwise: str) -> str:
    """Suggest the known word that is most like `word`; return `otherwise` if none is like it."""
    near = difflib.get_close_matches(word, known, 1)
    return f"did you mean {near[0]}?" if near else otherwise


def _program(command: str) -> str:
    return PROGRAM if command == "serve" else f"{PROGRAM} {command}"


def plain(value: object) -> str:
    """Return a value as one short printable line, in quotes if it is blank."""
    text = one_line(value, LONGEST_VALUE)
    return text if text.strip() else f'"{text}"'


def _shown(info: FieldInfo) -> Shown | None:
    """Return how `--help` shows the field of an option; None for a positional argument."""
    return next((each for each in info.metadata if isinstance(each, Shown)), None)


if __name__ == "__main__":
    sys.exit(main())
