import pytest

from protocol.vocabulary import Outcome, StuckReason
from server.games.actions import FINISH
from server.games.cards import card_name, format_cards
from server.games.errors import NotationError
from server.games.notation import format_position
from tests.games.positions import act, dealt, forward, legal_texts, names, position, refused

WORKED_EXAMPLE = """
    t0: [KC KC KC KC 4C] AD
    t1: [KC KC KC KC KC] QS
    t2: [KC KC KC KC KC] 8C
    t3: [KC KC KC 8D 7S] 7H
    t4: [KC KC KC KC] 4S
    t5: [KC KC KC KC] 4H
    t6: [KC KC KC KC] 2D
    t7: [KC KC KC KC] QH
    t8: [KC KC 8S 2S] JH
    t9: [KC KC 2C 6H] 3S
"""
WORKED_MOVES = ("t9x1-t4", "t9x1-t3", "t0x1-t6", "t8x1-t1", "t8x1-t4", "t3x2-t8", "t3x1-t2")


class TestMoves:
    def test_a_card_goes_on_the_next_higher_one_of_any_suit(self) -> None:
        game = position("t0: 5S; t1: 6S; t2: 6H; t3: 4S; t4: 5H; t5: KS")
        assert set(legal_texts(game)) >= {"t0x1-t1", "t0x1-t2", "t3x1-t0", "t3x1-t4", "t4x1-t1"}
        assert refused(game, "t3x1-t1") == "wrong_rank"

    def test_any_part_of_a_run_of_one_suit_moves(self) -> None:
        # Seed 1, "Building": the 6, 5 and 4 of hearts.
        game = position("t0: 6H-4H; t1: 7S; t2: 5S; t3: 6D")
        assert {a for a in legal_texts(game) if a.startswith("t0x") and a[-1] in "123"} == {
            "t0x3-t1",
            "t0x2-t3",
            "t0x1-t2",
        }

    def test_a_space_takes_any_part_of_a_run(self) -> None:
        game = position(
            "t0: KS-JS; t1: 2H; t2: 2H; t3: 2H; t4: 2H; t5: 2H; t6: 2H; t7: 2H; t8: 2H"
        )
        assert {a for a in legal_texts(game) if a.startswith("t0")} == {
            "t0x1-t9",
            "t0x2-t9",
            "t0x3-t9",
        }

    def test_a_king_headed_column_goes_from_space_to_space_and_counts(self) -> None:
        game = position("t0: KS-JS")
        act(game, "t0x3-t4")
        assert format_position(game) == "t4: KS QS JS"
        assert game.counts.moves == 1

    def test_a_king_goes_only_to_spaces(self) -> None:
        game = position("t0: KS; t1: AS")
        assert refused(game, "t0x1-t1") == "wrong_rank"

    def test_an_uncovered_card_turns_up_at_once_and_for_good(self) -> None:
        game = position("t0: [9C] 5S; t1: 6S", undo="any")
        effects = act(game, "t0x1-t1")
        assert names(game, effects.turned) == ["t0"]
        assert names(game, effects.changed) == ["t0", "t1"]
        assert effects.has_gained
        act(game, "t1x1-t2")
        assert format_position(game) == "t0: 9C\nt1: 6S\nt2: 5S"

    def test_moves_within_the_worked_example_of_the_dos_manual(self) -> None:
        # Seed 3, II. The text names no card below the turned ones, so kings stand for them.
        game = position(WORKED_EXAMPLE, score="dos")
        act(game, *WORKED_MOVES)
        up = [game.pile(i).cards[game.pile(i).down :] for i in range(10)]
        ranks = [" ".join(card_name(card)[0] for card in cards) for cards in up]
        assert ranks == ["4", "Q J", "8 7", "8", "4 3 2", "4", "2 A", "Q", "8 7 6", "2"]
        assert game.score == 40
        # "You now have no more moves", the manual says, loosely.
        assert {"t1x1-t7", "t2x1-t3"} <= set(legal_texts(game))
        assert game.stuck is None

    def test_the_worked_example_by_woods(self) -> None:
        game = position(WORKED_EXAMPLE)
        act(game, *WORKED_MOVES)
        assert game.score == 78


