"""All options, which can also be `SPIDER_RACE_*` variables, and the set-up of the logs."""

import difflib
import logging
import os
import re
import sys
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_interface
from pathlib import Path
from typing import Annotated, Literal, NamedTuple, TextIO, TypeAlias, cast

import structlog
from platformdirs import user_data_path
from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo
from pydantic_settings import BaseSettings, SettingsConfigDict
from pydantic_settings.sources import CliPositionalArg, CliToggleFlag, NoDecode

HIGHEST_PORT = 65_535
VARIABLE_PREFIX = "SPIDER_RACE_"
OTHER_VARIABLES = {"HOME"}  # not an option: the home page that the build of a wheel names


class Shown(NamedTuple):
    """How `--help` shows an option: its group, and a placeholder for its value, if any."""

    group: str
    value: str | None = None


STORE, LOG = "Store", "Log"
PLAYERS, LIMITS = "Players reach the server", "Limits"

ORIGIN = re.compile(r"https?://(?:[\w.-]+|\[[0-9a-fA-F:.]+\])(?::([0-9]{1,5}))?")
KEY_PREFIX = re.compile(r"[A-Za-z0-9:._/-]{0,64}", re.ASCII)
"""A prefix of keys. Redis reads braces as a hash tag, and other characters as a pattern."""
SIZE = re.compile(r"(\d{1,15})\s*([kmg]?)i?b?", re.IGNORECASE | re.ASCII)
UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
MIN_MEMORY = 4 << 20
DURATION = re.compile(r"(\d{1,6})([smhd])", re.ASCII)
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 24 * 3600}
LONGEST_DAYS = 366
HASH = re.compile(r"[0-9a-f]{64}", re.IGNORECASE | re.ASCII)


Network: TypeAlias = IPv4Network | IPv6Network


# The options' validators. Users see the text of a ValueError after the option's name.


def _split(value: object) -> object:
    """Split text at its commas into a list; return any other value, such as a default."""
    if isinstance(value, str):
        return list(filter(None, map(str.strip, value.split(","))))
    return value


def _origin(text: str) -> str:
    """Check an origin, and return it without a trailing slash, which people copy along with it."""
    origin = text.removesuffix("/")
    found = ORIGIN.fullmatch(origin)
    if found is None or int(found[1] or 1) > HIGHEST_PORT:
        raise ValueError(f"{text} is not like https://race.example.org, one name without a path")
    return origin


def _public_url(text: str) -> str:
    """Check an origin like `_origin`; the error adds why a path after it cannot work."""
    try:
        return _origin(text)
    except ValueError as error:
        raise ValueError(f"{error}: Spider Race needs a host name of its own") from error


def _host_and_port(text: str) -> str:
    """Check `host:port` and return it. The default host is 127.0.0.1; IPv6 needs brackets."""
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > HIGHEST_PORT:
        raise ValueError(f"{text} is not like 127.0.0.1:8001")
    return f"{host or '127.0.0.1'}:{port}"


def _usual_data_dir() -> Path | None:
    """Return the directory for data in the user's home, if there is one."""
    with suppress(RuntimeError):
        return user_data_path("spider-race", appauthor=False)
    return None


def _data_dir(value: object, options: ValidationInfo) -> object:
    """Return the directory `value`; raise ValueError if neither it nor `redis_url` is given.

    With `redis_url` nothing uses the directory, so any will do.
    """
    if value is None and options.data.get("redis_url") is None:
        raise ValueError("this user has no home directory; name a directory, or give --redis-url")
    return value or Path()


def _prefix(text: str) -> str:
    if KEY_PREFIX.fullmatch(text):
        return text
    allowed = "letters, digits, dots, colons, dashes, underscores and slashes"
    raise ValueError(f"{text} is not like race1:, of at most 64 {allowed}")


def _bytes(value: object) -> object:
    """Return the bytes of a size such as 512mb or 2gb; return None and numbers unchanged."""
    if not isinstance(value, str):
        return value
    if (found := SIZE.fullmatch(value.strip())) is None:
        raise ValueError(f"{value} is not like 512mb or 2gb")
    size = int(found[1]) * UNITS[found[2].lower()]
    if size < MIN_MEMORY:
        raise ValueError(f"{value} is too little; the store needs {MIN_MEMORY >> 20}mb at least")
    return size


def _seconds(value: object) -> object:
    """Return the seconds of a duration such as 30m or 24h; raise ValueError for other text."""
    found = DURATION.fullmatch(str(value))
    seconds = int(found[1]) * SECONDS[found[2]] if found else 0
    if 0 < seconds <= LONGEST_DAYS * SECONDS["d"]:
        return seconds
    raise ValueError(f"{value} is not like 30m, 24h or 7d, at most {LONGEST_DAYS}d")


