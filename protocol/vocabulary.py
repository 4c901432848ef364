"""The words and limits that rules and wire share; the sentences for codes are the client's.

Each stands here once. The rules import this module and no other one of `protocol`; it imports
nothing of the project. `generate.py` writes what the client needs of it as JavaScript.

ErrorCode      why a command was refused (`refused`) or a message not understood (`error`)
SettingsClash  why settings do not go together
CloseCode      why the server closed the socket: see `FIRST_FINAL_CODE`
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from types import MappingProxyType
from typing import Literal, get_args

# The connection

SUBPROTOCOL = "spider-race.v1"
"""The websocket subprotocol that both sides must agree on."""

SPOKEN = (SUBPROTOCOL,)
"""The versions that the server still speaks, the newest first.

A page that was loaded before a deploy goes on if its version is among them; only others are told
to reload (close code 4501). So a new version stands here beside the one before it, until nobody
has had a page of that one open for a day.
"""

MAX_FRAME_BYTES = 4096
"""A client's frame over this size is answered with close code 1009."""

FIRST_FRAME_S = 5
"""Seconds that a new connection has for its first frame."""

MAX_IN_FLIGHT = 8
"""How many `act` messages of one seat may be unanswered at a time."""

MAX_BOARDS = 8
"""How many boards a connection may watch at a time."""

# Names and codes

NAME_LENGTH = 24
"""Characters of a player's name, at most."""

LINE_LENGTH = 200
"""Characters of a chat message, at most."""

CODE_LENGTH = 10
"""Characters of a room code."""

CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O or U, so that a code can be read out."""

CODE_LOOKALIKES = {"O": "0", "I": "1", "L": "1"}
"""Letters of typed codes that are read as the digits that they look like."""

Emote = Literal["well_played", "good_luck", "wow", "oops", "hurry", "thanks"]

# Seats and rounds

MAX_SEATS = 100
"""Seats of a room, at most, spectators included."""

MAX_PLAYERS = MAX_SEATS
"""Players of a room, at most: all its seats may be players'."""

HIGHEST_SEAT = 9_999
"""The highest number of a seat; no number is used twice in a room."""

MAX_ROUNDS = 12
"""Games on the card of a match, at most."""

MAX_BOARD_DELAY_S = 600
"""Seconds by which spectators may see the boards late, at most."""

Role = Literal["player", "spectator"]


class RoomState(StrEnum):
    """Where a room is in its life."""

    LOBBY = "LOBBY"
    COUNTDOWN = "COUNTDOWN"
    RUNNING = "RUNNING"
    FINISHED = "FINISHED"
    CLOSED = "CLOSED"


class SeatState(StrEnum):
    """Where a player is in the race.

    Spectators are `WATCHING`; a player who came late may be `CHASING`, off the ranking.
    """

    SEATED = "SEATED"
    READY = "READY"
    RACING = "RACING"
    CHASING = "CHASING"
    FINISHED = "FINISHED"
    FORFEIT = "FORFEIT"
    TIMED_OUT = "TIMED_OUT"
    WATCHING = "WATCHING"


class Connection(StrEnum):
    """Whether a seat's socket is there: a matter of its own, never a forfeit."""

    ON = "on"
    GRACE = "grace"
    GONE = "gone"


# Cards and deals

RANKS = "A23456789TJQK"
"""Cards are written rank first (`AS 2H ... TD JC QS KH`); the ranks from low to high."""

SUITS = "SHDC"
"""The suits, in the order in which an unshuffled deck has them."""

CARD_PATTERN = f"^[{RANKS}][{SUITS}]$"
"""A card as it is written."""

SUIT_SIZE = len(RANKS)
"""Cards of a suit."""

MAX_MOVE_COUNT = SUIT_SIZE
"""Cards that one move can take: a suit."""

HIGHEST_NUMBER = 1_000_000_000
"""The highest number of a numbered deal.

PySolFC's deal numbers go on, but these can be told over the telephone.
"""

SEED_BYTES = 16
"""Bytes of the seed of a deal."""

