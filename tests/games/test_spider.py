import re

import pytest

from server.games.cards import card_names
from server.games.errors import NotationError
from tests.games.positions import act, legal_texts, position
from tests.games.stories import story_test

test_moves = story_test("""
A card goes on the next higher one of any suit
  | t0: 5S; t1: 6S; t2: 6H; t3: 4S; t4: 5H; t5: KS -> can=t0x1-t1 t0x1-t2 t3x1-t0 t3x1-t4 t4x1-t1
  t3x1-t1 -> !wrong_rank
Any part of a run of one suit moves (seed 1, "Building")
  | t0: 6H-4H; t1: 7S; t2: 5S; t3: 6D -> can=t0x3-t1 t0x2-t3 t0x1-t2
  -> cannot=t0x1-t1 t0x1-t3 t0x2-t1 t0x2-t2 t0x3-t2 t0x3-t3
A space takes any part of a run
  | t0: KS-JS; t1: 2H; t2: 2H; t3: 2H; t4: 2H; t5: 2H; t6: 2H; t7: 2H; t8: 2H \
-> only=t0x1-t9 t0x2-t9 t0x3-t9 t1x1-t9 t2x1-t9 t3x1-t9 t4x1-t9 t5x1-t9 t6x1-t9 t7x1-t9 t8x1-t9
Kings go only to spaces, and moving a whole column from space to space counts
  | t0: KS-JS; t1: AS
  t0x3-t1 -> !wrong_rank
  t0x3-t4 -> = t1: AS; t4: KS QS JS, moves=1
An uncovered card turns up at once and for good
  undo=any | t0: [9C] 5S; t1: 6S
  t0x1-t1 -> turned=t0, changed=t0 t1, gains=True
  t1x1-t2 -> = t0: 9C; t1: 6S; t2: 5S
""")


WORKED_EXAMPLE = """
    t0: [KC KC KC KC 4C] AD
    t1: [KC KC KC KC KC] QS
    t2: [KC KC KC KC KC] 8C
    t3: [KC KC KC 8D 7S] 7H
    t4: [KC KC KC KC] 4S
    t5: [KC KC KC KC] 4H
    t6: [KC KC KC KC] 2D
    t7: [KC KC KC KC] QH
    t8: [KC KC 8S 2S] JH
    t9: [KC KC 2C 6H] 3S
"""
"""Seed 3, II. The text names no card below the turned ones, so kings stand for them."""


@pytest.mark.parametrize(("score", "points"), [("dos", 40), ("woods", 78)])
def test_the_worked_example_of_the_dos_manual(score: str, points: int) -> None:
    game = position(WORKED_EXAMPLE, score=score)
    act(game, "t9x1-t4", "t9x1-t3", "t0x1-t6", "t8x1-t1", "t8x1-t4", "t3x2-t8", "t3x1-t2")
    up = [game.pile(i).cards[game.pile(i).down :] for i in range(10)]
    ranks = [" ".join(name[0] for name in card_names(cards)) for cards in up]
    assert ranks == ["4", "Q J", "8 7", "8", "4 3 2", "4", "2 A", "Q", "8 7 6", "2"]
    assert game.score == points
    # "You now have no more moves", the manual says, loosely.
    assert {"t1x1-t7", "t2x1-t3"} <= set(legal_texts(game))
    assert game.stuck is None


