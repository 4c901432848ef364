"""The client for programs: it takes part in races as a browser does; `README.md` shows how."""

from protocol.to_client import RoundOver as RoundOver
from protocol.to_client import Said as Said
from spider_race_client.client import Client as Client
from spider_race_client.client import connect as connect
from spider_race_client.errors import ActLost as ActLost
from spider_race_client.errors import BadRequest as BadRequest
from spider_race_client.errors import ProgramError as ProgramError
from spider_race_client.errors import RaceClosed as RaceClosed
from spider_race_client.errors import RaceError as RaceError
from spider_race_client.errors import Refused as Refused
from spider_race_client.errors import RoundUnknown as RoundUnknown
from spider_race_client.errors import SeatLost as SeatLost
from spider_race_client.errors import ServerError as ServerError
from spider_race_client.errors import Unreachable as Unreachable
from spider_race_client.race import Race as Race
from spider_race_client.race_state import BoardChanged as BoardChanged
from spider_race_client.race_state import ConnectionLost as ConnectionLost
from spider_race_client.race_state import ConnectionRestored as ConnectionRestored
from spider_race_client.race_state import Event as Event
from spider_race_client.race_state import MatchChanged as MatchChanged
from spider_race_client.race_state import RoomChanged as RoomChanged
from spider_race_client.race_state import StandingsChanged as StandingsChanged
from spider_race_client.race_state import TableChanged as TableChanged
from spider_race_client.rounds import Ghost as Ghost
from spider_race_client.rounds import ReplayedAct as ReplayedAct
from spider_race_client.rounds import Round as Round
from spider_race_client.rounds import fetch_board as fetch_board
from spider_race_client.rounds import fetch_computers as fetch_computers
from spider_race_client.rounds import fetch_day as fetch_day
from spider_race_client.rounds import fetch_ghost as fetch_ghost
from spider_race_client.rounds import fetch_review as fetch_review
from spider_race_client.rounds import fetch_round as fetch_round
from spider_race_client.table import Pile as Pile
from spider_race_client.table import Table as Table

_BOUND = vars().copy()
# Leave out the modules, which `import *` would export too.
__all__ = [name for name in _BOUND if name[0] != "_" and not hasattr(_BOUND[name], "__spec__")]
