"""The command `verify`, which recomputes a finished round from its seed and its acts.

The hash, the deck, the position after every act, each player's stats and the ranking must be the
same as in the source. What only the store counts (hints, acts sent again) is not checked. The page
uses the same sentences about a deal.
"""

import json
import re
import ssl
from collections.abc import Iterable, Iterator, Sequence
from http.client import HTTPException
from itertools import zip_longest
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request, urlopen

from pydantic import ValidationError

from protocol.http import FinishedRound, SeatLog
from protocol.views import Reveal, Standing
from server.config import VerifyOptions
from server.games.actions import ACTION_TEXTS
from server.games.cards import card_names
from server.games.deals import commitment, new_game
from server.games.errors import GameError, IllegalAction
from server.games.game import Game
from server.games.transcripts import WRONG_DECK, parse_round
from server.operators import Failed, Output, one_line
from server.rooms.deals import commitment_of, deal_game, deck_of
from server.rooms.ranking import final_ranking, stats_of, winners
from server.rooms.record import DealRecord, PlayerStats, Round, stored_settings
from server.views.standings import ranking_view, tie_breaks_view

MOST_BYTES = 64 << 20  # three times the largest round: 500,000 acts
FETCH_WITHIN_S = 20.0
LONGEST_REASON = 240  # show at most this many characters of why a source cannot be read
PAGE = re.compile(r"(https?://[^/?#]+)/r/(\w+)/([0-9]{1,9})/?([?#].*)?", re.ASCII | re.IGNORECASE)
NOT_OF_ACTS = {"place", "has_acted"}
"""Not compared one by one: `place` follows from the ranking, and old rounds lack `has_acted`."""
GOOD, BAD = "Deal verified", "Deal not verified"
SEALED = (
    "Seed and salt match the hash shown before the race, and the same cards come from the seed."
)
OTHER_SEAL = f"{BAD}: Seed and salt don’t match the hash shown before the race."
OTHER_DECK = f"{BAD}: These are not the cards that the seed deals."
OPEN = "This deal was known before the race, so there’s nothing to check."


class Differs(Exception):  # noqa: N818  # a result
    """A check has failed: something in the round is wrong. `str()` is a sentence."""


async def verify(options: VerifyOptions) -> Output:
    """Return a line for each check of a round, with exit code 1 if one fails.

    Raises Failed if the round cannot be read.
    """
    lines = []
    try:
        for line in check_round(read_source(options.source, options.ca), options.hash):
            lines.append(f"✓ {line}")  # noqa: PERF401  # a later check may raise
    except Differs as error:
        return Output("\n".join([*lines, f"✗ {error}"]), 1)
    return Output("\n".join(lines))


def read_source(source: str, ca: Path | None = None) -> bytes:
    """Return the content of a file or a URL, or raise Failed if it cannot be read or is too large.

    A link `/r/CODE/N` stands for the round's data. The certificates in the file `ca` are trusted
    instead of the system's.
    """
    try:
        context = None if ca is None else ssl.create_default_context(cafile=ca)
    except OSError as error:  # an SSLError too
        raise _cannot_read(ca, error) from error
    try:
        if source.partition("://")[0].lower() in {"http", "https"}:
            request = Request(data_url(source), headers={"User-Agent": "spider-race verify"})  # noqa: S310  # http or https
            with urlopen(request, timeout=FETCH_WITHIN_S, context=context) as reply:  # noqa: S310
                content = bytes(reply.read(MOST_BYTES + 1))
        else:
            with Path(source).open("rb") as file:
                content = file.read(MOST_BYTES + 1)
    except (OSError, HTTPException) as error:  # an error status is an OSError
        raise _cannot_read(source, error) from error
    except ValueError as error:
        raise Failed(f"{one_line(source)} is not an address.") from error
    if len(content) > MOST_BYTES:
        limit = f"{MOST_BYTES >> 20} MiB"
        raise Failed(f"{one_line(source)} is not a round: it is larger than {limit}.")
    return content