class TestDeals:
    def test_a_deal_lays_a_card_on_each_column_from_left_to_right(self) -> None:
        game = dealt("spider-4", 1, layout="spread")
        effects = act(game, "deal")
        last = format_cards(game.pile(i).cards[-1] for i in range(10))
        assert last == "QH 9S 2S QH 3C AS 4S KS 6D TD"
        assert names(game, effects.changed) == [*(f"t{i}" for i in range(10)), "stock"]
        assert (game.counts.deals, game.counts.stock) == (1, 40)

    def test_five_deals_empty_the_stock(self) -> None:
        game = dealt("spider-2")
        act(game, *["deal"] * 5)
        assert refused(game, "deal") == "deal_stock_empty"
        assert game.counts.stock == 0

    def test_a_deal_waits_for_every_column(self) -> None:
        text = "t0: KS QS; t1: KS; t2: KS; t3: KS; t4: KS; t5: KS; t6: KS; t7: KS; t8: KS"
        text += "; stock: 2H-AH 2H-AH 2H-AH 2H-AH 2H-AH"
        assert refused(position(text), "deal") == "deal_empty_column"
        relaxed = position(text, relaxed_deal=True)
        act(relaxed, "deal")
        assert relaxed.counts.stock == 0

    def test_a_deal_needs_as_many_cards_as_columns(self) -> None:
        text = "t0: KS-JS; stock: 2H-AH 2H-AH 2H-AH 2H-AH 2H-AH"
        assert refused(position(text), "deal") == "deal_too_few_cards"

    @pytest.mark.parametrize(
        ("game", "enough", "one_fewer", "stock"),
        [
            ("spider-4", "t0: KS-4S", "t0: KS-5S", "2H-AH 2H-AH 2H-AH 2H-AH 2H-AH"),
            ("spider-1", "t0: [5S] KS-8S; t9: AS AS AS", "t0: [5S] KS-8S; t9: AS AS", "TS-AS"),
            ("spiderette-1", "t0: KS-7S", "t0: KS-8S", "7S-AS"),
            ("spiderette-1", "t0: KS-7S", "t0: KS-8S", "3S-AS"),
        ],
    )
    def test_the_number_of_cards_decides_the_reason_of_a_refused_deal(
        self, game: str, enough: str, one_fewer: str, stock: str
    ) -> None:
        # As many cards as columns could fill them all; one fewer could not.
        assert refused(position(f"{enough}; stock: {stock}", game), "deal") == "deal_empty_column"
        too_few = position(f"{one_fewer}; stock: {stock}", game)
        assert refused(too_few, "deal") == "deal_too_few_cards"

    @pytest.mark.parametrize(
        ("game", "columns", "stock"),
        [
            ("spider-4", 10, "2H-AH 2H-AH 2H-AH 2H-AH 2H-AH"),
            ("spiderette-1", 7, "7S-AS"),
            ("spiderette-1", 7, "3S-AS"),
        ],
    )
    def test_one_card_on_each_column_is_enough(self, game: str, columns: int, stock: str) -> None:
        kings = [f"t{i}: KS" for i in range(columns)]
        assert legal_texts(position("; ".join([*kings, f"stock: {stock}"]), game)) == ["deal"]
        one_fewer = position("; ".join([*kings[1:], f"stock: {stock}"]), game)
        assert refused(one_fewer, "deal") == "deal_too_few_cards"


THREE_SUITS_HOME = """
    t0: 3S; t3: 9S; t6: KS
    f0: KS-AS; f1: KS-AS; f2: KS-AS
    stock: [AS 2S 4S 5S 6S 7S 8S TS JS QS]
"""
"""Spiderette, one suit: three cards on the table, ten to deal."""


