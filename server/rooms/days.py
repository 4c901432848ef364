"""The race of the day, and cards that are dealt again. Pure, like the room.

1. A day is one of UTC. Each has one secret deal a game, in which a win is known.
2. A game of today's race is the round of a room for one. Its key is made from the token of the
   seat, and the name of its entry on the board from the key. So the key proves who has played, and
   the entry can be shown to all.
3. A browser plays a game of the day once. Its claim names the room and the key, and never changes:
   creating that room decides which attempt has the game. Its player enters the room only after the
   claim is marked as open, and a claim is released only by the last of the attempts under way. So
   no game that is on is missing among those that have begun.
4. A day is over when it has ended and no game of it can be on any more: an hour later at most.
   Until then its deal is secret, also in rooms of people who have played it and deal it again.
5. Whatever is dealt again is known to exist, so its rooms are for one, and its results count
   nowhere but there.
6. Computer players play each day's deal, too. Their entries have fixed names and no place on the
   board, and no count includes them. They can be replayed and raced like all other entries.
"""

import hashlib
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import not_
from typing import Final, NamedTuple, get_args

from pydantic import Field

from protocol.settings import Settings
from protocol.vocabulary import (
    DAY_GAMES,
    DAY_LIMIT_S,
    ENTRY_LENGTH,
    SEAT_COLOURS,
    BotLevel,
    DayGameId,
    SeatKind,
    SeatState,
)
from server.games.actions import TimedAction
from server.rooms.deals import deal_game, pack_line
from server.rooms.ranking import board_order
from server.rooms.record import DealRecord, PlayerStats, Record, Round, StoredSettings
from server.rooms.settings import complete

LIMIT_MS = DAY_LIMIT_S * 1_000
LAST_WON = LIMIT_MS + 60_000  # no winner has a higher order: a tick may come late
HALF_MINUTES = range(30_000, LAST_WON + 30_001, 30_000)  # when each half minute ends
SUITS = 8  # that are home at the end of a game that was won
KEY_LENGTH = 32
CONFIRMED_MS = 10_000
"""Time after which a report is sent once more: a failover may have lost the first one."""
FORM = 1  # the form of days: the only one that this release writes and reads
PUT_OFF_MS = 30_000  # time after which a report is tried again that could not be stored


class Cards(NamedTuple):
    """What `create` names as the cards of a new room."""

    day: str = ""  # the date of a day, empty for the game of a room
    game: DayGameId = "spider-1"
    entry: str = ""  # on the board of the day, empty for the race of the day itself
    room_code: str = ""
    n: int = 0
    seat: int = 0


def parse_cards(text: str) -> Cards:
    """Return what a text of `CARDS_PATTERN` names."""
    first, second, *rest = text.split("/")
    if (game := next((each for each in DAY_GAMES if each == second), None)) is not None:
        return Cards(day=first, game=game, entry="".join(rest))
    return Cards(room_code=first, n=int(second), seat=int(rest[0]))


def settings_of_day(game: DayGameId) -> Settings:
    """Return the rules of a game of the day."""
    chosen = Settings(game=game, time_limit_s=DAY_LIMIT_S, max_players=1, locked=True)
    return complete(chosen)


def settings_again(played: Round) -> StoredSettings:
    """Return the rules of a room that deals the cards of a finished round again."""
    alone = Settings().model_dump(include={"rounds", "match_ranking", "public", "approve"})
    alone |= {"chasers": False, "after_win_s": None, "window_s": None, "one_seat": False}
    alone |= {"max_players": 1, "locked": True}
    if played.settings.deal == "numbered":
        alone["number"] = played.deal.number
    return played.settings.model_copy(update=alone)


def key_of(token_hash: str) -> str:
    """Return the key of the game of today's race that is played with this token."""
    return hashlib.sha256(f"key {token_hash}".encode()).hexdigest()[:KEY_LENGTH]


def entry_of(key: str) -> str:
    """Return the name of the entry on the board of the game with this key."""
    return hashlib.sha256(f"entry {key}".encode()).hexdigest()[:ENTRY_LENGTH]


def computer_entry(level: BotLevel) -> str:
    """Return the name of the entry of a computer player, which is the same in all games."""
    return hashlib.sha256(f"computer {level}".encode()).hexdigest()[:ENTRY_LENGTH]


COMPUTERS: Final = {computer_entry(level): level for level in get_args(BotLevel)}
"""The strengths of computer players, by the names of their entries."""


def player_of(day: str, origin: str) -> str:
    """Return the name under which a browser is counted, which is another one each day."""
    return hashlib.sha256(f"{day} {origin}".encode()).hexdigest()[:ENTRY_LENGTH]


class Claim(NamedTuple):
    """The right of a player to one game of today's race: it names its entry, room and key."""

    entry: str = ""
    room_code: str = ""
    key: str = ""
    state: str = ""  # "open" once the room was there; else how many attempts are under way

    @property
    def is_open(self) -> bool:
        """Whether the game has begun; the room of a claim of another form was opened long ago."""
        return self.state == "open" or entry_of(self.key) != self.entry

    def __str__(self) -> str:
        return " ".join(self[:3])


def parse_claim(text: str) -> Claim:
    """Return a stored claim."""
    return Claim(*text.split(" ")[:4])