def _cannot_read(what: object, error: Exception) -> Failed:
    """Return the error for a file or URL that cannot be read, with the reason in plain words."""
    inner = getattr(error, "reason", None)  # the error or text that urllib's error wraps
    cause = inner if isinstance(inner, OSError) else error
    reason = getattr(cause, "strerror", None) or inner or error
    if isinstance(cause, ssl.SSLCertVerificationError):
        untrusted = f"its certificate is not trusted ({cause.verify_message})"
        reason = f"{untrusted}; --ca FILE names a private CA"
    elif isinstance(error, URLError) and isinstance(cause, ssl.SSLError):
        reason = "it does not answer over TLS; without TLS its address starts with http://"
    return Failed(f"{one_line(what)} cannot be read: {one_line(reason, LONGEST_REASON)}.")


def data_url(link: str) -> str:
    """Turn the link to a round's page into the address of its data; return others unchanged."""
    found = PAGE.fullmatch(link)
    return link if found is None else found.expand(r"\1/api/rooms/\2/rounds/\3")


def check_round(content: bytes, promised: str | None = None) -> Iterator[str]:
    """Check a round in JSON or in text; yield a sentence for each check that passes.

    `promised` is the hash of the deal that was shown before the race. Raises Differs if a check
    fails, and Failed if the content is not a round.
    """
    text = content.decode(errors="replace")
    check = _check_json if text.lstrip().startswith("{") else _check_text
    try:
        yield from check(text, promised)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = one_line(".".join(map(str, first["loc"])) or "the document")
        raise Failed(f"This is not a finished round: {where}: {first['msg']}.") from error
    except (GameError, ValueError, LookupError) as error:
        raise Failed(f"This is not a finished round: {one_line(error)}.") from error


def _check_json(text: str, promised: str | None) -> Iterator[str]:
    """Check a round in JSON: its deal and the promised hash, if any, its acts and its result."""
    shown = FinishedRound.model_validate_json(text)
    played = _stored_round(shown)
    yield _check_deal(played, shown.reveal, promised)
    standings = {each.seat: each for each in shown.ranking}
    results = {}
    for player in shown.players:
        name = one_line(player.name)
        if player.seat not in standings:
            raise Differs(f"{name} has acts, but no place in the result.")
        results[player.seat] = _stats_after(played, player, standings[player.seat])
        yield f"{name}: {_acts(player.log)} by the rules."
    if without := standings.keys() - results.keys():
        name = one_line(standings[min(without)].name)
        raise Differs(f"{name} has a place in the result, but no acts.")
    yield from _check_result(shown, played.model_copy(update={"results": results}))


def _check_result(shown: FinishedRound, played: Round) -> Iterator[str]:
    """Compare the result in `shown` with the one in `played`, which is computed from the acts."""
    ranking, standings = ranking_view(played), {each.seat: each for each in shown.ranking}
    for ours in ranking:
        for field, value in ours.model_dump(exclude=NOT_OF_ACTS).items():
            if (listed := getattr(standings[ours.seat], field)) != value:
                difference = f"is {_json(listed)} in the result, and {_json(value)} by the acts"
                raise Differs(f"{one_line(ours.name)}: {field} {difference}.")
    yield "Scores: those of all players come from their acts."
    for row, (theirs, ours) in enumerate(zip(shown.ranking, ranking, strict=True), 1):
        if (theirs.seat, theirs.place) != (ours.seat, ours.place):
            found = f"{one_line(theirs.name)} (place {_json(theirs.place)})"
            due = f"{one_line(ours.name)} (place {_json(ours.place)})"
            raise Differs(f"Ranking: row {row} is {found}, and by the stats {due}.")
    won = winners(final_ranking(played).rows)
    if shown.winners != won:
        raise Differs(f"Ranking: the winners are seats {_json(shown.winners)}, not {_json(won)}.")
    if shown.tie_breaks != tie_breaks_view(played):
        raise Differs("Ranking: what decides between equal players is another thing.")
    names = " and ".join(one_line(each.name) for each in ranking if each.seat in won)
    yield f"Ranking: that of the scores; {names or 'nobody'} won."


