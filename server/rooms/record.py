"""A room as it is stored: one frozen document, replaced as a whole by each transition.

Processes of two releases may serve the same room, and a release may be rolled back. So fields
that this release does not know are kept on writing, in every part of the document. `parse_record`
refuses a document whose known fields are not those that transitions and views need.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import not_
from typing import Any, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from protocol.settings import Settings
from protocol.vocabulary import (
    SEAT_COLOURS,
    BotLevel,
    BotPace,
    Presence,
    Role,
    RoomState,
    SeatColour,
    SeatKind,
    SeatState,
)
from server.games.errors import BadRules
from server.games.rules import check_rules
from server.rooms.settings import rules_of

DOS_CARD = 6  # the games of the card of text 3, of which any may be played again
DAY_MS = 24 * 3_600 * 1_000
PARSED = 64  # parsed rooms that are cached: what is read again is read in the next moments


class Identity(NamedTuple):
    """The origin of a seat as hashes; `networks` are nested, the smallest first.

    There are none on the loopback, and where a proxy that is not configured hides all clients.
    """

    networks: tuple[str, ...] = ()
    browser: str = ""

    def same_person(self, other: "Identity") -> bool:
        """Return whether both may be one person: the same browser or the same network."""
        browser = self.browser != "" and self.browser == other.browser
        return browser or (self.networks != () and self.networks[:1] == other.networks[:1])


class Record(BaseModel):
    """Part of a stored room. Fields may be added with a default; none is ever renamed."""

    # Errors, which are logged, must not quote a record: it holds seeds.
    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with these fields in place of its own."""
        return self.model_copy(update=changes)

    def model_post_init(self, _context: Any, /) -> None:
        """Share what pydantic notes about fields that were given: nobody asks for it."""
        object.__setattr__(self, "__pydantic_fields_set__", _NOTHING)


_NOTHING: set[str] = set()
"""What all records share; pydantic copies it before it changes it. A set each takes 730 bytes."""


class StoredSettings(Settings):
    """Settings in a stored room. On the wire they are strict; here unknown ones are kept."""

    model_config = ConfigDict(extra="allow", hide_input_in_errors=True)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Settings) and not isinstance(other, StoredSettings):
            return not self.model_extra and vars(self) == vars(other)
        return super().__eq__(other)

    __hash__ = Settings.__hash__


def stored_settings(chosen: Settings, before: StoredSettings | None = None) -> StoredSettings:
    """Return a client's settings as they are stored, with the unknown settings of `before`."""
    unknown = {} if before is None else before.model_extra
    return StoredSettings.model_validate({**(unknown or {}), **dict(chosen)})


def known_settings(settings: Settings) -> Settings:
    """Return settings without those of newer releases, which this protocol lacks."""
    return Settings.model_construct(**vars(settings))


class PlayerStats(Record):
    """The stats of one game; times are ms by the player's clock, from t0 or a chaser's begin."""

    score: int = 0  # by the score of the room
    moves: int = 0  # the moves made
    suits: int = 0  # complete suits that were removed
    home: int = 0  # cards on the foundations
    face_down: int = 0  # cards that lie face down on the table
    cheats: int = 0  # undos that count as cheats
    exceptions: int = 0  # moves that only the exceptions allow
    hints: int = 0  # as the store has counted them
    restored: int = 0  # acts that the store had lost and the client has sent again
    on_table: int = 0  # complete suits in the columns under the `moves` score; else 0
    won: bool = False  # whether the game was won
    gained_ms: int = 0  # when the score last rose
    finished_ms: int | None = None  # when the game ended
    has_acted: bool = Field(default=True, exclude_if=bool)
    """False before the first act, and stored only then: so the text of an act is shorter."""


Stats = Mapping[int, PlayerStats]  # of players, by seat


class StandIn(Record):
    """A computer player that plays at the seat of a person who is gone."""

    level: BotLevel  # its strength
    token: str  # what names it beside the owner, to whom nothing of it is known


class CarryRecord(Record):
    """The code that moves a seat to another device."""

    code_hash: str  # the hash of the code, which is sent to the owner alone
    until: int  # when it expires (ms since the epoch)
    used_by: str = Field(default="", exclude_if=not_)
    """The hash of the attempt that used it; only this attempt may be repeated."""


