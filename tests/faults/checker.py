"""The checker: it compares the notes of every player with the rounds that the server published.

Law: an acknowledged act is in its seat's log at the place for which it was sent; every entry of a
log was sent by a player; and the ranking is the one that the rules give for the logs.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from protocol.games import GAMES
from protocol.http import FinishedRound, SeatLog
from protocol.views import Standing
from protocol.vocabulary import SeatState
from server.games.actions import parse_action
from server.games.cards import SUIT_RUNS, card_name, parse_cards
from server.games.catalogue import new_game
from server.games.deals import commitment, numbered_deck, secret_deck
from server.games.errors import IllegalAction, NotationError
from server.games.game import Game
from server.rooms.rounds import rules_of
from tests.faults.notes import Notes, Sent, Shown
from tests.faults.rounds import RoundKey

LOST = "acknowledged acts lost"
TWICE = "acts applied twice, or never sent"
DISORDER = "acts or answers out of order"
FENCE = "acts of a tab that was replaced"
MISJUDGED = "results that differ from a replay"
UNTRUE = "tables shown that the log denies"
UNREAD = "rounds that cannot be read"
STRANDED = "players who could not come back"
SILENCE = "answers or messages that never came"
ODDITIES = "messages against the protocol"
HELD_UP = "rooms held up by one that is unreadable"
TROUBLES = "errors in the servers' logs"
ROUND_OVER = {"too_late", "not_racing"}
MayForget = Callable[[str, float], bool]
MUST_BE_NONE = (
    *(LOST, TWICE, DISORDER, FENCE, MISJUDGED, UNTRUE, UNREAD),
    *(STRANDED, SILENCE, ODDITIES, HELD_UP, TROUBLES),
)


@dataclass
class Verdict:
    """The violations, by class and with one text each, and the numbers of what was checked."""

    wrong: dict[str, list[str]] = field(
        default_factory=lambda: {violation: [] for violation in MUST_BE_NONE}
    )
    rounds: int = 0
    acts: int = 0
    acknowledged: int = 0
    entries: int = 0
    taken_back: int = 0
    given_back: int = 0
    round_over: int = 0
    round_over_unseen: int = 0

    @property
    def clean(self) -> bool:
        return not any(self.wrong.values())


class Step(NamedTuple):
    """A game after some entries of its log."""

    score: int
    piles: tuple[tuple[str, int, tuple[str, ...]], ...]


def check(
    notes: Iterable[Notes],
    rounds: Mapping[RoundKey, FinishedRound],
    troubles: Iterable[str] = (),
    may_forget: MayForget = lambda _room, _when: False,
) -> Verdict:
    """Check a run; every round in which a player did or saw anything must have a log.

    An act that was acknowledged when the store might lose it (because a master of a cluster died
    ahead of its replica) must be in the log too, sent again by its player, unless the round was
    over by then.
    """
    verdict = Verdict()
    verdict.rounds = len(rounds)
    verdict.wrong[TROUBLES] += troubles
    for player in notes:
        verdict.wrong[STRANDED] += [f"{player}: {text}" for text in player.stranded]
        verdict.wrong[DISORDER] += [f"{player}: {text}" for text in player.disorder]
        verdict.wrong[SILENCE] += [f"{player}: {text}" for text in player.silence]
        verdict.wrong[ODDITIES] += [f"{player}: {text}" for text in player.oddities]
        _check_player(verdict, player, rounds, may_forget)
    for played in rounds.values():
        for standing in played.ranking:
            _check_result(verdict, played, standing)
        _check_deal(verdict, played)
        _check_places(verdict, played)
    return verdict


def _check_player(
    verdict: Verdict,
    player: Notes,
    rounds: Mapping[RoundKey, FinishedRound],
    may_forget: MayForget,
) -> None:
    acts: dict[int, list[Sent]] = defaultdict(list)
    for sent in player.acts:
        acts[sent.n].append(sent)
    back: dict[int, list[Sent]] = defaultdict(list)
    for sent in player.taken_back:
        back[sent.n].append(sent)
    shown: dict[int, list[Shown]] = defaultdict(list)
    for table in player.shown:
        shown[table.n].append(table)
    for n in sorted(player.rounds()):
        played = rounds.get((player.room, n))
        log = None if played is None else _log_of(played, player.seat)
        if played is None or (log is None and (acts[n] or shown[n])):
            verdict.wrong[UNREAD].append(f"{player}: round {n}")
            continue
        for received, ranking in player.rankings.get(n, ()):
            if ranking != played.ranking and not may_forget(player.room, received):
                verdict.wrong[MISJUDGED].append(f"{player}: another ranking was sent of round {n}")
        if log is not None:
            _check_taken_back(verdict, player, acts[n], back[n], log, may_forget)
            stand = _standing(player, acts[n], log, may_forget)
            verdict.round_over_unseen += len(acts[n]) - len(stand)
            seen = [
                table
                for table in shown[n]
                if table.at <= len(log.log) or not may_forget(player.room, table.received)
            ]
            _check_log(verdict, player, stand, back[n], log)
            _check_fence(verdict, player, stand, seen, log)
            _check_messages(verdict, player, played, log, stand, seen)


def _log_of(played: FinishedRound, seat: int) -> SeatLog | None:
    return next((log for log in played.players if log.seat == seat), None)


def _check_log(
    verdict: Verdict,
    player: Notes,
    acts: list[Sent],
    back: list[Sent],
    log: SeatLog,
) -> None:
    """Check that every acknowledged act has its entry, every entry its act, all in order."""
    entries = log.log
    verdict.acts += len(acts)
    verdict.entries += len(entries)
    taken: dict[int, int] = {}
    last_id: dict[int, int] = {}
    for sent in sorted(acts, key=lambda sent: sent.at):
        if not sent.acks:
            continue
        verdict.acknowledged += 1
        if len(entries) <= sent.at or entries[sent.at].action != sent.action:
            stands = entries[sent.at].action if len(entries) > sent.at else "nothing"
            verdict.wrong[LOST].append(f"{player}: {sent}; there stands {stands}")
        elif taken.setdefault(sent.at, sent.id) != sent.id:
            # Two tabs may send the same act under the same id; then it does not matter which did.
            verdict.wrong[LOST].append(f"{player}: {sent}; its place was given to another id")
        if sent.id <= last_id.get(sent.tab, 0):
            verdict.wrong[DISORDER].append(f"{player}: {sent}; an earlier place has a later id")
        last_id[sent.tab] = sent.id
    possible = {(sent.at, sent.action) for sent in (*acts, *back) if sent.may_stand}
    for at, entry in enumerate(entries):
        if (at, entry.action) not in possible:
            verdict.wrong[TWICE].append(f"{player}: {log.seat} at {at}: {entry.action}")
    for at, (one, other) in enumerate(pairwise(entries)):
        if other.ms < one.ms:
            verdict.wrong[DISORDER].append(f"{player}: entry {at + 1} is before entry {at}")


def _forgotten(player: Notes, sent: Sent, may_forget: MayForget) -> bool:
    return all(may_forget(player.room, ack.received) for ack in sent.acks)


def _standing(player: Notes, acts: list[Sent], log: SeatLog, may_forget: MayForget) -> list[Sent]:
    """Return the acts without lost ones that no player noticed, because the round ended first."""
    return [
        sent
        for sent in acts
        if not sent.acks or sent.at < len(log.log) or not _forgotten(player, sent, may_forget)
    ]


def _check_taken_back(
    verdict: Verdict,
    player: Notes,
    acts: list[Sent],
    back: list[Sent],
    log: SeatLog,
    may_forget: MayForget,
) -> None:
    """Check that acts were lost only in a failover, and were stored again if there was time.

    The witness checks that the client offers them, unless the round or its tab is over.
    """
    offers = {(sent.at, sent.action): sent for sent in acts if sent.again}
    for sent in back:
        verdict.taken_back += 1
        offer = offers.get((sent.at, sent.action))
        if not _forgotten(player, sent, may_forget):
            verdict.wrong[LOST].append(f"{player}: {sent}; taken back without a failover")
        elif log.log[sent.at : sent.at + 1] and log.log[sent.at].action == sent.action:
            verdict.given_back += 1
        elif offer is None or offer.refused in {None, *ROUND_OVER}:
            verdict.round_over += 1
        else:
            stands = log.log[sent.at].action if len(log.log) > sent.at else "nothing"
            verdict.wrong[LOST].append(
                f"{player}: {sent}; refused {offer.refused}, and there stands {stands}"
            )


def _check_fence(
    verdict: Verdict, player: Notes, acts: list[Sent], shown: list[Shown], log: SeatLog
) -> None:
    """Check that no tab adds to the log once a later tab has received its table."""
    writers: dict[tuple[int, str], int] = {}
    for sent in acts:
        if sent.may_stand:
            place = (sent.at, sent.action)
            writers[place] = max(writers.get(place, 0), sent.tab)
    for at, entry in enumerate(log.log):
        writer = writers.get((at, entry.action))
        later = max((table.tab for table in shown if table.at <= at), default=0)
        if writer is not None and writer < later:
            verdict.wrong[FENCE].append(
                f"{player}: tab {writer} did {entry.action} at {at}, when tab {later} had the seat"
            )


def _check_messages(
    verdict: Verdict,
    player: Notes,
    played: FinishedRound,
    log: SeatLog,
    acts: list[Sent],
    shown: list[Shown],
) -> None:
    """Check that the messages to the player about its game agree with the log."""
    steps = _steps(played, log)
    for table in shown:
        where = f"{player}: round {table.n}, table at {table.at}"
        if table.at >= len(steps):
            verdict.wrong[UNTRUE].append(f"{where}, but the log ends at {len(steps) - 1}")
        elif (table.score, table.piles) != steps[table.at]:
            verdict.wrong[UNTRUE].append(f"{where} is another position")
    for sent in acts:
        for ack in sent.acks:
            if ack.at <= sent.at or ack.at >= len(steps):
                verdict.wrong[UNTRUE].append(f"{player}: {sent}; acknowledged at {ack.at}")
            elif ack.score != steps[ack.at].score:
                verdict.wrong[UNTRUE].append(f"{player}: {sent}; the score sent was {ack.score}")
            elif ack.elapsed_ms != log.log[ack.at - 1].ms:
                verdict.wrong[UNTRUE].append(
                    f"{player}: {sent}; acknowledged at {ack.elapsed_ms} ms, "
                    f"logged at {log.log[ack.at - 1].ms} ms"
                )


def _deal(played: FinishedRound) -> Game:
    reveal, settings = played.reveal, played.settings
    if reveal.seed is not None:
        deck = secret_deck(settings.game, bytes.fromhex(reveal.seed))
    else:
        assert reveal.number is not None, "a deal has a seed or a number"
        deck = numbered_deck(settings.game, reveal.number)
    return new_game(rules_of(settings), deck)


def _step(game: Game) -> Step:
    piles = []
    for index, name in enumerate(game.variant.pile_names):
        down, cards = game.pile(index)
        piles.append((name, down, tuple(card_name(card) for card in cards[down:])))
    return Step(game.score, tuple(piles))


def _steps(played: FinishedRound, log: SeatLog) -> list[Step]:
    """Return the game at its beginning and after each entry, up to the first illegal one."""
    game = _deal(played)
    steps = [_step(game)]
    for entry in log.log:
        try:
            game.apply(parse_action(entry.action, game.variant.pile_names))
        except (IllegalAction, NotationError):
            break  # reported in `_check_result`
        steps.append(_step(game))
    return steps


def _check_result(verdict: Verdict, played: FinishedRound, standing: Standing) -> None:
    """Check one row of the ranking against the log."""
    where = f"{played.room} round {played.n} seat {standing.seat}"
    log = _log_of(played, standing.seat)
    if log is None:
        verdict.wrong[UNREAD].append(f"{where}: no log")
        return
    game = _deal(played)
    gained_ms = 0
    for at, entry in enumerate(log.log):
        try:
            effects = game.apply(parse_action(entry.action, game.variant.pile_names))
        except (IllegalAction, NotationError) as error:
            verdict.wrong[MISJUDGED].append(f"{where}: entry {at} ({entry.action}): {error}")
            return
        if effects.has_gained:
            gained_ms = entry.ms
    counts = game.counts
    expected: dict[str, int | None] = {
        "score": game.score,
        "moves": counts.moves,
        "suits": counts.suits,
        "home": counts.home,
        "face_down": counts.face_down,
        "cheats": counts.cheats,
        "exceptions": counts.exceptions,
        "won": game.outcome == "won",
        "gained_ms": gained_ms,
    }
    if game.outcome is not None:
        expected["finished_ms"] = log.log[-1].ms
    elif standing.state is SeatState.TIMED_OUT:
        expected["finished_ms"] = None
    ended = (SeatState.FINISHED,) if game.outcome else (SeatState.TIMED_OUT, SeatState.FORFEIT)
    wrong = [
        f"{name} {published} instead of {value}"
        for name, value in expected.items()
        if (published := getattr(standing, name)) != value
    ]
    if standing.state not in ended:
        wrong.append(f"state {standing.state} of a game that ended as {game.outcome}")
    if wrong:
        verdict.wrong[MISJUDGED].append(f"{where}: {', '.join(wrong)}")


def _check_deal(verdict: Verdict, played: FinishedRound) -> None:
    """Check that the deck is that of the seed, and the seed that of the commitment."""
    reveal = played.reveal
    where = f"{played.room} round {played.n}"
    game = GAMES[played.settings.game]
    if reveal.seed is not None and reveal.salt is not None:
        seed, salt = bytes.fromhex(reveal.seed), bytes.fromhex(reveal.salt)
        if commitment(seed, salt) != reveal.commitment:
            verdict.wrong[MISJUDGED].append(f"{where}: not the deal that was promised")
        if secret_deck(game.id, seed) != parse_cards(" ".join(reveal.deck)):
            verdict.wrong[MISJUDGED].append(f"{where}: not the deck of its seed")


def _suits_on_table(played: FinishedRound, seat: int) -> int:
    """Return the number of complete suits that lay on the player's tableau at the end."""
    log = _log_of(played, seat)
    if log is None:
        return 0
    runs = [tuple(map(card_name, run)) for run in SUIT_RUNS]
    return sum(
        up[start : start + 13] in runs
        for name, _, up in _steps(played, log)[-1].piles
        if name.startswith("t")
        for start in range(len(up) - 12)
    )


def _check_places(verdict: Verdict, played: FinishedRound) -> None:
    """Check the order of the ranking; its keys are defined here a second time, on purpose."""
    by_time = played.settings.ranking == "first_home"
    by_suits = played.settings.score == "moves"
    whole = {
        line.seat: line.suits + (_suits_on_table(played, line.seat) if by_suits else 0)
        for line in played.ranking
    }

    def key(line: Standing) -> tuple[int, ...]:
        if line.won and by_time:
            return (0, line.finished_ms or 0)
        group = 0 if line.won else 2 if line.state is SeatState.FORFEIT else 1
        if by_suits and group:
            return (group, -whole[line.seat], line.face_down, -line.score, line.gained_ms)
        return (group, -line.score, line.face_down, line.gained_ms)

    for line in played.ranking:
        place = 1 + sum(key(other) < key(line) for other in played.ranking)
        if line.place != place:
            verdict.wrong[MISJUDGED].append(
                f"{played.room} round {played.n} seat {line.seat}: "
                f"place {line.place} instead of {place}"
            )
    if list(played.ranking) != sorted(played.ranking, key=lambda line: (key(line), line.seat)):
        verdict.wrong[MISJUDGED].append(f"{played.room} round {played.n}: not in order")