def _hash(text: str) -> str:
    if HASH.fullmatch(text):
        return text
    raise ValueError(f"{text} is not a hash: it has 64 digits, 0-9 and a-f")


def _network(value: object) -> Network:
    """Parse an address or a network; reject a mixture of both, such as 10.0.0.5/8."""
    try:
        given = ip_interface(str(value))
    except ValueError as error:
        why = "is not an address, or a network such as 203.0.113.0/24"
        raise ValueError(f"{value} {why}") from error
    if given.ip != given.network.network_address:
        raise ValueError(f"{value} is an address inside the network {given.network}")
    return given.network


Origin = Annotated[str, AfterValidator(_origin)]
PublicUrl = Annotated[str, AfterValidator(_public_url)]
HostAndPort = Annotated[str, AfterValidator(_host_and_port)]
WITH_COMMAS = (NoDecode, BeforeValidator(_split))
AnyNetwork = Annotated[Network, BeforeValidator(_network)]
TrustedProxies = Annotated[tuple[AnyNetwork, ...], *WITH_COMMAS, Shown(PLAYERS, "NETWORK,...")]

MAX_ROOMS = 20_000  # four players with 300 acts each in all of them take 400 MB of the store
ROOMS_PER_ADDRESS = 500  # enough for a school, although a room stays for a day after its last race
KEPT_TABLES = 1_000  # each takes a megabyte with races of four players, and 23 MB at most
KEPT_PER_ADDRESS = 20
BOTS = 100

LogLevel = Annotated[
    Literal["debug", "info", "warning", "error"],
    Shown(LOG, "debug|info|warning|error"),
    Field(description="lowest level that is logged"),
]
AsJson = Annotated[
    CliToggleFlag[bool],
    Shown("Output"),
    Field(alias="json", description="JSON in place of a table"),
]


class CommandOptions(BaseSettings):
    """The options of every command. The text below an option is its help."""

    model_config = SettingsConfigDict(
        env_prefix=VARIABLE_PREFIX,
        env_prefix_target="all",  # the prefix also precedes aliases, such as `for`
        env_ignore_empty=True,  # compose files pass unset variables as empty ones
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        cli_kebab_case=True,
        cli_hide_none_type=True,
        cli_implicit_flags=True,
    )

    log_format: Annotated[Literal["console", "json"], Shown(LOG, "console|json")] = "console"
    """format of log lines"""
    log_level: LogLevel = "warning"

    @classmethod
    def option(cls, field: str) -> str:
        """Return how users write an option (`--json`) or a positional argument (`FILE`)."""
        info = cls.model_fields.get(field)
        name = field if info is None or info.alias is None else info.alias
        # A field that `--help` lists under no group is a positional argument.
        if info is not None and not any(isinstance(each, Shown) for each in info.metadata):
            return name.upper()
        return f"--{name.replace('_', '-')}"


class StoreOptions(CommandOptions):
    """The options of every command that uses the store."""

    redis_url: Annotated[str | None, Shown(STORE, "URL")] = None
    """redis://, rediss:// or unix:// URL of a Redis >= 7.0 or a Valkey, or
    redis+cluster://host:port,host:port of a cluster; without it the server starts an embedded one
    """
    redis_prefix: Annotated[str, AfterValidator(_prefix), Shown(STORE, "PREFIX")] = ""
    """beginning of all keys and channels, such as race1:, for several installations on one Redis
    """
    data_dir: Annotated[Path, BeforeValidator(_data_dir), Shown(STORE, "DIR")] = Field(
        default_factory=_usual_data_dir  # type: ignore[assignment]  # the validator replaces None
    )
    """directory of the embedded store's files"""
    store_memory: Annotated[int | None, BeforeValidator(_bytes), Shown(STORE, "SIZE")] = None
    """memory limit of the embedded store, such as 512mb: above nine tenths of it new rooms are
    refused; without it a quarter of the memory of the machine or the container"""
    store_fsync: Annotated[Literal["everysec", "always"], Shown(STORE, "everysec|always")] = (
        "everysec"
    )
    """when the embedded store writes acts to disk: everysec can lose the last two seconds if the
    machine or the store dies; always loses none, but takes longer"""


