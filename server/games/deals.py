"""Decks, made from a seed or a deal number, and the games that are dealt from them.

Anyone can compute a secret deck from its seed, in any language:

1. Each unshuffled deck has the suits S H D C in this order, each from ace to king.
2. Block *c* (0, 1, 2 ...) is SHA-256 of the ASCII text `spider-race/deal/1/FAMILY/SEED/c`: FAMILY
   is `spider`, `spiderette` or `little-spider`, SEED the 16 bytes of the seed in lower-case hex, c
   in decimal. Each block gives eight words of 32 bits, big-endian, in order.
3. Fisher-Yates from the end: for i from the last index down to 1 take the next word w. If w >=
   2**32 - 2**32 mod (i + 1), take the next one instead. Swap the cards at i and at w mod (i + 1).
4. Two suits: S and C become S, H and D become H. One suit: all become S.
5. The first card is the first to be dealt.

So one seed gives all games of a family the same ranks in the same places.
"""

import hashlib
import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from pysol_cards.cards import createCards
from pysol_cards.random import shuffle
from pysol_cards.random_base import RandomBase

from protocol.games import GAMES
from protocol.vocabulary import SEED_BYTES, SUITS
from server.games.actions import Action
from server.games.cards import ACE, EMPTY, KING, Card, PileState, make_card, rank_of, suit_of
from server.games.errors import BadDealNumber
from server.games.game import Game
from server.games.little_spider import LittleSpider
from server.games.rules import Rules, check_rules, variant_of
from server.games.spider import Spider, SpiderWithExceptions

HIGHEST_DEAL = 10**20  # the highest deal number of PySolFC

_WORDS = struct.Struct(">8L")
_WORD_RANGE = 2**32
_RELABELLED = {1: "SSSS", 2: "SHHS", 4: "SHDC"}  # new names of S H D C, by number of suits
_PYSOL_SUITS = "CSHD"  # the order of suits in PySolFC


def secret_deck(game: str, seed: bytes) -> tuple[Card, ...]:
    """Return a game's deck for a seed of 16 bytes, by the steps at the head of this module.

    Two test vectors, the first ten cards of `spider-4`: the seed 00 01 02 ... 0f gives
    `JD KH JD 6H KD AD AS 2S 5S 8H`, sixteen bytes ff give `9H 9D QH TD 3C 5H 4H 2C 3H 7D`.
    Raise BadRules for an unknown game.
    """
    assert len(seed) == SEED_BYTES, "a seed has 16 bytes"
    variant = variant_of(game)
    deck = list(_unshuffled(variant.decks, variant.suits))
    words = _words(f"spider-race/deal/1/{variant.family}/{seed.hex()}")
    for i in range(len(deck) - 1, 0, -1):
        j = _below(i + 1, words)
        deck[i], deck[j] = deck[j], deck[i]
    return tuple(deck)


@lru_cache
def _unshuffled(decks: int, suits: int) -> tuple[Card, ...]:
    """Return the unshuffled deck, with the suits of the game already relabelled."""
    ordered = [make_card(rank, suit) for suit in range(4) for rank in range(ACE, KING + 1)]
    return _relabel(ordered * decks, suits)


def numbered_deck(game: str, number: int) -> tuple[Card, ...]:
    """Return PySolFC's deck for a number, in dealing order; raise BadRules or BadDealNumber."""
    variant = variant_of(game)
    if not 1 <= number <= HIGHEST_DEAL:
        raise BadDealNumber(number, HIGHEST_DEAL)
    cards = shuffle(createCards(variant.decks), number, RandomBase.DEALS_PYSOLFC)
    deck = [make_card(card.rank, SUITS.index(_PYSOL_SUITS[card.suit])) for card in reversed(cards)]
    return _relabel(deck, variant.suits)


def commitment(seed: bytes, salt: bytes) -> str:
    """Return SHA-256(seed || salt) in hex, which players see before the race."""
    return hashlib.sha256(seed + salt).hexdigest()


def _words(prefix: str) -> Iterator[int]:
    """Yield 32-bit words: eight from the hash of `prefix/0`, eight of `prefix/1` and so on."""
    block = 0
    while True:
        yield from _WORDS.unpack(hashlib.sha256(f"{prefix}/{block}".encode("ascii")).digest())
        block += 1


def _below(limit: int, words: Iterator[int]) -> int:
    """Return a number from 0 to limit - 1, made from the next words; all are equally likely."""
    fair = _WORD_RANGE - _WORD_RANGE % limit  # from here on, words would favour low numbers
    return next(word for word in words if word < fair) % limit


def _relabel(deck: list[Card], suits: int) -> tuple[Card, ...]:
    """Relabel the four suits of a deck for a game with this number of `suits`."""
    # RULES, The games: the same effect as "ignore suits" and "match by colour" in text 5.
    relabelled = [SUITS.index(name) for name in _RELABELLED[suits]]
    return tuple(make_card(rank_of(card), relabelled[suit_of(card)]) for card in deck)


def new_game(rules: Rules, deck: Sequence[Card]) -> Game:
    """Return a new game, dealt from a deck, or raise BadRules if the settings clash."""
    check_rules(rules)
    assert len(deck) == GAMES[rules.game].cards, "a deck is dealt whole"
    return set_up(rules, deal(rules, deck))


def deal(rules: Rules, deck: Sequence[Card]) -> tuple[PileState, ...]:
    """Deal a deck, starting with its first card, and return all piles of the game.

    Face-down cards are dealt row by row, to the columns that still need some; then a row face up.
    """
    variant = GAMES[rules.game]
    down = variant.dealt_down[rules.layout]
    rows = [[i for i, size in enumerate(down) if size > row] for row in range(max(down))]
    order = (*chain.from_iterable(rows), *range(variant.columns))
    columns: list[list[Card]] = [[] for _ in down]
    for column, card in zip(order, deck, strict=False):
        columns[column].append(card)
    stock = tuple(reversed(deck[len(order) :]))
    dealt = (PileState(len(cards) - 1, tuple(cards)) for cards in columns)
    others = {"stock": PileState(len(stock), stock), "foundation": EMPTY}
    return tuple(others.get(pile.role) or next(dealt) for pile in variant.piles)


def set_up(rules: Rules, piles: Sequence[PileState]) -> Game:
    """Return a game that continues from these piles; raise NotationError for impossible ones."""
    if GAMES[rules.game].goal == "cards":
        return LittleSpider.from_piles(rules, piles)
    engine = Spider if rules.exceptions == "off" else SpiderWithExceptions
    return engine.from_piles(rules, piles)


def replay(rules: Rules, deck: Sequence[Card], actions: Iterable[Action]) -> Game:
    """Return the game that a log leads to; raise BadRules, or IllegalAction for a wrong log."""
    game = new_game(rules, deck)
    for action in actions:
        game.replay(action)
    return game
