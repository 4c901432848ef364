"""What a player may do, in sixteen bits.

    bit  15      0 for a move, 1 for everything else
    bit  14      a move that asks for an exception
    bits 9..13   the target pile of a move
    bits 4..8    the source pile of a move or a removal
    bits 0..3    the number of cards of a move, or else the kind

A log entry so takes two bytes, and an action is hashed and compared as a small integer.
"""

import re
from collections.abc import Sequence
from enum import IntEnum
from typing import NewType

from server.games.errors import NotationError

Action = NewType("Action", int)


class Kind(IntEnum):
    """The kinds of actions."""

    MOVE = 0
    DEAL = 1
    REMOVE = 2
    UNDO = 3
    REDO = 4
    FINISH = 5


NOT_A_MOVE = 1 << 15
EXCEPTION = 1 << 14
TARGET_SHIFT = 9
SOURCE_SHIFT = 4
PILE_MASK = 31
COUNT_MASK = 15
ACTION_MASK = 0xFFFF

DEAL = Action(NOT_A_MOVE | Kind.DEAL)
REMOVE = Action(NOT_A_MOVE | Kind.REMOVE)
"""A removal without its pile, which `remove` adds."""
UNDO = Action(NOT_A_MOVE | Kind.UNDO)
REDO = Action(NOT_A_MOVE | Kind.REDO)
FINISH = Action(NOT_A_MOVE | Kind.FINISH)

_PLAIN = {"deal": DEAL, "undo": UNDO, "redo": REDO, "finish": FINISH}
_PLAIN_NAMES = {action: name for name, action in _PLAIN.items()}
_MOVE = re.compile(r"([a-z0-9]+)x([0-9]{1,2})-([a-z0-9]+)(!?)", re.ASCII)
_REMOVE = re.compile(r"remove ([a-z0-9]+)", re.ASCII)


def move(source: int, count: int, target: int, *, exception: bool = False) -> Action:
    """Move the last `count` cards of one pile to another; piles are the game's indexes.

    Any pile from 0 to 31 and any count from 0 to 15 can be said; whether it is legal is the
    game's matter.

    Raises:
        ValueError: a number is out of that range.
    """
    if not (0 <= source <= PILE_MASK and 0 <= target <= PILE_MASK and 0 <= count <= COUNT_MASK):
        raise ValueError(f"no action can say {source} x{count} - {target}")
    return Action(
        count | source << SOURCE_SHIFT | target << TARGET_SHIFT | (EXCEPTION if exception else 0)
    )


def remove(source: int) -> Action:
    """Remove the complete suit at the end of a pile.

    Raises:
        ValueError: the pile's index is not 0 to 31.
    """
    if not 0 <= source <= PILE_MASK:
        raise ValueError(f"no action can say pile {source}")
    return Action(REMOVE | source << SOURCE_SHIFT)


def kind(action: int) -> Kind:
    """The kind of an action.

    Raises:
        ValueError: the number says no action.
    """
    if 0 <= action < NOT_A_MOVE:
        return Kind.MOVE
    if action & ~(PILE_MASK << SOURCE_SHIFT) == REMOVE:
        return Kind.REMOVE
    if action in _PLAIN_NAMES:
        return Kind(action & COUNT_MASK)
    raise ValueError(f"not an action: {action}")


def source(action: int) -> int:
    """The index of the pile that a move or a removal takes from."""
    return action >> SOURCE_SHIFT & PILE_MASK


def target(action: int) -> int:
    """The index of the pile that a move goes to."""
    return action >> TARGET_SHIFT & PILE_MASK


def count(action: int) -> int:
    """The number of cards of a move."""
    return action & COUNT_MASK


def is_exception(action: int) -> bool:
    """Whether the action is a move that asks for an exception."""
    return action < NOT_A_MOVE and bool(action & EXCEPTION)


def format_action(action: Action, pile_names: Sequence[str]) -> str:
    """An action as text: `t9x1-t4`, `t9x3-t4!` with an exception, `remove t3`, `deal`, ...

    The piles named must be among `pile_names`, which are in the order of their indexes.

    Raises:
        ValueError: the number says no action.
    """
    what = kind(action)
    if what is Kind.MOVE:
        mark = "!" if is_exception(action) else ""
        names = pile_names[source(action)], pile_names[target(action)]
        return f"{names[0]}x{count(action)}-{names[1]}{mark}"
    if what is Kind.REMOVE:
        return f"remove {pile_names[source(action)]}"
    return _PLAIN_NAMES[action]


def parse_action(text: str, pile_names: Sequence[str]) -> Action:
    """The action that a text says, over piles in the order of their indexes.

    Raises:
        NotationError: the text says no action, or names a pile that is not there.
    """
    if text in _PLAIN:
        return _PLAIN[text]
    try:
        if found := _REMOVE.fullmatch(text):
            return remove(pile_names.index(found[1]))
        if found := _MOVE.fullmatch(text):
            ends = pile_names.index(found[1]), pile_names.index(found[3])
            return move(ends[0], int(found[2]), ends[1], exception=bool(found[4]))
    except ValueError as error:
        raise NotationError(f"not an action here: {text!r} ({error})") from None
    raise NotationError(f"not an action: {text!r}")
