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


@pytest.mark.parametrize("numbers", [(32, 1, 0), (0, 16, 0), (0, 1, 32), (-1, 1, 0), (0, -1, 0)])
def test_a_move_with_numbers_out_of_range_is_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="no action can hold"):
        move(*numbers)


@pytest.mark.parametrize("pile", [-1, 32])
def test_a_removal_with_a_pile_out_of_range_is_refused(pile: int) -> None:
    with pytest.raises(ValueError, match="no action can hold"):
        remove(pile)


@pytest.mark.parametrize("number", [-1, 0x8000, 0x8006, 0x8011, 0xC002, 0xFFFF, 0x10000])
def test_a_number_that_is_not_an_action_has_no_kind(number: int) -> None:
    with pytest.raises(ValueError, match="not an action"):
        kind(number)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "dig",
        "t9-t4",
        "t9x1-t12",
        "t9x99-t4",
        "t9x01-t4",
        "t9x1-t4?",
        "remove",
        "remove t77",
        "Deal",
        "t1x१-t2",
    ],
)
def test_a_text_that_is_not_an_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="not an action"):
        parse_action(text, NAMES)