DEAL_24 = """
    t1x1-t2 t1x1-t6 t6x2-t2 t2x4-t3 t3x5-t5 t5x6-t6 t2x1-t3 t2x1-t5 t6x7-t1 t1x7-t6 t6x8-t1
    t6x1-t1 t3x2-t1 t5x2-t3 t3x3-t2 t1x11-t3 t3x12-t0 remove_t0 t5x1-t0 t5x1-t1 t1x1-t5 t5x2-t1
    t4x1-t5 t6x1-t4 t4x2-t3 t1x2-t4 t6x1-t1 t3x2-t6 t4x3-t3 deal t5x1-t3 t5x2-t3 t0x1-t5 t0x1-t1
    t1x2-t0 t1x1-t5 t2x1-t1 t3x4-t2 t0x2-t3 t4x1-t0 t1x1-t4 t4x2-t6 t6x3-t1 deal t6x4-t3 t0x2-t2
    t1x1-t2 t1x3-t3 remove_t3 t2x4-t0 t2x7-t4 t4x8-t1 t5x1-t4 t1x8-t5 t5x9-t0 remove_t0
"""
"""Spiderette, one suit, deal 24: on the way to three suits home with ten cards to deal."""


class TestRelaxedDeals:
    @pytest.mark.parametrize("relaxed_deal", [False, True])
    def test_a_game_that_clears_the_table_before_the_stock_goes_on(
        self, relaxed_deal: bool
    ) -> None:
        game = dealt("spiderette-1", 24, relaxed_deal=relaxed_deal)
        act(game, *(text.replace("_", " ") for text in DEAL_24.split()))
        assert format_position(game).startswith("t4: 5S 4S\nt5: TS\nstock: [AS 3S")
        assert (game.counts.suits, game.counts.stock) == (3, 10)
        if relaxed_deal:
            act(game, "deal", "deal")
            assert game.counts.stock == 0
        else:
            assert refused(game, "deal") == "deal_too_few_cards"

    def test_spiderette_with_three_cards_on_the_table_goes_on(self) -> None:
        strict = position(THREE_SUITS_HOME, "spiderette-1")
        assert refused(strict, "deal") == "deal_too_few_cards"
        game = position(THREE_SUITS_HOME, "spiderette-1", relaxed_deal=True)
        effects = act(game, "deal")
        assert names(game, effects.changed) == [*(f"t{i}" for i in range(7)), "stock"]
        assert format_position(game).startswith(
            "t0: 3S QS\nt1: JS\nt2: TS\nt3: 9S 8S\nt4: 7S\nt5: 6S\nt6: KS 5S\n"
        )
        act(game, "deal")
        assert (game.counts.deals, game.counts.stock) == (2, 0)
        assert refused(game, "deal") == "deal_stock_empty"

    @pytest.mark.parametrize("auto_remove", [False, True])
    def test_a_game_with_a_relaxed_deal_can_be_won(self, auto_remove: bool) -> None:
        rules = {"relaxed_deal": True, "auto_remove": auto_remove}
        game = position(THREE_SUITS_HOME, "spiderette-1", **rules)
        act(game, "deal", "deal", "t2x1-t1", "t3x2-t2", "t4x1-t2", "t5x1-t2", "t6x1-t2")
        act(game, "t0x1-t2", "t0x1-t6", "t0x1-t2", "t1x2-t2", "t1x1-t6", "t2x10-t6")
        if not auto_remove:
            assert "finish" in legal_texts(game)
            act(game, "remove t6")
        assert (game.outcome, game.score) == (Outcome.WON, 500)

    def test_the_last_three_cards_go_on_empty_columns_and_come_back(self) -> None:
        text = "t5: KS\nstock: [4S 5S 6S]"
        game = position(text, "spiderette-1", relaxed_deal=True, undo="any")
        effects = act(game, "deal")
        assert names(game, effects.changed) == ["t0", "t1", "t2", "stock"]
        dealt_to = "t0: 6S\nt1: 5S\nt2: 4S\nt5: KS"
        assert format_position(game) == dealt_to
        act(game, "undo")
        assert format_position(game) == text
        assert game.counts.cheats == 1
        act(game, "redo")
        assert format_position(game) == dealt_to

    def test_a_suit_completed_by_a_relaxed_deal_is_removed_automatically(self) -> None:
        text = "t0: KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S\nstock: [5S AS]"
        game = position(text, relaxed_deal=True, auto_remove=True, undo="any")
        assert act(game, "deal").removed == 1
        assert format_position(game).startswith("t1: 5S\nf0: KS")
        act(game, "undo")
        assert format_position(game) == text

    def test_a_table_without_cards_can_be_dealt_to(self) -> None:
        game = position("stock: 2H AS", relaxed_deal=True)
        assert game.stuck is None
        assert legal_texts(game) == ["deal"]
        act(game, "deal")
        assert format_position(game) == "t0: AS\nt1: 2H"


