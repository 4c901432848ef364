"""The live table against a store that answers on the test's call."""

import asyncio
import json
import random
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from protocol.from_client import Act, Hint
from protocol.vocabulary import MAX_IN_FLIGHT, ErrorCode
from server.games import actions
from server.games.action_texts import ACTION_TEXTS
from server.games.catalogue import new_game
from server.games.deals import secret_deck
from server.games.rules import Rules
from server.live.long_work import LongWork
from server.rooms.race import round_of
from server.rooms.record import DealRecord, Room, Round
from server.sessions import seat_game
from server.sessions.limits import SessionLimits
from server.sessions.replayed_games import ReplayedGames
from server.sessions.table import MAX_ID_STEP, LiveTable
from server.sessions.taken_seat import TakenSeat
from server.store import (
    AnswerHandler,
    Commit,
    CommitFailure,
    HintCount,
    LogRecord,
    SeatProgress,
    SeatRecord,
    StoreAway,
    Unreadable,
)
from tests.games.wins import SEED, one_suit_win
from tests.rooms.rooms import FOUR_SUITS, running
from tests.world.store import Seats

ADA = TakenSeat("CODE", 0, 1, "", "127.0.0.1")
QUICK = SessionLimits(retry_s=0.01)


class SlowStore:
    """A log in memory. Commits wait until they are answered; reading can fail."""

    def __init__(self) -> None:
        self.log: list[LogRecord] = []
        self.n = 1
        self.last_id = 0
        self.stats_json = '{"score":0}'
        self.over_ms: int | None = None
        self.gained_ms = 0
        self.hints = 0
        self.waiting: list[tuple[Commit | HintCount, AnswerHandler]] = []
        self.away = False

    def commit(self, commit: Commit, answer: AnswerHandler) -> None:
        self.waiting.append((commit, answer))

    def count_hint(self, hint: HintCount, answer: AnswerHandler) -> None:
        self.waiting.append((hint, answer))

    def store(self, ms: int = 7) -> None:
        """Store the oldest waiting act, or count the oldest hint, and answer."""
        commit, answer = self.waiting.pop(0)
        self.keep(commit, ms)
        answer(ms if isinstance(commit, Commit) else self.hints)

    def keep(self, commit: Commit | HintCount, ms: int = 7) -> None:
        assert commit.at == len(self.log)
        if isinstance(commit, HintCount):
            self.hints += 1
            return
        self.log.append(LogRecord(commit.action, ms))
        self.last_id = commit.id
        self.stats_json = commit.stats_json
        self.over_ms = ms if commit.is_over else None
        self.gained_ms = ms if commit.has_gained else self.gained_ms

    def fail(self, failure: CommitFailure, *, stored: bool = False) -> None:
        """Answers the oldest waiting act by a failure, after which it may be stored or not."""
        commit, answer = self.waiting.pop(0)
        if stored:
            self.keep(commit)
        answer(failure)

    async def read(self, code: str, n: int, seat: int, start: int = 0) -> list[LogRecord]:
        assert (code, n, seat) == ("CODE", 1, 0)
        return self.log[start:]


class SlowSeats(Seats):
    """The seat of a slow store."""

    def __init__(self, store: SlowStore) -> None:
        self._slow = store

    async def read(self, code: str, seat: int) -> SeatRecord:
        store = self._slow
        assert (code, seat) == ("CODE", 0)
        if store.away:
            raise StoreAway
        return SeatRecord(
            *(1, "", store.last_id, store.n, store.stats_json, store.gained_ms, store.over_ms),
            *(store.hints, 1),
        )


