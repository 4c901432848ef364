"""The command `verify`: a finished round is computed again from its seed and its acts.

The hash, the deck, the position after every act, the stats of each player and the ranking must
be those of the round. What only the store counts (hints, acts that were sent again) is taken from
the round. The words about the deal are those of the page.
"""

import json
from collections.abc import Iterator
from typing import NamedTuple

from pydantic import ValidationError

from protocol.http import FinishedRound, SeatLog
from protocol.views import Reveal, Standing
from server.config import VerifyOptions
from server.games import notation
from server.games.action_texts import ACTION_TEXTS
from server.games.cards import card_names
from server.games.deals import commitment
from server.games.errors import GameError
from server.games.game import Game
from server.operators.answer import Answer
from server.operators.round_sources import NoSource, read_source
from server.operators.tables import one_line
from server.rooms.ranking import Ranking, winners
from server.rooms.record import DealRecord, PlayerStats, Round
from server.rooms.rounds import deal_game, deck_of, stats_of

STATS = ("score", "moves", "suits", "home", "face_down", "cheats", "exceptions", "won")
GOOD, BAD = "Deal verified", "Deal not verified"
SEALED = (
    "Seed and salt match the hash shown before the race, and the same cards come from the seed."
)
OTHER_SEAL = "Seed and salt don’t match the hash shown before the race."
OTHER_DECK = "These are not the cards that the seed deals."
OPEN = "This deal was known before the race, so there’s nothing to check."


class CheckedLine(NamedTuple):
    """One check: whether it is good, and a sentence about it."""

    good: bool
    text: str


class Differs(Exception):  # noqa: N818  # a result
    """The first thing of a check that is another one; `str()` is a sentence."""


async def verify(options: VerifyOptions) -> Answer:
    """Return a line for each check of a round; the exit code is 0 if all are good, else 1."""
    try:
        content = read_source(options.source)
    except NoSource as error:
        return Answer(f"✗ {one_line(error)}", 1)
    lines = []
    for line in check_round(content, options.hash):
        lines.append(line)
        if not line.good:
            break
    text = "\n".join(f"{'✓' if line.good else '✗'} {line.text}" for line in lines)
    return Answer(text, 0 if all(line.good for line in lines) else 1)


def check_round(content: bytes, promised: str | None = None) -> Iterator[CheckedLine]:
    """Yield the checks of a round, as JSON or as text; those after a bad one may be missing.

    `promised` is the hash as it was shown before the race.
    """
    try:
        text = content.decode()
        if text.lstrip().startswith("{"):
            yield from _check_round(FinishedRound.model_validate_json(text), promised)
        else:
            yield from _check_text(text, promised)
    except Differs as error:
        yield CheckedLine(good=False, text=str(error))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the document"
        yield CheckedLine(
            good=False, text=f"This is no finished round: {one_line(where)}: {first['msg']}."
        )
    except (GameError, ValueError, LookupError) as error:
        yield CheckedLine(good=False, text=f"This is no finished round: {one_line(error)}.")


def _check_round(shown: FinishedRound, promised: str | None) -> Iterator[CheckedLine]:
    """Yield the checks of a round that was fetched as JSON."""
    played = _played(shown)
    yield CheckedLine(good=True, text=_deal(played, shown.reveal, promised))
    games = {}
    for player in shown.players:
        games[player.seat], gained_ms, ended_ms = _replay(played, player)
        yield CheckedLine(
            good=True, text=f"{one_line(player.name)}: {_acts(len(player.log))} by the rules."
        )
        standing = next((each for each in shown.ranking if each.seat == player.seat), None)
        if standing is None:
            raise Differs(f"{one_line(player.name)} has acts, but no place in the result.")
        _compare(standing, games[player.seat], gained_ms, ended_ms)
    for standing in shown.ranking:
        if standing.seat not in games:
            raise Differs(f"{one_line(standing.name)} has a place in the result, but no acts.")
    yield CheckedLine(good=True, text="Scores: those of all players come from their acts.")
    _rank(shown, played, games)
    yield CheckedLine(good=True, text=_result(shown))


