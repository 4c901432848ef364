import asyncio
import logging
import sys
from collections.abc import Sequence

import structlog
from pydantic import ValidationError
from pydantic_settings import CliApp, SettingsError

from server.app import addresses, serve_until_told
from server.config import Config
from server.net.listener import Listener
from server.store import StoreTooOld, StoreUnusable

BAD_START = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command `spider-race`; returns its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["serve"]:
        given = given[1:]
    try:
        config = CliApp.run(Config, cli_args=given)
    except (ValidationError, SettingsError) as error:
        return _sorry(_first_sentence(error))
    set_up_logs(config)
    try:
        run(config)
    except (StoreTooOld, StoreUnusable) as error:
        return _sorry(str(error))
    except OSError as error:
        reason = error.strerror or str(error)
        return _sorry(f"Cannot listen on {config.host} port {config.port}: {reason}.")
    return 0


def run(config: Config) -> None:
    """Serves on the fastest event loop there is."""
    if sys.platform == "win32":
        asyncio.run(serve_until_told(config, _announce))
    else:
        import uvloop  # noqa: PLC0415  # not to be had on Windows

        uvloop.run(serve_until_told(config, _announce))


def set_up_logs(config: Config) -> None:
    """One line an event, to standard error."""
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if config.log_format == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info
            if config.log_format == "json"
            else structlog.processors.StackInfoRenderer(),
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[config.log_level.upper()]
        ),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def _announce(listener: Listener) -> None:
    here, *elsewhere = addresses(listener.port)
    print(f"Spider Race is ready: {here}", flush=True)
    for address in elsewhere:
        print(f"For friends on the same network: {address}", flush=True)


def _first_sentence(error: ValidationError | SettingsError) -> str:
    if isinstance(error, SettingsError):
        return str(error)
    first = error.errors()[0]
    option = str(first["loc"][0]).replace("_", "-") if first["loc"] else "options"
    return f"Bad value for --{option}: {first['msg']}."


def _sorry(sentence: str) -> int:
    print(f"spider-race: {sentence}", file=sys.stderr)
    return BAD_START


if __name__ == "__main__":
    sys.exit(main())