class RecordingObserver:
    """An observer that records replies and events."""

    def __init__(self) -> None:
        self.received: list[dict[str, Any]] = []
        self.has_sent = asyncio.Event()
        self.events: list[str] = []
        self.progress: list[SeatProgress] = []
        self.work: list[asyncio.Task[None]] = []
        self.why = ErrorCode.TOO_LATE

    def send(self, text: str) -> None:
        self.received.append(json.loads(text))
        self.has_sent.set()

    def handle_replaced(self) -> None:
        self.events.append("replaced")

    def handle_progress(self, code: str, progress: SeatProgress) -> None:
        assert code == "CODE"
        self.events.append("gained")
        self.progress.append(progress)

    def handle_loaded_progress(self, progress: SeatProgress) -> None:
        self.progress.append(progress)

    def handle_too_late(self) -> None:
        self.events.append("too late")

    def handle_seat_lost(self) -> None:
        self.events.append("taken back")

    def handle_game_ended(self, n: int) -> None:
        self.events.append(f"over {n}")

    def handle_unreadable_log(self, error: Unreadable) -> None:
        raise error

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        self.work.append(asyncio.create_task(work, name=name))

    def refusal_when_closed(self) -> ErrorCode:
        return self.why

    async def rest(self) -> None:
        for task in self.work:
            await task

    def lines(self) -> list[str]:
        """Return the replies as lines: `acted 1 at 1`, `refused 2 stale`, `table at 0`."""
        lines = []
        for message in self.received:
            if message["type"] == "acted":
                lines.append(f"acted {message['id']} at {message['at']}")
            elif message["type"] == "hinted":
                lines.append(f"hinted {message['hints']} at {message['at']}")
            elif message["type"] == "table":
                lines.append(f"table at {message['table']['at']}")
            else:
                table = f" table {message['table']['at']}" if message["table"] else ""
                which = message["id"] or message["command"]
                lines.append(f"refused {which} {message['code']}{table}")
        return lines


DEAL, UNDO, REDO = "deal", "undo", "redo"


def act(number: int, at: int, action: str = DEAL) -> Act:
    return Act(id=number, at=at, action=action)


def table_of(
    store: SlowStore, played: Round, games: ReplayedGames | None = None, *options: Any
) -> tuple[LiveTable, RecordingObserver]:
    """Return the table of a seat in a round, not open yet, and its observer."""
    observer, games = RecordingObserver(), games or ReplayedGames(store)
    return LiveTable(store, SlowSeats(store), games, ADA, played, observer, *options), observer


def opened(
    store: SlowStore, played: Round, games: ReplayedGames | None = None
) -> tuple[LiveTable, RecordingObserver]:
    """Return a table that is being read, and its observer."""
    table, observer = table_of(store, played, games)
    table.open()
    return table, observer


def of_seed(room: Room) -> Round:
    """Return the round of a room, dealt by the seed of the tests."""
    deal = DealRecord(seed=SEED.hex(), salt="00" * 16)
    return round_of(room).model_copy(update={"deal": deal})


def shown(table: LiveTable, observer: RecordingObserver) -> Any:
    """Return the table that comes with a refusal."""
    table.act(act(99, 999))
    return observer.received.pop()["table"]


async def seated(
    store: SlowStore | None = None,
    late_ms: int | None = None,
    *,
    hints: bool = True,
    limits: SessionLimits = QUICK,
    may_send_table: Callable[[], bool] = lambda: True,
    may_be_lost: Callable[[], bool] = lambda: True,
) -> tuple[SlowStore, LiveTable, RecordingObserver]:
    """Return a table that is open, its store and its observer, whose `table` is taken off."""
    store = store or SlowStore()
    played = round_of(running(**FOUR_SUITS, undo="any", hints=hints))
    if late_ms is not None:
        played = played.model_copy(update={"late_ms": {0: late_ms}})
    games = ReplayedGames(store, limits=limits)
    options = (limits.retry_s, may_send_table, may_be_lost)
    table, observer = table_of(store, played, games, *options)
    table.open()
    await observer.rest()
    assert observer.lines() == [f"table at {len(store.log)}"]
    observer.received.clear()
    observer.has_sent.clear()
    return store, table, observer


