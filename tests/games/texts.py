"""Cards, positions, logs and rounds as text, for setting up tests.

A position lists its piles on separate lines or separated by `;`, bottom to top, face-down cards in
brackets. Empty piles are left out; the stock's last card is dealt next. `KS-9S` is a run, up or
down:

    t0: [5H 6C] KS-9S 8H
    stock: [AS 2D]
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from protocol.games import GAMES
from protocol.vocabulary import RANKS, SUITS
from server.games.actions import Action, ActionTexts, TimedAction
from server.games.cards import EMPTY, Card, PileState, format_cards, parse_card, parse_cards
from server.games.deals import replay, set_up
from server.games.errors import NotationError
from server.games.game import Game
from server.games.rules import Rules, check_rules
from server.games.transcripts import Transcript, _parse_entry, format_head, format_player

_PILE = re.compile(r"\s*(?:\[(?P<down>[^][]*)\])?(?P<up>[^][]*)")


_CARD = f"[{RANKS}][{SUITS}]"
_CARDS = f"{_CARD}(?: {_CARD})*"
_OPEN = re.compile(rf"(?:\[(?P<down>{_CARDS})\](?: (?!$)|$))?(?P<up>{_CARDS})?")
_HIDDEN = re.compile(rf"(?:\[(?P<down>[1-9][0-9]{{0,2}})\](?: (?!$)|$))?(?P<up>{_CARDS})?")


class HiddenPile(NamedTuple):
    """A pile as its player sees it: the number of face-down cards, and the face-up cards."""

    down: int
    up: tuple[Card, ...]


def format_open_pile(pile: PileState) -> str:
    """Return a pile with all its cards: `[5H 6C] KS QS`."""
    up = format_cards(pile.cards[pile.down :])
    if not pile.down:
        return up
    below = f"[{format_cards(pile.cards[: pile.down])}]"
    return f"{below} {up}" if up else below


def parse_pile(text: str) -> PileState:
    """Return the pile of a text that shows every card; raise NotationError for other texts."""
    below, up = _split_pile(_OPEN, text)
    down = parse_cards(below)
    return PileState(len(down), down + parse_cards(up))


def parse_hidden_pile(text: str) -> HiddenPile:
    """Return the pile of a text that hides face-down cards; raise NotationError for others."""
    down, up = _split_pile(_HIDDEN, text)
    return HiddenPile(int(down or 0), parse_cards(up))


def _split_pile(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    if (found := pattern.fullmatch(text)) is None:
        raise NotationError(f"not a pile: {text!r}")
    return found["down"] or "", found["up"] or ""


def cards_of(text: str) -> tuple[Card, ...]:
    """Return the cards of names and runs, separated by blanks."""
    cards: list[Card] = []
    for word in text.split():
        first, _, last = word.partition("-")
        head, end = parse_card(first), parse_card(last or first)
        step = 1 if end >= head else -1
        cards += [Card(card) for card in range(head, end + step, step)]
    return tuple(cards)


def format_position(game: Game) -> str:
    """Return the position of a game as text, with all face-down cards."""
    lines = []
    for index, name in enumerate(game.variant.pile_names):
        if text := format_open_pile(game.pile(index)):
            lines.append(f"{name}: {text}")
    return "\n".join(lines)


def parse_position(rules: Rules, text: str) -> Game:
    """Return a game that continues from a position, with an empty log.

    Cards may be missing.

    Raises:
        BadRules: The settings clash.
        NotationError: The text is not a position of this game.
    """
    check_rules(rules)
    variant = GAMES[rules.game]
    piles = [EMPTY] * len(variant.piles)
    for line in filter(None, map(str.strip, re.split("[\n;]", text))):
        name, colon, cards = line.partition(":")
        found = _PILE.fullmatch(cards)
        if not colon or found is None:
            raise NotationError(f"not a pile: {line!r}")
        if name not in variant.pile_index:
            raise NotationError(f"{rules.game} has no pile {name!r}")
        down = cards_of(found["down"] or "")
        piles[variant.pile_index[name]] = PileState(len(down), down + cards_of(found["up"]))
    return set_up(rules, piles)


def parse_legal(text: str, texts: ActionTexts) -> tuple[Action, ...]:
    """Parse a text of `ActionTexts.format_legal`."""
    return tuple(map(texts.parse, text.split(","))) if text else ()


def format_log(entries: Iterable[TimedAction], texts: ActionTexts) -> str:
    return "\n".join(f"{ms} {texts.format(action)}" for action, ms in entries)


def parse_log(text: str, texts: ActionTexts) -> tuple[TimedAction, ...]:
    """Parse a log with one entry on each line; blank lines and indents are ignored."""
    lines = filter(None, map(str.strip, text.split("\n")))
    return tuple(_parse_entry(line, texts) for line in lines)


def replayed(transcript: Transcript, number: int) -> Game:
    """Return the game of a player, counted from 0, after all acts of the log."""
    acts = (entry.action for entry in transcript.players[number].entries)
    return replay(transcript.rules, transcript.deck(), acts)


def format_round(transcript: Transcript) -> str:
    game = transcript.rules.game
    players = (format_player(player.name, player.entries, game) for player in transcript.players)
    head = format_head(transcript.rules, transcript.deal)
    return "".join([head, *(line for lines in players for line in lines)])
