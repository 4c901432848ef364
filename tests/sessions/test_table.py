"""The live table of a player; the test decides when the store confirms acts."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

import pytest

from protocol.vocabulary import MAX_IN_FLIGHT, CloseCode
from server.games.actions import DEAL, REDO, UNDO
from server.games.game import MAX_LOG_ENTRIES
from server.live.quotas import RoomLimits
from server.rooms.events import RoomTimings
from server.sessions import seat_game
from server.sessions.limits import SESSION_LIMITS, Rate, SessionLimits
from server.store import CommitFailure, LogRecord, SeatProgress, SeatRecord, StoreAway, Unreadable
from tests.games.wins import winnable
from tests.present import present
from tests.world.store import Commits
from tests.world.world import Choices, Person, World, opened

RETRY_S = 0.01
LIMIT_S = 60
SETTINGS = {"game": "spider-4", "undo": "any", "hints": True, "time_limit_s": LIMIT_S}
NOTED = {"acted", "refused", "hinted", "table", "round_over"}


@dataclass
class Table:
    """Ada at the table of a running race; the store holds back all acts and hints."""

    world: World
    ada: Person
    shown: int = 0  # the number of messages that were shown as lines
    waiting: asyncio.Task[None] | None = None

    @property
    def commits(self) -> Commits:
        commits: Commits = self.world.first.connection.commits
        return commits

    @property
    def seat(self) -> SeatRecord:
        return self.world.store.seats[self.ada.room, 0]

    @property
    def progress(self) -> SeatProgress:
        return present(self.world.first.rooms.known_progress(self.ada.room, 0))

    async def act(self, number: int, at: int, action: str = "deal", **more: Any) -> None:
        await self.ada.say("act", id=number, at=at, action=action, **more)

    async def rest(self) -> None:
        await asyncio.sleep(2 * RETRY_S)

    async def resume(self) -> None:
        """Continue with another socket."""
        await self.world.come_back("Ada")
        self.ada, self.shown = self.world.people["Ada"], 0

    def messages(self) -> list[dict[str, Any]]:
        """Return the messages about the table since the last call."""
        found = [each for each in self.ada.received if each["type"] in NOTED]
        new, self.shown = found[self.shown :], len(found)
        return new

    def lines(self) -> list[str]:
        """Return the new messages as lines: `acted 1 at 1`, `refused 2 stale`, `table at 0`."""
        lines = []
        for message in self.messages():
            match message["type"]:
                case "acted":
                    lines.append(f"acted {message['id']} at {message['at']}")
                case "hinted":
                    lines.append(f"hinted {message['hints']} at {message['at']}")
                case "table":
                    lines.append(f"table at {message['table']['at']}")
                case "round_over":
                    lines.append("round over")
                case _:
                    table = f" table {message['table']['at']}" if message["table"] else ""
                    which = message["id"] or message["command"]
                    lines.append(f"refused {which} {message['code']}{table}")
        return lines

    async def take(self, step: str) -> None:  # noqa: C901, PLR0912  # one case for each step
        commits = self.commits
        match step.split(" ", 3):
            case ["act", number, at, *action]:
                await self.act(int(number), int(at), *action)
            case ["made", count]:
                for done in range(int(count)):
                    await self.act(done + 1, done, "undo" if done % 2 else "deal")
                    commits.let()
                self.lines()
            case ["hint"]:
                await self.ada.say("hint")
            case ["forfeit"]:  # it waits for acts in flight
                self.waiting = asyncio.create_task(self.ada.say("forfeit"))
            case ["store"]:
                commits.let()
            case ["keep"]:
                commits.store()
            case ["fail", failure]:
                commits.fail(CommitFailure[failure.upper()])
            case ["away" | "back"]:
                self.world.faults.failing = {"seats.retake": StoreAway()} if step == "away" else {}
            case ["early" | "late"]:
                way = LIMIT_S if step == "late" else -LIMIT_S
                self.world.store.clock.shift_ms += way * 1_000
            case ["end"]:
                self.world.store.clock.shift_ms += LIMIT_S * 1_000
                await self.world.hub.tick(self.ada.room)
            case ["taken"]:  # by another process
                await self.world.store.seats.take(self.ada.room, 0)
            case ["lost"]:  # a failover has lost that this process took the seat
                before = replace(self.seat, generation=1, writer=1)
                self.world.store.seats[self.ada.room, 0] = before
            case ["resume"]:
                await self.resume()
            case ["wait"]:
                await asyncio.sleep(RETRY_S / 2)
            case ["rest"]:
                await self.rest()
            case _:
                raise ValueError(step)


@asynccontextmanager
async def at_table(
    *others: str,
    limits: SessionLimits = SESSION_LIMITS,
    log_entries: int = MAX_LOG_ENTRIES,
    **settings: Any,
) -> AsyncIterator[Table]:
    """Start a race of Ada against these players."""
    chosen = Choices(
        limits=replace(limits, retry_s=RETRY_S),
        room_limits=RoomLimits(max_log_entries=log_entries),
        rooms=RoomTimings(countdown_ms=10),
        draw_entropy=winnable,
    )
    async with opened(chosen=chosen) as world:
        ada = world.sit("Ada")
        await world.say("Ada", "create", name="Ada", settings={**SETTINGS, **settings})
        for name in others:
            world.sit(name)
            await world.say(name, "join", room=ada.room, name=name)
            await world.say(name, "ready")
        await world.say("Ada", "start")
        await asyncio.sleep(0.02)
        table = Table(world, ada)
        assert table.lines() == ["table at 0"]
        table.commits.is_held = True
        yield table


TRANSCRIPTS = """
The reply to an act is sent only when it is stored.
  act 1 0; act 2 1 undo
  store -> acted 1 at 1
  store -> acted 2 at 2