TRANSCRIPTS = """
The reply to an act is sent only when it is stored.
  act 1 0; act 2 1 undo
  store -> acted 1 at 1
  store -> acted 2 at 2
The ninth act in flight is refused.
  act 1 0; act 2 1 undo; act 3 2 redo; act 4 3 undo; act 5 4 redo; act 6 5 undo; act 7 6 redo
  act 8 7 undo
  act 9 8 redo -> refused 9 too_many_in_flight
An id that is repeated in flight is answered once.
  act 1 0; act 1 0
  store -> acted 1 at 1
  act 1 0 -> acted 1 at 1
Answers come in the order of the acts; a refusal overtook them.
  act 1 0; act 2 1 redo; act 3 2 undo
  store -> acted 1 at 1, refused 2 nothing_to_redo, refused 3 stale table 1
No refusal shows an act that is not stored; the room as it is known here is out of date.
  act 1 0; act 2 5 undo
  fail too_late; rest -> ! too late, refused 1 too_late table 0, refused 2 stale table 0
A very old id is answered when those in flight are.
  made 9
  act 10 9 undo; act 1 0; act 11 10 redo
  store -> acted 10 at 10, acted 1 at 10
  store -> acted 11 at 11
An unknown outcome is read before it is answered, once.
  act 1 0; fail away stored; act 2 1 undo
  rest -> acted 1 at 1
  store -> acted 2 at 2
An id that another connection used is not acknowledged, for whatever act.
  act 1 0; fail away stored
  rest -> acted 1 at 1
  act 1 0 redo -> refused 1 stale table 1
  act 1 0 remove u0 -> refused 1 stale table 1
A failed act takes those behind it along.
  act 1 0; act 2 1 undo; fail away; fail stale
  rest -> refused 1 try_again table 0, refused 2 stale table 0
  act 3 0; store -> acted 3 at 1
An act that is stored behind an unknown one is answered after it.
  act 1 0; act 2 1 undo; fail away stored; store
  rest -> acted 1 at 2, acted 2 at 2
While the store is away acts are put off, and then the table is shown.
  act 1 0; away; fail away stored; act 2 1 undo
  wait -> refused 1 try_again, refused 2 try_again
  act 3 1 undo -> refused 3 try_again
  back; rest -> table at 1
  act 1 0 -> acted 1 at 1
A table that was closed is not shown when the store is back.
  act 1 0; away; fail away
  wait -> refused 1 try_again
  close; back; rest
A session that lost the seat gets no further replies.
  act 1 0; act 2 1 finish
  fail replaced -> ! replaced
  act 3 0; rest
A seat that the store has lost is reported to its session.
  act 1 0
  fail taken_back -> ! taken back
The store refuses an act after the end.
  act 1 0; fail not_running; rest -> ! too late, refused 1 too_late table 0
The store refuses an act before the begin.
  act 1 0; fail early; rest -> refused 1 early table 0
The store refuses an id that it has had.
  act 1 0; fail repeated; rest -> refused 1 stale table 0
A hint is answered in its turn among the acts, and goes to the store only then.
  act 1 0; hint; act 2 1 undo
  store -> acted 1 at 1
  store -> hinted 1 at 1
  store -> acted 2 at 2
An act that is refused after a hint is answered after it; a position is counted once.
  hint; act 1 0 redo; hint
  store; store -> hinted 1 at 0, refused 1 nothing_to_redo, hinted 2 at 0
A hint that is not counted is not sent.
  hint; act 1 0; fail too_late; fail stale
  rest -> ! too late, table at 0, refused hint too_late, refused 1 stale table 0
  hint; store -> hinted 1 at 0
A hint comes before the begin.
  hint; act 1 0; fail early; fail stale
  rest -> table at 0, refused hint early, refused 1 stale table 0
A hint is about another table.
  hint; act 1 0; fail stale; fail stale
  rest -> table at 0, refused hint stale, refused 1 stale table 0
The outcome of a hint is unknown.
  hint; act 1 0; fail away; fail stale
  rest -> table at 0, refused hint try_again, refused 1 stale table 0
While the store is away hints are put off.
  hint; away; fail away; hint
  wait -> refused hint try_again, refused hint try_again
  hint -> refused hint try_again
  back; rest -> table at 0
A session that lost the seat gets no hint.
  hint; hint
  fail replaced -> ! replaced
  hint; rest
A table that is closed first answers acts in flight.
  act 1 0; close; act 2 1 undo
  store -> acted 1 at 1, refused 2 too_late
An id stands only for the act that it was given to: ids grow from entry to entry.
  act 3 0; store; act 4 1 undo; store -> acted 3 at 1, acted 4 at 2
  act 6 2 redo; store; act 7 3 undo; store -> acted 6 at 3, acted 7 at 4
  act 8 4 redo; store -> acted 8 at 5
  act 1 0 -> refused 1 stale table 5
  act 3 1 undo -> refused 3 stale table 5
  act 8 2 redo -> refused 8 stale table 5
  act 7 4 redo -> refused 7 stale table 5
  act 4 5 undo -> refused 4 stale table 5
  act 8 4 undo -> refused 8 stale table 5
  act 3 0; act 6 2 redo -> acted 3 at 5, acted 6 at 5
Another act under an id in flight is refused behind it.
  act 1 0; act 1 0 undo
  store -> acted 1 at 1, refused 1 stale table 1
"""
"""What happens at a table, in steps, and what is sent (or reported: !) in the steps of a line."""


