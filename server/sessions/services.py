import time
from collections.abc import Callable
from dataclasses import dataclass

from protocol.vocabulary import CHAT_INTERVAL_S, CHAT_MESSAGES
from server.live.hub import Hub
from server.live.long_work import LongWork
from server.live.repository import Repository
from server.networks import is_loopback, named_network
from server.rooms.record import Room
from server.sessions.assessments import Assessments
from server.sessions.boards import Boards
from server.sessions.guesses import Guesses
from server.sessions.limits import SESSION_LIMITS, RateLimits, RecentTimes, SessionLimits
from server.sessions.taken_seat import TakenSeat, draw_token
from server.store import SharedGuesses
from server.thinking.deals import WinnableDeals
from server.thinking.labels import Labeller
from server.thinking.reviews import Reviewer


@dataclass(frozen=True, slots=True)
class Thinking:
    """What this process computes for its rooms."""

    deals: WinnableDeals
    labeller: Labeller
    reviewer: Reviewer


class Services:
    """The objects that all sessions of a process share.

    `draw_token` returns the token of a new seat, and `monotonic` the seconds of a clock that never
    runs backwards. `shared_guesses` counts the guesses of all processes, if there are several.
    Without `thinking`
    any secret deal is played, no round is reviewed, and nothing is known about numbered deals.
    """

    def __init__(
        self,
        repository: Repository,
        hub: Hub,
        limits: SessionLimits = SESSION_LIMITS,
        long_work: LongWork | None = None,
        *,
        shared_guesses: SharedGuesses | None = None,
        thinking: Thinking | None = None,
        draw_token: Callable[[], str] = draw_token,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.repository = repository
        self.limits = limits
        self.store = repository.store
        self.hub = hub
        self.clock = hub.clock
        self.guesses = Guesses(limits.guesses, shared_guesses, monotonic)
        self.adopt_bots: Callable[[Room], None] | None = None
        """Takes the seats of computer players of a room; without it none can be added."""
        self.rooms = RateLimits(*limits.rooms, clock=monotonic)
        self.joins = RateLimits(*limits.joins, clock=monotonic)
        self.returns = RateLimits(*limits.returns, clock=monotonic, around=named_network)
        self.commands = RateLimits(*limits.commands, clock=monotonic, around=named_network)
        """The commands of each seat."""
        self.commands_of_address = RateLimits(*limits.commands_of_address, clock=monotonic)
        self.chat = RecentTimes(monotonic)  # of a seat
        self.chat_of_address = RateLimits(*limits.chat_of_address, clock=monotonic)
        self.lost_acts = hub.lost_acts
        self.long_work = long_work or LongWork()
        self.thinking = thinking
        self.deal_searches = RateLimits(*limits.deal_searches, clock=monotonic)
        self.draw_token = draw_token
        self.monotonic = monotonic
        self.assessments = Assessments(self.long_work, limits, monotonic)
        self.boards = Boards(repository.store.logs, hub, self.long_work, limits, monotonic)
        self.unanswered = 0  # connections of new seats that are being reported as lost
        self._generation = 0

    def may_command(self, address: str, seat: TakenSeat | None) -> bool:
        """Count a command of an address, and of its seat if any; return False above a limit."""
        return (seat is None or self.commands.take(seat.name)) and (
            is_loopback(address) or self.commands_of_address.take(address)
        )

    def may_say(self, seat: TakenSeat) -> bool:
        """Count a chat message of a seat and its address; return False if there are too many."""
        return self.chat.take(seat.name, CHAT_MESSAGES, CHAT_INTERVAL_S) and (
            is_loopback(seat.address) or self.chat_of_address.take(seat.address)
        )

    def lead(self, room: Room, address: str) -> None:
        """Do what the process of the host does for a room; the host has this address.

        It searches for the next winnable deal, and seats computer players.
        """
        if self.thinking is not None:
            self.thinking.deals.expect(
                room, lambda: is_loopback(address) or self.deal_searches.take(address)
            )
        if self.adopt_bots is not None:
            self.adopt_bots(room)

    def draw_generation(self) -> int:
        """Return the generation of a new seat; this process gives none twice."""
        self._generation = max(self._generation + 1, self.clock.now())
        return self._generation
