"""The stored form of a room: one frozen document, which each transition replaces as a whole.

Processes of two releases may serve the same room, and a release may be rolled back. So every part
of the document keeps fields that this release does not know. `parse_record` refuses a document
that lacks fields which transitions and views need.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import not_
from typing import Any, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from protocol import vocabulary
from protocol.settings import Settings
from protocol.vocabulary import SEAT_COLOURS, BotLevel, Presence, RoomState, SeatColour, SeatState
from server.games.errors import BadRules
from server.games.rules import check_rules
from server.rooms.settings import rules_of

DOS_GAMES = 6  # games in a match of the DOS program; any may be played again
DAY_MS = 24 * 3_600 * 1_000
MAX_PARSED = 64  # parsed rooms in the cache: they are usually read again within moments


class Identity(NamedTuple):
    """Hashes that identify a person; `networks` are nested, the smallest first.

    There are no networks on the loopback, or behind a proxy that is not configured.
    """

    networks: tuple[str, ...] = ()
    browser: str = ""

    def may_be_same_person(self, other: "Identity") -> bool:
        """Return whether both may be one person: they share a browser or the smallest network."""
        browser = self.browser != "" and self.browser == other.browser
        return browser or (self.networks != () and self.networks[:1] == other.networks[:1])


class Record(BaseModel):
    """Part of a stored room. New fields need a default; never rename one."""

    # Errors are logged, so they must not quote a record: it holds seeds.
    model_config = ConfigDict(frozen=True, extra="allow", hide_input_in_errors=True)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with these fields changed."""
        return self.model_copy(update=changes)

    def model_post_init(self, _context: Any, /) -> None:
        """Share one empty `model_fields_set` among all records, since nobody reads it."""
        object.__setattr__(self, "__pydantic_fields_set__", _NO_FIELDS)


_NO_FIELDS: set[str] = set()
"""Shared by all records: a set for each would take 730 bytes. Pydantic copies it to change it."""


def if_set(default: Any) -> Any:
    """Return a field that is stored unless it is empty: records of old releases lack it."""
    return Field(default=default, exclude_if=not_)


class StoredSettings(Settings):
    """Settings in a stored room. They keep unknown fields, which messages must not have."""

    model_config = ConfigDict(extra="allow", hide_input_in_errors=True)


def stored_settings(chosen: Settings, before: StoredSettings | None = None) -> StoredSettings:
    """Return settings to store: the client's, and any of `before` that this release lacks."""
    unknown = {} if before is None else before.model_extra
    return StoredSettings.model_validate({**(unknown or {}), **dict(chosen)})


def known_settings(settings: Settings) -> Settings:
    """Return settings without those that a newer release has stored and this one does not know."""
    return Settings.model_construct(**vars(settings))


class PlayerStats(Record):
    """The stats of one game; times are in ms since t0, or since the player started if later."""

    score: int = 0  # in the scoring system chosen for the room
    moves: int = 0
    suits: int = 0  # complete suits that were removed
    home: int = 0  # cards on the foundations
    face_down: int = 0  # cards that lie face down on the table
    cheats: int = 0  # undos that count as cheats
    exceptions: int = 0  # moves of mixed runs
    hints: int = 0  # counted by the store
    restored: int = 0  # acts that the store had lost and the client has sent again
    on_table: int = 0  # complete suits in the columns under the `moves` score; else 0
    won: bool = False
    gained_ms: int = 0  # when the score last rose
    finished_ms: int | None = None  # when the game ended
    has_acted: bool = Field(default=True, exclude_if=bool)
    """Stored only while it is false, before the first act, to keep the text of an act short."""


Stats = Mapping[int, PlayerStats]  # by seat


class StandIn(Record):
    """A computer player that plays for a person who is gone."""

    level: BotLevel
    token: str  # its own token, hashed; the owner's token stays valid


class CarryRecord(Record):
    """The code that moves a seat to another device."""

    code_hash: str  # only the owner receives the code itself
    until: int  # when it expires (ms since the epoch)
    used_by: str = if_set("")  # the hash of the attempt that used it, which may be repeated