def transcripts() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in TRANSCRIPTS.strip().splitlines():
        if line.startswith(" "):
            found[name].append(line.strip())
        else:
            name = line.rstrip(".")
            found[name] = []
    return found


async def take_step(  # noqa: C901  # one case for each step
    step: str, store: SlowStore, table: LiveTable, observer: RecordingObserver
) -> None:
    match step.split(" ", 3):
        case ["act", number, at, *action]:
            table.act(act(int(number), int(at), *action))
        case ["made", count]:
            for done in range(int(count)):
                table.act(act(done + 1, done, UNDO if done % 2 else DEAL))
                store.store()
            observer.received.clear()
        case ["hint"]:
            table.hint(Hint())
        case ["store"]:
            store.store()
        case ["fail", failure, *stored]:
            store.fail(CommitFailure[failure.upper()], stored=bool(stored))
        case ["away" | "back"]:
            store.away = step == "away"
        case ["close"]:
            table.close()
        case ["wait"]:
            await asyncio.sleep(QUICK.retry_s / 2)
        case ["rest"]:
            await observer.rest()
        case _:
            raise ValueError(step)


@pytest.mark.parametrize("name", transcripts())
async def test_what_happens_at_a_table(name: str) -> None:
    store, table, observer = await seated()
    for line in transcripts()[name]:
        steps, _, expected = line.partition(" -> ")
        for step in steps.split("; "):
            await take_step(step, store, table, observer)
        reported = [f"! {event}" for event in observer.events if event != "gained"]
        found = ", ".join([*reported, *observer.lines()])
        assert f"{steps} -> {found}" == f"{steps} -> {expected}"
        observer.events.clear()
        observer.received.clear()


async def test_the_first_act_of_a_round_drops_the_progress_of_the_round_before() -> None:
    store = SlowStore()
    store.n, store.gained_ms, store.over_ms = 0, 900, 1000
    _, table, observer = await seated(store)
    table.act(act(1, 0))
    store.store(20)
    progress = observer.progress[-1]
    assert (progress.n, progress.gained_ms, progress.over_ms) == (1, 0, None)


async def test_acts_that_come_before_the_game_is_read_wait_for_it() -> None:
    store = SlowStore()
    played = round_of(running(**FOUR_SUITS))
    table, observer = opened(store, played)
    table.act(act(1, 0))
    assert not store.waiting
    await observer.rest()
    store.store()
    assert observer.lines() == ["table at 0", "acted 1 at 1"]


async def test_no_more_whole_tables_answer_acts_than_are_allowed() -> None:
    left = [True] * 3
    store, table, observer = await seated(may_send_table=lambda: bool(left and left.pop()))
    for number in range(1, 4):
        table.act(act(number, number - 1, UNDO if number == 2 else DEAL))
        store.store()
    observer.received.clear()
    wrong_place, other_action, logged = act(4, 7), act(3, 2, UNDO), act(1, 0)
    for message in (wrong_place, other_action, logged):
        table.act(message)
    assert observer.lines() == [
        "refused 4 stale table 3",
        "refused 3 stale table 3",
        "acted 1 at 3",
    ]
    assert len(observer.received[-1]["piles"]) >= 10  # all of them
    observer.received.clear()
    for message in (wrong_place, other_action, logged):
        table.act(message)
    assert observer.lines() == []