def _check_text(text: str, promised: str | None) -> Iterator[CheckedLine]:
    """Yield the checks of a round that was fetched as text, which has no result."""
    try:
        transcript = notation.parse_round(text)
    except GameError as error:
        if "deck" in str(error):
            raise Differs(f"{BAD}: {OTHER_DECK}") from error
        raise
    deal = transcript.deal
    if isinstance(deal, notation.SecretDeal):
        seal = commitment(deal.seed, deal.salt)
        if promised is not None and promised.lower() != seal:
            raise Differs(f"{BAD}: {OTHER_SEAL}")
        told = (
            SEALED if promised else f"Compare its hash with the one shown before the race: {seal}"
        )
        yield CheckedLine(good=True, text=f"{GOOD}: {told}")
    else:
        yield CheckedLine(good=True, text=f"Open deal: {OPEN}")
    texts = ACTION_TEXTS[transcript.rules.game]
    for player in transcript.players:
        game = transcript.replay(notation.PlayerLog(player.name, ()))
        for number, entry in enumerate(player.entries, 1):
            _step(game, entry.action, player.name, number, texts.format(entry.action), entry.ms)
        acts = _acts(len(player.entries))
        yield CheckedLine(
            good=True, text=f"{one_line(player.name)}: {acts} by the rules, {game.score} points."
        )


def _played(shown: FinishedRound) -> Round:
    """Return the round as the store had it, without results."""
    reveal = shown.reveal
    return Round(
        n=shown.n,
        game=1,  # the place on its card, which no line depends on
        settings=shown.settings,
        deal=DealRecord(seed=reveal.seed, salt=reveal.salt, number=reveal.number),
        t0=shown.t0,
        t_end=None,
        ended=shown.ended,
        names={each.seat: each.name for each in shown.ranking},
        late_ms={each.seat: each.late_ms for each in shown.ranking if each.late_ms is not None},
        stand_ins={
            each.seat: each.stand_in for each in shown.ranking if each.stand_in is not None
        },
        states={each.seat: each.state for each in shown.ranking},
    )


def _deal(played: Round, reveal: Reveal, promised: str | None) -> str:
    """Return the sentence of the page about a good deal.

    Raises:
        Differs: the hash or the deck is not that of the seed.
    """
    if reveal.deal != played.settings.deal:
        raise Differs(f"{BAD}: the settings say {played.settings.deal}, the deal {reveal.deal}.")
    if reveal.deal == "secret":
        seal = None
        if reveal.seed and reveal.salt:
            seal = commitment(bytes.fromhex(reveal.seed), bytes.fromhex(reveal.salt))
        hashes = [each.lower() for each in (reveal.commitment, promised) if each]
        if seal is None or not hashes or any(each != seal for each in hashes):
            raise Differs(f"{BAD}: {OTHER_SEAL}")
    if reveal.seed is None and reveal.number is None:
        raise Differs(f"{BAD}: it has neither a seed nor a number.")
    dealt = card_names(deck_of(played))
    for place, (theirs, ours) in enumerate(zip(reveal.deck, dealt, strict=False), 1):
        if theirs != ours:
            raise Differs(f"{BAD}: {OTHER_DECK} Card {place} is {one_line(theirs)}, not {ours}.")
    if len(reveal.deck) != len(dealt):
        raise Differs(f"{BAD}: {OTHER_DECK} There are {len(reveal.deck)}, not {len(dealt)}.")
    if reveal.deal == "secret":
        return f"{GOOD}: {SEALED}"
    number = "" if reveal.number is None else f" {reveal.number}"
    return f"Open deal{number}: {OPEN} The cards are those of the deal."