class Seat(Record):
    """One seat, with the place of its owner in the round and in the room."""

    number: int  # its number in the room
    name: str  # the name of its owner, unlike all others in the room
    role: Role  # the choice of the owner
    state: SeatState  # the place in the round
    connection: Presence = Presence.ON  # whether the owner is there
    generation: int = 1  # the fencing token of its connection: the loss of an older one is none
    process: str = ""  # the process that has the connection
    left_at: int | None = None  # when the connection was lost (milliseconds since the epoch)
    was_kicked: bool = False  # removed by the host during its race: it stays for the standings
    pace: BotPace = Field(default="usual", exclude_if=lambda pace: pace == "usual")
    """How fast a computer player plays, beside the usual pace of its strength."""
    tab: str = ""  # the page that has the connection, as the client names it
    networks: tuple[str, ...] = ()  # the hashed networks of the owner, the smallest first
    browser: str = ""  # the hashed browser of the owner
    by_address: bool = Field(default=False, exclude_if=not_)
    """Whether that is only the address: clients without an id of their browser share it."""
    past_browsers: tuple[str, ...] = Field(default=(), exclude_if=not_)
    """The hashed browsers that had the seat before it moved, and know its cards."""
    carry: CarryRecord | None = Field(default=None, exclude_if=not_)
    """The code that moves it to another device, if its owner has asked for one."""
    moved: int = Field(default=0, exclude_if=not_)
    """Connections up to this generation belong to a device that has given the seat away."""
    has_left: bool = False  # left by its owner during the round: it stays for the standings
    wins: int = 0  # races that it has won against other players in this room
    arrival: int | None = None  # its place in the order of joining, if its number is not the place
    attempt: str = ""  # the hash of the attempt to join; of a computer player its counted name
    joined_at: int = 0  # when its owner joined by that attempt (ms since the epoch), or 0
    last_attempt: str = Field(default="", exclude_if=not_)
    """The hash of the attempt of its owner's latest command that has changed the room, if any."""
    kind: SeatKind = "person"  # what the owner is, as the owner says
    colour: SeatColour = SEAT_COLOURS[0]  # an applicant gets its own when the host lets it in
    level: BotLevel | None = None  # the strength of a computer player; None of everybody else
    stand_in: StandIn | None = Field(default=None, exclude_if=not_)
    """The computer player that holds the seat of its owner, who is gone."""
    forfeits_at: int | None = Field(default=None, exclude_if=not_)
    """When its held forfeit becomes final (milliseconds since the epoch); it plays until then."""

    @property
    def is_bot(self) -> bool:
        """Whether it is a computer player, which counts as nobody of the people in the room."""
        return self.level is not None

    @property
    def is_played_by_bot(self) -> bool:
        """Whether a computer player has the seat, its own or that of a person who is gone."""
        return self.level is not None or self.stand_in is not None

    @property
    def is_gone(self) -> bool:
        """Whether the owner has no connection, and has lost it some time ago."""
        return self.connection is Presence.GONE

    @property
    def order(self) -> int:
        """A number that is the higher, the later the owner of the seat has joined."""
        return self.number if self.arrival is None else self.arrival

    @property
    def identity(self) -> Identity:
        """The origin of the seat's owner, as hashes."""
        return Identity(self.networks, self.browser)

    def may_be_of(self, person: Identity) -> bool:
        """Return whether the seat may be of this person, who may have moved it elsewhere."""
        return self.identity.same_person(person) or person.browser in self.past_browsers

    @property
    def known_browsers(self) -> frozenset[str]:
        """The hashed browsers that have or had the seat, without those that are only addresses."""
        now_ms = () if self.by_address or not self.browser else (self.browser,)
        return frozenset((*self.past_browsers, *now_ms))

    @property
    def plays(self) -> bool:
        """Whether the seat plays a game of the current round."""
        return self.state in {SeatState.RACING, SeatState.CHASING}

    def in_state(self, state: SeatState) -> "Seat":
        """Return the seat in this state, by which a held forfeit is over."""
        return self.replace(state=state, forfeits_at=None)

    def without_stand_in(self, left_at: int | None) -> "Seat":
        """Return the seat without its stand-in, if any: its owner is gone since `left_at`."""
        if self.stand_in is None:
            return self
        return self.replace(stand_in=None, connection=Presence.GONE, left_at=left_at)


class DealRecord(Record):
    """The origin of the cards: a seed or an open number."""

    seed: str | None = None  # sixteen bytes in hex
    salt: str | None = None  # sixteen bytes in hex, of a secret deal
    number: int | None = None  # of a numbered deal
    line: str = Field(default="", exclude_if=not_)  # the line that wins, by `pack_line`, if known
    degree: str = Field(default="", exclude_if=not_)  # how hard that was to find, if known
    played: str = Field(default="", exclude_if=not_)
    """The acts, by `pack_line`, after which the round begins; the line is from the deal on."""