async def test_a_reply_has_what_changed_since_the_table_that_the_client_has() -> None:
    """Also after a failure, where the game that ran ahead was discarded with its counts."""
    store, table, observer = await seated()
    for number in range(2):
        table.act(act(number + 1, number, DEAL if number == 0 else UNDO))
        store.store()
    counts = [message["counts"] for message in observer.received]
    # An undone deal is a cheat.
    assert counts == [{"deals": 1, "stock": 40}, {"undos": 1, "cheats": 1, "stock": 50}]
    assert len(observer.received[0]["piles"]) == 11
    table.act(act(3, 2, REDO))
    table.act(act(4, 3, UNDO))
    store.fail(CommitFailure.AWAY)
    store.fail(CommitFailure.STALE)
    await observer.rest()
    shown = observer.received[-1]["table"]
    assert (shown["counts"]["redos"], shown["counts"]["stock"]) == (0, 50)
    table.act(act(5, 2, REDO))
    store.store()
    assert observer.received[-1]["counts"] == {"redos": 1, "stock": 40}
    table.act(act(5, 2, REDO))  # repeated at once: the same reply
    assert observer.received[-1] == observer.received[-2]
    table.act(act(1, 0))  # repeated later: all of the table
    assert observer.received[-1]["counts"]["redos"] == 1
    assert len(observer.received[-1]["piles"]) == 19
    assert len(observer.received[-1]["counts"]) == 11


async def test_acts_that_the_store_has_lost_are_taken_again_and_counted() -> None:
    store, table, observer = await seated()
    for number in (1, 2, 3):
        table.act(act(number, number - 1, DEAL if number == 1 else UNDO if number == 2 else REDO))
        store.store()
    del store.log[1:]  # a failover
    store.last_id = 1
    table.act(act(4, 3, UNDO))
    store.fail(CommitFailure.STALE)
    await observer.rest()
    assert observer.lines()[3:] == ["refused 4 stale table 1"]
    for number, action in ((2, UNDO), (3, REDO)):
        table.act(act(number, number - 1, action).model_copy(update={"again": True}))
        store.store()
    table.act(act(4, 3, UNDO))
    store.store()
    assert observer.lines()[4:] == ["acted 2 at 2", "acted 3 at 3", "acted 4 at 4"]
    assert json.loads(store.stats_json)["restored"] == 2
    _, again, _ = await seated(store)  # a later table goes on counting
    again.act(act(5, 4, REDO).model_copy(update={"again": True}))
    assert json.loads(stats_of_oldest(store))["restored"] == 3


async def test_an_act_that_cannot_be_lost_is_not_counted_as_sent_again() -> None:
    lost = [True, False]
    store, table, observer = await seated(may_be_lost=lost.pop)
    for number, action in ((1, DEAL), (2, UNDO)):
        table.act(act(number, number - 1, action).model_copy(update={"again": True}))
        store.store()
        assert json.loads(store.stats_json)["restored"] == number - 1
    assert observer.lines() == ["acted 1 at 1", "acted 2 at 2"]


async def test_an_id_far_above_the_latest_one_is_refused() -> None:
    store = SlowStore()
    store.last_id = 7
    _, table, observer = await seated(store)
    table.act(act(8 + MAX_ID_STEP, 0))
    table.act(act(7 + MAX_ID_STEP, 0))
    store.store()
    assert observer.lines() == [
        f"refused {8 + MAX_ID_STEP} stale",
        f"acted {7 + MAX_ID_STEP} at 1",
    ]


def stats_of_oldest(store: SlowStore) -> str:
    """The stats that the oldest waiting act brings along."""
    commit, _ = store.waiting[0]
    assert isinstance(commit, Commit)
    return commit.stats_json


async def test_the_clock_of_a_chaser_starts_later() -> None:
    store, table, observer = await seated(late_ms=90_000)
    table.act(act(1, 0))
    store.store(ms=91_500)
    assert observer.received[-1]["elapsed_ms"] == 1_500
    assert shown(table, observer)["elapsed_ms"] == 1_500


async def test_a_game_that_ended_before_its_process_died_is_reported_on_reading() -> None:
    win = one_suit_win()
    store = SlowStore()
    store.log = [LogRecord(action, 5) for action in win]
    store.last_id, store.over_ms = len(win), 5
    played = of_seed(running(game="spider-1", auto_remove=False))
    table, observer = opened(store, played)
    await observer.rest()
    assert observer.events == ["over 1"]
    table.act(act(len(win) + 1, len(win)))
    assert observer.lines()[-1] == f"refused {len(win) + 1} game_over"


