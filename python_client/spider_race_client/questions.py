"""The questions of a program about its game, such as those for hints. No I/O.

The server answers those of one kind in their order.
"""

import asyncio
from collections import deque
from typing import Generic, TypeVar

from protocol import to_client
from protocol.vocabulary import ErrorCode
from spider_race_client.errors import RaceError, Refused

Answer = TypeVar("Answer", to_client.Hinted, to_client.Assessed)


class Questions(Generic[Answer]):
    """The questions of one kind that are not answered; those that were lost are sent again."""

    def __init__(self, command: str) -> None:
        """Ask by the message `command`."""
        self._command = command
        self._pending: deque[asyncio.Future[Answer]] = deque()
        self._sent = 0  # on this connection, from the first one on
        self._places = 0  # in the queue of the connection, for those that are to be sent

    def add(self, answer: asyncio.Future[Answer]) -> None:
        """Add a question."""
        self._pending.append(answer)

    def due(self) -> int:
        """Return for how many more questions places in the queue are needed, and count them.

        `take_next` is called for each place, once its turn has come.
        """
        self._drop_withdrawn()
        due = max(0, len(self._pending) - self._sent - self._places)
        self._places += due
        return due

    def take_next(self) -> bool:
        """Take the next question as sent; return False if there is none any more.

        Those that were cancelled are not sent: all see the number of hints.
        """
        self._places -= 1
        self._drop_withdrawn()
        if len(self._pending) == self._sent:
            return False
        self._sent += 1
        return True

    def lose_connection(self) -> None:
        """Send the unanswered questions again, but for those given up."""
        self._sent = self._places = 0
        self._pending = deque(each for each in self._pending if not each.done())

    def take_answer(self, message: Answer) -> None:
        """Take an answer."""
        answer = self._answered()
        if answer is not None:
            answer.set_result(message)

    def take_refused(self, message: to_client.Refused) -> bool:
        """Take a refusal; return whether the question is to be sent again later."""
        answer = self._answered()
        if answer is None:
            return False
        if message.code is ErrorCode.TRY_AGAIN:
            self._pending.append(answer)
            return True
        answer.set_exception(Refused(self._command, message.code, message.details))
        return False

    def fail(self, error: RaceError) -> None:
        """Fail all questions."""
        self._sent = 0
        while self._pending:
            answer = self._pending.popleft()
            if not answer.done():
                answer.set_exception(error)

    def _drop_withdrawn(self) -> None:
        """Drop the questions that were cancelled before they were sent."""
        unsent = [self._pending.pop() for _ in range(len(self._pending) - self._sent)]
        self._pending.extend(each for each in reversed(unsent) if not each.done())

    def _answered(self) -> asyncio.Future[Answer] | None:
        """Remove the oldest question and return it, unless it was given up."""
        if not self._sent:
            return None
        self._sent -= 1
        answer = self._pending.popleft()
        return None if answer.done() else answer
