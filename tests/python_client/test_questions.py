"""Requests for hints: each hint that is answered is counted for all to see."""

import asyncio

import pytest
from spider_race_client import Refused
from spider_race_client.questions import Questions

from protocol.to_client import Hinted, RefusalDetails
from protocol.to_client import Refused as RefusedMessage
from protocol.vocabulary import ErrorCode

DEAL, UNDO = (Hinted(at=0, action=action, hints=1) for action in ("deal", "undo"))


def asked(number: int) -> tuple[Questions[Hinted], list[asyncio.Future[Hinted]]]:
    """Return questions of which none is sent yet, and their answers to come."""
    hints: Questions[Hinted] = Questions("hint")
    answers: list[asyncio.Future[Hinted]] = [asyncio.Future() for _ in range(number)]
    for answer in answers:
        hints.add(answer)
    return hints, answers


def send(hints: Questions[Hinted]) -> int:
    """Return how many questions are sent now."""
    return sum(hints.take_next() for _ in range(hints.due()))


async def test_a_hint_that_is_cancelled_before_it_is_sent_is_not_requested() -> None:
    hints, (sent, unsent) = asked(2)
    assert send(hints) == 2
    hints.lose_connection()
    unsent.cancel()
    assert send(hints) == 1
    hints.take_answer(DEAL)
    assert await sent is DEAL
    hints, (given_up, _) = asked(2)
    places = hints.due()  # they wait for their turn
    assert (places, hints.due()) == (2, 0)
    given_up.cancel()
    assert [hints.take_next() for _ in range(places)] == [True, False]


async def test_each_answer_belongs_to_the_first_question_that_was_sent() -> None:
    hints, (given_up, next_one, again) = asked(3)
    assert send(hints) == 3
    given_up.cancel()
    hints.take_answer(DEAL)
    hints.take_answer(UNDO)
    assert await next_one is UNDO
    for code, is_sent_again in ((ErrorCode.TRY_AGAIN, True), (ErrorCode.NO_HINT, False)):
        refusal = RefusedMessage(command="hint", code=code, details=RefusalDetails())
        assert hints.take_refused(refusal) is is_sent_again
        assert send(hints) == is_sent_again
    with pytest.raises(Refused):
        await again