class TestRemovals:
    def test_a_complete_suit_stays_until_it_is_removed_by_hand(self) -> None:
        game = position("t0: [5H] KS-2S; t1: AS")
        act(game, "t1x1-t0")
        assert game.counts.suits == 0
        effects = act(game, "remove t0")
        assert (effects.removed, names(game, effects.turned)) == (1, ["t0"])
        assert names(game, effects.changed) == ["t0", "f0"]
        assert format_position(game).startswith("t0: 5H\nf0: KS QS")
        assert (game.counts.suits, game.counts.home, game.counts.removals) == (1, 13, 1)

    def test_a_suit_completed_by_a_deal_stays_too(self) -> None:
        rest = "; ".join(f"t{i}: 9H" for i in range(1, 10))
        game = position(f"t0: KS-2S; {rest}; stock: 8D 8D 8D 8D 8D 8D 8D 8D 8D AS")
        effects = act(game, "deal")
        assert (effects.removed, game.counts.suits) == (0, 0)
        assert "remove t0" in legal_texts(game)

    def test_a_removed_suit_is_the_one_that_lay_at_the_end(self) -> None:
        game = position("t0: 9H 5D 7C KS-AS")
        act(game, "remove t0")
        assert format_position(game).startswith("t0: 9H 5D 7C\nf0: KS QS JS")

    def test_a_suit_that_is_not_at_the_end_stays(self) -> None:
        assert refused(position("t0: KS-AS 5H"), "remove t0") == "not_a_complete_suit"
        assert refused(position("t0: KS-8S 7H-AH"), "remove t0") == "not_a_complete_suit"

    def test_automatic_removal_takes_a_suit_completed_by_a_move(self) -> None:
        game = position("t0: [5H] KS-2S; t1: [6H] AS", auto_remove=True)
        effects = act(game, "t1x1-t0")
        assert format_position(game).startswith("t0: 5H\nt1: 6H\nf0: KS")
        assert effects.removed == 1
        assert names(game, effects.turned) == ["t0", "t1"]
        assert names(game, effects.changed) == ["t1", "t0", "f0"]
        assert game.counts.removals == 0

    def test_automatic_removal_takes_suits_completed_by_a_deal(self) -> None:
        # A check of a move's target alone does not find these.
        kings = "; ".join(f"t{i}: KC" for i in range(2, 10))
        stock = "stock: 9C 9C 9C 9C 9C 9C 9C 9C AH AS"
        game = position(
            f"t0: [5H] KS-2S; t1: KH-2H; {kings}; {stock}", auto_remove=True, undo="any"
        )
        before = format_position(game)
        effects = act(game, "deal")
        assert (effects.removed, names(game, effects.turned)) == (2, ["t0"])
        assert names(game, effects.changed)[-3:] == ["stock", "f0", "f1"]
        assert format_position(game).startswith("t0: 5H\nt2: KC 9C")
        act(game, "undo")
        assert format_position(game) == before
        assert game.counts.cheats == 1


