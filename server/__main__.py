import sys
from collections.abc import Sequence

from pydantic import ValidationError
from pydantic_settings import CliApp, SettingsError

from server.app import TUNING, Tuning, addresses, serve_until_stopped
from server.config import Config
from server.logs import set_up_logs
from server.store import StoreTooOld, StoreUnusable
from server.supervisor import run, supervise

BAD_START = 2


def main(arguments: Sequence[str] | None = None, tuning: Tuning = TUNING) -> int:
    """Run the command `spider-race`; return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["serve"]:
        given = given[1:]
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