class Seat(Record):
    """One seat in the room or in the queue."""

    number: int  # its number in the room
    name: str  # the name of its owner; no two in a room are alike
    role: vocabulary.Role
    state: SeatState  # in the round
    connection: Presence = Presence.ON  # whether the owner is there
    generation: int = 1  # numbers its connections: the loss of an older one changes nothing
    process: str = ""  # the process that has the connection
    left_at: int | None = None  # when the connection was lost (milliseconds since the epoch)
    was_kicked: bool = False  # removed by the host during its race: it stays for the standings
    pace: vocabulary.BotPace = Field(default="usual", exclude_if=lambda pace: pace == "usual")
    """How fast a computer player plays, compared with others of its level."""
    tab: str = ""  # the client's name for the page that has the connection
    networks: tuple[str, ...] = ()  # the hashed networks of the owner, the smallest first
    browser: str = ""  # the hashed browser of the owner
    by_address: bool = if_set(False)  # `browser` is a hash of the address: the client sent no id
    past_browsers: tuple[str, ...] = if_set(())  # hashed; they had the seat and know its cards
    carry: CarryRecord | None = if_set(None)  # for moving it to another device, if asked for
    moved: int = if_set(0)  # up to this generation, connections come from the owner's old device
    has_left: bool = False  # the owner left during the round: it stays for the standings
    wins: int = 0  # races won against others in this room
    arrival: int | None = None  # its rank in the order of joining; None if that is its number
    attempt: str = ""  # the hash of the attempt to join; a computer player's `counted_name`
    joined_at: int = 0  # when its owner joined by that attempt (ms since the epoch), or 0
    last_attempt: str = if_set("")  # the hashed attempt of its owner's latest change
    kind: vocabulary.SeatKind = "person"  # as the owner's client claims
    colour: SeatColour = SEAT_COLOURS[0]  # applicants get theirs when the host lets them in
    level: BotLevel | None = None  # the strength of a computer player; None for everybody else
    stand_in: StandIn | None = if_set(None)  # plays for the owner, who is gone
    forfeits_at: int | None = if_set(None)  # when a pending forfeit is final (ms since the epoch)

    @property
    def is_bot(self) -> bool:
        """Whether the seat belongs to a computer player."""
        return self.level is not None

    @property
    def is_played_by_bot(self) -> bool:
        """Whether a computer player has the seat, even if only as a stand-in."""
        return self.level is not None or self.stand_in is not None

    @property
    def is_gone(self) -> bool:
        """Whether the owner's connection is lost and its grace is over."""
        return self.connection is Presence.GONE

    @property
    def order(self) -> int:
        """The rank in the order of joining: the seat's number, unless the number was reused."""
        return self.number if self.arrival is None else self.arrival

    @property
    def identity(self) -> Identity:
        """Who owns the seat, as hashes."""
        return Identity(self.networks, self.browser)

    def may_be_of(self, person: Identity) -> bool:
        """Return whether this person may own the seat, or may have moved it to another device."""
        return self.identity.may_be_same_person(person) or person.browser in self.past_browsers

    @property
    def known_browsers(self) -> frozenset[str]:
        """The hashed browsers that have or had the seat; hashes of addresses do not count."""
        current = () if self.by_address or not self.browser else (self.browser,)
        return frozenset((*self.past_browsers, *current))

    @property
    def plays(self) -> bool:
        """Whether the seat has an unfinished game in the current round."""
        return self.state in {SeatState.RACING, SeatState.CHASING}

    def in_state(self, state: SeatState) -> "Seat":
        """Return the seat in this state, without a pending forfeit."""
        return self.replace(state=state, forfeits_at=None)

    def without_stand_in(self, left_at: int | None) -> "Seat":
        """Return the seat without any stand-in; its owner then counts as gone since `left_at`."""
        if self.stand_in is None:
            return self
        return self.replace(stand_in=None, connection=Presence.GONE, left_at=left_at)


class DealRecord(Record):
    """Where the cards come from: a seed or a number."""

    seed: str | None = None  # sixteen bytes in hex
    salt: str | None = None  # sixteen bytes in hex; only secret deals have one
    number: int | None = None  # of a numbered deal
    line: str = if_set("")  # a line that wins (see `pack_line`), if known
    degree: str = if_set("")  # how hard it was to find, if known
    played: str = if_set("")  # acts before the round starts (see `pack_line`); `line` ignores them