SEED_LENGTH = 2 * SEED_BYTES
"""Characters of a seed, in hexadecimal digits."""

SEED_PATTERN = rf"^[0-9a-f]{{{SEED_LENGTH}}}$"
"""A seed as it is written, in lower case."""

DealSource = Literal["secret", "numbered", "seed"]
"""A seed of chance that only the server knows, a deal of PySolFC, or a seed that is known."""

# Games and their rules

GameId = Literal[
    "spider-4",
    "spider-2",
    "spider-1",
    "spiderette-4",
    "spiderette-2",
    "spiderette-1",
    "little-spider",
]
"""The games, in the order in which a menu shows them."""

PileRole = Literal["tableau", "stock", "foundation"]
Fan = Literal["down", "none"]
"""Whether the cards of a pile lie apart."""
Direction = Literal["up", "down"]
"""Whether a foundation is built up or down."""

Layout = Literal["left4", "spread"]
"""Where the four extra face-down cards of Spider lie: columns 1 to 4, or 1, 4, 7 and 10."""

UndoPolicy = Literal["no_reveal", "any", "free", "off"]
"""Which actions may be taken back.

- `no_reveal`: only those that showed no card.
- `any`: all of them; taking back a turned card or a deal counts as a cheat (`seeds/` 1).
- `free`: all of them, and nothing counts as a cheat (`seeds/` 2, section 9).
- `off`: none.
"""

Exceptions = Literal["off", "easy", "hard"]
"""Runs of mixed suits: never moved, moved freely, moved when an exception is asked for."""

Score = Literal["woods", "dos", "cards", "moves"]
"""How a game is rated: see `server.games.scores`."""

SPIDERS: tuple[GameId, ...] = tuple(game for game in get_args(GameId) if game != "little-spider")
"""The games with columns of runs: Spider and Spiderette."""

OPTIONS: Mapping[str, tuple[GameId, ...]] = MappingProxyType(
    {"auto_remove": SPIDERS, "relaxed_deal": SPIDERS, "exceptions": SPIDERS}
)
"""Settings that not every game knows, and the games that know them.

In the other games they keep their defaults.
"""


class Outcome(StrEnum):
    """How a game ended by its own rules (RULES.md, 6 and 7)."""

    WON = "won"
    """All is home, or the player finished with nothing but complete suits on the table."""
    FINISHED_STUCK = "finished_stuck"
    """The player finished a game in which no legal action was left, or which was too long."""


class StuckReason(StrEnum):
    """Why no way forward is left, besides there being no move."""

    STOCK_EMPTY = "stock_empty"
    """All cards have been dealt."""
    DEAL_TOO_FEW_CARDS = "deal_too_few_cards"
    """Cards are left to deal, but the columns cannot be filled. Not if deals are relaxed."""
    GAME_TOO_LONG = "game_too_long"
    """The log has `LONGEST_GAME` entries: the game can only be finished."""


