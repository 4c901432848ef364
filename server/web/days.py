"""Requests about days: today's race, boards, and the games on them."""

import re
from http import HTTPStatus

import structlog
from websockets.http11 import Response

from protocol.vocabulary import DAY_GAMES, DAY_PATTERN, ENTRY_LENGTH, DayGameId
from server.live import days as live_days
from server.rooms.days import KEY_LENGTH, DayState
from server.sessions.limits import RateLimits
from server.sessions.services import Services
from server.store import Unreadable
from server.views.days import board_view, computers_view, days_view
from server.web.files import make_json
from server.web.finished_rounds import FinishedRounds, key_of
from server.web.requests import HttpRequest
from server.web.responses import file_response, found_response, text_response

DAY = f"(?P<day>{DAY_PATTERN})/(?P<game>{'|'.join(DAY_GAMES)})"
ENTRY = f"[0-9a-f]{{{ENTRY_LENGTH}}}"
ENTRIES = rf"(?P<entries>{ENTRY}(?:\.{ENTRY}){{0,{live_days.MOST_GAMES - 1}}})"
KEY = re.compile(f"[0-9a-f]{{{KEY_LENGTH}}}")

NUMBER = re.compile("[1-9][0-9]{0,6}")

log = structlog.get_logger()

NO_DAY = "no such day, or it is not over\n"


class DayRequests:
    """The routes of requests about days. They may raise StoreAway and Unreadable."""

    def __init__(self, services: Services, rounds: FinishedRounds, requests: RateLimits) -> None:
        """Long boards count as several of an address's `requests`."""
        self._days, self._rounds, self._requests = services.days, rounds, requests
        self._now_ms = services.clock.now_ms

    async def overview(self, request: HttpRequest, _match: re.Match[str]) -> Response:
        """Return today's race, the next one, and the past days."""
        now_ms = self._now_ms()
        today = live_days.day_of(now_ms)
        tomorrow = live_days.days_from(today, live_days.PUBLISHED_AHEAD)
        games, games_tomorrow = await self._states(today), await self._states(tomorrow)
        ends_ms, past = live_days.end_ms_of(today), await self._days.past()
        view = days_view(today, now_ms, ends_ms, games, games_tomorrow, past)
        return file_response(request, make_json(view))

    async def _states(self, day: str) -> list[DayState]:
        """Return the states of a day's games, or an empty list if the day is unreadable."""
        try:
            return await self._days.states(day)
        except Unreadable as error:
            log.warning("a day cannot be read", day=day, why=str(error))
            return []

    async def board(self, request: HttpRequest, match: re.Match[str]) -> Response:
        """Return the rows of a day's board that the query asks for and the client may see."""
        day, game = match["day"], _game_of(match)
        first, size = _number(request, "first", 1) - 1, _number(request, "rows", live_days.ROWS)
        size = min(size, live_days.MOST_ROWS)
        if request.counted_network is not None:
            # Charge a long board as several requests, one for each `ROWS` rows.
            self._requests.owe(request.counted_network, (size - 1) // live_days.ROWS)
        board, own_key = None, _key_of(request)
        if live_days.is_day(day):
            board = await self._days.board(day, game, own_key, first, size)
        file = None if board is None else make_json(board_view(day, game, board))
        return found_response(request, file, NO_DAY)

    async def computers(self, request: HttpRequest, match: re.Match[str]) -> Response:
        """Return the computer players' games of a day that has started."""
        day, game = match["day"], _game_of(match)
        computers = await self._days.computers(day, game)
        file = None if computers is None else make_json(computers_view(day, game, computers))
        return found_response(request, file, NO_DAY)

    async def file(self, kind: str, request: HttpRequest, match: re.Match[str]) -> Response:
        """Return a file about the games that the path names; `kind` is in `routes.FILES`."""
        games = await self._games(request, match)
        if games is None:
            return text_response(HTTPStatus.NOT_FOUND, NO_DAY)
        path = f"{match['day']}/{match['game']}/{match['entries']}"
        key = key_of(kind, path, games.played.n, request, match)
        file = await self._rounds.get(
            key, games.room, games.played, games.read, request.counted_network
        )
        # A file may change once its day is over, as the deal is revealed then.
        caching = "no-cache" if games.played.secret else "private, max-age=3600"
        return found_response(request, file, NO_DAY, caching)

    async def _games(
        self, request: HttpRequest, match: re.Match[str]
    ) -> live_days.GamesOfDay | None:
        """Return the board's games that a path names, or None if the client may not see them."""
        day, game, days = match["day"], _game_of(match), self._days
        if not live_days.is_day(day) or not await days.may_see(day, game, _key_of(request)):
            return None
        is_over = await days.is_over(day, game)
        return await days.games(day, game, match["entries"].split("."), secret=not is_over)


def _game_of(match: re.Match[str]) -> DayGameId:
    return next(game for game in DAY_GAMES if game == match["game"])


def _key_of(request: HttpRequest) -> str:
    """Return the query's `key`, which belongs to the player's own game, or an empty string."""
    key = request.parameter("key")
    return key if KEY.fullmatch(key) else ""


def _number(request: HttpRequest, name: str, default: int) -> int:
    """Return a number in the query, or `default` if it is missing or invalid."""
    text = request.parameter(name)
    return int(text) if NUMBER.fullmatch(text) else default
