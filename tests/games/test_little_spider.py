import pytest

from protocol.vocabulary import Outcome, StuckReason
from server.games.cards import format_cards, parse_cards
from server.games.errors import IllegalAction, NotationError
from server.games.notation import format_position
from tests.games.positions import act, dealt, legal_texts, names, parsed, position, refused

GAME = "little-spider"


def little(text: str) -> set[str]:
    return set(legal_texts(position(text, GAME)))


class TestDeal:
    def test_eight_cards_lie_face_up_and_44_are_in_the_stock(self) -> None:
        game = dealt(GAME)
        assert [len(game.pile(i).cards) for i in range(13)] == [1] * 8 + [0] * 4 + [44]
        assert [game.pile(i).down for i in range(13)] == [0] * 12 + [44]

    def test_five_deals_have_eight_cards_and_the_last_has_four_on_the_upper_row(self) -> None:
        game = dealt(GAME, undo="any")
        stock = [*reversed(game.pile(12).cards)]
        effects = act(game, "deal")
        assert names(game, effects.changed) == [*game.variant.pile_names[:8], "stock"]
        assert [game.pile(i).cards[-1] for i in range(8)] == stock[:8]
        act(game, *["deal"] * 4)
        before = format_position(game)
        effects = act(game, "deal")
        assert names(game, effects.changed) == ["u0", "u1", "u2", "u3", "stock"]
        assert refused(game, "deal") == "deal_stock_empty"
        act(game, "undo")
        assert format_position(game) == before

    def test_an_undone_deal_is_a_cheat_or_free(self) -> None:
        for undo, cheats in (("any", 1), ("counted", 1), ("free", 0)):
            game = dealt(GAME, undo=undo)
            before = format_position(game)
            act(game, "deal", "undo")
            assert format_position(game) == before
            assert game.counts.cheats == cheats

    def test_empty_piles_are_dealt_to(self) -> None:
        game = position("u0: 5H; stock: AS-8S", GAME)
        act(game, "deal")
        tops = format_cards(game.pile(i).cards[-1] for i in range(8))
        assert tops == "8S 7S 6S 5S 4S 3S 2S AS"

    def test_a_deal_cannot_be_undone_under_no_reveal(self) -> None:
        game = dealt(GAME)
        act(game, "deal")
        assert refused(game, "undo") == "undo_reveals"


class TestFoundations:
    def test_two_foundations_begin_with_aces_and_two_with_kings(self) -> None:
        assert little("u0: AS; u1: KH; u2: 5C; stock: 9C") == {
            "u0x1-f0",
            "u0x1-f1",
            "u1x1-f2",
            "u1x1-f3",
            "deal",
        }

    def test_foundations_build_up_and_down_in_suit(self) -> None:
        text = "u0: 4S; u1: TH; u2: QH; u3: 3S; f0: AS-3S; f2: KH-JH; stock: 9C"
        assert little(text) == {"u0x1-f0", "u1x1-f2", "deal"}

    @pytest.mark.parametrize(
        ("begun", "takes"),
        [
            ("f0: AS", {"u0x1-f1", "u2x1-f2", "u2x1-f3"}),
            ("f2: KC", {"u1x1-f0", "u1x1-f1", "u3x1-f3"}),
            ("f0: AH", {"u1x1-f1", "u3x1-f2", "u3x1-f3"}),
            ("f3: KD", {"u0x1-f0", "u0x1-f1", "u2x1-f2"}),
        ],
    )
    def test_the_first_card_fixes_the_colours(self, begun: str, takes: set[str]) -> None:
        game = position(f"u0: AC; u1: AD; u2: KH; u3: KS; {begun}; stock: 9C", GAME)
        assert set(legal_texts(game)) == {*takes, "deal"}

    def test_a_lower_pile_plays_only_on_the_slot_above_it_while_the_stock_has_cards(self) -> None:
        assert little("l0: AS; l1: AC; l2: KS; stock: 9C") == {
            "l0x1-f0",
            "l1x1-f1",
            "l2x1-f2",
            "deal",
        }

    def test_a_full_foundation_accepts_no_card(self) -> None:
        assert little("u0: KD; u1: AH; u2: 5C; f0: AS-KS; f2: KH-AH") == {
            "u0x1-f3",
            "u0x1-u1",
            "u1x1-u0",
        }


