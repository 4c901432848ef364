"""The checker, with hand-made notes: correct ones, and each violation of them."""

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
from tests.faults.checker import check
from tests.faults.notes import Ack, Notes, Ranking, Sent, Shown

ROOM, SEED, SALT = "7K3QZ0A", bytes(range(16)), bytes(16)
SETTINGS = Settings(game="spider-1")


@dataclass
class Records:
    """The notes of a player, and the rounds that the server published."""

    notes: Notes
    played: FinishedRound

    def wrong(self) -> dict[str, int]:
        """Return the number of violations of each class that the checker finds."""
        verdict = check([self.notes], {(ROOM, 1): self.played})
        return {kind: len(found) for kind, found in verdict.wrong.items() if found}

    def log(self, *entries: SeatLogEntry) -> None:
        """Publish another log."""
        players = (SeatLog(seat=0, name="Ada", late_ms=None, log=entries),)
        self.played = self.played.model_copy(update={"players": players})

    def standing(self, **changed: object) -> None:
        """Publish another result."""
        ranking = (self.played.ranking[0].model_copy(update=changed),)
        self.played = self.played.model_copy(update={"ranking": ranking})

    @property
    def entries(self) -> tuple[SeatLogEntry, ...]:
        return self.played.players[0].log


def sound() -> Records:
    """Six acts, all acknowledged, and the table before the first and after the last."""
    game = new_game(rules_of(SETTINGS), secret_deck("spider-1", SEED))
    notes = Notes("Ada", ROOM, 0)
    entries: list[SeatLogEntry] = []

    def show() -> None:
        piles = []
        for index, name in enumerate(game.variant.pile_names):
            down, cards = game.pile(index)
            piles.append((name, down, tuple(card_name(card) for card in cards[down:])))
        notes.shown.append(Shown(1, 0, game.at, game.score, tuple(piles)))

    show()
    gained_ms = 0
    for number in range(6):
        action = game.legal_actions()[0]
        text, ms = format_action(action, game.variant.pile_names), 100 * number
        if game.apply(action).has_gained:
            gained_ms = ms
        entries.append(SeatLogEntry(action=text, ms=ms))
        acks = [Ack(game.at, game.score, ms)]
        notes.acts.append(Sent(1, 0, number + 1, number, text, tries=1, acks=acks))
    show()
    counts = game.counts
    standing = Standing(
        seat=0,
        name="Ada",
        state=SeatState.FORFEIT,
        place=1,
        score=game.score,
        moves=counts.moves,
        suits=counts.suits,
        home=counts.home,
        face_down=counts.face_down,
        cheats=counts.cheats,
        exceptions=counts.exceptions,
        hints=0,
        restored=0,
        won=False,
        late_ms=None,
        finished_ms=9_000,
        gained_ms=gained_ms,
    )
    reveal = Reveal(
        deal="secret",
        number=None,
        seed=SEED.hex(),
        salt=SALT.hex(),
        commitment=commitment(SEED, SALT),
        deck=tuple(card_name(card) for card in secret_deck("spider-1", SEED)),
    )
    played = FinishedRound(
        room=ROOM,
        n=1,
        settings=SETTINGS,
        t0=0,
        ended=9_000,
        reveal=reveal,
        ranking=(standing,),
        players=(SeatLog(seat=0, name="Ada", late_ms=None, log=tuple(entries)),),
    )
    return Records(notes, played)


def last(records: Records) -> Sent:
    return records.notes.acts[-1]


def test_a_correct_run_is_clean() -> None:
    records = sound()
    assert records.wrong() == {}
    verdict = check([records.notes], {(ROOM, 1): records.played})
    assert (verdict.rounds, verdict.acts, verdict.acknowledged, verdict.entries) == (1, 6, 6, 6)
    assert verdict.clean


def test_an_act_of_unknown_outcome_may_be_in_the_log_or_not() -> None:
    records = sound()
    last(records).acks.clear()
    assert records.wrong() == {}
    records.notes.acts.append(Sent(1, 0, 7, 6, "deal", tries=2))
    assert records.wrong() == {}


def test_two_tabs_may_have_sent_the_same_act_under_one_id() -> None:
    records = sound()
    records.notes.acts.append(replace(last(records), tab=1))
    assert records.wrong() == {}


def lost_tail(records: Records) -> None:
    records.log(*records.entries[:5])


def lost_to_another(records: Records) -> None:
    records.notes.acts.append(replace(last(records), action="deal", tab=1))


def lost_to_another_id(records: Records) -> None:
    records.notes.acts.append(replace(last(records), id=7))


def applied_twice(records: Records) -> None:
    records.log(*records.entries, records.entries[-1])


def applied_though_refused(records: Records) -> None:
    last(records).acks.clear()
    last(records).refused = "stale"


def times_go_back(records: Records) -> None:
    *before, end = records.entries
    records.log(*before, end.model_copy(update={"ms": 1}))
    last(records).acks[0] = replace(last(records).acks[0], elapsed_ms=1)


def ids_go_back(records: Records) -> None:
    last(records).id = 2


def answers_cross(records: Records) -> None:
    records.notes.disorder.append("acted for id 2 before the answer to id 1")


def a_replaced_tab_writes(records: Records) -> None:
    records.notes.shown.append(replace(records.notes.shown[0], tab=1))


def another_score(records: Records) -> None:
    records.standing(score=records.played.ranking[0].score + 1)


def another_gain(records: Records) -> None:
    records.standing(gained_ms=8_999)


