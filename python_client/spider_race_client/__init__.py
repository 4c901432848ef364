"""The client for programs: it takes part in races as a browser does.

async with connect("https://race.example") as client:
    race = await client.join("ABC-DEFG", "Greedy")
    await race.ready()
    table = await race.wait_for_table()
    while table.outcome is None:
        table = await race.act(choose(table))
"""

from protocol.to_client import RoundOver, Said
from spider_race_client.client import Client, connect
from spider_race_client.errors import (
    ActLost,
    ActTimedOut,
    BadAnswer,
    BadLink,
    BadRequest,
    ClientClosed,
    EngineMissing,
    NoTable,
    ProgramError,
    RaceClosed,
    RaceError,
    Refused,
    RoundUnknown,
    SeatLost,
    ServerError,
    UnknownWord,
    Unreachable,
    VersionUnknown,
)
from spider_race_client.events import (
    BoardChanged,
    ConnectionLost,
    ConnectionRestored,
    Event,
    MatchChanged,
    RoomChanged,
    StandingsChanged,
    TableChanged,
)
from spider_race_client.observer import Observer
from spider_race_client.race import Race
from spider_race_client.rounds import ReplayedAct, Round, fetch_review, fetch_round
from spider_race_client.table import Pile, Table

__all__ = [
    "ActLost",
    "ActTimedOut",
    "BadAnswer",
    "BadLink",
    "BadRequest",
    "BoardChanged",
    "Client",
    "ClientClosed",
    "ConnectionLost",
    "ConnectionRestored",
    "EngineMissing",
    "Event",
    "MatchChanged",
    "NoTable",
    "Observer",
    "Pile",
    "ProgramError",
    "Race",
    "RaceClosed",
    "RaceError",
    "Refused",
    "ReplayedAct",
    "RoomChanged",
    "Round",
    "RoundOver",
    "RoundUnknown",
    "Said",
    "SeatLost",
    "ServerError",
    "StandingsChanged",
    "Table",
    "TableChanged",
    "UnknownWord",
    "Unreachable",
    "VersionUnknown",
    "connect",
    "fetch_review",
    "fetch_round",
]