class DayDeal(Record):
    """The deal of a game of a day."""

    form: int = FORM  # of everything stored about the game; the code before 1.0.0 names none
    seed: str
    salt: str
    line: str  # the line that wins, by `pack_line`
    degree: str = ""

    @property
    def record(self) -> DealRecord:
        """The deal as rounds have it."""
        return DealRecord(**{name: value for name, value in self if name != "form"})


class DayResult(Record):
    """The result of a game as the board of its day keeps it."""

    name: str  # empty while an operator keeps it off the board
    hidden_name: str = Field(default="", exclude_if=not_)  # the name that is off the board
    kind: SeatKind
    state: SeatState
    stats: PlayerStats
    level: BotLevel | None = Field(default=None, exclude_if=not_)  # of a computer player
    course: tuple[tuple[int, int, int], ...] = Field(default=(), exclude_if=not_)
    """A computer player's score over time: each change as milliseconds, score and suits."""

    def renamed(self, name: str) -> "DayResult":
        """Return the result under another name; a hidden name stays hidden."""
        return self.replace(**{"name" if self.name else "hidden_name": name})


class Placed(NamedTuple):
    """A result on a board; equal ones share a place, and computer players have none (0)."""

    place: int
    entry: str
    result: DayResult


class Spread(NamedTuple):
    """How many results of a board are alike."""

    finished: tuple[int, ...] = ()  # games won in each half minute, without the zeros at the end
    suits: tuple[int, ...] = ()  # games not won, by the suits that are home


def spread_of(won_before: Sequence[int], suits: Iterable[int]) -> Spread:
    """Return the spread of games `won_before` each of `HALF_MINUTES`, and of others by `suits`."""
    finished = [after - before for before, after in pairwise((0, *won_before))]
    while finished and not finished[-1]:
        finished.pop()
    counts = Counter(suits)
    return Spread(tuple(finished), tuple(counts[home] for home in range(SUITS)))


class Board(NamedTuple):
    """What a client may see of a board."""

    is_over: bool  # whether the day is over
    begun: int  # games that have begun
    finished: int = 0
    won: int = 0
    rows: tuple[Placed, ...] = ()
    around: tuple[Placed, ...] = ()  # around the entry of the client
    own: str = ""
    spread: Spread = Spread()
    computers: tuple[Placed, ...] = ()  # best first


class DayState(NamedTuple):
    """What is known of a game of a day before it is over."""

    game: DayGameId
    deal: DayDeal
    begun: int


class Report(NamedTuple):
    """The result of a game of today's race, for the board of its day."""

    day: str
    game: DayGameId
    entry: str
    order: int
    result: str  # a `DayResult` as JSON


def report_of(played: Round) -> Report:
    """Return what the round of a game of today's race reports at its end."""
    cards, seat = parse_cards(played.cards), next(iter(played.names))
    result = DayResult(
        name=played.names[seat],
        kind="program" if seat in played.programs else "person",
        state=played.states[seat],
        stats=played.results[seat],
    )
    order = board_order(played, seat)
    return Report(cards.day, cards.game, entry_of(played.key), order, result.model_dump_json())


def round_of_day(
    game: DayGameId, deal: DayDeal, results: Sequence[DayResult], t0: int, *, secret: bool
) -> Round:
    """Return the games of a day as one finished round, with the results in the order of seats."""
    seats = dict(enumerate(results))
    return Round(
        n=1,
        game=1,
        settings=StoredSettings.model_validate(dict(settings_of_day(game))),
        deal=deal.record,
        t0=t0,
        t_end=None,
        ended=t0 + max(each.stats.finished_ms or LIMIT_MS for each in results),
        names={seat: each.name for seat, each in seats.items()},
        programs=tuple(seat for seat, each in seats.items() if each.kind == "program"),
        colours={seat: SEAT_COLOURS[seat % len(SEAT_COLOURS)] for seat in seats},
        states={seat: each.state for seat, each in seats.items()},
        results={seat: each.stats for seat, each in seats.items()},
        secret=secret,
    )


def order_of(game: DayGameId, deal: DayDeal, result: DayResult) -> int:
    """Return a number that sorts the results of one deal, the best first."""
    return board_order(round_of_day(game, deal, [result], 0, secret=True), 0)


def pack_log(log: Sequence[TimedAction]) -> bytes:
    """Return a log in few bytes: the actions, then the times between them."""
    times = [each.ms for each in log]
    between = [after - before for before, after in zip([0, *times], times, strict=False)]
    actions = struct.pack(f">{len(log)}H", *(each.action for each in log))
    return zlib.compress(actions + struct.pack(f">{len(log)}I", *between), 9)


def unpack_log(packed: bytes) -> list[TimedAction]:
    """Return the log in the bytes of `pack_log`.

    Raises:
        zlib.error, struct.error: the bytes are none of these.
    """
    data = zlib.decompress(packed)
    size = len(data) // 6
    actions = struct.unpack_from(f">{size}H", data)
    between = struct.unpack_from(f">{size}I", data, 2 * size)
    log, ms = [], 0
    for action, more in zip(actions, between, strict=True):
        ms += more
        log.append(TimedAction(action, ms))
    return log


def continued(played: Round, log: Sequence[TimedAction], acts: int) -> DealRecord:
    """Return the deal of a game that continues another one after so many acts.

    It begins before the act that has ended the other one.
    """
    line, game = [each.action for each in log[:acts]], deal_game(played)
    for at, action in enumerate(line):
        game.replay(action)
        if game.outcome is not None:
            line = line[:at]
            break
    return played.deal.replace(played=pack_line(line)) if line else played.deal