class ErrorCode(StrEnum):
    """Why something was not done.

    The comment behind each code is its meaning.
    """

    # The message itself
    BAD_MESSAGE = "bad_message"  # not JSON, unknown type or field, wrong type, out of range
    NOT_JOINED = "not_joined"  # the first message must be create, join or resume
    ALREADY_JOINED = "already_joined"  # this socket has its seat already
    TRY_AGAIN = "try_again"  # the store is away for the moment; nothing is known to be done

    # The room
    NO_SUCH_ROOM = "no_such_room"  # wrong code, or the room is closed: the same answer
    ROOM_FULL = "room_full"  # no seat is left
    TOO_MANY_JOINS = "too_many_joins"  # too many wrong codes or seats for this address
    TOO_MANY_ROOMS = "too_many_rooms"  # this address has opened too many, of late or in all
    SERVER_FULL = "server_full"  # so many rooms are open that no more are opened
    STORE_FULL = "store_full"  # the server has no space for new rooms; those there are go on
    ROOM_LOCKED = "room_locked"  # nobody new may join
    BANNED = "banned"  # the host keeps this browser or network out
    ONE_SEAT = "one_seat"  # this browser or network has a seat, and one is all it may have here
    TOO_MANY_SEATS = "too_many_seats"  # this address has all the seats it may have in this room
    BAD_TOKEN = "bad_token"  # noqa: S105  # the token is not the seat's
    BAD_NAME = "bad_name"  # nothing is left of the name once control characters are gone
    NOT_HOST = "not_host"  # only the host may do this
    NOT_IN_STATE = "not_in_state"  # the room's state does not allow this now
    NOT_A_PLAYER = "not_a_player"  # a spectator cannot do this
    NOT_RACING = "not_racing"  # this seat is not in the running race
    ROUND_WON = "round_won"  # somebody has won: the round can be ended, no longer aborted
    NOBODY_READY = "nobody_ready"  # a race needs one player who is ready, the host at least
    TOO_MUCH_SAID = "too_much_said"  # more lines than a room can read; wait a little
    NO_SUCH_SEAT = "no_such_seat"  # there is no such seat in the room
    NO_CHASERS = "no_chasers"  # latecomers only watch in this room
    BOARDS_ARE_HIDDEN = "boards_are_hidden"  # the room shows no boards while a round is on
    BAD_SETTINGS = "bad_settings"  # these settings do not go together; `fields` names them
    NO_SUCH_GAME = "no_such_game"  # the card of the match has no game of this number
    GAME_PLAYED = "game_played"  # this game of the match's card is over already
    BAD_DEAL_NUMBER = "bad_deal_number"  # no such numbered deal

    # The race
    EARLY = "early"  # the round has not begun
    TOO_LATE = "too_late"  # the round is over
    STALE = "stale"  # `at` is not the number of log entries; the table comes along
    TOO_MANY_IN_FLIGHT = "too_many_in_flight"  # more than `MAX_IN_FLIGHT` acts are unanswered
    GAME_OVER = "game_over"  # this game has ended
    GAME_TOO_LONG = "game_too_long"  # this game has as many moves as one may have: finish it

    # The rules (RULES.md, "Moves of Spider and Spiderette")
    NO_SUCH_PILE = "no_such_pile"  # the game has no pile of this name, or it cannot be played
    SAME_PILE = "same_pile"  # a move needs two piles
    PILE_EMPTY = "pile_empty"  # there is no card to take
    NOT_ENOUGH_CARDS = "not_enough_cards"  # the pile holds fewer cards
    FACE_DOWN = "face_down"  # one of these cards lies face down
    NOT_A_RUN = "not_a_run"  # these cards do not descend by one; shows the first two that break it
    MIXED_SUITS = "mixed_suits"  # a sequence, but not of one suit; shows the first two that differ
    WRONG_RANK = "wrong_rank"  # the target's last card is not one higher; shows both
    DEAL_STOCK_EMPTY = "deal_stock_empty"  # all cards have been dealt
    DEAL_EMPTY_COLUMN = "deal_empty_column"  # a column is empty; not if deals are relaxed
    DEAL_TOO_FEW_CARDS = "deal_too_few_cards"  # fewer cards than columns; not if relaxed
    NOT_A_COMPLETE_SUIT = "not_a_complete_suit"  # no king to ace of one suit at the column's end
    NOT_FINISHED = "not_finished"  # the game is neither won nor stuck
    NOTHING_TO_UNDO = "nothing_to_undo"  # no move is left to take back
    UNDO_REVEALS = "undo_reveals"  # the move turned a card or was a deal
    UNDO_IS_OFF = "undo_is_off"  # this room plays without undo
    NOTHING_TO_REDO = "nothing_to_redo"  # no move was taken back since the last one was made
    HINTS_ARE_OFF = "hints_are_off"  # this room gives no hints
    NO_HINT = "no_hint"  # no action is known that would better the position
    EXCEPTIONS_ARE_OFF = "exceptions_are_off"  # this room allows no exceptions
    EXCEPTION_NOT_ASKED = "exception_not_asked"  # mixed suits: ask for an exception first
    EXCEPTION_NOT_NEEDED = "exception_not_needed"  # the move is legal without one

    # The rules of other games (RULES.md, "Little Spider")
    ACTION_UNKNOWN_TO_GAME = "action_unknown_to_game"  # this game has no such action
    ONE_CARD_AT_A_TIME = "one_card_at_a_time"  # this game moves single cards
    FOUNDATION_IS_FINAL = "foundation_is_final"  # a card never leaves a foundation
    WRONG_FOUNDATION_SUIT = "wrong_foundation_suit"  # it has another suit; shows its last card
    WRONG_FOUNDATION_COLOUR = "wrong_foundation_colour"  # this slot takes the other colour
    WRONG_FOUNDATION_RANK = "wrong_foundation_rank"  # it wants another rank; shows its last card
    LOWER_PILE_WRONG_SLOT = "lower_pile_wrong_slot"  # a lower pile plays on the slot above it
    NO_MOVES_BETWEEN_PILES_YET = "no_moves_between_piles_yet"  # not while the stock lasts
    PILE_STAYS_EMPTY = "pile_stays_empty"  # an empty pile is not filled again by hand
    NOT_RANK_ADJACENT = "not_rank_adjacent"  # neither one higher nor one lower; shows both


