"""The events of a race, in the order in which they happened."""

from dataclasses import dataclass

from protocol.to_client import RoundOver, Said
from protocol.views import MatchView, RoomView, Standing
from protocol.vocabulary import CloseCode
from spider_race_client.table import Table


@dataclass(frozen=True, slots=True)
class RoomChanged:
    """The room has changed: seats, settings, state."""

    room: RoomView


@dataclass(frozen=True, slots=True)
class TableChanged:
    """The program's own table has changed: a deal, an act, or a table that was lost and found."""

    table: Table


@dataclass(frozen=True, slots=True)
class BoardChanged:
    """The table of another player, which the program watches, has changed."""

    table: Table


@dataclass(frozen=True, slots=True)
class StandingsChanged:
    """The leaderboard has changed; its rows are in order, best first."""

    standings: tuple[Standing, ...]


@dataclass(frozen=True, slots=True)
class MatchChanged:
    """The score cards of the match have come, which large rooms do not contain."""

    match: MatchView | None


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The connection was lost, and is opened again; the code is 1006 if the server sent none."""

    code: CloseCode | int


@dataclass(frozen=True, slots=True)
class ConnectionRestored:
    """The seat is taken again."""


_OfRoom = RoomChanged | MatchChanged | RoundOver | Said
_OfGame = TableChanged | BoardChanged | StandingsChanged
Event = _OfRoom | _OfGame | ConnectionLost | ConnectionRestored
