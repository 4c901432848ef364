"""The searches for dead games and for games as good as won, beside all that the rules allow."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from protocol.games import GAMES
from protocol.vocabulary import Outcome
from server.games.actions import FINISH, REDO, UNDO, Action, ActionKind, kind, target
from server.games.cards import SUIT_RUNS, Card, PileState
from server.games.deals import set_up
from server.games.game import Game
from server.games.rules import Rules
from server.solver.endings import DeadEndSearch, EndingSearch
from tests.games import reference
from tests.games.positions import position, twin
from tests.games.wins import one_suit_game, one_suit_win
from tests.solver.visible_games import dealt, rules_of

ENOUGH = 200
"""Positions that are looked at by brute force."""

LITTLE_DEAD = (
    "u0: 2S 2H; u1: 2D 2C; u2: 4S; u3: 4H; l0: 6D; l1: 6C; l2: 8S; l3: TH; f2: KS; f3: KC"
)
DEAD = (
    "t0: [9H] 2S; t1: KH 4S; t2: JD 5D; t3: JC 5S; t4: KD; t5: KC; t6: KS; t7: 9S; t8: 9D; t9: 9C"
)
"""The four goes to and fro between three columns, and nothing else moves."""
STOCK = "; stock: [QH TS TD TC 8S 8D 8C 3H 3D 3C]"


def searched(game: Game, most: int = 100_000) -> DeadEndSearch:
    """Search a position for a dead end, and return the finished search."""
    search = DeadEndSearch(game, most)
    for _ in search.steps():
        pass
    return search


def best_score_of_dead(game: Game) -> int | None:
    """Return the best score that moves lead to, or None if they can lead to progress.

    The moves come from the second implementation of the rules, and the engine makes them.

    Raises:
        OverflowError: Too many positions can be reached.
    """
    known, left = {game.key()}, [game]
    for at in left:
        if len(known) > ENOUGH:
            raise OverflowError
        for action in reference.legal_moves(at):
            if kind(action) in {ActionKind.DEAL, ActionKind.REMOVE}:
                return None
            if game.variant.piles[target(action)].role == "foundation":
                return None
            after = at.copy()
            effects = after.apply(action)
            if effects.turned or effects.removed:
                return None
            if after.key() not in known:
                known.add(after.key())
                left.append(after)
    return max(each.score for each in left)


def small(seed: int) -> Game:
    """Return a position of few cards, by rules that differ from one to the next."""
    chance = random.Random(seed)
    game = chance.choice(("spider-4", "spider-2", "spiderette-4"))
    variant = GAMES[game]
    runs = [*SUIT_RUNS] if game.endswith("4") else [SUIT_RUNS[0], SUIT_RUNS[1]]
    ranks = chance.sample(range(1, 14), 7)  # with all ranks, hardly any position would be dead
    cards = [Card(card) for run in runs for card in run if card & 15 in ranks] * 2
    chance.shuffle(cards)
    size = variant.columns
    columns: list[list[Card]] = [[] for _ in range(size)]
    filled = chance.choice((*[size] * 5, size - 1))
    for card in cards[: chance.randrange(size, 3 * size)]:
        columns[chance.randrange(filled)].append(card)
    stock = tuple(cards[-size:]) if chance.random() < 0.3 else ()
    piles = [
        PileState(min(chance.choice((0, 0, 1, 2)), at, max(len(column) - 1, 0)), tuple(column))
        for at, column in enumerate(columns)
    ]
    piles += [PileState(len(stock), stock), *[PileState(0, ())] * variant.foundations]
    score = chance.choice(variant.scores)
    removes = score != "dos" and chance.random() < 0.5
    relaxed = chance.random() < 0.3
    rules = Rules(game, auto_remove=removes, relaxed_deal=relaxed, undo="off", score=score)
    return set_up(rules, piles)


def little(seed: int) -> Game:
    """Return a position of Little Spider without a stock and with few cards."""
    chance = random.Random(seed)
    cards = [Card(card) for run in SUIT_RUNS for card in run if card & 15 not in {1, 13}]
    chance.shuffle(cards)
    piles: list[list[Card]] = [[] for _ in range(8)]
    for card in cards[: chance.randrange(4, 12)]:
        piles[chance.randrange(8)].append(card)
    homes = [PileState(0, (Card(start),)) for start in (1, 0x31, 0x1D, 0x2D)]
    states = [*(PileState(0, tuple(pile)) for pile in piles), *homes, PileState(0, ())]
    return set_up(Rules("little-spider", score="cards", undo="off"), states)


def positions() -> Iterator[Game]:
    yield from map(small, range(400))
    yield from map(little, range(40))


def test_a_game_is_dead_exactly_if_every_move_of_the_rules_leads_nowhere() -> None:
    dead = gains = 0
    for game in positions():
        try:
            best = best_score_of_dead(game)
        except OverflowError:
            continue
        search = searched(game)
        assert search.is_dead is (best is not None), game.key()
        if best is not None:
            dead += 1
            gains += search.gain > 0
            assert search.gain == best - game.score
    assert dead > 20
    assert gains > 1


LOOSE = "t0: 4S; t1: 5H; stock: [KS QS JS TS 9S 8S 7S 6S 5S 4S]"
SHORT = "t0: 5S 4S; t1: KH; t2: JD; t3: 9D; t4: KD; t5: KC; t6: KS; t7: 9S; t8: 9C"
POSITIONS: list[tuple[str, dict[str, Any], bool]] = [
    (DEAD, {}, True),
    (DEAD, {"exceptions": "easy"}, False),  # nothing is claimed where mixed runs move
    (DEAD.replace("[9H] 2S", "[9H] 4H"), {}, False),  # the four of hearts goes on a five
    (DEAD.replace("t9: 9C", "t9: 9C KS-AS"), {}, False),  # a suit can be removed
    (DEAD.replace("[9H] 2S", "9H KS-2S").replace("KH 4S", "KH AS"), {}, False),  # or completed
    (DEAD + STOCK, {}, False),  # cards can be dealt
    (DEAD.replace("; t9: 9C", ""), {}, False),  # the two goes into the space
    # So does the four, and then a deal.
    (DEAD.replace("[9H] ", "").replace("; t9: 9C", STOCK), {}, False),
    # The lower half of the run goes into the space; one card fewer is too few for ten columns.
    (SHORT + STOCK, {}, False),
    (SHORT.replace("5S 4S", "4S") + STOCK, {}, True),
    (LOOSE, {}, True),
    (LOOSE, {"relaxed_deal": True}, False),
    (LITTLE_DEAD, {"game": "little-spider"}, True),
    (LITTLE_DEAD.replace("l3: TH", "l3: QS"), {"game": "little-spider"}, False),
    (LITTLE_DEAD + "; stock: 5S", {"game": "little-spider"}, False),
]


@pytest.mark.parametrize(("text", "settings", "is_dead"), POSITIONS)
def test_a_game_is_dead_if_nothing_can_happen_any_more(
    text: str, settings: dict[str, Any], is_dead: bool
) -> None:
    game = position(text, undo="off", **settings)
    assert game.legal_actions()
    search = searched(game)
    assert search.is_dead is is_dead
    assert search.gain == (2 if is_dead and text == DEAD else search.gain)


def test_a_game_that_is_over_or_too_large_is_not_called_dead() -> None:
    for text, name in ((DEAD, "spider-4"), (LITTLE_DEAD, "little-spider")):
        over = position(text, name, undo="off")
        over.max_entries = 0
        over.apply(FINISH)
        assert not searched(over).is_dead
    assert not searched(position(DEAD, undo="off"), most=1).is_dead
    small = position(LITTLE_DEAD, "little-spider", undo="off")
    assert not searched(small, most=0).is_dead


def test_undo_is_no_way_out_of_a_dead_game() -> None:
    game = position(DEAD, undo="free")
    game.apply(game.legal_actions()[0])
    assert UNDO in game.legal_actions()
    assert searched(game).is_dead
    game.apply(UNDO)
    assert REDO in game.legal_actions()
    assert searched(game).is_dead


def test_hidden_cards_make_no_difference() -> None:
    for seed in range(100):
        game = small(seed)
        one, other = searched(game, 300), searched(twin(game, random.Random(seed)), 300)
        assert (one.is_dead, one.gain) == (other.is_dead, other.gain)


def test_a_proof_needs_no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [small(seed) for seed in range(150)]
    before = [(search.is_dead, search.gain) for search in map(searched, games)]
    monkeypatch.setattr("server.solver.columns._KEY_MASK", 0)  # all columns share a key
    after = [(search.is_dead, search.gain) for search in map(searched, games)]
    assert after == before
    assert any(is_dead for is_dead, _ in before)


NEARLY = """
    t0: KS-3S; t1: 2S AS; t2: KS-5S; t3: 4S 3S; t4: 2S AS
    f0: KS-AS; f1: KS-AS; f2: KS-AS; f3: KS-AS; f4: KS-AS; f5: KS-AS