class Round(Record):
    """A round, from its countdown on. Dictionaries have seat numbers as keys."""

    n: int  # its number, which no other round in the room has
    match: int = 1  # the number of its match
    game: int  # which game of its match it is, from 1
    repeats: bool = if_set(False)  # replaces an earlier round of the match with the same `game`
    settings: StoredSettings  # the settings of the room when it started
    deal: DealRecord  # its cards
    t0: int  # the start of the race (milliseconds since the epoch)
    t_end: int | None  # the latest end of the race (ms since the epoch); None if unlimited
    ended: int | None = None  # when it ended (milliseconds since the epoch)
    names: dict[int, str] = {}  # of all players
    programs: tuple[int, ...] = ()  # the seats of programs, in the order of starting
    colours: dict[int, SeatColour] = {}  # of all players when they started
    late_ms: dict[int, int] = {}
    """How long after t0 chasers started; in a window, how long after t0 each person started."""
    stand_ins: dict[int, BotLevel] = if_set({})  # the levels of stand-ins that have played
    states: dict[int, SeatState] = {}  # how games have ended
    results: dict[int, PlayerStats] = {}  # the stats of games that are over
    acts: int = 0  # acts in its logs, once it is over
    has_logs: bool = True  # whether its logs are stored
    cards: str = if_set("")  # the cards that `create` asked for, if any (see `parse_cards_path`)
    key: str = if_set("")  # set in today's race: a proof for its player (`days.py`)
    nameless: bool = if_set(False)  # a game of today's race that was started without a name
    secret: bool = if_set(False)  # has the deal of a day that is not over: it is never revealed

    def without_name(self, seat: int) -> "Round":
        """Return the round without the name of a player."""
        return self.replace(names={**self.names, seat: ""}) if self.names.get(seat) else self

    @property
    def is_todays_race(self) -> bool:
        """Whether it is a game of today's race: the room's only round, reported to the board."""
        return self.key != ""

    @property
    def is_window(self) -> bool:
        """Whether each player starts when they like until `t_end`, with their own clock."""
        return self.settings.window_s is not None

    def is_ranked(self, seat: int) -> bool:
        """Return whether a seat's game is ranked: it started in time and had no stand-in."""
        return (self.is_window or seat not in self.late_ms) and seat not in self.stand_ins

    def began_ms(self, seat: int) -> int:
        """Return when a game starts in charts and replays (ms since t0): 0 except in a window."""
        return self.late_ms.get(seat, 0) if self.is_window else 0

    def end_of(self, seat: int) -> int | None:
        """Return when a player's time is over (ms since the epoch); None if it is unlimited."""
        limit_s = self.settings.time_limit_s
        if self.settings.window_s is None or limit_s is None or self.t_end is None:
            return self.t_end
        return min(self.t_end, self.t0 + self.late_ms.get(seat, 0) + limit_s * 1_000)


class Outgoing(Record):
    """A result of today's race that has to be reported to the board of its day."""

    due: int  # when to report it (milliseconds since the epoch)
    is_reported: bool = False  # whether it was reported before


class ShelvedRound(Record):
    """A round of a kept room that was moved out of the record, together with its logs."""

    n: int  # its number
    acts: int  # acts in its logs
    seats: tuple[int, ...]  # the seats with logs

    @classmethod
    def of(cls, played: Round) -> Self:
        """Return the entry that replaces a round in the record when it moves to the shelf."""
        return cls(n=played.n, acts=played.acts, seats=tuple(played.names))


class Kept(Record):
    """The data of a room that is kept as a table."""

    since: int  # when it was kept (milliseconds since the epoch)
    name: str = ""  # given by the host
    days: int = 90  # how long it stays open after its last race
    raced: int  # when its last race ended, or it was kept (milliseconds since the epoch)
    races: int = 0  # rounds that were added to its history
    forgotten: int = if_set(0)  # how often somebody's name was removed from its history
    shelf: tuple[ShelvedRound, ...] = ()  # rounds moved out of the record, oldest first

    @property
    def until(self) -> int:
        """When the table closes, unless there is another race (milliseconds since the epoch)."""
        return self.raced + self.days * DAY_MS


