"""A position for each code of a refusal, and the rules that clash or do not exist."""

import re
from functools import partial
from pathlib import Path

import pytest

from protocol.vocabulary import ErrorCode
from server import games
from server.games.actions import Action, move, remove
from server.games.cards import format_cards
from server.games.errors import BadRules
from server.games.rules import Rules, check_rules
from tests.games.positions import dealt, names, parsed, position, refusal

USED = re.compile(r"\bErrorCode\.([A-Z_]+)")
"""How the rules name a code."""

TABLE = "t0: [9C] 7S 6S; t1: 8D 7C; t2: 7D 6S; t3: 8H; t4: 9S 9H; stock: AS"
FULL = "t0: 2S; t1: 2S; t2: 2S; t3: 2S; t4: 2S; t5: 2S; t6: 2S; t7: 2S; t8: 2S; t9: 2S"
LITTLE = "u0: AS 5H; u1: AH; u2: 6C; l0: 2S; l1: 3S; l3: KC; f0: AD; f1: AH-3H"
HARD: dict[str, object] = {"exceptions": "hard"}
LITTLE_STOCK = LITTLE + "; stock: 9C"

# Game, settings, position, action, code, cards shown, piles named.
Row = tuple[str, dict[str, object], str, str, str, str, str]
ROWS: list[Row] = [
    ("spider-4", {}, TABLE, "t0x1-stock", "no_such_pile", "", "stock"),
    ("spider-4", {}, TABLE, "f0x1-t0", "no_such_pile", "", "f0"),
    ("spider-4", {}, TABLE, "remove stock", "no_such_pile", "", "stock"),
    ("spider-4", {}, TABLE, "t0x1-t0", "same_pile", "", "t0"),
    ("spider-4", {}, TABLE, "t9x1-t0", "pile_empty", "", "t9"),
    ("spider-4", {}, TABLE, "t0x4-t1", "not_enough_cards", "", "t0"),
    ("spider-4", {}, TABLE, "t0x0-t1", "not_enough_cards", "", "t0"),
    ("spider-4", {}, TABLE, "t0x3-t1", "face_down", "", "t0"),
    ("spider-4", {}, TABLE, "t4x2-t0", "not_a_run", "9S 9H", "t4 t0"),
    ("spider-4", {}, TABLE, "t2x2-t3", "mixed_suits", "7D 6S", "t2 t3"),
    ("spider-4", {}, TABLE, "t0x2-t1", "wrong_rank", "7S 7C", "t0 t1"),
    ("spider-4", HARD, TABLE, "t2x2-t3", "exception_not_asked", "7D 6S", "t2 t3"),
    ("spider-4", {}, TABLE, "t2x2-t3!", "exceptions_are_off", "", "t2 t3"),
    ("spider-4", HARD, TABLE, "t0x2-t3!", "exception_not_needed", "", "t0 t3"),
    ("spider-4", {}, FULL, "deal", "deal_stock_empty", "", ""),
    ("spider-4", {}, FULL[:-8] + " 2H; stock: 9C", "deal", "deal_empty_column", "", "t9"),
    ("spider-4", {}, TABLE[: -len("; stock: AS")], "deal", "deal_stock_empty", "", ""),
    ("spider-4", {}, FULL[8:-8] + "; stock: 9C", "deal", "deal_too_few_cards", "", "t0 t9"),
    ("spider-4", {}, TABLE, "remove t0", "not_a_complete_suit", "", "t0"),
    ("spider-4", {}, TABLE, "undo", "nothing_to_undo", "", ""),
    ("spider-4", {"undo": "off"}, TABLE, "undo", "undo_is_off", "", ""),
    ("spider-4", {}, TABLE, "redo", "nothing_to_redo", "", ""),
    ("spider-4", {}, TABLE, "finish", "not_finished", "", ""),
    ("spider-4", {}, "", "deal", "game_over", "", ""),
    ("little-spider", {}, LITTLE, "remove u0", "action_unknown_to_game", "", ""),
    ("little-spider", {}, LITTLE, "stockx1-u0", "no_such_pile", "", "stock"),
    ("little-spider", {}, LITTLE, "u0x1-stock", "no_such_pile", "", "stock"),
    ("little-spider", {}, LITTLE, "u0x1-u0", "same_pile", "", "u0"),
    ("little-spider", {}, LITTLE, "f0x1-u0", "foundation_is_final", "", "f0"),
    ("little-spider", {}, LITTLE, "u0x1-f0!", "exceptions_are_off", "", "u0"),
    ("little-spider", {}, LITTLE, "u3x1-f0", "pile_empty", "", "u3"),
    ("little-spider", {}, LITTLE, "u0x3-f0", "not_enough_cards", "", "u0"),
    ("little-spider", {}, LITTLE, "u0x0-f0", "not_enough_cards", "", "u0"),
    ("little-spider", {}, LITTLE, "u0x2-f0", "one_card_at_a_time", "", "u0"),
    ("little-spider", {}, LITTLE, "u0x1-f0", "wrong_foundation_suit", "5H AD", "u0 f0"),
    ("little-spider", {}, LITTLE, "u2x1-f1", "wrong_foundation_suit", "6C 3H", "u2 f1"),
    ("little-spider", {}, LITTLE, "u0x1-f1", "wrong_foundation_rank", "5H 3H", "u0 f1"),
    ("little-spider", {}, LITTLE, "u0x1-f3", "wrong_foundation_rank", "5H", "u0 f3"),
    ("little-spider", {}, "u0: KH; f0: AD", "u0x1-f3", "wrong_foundation_colour", "KH", "u0 f3"),
    ("little-spider", {}, LITTLE_STOCK, "l3x1-f2", "lower_pile_wrong_slot", "KC", "l3 f2"),
    ("little-spider", {}, LITTLE_STOCK, "l1x1-l0", "no_moves_between_piles_yet", "3S", "l1 l0"),
    ("little-spider", {}, LITTLE, "u0x1-u3", "pile_stays_empty", "5H", "u3"),
    ("little-spider", {}, LITTLE, "u0x1-u1", "not_rank_adjacent", "5H AH", "u0 u1"),
    ("little-spider", {}, LITTLE, "deal", "deal_stock_empty", "", ""),
]


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[3]} {row[4]}" for row in ROWS])
def test_a_refusal_has_its_code_cards_and_piles(row: Row) -> None:
    game, settings, text, action, code, cards, piles = row
    played = position(text, game, **settings)
    illegal = refusal(played, parsed(played, action))
    shown = format_cards(illegal.cards), " ".join(names(played, illegal.piles))
    assert (illegal.code, *shown) == (code, cards, piles)
    assert code in str(illegal)


