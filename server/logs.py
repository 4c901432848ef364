import logging
import sys

import structlog

from server.config import CommandOptions


def set_up_logs(config: CommandOptions, *, final: bool = True) -> None:
    """Log one line per event to standard error, in a single write, since workers share it.

    Loggers that have logged once keep these settings, unless they are not `final`.
    """
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if config.log_format == "json"
        else structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(),
            # Other formatters print the variables of every frame, tokens and decks among them.
            exception_formatter=structlog.dev.plain_traceback,
        )
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
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        # Otherwise an event below the log level costs as much as one that is formatted.
        cache_logger_on_first_use=final,
    )
