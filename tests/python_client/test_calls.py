"""The calls of a seat, with tables and replies as the server sends them."""

import asyncio
from typing import Any

import pytest
from spider_race_client import ActLost, BadRequest, Refused
from spider_race_client.calls import Calls
from spider_race_client.race_state import RaceState
from spider_race_client.table import Table

from protocol.from_client import Act, End, Hint, Ready, Resume
from protocol.to_client import Acted, Error, Hinted, RefusalDetails, StandingsMessage
from protocol.to_client import Refused as RefusedMessage
from protocol.views import CountsView, Standing, TableSnapshot
from protocol.vocabulary import ErrorCode, SeatState

COUNTS = dict.fromkeys(CountsView.model_fields, 0)


def shown(at: int, last_id: int = 0) -> TableSnapshot:
    piles = ("KS",) * 10 + ("[50]",) + ("",) * 8
    whole: dict[str, Any] = {"legal": "deal,undo", "piles": piles, "counts": CountsView(**COUNTS)}
    whole |= {"seat": 0, "game": "spider-1", "at": at, "last_id": last_id}
    return TableSnapshot(**whole, score=0, elapsed_ms=0, outcome=None, stuck=None)


def acted(act_id: int, at: int) -> Acted:
    changed: dict[str, Any] = {"piles": {"t0": "QS"}, "score": at, "counts": {}, "legal": "undo"}
    return Acted(id=act_id, at=at, **changed, elapsed_ms=at)


def refused(act_id: int, code: ErrorCode, table: TableSnapshot | None = None) -> RefusedMessage:
    details = RefusalDetails()
    return RefusedMessage(command="act", code=code, details=details, id=act_id, table=table)