def test_every_code_of_the_rules_has_a_position() -> None:
    # `undo_reveals` needs an action to take back, `game_too_long` thousands of entries; test_game
    # covers them.
    codes = {row[4] for row in ROWS} | {"undo_reveals", "game_too_long"}
    rules = Path(games.__file__).parent.glob("*.py")
    used = {name for path in rules for name in USED.findall(path.read_text(encoding="utf-8"))}
    assert codes == {ErrorCode[name] for name in used}


@pytest.mark.parametrize("game", ["spider-4", "spiderette-1", "little-spider"])
@pytest.mark.parametrize("number", [0x8000, 0x8007, 0x8011, 0xC001, 0xFFFF])
def test_a_number_that_is_not_an_action_is_refused(game: str, number: int) -> None:
    assert refusal(dealt(game), Action(number)).code == "action_unknown_to_game"


@pytest.mark.parametrize("action", [move(31, 1, 0), move(0, 1, 31), remove(31)])
def test_a_pile_that_no_game_has_is_refused(action: Action) -> None:
    assert refusal(dealt(), action).code == "no_such_pile"


dos = partial(Rules, "spider-4", score="dos")
little = partial(Rules, "little-spider", score="cards")
BAD = [
    (Rules("klondike"), "unknown_game", {"game"}),
    (Rules("spider-4", layout="heap"), "unknown_value", {"layout"}),  # type: ignore[arg-type]
    (Rules("spider-4", undo="all"), "unknown_value", {"undo"}),  # type: ignore[arg-type]
    (dos(), "dos_without_undo", {"undo", "score"}),
    (dos(undo="free"), "dos_without_undo", {"undo", "score"}),
    (dos(undo="counted"), "dos_without_undo", {"undo", "score"}),
    (dos(undo="off", auto_remove=True), "dos_by_hand", {"auto_remove", "score"}),
    (Rules("spiderette-4", score="dos", undo="off"), "score_not_of_game", {"score", "game"}),
    (Rules("spiderette-4", layout="spread"), "option_not_of_game", {"layout", "game"}),
    (Rules("little-spider"), "score_not_of_game", {"score", "game"}),
    (little(layout="spread"), "option_not_of_game", {"layout", "game"}),
    (little(relaxed_deal=True), "option_not_of_game", {"relaxed_deal", "game"}),
    (little(exceptions="easy"), "option_not_of_game", {"exceptions", "game"}),
    (little(auto_remove=True), "option_not_of_game", {"auto_remove", "game"}),
]


@pytest.mark.parametrize(("rules", "code", "fields"), BAD, ids=[code for _, code, _ in BAD])
def test_clashes_name_the_fields_to_change(rules: Rules, code: str, fields: set[str]) -> None:
    with pytest.raises(BadRules) as refused:
        check_rules(rules)
    assert refused.value.code == code
    assert set(refused.value.fields) == fields
    assert code in str(refused.value)