class Round(Record):
    """A round, from its countdown on."""

    n: int  # its number; none is used twice in a room
    match: int = 1  # the number of its match
    game: int  # the game of the match's card, from 1
    repeats: bool = Field(default=False, exclude_if=not_)
    """Whether that game was played before in the match: then this round counts in its place."""
    settings: StoredSettings  # the settings of the room when it began
    deal: DealRecord  # its cards
    t0: int  # the start of the race (milliseconds since the epoch)
    t_end: int | None  # the latest end of the race (ms since the epoch); None without a limit
    ended: int | None = None  # when it ended (milliseconds since the epoch)
    names: dict[int, str] = {}  # the names of all players, by seat
    programs: tuple[int, ...] = ()  # the seats of programs, in the order in which they began
    colours: dict[int, SeatColour] = {}  # of all players when they began, by seat
    late_ms: dict[int, int] = {}
    """From t0 to the beginning of the games of chasers, and of all people in a window, by seat."""
    stand_ins: dict[int, BotLevel] = Field(default={}, exclude_if=not_)
    """The strengths of computer players that have played for people who were gone, by seat."""
    states: dict[int, SeatState] = {}  # how the games that are over have ended, by seat
    results: dict[int, PlayerStats] = {}  # the stats of the games that are over, by seat
    acts: int = 0  # acts in its logs, once it is over
    has_logs: bool = True  # whether its logs are stored
    cards: str = Field(default="", exclude_if=not_)
    """The cards that it deals again, as in `create`: of a day, of an entry, or of a game."""
    key: str = Field(default="", exclude_if=not_)  # that of a game of today's race; see `days.py`
    nameless: bool = Field(default=False, exclude_if=not_)
    """Whether this game of today's race was started without a name, and can still be signed."""
    secret: bool = Field(default=False, exclude_if=not_)
    """Whether its deal is that of a day that was not over at its begin: the room reveals none."""

    def without_name(self, seat: int) -> "Round":
        """Return the round without the name of a player."""
        return self.replace(names={**self.names, seat: ""}) if self.names.get(seat) else self

    @property
    def is_window(self) -> bool:
        """Whether each player begins when they like until `t_end`, with a clock of their own."""
        return self.settings.window_s is not None

    def is_ranked(self, seat: int) -> bool:
        """Return whether a player's game is ranked: it began in time, and nobody stood in."""
        return (self.is_window or seat not in self.late_ms) and seat not in self.stand_ins

    def began_ms(self, seat: int) -> int:
        """Return when a game begins in charts and replays (ms since t0); only windows differ."""
        return self.late_ms.get(seat, 0) if self.is_window else 0

    def end_of(self, seat: int) -> int | None:
        """Return when the game of a player ends at the latest (milliseconds since the epoch)."""
        limit_s = self.settings.time_limit_s
        if self.settings.window_s is None or limit_s is None or self.t_end is None:
            return self.t_end
        return min(self.t_end, self.t0 + self.late_ms.get(seat, 0) + limit_s * 1_000)


class Outgoing(Record):
    """A result that the board of its day is to get."""

    due: int  # when it is reported next (milliseconds since the epoch)
    is_reported: bool = False  # whether it was reported before


class ShelvedRound(Record):
    """A round of a kept room that has left the record, whose logs are stored with it."""

    n: int  # its number
    acts: int  # in its logs
    seats: tuple[int, ...]  # that have logs

    @classmethod
    def of(cls, played: Round) -> Self:
        """Return what the record of a room keeps of a round that leaves it."""
        return cls(n=played.n, acts=played.acts, seats=tuple(played.names))


class Kept(Record):
    """What makes a room a table that stays."""

    since: int  # when it was kept (milliseconds since the epoch)
    name: str = ""  # that the host has given it
    days: int = 90  # after its last race until it closes
    raced: int  # when its last race ended, or it was kept (milliseconds since the epoch)
    races: int = 0  # rounds that were added to its history
    forgotten: int = Field(default=0, exclude_if=not_)
    """How often the name of a person was removed from its history."""
    shelf: tuple[ShelvedRound, ...] = ()  # the rounds that have left the record, earliest first

    @property
    def until(self) -> int:
        """When it closes, unless there is another race (milliseconds since the epoch)."""
        return self.raced + self.days * DAY_MS


