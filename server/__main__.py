import asyncio
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from pydantic import ValidationError
from pydantic_settings import CliApp, SettingsError

from server.app import TUNING, Tuning, addresses, serve_until_stopped
from server.backup.commands import back_up, put_back
from server.backup.file import BadBackup
from server.backup.rooms import RoomsExist
from server.config import BackupOptions, Config, RestoreOptions, StoreOptions
from server.logs import set_up_logs
from server.store import StoreTooOld, StoreUnusable
from server.supervisor import run, supervise

BAD_START = 2
INTERRUPTED = 130

Options = TypeVar("Options", bound=StoreOptions)


def main(arguments: Sequence[str] | None = None, tuning: Tuning = TUNING) -> int:
    """Run the command `spider-race`; return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    match given:
        case ["backup", *rest]:
            return _run_once(BackupOptions, back_up, rest)
        case ["restore", *rest]:
            return _run_once(RestoreOptions, put_back, rest)
        case ["serve", *rest]:
            given = rest
        case _:
            pass
    try:
        config = CliApp.run(Config, cli_args=given)
    except (ValidationError, SettingsError) as error:
        return _fail(_first_sentence(error))
    set_up_logs(config)
    try:
        _serve(config, tuning)
    except (StoreTooOld, StoreUnusable) as error:
        return _fail(str(error))
    except OSError as error:
        reason = error.strerror or str(error)
        return _fail(f"Cannot listen on {error.filename}: {reason}.")
    return 0


def _run_once(
    kind: type[Options], command: Callable[[Options], Awaitable[str]], given: list[str]
) -> int:
    """Run a command that ends by itself, and print its sentence; return the exit code."""
    try:
        options = CliApp.run(kind, cli_args=given)
        set_up_logs(options)
        print(asyncio.run(_awaited(command(options))))
    except (ValidationError, SettingsError) as error:
        return _fail(_first_sentence(error))
    except (StoreTooOld, StoreUnusable, BadBackup, RoomsExist) as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        print("spider-race: Interrupted.", file=sys.stderr)
        return INTERRUPTED
    return 0


async def _awaited(work: Awaitable[str]) -> str:
    return await work


def _serve(config: Config, tuning: Tuning) -> None:
    if config.workers > 1:
        run(supervise(config, lambda port: _announce(config, port), tuning=tuning))
    else:
        run(
            serve_until_stopped(
                config, lambda listener: _announce(config, listener.port), tuning=tuning
            )
        )


def _announce(config: Config, port: int) -> None:
    here, *elsewhere = addresses(config, port)
    print(f"Spider Race is ready: {here}", flush=True)
    where = " on the same network" if config.public_url is None else ""
    for address in elsewhere:
        print(f"For friends{where}: {address}", flush=True)


def _first_sentence(error: ValidationError | SettingsError) -> str:
    if isinstance(error, SettingsError):
        return str(error)
    first = error.errors()[0]
    option = str(first["loc"][0]).replace("_", "-") if first["loc"] else "options"
    reason = first["msg"].removeprefix("Value error, ")
    return f"Bad value for --{option}: {reason}."


def _fail(sentence: str) -> int:
    print(f"spider-race: {sentence}", file=sys.stderr)
    return BAD_START


if __name__ == "__main__":
    sys.exit(main())