The ninth act in flight is refused.
  act 1 0; act 2 1 undo; act 3 2 redo; act 4 3 undo; act 5 4 redo; act 6 5 undo; act 7 6 redo
  act 8 7 undo
  act 9 8 redo -> refused 9 too_many_in_flight
An id that is repeated in flight gets one reply.
  act 1 0; act 1 0
  store -> acted 1 at 1
  act 1 0 -> acted 1 at 1
Replies come in the order of the acts; a refusal once overtook them.
  act 1 0; act 2 1 redo; act 3 2 undo
  store -> acted 1 at 1, refused 2 nothing_to_redo, refused 3 stale table 1
A refusal never shows an act that is not stored.
  act 1 0; act 2 5 undo
  fail gone; rest -> refused 1 too_late table 0, refused 2 stale table 0
A very old id gets its reply after the acts in flight.
  made 9
  act 10 9 undo; act 1 0; act 11 10 redo
  store -> acted 10 at 10, acted 1 at 10
  store -> acted 11 at 11
After an unknown result the log is read once before the reply.
  act 1 0; keep; fail away; act 2 1 undo
  rest -> acted 1 at 1
  store -> acted 2 at 2
An id that another connection used acknowledges no other act.
  act 1 0; keep; fail away
  rest -> acted 1 at 1
  act 1 0 redo -> refused 1 stale table 1
  act 1 0 remove u0 -> refused 1 stale table 1
A failed act fails the acts behind it too.
  act 1 0; act 2 1 undo; fail away; fail stale
  rest -> refused 1 try_again table 0, refused 2 stale table 0
  act 3 0; store -> acted 3 at 1
An act that is stored behind an unknown one gets its reply after it.
  act 1 0; act 2 1 undo; keep; fail away; store
  rest -> acted 1 at 2, acted 2 at 2
While the store is away acts are refused, and then the table is sent.
  act 1 0; away; keep; fail away; act 2 1 undo
  wait -> refused 1 try_again, refused 2 try_again
  act 3 1 undo -> refused 3 try_again
  back; rest -> table at 1
  act 1 0 -> acted 1 at 1