class Room(Record):
    """A whole room."""

    code: str  # its code, by which people join
    state: RoomState = RoomState.LOBBY  # the row of the table of transitions
    settings: StoredSettings  # those of the next round
    host: int | None  # the seat of the host, None in a room without connected players
    seats: tuple[Seat, ...]  # of everybody in the room
    numbers_given: int  # numbers of seats that were given, each once
    number_given_again: int | None = None  # the latest one; None while there are new ones
    rounds_started: int = 0  # rounds that were started: the number of the latest one
    match: int = 1  # the number of the current match
    chosen_game: int | None = None  # the game of the card that the host has chosen to be next
    plays_again: bool = Field(default=False, exclude_if=not_)
    """Whether the chosen game was played before, and so is to be played once more."""
    round: Round | None = None  # the current round, or the latest one
    rounds: tuple[Round, ...] = ()  # the latest rounds that are over, the earliest first
    aborted: Round | None = Field(default=None, exclude_if=not_)
    """The round that was aborted in a room for one, whose cards can be dealt again."""
    idle_since: int | None = None  # when the last person left or, if later, the round ended, in ms
    networks: dict[str, int] = {}  # hashed ones of who opened it, with shares of the limit
    waiting: tuple[Seat, ...] = ()  # whom the host has not admitted yet: not in the room
    past_hosts: tuple[int, ...] = ()  # the earliest first; one who returns is host again
    outbox: dict[int, Outgoing] = Field(default={}, exclude_if=not_)
    """The results that the board of their day is still to get, by round."""
    kept: Kept | None = Field(default=None, exclude_if=not_)
    """What makes it a table that stays, if it is one."""
    is_deleted: bool = Field(default=False, exclude_if=not_)
    """Whether its host has deleted it: then it is closed, and not stored any more."""
    salt: str = ""  # the salt of all identities in the room
    bans: tuple[str, ...] = ()  # hashes of the browsers and networks of banned people

    @property
    def has_open_window(self) -> bool:
        """Whether players may begin when they like, so that nothing of others may be shown."""
        return self.state is RoomState.RUNNING and self.round is not None and self.round.is_window

    @property
    def everybody(self) -> tuple[Seat, ...]:
        """The seats in the room and in the queue."""
        return (*self.seats, *self.waiting)

    @property
    def known_rounds(self) -> tuple[Round, ...]:
        """The rounds of the record; the latest one is there twice once it is over."""
        return self.rounds if self.round is None else (*self.rounds, self.round)

    @property
    def is_sealed(self) -> bool:
        """Whether it knows the deal of a day that was secret: nobody else may come."""
        played = (*self.known_rounds, self.aborted)
        return any(each is not None and (each.secret or each.key != "") for each in played)

    @property
    def shelf(self) -> tuple[ShelvedRound, ...]:
        """The rounds of a kept room that have left the record, whose games can be shown."""
        return () if self.kept is None else self.kept.shelf

    def finished_round(self, n: int) -> Round | None:
        """Return round `n` if it is over and in the record, and its games can be shown."""
        shown = (each for each in self.rounds if each.has_logs and not each.secret)
        return next((each for each in shown if each.n == n), None)

    def applicant(self, number: int) -> Seat | None:
        """Return the seat of this number in the queue, or None."""
        return next((seat for seat in self.waiting if seat.number == number), None)

    def seat(self, number: int | None) -> Seat | None:
        """Return the seat of this number in the room, or None."""
        return next((seat for seat in self.seats if seat.number == number), None)

    def played(self) -> tuple[Round, ...]:
        """Return the rounds of the current match that are over, without repeated ones."""
        rounds = [played for played in self.rounds if played.match == self.match]
        repeated = {later.game: later.n for later in rounds if later.repeats}
        return tuple(each for each in rounds if each.n >= repeated.get(each.game, 0))

    def round_with(self, seat: int, n: int) -> Round | None:
        """Return round `n` if this seat has a game in it; None too if it was aborted."""
        rounds = reversed(self.known_rounds)
        return next((each for each in rounds if each.n == n and seat in each.names), None)

    def racers(self) -> tuple[Seat, ...]:
        """Return the seats that are still racing; without any the round is over."""
        return tuple(seat for seat in self.seats if seat.state is SeatState.RACING)

    def players(self) -> tuple[Seat, ...]:
        """Return the seats whose games are on: racers and chasers."""
        return tuple(seat for seat in self.seats if seat.plays)

    def with_seats(self, *changed: Seat) -> "Room":
        """Return the room with these seats by their numbers; the same object if none is new."""
        by_number = {seat.number: seat for seat in changed}
        seats = tuple(by_number.get(seat.number, seat) for seat in self.seats)
        waiting = tuple(by_number.get(seat.number, seat) for seat in self.waiting)
        is_same = (seats, waiting) == (self.seats, self.waiting)
        return self if is_same else self.replace(seats=seats, waiting=waiting)