class TestSecondPhase:
    TEXT = "u0: 5H; u1: 6S; u2: 4C; l0: KS; l1: AD; l2: 9H"

    def test_cards_go_on_piles_one_rank_above_or_below_ace_and_king_adjacent(self) -> None:
        game = position(self.TEXT, GAME)
        between = {text for text in legal_texts(game) if "-f" not in text}
        assert between == {"u0x1-u1", "u0x1-u2", "u1x1-u0", "u2x1-u0", "l0x1-l1", "l1x1-l0"}

    def test_a_lower_pile_plays_on_every_slot(self) -> None:
        game = position(self.TEXT, GAME)
        assert {"l0x1-f2", "l0x1-f3", "l1x1-f0", "l1x1-f1"} <= set(legal_texts(game))

    def test_cards_do_not_move_between_piles_while_the_stock_has_cards(self) -> None:
        assert not {text for text in little(self.TEXT + "; stock: 2H") if "-f" not in text} - {
            "deal"
        }

    def test_an_empty_pile_stays_empty(self) -> None:
        assert refused(position(self.TEXT, GAME), "u0x1-u3") == "pile_stays_empty"

    def test_a_move_is_undone(self) -> None:
        game = position(self.TEXT, GAME)
        before = format_position(game)
        effects = act(game, "u0x1-u1")
        assert names(game, effects.changed) == ["u0", "u1"]
        act(game, "undo")
        assert format_position(game) == before


class TestEnds:
    LAST = "u0: KC; f0: AS-KS; f1: AC-QC; f2: KH-AH; f3: KD-AD"

    def test_a_game_with_all_cards_on_foundations_is_won(self) -> None:
        game = position(self.LAST, GAME)
        effects = act(game, "u0x1-f1")
        assert game.outcome is Outcome.WON
        assert (effects.removed, effects.has_gained) == (1, True)
        assert (game.counts.suits, game.counts.home, game.score) == (4, 52, 52)

    @pytest.mark.parametrize("slot", range(4))
    def test_each_full_foundation_counts_as_a_suit(self, slot: int) -> None:
        full = ["AS-KS", "AC-KC", "KH-AH", "KD-AD"]
        last = ["KS", "KC", "AH", "AD"][slot]
        full[slot] = full[slot].replace(f"-{last}", f"-{'Q' if slot < 2 else '2'}{last[1]}")
        foundations = "; ".join(f"f{i}: {cards}" for i, cards in enumerate(full))
        game = position(f"u0: 5H {last}; {foundations}", GAME)
        assert game.counts.suits == 3
        assert act(game, f"u0x1-f{slot}").removed == 1
        assert game.counts.suits == 4

    def test_no_card_is_ever_face_down_on_the_table(self) -> None:
        assert dealt(GAME).counts.face_down == 0

    def test_a_move_that_fills_a_foundation_is_undone_like_any_move(self) -> None:
        game = position(self.LAST + "; l0: 5H", GAME)
        act(game, "u0x1-f1", "undo")
        assert game.counts.suits == 3
        assert game.outcome is None

    def test_a_stuck_game_gives_its_reason(self) -> None:
        game = position("u0: 5H; u1: 9S", GAME)
        assert game.stuck is StuckReason.STOCK_EMPTY
        assert legal_texts(game) == ["finish"]
        act(game, "finish")
        assert game.outcome is Outcome.FINISHED_STUCK

    def test_a_game_is_not_stuck_while_the_stock_has_cards(self) -> None:
        assert position("u0: 5H; stock: 9S", GAME).stuck is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("u0x1-u2", "not_rank_adjacent"),
        ("u0x1-u3", "pile_stays_empty"),
        ("u3x1-u0", "pile_empty"),
        ("u0x2-u1", "not_enough_cards"),
        ("u0x1-stock", "no_such_pile"),
        ("u0x1-u1!", "exceptions_are_off"),
        ("deal", "deal_stock_empty"),
    ],
)
def test_a_replayed_action_is_judged_as_any_other(text: str, code: str) -> None:
    game = position("u0: AH; u1: KS; u2: 5H", GAME)
    with pytest.raises(IllegalAction, match=code):
        game.replay(parsed(game, text))
    game.replay(parsed(game, "u0x1-u1"))
    assert game.pile(1).cards == parse_cards("KS AH")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("u0: [5H] 4H", "^every card of Little Spider lies face up$"),
        ("f0: 2S 3S", "foundation 1 is not built"),
        ("f0: AS 3S", "foundation 1 is not built"),
        ("f0: AS 2H", "foundation 1 is not built"),
        ("f2: AS", "foundation 3 is not built"),
        ("f3: KS-QS JD", "foundation 4 is not built"),
    ],
)
def test_impossible_positions_are_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        position(text, GAME)