"""
"""Two suits in pieces, and six that are removed."""
STUCK = "t0: KS 2S; t1: KH 4S"
HOMES = "f0: AS; f1: AC; f2: KH-2H; f3: KD-2D"


def line_of(game: Game) -> tuple[Action, ...]:
    """Return the line that a search finds."""
    search = EndingSearch(game)
    for _ in search.steps():
        pass
    return search.line


@pytest.mark.parametrize("auto_remove", [True, False])
@pytest.mark.parametrize("score", ["woods", "moves", "cards"])
def test_the_line_wins_by_the_rules_of_the_room(score: str, auto_remove: bool) -> None:
    game = position(NEARLY, "spider-1", score=score, auto_remove=auto_remove, undo="off")
    line = line_of(game)
    assert not game.at
    for action in line:
        game.apply(action)
    assert game.outcome is Outcome.WON


def test_the_line_is_found_as_soon_as_all_cards_are_seen() -> None:
    game = one_suit_game()
    seen = [bool(line_of(game))]
    for action in one_suit_win():
        game.apply(action)
        hides = game.counts.face_down or game.counts.stock
        found = bool(line_of(game))
        assert not (hides and found)
        seen.append(found)
    assert seen[-12:-1] == [True] * 11
    assert not line_of(game)  # it is over


@pytest.mark.parametrize(
    "hidden",
    [
        NEARLY.replace("4S 3S", "[4S] 3S"),  # it can be won with the cards that lie there
        NEARLY.replace("2S AS; t2", "[2S] AS; t2"),
        STUCK + "; stock: [9S]",
    ],
)
def test_nothing_is_searched_while_a_card_is_hidden(hidden: str) -> None:
    search = EndingSearch(position(hidden, "spider-1", undo="off"))
    assert not list(search.steps())
    assert not search.line


def test_nothing_is_searched_in_a_game_that_is_over() -> None:
    game = position(STUCK, "spider-1", undo="off")
    assert list(EndingSearch(game).steps())
    game.max_entries = 0
    game.apply(FINISH)
    assert not list(EndingSearch(game).steps())


def test_the_search_ends_in_a_game_of_a_hundred_cards() -> None:
    high, middle = "KS KH KD KC JS JH JD JC 9S 9H", "QS QH QD QC TS TH TD TC"
    low = "8S 8H 8D 8C 6S 6H, 7S 7H 7D 7C 5S 5H, 4S 4H 4D 4C 2S 2H, 3S 3H 3D 3C AS AH"
    columns = [high, high, middle, middle, *low.split(", "), "4S 4H 4D 4C 2D 2C"]
    text = "; ".join(f"t{place}: {cards}" for place, cards in enumerate(columns))
    search = EndingSearch(position(text, "spider-4", undo="off"))
    assert len(list(search.steps())) == 3
    assert not search.line


def test_a_line_beyond_the_limit_of_the_log_is_not_returned() -> None:
    game = position(NEARLY, "spider-1", undo="off")
    game.max_entries = 2
    assert not line_of(game)


def test_little_spider_is_won_if_all_cards_can_go_home() -> None:
    # The cards of the kings' foundations lie in order, the aces' the other way round.
    kings = f"u0: AH; u1: AD; u2: KC-2C; u3: KS-2S; {HOMES}"
    game = position(kings, "little-spider", score="cards", undo="off")
    for action in line_of(game):
        game.apply(action)
    assert game.outcome is Outcome.WON


def test_little_spider_is_not_played_for_its_player() -> None:
    assert not line_of(dealt(rules_of("little-spider"), 1))
    between = f"u0: AH; u1: 2C KC; u2: QC-3C; u3: KS-2S; u4: AD; {HOMES}".replace("u4", "l0")
    game = position(between, "little-spider", score="cards", undo="off")
    assert not line_of(game)
