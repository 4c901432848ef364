"""The scores against their sources, by numbers and by positions played to an end."""

import pytest

from server.games import scores
from tests.games.positions import ALL_ON_TABLE, act, dealt, position

HALF_DONE = "t0: [AC] KS-2S; t1: AS; t2: 5H 4H; t3: 5D"
FOUR_ON_TABLE = "t0: KS-AS; t1: KH-AH; t2: KD-AD; t3: KC-AC"


@pytest.mark.parametrize(
    ("score", "value"), [("woods", 2), ("dos", 10), ("cards", 0), ("moves", 0)]
)
def test_the_value_of_a_pair(score: str, value: int) -> None:
    apart = position("t0: 9S; t1: 8S", score=score)
    together = position("t0: 9S 8S", score=score)
    assert together.score - apart.score == value == scores.value_of_pair(score)


class TestWoods:
    def test_each_part_of_the_formula(self) -> None:
        # 43 of 44 turned, nine columns open, 11 + 1 pairs.
        game = position(HALF_DONE)
        assert game.score == 10 * 43 + 15 * 9 + 2 * 12
        act(game, "t1x1-t0")
        assert game.score == 10 * 43 + 15 * 9 + 2 * 13
        # The suit no longer scores its pairs, and the ace of clubs is turned.
        act(game, "remove t0")
        assert game.score == 10 * 44 + 15 * 10 + 2 * 1 + 50

    @pytest.mark.parametrize(
        ("on_table", "score"),
        [
            (8, 1000),
            (7, 998),
            (6, 996),
            (5, 994),
            (4, 992),
            (3, 990),
            (2, 990),
            (1, 990),
            (0, 990),
        ],
    )
    def test_a_win_with_suits_on_the_table(self, on_table: int, score: int) -> None:
        game = position(ALL_ON_TABLE)
        act(game, *(f"remove t{i}" for i in range(8 - on_table)))
        if on_table:
            act(game, "finish")
        assert game.score == score

    def test_before_the_win_a_complete_suit_scores_its_twelve_pairs(self) -> None:
        game = position(ALL_ON_TABLE)
        assert game.score == 440 + 150 + 8 * 24
        assert act(game, "remove t0").has_gained

    @pytest.mark.parametrize(("on_table", "score"), [(4, 502), (3, 500), (1, 500), (0, 500)])
    def test_a_win_at_spiderette(self, on_table: int, score: int) -> None:
        game = position(FOUR_ON_TABLE, "spiderette-4")
        act(game, *(f"remove t{i}" for i in range(4 - on_table)))
        if on_table:
            act(game, "finish")
        assert game.score == score

    def test_spiderettes_first_column_earns_nothing_for_being_open(self) -> None:
        game = position("t0: AS; t1: [2H] 9H; t2: 3S", "spiderette-4")
        assert game.score == 10 * 20 + 15 * 5


# Seed 3, IV: exceptions, a win, each suit removed, each matched pair.
DOS_TABLE = [
    (0, 1000, 120, 10),
    (1, 900, 108, 9),
    (2, 800, 96, 8),
    (3, 700, 84, 7),
    (4, 600, 72, 6),
    (5, 500, 60, 5),
    (6, 400, 50, 4),
    (7, 400, 50, 3),
    (8, 400, 50, 2),
    (9, 400, 50, 1),
    (10, 400, 50, 1),
    (12, 400, 50, 1),
]


