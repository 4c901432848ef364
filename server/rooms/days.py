"""Today's race, and games with the cards of an earlier one. Pure, like `room.py`.

1. Days are in UTC. Each has one secret deal for each game, with a known win.
2. A game of today's race is a round in a room for one. Its key is a hash of the seat's token, and
   the name of its entry on the board is a hash of the key. So the key proves who played, while
   everybody may see the entry.
3. A browser plays a game of the day once. Its claim names the room and the key, and never changes:
   the attempt that creates this room gets the game. The player enters the room only after the
   claim is marked as open, and only the last attempt under way may release a claim. So every game
   in progress is counted as started.
4. A day is over once it has ended and none of its games can still be in progress: an hour later at
   most. Until then its deal is secret, even in rooms of people who have played it and deal it
   again.
5. Players may know cards that are dealt again. So such rooms are for one, and their results count
   nowhere else.
6. Computer players play each day's deal too. Their entries have fixed names, get no place on the
   board and are not counted. They can be replayed and raced like other entries.
"""

import hashlib
import struct
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, cycle, pairwise
from typing import Final, NamedTuple, get_args

from protocol import vocabulary
from protocol.settings import Settings
from protocol.vocabulary import DAY_LIMIT_S, BotLevel, DayGameId, SeatKind, SeatState
from server.games.actions import TimedAction
from server.rooms.deals import deal_game, pack_line
from server.rooms.ranking import board_order
from server.rooms.record import DealRecord, PlayerStats, Record, Round, StoredSettings, if_set
from server.rooms.settings import complete

LIMIT_MS = DAY_LIMIT_S * 1_000
LAST_WON = LIMIT_MS + 60_000  # the highest `Report.order` of a win, its time: a tick may be late
HALF_MINUTES = range(30_000, LAST_WON + 30_001, 30_000)  # when each half minute ends
SUITS = 8  # the suits that are home after a win
KEY_LENGTH = 32
CONFIRMED_MS = 10_000  # a report is sent again after this time: a failover may have lost it
PUT_OFF_MS = 30_000  # a report that could not be stored is sent again after this time
FORM = 1  # the stored format of days; this release reads and writes no other


class CardsPath(NamedTuple):
    """The cards that `create` asks for: a day's, an entry's, or a game's in a room."""

    day: str = ""  # a date; empty for the game of a room
    game: DayGameId = "spider-1"
    entry: str = ""  # on the board of the day; empty for the day itself
    room_code: str = ""  # empty for the cards of a day
    n: int = 0  # the number of the room's round
    seat: int = 0  # whose game it is


def parse_cards_path(text: str) -> CardsPath:
    """Parse `DATE/GAME`, `DATE/GAME/ENTRY` or `CODE/N/SEAT` (see `CARDS_PATTERN`)."""
    first, second, *rest = text.split("/")
    game = next((known for known in vocabulary.DAY_GAMES if known == second), None)
    if game is not None:
        return CardsPath(day=first, game=game, entry="".join(rest))
    return CardsPath(room_code=first, n=int(second), seat=int(rest[0]))


def settings_of_day(game: DayGameId) -> Settings:
    """Return the settings for a day's game."""
    return complete(Settings(game=game, time_limit_s=DAY_LIMIT_S, max_players=1, locked=True))


def settings_again(played: Round) -> StoredSettings:
    """Return the settings for a solo room that deals a finished round's cards again."""
    solo = Settings().model_dump(include={"rounds", "match_ranking", "public", "approve"})
    solo |= {"chasers": False, "after_win_s": None, "window_s": None, "one_seat": False}
    solo |= {"max_players": 1, "locked": True}
    if played.settings.deal == "numbered":
        solo["number"] = played.deal.number
    return played.settings.model_copy(update=solo)


def key_of(token_hash: str) -> str:
    """Return a game's key in today's race, made from its seat's token."""
    return hashlib.sha256(f"key {token_hash}".encode()).hexdigest()[:KEY_LENGTH]


def entry_name(key: str) -> str:
    """Return the name of a game's entry on the board, made from the game's key."""
    return hashlib.sha256(f"entry {key}".encode()).hexdigest()[: vocabulary.ENTRY_LENGTH]


def computer_entry(level: BotLevel) -> str:
    """Return the name of a computer player's entries, which is the same every day."""
    return hashlib.sha256(f"computer {level}".encode()).hexdigest()[: vocabulary.ENTRY_LENGTH]


COMPUTERS: Final = {computer_entry(level): level for level in get_args(BotLevel)}
"""The levels of computer players, by the names of their entries."""


def player_of(day: str, origin: str) -> str:
    """Return the pseudonym of the browser `origin` in this day's counts."""
    return hashlib.sha256(f"{day} {origin}".encode()).hexdigest()[: vocabulary.ENTRY_LENGTH]


class Claim(NamedTuple):
    """A player's claim to one game of today's race."""

    entry: str = ""
    room_code: str = ""
    key: str = ""
    state: str = ""  # "open" once the room exists; before that, the number of attempts under way

    @property
    def has_started(self) -> bool:
        """Whether the game has started; claims in the older format say that it has."""
        return self.state == "open" or entry_name(self.key) != self.entry  # the older format

    def __str__(self) -> str:
        return " ".join(self[:3])  # the store adds the state


def parse_claim(text: str) -> Claim:
    """Parse a stored claim; ignore any words after its four fields."""
    return Claim(*text.split(" ")[:4])