def _check_text(text: str, promised: str | None) -> Iterator[str]:
    """Check a round in text form: the acts and, if there is one, the promised hash."""
    try:
        transcript = parse_round(text)
    except GameError as error:
        if str(error) == WRONG_DECK:
            raise Differs(OTHER_DECK) from error
        raise
    deal, texts = transcript.deal, ACTION_TEXTS[transcript.rules.game]
    if deal.seed is None or deal.salt is None:
        yield f"Open deal: {OPEN}"
    else:
        seal = commitment(deal.seed, deal.salt)
        if promised is not None and promised.lower() != seal:
            raise Differs(OTHER_SEAL)
        advice = f"Compare its hash with the one shown before the race: {seal}"
        yield f"{GOOD}: {SEALED if promised else advice}"
    for player in transcript.players:
        name = one_line(player.name)
        game = new_game(transcript.rules, transcript.deck())
        for _ in _replay(game, name, ((texts.format(act), ms) for act, ms in player.entries)):
            pass  # an act against the rules raises Differs
        yield f"{name}: {_acts(player.entries)} by the rules, {game.score} points."


def _stored_round(shown: FinishedRound) -> Round:
    """Return the round as the store had it, without the results."""
    reveal, ranking = shown.reveal, shown.ranking
    return Round(
        n=shown.n,
        game=1,  # its number in the match: no check depends on it
        settings=stored_settings(shown.settings),
        deal=DealRecord(seed=reveal.seed, salt=reveal.salt, number=reveal.number),
        t0=shown.t0,
        t_end=None,
        ended=shown.ended,
        names={each.seat: each.name for each in ranking},
        late_ms={each.seat: each.late_ms for each in ranking if each.late_ms is not None},
        stand_ins={each.seat: each.stand_in for each in ranking if each.stand_in is not None},
        states={each.seat: each.state for each in ranking},
    )


def _check_deal(played: Round, reveal: Reveal, promised: str | None) -> str:
    """Check the deal of a round, and return a sentence about it; raise Differs if it is wrong.

    `promised` is the hash that was shown before the race, if it is known.
    """
    if reveal.deal != played.settings.deal:
        raise Differs(f"{BAD}: the settings say {played.settings.deal}, the deal {reveal.deal}.")
    hashes = {each.lower() for each in (reveal.commitment, promised) if each}
    if reveal.deal == "secret" and hashes != {commitment_of(played.deal)}:
        raise Differs(OTHER_SEAL)
    if reveal.seed is None and reveal.number is None:
        raise Differs(f"{BAD}: it has neither a seed nor a number.")
    cards = zip_longest(reveal.deck, card_names(deck_of(played)))
    for position, (theirs, ours) in enumerate(cards, 1):
        if theirs != ours:
            raise Differs(f"{OTHER_DECK} Card {position} is {one_line(theirs)}, not {ours}.")
    if reveal.deal == "secret":
        return f"{GOOD}: {SEALED}"
    number = "" if reveal.number is None else f" {reveal.number}"
    return f"Open deal{number}: {OPEN} The cards are those of the deal."


def _stats_after(played: Round, player: SeatLog, standing: Standing) -> PlayerStats:
    """Replay a player's acts and return the stats; take from `standing` what no act shows."""
    name = one_line(player.name)
    if player.name != standing.name:
        raise Differs(f"{name} has another name in the result.")
    if player.late_ms != standing.late_ms:
        raise Differs(f"{name} begins at another time in the result.")
    game, late = deal_game(played), player.late_ms or 0
    gained_ms, finished_ms, score = 0, standing.finished_ms, game.score
    for ms in _replay(game, name, ((entry.action, entry.ms) for entry in player.log)):
        if game.score > score:
            gained_ms = max(0, ms - late)
        if game.outcome is not None:
            finished_ms = ms - late
        score = game.score
    times = {"gained_ms": gained_ms, "finished_ms": finished_ms, "hints": standing.hints}
    return stats_of(game, standing.restored).model_copy(update=times)


def _replay(game: Game, name: str, log: Iterable[tuple[str, int]]) -> Iterator[int]:
    """Play a log's acts in `game`, and yield the time of each (ms). Errors contain `name`."""
    texts = ACTION_TEXTS[game.variant.id]
    for number, (text, ms) in enumerate(log, 1):
        action = texts.parse(text)
        try:
            game.replay(action)
        except IllegalAction as error:
            act = f"{name}: act {number} ({one_line(text)} at {ms} ms)"
            raise Differs(f"{act} is against the rules: {error.code.meaning}.") from error
        yield ms


def _acts(log: Sequence[object]) -> str:
    return "1 act" if len(log) == 1 else f"{len(log)} acts"


def _json(value: object) -> str:
    return "none" if value is None or value == () else json.dumps(value)
