"""A second, slow implementation of RULES for testing the engine.

It uses only the public state of a `Game`: piles, counts, log and outcome.
"""

from itertools import pairwise, product

from protocol.vocabulary import Outcome
from server.games.actions import DEAL, Action, ActionKind, kind, move, remove
from server.games.cards import is_red, rank_of, suit_of
from server.games.game import Game
from server.games.rules import Rules


def legal_moves(game: Game) -> set[Action]:
    """Return the legal moves, deals and removals."""
    if game.outcome:
        return set()
    return _MOVES[game.variant.goal](game)


def score(game: Game, moves_after_exception: int = 0) -> int:
    """Return the score of the position, the counts and the outcome."""
    if game.rules.score == "dos":
        return _dos(game, moves_after_exception)
    return _SCORES[game.rules.score](game)


def unseen(game: Game) -> int:
    """Return the number of cards that lie face down on the table or in the stock."""
    return sum(game.pile(i).down for i in range(len(game.variant.piles)))


def is_cheat(rules: Rules, before: int, after: int) -> bool:
    """Return whether an undo is a cheat, given the unseen cards before and after it."""
    if rules.undo == "counted":
        return True
    return rules.undo == "any" and after > before


def _columns(game: Game) -> list[tuple[int, list[int]]]:
    return [
        (game.pile(i).down, list(game.pile(i).cards))
        for i, spec in enumerate(game.variant.piles)
        if spec.role == "tableau"
    ]


def _descends(cards: list[int]) -> bool:
    return all(rank_of(a) == rank_of(b) + 1 for a, b in pairwise(cards))


def _one_suit(cards: list[int]) -> bool:
    return len({suit_of(card) for card in cards}) == 1


def _is_suit(cards: list[int]) -> bool:
    return len(cards) == 13 and _descends(cards) and _one_suit(cards)


def _spider(game: Game) -> set[Action]:
    columns = _columns(game)
    found: set[Action] = set()
    for here, (down, cards) in enumerate(columns):
        up = cards[down:]
        if _is_suit(up[-13:]):
            found.add(remove(here))
        runs = [up[-n:] for n in range(1, len(up) + 1) if _descends(up[-n:])]
        for run, (to, (_, target)) in product(runs, enumerate(columns)):
            n = len(run)
            if here != to and (not target or rank_of(target[-1]) == rank_of(run[0]) + 1):
                if _one_suit(run):
                    found.add(move(here, n, to))
                elif game.rules.exceptions != "off":
                    found.add(move(here, n, to, exception=True))
                    if game.rules.exceptions == "easy":
                        found.add(move(here, n, to))
    stock = game.pile(game.variant.pile_index["stock"]).cards
    empty = any(not cards for _, cards in columns)
    on_table = sum(len(cards) for _, cards in columns)
    if stock and (game.rules.relaxed_deal or (on_table >= len(columns) and not empty)):
        found.add(DEAL)
    return found


def _little(game: Game) -> set[Action]:
    piles = [list(game.pile(i).cards) for i in range(12)]
    stock = game.pile(12).cards
    up_colours = {is_red(pile[0]) for pile in piles[8:10] if pile}
    up_colours |= {not is_red(pile[0]) for pile in piles[10:12] if pile}
    found: set[Action] = {DEAL} if stock else set()
    for here in range(8):
        if not piles[here]:
            continue
        card = piles[here][-1]
        for slot in range(4):
            home, up = piles[8 + slot], slot < 2
            if stock and here >= 4 and slot != here - 4:
                continue
            if home:
                takes = card == home[-1] + (1 if up else -1)
            else:
                colour_fits = not up_colours or (is_red(card) is up) in up_colours
                takes = rank_of(card) == (1 if up else 13) and colour_fits
            if takes and (not home or suit_of(card) == suit_of(home[0])):
                found.add(move(here, 1, 8 + slot))
        for to in range(8):
            if not stock and to != here and piles[to]:
                apart = (rank_of(card) - rank_of(piles[to][-1])) % 13
                if apart in {1, 12}:
                    found.add(move(here, 1, to))
    return found


def _pairs(game: Game) -> int:
    pairs = [pair for down, cards in _columns(game) for pair in pairwise(cards[down:])]
    return sum(suit_of(a) == suit_of(b) and rank_of(a) == rank_of(b) + 1 for a, b in pairs)


def _suits_on_table(game: Game) -> int:
    ends = [cards[i:] for down, cards in _columns(game) for i in range(down, len(cards))]
    return sum(_is_suit(cards[:13]) for cards in ends)


def _woods(game: Game) -> int:
    columns, variant = _columns(game), game.variant
    covered = variant.covered_columns
    if game.outcome is Outcome.WON:
        full = 10 * variant.face_down + 15 * covered + 50 * variant.foundations
        return full + 2 * max(0, _suits_on_table(game) - 3)
    opened = covered - sum(down > 0 for down, _ in columns)
    turned = variant.face_down - sum(down for down, _ in columns)
    return 10 * turned + 15 * opened + 2 * _pairs(game) + 50 * game.counts.suits


def _dos(game: Game, moves_after_exception: int) -> int:
    e = game.counts.exceptions
    star = 10 * (e - 6) if e > 6 else 0
    if game.outcome is not Outcome.WON:
        suit = 120 - 12 * e if e <= 5 else 50
        pair = max(1, 10 - e)
        return max(0, suit * game.counts.suits + pair * _pairs(game) - star)
    if e == 0:
        kinds = [kind(action) for action in game.log]
        suits = game.variant.foundations
        last = set(kinds[-suits:])
        grand = kinds.count(ActionKind.REMOVE) == suits and last == {ActionKind.REMOVE}
        return 10_000 if grand else 1000
    return max(0, 1000 - 100 * min(e, 6) - moves_after_exception - star)


def _cards(game: Game) -> int:
    return game.counts.home


def _windows(game: Game) -> int:
    counts = game.counts
    acts = counts.moves + counts.deals + counts.undos + counts.redos
    return max(0, 500 - acts + 100 * (counts.suits + _suits_on_table(game)))


_MOVES = {"suits": _spider, "cards": _little}
_SCORES = {"woods": _woods, "cards": _cards, "moves": _windows}
