"""Finished rounds as text, so that anybody can check and replay them.

A round is a header, a blank line, and for each player a line `player: NAME` followed by the log,
which is indented. Each line of a log has the milliseconds since the start of the round and an
action (`NOTATION.md`):

    1523 t9x1-t4
    2210 deal

Parsing a text gives back the value that it was made from.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from protocol.vocabulary import SEED_BYTES
from server.games.actions import ACTION_TEXTS, ActionTexts, TimedAction
from server.games.cards import Card, format_cards, parse_cards
from server.games.deals import numbered_deck, secret_deck
from server.games.errors import NotationError
from server.games.rules import Rules, check_rules

TITLE = "Spider Race round, format 1"
WRONG_DECK = "the deck does not match the deal"
_ENTRY = re.compile(r"(0|[1-9][0-9]{0,11}) (.+)", re.ASCII)
_YES_NO = {True: "yes", False: "no"}


@dataclass(frozen=True, slots=True)
class RevealedDeal:
    """A deal that everybody may know. It has either a seed or a number."""

    seed: bytes | None = None  # 16 bytes
    salt: bytes | None = None  # of the commitment to the seed; None without a commitment
    number: int | None = None  # the number of a PySolFC deal

    def deck(self, game: str) -> tuple[Card, ...]:
        """Return the deck, from the seed or the number of the deal."""
        if self.seed is not None:
            return secret_deck(game, self.seed)
        assert self.number is not None, "a deal has a seed or a number"
        return numbered_deck(game, self.number)

    def header_lines(self) -> tuple[str, ...]:
        """Return the lines that describe the deal in the header of a round."""
        if self.seed is None:
            return ("deal: numbered", f"number: {self.number}")
        if self.salt is None:
            return ("deal: seed", f"seed: {self.seed.hex()}")
        return ("deal: secret", f"seed: {self.seed.hex()}", f"salt: {self.salt.hex()}")


class PlayerLog(NamedTuple):
    """The log of one player in a round. The name must be one line."""

    name: str
    entries: tuple[TimedAction, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """A finished round, with everything that is needed to check and replay it."""

    rules: Rules
    deal: RevealedDeal
    players: tuple[PlayerLog, ...]

    def deck(self) -> tuple[Card, ...]:
        """Return the deck, which was dealt to all players."""
        return self.deal.deck(self.rules.game)


def format_head(rules: Rules, deal: RevealedDeal) -> str:
    """Return the header of a round: the settings, the deal and the deck."""
    lines = [TITLE]
    for field in fields(Rules):
        value = getattr(rules, field.name)
        lines.append(f"{field.name}: {_YES_NO[value] if isinstance(value, bool) else value}")
    lines += [*deal.header_lines(), f"deck: {format_cards(deal.deck(rules.game))}", "", ""]
    return "\n".join(lines)


def format_player(name: str, entries: Iterable[TimedAction], game: str) -> Iterator[str]:
    """Yield a player's lines, so that the caller may pause; raise NotationError for a bad name."""
    if "\n" in name:
        raise NotationError(f"not a name of one line: {name!r}")
    yield f"player: {name}\n"
    texts = ACTION_TEXTS[game]
    for action, ms in entries:
        yield f"  {ms} {texts.format(action)}\n"


def parse_round(text: str) -> Transcript:
    """Parse a finished round, without checking whether the logs are legal.

    Raises:
        BadRules: The settings clash.
        BadDealNumber: No numbered deal has this number.
        NotationError: The text is not a round, or its deck does not match its deal.
    """
    head, _, body = text.partition("\n\n")
    title, *lines = head.split("\n")
    if title != TITLE:
        raise NotationError(f"it begins with {title[:40]!r}, not with {TITLE!r}")
    header = dict(_parse_field(line) for line in lines)
    try:
        values: dict[str, Any] = {field.name: header.pop(field.name) for field in fields(Rules)}
        truths = {"yes": True, "no": False}
        rules = Rules(**{name: truths.get(value, value) for name, value in values.items()})
        check_rules(rules)
        deal = _take_deal(header)
        deck = parse_cards(header.pop("deck"))
    except KeyError as error:
        raise NotationError(f"the round has no field {error.args[0]}") from None
    if header:
        raise NotationError(f"a round has no fields {', '.join(header)}")
    transcript = Transcript(rules, deal, tuple(_parse_players(body, ACTION_TEXTS[rules.game])))
    if deck != transcript.deck():
        raise NotationError(WRONG_DECK)
    return transcript


def _parse_entry(line: str, texts: ActionTexts) -> TimedAction:
    """Parse a line of a log, such as `1200 t9x1-t4`."""
    if (found := _ENTRY.fullmatch(line)) is None:
        raise NotationError(f"not milliseconds and an action: {line!r}")
    return TimedAction(texts.parse(found[2]), int(found[1]))


def _parse_field(line: str) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    if not colon or value[:1] not in {"", " "}:
        raise NotationError(f"not a field of a round: {line!r}")
    return name, value.removeprefix(" ")


def _take_deal(header: dict[str, str]) -> RevealedDeal:
    """Return the deal of a header, and remove its fields from the header."""
    source = header.pop("deal")
    try:
        if source == "numbered":
            return RevealedDeal(number=int(header.pop("number")))
        if source in {"secret", "seed"}:
            seed = bytes.fromhex(header.pop("seed"))
            # Older versions wrote a deal with a chosen seed as a secret one with an empty salt.
            salt = bytes.fromhex(header.pop("salt")) if source == "secret" else None
            if len(seed) == SEED_BYTES:
                return RevealedDeal(seed, salt)
    except ValueError as error:
        raise NotationError(f"not a deal: {error}") from None
    raise NotationError(f"not a {source} deal")


def _parse_players(body: str, texts: ActionTexts) -> Iterable[PlayerLog]:
    """Return the log of each player, from the text below the header."""
    players: list[tuple[str, list[TimedAction]]] = []
    for line in filter(None, body.split("\n")):
        if line.startswith("player: "):
            players.append((line.removeprefix("player: "), []))
        elif not players or not line.startswith("  "):
            raise NotationError(f"not a line of a player: {line!r}")
        else:
            players[-1][1].append(_parse_entry(line.strip(), texts))
    return [PlayerLog(name, tuple(entries)) for name, entries in players]
