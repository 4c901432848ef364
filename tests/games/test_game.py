"""The log, and what it alone decides: undo, redo, counts."""

import pytest

from server.games.catalogue import new_game, replay
from server.games.deals import numbered_deck
from server.games.errors import BadRules, IllegalAction
from server.games.notation import format_position
from tests.games.positions import act, dealt, position, refused, rules, say, told

PLAIN = "t0: 9C 5S; t1: 6S; t2: 6H"
TURNS = "t0: [9C] 5S; t1: 6S; t2: 6H"


class TestUndo:
    def test_a_move_is_taken_back_and_made_again(self) -> None:
        game = position(PLAIN)
        act(game, "t0x1-t1")
        effects = act(game, "undo")
        assert format_position(game) == PLAIN.replace("; ", "\n")
        assert (effects.changed, effects.turned, effects.removed) == ((0, 1), (), 0)
        act(game, "redo")
        assert format_position(game) == "t0: 9C\nt1: 6S 5S\nt2: 6H"
        assert game.counts[:7] == (1, 0, 0, 1, 1, 0, 0)
        assert game.at == 3

    def test_there_must_be_something_to_undo(self) -> None:
        game = position(PLAIN)
        assert refused(game, "undo") == "nothing_to_undo"
        act(game, "t0x1-t1", "undo")
        assert refused(game, "undo") == "nothing_to_undo"

    def test_without_revealing_what_turned_a_card_stays(self) -> None:
        game = position(TURNS)
        act(game, "t0x1-t1")
        assert refused(game, "undo") == "undo_reveals"
        assert "undo" not in told(game)

    def test_without_revealing_what_came_before_a_turned_card_stays_too(self) -> None:
        game = position("t0: [9C] 5S; t1: 6S; t2: 6H; t3: 2D AD; t4: 2C")
        act(game, "t3x1-t4", "t0x1-t1")
        assert refused(game, "undo") == "undo_reveals"

    def test_without_revealing_a_deal_stays(self) -> None:
        game = dealt()
        act(game, "deal")
        assert refused(game, "undo") == "undo_reveals"

    def test_without_revealing_a_removal_is_taken_back_unless_it_turned_a_card(self) -> None:
        game = position("t0: 5H KS-AS; t1: [2C] KH-AH")
        act(game, "remove t0", "undo")
        assert game.counts.suits == 0
        act(game, "remove t1")
        assert refused(game, "undo") == "undo_reveals"

    def test_an_automatic_removal_goes_back_with_its_move(self) -> None:
        game = position("t0: 5H KS-2S; t1: 9D AS", auto_remove=True)
        before = format_position(game)
        act(game, "t1x1-t0")
        assert game.counts.suits == 1
        act(game, "undo")
        assert format_position(game) == before
        act(game, "redo")
        assert game.counts.suits == 1

    def test_where_all_may_be_undone_a_turned_card_or_a_deal_is_a_cheat(self) -> None:
        game = dealt(undo="any")
        before = format_position(game)
        act(game, told(game)[0], "deal", "undo")
        assert game.counts.cheats == 1
        act(game, "undo")
        assert game.counts.cheats == 2
        assert format_position(game) == before

    def test_nothing_resets_cheats(self) -> None:
        game = position(TURNS, undo="any")
        act(game, "t0x1-t1", "undo", "redo", "undo", "t0x1-t2")
        assert game.counts.cheats == 2

    def test_taking_back_what_showed_nothing_is_no_cheat(self) -> None:
        game = position(PLAIN, undo="any")
        act(game, "t0x1-t1", "undo")
        assert game.counts.cheats == 0

    def test_where_undo_is_free_everything_is_taken_back_and_nothing_is_a_cheat(self) -> None:
        game = dealt(undo="free")
        before = format_position(game)
        act(game, told(game)[0], "deal", "undo", "redo", "undo", "undo")
        assert format_position(game) == before
        assert game.counts[3:6] == (3, 1, 0)
        turned = position(TURNS, undo="free")
        act(turned, "t0x1-t1", "undo")
        assert format_position(turned) == TURNS.replace("; ", "\n")
        assert turned.counts.cheats == 0

    def test_where_undo_is_off_nothing_goes_back(self) -> None:
        game = position(PLAIN, undo="off")
        act(game, "t0x1-t1")
        assert refused(game, "undo") == "undo_is_off"


class TestRedo:
    def test_it_follows_undo_only(self) -> None:
        game = position(PLAIN)
        assert refused(game, "redo") == "nothing_to_redo"
        act(game, "t0x1-t1", "t1x1-t2", "undo", "undo", "redo", "redo")
        assert refused(game, "redo") == "nothing_to_redo"

    def test_every_undo_and_every_redo_is_counted(self) -> None:
        game = position(PLAIN)
        act(game, "t0x1-t1", "t1x1-t2", "undo", "undo", "redo", "redo")
        assert (game.counts.moves, game.counts.undos, game.counts.redos) == (2, 2, 2)

    def test_another_move_ends_it(self) -> None:
        game = position(PLAIN)
        act(game, "t0x1-t1", "undo", "t0x1-t2")
        assert refused(game, "redo") == "nothing_to_redo"

    def test_what_was_made_again_is_taken_back_again(self) -> None:
        game = position(PLAIN)
        act(game, "t0x1-t1", "undo", "redo", "undo")
        assert format_position(game) == PLAIN.replace("; ", "\n")


class TestGame:
    def test_a_copy_goes_its_own_way(self) -> None:
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

    def test_checking_changes_nothing(self) -> None:
        game = position(PLAIN)
        game.check(say(game, "t0x1-t1"))
        assert game.is_legal(say(game, "t0x1-t1"))
        assert not game.is_legal(say(game, "t1x1-t0"))
        with pytest.raises(IllegalAction, match="wrong_rank") as illegal:
            game.check(say(game, "t1x1-t0"))
        assert illegal.value.cards == (6, 5)
        assert illegal.value.piles == (1, 0)
        assert game.at == 0

    def test_impossible_settings_make_no_game(self) -> None:
        with pytest.raises(BadRules):
            new_game(rules(score="dos", undo="any"), numbered_deck("spider-4", 1))

    def test_a_log_of_another_deal_is_refused(self) -> None:
        game = dealt(number=1)
        act(game, told(game)[0])
        with pytest.raises(IllegalAction):
            replay(game.rules, numbered_deck("spider-4", 2), game.log)

    def test_a_log_leads_back_to_its_position(self) -> None:
        game = dealt()
        act(game, "deal")
        act(game, told(game)[0])
        assert replay(game.rules, numbered_deck("spider-4", 1), game.log).key() == game.key()
