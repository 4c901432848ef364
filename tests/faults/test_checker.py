"""The checker, with hand-made notes: correct ones, and each violation that would hide a fault."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from protocol.http import FinishedRound, SeatLog, SeatLogEntry
from protocol.settings import Settings
from protocol.views import Reveal, Standing
from protocol.vocabulary import SeatState
from server.games.actions import format_action
from server.games.cards import card_name
from server.games.catalogue import new_game
from server.games.deals import commitment, secret_deck
from server.rooms.rounds import rules_of
from tests.faults import checker
from tests.faults.checker import Step, Verdict, check
from tests.faults.notes import Ack, Notes, Ranking, Sent, Shown

ROOM, SEED, SALT = "7K3QZ0A", bytes(range(16)), bytes(16)
SETTINGS = Settings(game="spider-1")


@dataclass
class Records:
    """The notes of a player, and the round that the server published."""

    notes: Notes
    played: FinishedRound

    def check(self, *, forgets: bool = False) -> Verdict:
        rounds = {(ROOM, 1): self.played}
        return check([self.notes], rounds, may_forget=lambda _room, _when: forgets)

    def log(self, *entries: SeatLogEntry) -> None:
        """Publish another log."""
        players = (self.played.players[0].model_copy(update={"log": entries}),)
        self.played = self.played.model_copy(update={"players": players})

    def standing(self, **changed: object) -> None:
        """Publish another result."""
        ranking = (self.played.ranking[0].model_copy(update=changed),)
        self.played = self.played.model_copy(update={"ranking": ranking})

    def sends(self, **changed: object) -> None:
        """Send the last act once more, in another way."""
        self.notes.acts.append(replace(self.last, **changed))  # type: ignore[arg-type]

    def acknowledges(self, **changed: object) -> None:
        """Answer the last act in another way."""
        self.last.acks[0] = replace(self.last.acks[0], **changed)  # type: ignore[arg-type]

    def shows(self, **changed: object) -> None:
        """Show the last table once more, in another way."""
        self.notes.shown.append(replace(self.notes.shown[-1], **changed))  # type: ignore[arg-type]

    @property
    def last(self) -> Sent:
        return self.notes.acts[-1]

    @property
    def entries(self) -> tuple[SeatLogEntry, ...]:
        return self.played.players[0].log


@pytest.fixture
def records() -> Records:
    """Six acts, all acknowledged, and the table before the first and after the last."""
    game = new_game(rules_of(SETTINGS), secret_deck("spider-1", SEED))
    notes = Notes("Ada", ROOM, 0)
    entries: list[SeatLogEntry] = []
    notes.shown.append(Shown(1, 0, game.at, *Step.of(game)))
    gained_ms = 0
    for number in range(6):
        action = game.legal_actions()[0]
        text, ms = format_action(action, game.variant.pile_names), 100 * number
        if game.apply(action).has_gained:
            gained_ms = ms
        entries.append(SeatLogEntry(action=text, ms=ms))
        acks = [Ack(game.at, game.score, ms)]
        notes.acts.append(Sent(1, 0, number + 1, number, text, tries=1, acks=acks))
    notes.shown.append(Shown(1, 0, game.at, *Step.of(game)))
    counted = ("moves", "suits", "home", "face_down", "cheats", "exceptions")
    standing = Standing(
        seat=0,
        name="Ada",
        state=SeatState.FORFEIT,
        place=1,
        score=game.score,
        hints=0,
        restored=0,
        won=False,
        late_ms=None,
        finished_ms=9_000,
        gained_ms=gained_ms,
        **{name: getattr(game.counts, name) for name in counted},
    )
    played = FinishedRound(
        room=ROOM,
        n=1,
        settings=SETTINGS,
        t0=0,
        ended=9_000,
        reveal=Reveal(
            deal="secret",
            number=None,
            seed=SEED.hex(),
            salt=SALT.hex(),
            commitment=commitment(SEED, SALT),
            deck=tuple(card_name(card) for card in secret_deck("spider-1", SEED)),
        ),
        ranking=(standing,),
        players=(SeatLog(seat=0, name="Ada", late_ms=None, log=tuple(entries)),),
    )
    return Records(notes, played)


def test_a_correct_run_is_clean(records: Records) -> None:
    verdict = records.check()
    assert verdict.clean, verdict.wrong
    assert (verdict.rounds, verdict.acknowledged, verdict.entries) == (1, 6, 6)
    records.sends(tab=1)  # two tabs may send the same act under one id
    records.last.acks.clear()  # the outcome of one may be unknown, be it in the log or not
    records.notes.acts.append(Sent(1, 0, 7, 6, "deal", tries=2))
    assert records.check().clean


def loses_the_last(records: Records) -> None:
    records.log(*records.entries[:5])


def applies_twice(records: Records) -> None:
    records.log(*records.entries, records.entries[-1])


def applies_though_refused(records: Records) -> None:
    records.last.acks.clear()
    records.last.refused = "stale"


def turns_time_back(records: Records) -> None:
    records.log(*records.entries[:5], records.entries[5].model_copy(update={"ms": 1}))
    records.acknowledges(elapsed_ms=1)


def turns_ids_back(records: Records) -> None:
    records.last.id = 2


def tells_another_ranking(records: Records) -> None:
    records.notes.rankings[1] = [Ranking(0.0, ())]


def plays_an_illegal_act(records: Records) -> None:
    records.notes.acts.append(Sent(1, 0, 7, 6, "finish", tries=1))
    records.log(*records.entries, SeatLogEntry(action="finish", ms=700))


def publishes_no_round(records: Records) -> None:
    records.notes.acts.append(Sent(2, 0, 7, 0, "deal", tries=1))


@pytest.mark.parametrize(
    ("spoil", "kind"),
    [
        (loses_the_last, checker.LOST),
        (lambda records: records.sends(action="deal", tab=1), checker.LOST),
        (lambda records: records.sends(id=7), checker.LOST),
        (applies_twice, checker.TWICE),
        (applies_though_refused, checker.TWICE),
        (turns_time_back, checker.DISORDER),
        (turns_ids_back, checker.DISORDER),
        (lambda records: records.notes.disorder.append("answers cross"), checker.DISORDER),
        (lambda records: records.shows(tab=1, at=0), checker.FENCE),
        (lambda records: records.standing(score=99), checker.MISJUDGED),
        (lambda records: records.standing(state=SeatState.FINISHED), checker.MISJUDGED),
        (lambda records: records.standing(place=2), checker.MISJUDGED),
        (tells_another_ranking, checker.MISJUDGED),
        (plays_an_illegal_act, checker.MISJUDGED),
        (lambda records: records.shows(at=7), checker.UNTRUE),
        (lambda records: records.shows(at=3), checker.UNTRUE),
        (lambda records: records.acknowledges(score=999), checker.UNTRUE),
        (lambda records: records.acknowledges(elapsed_ms=999), checker.UNTRUE),
        (lambda records: records.acknowledges(at=5), checker.UNTRUE),
        (publishes_no_round, checker.UNREAD),
        (lambda records: records.notes.stranded.append("closed 4503"), checker.STRANDED),
        (lambda records: records.notes.oddities.append("an error"), checker.ODDITIES),
    ],
)
def test_the_checker_notices_each_violation(
    records: Records, spoil: Callable[[Records], None], kind: str
) -> None:
    spoil(records)
    assert records.check().wrong[kind]


@pytest.mark.parametrize("forgets", [False, True])
def test_only_a_failover_may_take_back_the_end_of_a_round(
    records: Records, *, forgets: bool
) -> None:
    records.notes.rankings[1] = [Ranking(0.0, ()), Ranking(9.0, records.played.ranking)]
    assert records.check(forgets=forgets).clean is forgets


@pytest.mark.parametrize(
    ("refused", "forgets", "lost"),
    [("too_late", True, 0), ("too_late", False, 1), ("stale", True, 1)],
)
def test_an_act_that_a_failover_takes_back_is_lost_unless_its_round_was_over(
    records: Records, refused: str, *, forgets: bool, lost: int
) -> None:
    taken = records.notes.acts.pop()
    records.notes.taken_back.append(taken)
    records.notes.acts.append(replace(taken, again=True, acks=[], refused=refused))
    records.notes.shown.pop()
    records.log(*records.entries[:5])
    assert len(records.check(forgets=forgets).wrong[checker.LOST]) == lost


def test_errors_in_the_servers_logs_count() -> None:
    assert not check([], {}, ["server-0.log: Traceback"]).clean
