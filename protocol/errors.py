"""Codes on the wire; the sentences for them stand in the client.

ErrorCode      why a command was refused (`refused`) or a message not understood (`error`)
SettingsClash  why settings do not go together
CloseCode      why the server closed the socket: 4000-4499 come back by yourself, 4500-4999 do not
"""

from enum import IntEnum, StrEnum


class ErrorCode(StrEnum):
    """Why something was not done. The comment behind each code is its meaning."""

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
    NO_CHASERS = "no_chasers"  # who comes late looks on in this room
    BOARDS_ARE_HIDDEN = "boards_are_hidden"  # the room shows no boards while a round is on
    BAD_SETTINGS = "bad_settings"  # these settings do not go together; `fields` names them
    NO_SUCH_GAME = "no_such_game"  # the card of the match has no game of this number
    GAME_PLAYED = "game_played"  # this game of the match's card is over already
    BAD_DEAL_NUMBER = "bad_deal_number"  # no such numbered deal

    # The race
    EARLY = "early"  # the round has not begun
    TOO_LATE = "too_late"  # the round is over
    STALE = "stale"  # `at` is not the number of log entries; the table comes along
    TOO_MANY_IN_FLIGHT = "too_many_in_flight"  # more than eight acts are unanswered
    GAME_OVER = "game_over"  # this game has ended
    GAME_TOO_LONG = "game_too_long"  # this game has as many moves as one may have: finish it

    # The rules (RULES.md, "Moves of Spider and Spiderette")
    NO_SUCH_PILE = "no_such_pile"  # the game has no pile of this name, or it cannot be played
    SAME_PILE = "same_pile"  # a move needs two piles
    PILE_EMPTY = "pile_empty"  # there is no card to take
    NOT_ENOUGH_CARDS = "not_enough_cards"  # the pile holds fewer cards
    FACE_DOWN = "face_down"  # one of these cards lies face down
    NOT_A_RUN = "not_a_run"  # these cards are not in descending sequence
    MIXED_SUITS = "mixed_suits"  # a sequence, but not of one suit
    WRONG_RANK = "wrong_rank"  # the target's last card is not one rank higher
    DEAL_STOCK_EMPTY = "deal_stock_empty"  # all cards have been dealt
    DEAL_EMPTY_COLUMN = "deal_empty_column"  # a column is empty; fill it first
    DEAL_TOO_FEW_CARDS = "deal_too_few_cards"  # fewer cards on the table than columns
    NOT_A_COMPLETE_SUIT = "not_a_complete_suit"  # no king to ace of one suit at the column's end
    NOT_FINISHED = "not_finished"  # the game is neither won nor stuck
    NOTHING_TO_UNDO = "nothing_to_undo"  # no move is left to take back
    UNDO_REVEALS = "undo_reveals"  # the move turned a card or was a deal
    UNDO_IS_OFF = "undo_is_off"  # this room plays without undo
    NOTHING_TO_REDO = "nothing_to_redo"  # no move has been taken back
    HINTS_ARE_OFF = "hints_are_off"  # this room gives no hints
    NO_HINT = "no_hint"  # no action is known that would better the position
    EXCEPTIONS_ARE_OFF = "exceptions_are_off"  # this room allows no exceptions
    EXCEPTION_NOT_ASKED = "exception_not_asked"  # mixed suits: ask for an exception first
    EXCEPTION_NOT_NEEDED = "exception_not_needed"  # the move is legal without one

    # The rules of other games (RULES.md, "Little Spider")
    ACTION_UNKNOWN_TO_GAME = "action_unknown_to_game"  # this game has no such action
    ONE_CARD_AT_A_TIME = "one_card_at_a_time"  # this game moves single cards
    FOUNDATION_IS_FINAL = "foundation_is_final"  # a card never leaves a foundation
    WRONG_FOUNDATION_SUIT = "wrong_foundation_suit"  # the foundation has another suit
    WRONG_FOUNDATION_COLOUR = "wrong_foundation_colour"  # this slot takes the other colour
    WRONG_FOUNDATION_RANK = "wrong_foundation_rank"  # the foundation wants another rank
    LOWER_PILE_WRONG_SLOT = "lower_pile_wrong_slot"  # a lower pile plays on the slot above it
    NO_MOVES_BETWEEN_PILES_YET = "no_moves_between_piles_yet"  # not while the stock lasts
    PILE_STAYS_EMPTY = "pile_stays_empty"  # an empty pile takes no card
    NOT_RANK_ADJACENT = "not_rank_adjacent"  # neither one higher nor one lower


class SettingsClash(StrEnum):
    """Why settings do not go together."""

    SCORE_NOT_OF_GAME = "score_not_of_game"  # the game does not know this score
    OPTION_NOT_OF_GAME = "option_not_of_game"  # the game does not know this option
    DOS_WITHOUT_UNDO = "dos_without_undo"  # under the DOS score nothing is taken back
    DOS_BY_HAND = "dos_by_hand"  # the DOS score needs suits removed by hand: the Grand Spider
    NUMBER_OF_NUMBERED = "number_of_numbered"  # a deal number is for numbered deals
    SEED_OF_SEEDED = "seed_of_seeded"  # a seed is for the deal of a seed, which needs one


class CloseCode(IntEnum):
    """Why a socket is closed. Below 4500 the client comes back by itself."""

    GOING_AWAY = 1001  # the page was left or the server stops
    TOO_BIG = 1009  # a frame over 4 KiB
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
    NOT_ADMITTED = 4507  # the room is locked, or has no seat for this one, or the host says no