class TestEnds:
    def test_a_game_ends_by_itself_when_all_suits_are_removed(self) -> None:
        game = position("t0: KS-AS; f0: KS-AS")
        assert game.outcome is None
        act(game, "remove t0")
        assert game.outcome is Outcome.WON
        assert game.legal_actions() == ()
        assert game.stuck is None
        assert refused(game, "undo") == "game_over"

    def test_an_empty_position_is_won(self) -> None:
        assert position("").outcome is Outcome.WON

    def test_the_player_ends_a_won_game_with_suits_on_the_table(self) -> None:
        game = position("t0: KS-AS; t5: KH-AH")
        assert game.stuck is None
        effects = act(game, "finish")
        assert effects.changed == ()
        assert effects.has_gained
        assert game.outcome is Outcome.WON

    @pytest.mark.parametrize(
        "text",
        [
            "t0: KS-AS; t1: 5H",
            "t0: KS-AS KH-AH",
            "t0: KS-AS; t1: KH-2H; t2: AH",
            "t0: KS-AS; stock: 2S",
            "t0: KS-8S 7H-AH",
            "t0: [5S] KS-AS",
        ],
    )
    def test_a_column_with_anything_besides_one_suit_is_not_won(self, text: str) -> None:
        assert refused(position(text), "finish") == "not_finished"

    def test_a_stuck_game_ends_only_when_the_player_finishes_it(self) -> None:
        text = "; ".join(f"t{i}: {2 * i % 12 + 2}S" for i in range(4))
        rest = "; ".join(f"t{i}: KS" for i in range(4, 10))
        game = position(f"{text}; {rest}")
        assert game.stuck is StuckReason.STOCK_EMPTY
        assert game.legal_actions() == (FINISH,)
        assert game.outcome is None
        assert not act(game, "finish").has_gained
        assert game.outcome is Outcome.FINISHED_STUCK
        assert game.stuck is StuckReason.STOCK_EMPTY

    def test_a_stuck_player_can_still_undo(self) -> None:
        rest = "; ".join(f"t{i}: 5S" for i in range(2, 10))
        game = position(f"t0: 9C QH; t1: KD; {rest}")
        assert game.stuck is None
        act(game, "t0x1-t1")
        assert game.stuck is StuckReason.STOCK_EMPTY
        assert legal_texts(game) == ["finish", "undo"]
        act(game, "undo")
        assert game.stuck is None

    def test_a_game_is_not_stuck_if_a_run_can_be_broken_up_into_a_space(self) -> None:
        kings = "; ".join(f"t{i}: KH" for i in range(1, 9))
        assert position(f"t0: KS QS; {kings}").stuck is None

    def test_an_empty_table_cannot_be_dealt_to(self) -> None:
        game = position("stock: AS")
        assert game.stuck is StuckReason.DEAL_TOO_FEW_CARDS
        assert forward(game) == []


class TestExceptions:
    TEXT = "t0: 7S 6H; t1: 8C; t2: 8D"

    def test_a_mixed_run_does_not_move_without_the_option(self) -> None:
        game = position(self.TEXT)
        assert refused(game, "t0x2-t1") == "mixed_suits"
        assert refused(game, "t0x2-t1!") == "exceptions_are_off"

    def test_a_mixed_run_moves_and_counts_at_the_easy_level_requested_or_not(self) -> None:
        game = position(self.TEXT, exceptions="easy")
        assert {"t0x2-t1", "t0x2-t1!"} <= set(legal_texts(game))
        act(game, "t0x2-t1", "t1x2-t2!")
        assert game.counts.exceptions == 2

    def test_an_exception_must_be_requested_at_the_hard_level(self) -> None:
        game = position(self.TEXT, exceptions="hard")
        assert refused(game, "t0x2-t1") == "exception_not_asked"
        act(game, "t0x2-t1!")
        assert (game.counts.exceptions, game.counts.moves) == (1, 1)

    @pytest.mark.parametrize("level", ["easy", "hard"])
    def test_an_exception_that_is_not_needed_is_refused(self, level: str) -> None:
        game = position("t0: 7S 6S; t1: 8C", exceptions=level)
        assert refused(game, "t0x2-t1!") == "exception_not_needed"
        act(game, "t0x2-t1")
        assert game.counts.exceptions == 0

    def test_only_the_choice_of_cards_is_relaxed(self) -> None:
        game = position("t0: 7S 6H; t1: 9C; t2: 5S 8S 6S", exceptions="easy")
        assert refused(game, "t0x2-t1") == "wrong_rank"
        assert refused(game, "t2x2-t1") == "not_a_run"

    def test_an_undone_exception_stays_counted(self) -> None:
        game = position(self.TEXT, exceptions="easy")
        act(game, "t0x2-t1", "undo", "redo")
        assert game.counts.exceptions == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("t0: [AS AS AS AS AS AS] 2S", "column 1 has never had 6 cards face down"),
        ("t9: [AS AS AS AS AS] 2S", "column 10 has never had 5 cards face down"),
        ("t0: [AS]", "last card of column 1 must lie face up"),
        ("f0: KS-2S", "^a removed suit is thirteen cards"),
    ],
)
def test_impossible_positions_are_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        position(text)
