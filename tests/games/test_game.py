"""The log, and everything that depends on it alone: undo, redo, counts."""

import pytest

from server.games.catalogue import new_game, replay
from server.games.deals import numbered_deck
from server.games.errors import BadRules, IllegalAction
from server.games.notation import format_position
from tests.games.positions import act, dealt, legal_texts, parsed, position, refused, rules

PLAIN = "t0: 9C 5S; t1: 6S; t2: 6H"
TURNS = "t0: [9C] 5S; t1: 6S; t2: 6H"


class TestUndo:
    def test_a_move_is_undone_and_redone(self) -> None:
        game = position(PLAIN)
        act(game, "t0x1-t1")
        effects = act(game, "undo")
        assert format_position(game) == PLAIN.replace("; ", "\n")
        assert (effects.changed, effects.turned, effects.removed) == ((0, 1), (), 0)
        act(game, "redo")
        assert format_position(game) == "t0: 9C\nt1: 6S 5S\nt2: 6H"
        assert game.counts[:7] == (1, 0, 0, 1, 1, 0, 0)
        assert game.at == 3

    def test_undo_is_refused_without_a_move_to_take_back(self) -> None:
        game = position(PLAIN)
        assert refused(game, "undo") == "nothing_to_undo"
        act(game, "t0x1-t1", "undo")
        assert refused(game, "undo") == "nothing_to_undo"

    def test_a_move_that_turned_a_card_cannot_be_undone_under_no_reveal(self) -> None:
        game = position(TURNS)
        act(game, "t0x1-t1")
        assert refused(game, "undo") == "undo_reveals"
        assert "undo" not in legal_texts(game)

    def test_moves_before_a_turned_card_cannot_be_undone_under_no_reveal(self) -> None:
        game = position("t0: [9C] 5S; t1: 6S; t2: 6H; t3: 2D AD; t4: 2C")
        act(game, "t3x1-t4", "t0x1-t1")
        assert refused(game, "undo") == "undo_reveals"

    def test_a_deal_cannot_be_undone_under_no_reveal(self) -> None:
        game = dealt()
        act(game, "deal")
        assert refused(game, "undo") == "undo_reveals"

    def test_a_removal_can_be_undone_under_no_reveal_unless_it_turned_a_card(self) -> None:
        game = position("t0: 5H KS-AS; t1: [2C] KH-AH")
        act(game, "remove t0", "undo")
        assert game.counts.suits == 0
        act(game, "remove t1")
        assert refused(game, "undo") == "undo_reveals"

    def test_an_automatic_removal_is_undone_with_its_move(self) -> None:
        game = position("t0: 5H KS-2S; t1: 9D AS", auto_remove=True)
        before = format_position(game)
        act(game, "t1x1-t0")
        assert game.counts.suits == 1
        act(game, "undo")
        assert format_position(game) == before
        act(game, "redo")
        assert game.counts.suits == 1

    def test_an_undone_turned_card_or_deal_is_a_cheat_under_any(self) -> None:
        game = dealt(undo="any")
        before = format_position(game)
        act(game, legal_texts(game)[0], "deal", "undo")
        assert game.counts.cheats == 1
        act(game, "undo")
        assert game.counts.cheats == 2
        assert format_position(game) == before

    def test_nothing_resets_cheats(self) -> None:
        game = position(TURNS, undo="any")
        act(game, "t0x1-t1", "undo", "redo", "undo", "t0x1-t2")
        assert game.counts.cheats == 2

    def test_an_undo_of_a_move_that_showed_no_card_is_not_a_cheat(self) -> None:
        game = position(PLAIN, undo="any")
        act(game, "t0x1-t1", "undo")
        assert game.counts.cheats == 0

    def test_every_undo_is_a_cheat_under_counted(self) -> None:
        """Text 2, section 9: "it was considered cheating if you used the Undo Feature"."""
        game = dealt(undo="counted")
        before = format_position(game)
        act(game, legal_texts(game)[0], "deal", "undo", "redo", "undo", "undo")
        assert format_position(game) == before
        assert game.counts[3:6] == (3, 1, 3)  # undos, redos, cheats
        plain = position(PLAIN, undo="counted")
        act(plain, "t0x1-t1", "undo")
        assert plain.counts.cheats == 1
        assert refused(plain, "undo") == "nothing_to_undo"

    def test_free_undo_takes_everything_back_and_counts_no_cheats(self) -> None:
        game = dealt(undo="free")
        before = format_position(game)
        act(game, legal_texts(game)[0], "deal", "undo", "redo", "undo", "undo")
        assert format_position(game) == before
        assert game.counts[3:6] == (3, 1, 0)
        turned = position(TURNS, undo="free")
        act(turned, "t0x1-t1", "undo")
        assert format_position(turned) == TURNS.replace("; ", "\n")
        assert turned.counts.cheats == 0

    def test_nothing_is_undone_when_undo_is_off(self) -> None:
        game = position(PLAIN, undo="off")
        act(game, "t0x1-t1")
        assert refused(game, "undo") == "undo_is_off"