class Room(Record):
    """The stored state of a room, with its seats, rounds and settings."""

    code: str  # the code that people use to join
    state: RoomState = RoomState.LOBBY
    settings: StoredSettings  # for the next round
    host: int | None  # the host's seat; None in a room without connected players
    seats: tuple[Seat, ...]  # of everybody in the room
    numbers_given: int  # how many different seat numbers were given
    number_given_again: int | None = None  # the latest reused number; None while new ones are left
    rounds_started: int = 0  # also the number of the latest round
    match: int = 1  # the number of the current match
    chosen_game: int | None = None  # the game of the match that the host wants next
    plays_again: bool = if_set(False)  # the chosen game was played before and is to be repeated
    round: Round | None = None  # the current round, or the latest one
    rounds: tuple[Round, ...] = ()  # the latest rounds that are over, oldest first
    aborted: Round | None = if_set(None)  # aborted practice, whose cards can be dealt again
    idle_since: int | None = None  # when the last person left or, if later, the round ended, in ms
    networks: dict[str, int] = {}
    """The hashed networks of the person who opened it, and how many addresses each counts as."""
    waiting: tuple[Seat, ...] = ()  # the queue: people whom the host has not admitted yet
    past_hosts: tuple[int, ...] = ()  # oldest first; one who returns is host again
    outbox: dict[int, Outgoing] = if_set({})  # results to report to a day's board, by round
    kept: Kept | None = if_set(None)  # set if the room is kept as a table
    is_deleted: bool = if_set(False)  # the host has deleted it: it is closed and leaves the store
    salt: str = ""  # for the hashes of identities in this room
    bans: tuple[str, ...] = ()  # hashed browsers and networks of banned people

    @property
    def has_open_window(self) -> bool:
        """Whether a window is open: players start when they like and see nothing of others."""
        return self.state is RoomState.RUNNING and self.round is not None and self.round.is_window

    @property
    def everybody(self) -> tuple[Seat, ...]:
        """The seats in the room and in the queue."""
        return (*self.seats, *self.waiting)

    @property
    def known_rounds(self) -> tuple[Round, ...]:
        """The rounds in the record; the latest is listed twice once it is over."""
        return self.rounds if self.round is None else (*self.rounds, self.round)

    @property
    def is_sealed(self) -> bool:
        """Whether people here know the secret deal of a day, so that nobody else may join."""
        rounds = (*self.known_rounds, self.aborted)
        return any(known and (known.secret or known.is_todays_race) for known in rounds)

    @property
    def shelf(self) -> tuple[ShelvedRound, ...]:
        """The rounds of a kept room outside of the record; their games can still be shown."""
        return () if self.kept is None else self.kept.shelf

    def finished_round(self, n: int) -> Round | None:
        """Return round `n` of the record if it is over and its games can be shown."""
        shown = (played for played in self.rounds if played.has_logs and not played.secret)
        return next((played for played in shown if played.n == n), None)

    def applicant(self, number: int) -> Seat | None:
        """Return the seat with this number in the queue, or None."""
        return next((seat for seat in self.waiting if seat.number == number), None)

    def seat(self, number: int | None) -> Seat | None:
        """Return the seat with this number in the room, or None."""
        return next((seat for seat in self.seats if seat.number == number), None)

    def counted_rounds(self) -> tuple[Round, ...]:
        """Return the match's finished rounds; of a repeated game only the last one counts."""
        rounds = [played for played in self.rounds if played.match == self.match]
        repeated = {later.game: later.n for later in rounds if later.repeats}
        return tuple(played for played in rounds if played.n >= repeated.get(played.game, 0))

    def round_with(self, seat: int, n: int) -> Round | None:
        """Return round `n` if this seat has a game in it and it was not aborted."""
        rounds = reversed(self.known_rounds)
        return next((known for known in rounds if known.n == n and seat in known.names), None)

    def racers(self) -> tuple[Seat, ...]:
        """Return the seats that are still racing; the round ends with the last one."""
        return tuple(seat for seat in self.seats if seat.state is SeatState.RACING)

    def playing(self) -> tuple[Seat, ...]:
        """Return the seats of racers and chasers whose games are not over."""
        return tuple(seat for seat in self.seats if seat.plays)

    def with_seats(self, *changed: Seat) -> "Room":
        """Return the room with these seats replaced; the same object if nothing changes."""
        by_number = {seat.number: seat for seat in changed}
        seats = tuple(by_number.get(seat.number, seat) for seat in self.seats)
        waiting = tuple(by_number.get(seat.number, seat) for seat in self.waiting)
        is_same = (seats, waiting) == (self.seats, self.waiting)
        return self if is_same else self.replace(seats=seats, waiting=waiting)


