"""Requests for hints: each hint that is answered is counted for all to see."""

import asyncio

import pytest
from spider_race_client import Refused
from spider_race_client.questions import Questions

from protocol.to_client import Hinted, RefusalDetails
from protocol.to_client import Refused as RefusedMessage
from protocol.vocabulary import ErrorCode


def hinted(action: str) -> Hinted:
    return Hinted(at=0, action=action, hints=1)


def ask(hints: Questions[Hinted]) -> asyncio.Future[Hinted]:
    answer: asyncio.Future[Hinted] = asyncio.get_running_loop().create_future()
    hints.add(answer)
    return answer


def send(hints: Questions[Hinted]) -> int:
    """Return how many questions are sent now."""
    return sum(hints.take_next() for _ in range(hints.due()))


async def test_a_hint_that_is_cancelled_before_it_is_sent_is_not_requested() -> None:
    hints: Questions[Hinted] = Questions("hint")
    sent, unsent = ask(hints), ask(hints)
    assert send(hints) == 2
    hints.lose_connection()
    unsent.cancel()
    assert send(hints) == 1
    hints.take_answer(hinted("deal"))
    assert (await sent).action == "deal"


async def test_a_hint_that_waits_for_its_turn_is_withdrawn_by_cancelling() -> None:
    hints: Questions[Hinted] = Questions("hint")
    given_up, _ = ask(hints), ask(hints)
    places = hints.due()
    assert (places, hints.due()) == (2, 0)
    given_up.cancel()
    assert [hints.take_next() for _ in range(places)] == [True, False]


async def test_the_answer_to_a_cancelled_hint_is_no_answer_to_the_next_one() -> None:
    hints: Questions[Hinted] = Questions("hint")
    given_up, next_one = ask(hints), ask(hints)
    assert send(hints) == 2
    given_up.cancel()
    hints.take_answer(hinted("deal"))
    hints.take_answer(hinted("undo"))
    assert (await next_one).action == "undo"


async def test_a_hint_that_the_store_cannot_give_is_requested_again() -> None:
    hints: Questions[Hinted] = Questions("hint")
    answer = ask(hints)
    send(hints)
    details = RefusalDetails()
    again = RefusedMessage(command="hint", code=ErrorCode.TRY_AGAIN, details=details)
    assert hints.take_refused(again)
    assert send(hints) == 1
    none = RefusedMessage(command="hint", code=ErrorCode.NO_HINT, details=details)
    assert not hints.take_refused(none)
    with pytest.raises(Refused):
        await answer