class Config(StoreOptions):
    """Serve Spider Race: friends open a link, get the same deal, and race."""

    log_level: LogLevel = "info"
    store_wait: Annotated[int, Shown(STORE, "SECONDS"), Field(ge=0)] = 60
    """how long a start waits for a Redis that does not answer yet"""
    host: Annotated[str, Shown(PLAYERS, "ADDRESS")] = "0.0.0.0"  # noqa: S104  # for the local network
    """address to listen on"""
    port: Annotated[int, Shown(PLAYERS, "PORT"), Field(ge=0, le=HIGHEST_PORT)] = 8000
    """port to listen on; 0 takes a free one"""
    operations: Annotated[HostAndPort | None, Shown(PLAYERS, "HOST:PORT")] = None
    """address of /metrics, /healthz and /readyz, for operators only; without it 127.0.0.1 and the
    port after --port"""
    workers: Annotated[int, Shown(PLAYERS, "N"), Field(ge=1, le=64)] = 1
    """processes that share the port"""
    public_url: Annotated[PublicUrl | None, Shown(PLAYERS, "ORIGIN")] = None
    """origin at which players reach the server, if a proxy is in front of it; it has no path"""
    allowed_origins: Annotated[tuple[Origin, ...], *WITH_COMMAS, Shown(PLAYERS, "ORIGIN,...")] = ()
    """origins of pages that may connect, besides the server's own host"""
    trusted_proxies: TrustedProxies = ()
    """networks of proxies whose X-Forwarded-For is trusted, such as 172.31.77.0/24"""
    connections_per_address: Annotated[int, Shown(LIMITS, "N"), Field(ge=1)] = 1_000
    """websockets, and as many plain connections, that one address may have to one process; no
    limit for the loopback"""
    seats_per_address: Annotated[int, Shown(LIMITS, "N"), Field(ge=1)] = 20
    """seats that one address may have in a room whose host has another network; no limit for the
    loopback"""
    max_rooms: Annotated[int, Shown(LIMITS, "N"), Field(ge=1)] = MAX_ROOMS
    """open rooms in all; further ones are refused"""
    rooms_per_address: Annotated[int, Shown(LIMITS, "N"), Field(ge=1)] = ROOMS_PER_ADDRESS
    """open rooms that one address may have opened; an IPv6 /56 four times as many, a /48 sixteen
    times; no limit for the loopback"""
    kept_days: Annotated[int, Shown(LIMITS, "DAYS"), Field(ge=1, le=LONGEST_DAYS)] = 90
    """how many days a kept table stays after its last race, with its history"""
    kept_tables: Annotated[int, Shown(LIMITS, "N"), Field(ge=0)] = KEPT_TABLES
    """kept tables in all; 0 allows none"""
    kept_per_address: Annotated[int, Shown(LIMITS, "N"), Field(ge=0)] = KEPT_PER_ADDRESS
    """kept tables that one address may have, with the shares of IPv6 networks as above"""
    bots: Annotated[int, Shown(LIMITS, "N"), Field(ge=0)] = BOTS
    """computer players in all rooms together, one in ten of them an Expert; 0 allows none"""
    thinkers: Annotated[int, Shown(PLAYERS, "N"), Field(ge=0, le=1)] = 1
    """1: find winnable deals, review races and label deals, in a process of low priority beside
    each process of the server; 0: do none of this, and play any deal"""


class DoctorOptions(Config):
    """Examine the store, machine and options of a server, running or not; change nothing.

    Give it the options of the server. The exit code is 1 if something is bad: the server would not
    start, or it could lose rooms. It is 0 otherwise, even with warnings, and 2 if the options
    cannot be used.
    """

    as_json: AsJson = False
    log_level: LogLevel = "error"


class RoomsOptions(StoreOptions):
    """List the open rooms and their players."""

    as_json: AsJson = False


class StatsOptions(RoomsOptions):
    """Count the open rooms, the people in them, and the servers."""


class CloseOptions(StoreOptions):
    """Close a room: everybody leaves it with a message, and its link stops working.

    A running game of today's race ends with its score, which goes onto the board. Any other
    race ends without a result. An UNREADABLE room is removed. The exit code is 0 if the room is
    closed, 1 if there is no such room, and 2 after an error.
    """

    code: CliPositionalArg[str]
    """code of the room, or its link"""


class HideOptions(StoreOptions):
    """Take the name of a game off the board of its day; its place and its figures stay.

    The exit code is 0 if it is off the board, 1 if there is no such game, and 2 after an error.
    """

    entry: CliPositionalArg[str]
    """game as DATE/GAME/ENTRY, or the link to it"""


class ShowOptions(HideOptions):
    """Put a hidden name back on the board of its day.

    The exit code is 0 if it is on the board, 1 if there is no such game, and 2 after an error.
    """


class BansOptions(StoreOptions):
    """List the banned addresses and networks, and when each ban ends."""

    as_json: AsJson = False


class LiftOptions(StoreOptions):
    """Lift the ban of an address or network before it ends.

    The exit code is 0 if it was lifted, 1 if there is no such ban, and 2 after an error.
    """

    address: CliPositionalArg[AnyNetwork]
    """IP address, or network such as 203.0.113.0/24; an IPv6 address stands for its /64"""