class TestDos:
    @pytest.mark.parametrize(("exceptions", "win", "suit", "pair"), DOS_TABLE)
    def test_every_row_of_the_scoring_table(
        self, exceptions: int, win: int, suit: int, pair: int
    ) -> None:
        star = 10 * max(0, exceptions - 6)
        assert scores.rate_dos_win(exceptions, 0, grand=False) == win - star
        assert scores.rate_dos(exceptions, pairs=0, removed=2) == 2 * suit - star
        assert scores.rate_dos(exceptions, pairs=70, removed=0) == max(0, 70 * pair - star)
        if exceptions:
            assert scores.rate_dos_win(exceptions, 25, grand=False) == win - 25 - star

    def test_a_score_is_never_below_zero(self) -> None:
        assert scores.rate_dos_win(9, 1000, grand=False) == 0
        assert scores.rate_dos(50, pairs=1, removed=0) == 0

    def test_pairs_count_inside_complete_suits_until_they_are_removed(self) -> None:
        game = position("t0: KS-AS; t1: 5H 4H; t2: 9D", score="dos")
        assert game.score == 130
        act(game, "remove t0")
        assert game.score == 130
        act(game, "t1x1-t0")
        assert game.score == 120

    def test_a_win_without_exceptions_is_a_thousand(self) -> None:
        game = position("t0: KS-2S; t1: AS; f0: KS-AS", score="dos")
        act(game, "t1x1-t0", "remove t0")
        assert game.score == 1000

    def test_a_game_that_is_not_won_loses_by_the_row_of_its_exceptions_alone(self) -> None:
        game = position("t0: KS-3S; t1: 3H 2S; t2: AS; t3: 4D", score="dos", exceptions="hard")
        act(game, "t2x1-t1", "t1x3-t3!", "t3x2-t0")
        assert game.counts.exceptions == 1
        assert game.score == 12 * 9
        act(game, "remove t0")
        assert game.score == 108

    def test_a_win_with_exceptions_costs_them_and_the_moves_after(self) -> None:
        text = "t0: KS-3S; t1: 3H 2S; t2: AS; t3: 4D; t4: KH-4H; t5: 2H-AH; t6: KD-5D; t7: 3D-AD"
        game = position(text, score="dos", exceptions="easy")
        act(game, "t2x1-t1", "t1x3-t3", "t3x2-t0", "remove t0", "t3x1-t4", "t5x2-t4")
        act(game, "remove t4", "t3x1-t6", "t7x3-t6")
        assert game.outcome is None
        act(game, "remove t6")
        assert game.outcome == "won"
        assert game.score == 900 - 5

    def test_a_win_counts_the_moves_after_the_first_of_several_exceptions(self) -> None:
        """Text 3, IV: not the four moves after the last exception, which is one of the five."""
        text = "t0: KS-3S; t1: 3H 2S; t2: AS; t3: 4D; t4: KH-4H; t5: 2H-AH; t6: KD-5D; t7: 3D-AD"
        game = position(text, score="dos", exceptions="easy")
        act(game, "t2x1-t1", "t1x3-t3", "t3x4-t6")
        assert game.counts.exceptions == 2
        act(game, "t6x2-t0", "remove t0", "t6x1-t4", "t5x2-t4", "remove t4", "t7x3-t6")
        act(game, "remove t6")
        assert game.outcome == "won"
        assert game.score == 800 - 5

    def test_a_copy_remembers_when_its_first_exception_was(self) -> None:
        text = "t0: KS-3S; t1: 3H 2S; t2: AS; t3: 4D; t4: KH-4H; t5: 2H-AH; t6: KD-5D; t7: 3D-AD"
        game = position(text, score="dos", exceptions="easy")
        act(game, "t2x1-t1", "t1x3-t3")
        twin = game.copy()
        act(twin, "t3x2-t0", "remove t0", "t3x1-t4", "t5x2-t4", "remove t4", "t3x1-t6")
        act(twin, "t7x3-t6", "remove t6")
        assert twin.score == 900 - 5

    def test_a_grand_spider_keeps_all_suits_until_the_end(self) -> None:
        game = position(ALL_ON_TABLE, score="dos")
        assert game.score == 8 * 12 * 10
        act(game, *(f"remove t{i}" for i in range(8)))
        assert game.score == 10_000

    def test_a_move_after_the_first_removal_spoils_a_grand_spider(self) -> None:
        game = position(ALL_ON_TABLE, score="dos")
        act(game, "remove t0", "t1x13-t0", "remove t0", *(f"remove t{i}" for i in range(2, 8)))
        assert game.score == 1000

    def test_a_move_before_the_first_removal_keeps_a_grand_spider(self) -> None:
        game = position(ALL_ON_TABLE, score="dos")
        act(game, "t0x13-t9", "remove t9", *(f"remove t{i}" for i in range(1, 8)))
        assert game.score == 10_000

    def test_an_exception_spoils_a_grand_spider(self) -> None:
        assert scores.rate_dos_win(1, 0, grand=True) == 900

    def test_suits_that_were_never_removed_make_no_grand_spider(self) -> None:
        game = position(ALL_ON_TABLE, score="dos")
        act(game, "remove t0", "finish")
        assert game.score == 1000


class TestCards:
    def test_each_removed_card_scores_one_point(self) -> None:
        game = position(ALL_ON_TABLE, score="cards")
        assert game.score == 0
        act(game, "remove t3")
        assert game.score == 13
        act(game, *(f"remove t{i}" for i in (0, 1, 2, 4, 5, 6, 7)))
        assert game.score == 104

    def test_little_spider_counts_its_foundations(self) -> None:
        assert position("f0: AS-5S; f2: KH-JH; u0: 9C", "little-spider").score == 8


class TestMoves:
    def test_each_act_costs_a_point_but_a_removal_does_not(self) -> None:
        game = position("t0: 5S; t1: 6S; t2: 6H", score="moves")
        assert game.score == 500
        act(game, "t0x1-t1", "undo", "redo", "t1x1-t2")
        assert game.score == 500 - 4

    def test_each_deal_costs_a_point(self) -> None:
        game = dealt(score="moves")
        act(game, "deal", "deal")
        assert game.score == 500 - 2

    def test_cards_that_lie_face_down_complete_no_suit(self) -> None:
        assert position("t0: [KS] QS-AS 5H", score="moves").score == 500

    def test_a_suit_is_worth_a_hundred_wherever_it_lies_complete(self) -> None:
        game = position("t0: KS-2S; t1: AS; t2: [2H] KD-AD; t3: 2C", score="moves")
        assert game.score == 600
        act(game, "t1x1-t0")
        assert game.score == 699
        act(game, "remove t0")
        assert game.score == 699
        # Covered, it is complete all the same.
        assert position("t0: KD-AD KS-JS", score="moves").score == 600

    def test_suits_on_the_table_are_counted_where_suits_are_removed(self) -> None:
        game = position("t0: KD-AD KS-AS; t1: 2H", score="moves")
        assert game.suits_on_table == 2
        act(game, "remove t0")
        assert game.suits_on_table == 1
        # The king of spades lies face down.
        assert position("t0: [KS] QS-AS KD-AD; t1: 2H", score="moves").suits_on_table == 1
        assert position("f0: AS-KS; u0: 9C", "little-spider").suits_on_table == 0

    def test_a_score_is_never_below_zero(self) -> None:
        assert scores.rate_moves(acts=700, complete=1) == 0
