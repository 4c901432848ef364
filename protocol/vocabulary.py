"""The enumerations and limits that the rules and the protocol share.

From `protocol` the rules import only this module and `games`. This one imports no other module of
the project. `generate.py` writes part of it as JavaScript, with the comment after each name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Literal, Self, get_args

# The connection

SUBPROTOCOL = "spider-race.v2"  # the websocket subprotocol that both sides must agree on
SUPPORTED_SUBPROTOCOLS = (SUBPROTOCOL,)
"""The versions that the server supports, the newest first.

Connections of other versions are closed with 4501, and their pages reload. So keep the previous
version in this list until its pages have been gone for a day.
"""

MAX_FRAME_BYTES = 4096  # a client's largest frame; a larger one closes the connection with 1009
FIRST_FRAME_S = 5  # seconds that a new connection has to take a seat
MAX_IN_FLIGHT = 8  # the number of `act` messages of one seat that may be unanswered at a time
MESSAGES_AT_ONCE = 60  # messages from a connection at once: enough to play fast and to catch up
MESSAGES_PER_S = 20  # messages per second after that; more close the connection with 4005
COMMANDS_AT_ONCE = 50  # messages from a seat at once, not counting acts and pings
COMMANDS_PER_S = 3  # such messages per second after that; more close the connection with 4005
CHAT_MESSAGES = 5  # chat messages that a seat may send in `CHAT_INTERVAL_S` seconds
CHAT_INTERVAL_S = 10  # seconds over which the chat messages of a seat are counted
MAX_BOARDS = 8  # the number of boards that a connection may watch at a time

# Names and codes

NAME_LENGTH = 24  # the longest name in graphemes, characters as people count; the rest is cut
LINE_LENGTH = 200  # the longest chat message in graphemes; the rest is cut
CODE_LENGTH = 7  # characters of a room code: 35 bits, short enough to read out
# Crockford's base 32 has no I, L, O or U. Letters that look like digits are read as digits.
CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # the characters of a room code
CODE_LOOKALIKES = {"O": "0", "I": "1", "L": "1"}
Emote = Literal["well_played", "good_luck", "wow", "oops", "hurry", "thanks"]
Language = Literal["en", "de"]  # of the page and of link previews

# Seats and rounds

MAX_SEATS = 100  # in a room, spectators included
MAX_PLAYERS = MAX_SEATS  # in a room: every seat may be a player's
HIGHEST_SEAT = 9_999  # the highest seat number; after it, free numbers are reused
MAX_ROUNDS = 12  # games on the card of a match
HIGHEST_ROUND = 9_999  # the highest round number; a room uses no number twice
HOST_WAIT_S = 20  # seconds after a round before the host can start the next one alone
CARRY_S = 600  # how long a code that moves a seat to another device works
ATTEMPT_S = 60  # how long a `create` or `join` with the same attempt returns the same seat
MAX_BOARD_DELAY_S = 600  # the longest delay of boards for spectators
MAX_WINDOW_S = 604_800  # a week: the longest race whose players start when they like

Role = Literal["player", "spectator"]
SeatKind = Literal["person", "program"]  # what the client says; the server cannot check it
SeatColour = Literal["blue", "red", "green", "violet", "teal", "pink", "gold", "copper"]
SEAT_COLOURS = get_args(SeatColour)  # the colours of seats, in the order of newcomers
BotLevel = Literal["beginner", "club", "expert"]  # the strength of a computer player
BotPace = Literal["slower", "usual", "faster"]
MAX_BOTS = 8  # computer players in a room

# Rounds at a kept table

HISTORY_LENGTH = 500  # rounds in the history of a kept table
ROUNDS_SHELVED = 50  # finished rounds of a kept table that can be shown, replayed and raced
RowFlag = Literal["stand_in", "late", "program"]  # marks a row of a history
# Why a round does not count in the standings; empty if it counts.
NotCounted = Literal["", "stand_in", "computers", "latecomers"]


class GrowingEnum(StrEnum):
    """An enumeration that later releases may extend. An unknown text becomes a nameless member.

    `meaning` is for programmers; the page has its own sentences for players.
    """

    _value_: str
    meaning: str

    def __new__(cls, value: str, meaning: str = "") -> Self:
        """Make a member from its text and its meaning."""
        member = str.__new__(cls, value)
        member._value_, member.meaning = value, meaning
        return member

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        """Return a member without a name for a text that a newer release has added."""
        if not isinstance(value, str):
            return None
        unknown = str.__new__(cls, value)
        unknown._name_, unknown._value_, unknown.meaning = "", value, ""
        return unknown


class RoomState(StrEnum):
    """The state of a room."""

    LOBBY = "LOBBY"
    COUNTDOWN = "COUNTDOWN"
    RUNNING = "RUNNING"
    FINISHED = "FINISHED"
    CLOSED = "CLOSED"


class SeatState(StrEnum):
    """The state of a seat: spectators are `WATCHING`, late players may be `CHASING`, unranked."""

    SEATED = "SEATED"
    READY = "READY"
    RACING = "RACING"
    CHASING = "CHASING"
    FINISHED = "FINISHED"
    FORFEIT = "FORFEIT"
    TIMED_OUT = "TIMED_OUT"
    WATCHING = "WATCHING"


class TieBreaker(GrowingEnum):
    """The value that decides between players with equal main stats."""

    CHEATS = "cheats"
    FACE_DOWN = "face_down"
    LAST_GAIN = "last_gain"


class Presence(StrEnum):
    """The state of a seat's connection; a lost connection is never a forfeit."""

    ON = "on"
    GRACE = "grace"  # lost some seconds ago: it may soon be back
    GONE = "gone"