KINGS = "; ".join(f"t{i}: KS" for i in range(1, 9))
test_deals = story_test(f"""
A deal lays a card on each column from left to right
  spider-4 layout=spread | deal 1
  deal -> changed=t0 t1 t2 t3 t4 t5 t6 t7 t8 t9 stock, deals=1, stock=40
Five deals empty the stock, and the last one of Spiderette is three cards
  spider-2 | deal 1
  deal, deal, deal, deal, deal -> stock=0
  deal -> !deal_stock_empty
  spiderette-1 | deal 1
  deal, deal, deal, deal -> changed=t0 t1 t2 stock, stock=0
A deal waits for every column, unless it is relaxed
  | t0: KS QS; {KINGS}; stock: 2H-AH 2H-AH 2H-AH 2H-AH 2H-AH
  deal -> !deal_empty_column
  relaxed_deal=True | t0: KS QS; {KINGS}; stock: 2H-AH 2H-AH 2H-AH 2H-AH 2H-AH
  deal -> stock=0
A deal needs as many cards on the table as columns
  | t0: KS-4S; stock: 2H-AH 2H-AH 2H-AH 2H-AH 2H-AH
  deal -> !deal_empty_column
  | t0: KS-5S; stock: 2H-AH 2H-AH 2H-AH 2H-AH 2H-AH
  deal -> !deal_too_few_cards
  spider-1 | t0: [5S] KS-8S; t9: AS AS AS; stock: TS-AS
  deal -> !deal_empty_column
  spider-1 | t0: [5S] KS-8S; t9: AS AS; stock: TS-AS
  deal -> !deal_too_few_cards
  spiderette-1 | t0: KS-7S; stock: 7S-AS
  deal -> !deal_empty_column
  spiderette-1 | t0: KS-8S; stock: 3S-AS
  deal -> !deal_too_few_cards
One card on each column is enough
  | t0: KS; {KINGS}; t9: KS; stock: 2H-AH 2H-AH 2H-AH 2H-AH 2H-AH -> only=deal
  | {KINGS}; t9: KS; stock: 2H-AH 2H-AH 2H-AH 2H-AH 2H-AH
  deal -> !deal_too_few_cards
  spiderette-1 | t0: KS; t1: KS; t2: KS; t3: KS; t4: KS; t5: KS; t6: KS; stock: 3S-AS -> only=deal
  spiderette-1 | t1: KS; t2: KS; t3: KS; t4: KS; t5: KS; t6: KS; stock: 3S-AS
  deal -> !deal_too_few_cards
""")


THREE_HOME = """t0: 3S; t3: 9S; t6: KS; f0: KS-AS; f1: KS-AS; f2: KS-AS; \
stock: [AS 2S 4S 5S 6S 7S 8S TS JS QS]"""
"""Spiderette, one suit: three cards on the table, ten to deal."""
THE_WIN = """deal, deal, t2x1-t1, t3x2-t2, t4x1-t2, t5x1-t2, t6x1-t2, t0x1-t2, t0x1-t6, t0x1-t2, \
t1x2-t2, t1x1-t6, t2x10-t6"""
test_relaxed_deals = story_test(f"""
Spiderette with three cards on the table goes on
  spiderette-1 | {THREE_HOME}
  deal -> !deal_too_few_cards
  spiderette-1 relaxed_deal=True | {THREE_HOME}
  deal -> changed=t0 t1 t2 t3 t4 t5 t6 stock, deals=1
  deal -> deals=2, stock=0
  deal -> !deal_stock_empty
A game with a relaxed deal can be won
  spiderette-1 relaxed_deal=True | {THREE_HOME}
  {THE_WIN} -> can=finish, outcome=None
  remove t6 -> outcome=won, score=500
  spiderette-1 relaxed_deal=True auto_remove=True | {THREE_HOME}
  {THE_WIN} -> outcome=won, score=500
The last three cards go on empty columns and come back
  spiderette-1 relaxed_deal=True undo=any | t5: KS; stock: [4S 5S 6S]
  deal -> changed=t0 t1 t2 stock, = t0: 6S; t1: 5S; t2: 4S; t5: KS
  undo -> = t5: KS; stock: [4S 5S 6S], cheats=1
  redo -> = t0: 6S; t1: 5S; t2: 4S; t5: KS
A suit completed by a relaxed deal is removed automatically
  relaxed_deal=True auto_remove=True undo=any | t0: KS-2S; stock: [5S AS]
  deal -> removed=1, = t1: 5S; f0: KS-AS
  undo -> = t0: KS-2S; stock: [5S AS]
A table without cards can be dealt to only with the option
  relaxed_deal=True | stock: 2H AS -> stuck=None, only=deal
  deal -> = t0: AS; t1: 2H
  | stock: AS -> stuck=deal_too_few_cards, cannot=deal
""")