class SettingsClash(StrEnum):
    """Why settings do not go together."""

    SCORE_NOT_OF_GAME = "score_not_of_game"  # the game does not know this score
    OPTION_NOT_OF_GAME = "option_not_of_game"  # the game does not know this option
    DOS_WITHOUT_UNDO = "dos_without_undo"  # under the DOS score nothing is taken back
    DOS_BY_HAND = "dos_by_hand"  # the DOS score needs suits removed by hand: the Grand Spider
    NUMBER_OF_NUMBERED = "number_of_numbered"  # a deal number is for numbered deals
    SEED_OF_SEEDED = "seed_of_seeded"  # a seed is for the deal of a seed, which needs one


class Given:
    """Every value of a setting but null."""

    def __contains__(self, value: object) -> bool:
        return value is not None


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Two settings that do not go together where each has one of these values."""

    reason: SettingsClash
    values: Mapping[str, tuple[str | bool | None, ...] | Given]

    def holds_for(self, settings: object) -> bool:
        """Return whether these settings, or rules, have both."""
        return all(getattr(settings, name) in values for name, values in self.values.items())


RULE_EXCLUSIONS = (
    # RULES, Undo: "Under DOS scoring undo is off."
    Exclusion(
        SettingsClash.DOS_WITHOUT_UNDO,
        {"undo": ("no_reveal", "any", "free"), "score": ("dos",)},
    ),
    # RULES, dos: a Grand Spider keeps all suits on the table.
    Exclusion(SettingsClash.DOS_BY_HAND, {"auto_remove": (True,), "score": ("dos",)}),
)
"""What of the rules of a game does not go together, whichever game it is."""


class CloseCode(IntEnum):
    """Why a socket is closed."""

    GOING_AWAY = 1001  # the page was left or the server stops
    TOO_BIG = 1009  # a frame over `MAX_FRAME_BYTES`
    INTERNAL_ERROR = 1011  # our fault; the log knows more

    DRAINING = 4001  # the server is being restarted
    TOO_SLOW = 4002  # the client does not read what is sent to it
    RESYNC = 4003  # the connection and the store lost step; resume
    NO_PONG = 4004  # the peer has gone silent, or never said anything
    TOO_FAST = 4005  # more than twenty messages a second, for long

    BAD_MESSAGES = 4500  # three messages that were not understood
    VERSION = 4501  # this protocol version is not spoken here
    BAD_TOKEN = 4502  # the seat is somebody else's
    REPLACED = 4503  # the seat was taken over by a newer connection
    NO_SUCH_ROOM = 4504  # wrong code, or the room is closed
    KICKED = 4505  # the host showed this player out
    FULL = 4506  # no seat is left
    NOT_ADMITTED = 4507  # the room is locked or has no seat for this person, or the host refuses


FIRST_FINAL_CODE = 4500
"""After a close code from here on the client does not reconnect by itself."""