# The race of the day

DayGameId = Literal["spider-1", "spider-2", "spider-4"]  # the games of each day
DAY_GAMES: tuple[DayGameId, ...] = get_args(DayGameId)
DAY_LIMIT_S = 3_600  # the time limit of a game of the day
DAYS_KEPT = 60  # past days whose cards can be played, unranked
DAY_PATTERN = "20[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
ENTRY_LENGTH = 16  # characters of an entry's id on the board of a day
# The game whose cards a room deals again: a game of the day, of its board, or of another room.
CARDS_PATTERN = (
    f"^(?:{DAY_PATTERN}/(?:{'|'.join(DAY_GAMES)})(?:/[0-9a-f]{{{ENTRY_LENGTH}}})?"
    f"|[{CODE_ALPHABET}]{{{CODE_LENGTH}}}/[0-9]{{1,4}}/[0-9]{{1,4}})?$"
)

# Cards and deals

RANKS = "A23456789TJQK"  # the ranks from low to high; cards are written rank first (`AS 2H TD`)
SUITS = "SHDC"  # the suits, in the order of an unshuffled deck
CARD_PATTERN = f"^[{RANKS}][{SUITS}]$"
SUIT_SIZE = len(RANKS)
MAX_MOVE_COUNT = SUIT_SIZE  # the most cards that one move can take: a suit

_CARDS = f"[{RANKS}][{SUITS}](?: [{RANKS}][{SUITS}])*"
_PILE = "(?:stock|[tulf][0-9])"
_COUNT = f"(?:[1-9]|1[0-{MAX_MOVE_COUNT - 10}])"
_ACTION = f"(?:{_PILE}x{_COUNT}-{_PILE}!?|remove {_PILE}|deal|undo|redo|finish)"

PILE_PATTERN = f"^{_PILE}$"
# A pile shows only the number of its face-down cards.
HIDDEN_PILE_PATTERN = rf"^(?:\[[1-9][0-9]{{0,2}}\](?: {_CARDS})?|{_CARDS})?$"
ACTION_PATTERN = f"^{_ACTION}$"  # the pattern of an action as text
LEGAL_PATTERN = f"^(?:{_ACTION}(?:,{_ACTION})*)?$"
# PySolFC has higher numbers too, but these are short enough to read out.
HIGHEST_NUMBER = 1_000_000_000  # the highest number of a numbered deal

SEED_BYTES = 16
SEED_LENGTH = 2 * SEED_BYTES  # in hexadecimal digits
SEED_PATTERN = rf"^[0-9a-f]{{{SEED_LENGTH}}}$"
# Where a deal comes from: a random secret, a deal number of PySolFC, or a known seed.
DealSource = Literal["secret", "numbered", "seed"]

# The parts of games; `games.py` has the games

PileRole = Literal["tableau", "stock", "foundation"]
Fan = Literal["down", "none"]  # how the cards of a pile are spread
Direction = Literal["up", "down"]  # how a foundation is built
DealLabel = Literal["winnable", "unwinnable", "unknown"]  # of a numbered deal
# How long the solver had to search for a win. Each degree covers a third of a kind's deals.
Degree = Literal["easy", "middle", "hard"]
DEGREES: tuple[Degree, ...] = get_args(Degree)
Layout = Literal["left4", "spread"]  # the extra cards: in columns 1 to 4, or 1, 4, 7 and 10