HEARTS = "; ".join(f"t{i}: 9H" for i in range(1, 10))
CLUBS = "; ".join(f"t{i}: KC" for i in range(2, 10)) + "; stock: 9C 9C 9C 9C 9C 9C 9C 9C AH AS"
test_removals = story_test(f"""
A complete suit stays until it is removed by hand
  | t0: [5H] KS-2S; t1: AS
  t1x1-t0 -> suits=0
  remove t0 -> removed=1, turned=t0, changed=t0 f0, suits=1, home=13, removals=1
  -> = t0: 5H; f0: KS-AS
A suit completed by a deal stays too
  | t0: KS-2S; {HEARTS}; stock: 8D 8D 8D 8D 8D 8D 8D 8D 8D AS
  deal -> removed=0, suits=0, can=remove_t0
The suit at the end of the column is removed
  | t0: 9H 5D 7C KS-AS
  remove t0 -> = t0: 9H 5D 7C; f0: KS-AS
A run that is not at the end, or has two suits, stays
  | t0: KS-AS 5H
  remove t0 -> !not_a_complete_suit
  | t0: KS-8S 7H-AH
  remove t0 -> !not_a_complete_suit
Automatic removal takes a suit completed by a move
  auto_remove=True | t0: [5H] KS-2S; t1: [6H] AS
  t1x1-t0 -> = t0: 5H; t1: 6H; f0: KS-AS, removed=1, turned=t0 t1, changed=t1 t0 f0, removals=0
Automatic removal takes suits completed by a deal, not only by a move
  auto_remove=True undo=any | t0: [5H] KS-2S; t1: KH-2H; {CLUBS}
  deal -> removed=2, turned=t0, changed=t0 t1 t2 t3 t4 t5 t6 t7 t8 t9 stock f0 f1, suits=2
  undo -> = t0: [5H] KS-2S; t1: KH-2H; {CLUBS}, cheats=1
""")


FIVES = "; ".join(f"t{i}: 5S" for i in range(2, 10))
test_ends = story_test(f"""
A game ends at once when all suits are removed
  | -> outcome=won
  | t0: KS-AS; f0: KS-AS -> outcome=None
  remove t0 -> outcome=won, only=, stuck=None
  undo -> !game_over
The player ends a won game with suits on the table
  | t0: KS-AS; t5: KH-AH -> stuck=None
  finish -> changed=, gains=True, outcome=won
A game is not won while a column has anything besides one suit
  | t0: KS-AS; t1: 5H
  finish -> !not_finished
  | t0: KS-AS KH-AH
  finish -> !not_finished
  | t0: KS-AS; t1: KH-2H; t2: AH
  finish -> !not_finished
  | t0: KS-AS; stock: 2S
  finish -> !not_finished
  | t0: KS-8S 7H-AH
  finish -> !not_finished
  | t0: [5S] KS-AS
  finish -> !not_finished
A stuck game ends only when the player finishes it
  | t0: 2S; t1: 4S; t2: 6S; t3: 8S; t4: KS; t5: KS; t6: KS; t7: KS; t8: KS; t9: KS \
-> stuck=stock_empty, only=finish, outcome=None
  finish -> gains=False, outcome=finished_stuck, stuck=stock_empty
A stuck player can still undo
  | t0: 9C QH; t1: KD; {FIVES} -> stuck=None
  t0x1-t1 -> stuck=stock_empty, only=finish undo
  undo -> stuck=None
A game is not stuck if a run can be broken up into a space
  | t0: KS QS; {KINGS} -> stuck=None
""")


test_exceptions = story_test("""
At the easy level a mixed run moves and counts, requested or not, even if undone
  exceptions=easy | t0: 7S 6H; t1: 8C; t2: 8D -> can=t0x2-t1 t0x2-t1!
  t0x2-t1, t1x2-t2! -> exceptions=2
  undo, redo -> exceptions=2
At the hard level an exception must be requested
  exceptions=hard | t0: 7S 6H; t1: 8C; t2: 8D
  t0x2-t1 -> !exception_not_asked
  t0x2-t1! -> exceptions=1, moves=1
""")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("t0: [AS AS AS AS AS AS] 2S", "column 1 has never had 6 cards face down"),
        ("t9: [AS AS AS AS AS] 2S", "column 10 has never had 5 cards face down"),
        ("t0: [AS]", "last card of column 1 must lie face up"),
        ("f0: KS-2S", "a removed suit is thirteen cards"),
    ],
)
def test_impossible_positions_are_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=re.escape(message)):
        position(text)
