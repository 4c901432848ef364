import pytest

from server.games.errors import NotationError
from tests.games.positions import dealt, position
from tests.games.stories import story_test

GAME = "little-spider"


def test_eight_cards_lie_face_up_and_44_are_in_the_stock() -> None:
    game = dealt(GAME)
    assert [len(game.pile(i).cards) for i in range(13)] == [1] * 8 + [0] * 4 + [44]
    assert [game.pile(i).down for i in range(13)] == [0] * 12 + [44]
    assert game.counts.face_down == 0


ACES = "u0: AC; u1: AD; u2: KH; u3: KS; stock: 9C"
test_deals_and_foundations = story_test(f"""
Cards are dealt onto empty piles, and under no reveal a deal cannot be undone
  little-spider | u0: 5H; stock: AS-8S
  deal -> = u0: 5H 8S; u1: 7S; u2: 6S; u3: 5S; l0: 4S; l1: 3S; l2: 2S; l3: AS
  undo -> !undo_reveals
Five deals have eight cards, and the last has four on the upper row
  little-spider | deal 1
  deal -> changed=u0 u1 u2 u3 l0 l1 l2 l3 stock
  deal, deal, deal, deal -> stock=4
  deal -> changed=u0 u1 u2 u3 stock
  deal -> !deal_stock_empty
Two foundations start with aces and two with kings
  little-spider | u0: AS; u1: KH; u2: 5C; stock: 9C -> only=u0x1-f0 u0x1-f1 u1x1-f2 u1x1-f3 deal
Foundations build up and down in suit
  little-spider | u0: 4S; u1: TH; u2: QH; u3: 3S; f0: AS-3S; f2: KH-JH; stock: 9C \
-> only=u0x1-f0 u1x1-f2 deal
The first card fixes the colours
  little-spider | {ACES}; f0: AS -> only=u0x1-f1 u2x1-f2 u2x1-f3 deal
  little-spider | {ACES}; f2: KC -> only=u1x1-f0 u1x1-f1 u3x1-f3 deal
  little-spider | {ACES}; f0: AH -> only=u1x1-f1 u3x1-f2 u3x1-f3 deal
  little-spider | {ACES}; f3: KD -> only=u0x1-f0 u0x1-f1 u2x1-f2 deal
A lower pile plays only on the slot above it while the stock has cards
  little-spider | l0: AS; l1: AC; l2: KS; stock: 9C -> only=l0x1-f0 l1x1-f1 l2x1-f2 deal
A full foundation accepts no card
  little-spider | u0: KD; u1: AH; u2: 5C; f0: AS-KS; f2: KH-AH -> only=u0x1-f3 u0x1-u1 u1x1-u0
""")


TEXT = "u0: 5H; u1: 6S; u2: 4C; l0: KS; l1: AD; l2: 9H"
test_moves_between_piles = story_test(f"""
Cards go on piles one rank above or below, ace and king adjacent, and lower piles on every slot
  little-spider | {TEXT} -> can=l0x1-f2 l0x1-f3 l1x1-f0 l1x1-f1
  -> only=u0x1-u1 u0x1-u2 u1x1-u0 u2x1-u0 l0x1-l1 l1x1-l0 l0x1-f2 l0x1-f3 l1x1-f0 l1x1-f1
  u0x1-u3 -> !pile_stays_empty
  u0x1-u1 -> changed=u0 u1
  undo -> = {TEXT}
Cards do not move between piles while the stock has cards
  little-spider | {TEXT}; stock: 2H -> only=deal l1x1-f1
""")


LAST = "u0: KC; f0: AS-KS; f1: AC-QC; f2: KH-AH; f3: KD-AD"
test_ends = story_test(f"""
A game with all cards on foundations is won
  little-spider | {LAST} -> suits=3
  u0x1-f1 -> outcome=won, removed=1, gains=True, suits=4, home=52, score=52
Each full foundation counts as a suit
  little-spider | u0: KS; u1: KC; u2: AH; u3: AD; f0: AS-QS; f1: AC-QC; f2: KH-2H; f3: KD-2D
  u0x1-f0 -> removed=1, suits=1
  u1x1-f1 -> removed=1, suits=2
  u2x1-f2 -> removed=1, suits=3
  u3x1-f3 -> removed=1, suits=4
A move that fills a foundation is undone like any move
  little-spider | {LAST}; l0: 5H
  u0x1-f1, undo -> suits=3, outcome=None
A stuck game gives its reason, and no game with a stock is stuck
  little-spider | u0: 5H; stock: 9S -> stuck=None
  little-spider | u0: 5H; u1: 9S -> stuck=stock_empty, only=finish
  finish -> outcome=finished_stuck
""")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("u0: [5H] 4H", "^every card of Little Spider lies face up$"),
        ("f0: 2S 3S", "foundation 1 is not built"),
        ("f0: AS 3S", "foundation 1 is not built"),
        ("f0: AS 2H", "foundation 1 is not built"),
        ("f2: AS", "foundation 3 is not built"),
        ("f3: KS-QS JD", "foundation 4 is not built"),
    ],
)
def test_impossible_positions_are_refused(text: str, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        position(text, GAME)