# The actions that may be undone: `Settings` describes each (RULES, Undo; text 2, section 9).
UndoPolicy = Literal["no_reveal", "any", "counted", "free", "off"]
UNDOING: tuple[UndoPolicy, ...] = ("no_reveal", "any", "counted", "free")
Exceptions = Literal["off", "easy", "hard"]  # mixed runs move never, always, or with the flag
Score = Literal["woods", "dos", "cards", "moves"]  # see `server.games.scores`


class Outcome(StrEnum):
    """The outcome of a game by its own rules (RULES.md, 6 and 7)."""

    WON = "won"  # nothing is left to play but complete suits
    FINISHED_STUCK = "finished_stuck"  # finished without a legal action left, or too long


class StuckReason(StrEnum):
    """The reason why a game is stuck."""

    STOCK_EMPTY = "stock_empty"  # all cards have been dealt
    DEAL_TOO_FEW_CARDS = "deal_too_few_cards"  # too few are left for the columns; not if relaxed
    GAME_TOO_LONG = "game_too_long"  # it has `MAX_LOG_ENTRIES`, and can only be finished


class HintReason(GrowingEnum):
    """The reason for a hint: how its action helps."""

    COMPLETES_SUIT = "completes_suit"  # the moved cards complete a suit
    TURNS_CARD = "turns_card"  # a face-down card turns up
    EMPTIES_COLUMN = "empties_column"  # a column is left without cards
    JOINS_SUIT = "joins_suit"  # the moved cards continue a run of their suit
    FREES_CARD = "frees_card"  # the card below, of another suit, can be used again
    FILLS_COLUMN = "fills_column"  # an empty column is filled, which a deal needs
    REMOVES_SUIT = "removes_suit"  # a complete suit leaves the table
    DEALS = "deals"  # no better move is known
    PLAYS_TO_FOUNDATION = "plays_to_foundation"  # a card goes home
    UNCOVERS_NEXT = "uncovers_next"  # fewer cards cover those that the foundations need next
    WINS = "wins"  # the game is won, and can be finished


class Outlook(GrowingEnum):
    """Whether a game can still be won, judged from the cards that its player sees."""

    OPEN = "open"  # nothing is known
    WON = "won"  # all cards can be seen, and a line that wins is known
    DEAD = "dead"  # no number of moves turns up a card, allows a deal or completes a suit