A closed table is not sent when the store is back.
  act 1 0; away; fail away
  wait -> refused 1 try_again
  end; back; rest -> round over
A session that lost the seat gets no further replies.
  act 1 0; act 2 1 finish; taken
  store; store; rest -> closed 4503
  act 3 0; rest
A seat that the store has lost is reported to its session.
  act 1 0; lost
  store; rest -> closed 4003
An act after the end is refused after the replies to earlier acts.
  act 1 0; late; act 2 1 undo
  store -> acted 1 at 1, refused 2 too_late table 1
  hint -> refused hint too_late
An act before the start is refused.
  early; act 1 0 -> refused 1 early table 0
  hint -> refused hint early
The store has closed the log.
  act 1 0; fail gone; rest -> refused 1 too_late table 0
An act without space in the store fails the acts behind it, and the next act takes its place.
  act 1 0; store -> acted 1 at 1
  act 2 1 undo; act 3 2 redo; fail away; store
  rest -> refused 2 try_again table 1, refused 3 stale table 1
  act 4 1 undo; store -> acted 4 at 2
A hint waits for its turn among the acts before the store counts it.
  act 1 0; hint; act 2 1 undo
  store -> acted 1 at 1
  store -> hinted 1 at 1
  store -> acted 2 at 2
An act behind a hint is refused after the hint; each position is counted once.
  hint; act 1 0 redo; hint
  store; store -> hinted 1 at 0, refused 1 nothing_to_redo, hinted 1 at 0
A hint that is not counted is not sent.
  hint; act 1 0; fail gone; fail stale
  rest -> table at 0, refused hint too_late, refused 1 stale table 0
  hint; store -> hinted 1 at 0
A hint is about another table.
  hint; act 1 0; fail stale; fail stale
  rest -> table at 0, refused hint stale, refused 1 stale table 0
The result of a hint is unknown.
  hint; act 1 0; fail away; fail stale
  rest -> table at 0, refused hint try_again, refused 1 stale table 0
While the store is away hints are refused.
  hint; away; fail away; hint
  wait -> refused hint try_again, refused hint try_again
  hint -> refused hint try_again
  back; rest -> table at 0
A session that lost the seat gets no hint.
  hint; hint; taken
  store; rest -> closed 4503
  hint; rest
A closed table still replies to acts in flight.
  act 1 0; keep; end; act 2 1 undo -> round over
  store -> acted 1 at 1, refused 2 too_late
A player who gives up gets the replies to acts in flight first.
  act 1 0; act 2 1 undo; forfeit
  store; rest -> acted 1 at 1
  store; rest -> acted 2 at 2, round over
An id far above the latest one is refused, since it would bar the seat from later acts.
  act 7 0; store -> acted 7 at 1
  act 100008 1 undo -> refused 100008 stale
  act 100007 1 undo; store -> acted 100007 at 2
An id stands only for its own act: ids grow from entry to entry.
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
Another connection knows the first id of the round, so that no lower one stands for an act.
  act 5 0; act 6 1 undo; store; store -> acted 5 at 1, acted 6 at 2
  resume; rest -> table at 2
  act 1 0 -> refused 1 stale table 2
  act 5 0 -> acted 5 at 2
Another act under an id in flight is refused behind it.
  act 1 0; act 1 0 undo
  store -> acted 1 at 1, refused 1 stale table 1
"""
"""A transcript of a table: each line has some steps and the messages that they cause.