@dataclass(frozen=True, slots=True)
class VersionedRoom:
    """One version of a room."""

    room: Room
    v: int  # the number of the latest event
    doc: str = field(default="", compare=False, repr=False)  # the stored text
    written_here: bool = field(default=False, compare=False, repr=False)
    """Whether this process wrote the latest event; False for chat messages."""


def round_of(room: Room) -> Round:
    """Return the current or latest round. The room must have had a countdown."""
    assert room.round is not None, "only a lobby has no round"
    return room.round


def with_players(played: Round, *players: Seat) -> Round:
    """Return the round after these players have started their games."""
    programs = (seat.number for seat in players if seat.kind == "program")
    return played.replace(
        names=played.names | {seat.number: seat.name for seat in players},
        programs=(*played.programs, *programs),
        colours=played.colours | {seat.number: seat.colour for seat in players},
    )


def played_games(room: Room) -> tuple[int, ...]:
    """Return the numbers of the match's finished games, from 1, in the order of the rounds."""
    return tuple(played.game for played in room.counted_rounds())


def open_games(room: Room) -> tuple[int, ...]:
    """Return the numbers of the match's games that are still to be played."""
    played = played_games(room)
    return tuple(game for game in range(1, room.settings.rounds + 1) if game not in played)


def may_be_played_again(room: Room, game: int) -> bool:
    """Return whether a finished game may be repeated, as in a match of the DOS program."""
    is_dos_match = room.settings.rounds == DOS_GAMES
    return is_dos_match and game <= DOS_GAMES and game in played_games(room)


def next_game(room: Room) -> int | None:
    """Return the next game: the chosen one, or the first unplayed; None after the match."""
    games, chosen = open_games(room), room.chosen_game
    if chosen is not None and room.plays_again and may_be_played_again(room, chosen):
        return chosen
    return chosen if chosen in games else min(games, default=None)


class InvalidRecord(Exception):  # noqa: N818  # a state of the record
    """A stored document is not a room, or one that this release cannot serve."""


@lru_cache(maxsize=MAX_PARSED)
def parse_record(code: str, doc: str) -> Room:
    """Parse a stored room, or raise InvalidRecord; cached, since each version is read often."""
    try:
        room = Room.model_validate_json(doc)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InvalidRecord(f"{where or 'document'}: {first['msg']}") from None
    for defect in _defects(code, room):
        raise InvalidRecord(defect)
    return room


def parse_shelved(n: int, doc: str) -> Round:
    """Parse round `n` from the shelf of a kept room, or raise InvalidRecord."""
    try:
        played = Round.model_validate_json(doc)
    except ValidationError:
        raise InvalidRecord("a shelved round that cannot be read") from None
    if played.n != n or played.ended is None:
        raise InvalidRecord("a shelved round: another one, or not over")
    for defect in _defects_of_round(played):
        raise InvalidRecord(defect)
    return played


def _defects(code: str, room: Room) -> Iterator[str]:
    """Yield each defect that would make transitions or views fail; `code` is the room's key."""
    finished = room.known_rounds if room.state is RoomState.FINISHED else room.rounds
    if room.code != code:
        yield "code: another room's"
    if room.state not in {RoomState.LOBBY, RoomState.CLOSED} and room.round is None:
        yield f"round: {room.state} without one"
    if any(played.ended is None for played in finished):
        yield "rounds.ended: missing of a round that is over"
    if any(seat.connection is Presence.GRACE and seat.left_at is None for seat in room.everybody):
        yield "seats.left_at: missing of a seat that was lost"
    for played in room.known_rounds:
        yield from _defects_of_round(played)


def _defects_of_round(played: Round) -> Iterator[str]:
    """Yield why the cards of this round cannot be dealt, if they cannot."""
    if played.deal.seed is None and played.deal.number is None:
        yield "round.deal: neither a seed nor a number"
    try:
        check_rules(rules_of(played.settings))
        bytes.fromhex((played.deal.seed or "") + (played.deal.salt or ""))
    except BadRules as error:
        yield f"round.settings: {error}"
    except ValueError:
        yield "round.deal: a seed or salt that is no number"
