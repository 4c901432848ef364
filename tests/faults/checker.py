"""The checker, which compares the notes of every player with the rounds that the server published.

Law: an acknowledged act is in its seat's log, at the position that it was sent for. A player has
sent every entry of a log. The result follows from the logs by the rules.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from protocol.http import FinishedRound, SeatLog
from protocol.vocabulary import SeatState
from server.games.actions import parse_action
from server.games.cards import card_names
from server.games.deals import new_game, numbered_deck, secret_deck
from server.games.errors import IllegalAction, NotationError
from server.games.game import Game
from server.operators.verify import Differs, check_round
from server.rooms.settings import rules_of
from tests.faults.witness import Notes, Sent, Shown

LOST = "acknowledged acts lost"
TWICE = "acts applied twice, or never sent"
DISORDER = "acts or answers out of order"
FENCE = "acts of a tab that was replaced"
MISJUDGED = "results that differ from a replay"
UNTRUE = "tables shown that the log denies"
UNREAD = "rounds that cannot be read"
STRANDED = "players who could not come back"
ODDITIES = "messages against the protocol"
BOARD = "games of the day that are not on the board once"
HISTORY = "rounds that are not in the history of their table once"
TROUBLES = "errors in the servers' logs"
ROUND_OVER = {"too_late", "not_racing"}
RoundKey = tuple[str, int]  # the code of a room, and the number of the round
MayForget = Callable[[str, float | None], bool]
"""Whether the store may have lost acts that a room acknowledged at a time (None: ever)."""


@dataclass
class Verdict:
    """The violations, each as a text, by class; and how much was checked."""

    wrong: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    rounds: int = 0
    acknowledged: int = 0
    entries: int = 0
    taken_back: int = 0

    @property
    def clean(self) -> bool:
        return not any(self.wrong.values())


class Step(NamedTuple):
    """A game after some entries of its log."""

    score: int
    piles: tuple[tuple[str, int, tuple[str, ...]], ...]

    @classmethod
    def of(cls, game: Game) -> "Step":
        piles = []
        for index, name in enumerate(game.variant.pile_names):
            down, cards = game.pile(index)
            piles.append((name, down, tuple(card_names(cards[down:]))))
        return cls(game.score, tuple(piles))


def check(
    notes: Iterable[Notes],
    rounds: Mapping[RoundKey, FinishedRound],
    troubles: Iterable[str] = (),
    may_forget: MayForget = lambda _room, _when: False,
) -> Verdict:
    """Check a run; every round that a player has acted in or seen must have a log.

    A store may forget acts when a master of a cluster dies ahead of its replica. Their player must
    have sent them again, so that they are in the log, unless the round was over by then.
    """
    verdict = Verdict(rounds=len(rounds))
    verdict.wrong[TROUBLES] += troubles
    for player in notes:
        verdict.wrong[STRANDED] += [f"{player}: {text}" for text in player.stranded]
        verdict.wrong[DISORDER] += [f"{player}: {text}" for text in player.disorder]
        verdict.wrong[ODDITIES] += [f"{player}: {text}" for text in player.oddities]
        for n in sorted(player.rounds()):
            _check_player(verdict, player, n, rounds.get((player.room, n)), may_forget)
    for played in rounds.values():
        _check_result(verdict, played)
    return verdict


def _check_player(
    verdict: Verdict, player: Notes, n: int, played: FinishedRound | None, may_forget: MayForget
) -> None:
    acts = [sent for sent in player.acts if sent.n == n]
    shown = [table for table in player.shown if table.n == n]
    logs = [] if played is None else [log for log in played.players if log.seat == player.seat]
    if played is None or (not logs and (acts or shown)):
        verdict.wrong[UNREAD].append(f"{player}: round {n}")
        return
    rankings, forgetful = player.rankings.get(n, []), may_forget(player.room, None)
    if not forgetful and any(ranking != played.ranking for ranking in rankings):
        verdict.wrong[MISJUDGED].append(f"{player}: another ranking was sent of round {n}")
    if not forgetful and len(player.begins.get(n, [])) > 1:
        verdict.wrong[UNTRUE].append(f"{player}: round {n} began twice")
    for log in logs:
        if forgetful:  # nobody notices an act that was lost when the round ended
            end = len(log.log)
            acts = [
                sent
                for sent in acts
                if not sent.acks or sent.at < end or not may_forget(player.room, sent.acked_s)
            ]
            shown = [table for table in shown if table.at <= end]
        back = [sent for sent in player.taken_back if sent.n == n]
        _SeatCheck(verdict, player, played, log, acts, shown, back, may_forget).check()


@dataclass
class _SeatCheck:
    """One player's notes of a round, beside the log of the seat."""

    verdict: Verdict
    player: Notes
    played: FinishedRound
    log: SeatLog
    acts: list[Sent]
    shown: list[Shown]
    taken_back: list[Sent]
    may_forget: MayForget

    def check(self) -> None:
        self._check_taken_back()
        self._check_log()
        self._check_fence()
        self._check_messages()

    def _is_wrong(self, kind: str, text: str) -> None:
        self.verdict.wrong[kind].append(f"{self.player}: {text}")

    def _stands(self, at: int) -> str:
        return self.log.log[at].action if len(self.log.log) > at else "nothing"

    def _check_taken_back(self) -> None:
        """Check that acts were lost only in a failover, and stored again if there was time.

        The witness checks that the client offers them again, unless the round or the tab is over.
        """
        offers = {(sent.at, sent.action): sent for sent in self.acts if sent.again}
        for sent in self.taken_back:
            self.verdict.taken_back += 1
            offer, stands = offers.get((sent.at, sent.action)), self._stands(sent.at)
            if not self.may_forget(self.player.room, sent.acked_s):
                self._is_wrong(LOST, f"{sent}; taken back without a failover")
            elif stands != sent.action and offer and offer.refused not in {None, *ROUND_OVER}:
                self._is_wrong(LOST, f"{sent}; refused {offer.refused}, and there stands {stands}")

    def _check_log(self) -> None:
        """Check that every acknowledged act has its entry, every entry its act, all in order."""
        entries = self.log.log
        self.verdict.entries += len(entries)
        taken: dict[int, int] = {}
        last_id: dict[int, int] = {}
        for sent in sorted(self.acts, key=lambda sent: sent.at):
            if not sent.acks:
                continue
            self.verdict.acknowledged += 1
            if self._stands(sent.at) != sent.action:
                self._is_wrong(LOST, f"{sent}; there stands {self._stands(sent.at)}")
            elif taken.setdefault(sent.at, sent.id) != sent.id:
                # Two tabs may send the same act under the same id; either may be stored.
                self._is_wrong(LOST, f"{sent}; its place was given to another id")
            if sent.id <= last_id.get(sent.tab, 0):
                self._is_wrong(DISORDER, f"{sent}; an earlier place has a later id")
            last_id[sent.tab] = sent.id
        sent_acts = (*self.acts, *self.taken_back)
        possible = {(sent.at, sent.action) for sent in sent_acts if sent.may_stand}
        for at, entry in enumerate(entries):
            if (at, entry.action) not in possible:
                self._is_wrong(TWICE, f"{self.log.seat} at {at}: {entry.action}")
        for at, (one, other) in enumerate(pairwise(entries)):
            if other.ms < one.ms:
                self._is_wrong(DISORDER, f"entry {at + 1} is before entry {at}")

    def _check_fence(self) -> None:
        """Check that no tab adds to the log once a later tab has received its table."""
        writers: dict[tuple[int, str], int] = {}
        for sent in self.acts:
            if sent.may_stand:
                place = (sent.at, sent.action)
                writers[place] = max(writers.get(place, 0), sent.tab)
        for at, entry in enumerate(self.log.log):
            writer = writers.get((at, entry.action))
            later = max((table.tab for table in self.shown if table.at <= at), default=0)
            if writer is not None and writer < later:
                text = f"tab {writer} did {entry.action} at {at}, when tab {later} had the seat"
                self._is_wrong(FENCE, text)

    def _check_messages(self) -> None:
        """Check that the messages to the player about its game agree with the log."""
        steps = _steps(self.played, self.log)[0]
        for table in self.shown:
            if table.at >= len(steps):
                self._is_wrong(UNTRUE, f"table at {table.at}, but the log ends before")
            elif (table.score, table.piles) != steps[table.at]:
                self._is_wrong(UNTRUE, f"table at {table.at} is another position")
        late_ms = self.log.late_ms or 0  # the player had a clock of their own
        for sent in self.acts:
            for ack in sent.acks:
                if ack.at <= sent.at or ack.at >= len(steps):
                    self._is_wrong(UNTRUE, f"{sent}; acknowledged at {ack.at}")
                elif ack[1:] != (steps[ack.at].score, self.log.log[ack.at - 1].ms - late_ms):
                    self._is_wrong(UNTRUE, f"{sent}; acknowledged as {ack}")


