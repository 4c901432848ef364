"""The check of rooms beside an unreadable one, with hand-made notes."""

import pytest

from tests.faults.beside import HELD_UP_S, check_beside
from tests.faults.notes import Notes
from tests.faults.records import WAYS, Broken

BROKEN = Broken("BAD", WAYS[0], {}, "", since=100.0, began=0.0, until=108.0)
LATER = BROKEN.since + HELD_UP_S


def player(room: str, *waits: tuple[float, float]) -> Notes:
    return Notes("Ada", room, 0, waits=list(waits))


def test_a_room_with_answered_acts_is_not_held_up() -> None:
    found = check_beside([BROKEN], [player("GOOD", *((at, at + 0.5) for at in range(99, 109)))])
    assert (found.held_up, found.longest_s) == ([], 0.5)
    assert found.answered == 8


def test_a_room_without_waiting_players_is_not_held_up() -> None:
    found = check_beside([BROKEN], [player("GOOD", (99.0, 99.5), (109.0, 109.5))])
    assert (found.held_up, found.longest_s, found.answered) == ([], 0.0, 0)


def test_a_room_in_which_all_players_wait_is_held_up() -> None:
    notes = [player("GOOD", (99.0, 120.0)), player("GOOD", (101.0, LATER + 0.1))]
    (text,) = check_beside([BROKEN], notes).held_up
    assert text == "GOOD for 5.1 s, while BAD was unreadable"


def test_a_room_is_not_held_up_while_some_players_are_answered() -> None:
    found = check_beside(
        [BROKEN], [player("GOOD", (100.0, 108.0)), player("GOOD", (103.0, 104.0))]
    )
    assert (found.held_up, found.longest_s) == ([], 4.0)


@pytest.mark.parametrize("waits", [(90.0, 100.4), (107.8, 130.0)])
def test_only_waits_during_the_fault_count(waits: tuple[float, float]) -> None:
    found = check_beside([BROKEN], [player("GOOD", waits)])
    assert found.held_up == []
    assert found.longest_s < 0.5


def test_the_unreadable_room_itself_may_wait() -> None:
    found = check_beside([BROKEN], [player("BAD", (100.0, 109.0))])
    assert (found.held_up, found.answered) == ([], 0)
