import asyncio
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, NamedTuple

import structlog

from server.app import TUNING, Tuning, addresses, serve_until_stopped
from server.command_line import BadOptions, no_such_command, parse, plain
from server.config import (
    BackupOptions,
    CommandOptions,
    Config,
    DoctorOptions,
    RestoreOptions,
    RoomsOptions,
    StatsOptions,
    VerifyOptions,
    unknown_variables,
)
from server.logs import set_up_logs
from server.operators.backup import BadBackup, back_up, put_back
from server.operators.doctor import examine
from server.operators.output import Answer
from server.operators.rooms import count_rooms, list_rooms
from server.operators.verify import verify
from server.store import StoreTooOld, StoreUnusable
from server.supervisor import run, supervise
from server.web.addresses import EVERYWHERE, container_hides_network

PROGRAM = "spider-race"
BAD_START = 2
INTERRUPTED = 130

log = structlog.get_logger()


class OperatorCommand(NamedTuple):
    """A command that ends by itself: its options, and the coroutine that returns its text."""

    options: type[CommandOptions]
    run: Callable[[Any], Coroutine[Any, Any, str | Answer]]


COMMANDS: Mapping[str, OperatorCommand] = {
    "backup": OperatorCommand(BackupOptions, back_up),
    "restore": OperatorCommand(RestoreOptions, put_back),
    "doctor": OperatorCommand(DoctorOptions, examine),
    "rooms": OperatorCommand(RoomsOptions, list_rooms),
    "stats": OperatorCommand(StatsOptions, count_rooms),
    "verify": OperatorCommand(VerifyOptions, verify),
}


def main(arguments: Sequence[str] | None = None, tuning: Tuning = TUNING) -> int:
    """Run the command `spider-race`; return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        name = given.pop(0) if given and not given[0].startswith("-") else "serve"
        if name in COMMANDS:
            return _run_once(name, given)
        if name != "serve":
            return _fail(no_such_command(name, ["serve", *COMMANDS]))
        others = {each: command.options for each, command in COMMANDS.items()}
        config = parse(PROGRAM, Config, given, others)
        set_up_logs(config)
        _report_unknown_variables()
        _serve(config, tuning)
    except (BadOptions, StoreTooOld, StoreUnusable, BadBackup) as error:
        return _fail(str(error))
    except OSError as error:
        reason = error.strerror or str(error)
        return _fail(f"Cannot listen on {error.filename}: {reason}.")
    return 0


def _run_once(name: str, given: Sequence[str]) -> int:
    """Run a command that ends by itself, and print its text; return the exit code."""
    command = COMMANDS[name]
    options = parse(f"{PROGRAM} {name}", command.options, given)
    set_up_logs(options)
    if not isinstance(options, DoctorOptions):  # which finds them itself
        _report_unknown_variables()
    try:
        answer = asyncio.run(command.run(options))
    except KeyboardInterrupt:
        print(f"{PROGRAM}: Interrupted.", file=sys.stderr)
        return INTERRUPTED
    text, code = answer if isinstance(answer, Answer) else Answer(answer)
    print(text)
    return code


def _report_unknown_variables() -> None:
    for name, near in unknown_variables().items():
        log.warning(
            "there is no such variable; it is ignored", name=plain(name), did_you_mean=near
        )


def _serve(config: Config, tuning: Tuning) -> None:
    """Serve until stopped, in several processes if the options say so."""
    if config.workers > 1:
        run(supervise(config, lambda port: _announce(config, port), tuning=tuning))
    else:
        run(
            serve_until_stopped(
                config, lambda listener: _announce(config, listener.port), tuning=tuning
            )
        )


def _announce(config: Config, port: int) -> None:
    """Print the addresses of the server, once it can be reached."""
    here, *elsewhere = addresses(config, port)
    print(f"Spider Race is ready: {here}", flush=True)
    where = " on the same network" if config.public_url is None else ""
    for address in elsewhere:
        print(f"For friends{where}: {address}", flush=True)
    if config.host in EVERYWHERE and config.public_url is None and container_hides_network():
        print(
            "In a container: friends use the address of the machine around it, and the port that "
            f"it publishes for {port}. --public-url puts that address into links.",
            flush=True,
        )


def _fail(sentence: str) -> int:
    print(f"{PROGRAM}: {sentence}", file=sys.stderr)
    return BAD_START


if __name__ == "__main__":
    sys.exit(main())
