import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.actions import (
    DEAL,
    FINISH,
    REDO,
    UNDO,
    Action,
    ActionKind,
    count,
    format_action,
    is_exception,
    kind,
    move,
    parse_action,
    remove,
    source,
    target,
)
from server.games.errors import NotationError

NAMES = (*(f"t{i}" for i in range(10)), "stock", *(f"f{i}" for i in range(8)))


@pytest.mark.parametrize(
    ("action", "text"),
    [
        (move(9, 1, 4), "t9x1-t4"),
        (move(9, 13, 4, exception=True), "t9x13-t4!"),
        (remove(3), "remove t3"),
        (DEAL, "deal"),
        (UNDO, "undo"),
        (REDO, "redo"),
        (FINISH, "finish"),
    ],
)
def test_an_action_parses_back_from_its_text(action: Action, text: str) -> None:
    assert format_action(action, NAMES) == text
    assert parse_action(text, NAMES) == action


@given(st.integers(0, 31), st.integers(0, 15), st.integers(0, 31), st.booleans())
def test_a_move_keeps_its_numbers_in_sixteen_bits(
    here: int,
    n: int,
    to: int,
    exception: bool,  # hypothesis passes its values by position
) -> None:
    action = move(here, n, to, exception=exception)
    assert 0 <= action <= 0xFFFF
    assert (source(action), count(action), target(action)) == (here, n, to)
    assert is_exception(action) is exception
    assert kind(action) is ActionKind.MOVE


def test_a_removal_keeps_its_pile() -> None:
    assert [source(remove(pile)) for pile in range(32)] == list(range(32))
    assert kind(remove(31)) is ActionKind.REMOVE
    assert not is_exception(remove(31))


def test_numbers_out_of_range_are_no_action() -> None:
    for numbers in ((32, 1, 0), (0, 16, 0), (0, 1, 32), (-1, 1, 0), (0, -1, 0)):
        with pytest.raises(ValueError, match="no action can hold"):
            move(*numbers)
    for pile in (-1, 32):
        with pytest.raises(ValueError, match="no action can hold"):
            remove(pile)
    for number in (-1, 0x8000, 0x8006, 0x8011, 0xC002, 0xFFFF, 0x10000):
        with pytest.raises(ValueError, match="not an action"):
            kind(number)


NOT_READ = "dig|t9-t4|t9x1-t12|t9x99-t4|t9x01-t4|t9x1-t4?|remove|remove t77|Deal|t1x१-t2|"


@pytest.mark.parametrize("text", NOT_READ.split("|"))
def test_a_text_that_is_not_an_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="not an action"):
        parse_action(text, NAMES)