class TestRedo:
    def test_redo_is_legal_only_after_undo(self) -> None:
        game = position(PLAIN)
        assert refused(game, "redo") == "nothing_to_redo"
        act(game, "t0x1-t1", "t1x1-t2", "undo", "undo", "redo", "redo")
        assert refused(game, "redo") == "nothing_to_redo"

    def test_every_undo_and_every_redo_is_counted(self) -> None:
        game = position(PLAIN)
        act(game, "t0x1-t1", "t1x1-t2", "undo", "undo", "redo", "redo")
        assert (game.counts.moves, game.counts.undos, game.counts.redos) == (2, 2, 2)

    def test_another_move_ends_redo(self) -> None:
        game = position(PLAIN)
        act(game, "t0x1-t1", "undo", "t0x1-t2")
        assert refused(game, "redo") == "nothing_to_redo"

    def test_a_redone_move_is_undone_again(self) -> None:
        game = position(PLAIN)
        act(game, "t0x1-t1", "undo", "redo", "undo")
        assert format_position(game) == PLAIN.replace("; ", "\n")


class TestGame:
    def test_a_copy_is_independent(self) -> None:
        game = dealt()
        twin = game.copy()
        act(twin, "deal")
        assert (game.at, game.counts.stock) == (0, 50)
        assert (twin.at, twin.counts.stock) == (1, 40)

    def test_positions_have_the_same_key_exactly_if_the_cards_lie_alike(self) -> None:
        texts = [
            "t0: 5S 4S",
            "t0: 5S; t1: 4S",
            "t1: 5S 4S",
            "t0: [5S] 4S",
            "t0: 5S; stock: 4S",
            "t0: 5S 4S; f0: KS-AS",
            "t0: 5S 4S; f0: KH-AH",
            "t0: 5S 4S; f0: KS-AS; f1: KH-AH",
        ]
        assert len({position(text).key() for text in texts}) == len(texts)
        assert position("t0: 5S 4S").key() == position("t0: 5S-4S").key()

    def test_checking_an_action_changes_nothing(self) -> None:
        game = position(PLAIN)
        game.check(parsed(game, "t0x1-t1"))
        assert game.is_legal(parsed(game, "t0x1-t1"))
        assert not game.is_legal(parsed(game, "t1x1-t0"))
        with pytest.raises(IllegalAction, match="wrong_rank") as illegal:
            game.check(parsed(game, "t1x1-t0"))
        assert illegal.value.cards == (6, 5)
        assert illegal.value.piles == (1, 0)
        assert game.at == 0

    def test_settings_that_clash_make_no_game(self) -> None:
        with pytest.raises(BadRules):
            new_game(rules(score="dos", undo="any"), numbered_deck("spider-4", 1))

    def test_a_log_of_another_deal_is_refused(self) -> None:
        game = dealt(number=1)
        act(game, legal_texts(game)[0])
        with pytest.raises(IllegalAction):
            replay(game.rules, numbered_deck("spider-4", 2), game.log)

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("t1x1-t0", "wrong_rank"),
            ("t0x2-t1", "not_a_run"),
            ("t0x0-t1", "not_enough_cards"),
            ("t0x1-t0", "same_pile"),
            ("stockx1-t1", "no_such_pile"),
            ("t0x1-f0", "no_such_pile"),
            ("t0x1-t1!", "exceptions_are_off"),
            ("deal", "deal_stock_empty"),
            ("redo", "nothing_to_redo"),
        ],
    )
    def test_a_replayed_action_is_judged_as_any_other(self, text: str, code: str) -> None:
        game = position(PLAIN)
        with pytest.raises(IllegalAction, match=code):
            game.replay(parsed(game, text))
        assert game.at == 0

    def test_an_action_of_the_log_is_read_by_its_number(self) -> None:
        game = position(PLAIN)
        act(game, "t0x1-t1", "undo")
        assert [game.action_at(0), game.action_at(1)] == [*game.log]

    def test_a_log_leads_back_to_its_position(self) -> None:
        game = dealt()
        act(game, "deal")
        act(game, legal_texts(game)[0])
        assert replay(game.rules, numbered_deck("spider-4", 1), game.log).key() == game.key()
