import pytest

from server.games.cards import (
    SUIT_RUNS,
    card_name,
    card_names,
    format_cards,
    is_red,
    make_card,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)
from server.games.errors import NotationError


def test_every_card_parses_back_from_its_name() -> None:
    cards = [make_card(rank, suit) for suit in range(4) for rank in range(1, 14)]
    assert [parse_card(card_name(card)) for card in cards] == cards
    assert [(rank_of(card), suit_of(card)) for card in cards[:14:13]] == [(1, 0), (1, 1)]
    assert card_names(cards[:14:13]) == ["AS", "AH"]
    assert [is_red(card) for card in parse_cards("AS AH AD AC")] == [False, True, True, False]
    assert [format_cards(run) for run in SUIT_RUNS] == [
        format_cards(parse_cards(f"K{suit}-A{suit}")) for suit in "SHDC"
    ]
    assert format_cards(cards[:13]) == "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"


@pytest.mark.parametrize(
    ("short", "full"),
    [("KS-TS", "KS QS JS TS"), ("AH-3H 5C", "AH 2H 3H 5C"), ("7D-7D", "7D"), ("", "")],
)
def test_a_run_is_written_by_its_ends(short: str, full: str) -> None:
    assert format_cards(parse_cards(short)) == full


def test_a_run_is_of_one_suit() -> None:
    with pytest.raises(NotationError, match="a run of two suits: AS-3H"):
        parse_cards("AS-3H")


@pytest.mark.parametrize("text", ["1S", "as", "10S", "S", "AX", "AS-", "-AS", "A♠", "AS-2S-3S"])
def test_names_that_are_not_cards_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_cards(text)
