"""The socket of a computer player: what the server sends to its seat, and nothing else.

It is a `Socket` of the sessions, as that of a person is, in the process that serves the seat.
"""

import asyncio
import contextlib
from collections import Counter, deque
from collections.abc import Callable
from functools import lru_cache

import structlog
from spider_race_client import Table
from spider_race_client.race_state import RaceState
from spider_race_client.table import Pile

from protocol.codec import TO_CLIENT
from protocol.games import GAMES, GameId
from protocol.to_client import Acted, Refused, TableMessage
from protocol.vocabulary import SUITS, CloseCode, ErrorCode
from server.games.cards import ACE, KING, SUIT_RUNS, SUIT_SHIFT, make_card, parse_card
from server.solver.plans import VisibleColumn, VisibleTable

SKIPPED = '{"type":"standings'
"""The beginning of messages that no computer player needs."""


log = structlog.get_logger()


class SeatClosed(Exception):  # noqa: N818  # the end of a seat, no error
    """The server has closed the socket, with a code."""

    def __init__(self, code: int) -> None:
        super().__init__(f"The seat was closed with {code}.")
        self.code = code


class BotSocket:
    """The socket of one seat, with the room and the table as the server has sent them."""

    def __init__(self) -> None:
        self.is_open = True
        self.state = RaceState()
        self.is_answered = True
        """Whether the latest act is answered, or the table was sent since."""
        self._code = 0
        self._changed = asyncio.Event()

    def send(self, text: str) -> None:
        """Take a message of the server; an error closes this socket alone."""
        if not self.is_open or text.startswith(SKIPPED):
            return
        try:
            self._take(text)
        except Exception:
            log.exception("a computer player cannot read a message", seat=self.state.seat)
            self.close(CloseCode.INTERNAL_ERROR)
        self._changed.set()

    def send_passing(self, message: object) -> bool:  # noqa: ARG002  # standings and boards
        """Skip an update for many, which no computer player needs."""
        return True

    def close(self, code: CloseCode | int) -> None:
        """Close the socket."""
        if self.is_open:
            self.is_open, self._code = False, int(code)
            self._changed.set()

    def is_behind(self) -> bool:
        """Return that the peer reads everything."""
        return False

    @property
    def table(self) -> Table | None:
        """The own table; None before the deal of the round."""
        return self.state.table

    @property
    def round_number(self) -> int:
        """The number of the round in which the seat has a game to play; 0 without one."""
        return self.state.round_number if self.state.is_playing else 0

    async def wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition holds, which is asked after each message.

        Raises:
            SeatClosed: the socket is closed.
        """
        while True:
            if not self.is_open:
                raise SeatClosed(self._code)
            if condition():
                return
            self._changed.clear()
            await self._changed.wait()

    async def pause(self, seconds: float) -> None:
        """Let time pass.

        Raises:
            SeatClosed: the socket is closed, before or meanwhile.
        """
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, seconds)):
                await self.wait_until(lambda: False)

    def _take(self, text: str) -> None:
        message, state = TO_CLIENT.validate_json(text), self.state
        n = state.round_number
        deque(state.take(message), maxlen=0)
        if state.round_number != n:
            state.table = None
        match message:
            case TableMessage() if message.table.seat == state.seat:
                state.table, self.is_answered = Table.of(message.table), True
            case Acted() if state.table is not None:
                state.table, self.is_answered = state.table.after(message), True
            case Refused(command="act"):
                if message.table is not None:
                    state.table = Table.of(message.table)
                # Once the store is back, the table comes: it says whether it has the act.
                self.is_answered = message.code is not ErrorCode.TRY_AGAIN
            case _:
                pass


def visible_table(table: Table, *, relaxed: bool, counts_pairs: bool = True) -> VisibleTable:
    """Return what the player of a table sees; the others are rules of the room.

    Cards that lie face up stay so, since computer players take nothing back. So the unseen cards
    are those of the deck that are not on the table.
    """
    variant = GAMES[table.game]
    piles = list(table.piles.values())
    columns = tuple(
        VisibleColumn(pile.face_down, _cards(pile)) for pile in piles[: variant.columns]
    )
    named = list(zip(variant.piles, piles, strict=True))
    homes = [pile for spec, pile in named if spec.role == "foundation"]
    foundations = tuple(map(_cards, homes))
    unseen = _deck(table.game).copy()
    for column in columns:
        unseen.subtract(column.cards)
    for foundation in filter(None, foundations):
        # Of a suit that was removed, the table may show one card only.
        is_suit = variant.goal == "suits"
        unseen.subtract(SUIT_RUNS[foundation[-1] >> SUIT_SHIFT] if is_suit else foundation)
    return VisibleTable(
        game=table.game,
        columns=columns,
        foundations=foundations,
        unseen=tuple(sorted(unseen.elements())),
        stock=table.counts.stock,
        relaxed=relaxed,
        counts_pairs=counts_pairs,
    )


def _cards(pile: Pile) -> bytes:
    return bytes(parse_card(name) for name in pile.cards)


@lru_cache
def _deck(game: GameId) -> Counter[int]:
    """Return the number of each card in the deck of a game."""
    variant = GAMES[game]
    copies = variant.decks * len(SUITS) // variant.suits
    return Counter(
        {
            int(make_card(rank, suit)): copies
            for suit in range(variant.suits)
            for rank in range(ACE, KING + 1)
        }
    )
