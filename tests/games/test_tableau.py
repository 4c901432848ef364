"""The measurements of the columns, which each change keeps up to date."""

from itertools import pairwise

import pytest
from hypothesis import given, settings

from protocol.games import GAMES
from server.games.cards import rank_of, suit_of
from server.games.game import Game
from server.games.spider import Spider
from server.games.tableau import SPACE
from tests.games.positions import act, position
from tests.games.walks import Start, playing, starts, walks

FAMILIES = ("spider", "spiderette")


def measured(game: Game) -> dict[str, object]:
    """Return all measurements of the columns of a game of Spider or Spiderette."""
    assert isinstance(game, Spider)
    tableau = game._tableau
    columns = range(len(tableau.cards))
    return {
        "last": list(tableau.last),
        "run": list(tableau.run),
        "mixed": [tableau.mixed_run(place) for place in columns],
        "takers": list(tableau.takers),
        "pairs": tableau.pairs,
        "face_down": tableau.face_down,
        "open": tableau.open,
    }


def recounted(game: Game) -> dict[str, object]:
    """Return the same measurements, counted card by card."""
    columns = [game.pile(i) for i, spec in enumerate(game.variant.piles) if spec.role == "tableau"]
    up = [cards[down:] for down, cards in columns]
    last = [rank_of(cards[-1]) if cards else SPACE for cards in up]
    return {
        "last": last,
        "run": [_run(cards, one_suit=True) for cards in up],
        "mixed": [_run(cards, one_suit=False) for cards in up],
        "takers": [
            sum(1 << place for place, rank in enumerate(last) if rank == taken + 1)
            for taken in range(SPACE + 1)
        ],
        "pairs": sum(
            suit_of(a) == suit_of(b) and rank_of(a) == rank_of(b) + 1
            for cards in up
            for a, b in pairwise(cards)
        ),
        "face_down": sum(down for down, _ in columns),
        "open": sum(down == 0 for down, _ in columns),
    }


def _run(cards: tuple[int, ...], *, one_suit: bool) -> int:
    length = min(1, len(cards))
    for lower, upper in pairwise(reversed(cards)):
        follows = rank_of(upper) == rank_of(lower) + 1
        if not follows or (one_suit and suit_of(upper) != suit_of(lower)):
            break
        length += 1
    return length


@given(starts(families=FAMILIES), walks)
@settings(max_examples=50)
def test_columns_are_measured_as_if_they_were_counted_anew(
    start: Start, choices: list[int]
) -> None:
    game = start()
    assert measured(game) == recounted(game)
    for _ in playing(game, choices):
        assert measured(game) == recounted(game)
    assert measured(game.copy()) == recounted(game)


@pytest.mark.parametrize(
    ("text", "actions"),
    [
        pytest.param("t0: 5S; t1: 6S", ("t0x1-t1", "undo", "redo"), id="a card on its suit"),
        pytest.param("t0: 9H 6S-4S; t1: 7H", ("t0x3-t1", "undo"), id="a whole run"),
        pytest.param("t0: 6S-4S; t1: 6H", ("t0x2-t1", "undo"), id="a part of a run"),
        pytest.param("t0: [6H] 5H; t1: 6S", ("t0x1-t1", "undo"), id="off a pair face down"),
        pytest.param("t0: [2C] 9C 8C 7H; t1: 9H", ("t0x2-t1!", "undo"), id="off a pair, mixed"),
        pytest.param("t0: 8C 7H; t1: 9C", ("t0x2-t1!", "undo"), id="mixed, on its suit"),
        pytest.param("t0: [2C] KS-AS", ("remove t0", "undo"), id="a suit off a face-down card"),
        pytest.param("t0: 3S KS-AS", ("remove t0", "undo"), id="a suit off another card"),
        pytest.param("t0: KS-AS", ("remove t0",), id="the last suit"),
    ],
)
def test_columns_are_measured_after_changes_of_every_sort(
    text: str, actions: tuple[str, ...]
) -> None:
    game = position(text, undo="any", exceptions="hard")
    for action in actions:
        act(game, action)
        assert measured(game) == recounted(game)


def test_a_dealt_card_lengthens_a_run_and_fills_a_space() -> None:
    piles = "t0: 6S; t1: 5S; t2: 2H; t3: 2H; t4: 2H; t5: 2H; t6: 2H; t7: 2H; t8: 2H 2H"
    game = position(
        f"{piles}; stock: 3S 3D 3D 3D 3D 3D 3D 3D 4S 5S", undo="any", relaxed_deal=True
    )
    for action in ("deal", "undo", "redo"):
        act(game, action)
        assert measured(game) == recounted(game)
    assert measured(game)["pairs"] == 2


@pytest.mark.parametrize("game", [game for game in GAMES if GAMES[game].family in FAMILIES])
def test_a_new_tableau_is_measured_whole(game: str) -> None:
    for text in ("", "t0: KS-AS; t2: [2S] 4D", "t1: 3S 2S AS; t3: [4H] 3H 2H"):
        at = position(text, game)
        assert measured(at) == recounted(at)


def test_the_takers_of_a_rank_are_columns_that_end_with_the_next_higher_one() -> None:
    game = position("t1: KS 4H; t3: [4H] KC; t5: 4C")
    takers = measured(game)["takers"]
    assert takers == [0, 0, 0, 0b100010, *[0] * 8, 0b1000, 0b1111010101, 0]