class DayDeal(Record):
    """The deal for one of a day's games."""

    form: int = FORM  # the format of all that is stored about the game; absent before 1.0.0
    seed: str
    salt: str
    line: str  # a line that wins (see `pack_line`)
    degree: str = ""  # how hard it was to find

    @property
    def record(self) -> DealRecord:
        """The form in which a round stores the deal."""
        return DealRecord(**{name: value for name, value in self if name != "form"})


class DayResult(Record):
    """A result on the board of a day."""

    name: str  # empty while an operator hides it
    hidden_name: str = if_set("")  # the name that an operator has hidden
    kind: SeatKind
    state: SeatState
    stats: PlayerStats
    level: BotLevel | None = if_set(None)  # set for computer players
    course: tuple[tuple[int, int, int], ...] = if_set(())  # of computers: ms, score, suits

    def renamed(self, name: str) -> "DayResult":
        """Return the result under another name; a hidden name stays hidden."""
        return self.replace(**{"name" if self.name else "hidden_name": name})


class Placed(NamedTuple):
    """A result on a board. Equal results share a place; computer players have place 0."""

    place: int
    entry: str
    result: DayResult


class Spread(NamedTuple):
    """How the results of a board are distributed."""

    finished: tuple[int, ...] = ()  # games won in each half minute, without trailing zeros
    suits: tuple[int, ...] = ()  # games that were not won, by the suits that are home


def spread_of(won_before: Sequence[int], suits_home: Iterable[int]) -> Spread:
    """Count wins by half minute (`won_before` the end of each), and other games by suits home."""
    finished = [after - before for before, after in pairwise((0, *won_before))]
    while finished and not finished[-1]:
        finished.pop()
    counts = Counter(suits_home)
    return Spread(tuple(finished), tuple(counts[home] for home in range(SUITS)))


class Board(NamedTuple):
    """The part of a board that a client may see."""

    is_over: bool  # whether the day is over
    begun: int  # games that have started
    finished: int = 0  # games that are over
    won: int = 0  # games that were won
    rows: tuple[Placed, ...] = ()  # the part that the client has asked for
    around: tuple[Placed, ...] = ()  # the rows around the client's entry
    own: str = ""  # the name of the client's entry
    spread: Spread = Spread()
    computers: tuple[Placed, ...] = ()  # best first


class DayState(NamedTuple):
    """A game of a day that is not over."""

    game: DayGameId
    deal: DayDeal
    begun: int  # games that have started


class Report(NamedTuple):
    """A result of today's race for the board of its day."""

    day: str
    game: DayGameId
    entry: str
    order: int  # sorts the board, the best result first
    result: str  # a `DayResult` as JSON


def report_of(played: Round) -> Report:
    """Return the report of a finished round of today's race."""
    cards = parse_cards_path(played.cards)  # they name the day and the game
    seat = next(iter(played.names))  # its only player
    result = DayResult(
        name=played.names[seat],
        kind="program" if seat in played.programs else "person",
        state=played.states[seat],
        stats=played.results[seat],
    )
    entry, order = entry_name(played.key), board_order(played, seat)
    return Report(cards.day, cards.game, entry, order, result.model_dump_json())


def round_of_day(
    game: DayGameId, deal: DayDeal, results: Sequence[DayResult], t0: int, *, secret: bool
) -> Round:
    """Return results of a day as one finished round from `t0` on, with the seats 0, 1, 2, ...

    `secret`: whether the deal is still being played, so that the round must not show it.
    """
    seats = dict(enumerate(results))
    return Round(
        n=1,
        game=1,
        settings=StoredSettings.model_validate(dict(settings_of_day(game))),
        deal=deal.record,
        t0=t0,
        t_end=None,
        ended=t0 + max(result.stats.finished_ms or LIMIT_MS for result in results),
        names={seat: result.name for seat, result in seats.items()},
        programs=tuple(seat for seat, result in seats.items() if result.kind == "program"),
        colours=dict(zip(seats, cycle(vocabulary.SEAT_COLOURS), strict=False)),
        states={seat: result.state for seat, result in seats.items()},
        results={seat: result.stats for seat, result in seats.items()},
        secret=secret,
    )


def order_of(game: DayGameId, deal: DayDeal, result: DayResult) -> int:
    """Return a number that sorts the results of one deal, the best first."""
    return board_order(round_of_day(game, deal, [result], t0=0, secret=True), seat=0)


def pack_log(log: Sequence[TimedAction]) -> bytes:
    """Pack a log into few bytes: the actions, then the times between them."""
    times = [entry.ms for entry in log]
    between = [after - before for before, after in zip([0, *times], times, strict=False)]
    actions = struct.pack(f">{len(log)}H", *(entry.action for entry in log))
    return zlib.compress(actions + struct.pack(f">{len(log)}I", *between), 9)


def unpack_log(packed: bytes) -> list[TimedAction]:
    """Unpack the bytes of `pack_log`; raise zlib.error or struct.error for any others."""
    data = zlib.decompress(packed)
    size = len(data) // 6  # bytes: two of the action and four of the time
    actions = struct.unpack_from(f">{size}H", data)
    times = accumulate(struct.unpack_from(f">{size}I", data, 2 * size))
    return [TimedAction(action, ms) for action, ms in zip(actions, times, strict=True)]


def deal_after(played: Round, log: Sequence[TimedAction], acts: int) -> DealRecord:
    """Return the deal after the first `acts` acts of `log`, or fewer if one of them ends the game.

    A room that deals it starts from there.
    """
    made, game = [entry.action for entry in log[:acts]], deal_game(played)
    for at, action in enumerate(made):
        game.replay(action)
        if game.outcome is not None:
            made = made[:at]
            break
    return played.deal.replace(played=pack_line(made)) if made else played.deal