def stuck_log() -> list[actions.Action]:
    """The acts of a game that its player ends as stuck."""
    game = new_game(Rules("spider-4"), secret_deck("spider-4", SEED))
    rng = random.Random(0)
    while game.outcome is None:
        legal = game.legal_actions()
        ways = [action for action in legal if action not in {actions.UNDO, actions.REDO}]
        first = {actions.DEAL, actions.FINISH}.intersection(legal)
        game.apply(first.pop() if first else rng.choice(ways))
    return list(game.log)


async def test_ending_a_game_is_no_gain() -> None:
    """Regression: the time of the last gain was always set to the end of the game."""
    log = stuck_log()
    played = of_seed(running(**FOUR_SUITS))
    store = SlowStore()
    table, observer = opened(store, played)
    await observer.rest()
    for number, action in enumerate(log):
        table.act(act(number + 1, number, ACTION_TEXTS["spider-4"].format(action)))
        store.store(ms=10 * number)
    gains = [10 * number for number, event in enumerate(gained_by(log)) if event]
    assert gains
    assert observer.events[-1] == "over 1"
    assert (store.gained_ms, store.over_ms) == (gains[-1], 10 * (len(log) - 1))


def gained_by(log: list[actions.Action]) -> list[bool]:
    game = new_game(Rules("spider-4"), secret_deck("spider-4", SEED))
    return [game.apply(action).has_gained for action in log]


async def test_acts_are_all_answered_when_the_last_one_is() -> None:
    store, table, observer = await seated()
    assert table.all_answered is None
    table.act(act(1, 0))
    all_answered = table.all_answered
    assert all_answered is not None
    assert not all_answered.is_set()
    store.store()
    assert all_answered.is_set()
    assert [entry.action for entry in store.log] == [actions.DEAL]
    assert observer.lines() == ["acted 1 at 1"]


async def test_the_entries_of_a_game_are_limited() -> None:
    """Undoing and redoing for ever would make a log that takes minutes to play again."""
    store, table, observer = await seated(limits=SessionLimits(log_entries=2))
    for number in range(3):
        table.act(act(number + 1, number))
        if store.waiting:
            store.store()
    assert observer.lines()[-3:] == ["acted 1 at 1", "acted 2 at 2", "refused 3 game_too_long"]
    table.hint(HINT)
    assert observer.lines()[-1] == "refused hint no_hint"


async def test_at_its_limit_a_game_is_shown_as_stuck_and_may_be_finished() -> None:
    """It was refused as over, which it was not, and what the page showed as legal was not."""
    limits = SessionLimits(log_entries=2)
    store, table, observer = await seated(limits=limits)
    for number in range(2):
        table.act(act(number + 1, number))
        store.store()
    stuck = {"legal": "finish", "stuck": "game_too_long"}
    assert observer.received[-1].items() >= stuck.items()
    assert shown(table, observer).items() >= {**stuck, "outcome": None}.items()
    table.act(act(3, 2, "finish"))
    store.store()
    assert observer.lines()[-1] == "acted 3 at 3"
    assert observer.received[-1]["outcome"] == "finished_stuck"
    assert observer.events[-1] == "over 1"
    _, _, again = await seated(store, limits=limits)  # a later table finds the game finished
    assert again.events == ["over 1"]


async def test_a_long_game_from_before_the_limit_is_read_and_can_be_finished() -> None:
    store = SlowStore()
    store.log = [
        LogRecord(actions.DEAL, 5),
        *[LogRecord(actions.UNDO, 6), LogRecord(actions.REDO, 6)] * 5,
    ]
    store.last_id = 11
    _, table, observer = await seated(store, limits=SessionLimits(log_entries=4))
    table.act(act(12, 11, UNDO))
    assert observer.lines() == ["refused 12 game_too_long"]
    table.act(act(13, 11, "finish"))
    store.store()
    assert observer.lines()[1:] == ["acted 13 at 12"]


