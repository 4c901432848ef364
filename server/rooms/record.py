"""A room as it is stored: one frozen document, replaced as a whole by each transition.

Processes of two releases may serve the same room, and a release may be rolled back. So fields
that this release does not know are kept on writing, in every part of the document. A document
whose known fields hold something else than expected cannot be read: see `Unreadable`.
"""

from dataclasses import dataclass, field
from functools import partial
from operator import eq
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from protocol.settings import Settings
from protocol.vocabulary import Presence, Role, RoomState, SeatState
from server.rooms.identity import Identity


class Record(BaseModel):
    """Part of a stored room. Fields may be added with a default; none is ever renamed."""

    # Errors, which are logged, must not quote a record: it holds seeds.
    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True)


KNOWN_BEFORE = frozenset(
    {
        *("game", "deal", "number", "seed", "layout", "auto_remove", "relaxed_deal"),
        *("exceptions", "undo", "hints", "score", "ranking", "rounds", "match_ranking"),
        *("chasers", "time_limit_s", "spectate", "board_delay_s", "public"),
    }
)
"""The settings of the release before this one, which cannot read a record that holds others.

So a newer setting is stored only where it differs from its default, and that release can serve
all rooms that do not use one. This release keeps settings that it does not know, so this list is
needed for one release only.
"""


class StoredSettings(Settings):
    """Settings in a stored room. On the wire they are strict; here unknown ones are kept."""

    model_config = ConfigDict(extra="allow", hide_input_in_errors=True)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Settings) and not isinstance(other, StoredSettings):
            return not self.model_extra and vars(self) == vars(other)
        return super().__eq__(other)

    __hash__ = Settings.__hash__


def omit_newer(stored: type[StoredSettings]) -> None:
    """Let settings that the release before does not know be stored only if they are chosen."""
    for name, setting in stored.model_fields.items():
        if name not in KNOWN_BEFORE:
            setting.exclude_if = partial(eq, setting.get_default())
    stored.model_rebuild(force=True)


omit_newer(StoredSettings)


def stored_settings(chosen: Settings, before: StoredSettings | None = None) -> StoredSettings:
    """Return a client's settings as they are stored, with the unknown settings of `before`."""
    unknown = {} if before is None else before.model_extra
    return StoredSettings.model_validate({**(unknown or {}), **dict(chosen)})