class BanOptions(LiftOptions):
    """Ban an address or network for a time: its connections are closed, new ones refused.

    All servers of the store act on it within two seconds. Another ban of the same address
    replaces the first one. The exit code is 0 if it is banned, and 2 after an error.
    """

    duration_s: Annotated[int, BeforeValidator(_seconds), Shown("Ban", "DURATION")] = Field(
        default="24h",  # type: ignore[assignment]  # the validator reads it
        alias="for",
    )
    """how long the ban lasts, such as 30m, 24h or 7d"""
    trusted_proxies: TrustedProxies = ()
    """the server's own trusted proxies, which cannot be banned"""


class VerifyOptions(CommandOptions):
    """Check a finished round: deal, acts, scores and ranking are computed again.

    The exit code is 0 if the round is right, 1 if it is not, and 2 if it cannot be read.
    """

    source: CliPositionalArg[str]
    """file or URL: the JSON or the text of a round, or its link /r/CODE/N"""
    hash: Annotated[Annotated[str, AfterValidator(_hash)] | None, Shown("Round", "HASH")] = None
    """hash of the deal that the room showed before the race"""
    ca: Annotated[Path | None, Shown("Round", "FILE")] = None
    """certificates (PEM) of a private CA, for an https URL"""


class BackupOptions(StoreOptions):
    """Write all rooms of the embedded store to a file, also while players race.

    A Redis of your own has its own tools: see docs/operating.md.
    """

    file: CliPositionalArg[Path]
    """file to write, which replaces an earlier one when it is whole; or - for standard output"""


class RestoreOptions(StoreOptions):
    """Put a backup into the data directory of an embedded store that has none yet."""

    file: CliPositionalArg[Path]
    """file of `spider-race backup`"""


def unknown_variables() -> dict[str, str | None]:
    """Return `SPIDER_RACE_*` variables that name no option, each with a similar name or None."""
    kinds = (DoctorOptions, BanOptions, VerifyOptions, BackupOptions)  # these have all options
    options = {kind.option(field) for kind in kinds for field in kind.model_fields}
    known = sorted(each[2:].replace("-", "_").upper() for each in options if each.startswith("--"))
    found: dict[str, str | None] = {}
    for name, value in sorted(os.environ.items()):
        prefix, option = name[: len(VARIABLE_PREFIX)].upper(), name[len(VARIABLE_PREFIX) :].upper()
        if value and prefix == VARIABLE_PREFIX and option not in {*known, *OTHER_VARIABLES}:
            near = difflib.get_close_matches(option, known, 1)
            found[name] = f"{VARIABLE_PREFIX}{near[0]}" if near else None
    return found


TIMES = structlog.processors.TimeStamper(fmt="iso", utc=True)
JSON = structlog.processors.JSONRenderer()


def json_line(event: str, level: str, **fields: object) -> str:
    """Return a line of the JSON log: the text `event`, its level and time, and `fields`."""
    return str(JSON(None, level, TIMES(None, level, {"event": event, "level": level, **fields})))


class _LibraryLogs(logging.Handler):
    """Turns the log records of libraries, of asyncio, and of Python's warnings into events."""

    def emit(self, record: logging.LogRecord) -> None:
        level = min(record.levelno // 10 * 10, logging.CRITICAL)  # structlog has no levels between
        event, error = record.getMessage(), record.exc_info
        structlog.get_logger().log(level, event, logger=record.name, exc_info=error)


class _Log:
    """A stream that drops lines if its disk is full or its reader is gone: races must go on."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream  # None if standard error was closed when the program started

    def write(self, text: str) -> None:
        with suppress(OSError, ValueError):
            if self._stream is not None:
                self._stream.write(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            if self._stream is not None:
                self._stream.flush()


def set_up_logs(config: CommandOptions, *, final: bool = True) -> None:
    """Log each event as one line to standard error, in a single write, since workers share it.

    With `final`, loggers cache these settings when they first log, and later calls do not change
    them. With JSON, Python's own warnings and errors become such lines too.
    """
    last: list[structlog.typing.Processor] = [structlog.processors.format_exc_info, JSON]
    if config.log_format == "console":
        # Other formatters print the variables of every frame, including tokens and decks.
        plain, colors = structlog.dev.plain_traceback, bool(sys.stderr and sys.stderr.isatty())
        last = [structlog.dev.ConsoleRenderer(colors=colors, exception_formatter=plain)]
    elif final:
        logging.basicConfig(handlers=[_LibraryLogs()], force=True)
        logging.captureWarnings(True)
        sys.excepthook = lambda *error: structlog.get_logger().critical("failed", exc_info=error)
    level = logging.getLevelNamesMapping()[config.log_level.upper()]
    structlog.configure(
        processors=[structlog.processors.add_log_level, TIMES, *last],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", _Log(sys.stderr))),
        # Otherwise an event below the log level costs as much as a formatted one.
        cache_logger_on_first_use=final,
    )