async def test_acts_are_held_while_a_long_log_is_replayed_and_other_tables_go_on() -> None:
    """Regression: the replay blocked the loop, and so all players of this process."""
    ticks = iter(range(100_000))
    store = SlowStore()
    store.log = [
        LogRecord(actions.DEAL, 5),
        *[LogRecord(actions.UNDO, 6), LogRecord(actions.REDO, 6)] * 200,
    ]
    store.last_id = 401
    played = round_of(running(**FOUR_SUITS, undo="any"))
    long_work = LongWork(lambda: next(ticks) * 0.001)
    games = ReplayedGames(store, long_work)
    table, observer = opened(store, played, games)
    turns = 0
    while not observer.received:
        if turns == 20:
            table.act(act(402, 401, UNDO))
        turns += 1
        await asyncio.sleep(0)
    assert turns > 100
    await observer.rest()
    store.store()
    assert observer.lines() == ["table at 401", "acted 402 at 402"]


HINT = Hint()


async def test_a_hint_is_sent_only_when_it_is_counted() -> None:
    store, table, observer = await seated()
    table.hint(HINT)
    assert observer.lines() == []
    store.store()
    assert observer.lines() == ["hinted 1 at 0"]
    assert observer.received[0]["action"] in shown(table, observer)["legal"].split(",")
    assert observer.events == ["gained"]
    table.hint(HINT)
    store.store()
    assert observer.lines()[1:] == ["hinted 2 at 0"]  # the store counts a position once


async def test_a_room_without_hints_gives_none() -> None:
    store, table, observer = await seated(hints=False)
    table.hint(HINT)
    assert observer.lines() == ["refused hint hints_are_off"]
    assert (store.waiting, store.hints) == ([], 0)


async def test_where_nothing_better_is_seen_nothing_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seat_game, "find_hint", lambda _game: None)
    store, table, observer = await seated()
    table.hint(HINT)
    assert observer.lines() == ["refused hint no_hint"]
    assert (store.waiting, store.hints) == ([], 0)


async def test_a_game_that_is_over_gets_no_hint() -> None:
    log = stuck_log()
    played = of_seed(running(**FOUR_SUITS, hints=True))
    store = SlowStore()
    store.log, store.last_id, store.over_ms = [LogRecord(a, 5) for a in log], len(log), 5
    table, observer = opened(store, played)
    await observer.rest()
    table.hint(HINT)
    assert observer.lines()[1:] == ["refused hint game_over"]


async def test_hints_before_the_game_is_read_wait_for_it_and_take_their_place() -> None:
    store = SlowStore()
    played = round_of(running(**FOUR_SUITS, hints=True))
    table, observer = opened(store, played)
    for _ in range(MAX_IN_FLIGHT):
        table.hint(HINT)
    table.hint(HINT)
    assert observer.lines() == ["refused hint too_many_in_flight"]
    await observer.rest()
    for _ in range(MAX_IN_FLIGHT):
        store.store()
    assert observer.lines()[-1] == f"hinted {MAX_IN_FLIGHT} at 0"


# A table that is closed, and acts that are repeated


async def test_a_closed_table_answers_repeated_acts_and_refuses_new_ones() -> None:
    store, table, observer = await seated()
    acts = [act(1, 0, DEAL), act(2, 1, UNDO), act(3, 2, REDO)]
    for number, each in enumerate(acts):
        table.act(each)
        store.store(ms=number)
    first = list(observer.received)
    table.close()
    for each in acts:
        table.act(each)
    assert observer.received[4:] == first[1:]  # the replies that are kept, as they were
    assert observer.lines()[3] == "acted 1 at 3"
    table.act(act(4, 3, UNDO))
    table.act(act(3, 2, UNDO))
    observer.why = ErrorCode.NOT_RACING
    table.act(act(4, 3, UNDO))
    assert observer.lines()[6:] == [
        "refused 4 too_late",
        "refused 3 too_late",
        "refused 4 not_racing",
    ]
    assert (store.waiting, len(store.log)) == ([], 3)


async def test_a_table_that_is_opened_closed_is_not_shown() -> None:
    store, table, observer = await seated()
    table.act(act(1, 0))
    store.store(ms=20)
    played = round_of(running(**FOUR_SUITS, undo="any"))
    table, observer = table_of(store, played)
    table.close()
    table.open()
    table.act(act(1, 0))
    table.act(act(2, 1, UNDO))
    table.act(act(1, 0))
    assert observer.lines() == []
    await observer.rest()
    assert observer.lines() == ["acted 1 at 1", "refused 2 too_late", "acted 1 at 1"]
    assert observer.received[0]["elapsed_ms"] == 20
