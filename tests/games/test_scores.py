"""The scores against their sources, by numbers and by positions played to an end."""

import pytest

from server.games import scores
from tests.games.positions import ALL_ON_TABLE, act, position
from tests.games.stories import play, story_test

ALL = "; ".join(line.strip() for line in ALL_ON_TABLE.strip().splitlines())


def test_the_value_of_a_pair() -> None:
    for score, value in {"woods": 2, "dos": 10, "cards": 0, "moves": 0}.items():
        apart = position("t0: 9S; t1: 8S", score=score)
        together = position("t0: 9S 8S", score=score)
        assert together.score - apart.score == value == scores.value_of_pair(score)


test_the_score_of_woods = story_test(f"""
Cards turned up, open columns, pairs, and suits removed
  | t0: [AC] KS-2S; t1: AS; t2: 5H 4H; t3: 5D -> score={10 * 43 + 15 * 9 + 2 * 12}
  t1x1-t0 -> score={10 * 43 + 15 * 9 + 2 * 13}
  remove t0 -> score={10 * 44 + 15 * 10 + 2 * 1 + 50}
Before the win a complete suit scores its twelve pairs
  | {ALL} -> score={440 + 150 + 8 * 24}
  remove t0 -> gains=True
The first column of Spiderette earns nothing for being open
  spiderette-4 | t0: AS; t1: [2H] 9H; t2: 3S -> score={10 * 20 + 15 * 5}
""")


@pytest.mark.parametrize(
    ("game", "suits", "on_table", "score"),
    [
        *(("spider-4", 8, n, 990 + 2 * max(0, n - 3)) for n in range(9)),
        *(("spiderette-4", 4, n, 502 if n == 4 else 500) for n in range(5)),
    ],
)
def test_a_win_with_suits_on_the_table(game: str, suits: int, on_table: int, score: int) -> None:
    text = ALL if suits == 8 else "t0: KS-AS; t1: KH-AH; t2: KD-AD; t3: KC-AC"
    played = position(text, game)
    act(played, *(f"remove t{i}" for i in range(suits - on_table)))
    if on_table:
        act(played, "finish")
    assert (played.outcome, played.score) == ("won", score)


# Seed 3, IV: exceptions, a win, each suit removed, each matched pair.
DOS_TABLE = [
    (0, 1000, 120, 10),
    (1, 900, 108, 9),
    (2, 800, 96, 8),
    (3, 700, 84, 7),
    (4, 600, 72, 6),
    (5, 500, 60, 5),
    (6, 400, 50, 4),
    (7, 400, 50, 3),
    (8, 400, 50, 2),
    (9, 400, 50, 1),
    (10, 400, 50, 1),
    (12, 400, 50, 1),
]


@pytest.mark.parametrize(("exceptions", "win", "suit", "pair"), DOS_TABLE)
def test_every_row_of_the_scoring_table(exceptions: int, win: int, suit: int, pair: int) -> None:
    star = 10 * max(0, exceptions - 6)
    assert scores.rate_dos_win(exceptions, 0, grand=False) == win - star
    assert scores.rate_dos(exceptions, pairs=0, removed=2) == 2 * suit - star
    assert scores.rate_dos(exceptions, pairs=70, removed=0) == max(0, 70 * pair - star)
    if exceptions:
        assert scores.rate_dos_win(exceptions, 25, grand=False) == win - 25 - star
    assert scores.rate_dos_win(1, 0, grand=True) == 900  # an exception spoils a Grand Spider


def test_a_score_is_never_below_zero() -> None:
    assert scores.rate_dos_win(9, 1000, grand=False) == 0
    assert scores.rate_dos(50, pairs=1, removed=0) == 0
    assert scores.rate_moves(acts=700, complete=1) == 0