def another_end(records: Records) -> None:
    records.standing(state=SeatState.FINISHED)


def another_place(records: Records) -> None:
    records.standing(place=2)


def another_ranking_told(records: Records) -> None:
    records.notes.rankings[1] = [Ranking(0.0, ())]


def another_deal(records: Records) -> None:
    reveal = records.played.reveal.model_copy(update={"salt": "ff" * 16})
    records.played = records.played.model_copy(update={"reveal": reveal})


def an_illegal_entry(records: Records) -> None:
    records.notes.acts.append(Sent(1, 0, 7, 6, "finish", tries=1))
    records.log(*records.entries, SeatLogEntry(action="finish", ms=700))


def a_table_too_far(records: Records) -> None:
    records.notes.shown.append(replace(records.notes.shown[-1], at=7))


def a_table_of_something_else(records: Records) -> None:
    records.notes.shown.append(replace(records.notes.shown[-1], at=3))


def another_score_told(records: Records) -> None:
    last(records).acks[0] = replace(last(records).acks[0], score=999)


def another_time_told(records: Records) -> None:
    last(records).acks[0] = replace(last(records).acks[0], elapsed_ms=999)


def an_early_place_told(records: Records) -> None:
    last(records).acks[0] = replace(last(records).acks[0], at=5)


def a_round_that_is_not_there(records: Records) -> None:
    records.notes.acts.append(Sent(2, 0, 7, 0, "deal", tries=1))


def never_back(records: Records) -> None:
    records.notes.stranded.append("closed 4503")


def never_answered(records: Records) -> None:
    records.notes.silence.append("no answer to forfeit")


def nonsense(records: Records) -> None:
    records.notes.oddities.append("error bad_message in act.id")


@pytest.mark.parametrize(
    ("spoil", "kind"),
    [
        (lost_tail, checker.LOST),
        (lost_to_another, checker.LOST),
        (lost_to_another_id, checker.LOST),
        (applied_twice, checker.TWICE),
        (applied_though_refused, checker.TWICE),
        (times_go_back, checker.DISORDER),
        (ids_go_back, checker.DISORDER),
        (answers_cross, checker.DISORDER),
        (a_replaced_tab_writes, checker.FENCE),
        (another_score, checker.MISJUDGED),
        (another_gain, checker.MISJUDGED),
        (another_end, checker.MISJUDGED),
        (another_place, checker.MISJUDGED),
        (another_ranking_told, checker.MISJUDGED),
        (another_deal, checker.MISJUDGED),
        (an_illegal_entry, checker.MISJUDGED),
        (a_table_too_far, checker.UNTRUE),
        (a_table_of_something_else, checker.UNTRUE),
        (another_score_told, checker.UNTRUE),
        (another_time_told, checker.UNTRUE),
        (an_early_place_told, checker.UNTRUE),
        (a_round_that_is_not_there, checker.UNREAD),
        (never_back, checker.STRANDED),
        (never_answered, checker.SILENCE),
        (nonsense, checker.ODDITIES),
    ],
)
def test_the_checker_notices_each_violation(spoil: Callable[[Records], None], kind: str) -> None:
    records = sound()
    spoil(records)
    assert kind in records.wrong()


def failover(records: Records) -> None:
    """Lose the last act in the store, and show its player the table without it."""
    lost = records.notes.acts.pop()
    records.notes.taken_back.append(lost)
    records.notes.acts.append(replace(lost, again=True, acks=[], refused="too_late"))
    records.notes.shown.pop()
    records.log(*records.entries[:5])
    records.standing(score=lost.acks[0].score)  # not what a replay gives: not looked at here


@pytest.mark.parametrize("forgets", [False, True])
def test_a_failover_may_take_back_the_end_of_a_round(forgets: bool) -> None:
    records = sound()
    records.notes.rankings[1] = [Ranking(0.0, ()), Ranking(9.0, records.played.ranking)]
    played = {(ROOM, 1): records.played}
    verdict = check(
        [records.notes], played, may_forget=lambda _room, when: forgets and when == 0.0
    )
    assert verdict.clean is forgets


@pytest.mark.parametrize("forgets", [False, True])
def test_acts_that_a_failover_takes_back_are_not_counted_as_lost(forgets: bool) -> None:
    records = sound()
    failover(records)
    played = {(ROOM, 1): records.played}
    verdict = check([records.notes], played, may_forget=lambda _room, _when: forgets)
    assert (verdict.taken_back, verdict.given_back) == (1, 0)
    assert (verdict.round_over, len(verdict.wrong[checker.LOST])) == ((1, 0), (0, 1))[not forgets]


def test_an_act_that_was_given_back_is_in_the_log() -> None:
    records = sound()
    records.notes.taken_back.append(replace(last(records), acks=[Ack(6, 0, 17)]))
    records.notes.acts[-1] = replace(last(records), again=True)
    played = {(ROOM, 1): records.played}
    verdict = check([records.notes], played, may_forget=lambda _room, _when: True)
    assert (verdict.taken_back, verdict.given_back, verdict.round_over) == (1, 1, 0)
    assert verdict.clean


def test_an_act_that_was_given_back_but_is_missing_is_lost() -> None:
    records = sound()
    failover(records)
    last(records).refused = "stale"
    verdict = check(
        [records.notes], {(ROOM, 1): records.played}, may_forget=lambda _room, _when: True
    )
    assert len(verdict.wrong[checker.LOST]) == 1


def test_errors_in_the_servers_logs_count() -> None:
    assert not check([], {}, ["server-0.log: Traceback"]).clean