class ErrorCode(GrowingEnum):
    """The reason why a command was refused or a message was invalid."""

    # The message itself
    BAD_MESSAGE = "bad_message", "the message is not JSON, or a field is unknown or wrong"
    NOT_JOINED = "not_joined", "the first message must be create, join, resume or take_over"
    ALREADY_JOINED = "already_joined", "this connection has a seat already"
    TRY_AGAIN = "try_again", "the server cannot answer now; a command may have been carried out"

    # The room
    NO_SUCH_ROOM = "no_such_room", "there is no such room"
    ROOM_FULL = "room_full", "no seat is left in the room"
    TOO_MANY_JOINS = "too_many_joins", "too many wrong codes or new seats from this address"
    TOO_MANY_ROOMS = "too_many_rooms", "this address has opened too many rooms"
    SERVER_FULL = "server_full", "the server has as many open rooms as it may have"
    STORE_FULL = "store_full", "the server has no space for new rooms; existing rooms go on"
    TOO_MANY_KEPT = "too_many_kept", "this address keeps as many tables as it may"
    KEPT_FULL = "kept_full", "the server keeps as many tables as it may"
    ROOM_LOCKED = "room_locked", "the room takes no newcomers"
    NO_PROGRAMS = "no_programs", "the room takes no programs"
    BANNED = "banned", "the host keeps this browser or network out"
    ONE_SEAT = "one_seat", "this browser or network has a seat, and one is all it may have here"
    TOO_MANY_SEATS = "too_many_seats", "this address has all the seats it may have in this room"
    BAD_TOKEN = "bad_token", "the token does not belong to the seat"
    BAD_NAME = "bad_name", "nothing is left of the name once control characters are gone"
    NOT_HOST = "not_host", "only the host may do this"
    NOT_IN_STATE = "not_in_state", "this is not possible in the present state of the room"
    NOT_A_PLAYER = "not_a_player", "a spectator cannot do this"
    NOT_RACING = "not_racing", "this seat is not playing in the race"
    ROUND_WON = "round_won", "a player has won: the round can be ended, but not aborted"
    NOBODY_READY = "nobody_ready", "a race needs a person who is ready"
    TOO_MUCH_SAID = "too_much_said", "too many chat messages in a short time"
    NO_BOTS = "no_bots", "the server has no computer players"
    BOTS_BUSY = "bots_busy", "the server has no place for another computer player now"
    TOO_MANY_BOTS = "too_many_bots", "the room has no place for another computer player"
    COLOUR_TAKEN = "colour_taken", "another player has this colour"
    PLAYER_IS_BACK = "player_is_back", "the player is not gone"
    NO_SUCH_SEAT = "no_such_seat", "there is no such seat in the room"
    NO_CHASERS = "no_chasers", "latecomers can only watch in this room"
    BOARDS_ARE_HIDDEN = "boards_are_hidden", "the room does not show these boards now"
    BAD_SETTINGS = "bad_settings", "these settings do not go together"
    NO_SUCH_GAME = "no_such_game", "the match has no game of this number"
    GAME_PLAYED = "game_played", "this game of the match is over already"
    BAD_DEAL_NUMBER = "bad_deal_number", "there is no deal of this number"
    NO_SUCH_CARDS = "no_such_cards", "there are no such cards, or they are still secret"
    DAY_PLAYED = "day_played", "this browser has played this game of the day, or is playing it"

    # The race
    EARLY = "early", "the round has not started"
    TOO_LATE = "too_late", "the round is over"
    STALE = "stale", "the act is for another position: `at` is not the number of log entries"
    TOO_MANY_IN_FLIGHT = "too_many_in_flight", "too many acts are unanswered"
    GAME_OVER = "game_over", "this game has ended"
    GAME_TOO_LONG = "game_too_long", "this game is at the limit of actions: finish it"

    # The rules (RULES.md, "Moves of Spider and Spiderette")
    NO_SUCH_PILE = "no_such_pile", "the game has no pile of this name, or it cannot be played"
    SAME_PILE = "same_pile", "a move needs two piles"
    PILE_EMPTY = "pile_empty", "there is no card to take"
    NOT_ENOUGH_CARDS = "not_enough_cards", "the pile holds fewer cards"
    FACE_DOWN = "face_down", "one of these cards lies face down"
    NOT_A_RUN = "not_a_run", "these cards do not descend by one"
    MIXED_SUITS = "mixed_suits", "these cards descend by one, but are not of one suit"
    WRONG_RANK = "wrong_rank", "the target's last card is not one rank higher"
    DEAL_STOCK_EMPTY = "deal_stock_empty", "all cards have been dealt"
    DEAL_EMPTY_COLUMN = "deal_empty_column", "a column is empty"
    DEAL_TOO_FEW_CARDS = "deal_too_few_cards", "fewer cards than columns are left to deal"
    NOT_A_COMPLETE_SUIT = "not_a_complete_suit", "the column ends in no suit from king to ace"
    NOT_FINISHED = "not_finished", "the game is neither won nor stuck, and not known to be dead"
    NOTHING_TO_UNDO = "nothing_to_undo", "there is no move to take back"
    UNDO_REVEALS = "undo_reveals", "the move turned a card or was a deal"
    UNDO_IS_OFF = "undo_is_off", "this room plays without undo"
    NOTHING_TO_REDO = "nothing_to_redo", "no move was undone since the last move"
    HINTS_ARE_OFF = "hints_are_off", "this room gives no hints"
    NO_HINT = "no_hint", "no better move is known, but the game need not be stuck"
    EXCEPTIONS_ARE_OFF = "exceptions_are_off", "this room allows no exceptions"
    EXCEPTION_NOT_ASKED = "exception_not_asked", "mixed suits: the move needs the exception flag"
    EXCEPTION_NOT_NEEDED = "exception_not_needed", "the move is legal without an exception"

    # The rules of other games (RULES.md, "Little Spider")
    ACTION_UNKNOWN_TO_GAME = "action_unknown_to_game", "this game has no such action"
    ONE_CARD_AT_A_TIME = "one_card_at_a_time", "this game moves single cards"
    FOUNDATION_IS_FINAL = "foundation_is_final", "a card never leaves a foundation"
    WRONG_FOUNDATION_SUIT = "wrong_foundation_suit", "the foundation has another suit"
    WRONG_FOUNDATION_COLOUR = "wrong_foundation_colour", "this foundation takes the other colour"
    WRONG_FOUNDATION_RANK = "wrong_foundation_rank", "the foundation needs another rank"
    LOWER_PILE_WRONG_SLOT = "lower_pile_wrong_slot", "a lower pile plays on the slot above it"
    NO_MOVES_BETWEEN_PILES_YET = "no_moves_between_piles_yet", "the stock still has cards"
    PILE_STAYS_EMPTY = "pile_stays_empty", "an empty pile is not filled again by hand"
    NOT_RANK_ADJACENT = "not_rank_adjacent", "the ranks of the cards are not neighbours"