MIXED = "t0: KS-3S; t1: 3H 2S; t2: AS; t3: 4D; t4: KH-4H; t5: 2H-AH; t6: KD-5D; t7: 3D-AD"
OTHERS = "remove t1, remove t2, remove t3, remove t4, remove t5, remove t6, remove t7"
test_the_score_of_the_dos_program = story_test(f"""
Pairs count inside complete suits until they are removed
  score=dos | t0: KS-AS; t1: 5H 4H; t2: 9D -> score=130
  remove t0 -> score=130
  t1x1-t0 -> score=120
A win without exceptions is a thousand
  score=dos | t0: KS-2S; t1: AS; f0: KS-AS
  t1x1-t0, remove t0 -> score=1000
A game that is not won loses only by its number of exceptions
  score=dos exceptions=hard | t0: KS-3S; t1: 3H 2S; t2: AS; t3: 4D
  t2x1-t1, t1x3-t3!, t3x2-t0 -> exceptions=1, score={12 * 9}
  remove t0 -> score=108
A win with exceptions loses points for them and for the moves after
  score=dos exceptions=easy | {MIXED}
  t2x1-t1, t1x3-t3, t3x2-t0, remove t0, t3x1-t4, t5x2-t4, remove t4, t3x1-t6, t7x3-t6
  -> outcome=None
  remove t6 -> outcome=won, score={900 - 5}
A win counts the moves after the first of several exceptions (text 3, IV)
  score=dos exceptions=easy | {MIXED}
  t2x1-t1, t1x3-t3, t3x4-t6 -> exceptions=2
  t6x2-t0, remove t0, t6x1-t4, t5x2-t4, remove t4, t7x3-t6
  remove t6 -> outcome=won, score={800 - 5}
A Grand Spider keeps all suits until the end
  score=dos | {ALL} -> score={8 * 12 * 10}
  remove t0, {OTHERS} -> score=10000
  score=dos | {ALL}
  t0x13-t9, remove t9, {OTHERS} -> score=10000
Moves after the first removal, or suits that are never removed, spoil it
  score=dos | {ALL}
  remove t0, t1x13-t0, remove t0, {OTHERS.partition(", ")[2]} -> score=1000
  score=dos | {ALL}
  remove t0, finish -> score=1000
""")


def test_a_copy_remembers_when_its_first_exception_was() -> None:
    twin = play(f"score=dos exceptions=easy | {MIXED}\nt2x1-t1, t1x3-t3").copy()
    act(twin, "t3x2-t0", "remove t0", "t3x1-t4", "t5x2-t4", "remove t4", "t3x1-t6")
    act(twin, "t7x3-t6", "remove t6")
    assert twin.score == 900 - 5


test_the_scores_of_cards_and_of_moves = story_test(f"""
Each removed card scores one point
  score=cards | {ALL} -> score=0
  remove t3 -> score=13
  remove t0, remove t1, remove t2, remove t4, remove t5, remove t6, remove t7 -> score=104
  little-spider | f0: AS-5S; f2: KH-JH; u0: 9C -> score=8
Each act costs a point but a removal does not
  score=moves | t0: 5S; t1: 6S; t2: 6H -> score=500
  t0x1-t1, undo, redo, t1x1-t2 -> score=496
  score=moves | deal 1
  deal, deal -> score=498
A complete suit is worth a hundred anywhere, unless some of its cards lie face down
  score=moves | t0: KS-2S; t1: AS; t2: [2H] KD-AD; t3: 2C -> score=600
  t1x1-t0 -> score=699
  remove t0 -> score=699
  score=moves | t0: KD-AD KS-JS -> score=600
  score=moves | t0: [KS] QS-AS 5H -> score=500
Suits on the table count in games that remove suits
  score=moves | t0: KD-AD KS-AS; t1: 2H -> suits_on_table=2
  remove t0 -> suits_on_table=1
  score=moves | t0: [KS] QS-AS KD-AD; t1: 2H -> suits_on_table=1
  little-spider | f0: AS-KS; u0: 9C -> suits_on_table=0
""")