def _steps(played: FinishedRound, log: SeatLog) -> tuple[list[Step], Game]:
    """Return the game before and after each entry, up to the first illegal one, and its end."""
    reveal, settings = played.reveal, played.settings
    if reveal.seed is not None:
        deck = secret_deck(settings.game, bytes.fromhex(reveal.seed))
    else:
        assert reveal.number is not None, "a deal has a seed or a number"
        deck = numbered_deck(settings.game, reveal.number)
    game = new_game(rules_of(settings), deck)
    steps = [Step.of(game)]
    for entry in log.log:
        try:
            game.apply(parse_action(entry.action, game.variant.pile_names))
        except (IllegalAction, NotationError):
            break  # reported in `_check_result`
        steps.append(Step.of(game))
    return steps, game


def _check_result(verdict: Verdict, played: FinishedRound) -> None:
    """Check the deal and the result as operators do, and how each game ended."""
    wrong = verdict.wrong[MISJUDGED]
    where = f"{played.room} round {played.n}"
    try:
        for _ in check_round(played.model_dump_json().encode()):
            pass
    except Differs as error:
        wrong.append(f"{where}: {error}")
    logs = {log.seat: log for log in played.players}
    for row in played.ranking:
        if row.seat in logs:
            outcome = _steps(played, logs[row.seat])[1].outcome
            if (row.state is SeatState.FINISHED) is (outcome is None):
                wrong.append(f"{where}: {row.state} of a game that ended as {outcome}")
