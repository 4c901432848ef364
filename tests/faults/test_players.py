"""The scripted player gives no false alarm, and every alarm that it should."""

import asyncio
import random
import time
from typing import cast

import pytest
from websockets.asyncio.client import ClientConnection

from tests.faults.notes import Message, Sent
from tests.faults.players import PATIENCE_S, Racer, Tab, Visit

TOO_LATE = "acts are too late, but the round is not over"


def room(n: int, state: str = "RUNNING", *, mine: str = "RACING") -> Message:
    """A room of one player, with what the player reads."""
    return {
        "type": "room",
        "room": {
            "v": n,
            "host": 0,
            "state": state,
            "round": {"n": n},
            "rematch": None,
            "seats": [{"seat": 0, "state": mine}],
            "settings": {"time_limit_s": None},
        },
    }


def refused(code: str, act_id: int) -> Message:
    return {"type": "refused", "command": "act", "code": code, "id": act_id, "table": None}


@pytest.fixture
def tab() -> Tab:
    racer = Racer("Ada", list, random.Random(1), asyncio.TaskGroup())
    racer.notes.seat = 0
    racer.tab.handle(visit_with(), room(1))
    return racer.tab


def visit_with(*acts: Sent) -> Visit:
    """A visit on which these acts wait for answers."""
    visit = Visit(cast("ClientConnection", None), 0)
    visit.waiting.extend(acts)
    return visit


def alarms(tab: Tab, visit: Visit, after_s: float = PATIENCE_S + 1) -> list[str]:
    """The late messages of a socket on which nothing comes any more; the table is none of them."""
    found = tab.problems(visit, time.monotonic() + after_s)
    return [problem for problem in found if problem != "no table"]


@pytest.mark.parametrize("code", ["too_late", "not_racing"])
def test_a_round_that_goes_on_without_taking_acts_is_an_alarm(tab: Tab, code: str) -> None:
    visit = visit_with(Sent(1, 0, 7, 0, "deal"))
    tab.handle(visit, refused(code, 7))
    assert alarms(tab, visit, PATIENCE_S - 1) == []
    assert alarms(tab, visit) == [TOO_LATE]
    tab.handle(visit, room(1, "FINISHED"))
    assert alarms(tab, visit) == []


def test_an_act_of_an_earlier_round_may_be_refused_in_the_next(tab: Tab) -> None:
    # A run over one Redis gave thirteen alarms of one player, at each of its next connections.
    visit = visit_with(Sent(1, 0, 7, 0, "deal"))
    tab.handle(visit, room(2))
    tab.handle(visit, refused("too_late", 7))
    assert alarms(tab, visit) == []


def test_after_giving_up_acts_are_refused_until_the_others_are_done(tab: Tab) -> None:
    # The act was sent before the room showed that its player has given up.
    visit = visit_with(Sent(1, 0, 7, 0, "deal"))
    tab.handle(visit, room(1, mine="FORFEIT"))
    tab.handle(visit, refused("not_racing", 7))
    assert alarms(tab, visit) == []
