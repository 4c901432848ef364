"""The actions of a player, each in sixteen bits.

    bit  15      0 for a move, 1 for everything else
    bit  14      a move that asks for an exception
    bits 9..13   the target pile of a move
    bits 4..8    the source pile of a move or a removal
    bits 0..3    the number of cards of a move; the kind of any other action

A logged action takes two bytes, and actions are hashed and compared as small integers.

An *undo record* has 48 bits for the effects that the action itself does not name:

    bits 32..47  the number of cards dealt
    bits 16..31  the piles that lost a suit, or the foundation that was filled
    bits 0..15   the piles that turned up a card

An entry of a game's past (`Game._past`) has the action in its lower sixteen bits and the undo
record above them.

`source`, `target` and `count` read the parts of an action. Only `spider.py` and `tableau.py`,
which run for every act of a game, shift and mask instead: a call takes longer than the shift.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Final, NamedTuple, NewType, TypeVar

from protocol.games import GAMES
from protocol.vocabulary import SUIT_SIZE
from server.games.errors import NotationError

Action = NewType("Action", int)


class TimedAction(NamedTuple):
    """An entry of a log."""

    action: Action
    ms: int  # milliseconds since the round began


class ActionKind(IntEnum):
    """What an action does."""

    MOVE = 0
    DEAL = 1
    REMOVE = 2
    UNDO = 3
    REDO = 4
    FINISH = 5


NOT_A_MOVE: Final = 1 << 15
EXCEPTION: Final = 1 << 14
TARGET_SHIFT: Final = 9
SOURCE_SHIFT: Final = 4
PILE_MASK: Final = 31  # the index of one pile
COUNT_MASK: Final = 15
ACTION_MASK: Final = 0xFFFF

DEAL: Final = Action(NOT_A_MOVE | ActionKind.DEAL)
REMOVE: Final = Action(NOT_A_MOVE | ActionKind.REMOVE)  # `remove` adds the pile
UNDO: Final = Action(NOT_A_MOVE | ActionKind.UNDO)
REDO: Final = Action(NOT_A_MOVE | ActionKind.REDO)
FINISH: Final = Action(NOT_A_MOVE | ActionKind.FINISH)

_ACTION_OF_WORD: Final = {"deal": DEAL, "undo": UNDO, "redo": REDO, "finish": FINISH}
_WORD_OF_ACTION: Final = {action: word for word, action in _ACTION_OF_WORD.items()}
_MOVE: Final = re.compile(r"([a-z0-9]+)x(0|[1-9][0-9]?)-([a-z0-9]+)(!?)", re.ASCII)
_REMOVE: Final = re.compile(r"remove ([a-z0-9]+)", re.ASCII)


def move(source: int, count: int, target: int, *, exception: bool = False) -> Action:
    """Return the action that moves the last `count` cards of one pile to another, legal or not.

    `exception`: ask to move a run of mixed suits. Raise ValueError unless the piles are 0 to 31
    and the count 0 to 15.
    """
    if not (0 <= source <= PILE_MASK and 0 <= target <= PILE_MASK and 0 <= count <= COUNT_MASK):
        raise ValueError(f"no action can hold {source} x{count} - {target}")
    flag = EXCEPTION if exception else 0
    return Action(count | source << SOURCE_SHIFT | target << TARGET_SHIFT | flag)


def remove(source: int) -> Action:
    """Return the action that removes the complete suit at a pile's end, or raise ValueError."""
    return Action(REMOVE | move(source, 0, 0))


def kind(action: int) -> ActionKind:
    """Return the kind of an action, or raise ValueError if the number is not an action."""
    if 0 <= action < NOT_A_MOVE:
        return ActionKind.MOVE
    if action & ~(PILE_MASK << SOURCE_SHIFT) == REMOVE:  # from any pile
        return ActionKind.REMOVE
    if action in _WORD_OF_ACTION:
        return ActionKind(action & COUNT_MASK)
    raise ValueError(f"not an action: {action}")


def source(action: int) -> int:
    """Return the index of the pile that a move or a removal takes cards from."""
    return action >> SOURCE_SHIFT & PILE_MASK


def target(action: int) -> int:
    """Return the index of the pile that a move puts cards on."""
    return action >> TARGET_SHIFT & PILE_MASK


def count(action: int) -> int:
    """Return how many cards a move takes."""
    return action & COUNT_MASK


def is_exception(action: int) -> bool:
    """Return whether the action asks for an exception: to move a run of mixed suits."""
    return action < NOT_A_MOVE and bool(action & EXCEPTION)


def format_action(action: Action, pile_names: Sequence[str]) -> str:
    """Return an action as text: `t9x1-t4`, `t9x3-t4!` with an exception, `remove t3`, `deal`, ...

    Raise ValueError if the number is not an action.
    """
    kind_ = kind(action)
    if kind_ is ActionKind.MOVE:
        here, to = pile_names[source(action)], pile_names[target(action)]
        return f"{here}x{count(action)}-{to}{'!' if is_exception(action) else ''}"
    if kind_ is ActionKind.REMOVE:
        return f"remove {pile_names[source(action)]}"
    return _WORD_OF_ACTION[action]


def parse_action(text: str, pile_names: Sequence[str]) -> Action:
    """Return the action that a text describes, given the piles' names in order.

    Raise NotationError for any other text.
    """
    if text in _ACTION_OF_WORD:
        return _ACTION_OF_WORD[text]
    try:
        if found := _REMOVE.fullmatch(text):
            return remove(pile_names.index(found[1]))
        if found := _MOVE.fullmatch(text):
            here, to = pile_names.index(found[1]), pile_names.index(found[3])
            return move(here, int(found[2]), to, exception=bool(found[4]))
    except ValueError as error:
        raise NotationError(f"not an action here: {text!r} ({error})") from None
    raise NotationError(f"not an action: {text!r}")