The store can `keep` an act without a result, or report a failure without storing.
"""


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


@pytest.mark.parametrize("name", transcripts())
async def test_the_transcript_of_a_table(name: str) -> None:
    async with at_table() as table:
        for line in transcripts()[name]:
            steps, _, expected = line.partition(" -> ")
            was_open = table.ada.socket.is_open
            for step in steps.split("; "):
                await table.take(step)
            found = table.lines()
            if was_open and not table.ada.socket.is_open:
                found.append(f"closed {int(table.ada.close_code or 0)}")
            assert f"{steps} -> {', '.join(found)}" == f"{steps} -> {expected}"


@pytest.mark.parametrize("is_known", [True, False])
async def test_a_round_that_was_half_read_bars_no_act_of_the_next(*, is_known: bool) -> None:
    """Regression: the previous table moved the writer back, and an act was refused as too late.

    The result of an act of the previous round fails before or after the next round starts.
    """
    async with at_table() as table:
        services = table.world.services
        services.limits = replace(services.limits, retry_s=LIMIT_S / 6)
        await table.act(1, 0)
        for step in ("away", "fail away", "end", "back") if is_known else ("end",):
            await table.take(step)
        for command in ("next_round", "start"):
            await table.ada.say(command)
        await asyncio.sleep(1)
        if not is_known:
            await table.take("fail away")
        await asyncio.sleep(LIMIT_S / 2)
        answer = "try_again" if is_known else "too_late"
        assert sorted(table.lines()) == [f"refused 1 {answer}", "round over", "table at 0"]
        assert table.world.faults.calls["logs.read"] == 2, "one for each table that was read"
        await table.act(2, 0)
        table.commits.let()
        assert table.lines() == ["acted 2 at 1"]


@pytest.mark.parametrize("error", [ZeroDivisionError(), Unreadable("a log")])
async def test_a_game_that_cannot_be_read_closes_the_socket(error: Exception) -> None:
    """Regression: after an unexpected error acts got no more replies."""
    async with at_table() as table:
        table.world.faults.failing["logs.read"] = error
        await table.take("act 1 0")
        await table.take("fail away")
        await table.rest()
        expected = isinstance(error, Unreadable)
        unread, failed = CloseCode.DRAINING, CloseCode.INTERNAL_ERROR
        assert table.ada.close_code == (unread if expected else failed)
        assert table.lines() == []


async def test_an_end_that_could_not_be_reported_is_reported_by_the_next_socket() -> None:
    """Regression: after an unexpected error the race went on until its limit."""
    async with at_table(log_entries=1) as table:
        table.world.faults.failing["rooms.change"] = ZeroDivisionError()
        for step in ("act 1 0", "store", "act 2 1 finish", "store", "rest"):
            await table.take(step)
        assert table.ada.close_code == CloseCode.INTERNAL_ERROR
        table.world.faults.failing.clear()
        await table.resume()
        await table.rest()
        assert "round over" in table.lines()


async def test_a_search_that_fails_closes_the_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regression: the request never got a reply."""

    async def find(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError

    async with at_table() as table:
        monkeypatch.setattr(table.world.services.assessments, "find", find)
        await table.ada.say("assess")
        await table.rest()
        assert table.ada.close_code == CloseCode.INTERNAL_ERROR


async def test_messages_that_come_before_the_game_is_read_wait_for_it() -> None:
    async with at_table() as table:
        await table.act(1, 0)
        table.commits.let()
        with table.world.faults.held("logs.read"):
            await table.resume()
            await table.act(2, 1, "undo")
            for _ in range(MAX_IN_FLIGHT):
                await table.ada.say("hint")
            assert table.lines() == ["refused hint too_many_in_flight"]
        await table.rest()
        for _ in range(MAX_IN_FLIGHT):
            table.commits.let()
        hints = ["hinted 1 at 2"] * (MAX_IN_FLIGHT - 1)
        assert table.lines() == ["table at 1", "acted 2 at 2", *hints]


@pytest.mark.parametrize("act", [(4, 7, "deal"), (3, 2, "undo"), (1, 0, "deal")])
async def test_replies_with_whole_tables_have_a_limit(act: tuple[int, int, str]) -> None:
    """They are sent for a wrong position, a different act with a used id, and a repeated act."""
    async with at_table(limits=replace(SESSION_LIMITS, commands=Rate(4, 1e-6))) as table:
        await table.take("made 3")
        answers = []
        while table.ada.socket.is_open:
            await table.act(*act)
            answers += table.messages()
        assert table.ada.close_code == CloseCode.TOO_FAST
        assert 0 < len(answers) < 4
        assert all(len(each.get("piles") or each["table"]["piles"]) >= 10 for each in answers)


async def test_a_reply_has_what_changed_since_the_table_that_the_client_has() -> None:
    """Even after a failure, when the game that ran ahead was discarded with its counts."""
    async with at_table() as table:
        await table.act(1, 0)
        await table.act(2, 1, "undo")
        table.commits.let(2)
        first, second = table.messages()
        # An undone deal counts as cheating.
        assert first["counts"] == {"deals": 1, "stock": 40}
        assert second["counts"] == {"undos": 1, "cheats": 1, "stock": 50}
        assert len(first["piles"]) == 11
        await table.act(3, 2, "redo")
        await table.act(4, 3, "undo")
        table.commits.fail(CommitFailure.AWAY)
        table.commits.fail(CommitFailure.STALE)
        await table.rest()
        shown = table.messages()[-1]["table"]
        assert (shown["counts"]["redos"], shown["counts"]["stock"]) == (0, 50)
        await table.act(5, 2, "redo")
        table.commits.let()
        await table.act(5, 2, "redo")  # a repeated act gets the whole table
        last, whole = table.messages()
        assert last["counts"] == {"redos": 1, "stock": 40}
        assert (whole["counts"]["redos"], len(whole["counts"])) == (1, 11)
        assert len(whole["piles"]) == 19


async def test_at_its_limit_a_game_is_shown_as_stuck_and_may_be_finished() -> None:
    """Endless undoing and redoing would make a log that takes minutes to replay.

    Regression: the time of the last gain was always set to the end of the game.
    """
    async with at_table("Bob", log_entries=2) as table:
        first = table.ada.table["legal"][0]
        await table.act(1, 0, first)
        table.commits.let()
        gained_ms = table.progress.gained_ms
        await asyncio.sleep(1)
        await table.act(2, 1)
        table.commits.let()
        stuck = {"legal": ["finish"], "stuck": "game_too_long"}
        assert table.messages()[-1].items() >= stuck.items()
        await table.act(3, 2, "undo")
        await table.ada.say("hint")
        assert table.lines() == ["refused 3 game_too_long", "refused hint no_hint"]
        await table.act(3, 9)
        shown = table.messages()[0]["table"]
        assert shown.items() >= {**stuck, "outcome": None}.items()
        await table.act(3, 2, "finish")
        table.commits.let()
        assert table.messages()[-1]["outcome"] == "finished_stuck"
        assert gained_ms == table.progress.gained_ms
        assert table.progress.over_ms == gained_ms + 1_000 > 1_000
        await table.act(4, 3)
        await table.ada.say("hint")
        assert table.lines() == ["refused 4 game_over", "refused hint game_over"]
        await table.rest()
        assert table.ada.of("room")[-1]["room"]["seats"][0]["state"] == "FINISHED"


async def test_a_long_game_from_before_the_limit_is_read_and_can_be_finished() -> None:
    async with at_table(log_entries=4) as table:
        log = [LogRecord(DEAL, 5), *[LogRecord(UNDO, 6), LogRecord(REDO, 6)] * 5]
        table.world.store.logs[table.ada.room, 1, 0] = log
        await table.resume()
        await table.act(12, 11, "undo")
        assert table.lines() == ["table at 11", "refused 12 game_too_long"]
        await table.act(13, 11, "finish")
        table.commits.let()
        assert table.lines() == ["acted 13 at 12"]


@pytest.mark.parametrize(("hints", "code"), [(False, "hints_are_off"), (True, "no_hint")])
async def test_a_hint_that_is_not_given_is_not_counted(
    monkeypatch: pytest.MonkeyPatch, code: str, *, hints: bool
) -> None:
    monkeypatch.setattr(seat_game, "find_hint", lambda _game: None)
    async with at_table(hints=hints) as table:
        await table.ada.say("hint")
        assert table.lines() == [f"refused hint {code}"]
        assert not table.commits.waiting