class SettingsClash(GrowingEnum):
    """The reason why settings do not go together."""

    SCORE_NOT_OF_GAME = "score_not_of_game", "the game does not have this score"
    OPTION_NOT_OF_GAME = "option_not_of_game", "the game does not have this option"
    DOS_WITHOUT_UNDO = "dos_without_undo", "the DOS score allows no undo"
    DOS_BY_HAND = "dos_by_hand", "the DOS score needs suits removed by hand: the Grand Spider"
    NUMBER_OF_NUMBERED = "number_of_numbered", "a deal number is for numbered deals"
    SEED_OF_SEEDED = "seed_of_seeded", "a seed is for the deal of a seed, which needs one"
    WINDOW_OF_MANY = "window_of_many", "a window is for several players, and nobody is late in it"


class Given:
    """All values of a setting except null."""

    def __contains__(self, value: object) -> bool:
        return value is not None


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Two settings that do not go together if each has one of its listed values."""

    reason: SettingsClash
    values: Mapping[str, tuple[str | int | None, ...] | Given]

    def holds_for(self, settings: object) -> bool:
        """Return whether both settings have a listed value in these settings or rules."""
        return all(getattr(settings, name) in values for name, values in self.values.items())


RULE_EXCLUSIONS = (  # the rules that do not go together in any game
    # RULES, Undo: "Under DOS scoring undo is off."
    Exclusion(SettingsClash.DOS_WITHOUT_UNDO, {"undo": UNDOING, "score": ("dos",)}),
    # RULES, dos: a Grand Spider keeps all suits on the table.
    Exclusion(SettingsClash.DOS_BY_HAND, {"auto_remove": (True,), "score": ("dos",)}),
)


class CloseCode(IntEnum):
    """Why the server closes a connection; the reason is sent with the code."""

    _value_: int
    reason: str

    def __new__(cls, code: int, reason: str) -> Self:
        """Make a member from its code and its reason."""
        member = int.__new__(cls, code)
        member._value_, member.reason = code, reason
        return member

    GOING_AWAY = 1001, "the page was left, or the server stops"
    BANNED = 1008, "the operator has banned this address for a time"
    TOO_BIG = 1009, "a frame is larger than `MAX_FRAME_BYTES`"
    INTERNAL_ERROR = 1011, "an error of the server; its log has the details"

    DRAINING = 4001, "the server is being restarted"
    TOO_SLOW = 4002, "the client does not read its messages"
    RESYNC = 4003, "this connection is out of date: resume"
    NO_PONG = 4004, "the connection took no seat in time, or pings went unanswered"
    TOO_FAST = (
        4005,
        f"over {MESSAGES_PER_S} messages or {COMMANDS_PER_S} commands a second, for long",
    )

    BAD_MESSAGES = 4500, "three invalid messages"
    VERSION = 4501, "the server does not support this protocol version"
    BAD_TOKEN = 4502, "the token does not belong to the seat"
    REPLACED = 4503, "a newer connection has taken the seat"
    NO_SUCH_ROOM = 4504, "there is no such room, or it is closed"
    KICKED = 4505, "the host has removed this player"
    FULL = 4506, "no seat is left in the room"
    NOT_ADMITTED = 4507, "the room is not open to this newcomer, or the host has refused"
    TABLE_DELETED = 4508, "the host has deleted this table"
    SEAT_MOVED = 4509, "the player has moved this seat to another device"


FIRST_FINAL_CODE = 4500  # from this close code on, a client does not reconnect