def _replay(played: Round, player: SeatLog) -> tuple[Game, int, int | None]:
    """Return a player's last position, and the times of the last gain and of the end, since t0.

    Raises:
        Differs: an act is not allowed where it was made.
    """
    if played.names.get(player.seat) != player.name:
        raise Differs(f"{one_line(player.name)} has another name in the result.")
    if played.late_ms.get(player.seat) != player.late_ms:
        raise Differs(f"{one_line(player.name)} begins at another time in the result.")
    game = deal_game(played)
    gained_ms, ended_ms = 0, None
    texts = ACTION_TEXTS[game.variant.id]
    for number, entry in enumerate(player.log, 1):
        try:
            action = texts.parse(entry.action)
        except GameError as error:
            raise Differs(
                f"{one_line(player.name)}: act {number} ({one_line(entry.action)}) is none of "
                "this game."
            ) from error
        before = game.score
        _step(game, action, player.name, number, entry.action, entry.ms)
        if game.score > before:
            gained_ms = entry.ms
        if game.outcome is not None:
            ended_ms = entry.ms
    return game, gained_ms, ended_ms


def _step(game: Game, action: int, name: str, number: int, text: str, ms: int) -> None:
    try:
        game.replay(action)  # type: ignore[arg-type]  # an action of the notation
    except GameError as error:
        raise Differs(
            f"{one_line(name)}: act {number} ({one_line(text)} at {ms} ms) is against the rules: "
            f"{one_line(error)}."
        ) from error


def _compare(standing: Standing, game: Game, gained_ms: int, ended_ms: int | None) -> None:
    """Compare a row of the result with the position after the last act.

    Raises:
        Differs: a value is another one.
    """
    stats = stats_of(game)
    late = standing.late_ms or 0
    expected = {name: getattr(stats, name) for name in STATS}
    expected["gained_ms"] = max(0, gained_ms - late)
    if ended_ms is not None:
        expected["finished_ms"] = ended_ms - late
    for name, ours in expected.items():
        theirs = getattr(standing, name)
        if theirs != ours:
            raise Differs(
                f"{one_line(standing.name)}: {name} is {_told(theirs)} in the result, and "
                f"{_told(ours)} by the acts."
            )


def _rank(shown: FinishedRound, played: Round, games: dict[int, Game]) -> None:
    """Compare the ranking, the winners and the tie-breaks.

    Raises:
        Differs: one of them is not that of the stats.
    """
    results = {}
    for standing in shown.ranking:
        counted = {"hints", "restored", "gained_ms", "finished_ms"}
        stats: PlayerStats = stats_of(games[standing.seat])
        results[standing.seat] = stats.model_copy(update=standing.model_dump(include=counted))
    ranking = Ranking(played.model_copy(update={"results": results}), {}, played.states)
    for place, (theirs, ours) in enumerate(zip(shown.ranking, ranking.rows, strict=True), 1):
        if (theirs.seat, theirs.place) != (ours.seat, ours.place):
            raise Differs(
                f"Ranking: row {place} is {one_line(theirs.name)} (place {_told(theirs.place)}), "
                f"and by the stats {one_line(ours.name)} (place {_told(ours.place)})."
            )
    won = winners(ranking.rows)
    if shown.winners != won:
        raise Differs(f"Ranking: the winners are seats {_told(shown.winners)}, not {_told(won)}.")
    breaks = {each.seat: each.by for each in shown.tie_breaks}
    if breaks != ranking.tie_breaks():
        raise Differs("Ranking: what decides between equal players is another thing.")


def _result(shown: FinishedRound) -> str:
    names = [one_line(each.name) for each in shown.ranking if each.seat in shown.winners]
    won = f"{' and '.join(names)} won." if names else "nobody won."
    return f"Ranking: that of the scores; {won}"


def _acts(count: int) -> str:
    return "1 act" if count == 1 else f"{count} acts"


def _told(value: object) -> str:
    return "none" if value is None or value == () else json.dumps(value)
