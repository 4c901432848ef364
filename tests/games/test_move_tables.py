from server.games.actions import move
from server.games.move_tables import KEPT, MOST_COLUMNS, MovesOnto


def test_the_moves_onto_a_set_of_columns_are_in_their_order() -> None:
    assert MovesOnto(3, 2)[0b1000010001] == (move(3, 2, 0), move(3, 2, 4), move(3, 2, 9))
    assert MovesOnto(3, 2)[0] == ()


def test_the_moves_onto_the_same_columns_are_made_once() -> None:
    moves = MovesOnto(0, 1)
    assert moves[0b110] is moves[0b110]


def test_a_full_table_still_gives_all_moves_but_keeps_no_more() -> None:
    moves = MovesOnto(0, 1)
    for targets in range(1 << MOST_COLUMNS):
        assert moves[targets] == tuple(
            move(0, 1, target) for target in range(MOST_COLUMNS) if targets >> target & 1
        )
    assert len(moves) == KEPT
