import pytest

from protocol.vocabulary import HintReason
from server.games.actions import format_action
from server.games.hint_reasons import reason_of
from server.games.hints import find_hint
from tests.games.positions import ALL_ON_TABLE, position


@pytest.mark.parametrize(
    ("game", "text", "hinted", "reason"),
    [
        ("spider-4", "t0: 2S KS-AS; t1: 4H; t2: 9C 3H", "remove t0", "removes_suit"),
        ("spider-4", "t0: KS-6S; t1: [2C] 5S-AS; t2: 4H", "t1x5-t0", "completes_suit"),
        ("spider-4", "t0: 9C 3H; t1: 4H; t2: [9D] 3H", "t2x1-t1", "turns_card"),
        ("spider-4", "t0: 9C 3S; t1: [9D] QD; t2: [9D] QS", "t1x1-t3", "turns_card"),
        ("spider-4", "t0: 4S 3H; t1: 4H; t2: 9C 3H", "t2x1-t1", "joins_suit"),
        ("spider-4", "t0: 3S; t1: 4H; t2: 9C 3D", "t0x1-t1", "empties_column"),
        ("spider-4", "t0: 9C 3S; t1: 9D KD", "t1x1-t2", "frees_card"),
        ("spider-4", "t0: KS-9S; t1: KH-TH; t2: KD; t3: KC; stock: [AS AH]", "t1x1-t4",
         "fills_column"),
        ("spider-4", f"{ALL_ON_TABLE}", "finish", "wins"),
        ("little-spider", "u0: 9S; stock: [AS]", "deal", "deals"),
        ("little-spider", "u0: AS", "u0x1-f0", "plays_to_foundation"),
    ],
)  # fmt: skip
def test_a_hint_says_what_it_changes(game: str, text: str, hinted: str, reason: str) -> None:
    table = position(text, game)
    action = find_hint(table)
    assert action is not None
    assert format_action(action, table.variant.pile_names) == hinted
    assert reason_of(table, action) is HintReason(reason)


def test_at_little_spider_a_move_between_piles_uncovers_what_comes_next() -> None:
    table = position("u0: AS 9H; u1: TD", "little-spider")
    action = find_hint(table)
    assert action is not None
    assert reason_of(table, action) is HintReason.UNCOVERS_NEXT