MAX_TEXTS: Final = 4_096  # texts cached for each game; Spider has 2,600 moves between columns
MAX_TARGET_SETS: Final = 200  # for each cache in `MOVES`, below 4 MB in all; days of play use 50
MAX_COLUMNS: Final = max(game.columns for game in GAMES.values())

K = TypeVar("K")
V = TypeVar("V")


class Cache(dict[K, V]):
    """A dictionary that makes each value on first use, and keeps the first `max_kept` values."""

    __slots__ = ("_make", "_max_kept")

    def __init__(self, make: Callable[[K], V], max_kept: int) -> None:
        self._make = make
        self._max_kept = max_kept

    def __missing__(self, key: K) -> V:
        value = self._make(key)
        if len(self) < self._max_kept:  # later values are made anew each time
            self[key] = value
        return value


class ActionTexts:
    """The notation of a variant's actions (`NOTATION.md`), cached."""

    def __init__(self, names: Sequence[str]) -> None:
        self._texts = Cache[Action, str](lambda action: format_action(action, names), MAX_TEXTS)
        self._actions = Cache[str, Action](lambda text: parse_action(text, names), MAX_TEXTS)

    def format(self, action: Action) -> str:
        """Return an action as text, as `format_action` does."""
        return self._texts[action]

    def parse(self, text: str) -> Action:
        """Return the action that a text describes, as `parse_action` does."""
        return self._actions[text]

    def format_legal(self, actions: Iterable[Action]) -> str:
        """Return actions as one text: `t9x1-t4,deal,undo`."""
        return ",".join(map(self._texts.__getitem__, actions))


ACTION_TEXTS: Final[Mapping[str, ActionTexts]] = {
    game: ActionTexts(variant.pile_names) for game, variant in GAMES.items()
}  # by the game's id


def moves_onto(source: int, count: int) -> Cache[int, tuple[Action, ...]]:
    """Return a cache of the moves of a column's last `count` cards, by the bits of the targets."""
    moves = [move(source, count, target) for target in range(MAX_COLUMNS)]
    return Cache(
        lambda targets: tuple(each for bit, each in enumerate(moves) if targets >> bit & 1),
        MAX_TARGET_SETS,
    )


MOVES: Final[tuple[tuple[Cache[int, tuple[Action, ...]], ...], ...]] = tuple(
    tuple(moves_onto(source, count) for count in range(SUIT_SIZE + 1))
    for source in range(MAX_COLUMNS)
)  # by the source column, the number of cards, and the bits of the target columns


class Effects(NamedTuple):
    """What an action has done to the position and the score."""

    changed: tuple[int, ...]  # the indexes of all piles that changed
    turned: tuple[int, ...]  # the indexes of the piles that turned up a card; none for an undo
    removed: int  # suits removed, or foundations filled; 0 for an undo
    has_gained: bool  # whether the score rose


_PILE_BITS: Final = PILE_MASK << SOURCE_SHIFT | PILE_MASK << TARGET_SHIFT
_TURNED: Final = 1  # set if a card turned up
_GAINED: Final = 2  # set if the score rose


def _make_effects(key: int) -> Effects:
    """Return the effects of a move; `key` has the bits of its piles, `_TURNED` and `_GAINED`."""
    here = source(key)
    turned = (here,) if key & _TURNED else ()
    return Effects((here, target(key)), turned, removed=0, has_gained=bool(key & _GAINED))


_MOVE_EFFECTS: Final = Cache(_make_effects, 1 << 12)  # large enough for all


def move_effects(move: int, *, turned_up: bool, has_gained: bool) -> Effects:
    """Return the effects of a move that removed no suit; `has_gained`: whether the score rose."""
    return _MOVE_EFFECTS[move & _PILE_BITS | turned_up * _TURNED | has_gained * _GAINED]


PILES_MASK: Final = 0xFFFF  # a set of piles in an undo record
REMOVED_SHIFT: Final = 16
DEALT_SHIFT: Final = 32
RECORD_SHIFT: Final = 16  # where the undo record starts in an entry of the past
ANYTHING: Final = (1 << 64) - 1  # a mask that matches every entry of the past
REVEALED: Final = (PILES_MASK | PILES_MASK << DEALT_SHIFT) << RECORD_SHIFT
"""A mask that matches entries of the past that turned up or dealt cards."""

_PILES_OF: Final[tuple[tuple[int, ...], ...]] = tuple(
    tuple(pile for pile in range(MAX_COLUMNS) if mask >> pile & 1)
    for mask in range(1 << MAX_COLUMNS)
)


def turned(undo_record: int) -> tuple[int, ...]:
    """Return the indexes of the piles that turned up a card, from an undo record."""
    return _PILES_OF[undo_record & PILES_MASK]


def removed(undo_record: int) -> tuple[int, ...]:
    """Return the indexes of the columns that lost a suit, from an undo record."""
    return _PILES_OF[undo_record >> REMOVED_SHIFT & PILES_MASK]


def removals(undo_record: int) -> int:
    """Return the number of suits removed or foundations filled, from an undo record."""
    return (undo_record >> REMOVED_SHIFT & PILES_MASK).bit_count()


def dealt(undo_record: int) -> int:
    """Return the number of cards dealt, from an undo record."""
    return undo_record >> DEALT_SHIFT