class _FromWire:
    """Converts settings of a message where a record is made with them."""

    def __get_pydantic_core_schema__(
        self, source: type[Any], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema = handler(source)
        # Records are read as JSON, which needs no conversion and so no Python.
        return core_schema.json_or_python_schema(
            schema, core_schema.no_info_before_validator_function(_stored, schema)
        )


def _stored(settings: object) -> object:
    if isinstance(settings, Settings) and not isinstance(settings, StoredSettings):
        return stored_settings(settings)
    return settings


RoomSettings = Annotated[StoredSettings, _FromWire()]


class PlayerStats(Record):
    """The stats of one game on the leaderboard; times are milliseconds by the player's own clock.

    That clock begins at t0, or when a chaser begins. `gained_ms` is when the score last rose,
    `finished_ms` when the game ended. `restored` counts acts that the store had lost and that
    the client has sent again. The store counts `hints`, and the times. `on_table` counts
    complete suits that are not removed yet; only the ranking under the `moves` score needs it,
    and under the other scores it stays 0. `has_acted` is false only before the first act; results
    of the release before this one do not say so.
    """

    score: int = 0
    moves: int = 0
    suits: int = 0
    home: int = 0
    face_down: int = 0
    cheats: int = 0
    exceptions: int = 0
    hints: int = 0
    restored: int = 0
    on_table: int = 0
    won: bool = False
    gained_ms: int = 0
    finished_ms: int | None = None
    has_acted: bool = Field(default=True, exclude_if=bool)


class Seat(Record):
    """One seat. `role` is the choice of its owner, `state` that of the seat in the round.

    `generation` fences the connections of the seat: a drop of an older one is no drop.
    `process` has the connection, `tab` is the page that it is from, as the client says.
    `left_at` is when the connection was lost (milliseconds since the epoch), or, of a seat that
    counts as `on`, when its owner joined without a connection so far, which only the release
    before this one allows. The seat of a racer who was
    `kicked` stays for the standings, and cannot be resumed; nor can that of one who has `left`.
    `networks` and `browser` are its identity. `wins` counts the races that it has won against
    other players in this room. `arrival` is the place in the order of joining of a seat whose
    number was given before; all others joined in the order of their numbers.
    """

    number: int
    name: str
    role: Role
    state: SeatState
    connection: Presence = Presence.ON
    generation: int = 1
    process: str = ""
    left_at: int | None = None
    kicked: bool = False
    tab: str = ""
    networks: tuple[str, ...] = ()
    browser: str = ""
    left: bool = False
    wins: int = 0
    arrival: int | None = None

    @property
    def order(self) -> int:
        """A number that is the higher, the later the owner of the seat has joined."""
        return self.number if self.arrival is None else self.arrival

    @property
    def identity(self) -> Identity:
        """The origin of the seat's owner, as hashes."""
        return Identity(self.networks, self.browser)

    @property
    def plays(self) -> bool:
        """Whether the seat plays a game of the current round."""
        return self.state in {SeatState.RACING, SeatState.CHASING}


class DealRecord(Record):
    """Where the cards come from: seed and salt (hex) of a secret deal, or an open number."""

    seed: str | None = None
    salt: str | None = None
    number: int | None = None


class Round(Record):
    """A round from its countdown on, of the match of number `match`.

    `game` is the game of the match's card that it is, from 1; None in rounds stored before games
    could be chosen, which are counted instead (see `card.py`).
    `acts` is the number of acts in its logs when it is over, `kept` whether those are stored.
    `names` holds all players by seat, `states` and `results` the players whose game is over;
    `late` the chasers, with the milliseconds from t0 to the beginning of their games.
    """

    n: int
    match: int = 1
    game: int | None = None
    settings: RoomSettings
    deal: DealRecord
    t0: int
    t_end: int | None
    ended: int | None = None
    names: dict[int, str] = {}
    late: dict[int, int] = {}
    states: dict[int, SeatState] = {}
    results: dict[int, PlayerStats] = {}
    acts: int = 0
    kept: bool = True


class Room(Record):
    """A whole room. `rounds` are those that are over, `round` is the current one, if any.

    `started` counts all rounds, `match` all matches: none of these numbers is used twice. `seated`
    counts the numbers of seats that were given, each once; `given_again` is the latest that was
    given a second time, None while there are new ones (`seat_numbers.py`).
    `chosen` is the game of the match's card that the host has chosen as the next one; it counts
    only while that game is not yet played. `idle_since` is since when no seat is connected or, of
    a finished room, when its round ended if that was later. `networks` are the hashed networks of
    the person who opened the room, with their shares of the limit of open rooms. `waiting` are the
    seats of people that the host has not admitted yet; they are not in the room.
    `past_hosts` are former hosts, the earliest first; one who returns is host again. `salt` is
    the salt of all identities, `bans` are hashes of banned people.
    """

    code: str
    state: RoomState = RoomState.LOBBY
    settings: RoomSettings
    host: int | None
    seats: tuple[Seat, ...]
    seated: int
    given_again: int | None = None
    started: int = 0
    match: int = 1
    chosen: int | None = None
    round: Round | None = None
    rounds: tuple[Round, ...] = ()
    idle_since: int | None = None
    reason: str | None = None
    networks: dict[str, int] = {}
    waiting: tuple[Seat, ...] = ()
    past_hosts: tuple[int, ...] = ()
    salt: str = ""
    bans: tuple[str, ...] = ()

    def applicant(self, number: int) -> Seat | None:
        """Return the seat of this number in the queue, or None."""
        for seat in self.waiting:
            if seat.number == number:
                return seat
        return None

    def seat(self, number: int) -> Seat | None:
        """Return the seat of this number, or None."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        return None

    def played(self) -> tuple[Round, ...]:
        """Return the rounds of the current match that are over."""
        return tuple(played for played in self.rounds if played.match == self.match)

    def round_with(self, seat: int, n: int) -> Round | None:
        """Return round `n` if this seat has a game in it; None too if it was aborted."""
        rounds = self.rounds if self.round is None else (self.round, *self.rounds)
        return next((each for each in rounds if each.n == n and seat in each.names), None)

    def racers(self) -> tuple[Seat, ...]:
        """Return the seats that are still racing; without any the round is over."""
        return tuple(seat for seat in self.seats if seat.state is SeatState.RACING)

    def players(self) -> tuple[Seat, ...]:
        """Return the seats whose games are on: racers and chasers."""
        return tuple(seat for seat in self.seats if seat.plays)


@dataclass(frozen=True, slots=True)
class VersionedRoom:
    """A room and the number of its latest event.

    `doc` is its text in the store. `written_here` means that this process has written the latest
    event, so that the event is a change of the room and no chat message.
    """

    room: Room
    v: int
    doc: str = field(default="", compare=False, repr=False)
    written_here: bool = field(default=False, compare=False, repr=False)