TRANSCRIPTS = """
No act is sent before the connection has its table.
  add deal; due
  table 0 0; due -> 1@0 deal
  lose; add undo; due
  table 1 1; due -> 1@0 deal
  acted 1 1; due -> 2@1 undo, #1 at 1
Acts are numbered on from the table and sent once, each after the reply to the one before.
  table 3 7; add deal undo; due -> 8@3 deal
  due
  acted 8 4; due -> 9@4 undo, #1 at 4
Acts behind a refused one were made for another position, and are not sent.
  table 0 0; add deal undo; due -> 1@0 deal
  refused 1 deal_empty_column -> #1 deal_empty_column, #2 stale
  add deal; due -> 2@0 deal
  refused 2 stale 3 3; add undo; due -> 4@3 undo, #3 stale
An unanswered act keeps its id on the next connection, whether it was stored or not.
  table 0 0; add deal; due -> 1@0 deal
  lose; due
  table 0 0; due -> 1@0 deal
  lose; table 1 1; due -> 1@0 deal
  acted 1 1 -> #1 at 1
Lost acts are offered again before the acts in flight.
  table 0 0; add deal undo; due; acted 1 1; due; acted 2 2 -> 1@0 deal, 2@1 undo, #1 at 1, #2 at 2
  add deal; due -> 3@2 deal
  lose; table 1 1; due -> 4@1 undo again
  acted 4 2; due -> 5@2 deal
  acted 5 3 -> #3 at 3
An act that is acknowledged only at the second time is offered again.
  table 0 0; add deal; due -> 1@0 deal
  lose; table 1 1; due -> 1@0 deal
  acted 1 1; table 0 0; due -> 2@0 deal again, #1 at 1
What another connection did instead is not offered again.
  table 0 0; add deal undo; due; acted 1 1; due; acted 2 2 -> 1@0 deal, 2@1 undo, #1 at 1, #2 at 2
  table 0 0; due -> 3@0 deal again
  refused 3 stale 2 2; add redo; due -> 4@2 redo
  acted 4 3; table 2 2; due -> 5@2 redo again, #3 at 3
The store loses more while lost acts are offered, so all of them are offered.
  table 0 0; add deal undo; due; acted 1 1; due; acted 2 2 -> 1@0 deal, 2@1 undo, #1 at 1, #2 at 2
  table 1 1; due -> 3@1 undo again
  refused 3 stale 0 0; due -> 4@0 deal again
  acted 4 1; due -> 5@1 undo again
A connection is lost while an act is offered again, which was stored or not.
  table 0 0; add deal undo; due; acted 1 1; due; acted 2 2 -> 1@0 deal, 2@1 undo, #1 at 1, #2 at 2
  table 0 0; due; lose; table 0 0; due -> 3@0 deal again, 4@0 deal again
  lose; table 1 4; due -> 5@1 undo again
A table behind an act in flight gives it another place.
  table 0 0; add deal undo; due; acted 1 1; due -> 1@0 deal, 2@1 undo, #1 at 1
  table 0 0; due -> 3@0 deal again
  refused 2 stale; acted 3 1; due -> 4@1 undo
Acts are lost whose position cannot be offered again, as another process made the first five.
  table 5 5; add deal; due -> 6@5 deal
  lose; table 2 2; add undo; due -> 7@2 undo, #1 lost
An act that the store cannot take is sent again with the next table, before others.
  table 0 0; add deal undo; due -> 1@0 deal
  refused 1 try_again; due
  table 0 0; due -> 1@0 deal
  cancel 1; refused 1 try_again; due; table 0 0; due -> 1@0 deal, #1 cancelled
  acted 1 1; due -> 2@1 undo
A cancelled act is withdrawn while it is not sent.
  table 0 0; add deal undo; cancel 1; due -> 1@0 undo, #1 cancelled
  acted 1 1 -> #2 at 1
An act whose round has ended while it waited is not sent.
  table 0 0; add deal; round; due -> #1 lost
  table 0 0; add deal; due -> 1@0 deal
An act whose round has ended while the connection was lost is not sent, and takes no place.
  table 0 0; add deal; due -> 1@0 deal
  lose; round; table 0 0; add undo; due -> 2@0 undo, #1 lost
A new round ends the acts of the old one, also behind one that was cancelled after it was sent.
  table 0 0; add deal undo; due -> 1@0 deal
  cancel 1; round -> #1 cancelled, #2 lost
  table 0 0; add redo; due; acted 1 1; acted 2 1 -> 2@0 redo, #3 at 1
An act whose game was over while the connection was lost waits for no table, which does not come.
  table 0 0; add deal undo; due -> 1@0 deal
  over; due
  lose; due; over; due -> #1 lost, #2 lost
"""
"""What happens to acts, in steps; the acts that are sent, and the calls (#) that are answered."""


class Program:
    """The calls of a program, and the new results of some."""

    def __init__(self) -> None:
        self.calls = Calls(RaceState(0, ""), Resume(room="7K3QZ0A", seat=0, token="t"))
        self.calls.is_seated = True
        self._futures: list[asyncio.Future[Table]] = []
        self._told: set[int] = set()

    def take(self, step: str) -> list[str]:
        """Take a step; return the acts that it sends."""
        match step.split():
            case ["table", at, last_id]:
                self.calls.handle_table(Table.of(shown(int(at), int(last_id))))
            case ["add", *actions]:
                acts = (Act(id=1, at=0, action=action) for action in actions)
                self._futures += map(self.calls.add, acts)
            case ["due"]:
                return self._sent()
            case ["acted", act_id, at]:
                self.calls.handle(acted(int(act_id), int(at)))
            case ["refused", act_id, code, *table]:
                place = shown(*map(int, table)) if table else None
                self.calls.handle(refused(int(act_id), ErrorCode(code), place))
            case ["cancel", number]:
                self._futures[int(number) - 1].cancel()
            case ["lose"]:
                self.calls.begin_connection()
                self.calls.is_seated = True
            case ["over"]:
                ended: dict[str, Any] = {"seat": 0, "state": SeatState.FORFEIT}
                rows: dict[str, Any] = {"standings": (Standing.model_construct(**ended),)}
                self.calls.handle(StandingsMessage.model_construct(**rows))
            case ["round"]:
                self.calls.begin_round()
                assert self.calls.state.table is None
            case _:
                raise ValueError(step)
        return []

    def _sent(self) -> list[str]:
        """Return the acts that are sent now, as id@place action."""
        found = list(iter(self.calls.next_message, None))
        again = {True: " again", False: ""}
        acts = (each for each in found if isinstance(each, Act))
        return [f"{each.id}@{each.at} {each.action}{again[each.again]}" for each in acts]

    def answered(self) -> list[str]:
        found = []
        for number, future in enumerate(self._futures, 1):
            if future.done() and number not in self._told:
                self._told.add(number)
                found.append(f"#{number} {result_of(future)}")
        return found


