import hashlib
from collections import Counter
from itertools import chain

import pytest

from protocol.games import GAMES
from server.games.cards import format_cards, rank_of, suit_of
from server.games.deals import (
    HIGHEST_DEAL,
    _below,
    commitment,
    deal,
    new_game,
    numbered_deck,
    secret_deck,
)
from server.games.errors import BadDealNumber, BadRules
from server.games.rules import Rules
from tests.games.positions import dealt, every_game_of

COUNTING = bytes(range(16))
ALL_ONES = b"\xff" * 16


@pytest.mark.parametrize(
    ("number", "digest", "face_up", "next_deal"),
    [
        (1, "da24703f53cd7a5d", "8H TH AH JC 4H 7H QS QC 7C 3S", "QH 9S 2S QH 3C AS 4S KS 6D TD"),
        (24, "860b27c53734376f", "QC 9H 2D 5C QH 3D 6D 7C AH QC", "9S 8H TC 2S 8C 3S 4C 4C QD QH"),
    ],
)
def test_deals_match_pysolfc(number: int, digest: str, face_up: str, next_deal: str) -> None:
    deck = numbered_deck("spider-4", number)
    assert hashlib.sha256(format_cards(deck).encode()).hexdigest()[:16] == digest
    game = new_game(Rules("spider-4", layout="spread"), deck)
    assert format_cards(game.pile(i).cards[-1] for i in range(10)) == face_up
    stock = game.pile(game.variant.pile_index["stock"]).cards
    assert format_cards(stock[:-11:-1]) == next_deal


@pytest.mark.parametrize(
    ("game", "seed", "first", "digest"),
    [
        ("spider-4", COUNTING, "JD KH JD 6H KD AD AS 2S 5S 8H", "67fe24d636e7ca41"),
        ("spider-4", ALL_ONES, "9H 9D QH TD 3C 5H 4H 2C 3H 7D", "68d281b0675c0513"),
        ("spiderette-4", COUNTING, "JC KD JH KS 7S TD 9D 2C 7D 6D", "b86f3a36d87b1636"),
        ("little-spider", COUNTING, "3S KC 5D 6H 4D TD 7S JH 6D AD", "35890e03c3402d9e"),
    ],
)
def test_secret_deals_follow_their_scheme(game: str, seed: bytes, first: str, digest: str) -> None:
    deck = format_cards(secret_deck(game, seed))
    assert deck.startswith(first + " ")
    assert hashlib.sha256(deck.encode()).hexdigest()[:16] == digest


@pytest.mark.parametrize("game", GAMES)
def test_a_deck_holds_all_cards_of_its_suits(game: str) -> None:
    variant = GAMES[game]
    for deck in (secret_deck(game, COUNTING), numbered_deck(game, 11982)):
        counted = Counter(deck)
        assert len(counted) == 13 * variant.suits
        assert set(counted.values()) == {variant.decks * 4 // variant.suits}


@pytest.mark.parametrize("family", ["spider", "spiderette"])
def test_a_deal_has_the_same_ranks_at_every_number_of_suits(family: str) -> None:
    for decks in (
        [secret_deck(f"{family}-{suits}", COUNTING) for suits in (4, 2, 1)],
        [numbered_deck(f"{family}-{suits}", 32001) for suits in (4, 2, 1)],
    ):
        four, two, one = decks
        assert [*map(rank_of, four)] == [*map(rank_of, two)] == [*map(rank_of, one)]
        # S and C become S, H and D become H.
        assert [suit_of(card) in {1, 2} for card in four] == [suit_of(card) == 1 for card in two]


def test_words_that_would_favour_some_cards_are_skipped() -> None:
    # 2**32 is 1 more than a multiple of 3, so the last word would favour one result.
    assert _below(3, iter([2**32 - 1, 2**32 - 2])) == 2


@pytest.mark.parametrize("number", [0, -1, HIGHEST_DEAL + 1])
def test_numbers_out_of_range_are_refused(number: int) -> None:
    with pytest.raises(BadDealNumber, match=f"from 1 to {HIGHEST_DEAL}, not {number}$"):
        numbered_deck("spider-4", number)


def test_the_highest_deal_number_has_a_deck() -> None:
    assert len(numbered_deck("spider-4", HIGHEST_DEAL)) == 104


def test_an_unknown_game_has_no_deck() -> None:
    with pytest.raises(BadRules):
        secret_deck("klondike", COUNTING)
    with pytest.raises(BadRules):
        numbered_deck("klondike", 1)


def test_the_commitment_is_the_digest_of_seed_and_salt() -> None:
    assert commitment(b"ab", b"c") == hashlib.sha256(b"abc").hexdigest()


@pytest.mark.parametrize(
    ("layout", "down"),
    [("left4", [5, 5, 5, 5, 4, 4, 4, 4, 4, 4]), ("spread", [5, 4, 4, 5, 4, 4, 5, 4, 4, 5])],
)
@every_game_of("spider")
def test_spider_has_44_down_10_up_and_50_in_stock(game: str, layout: str, down: list[int]) -> None:
    new = dealt(game, layout=layout)
    assert [new.pile(i).down for i in range(10)] == down
    assert [len(new.pile(i).cards) - new.pile(i).down for i in range(10)] == [1] * 10
    assert (new.counts.face_down, new.counts.stock, new.score) == (44, 50, 0)
    assert new.pile(10).down == 50


@every_game_of("spiderette")
def test_spiderette_is_dealt_row_by_row_as_a_staircase(game: str) -> None:
    new = dealt(game)
    assert [new.pile(i).down for i in range(7)] == [0, 1, 2, 3, 4, 5, 6]
    assert (new.counts.face_down, new.counts.stock, new.score) == (21, 24, 0)
    rows = [range(first, 7) for first in (1, 2, 3, 4, 5, 6, 0)]
    columns: list[list[int]] = [[] for _ in range(7)]
    for column, card in zip(chain.from_iterable(rows), numbered_deck(game, 1), strict=False):
        columns[column].append(card)
    assert [list(new.pile(i).cards) for i in range(7)] == columns


@pytest.mark.parametrize("game", GAMES)
def test_a_new_game_has_the_piles_of_its_deal(game: str) -> None:
    new = dealt(game, 7)
    piles = deal(new.rules, numbered_deck(game, 7))
    assert list(piles) == [new.pile(i) for i in range(len(new.variant.piles))]