@dataclass(frozen=True, slots=True)
class VersionedRoom:
    """A room as one version of its record."""

    room: Room  # the room as it was then
    v: int  # the number of the latest event
    doc: str = field(default="", compare=False, repr=False)  # the text in the store
    written_here: bool = field(default=False, compare=False, repr=False)
    """Whether this process has written the latest event, which then is no chat message."""


def round_of(room: Room) -> Round:
    """Return the round of a room that is in a countdown or a race, or after a race."""
    assert room.round is not None, "only a lobby has no round"
    return room.round


def with_players(played: Round, *players: Seat) -> Round:
    """Return a round in which these players begin their games."""
    programs = (seat.number for seat in players if seat.kind == "program")
    return played.replace(
        names=played.names | {seat.number: seat.name for seat in players},
        programs=(*played.programs, *programs),
        colours=played.colours | {seat.number: seat.colour for seat in players},
    )


def numbers(played: tuple[Round, ...]) -> tuple[int, ...]:
    """Return the game of the card (from 1) of each round of one match, in the order of playing."""
    return tuple(each.game for each in played)


def open_games(room: Room) -> tuple[int, ...]:
    """Return the games of the card that are not yet played; none once the match is over."""
    played = numbers(room.played())
    return tuple(game for game in range(1, room.settings.rounds + 1) if game not in played)


def may_be_played_again(room: Room, game: int) -> bool:
    """Return whether a game that is over may be chosen again; the last time counts."""
    return room.settings.rounds == DOS_CARD and game <= DOS_CARD and game in numbers(room.played())


def next_game(room: Room) -> int | None:
    """Return the next game: the chosen one, or the lowest unplayed; None after the match."""
    games, chosen = open_games(room), room.chosen_game
    if chosen is not None and room.plays_again and may_be_played_again(room, chosen):
        return chosen
    return chosen if chosen in games else min(games, default=None)


class InvalidRecord(Exception):  # noqa: N818  # a state of the record
    """A stored document is no room, or one that this release cannot serve."""


@lru_cache(maxsize=PARSED)
def parse_record(code: str, doc: str) -> Room:
    """Return the room of a stored document; cached, since each version is read several times.

    Raises:
        InvalidRecord: the document is no room, or one that this release cannot serve.
    """
    try:
        room = Room.model_validate_json(doc)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InvalidRecord(f"{where or 'document'}: {first['msg']}") from None
    for why in _defects(code, room):
        raise InvalidRecord(why)
    return room


def parse_shelved(n: int, doc: str) -> Round:
    """Return a round from the shelf of a kept room.

    Raises:
        InvalidRecord: the document is not this round, or one that this release cannot serve.
    """
    try:
        played = Round.model_validate_json(doc)
    except ValidationError:
        raise InvalidRecord("a shelved round that cannot be read") from None
    if played.n != n or played.ended is None:
        raise InvalidRecord("a shelved round: another one, or not over")
    for why in _defects_of_round(played):
        raise InvalidRecord(why)
    return played


def _defects(code: str, room: Room) -> Iterator[str]:
    """Yield the conditions between fields that transitions and views need and the room lacks."""
    over = room.known_rounds if room.state is RoomState.FINISHED else room.rounds
    if room.code != code:
        yield "code: another room's"
    if room.state not in {RoomState.LOBBY, RoomState.CLOSED} and room.round is None:
        yield f"round: {room.state} without one"
    if any(one.ended is None for one in over):
        yield "rounds.ended: missing of a round that is over"
    if any(one.connection is Presence.GRACE and one.left_at is None for one in room.everybody):
        yield "seats.left_at: missing of a seat that was lost"
    for played in room.known_rounds:
        yield from _defects_of_round(played)


def _defects_of_round(played: Round) -> Iterator[str]:
    if played.deal.seed is None and played.deal.number is None:
        yield "round.deal: neither a seed nor a number"
    try:
        check_rules(rules_of(played.settings))
        bytes.fromhex((played.deal.seed or "") + (played.deal.salt or ""))
    except BadRules as error:
        yield f"round.settings: {error}"
    except ValueError:
        yield "round.deal: a seed or salt that is no number"