def result_of(future: asyncio.Future[Table]) -> str:
    if future.cancelled():
        return "cancelled"
    match future.exception():
        case None:
            return f"at {future.result().at}"
        case Refused(code=code):
            return code.value
        case error:
            assert isinstance(error, ActLost)
            return "lost"


async def test_acts_are_sent_and_answered_as_the_transcripts_say() -> None:
    for line in TRANSCRIPTS.strip().splitlines():
        if not line.startswith(" "):
            name, program = line, Program()
            continue
        steps, _, expected = line.strip().partition(" -> ")
        found = [sent for step in steps.split("; ") for sent in program.take(step)]
        assert (name, steps, ", ".join(found + program.answered())) == (name, steps, expected)


async def test_a_reply_gives_the_table_after_the_act() -> None:
    program = Program()
    for step in ("table 0 0", "add deal", "due", "acted 1 1"):
        program.take(step)
    table = program.calls.state.table
    assert table is not None
    assert (table.at, table.score, table.piles["t0"].cards) == (1, 1, ("QS",))
    assert table.legal == ("undo",)


DEAL = Hinted(at=0, action="deal", hints=1)


async def test_a_question_waits_for_the_one_before_and_is_withdrawn_while_it_is_not_sent() -> None:
    """Each hint that is answered is counted for all to see."""
    calls = Program().calls
    first, given_up, third = (calls.add(Hint()) for _ in range(3))
    for _ in range(2):  # on two connections
        assert isinstance(calls.next_message(), Hint)
        assert calls.next_message() is None
        calls.begin_connection()
        calls.is_seated = True
    given_up.cancel()
    assert isinstance(calls.next_message(), Hint)
    calls.handle(DEAL)
    assert await first is DEAL
    assert isinstance(calls.next_message(), Hint)
    third.cancel()  # its answer is still to come
    last = calls.add(Hint())
    assert calls.next_message() is None
    calls.handle(DEAL)
    assert isinstance(calls.next_message(), Hint)
    refusal = RefusedMessage(command="hint", code=ErrorCode.NO_HINT, details=RefusalDetails())
    calls.handle(refusal)
    assert calls.next_message() is None
    with pytest.raises(Refused):
        await last


async def test_a_message_that_the_server_cannot_read_ends_the_command_under_way() -> None:
    calls = Program().calls
    calls.handle(Error(code=ErrorCode.BAD_MESSAGE, where="ready"))  # none is under way
    command = calls.add(Ready())
    assert isinstance(calls.next_message(), Ready)
    calls.handle(Error(code=ErrorCode.BAD_MESSAGE, where="ready"))
    with pytest.raises(BadRequest, match="'ready'"):
        await command


async def test_a_command_about_a_round_that_is_over_is_not_sent_again() -> None:
    """It would be about the next round, if it has not come through."""
    calls = Program().calls
    ending = calls.add(End())
    assert isinstance(calls.next_message(), End)
    calls.begin_connection()
    calls.begin_round()
    calls.is_seated = True
    assert calls.next_message() is None
    await ending
