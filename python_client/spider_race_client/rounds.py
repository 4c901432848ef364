"""Documents of a server over HTTP: finished rounds, days with their boards, and ghosts.

`cards` are written as for `Client.create`, and as in `RoomView.round.cards` without the `+ACTS` of
a continued game. Until a day is over, its board and games need a finished game's `RoundView.key`.
"""

import asyncio
import re
import ssl
import urllib.error
import urllib.request
from bisect import bisect_right
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPException
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import urlencode

from pydantic import ValidationError

from protocol import http
from protocol.base import Model
from protocol.games import GAMES
from protocol.views import Standing
from protocol.vocabulary import CARDS_PATTERN, DAY_GAMES, DAY_PATTERN
from spider_race_client.addresses import cards_of, code_of, is_loopback, server_address
from spider_race_client.errors import ProgramError, RoundUnknown, ServerError, Unreachable
from spider_race_client.tls import OPEN_S, Tls, context_of, reason_of, wrong_scheme

if TYPE_CHECKING:
    from server.games.game import Game

Document = TypeVar("Document", bound=Model)
TIMEOUT_S = 30.0
_DAYS = "/api/days"
_RACE = re.compile(f"{DAY_PATTERN}/({'|'.join(DAY_GAMES)})")
_GAME = re.compile(rf"(?=(?:[^/]+/){{2}}){CARDS_PATTERN}")


class ReplayedAct(NamedTuple):
    """One act of a replay, and the game after it."""

    ms: int  # since t0
    action: str
    game: "Game"  # the engine's, the same object for all acts of a player


class Round(NamedTuple):
    """A finished round: its settings, revealed deal and ranking, and the log of each player."""

    document: http.FinishedRound

    def replay(self, player: http.SeatLog) -> Iterator[ReplayedAct]:
        """Play a player's acts again on the revealed cards; yield the game after each one.

        Errors are raised during the iteration.

        Raises:
            ProgramError: the engine is missing; `pip install .` in the repository installs it.
            ServerError: an act is against the rules, or the cards are not a deck.
        """
        try:  # programs that replay nothing need no engine
            from server.games.actions import ACTION_TEXTS  # noqa: PLC0415
            from server.games.cards import parse_card  # noqa: PLC0415
            from server.games.deals import new_game  # noqa: PLC0415
            from server.games.errors import GameError  # noqa: PLC0415
            from server.rooms.settings import rules_of  # noqa: PLC0415
        except ImportError as error:
            raise ProgramError(f"A replay needs spider-race with its engine: {error}.") from error
        settings, names = self.document.settings, self.document.reveal.deck
        if len(names) != GAMES[settings.game].cards:
            raise ServerError(f"{len(names)} cards are no deck of {settings.game}.")
        try:
            game = new_game(rules_of(settings), [parse_card(name) for name in names])
            for entry in player.log:
                game.replay(ACTION_TEXTS[game.variant.id].parse(entry.action))
                yield ReplayedAct(entry.ms, entry.action, game)
        except GameError as error:
            raise ServerError(f"An act of {player.name} is against the rules: {error}") from error


class Ghost(NamedTuple):
    """A finished game to race against: its score over time, and its row in the result."""

    course: http.Course
    standing: Standing

    def score_at(self, ms: int) -> int:
        """Return the score `ms` after the game's start; pass `table.elapsed_ms` to compare."""
        at = bisect_right(self.course.ms, ms + (self.standing.late_ms or 0))
        return self.course.score[max(0, at - 1)]


async def fetch_round(url: str, code: str, n: int, *, tls: Tls = None) -> Round:
    """Return round `n` of a room, once it is over.

    `url`: the server's address. `code`: the room's code or its link. `tls`: as in `connect`.

    Raises:
        ProgramError: the address, link, code or number is not valid.
        RoundUnknown: there is no such round, it is not over, or its acts are no longer stored.
        Unreachable: the server does not answer, or asks the client to try again later.
        ServerError: the answer is not a finished round.
    """
    return Round(await _fetch(url, _path(url, code, n), http.FinishedRound, tls))


async def fetch_review(url: str, code: str, n: int, *, tls: Tls = None) -> http.RoundReview:
    """Return the part of a finished round's review that is ready.

    Ask again, at growing intervals, until its `state` is "done"; without a review it is "done" at
    once. Arguments and errors are as in `fetch_round`.
    """
    return await _fetch(url, f"{_path(url, code, n)}/review", http.RoundReview, tls)


def _path(url: str, code: str, n: int) -> str:
    """Return the URL path of round `n` of a room, or raise ProgramError."""
    if not isinstance(n, int):
        raise ProgramError(f"{n!r} is no number of a round.")
    return f"/api/rooms/{code_of(code, server_address(url))}/rounds/{n}"


async def fetch_day(url: str, *, tls: Tls = None) -> http.Days:
    """Return today's race, the next one, and the past days whose cards can be played.

    This and the functions below raise the errors of `fetch_round`.
    """
    return await _fetch(url, _DAYS, http.Days, tls)


async def fetch_board(
    url: str, cards: str, *, key: str = "", first: int = 1, rows: int = 50, tls: Tls = None
) -> http.DayBoard:
    """Return the board of a day's race, such as "2026-11-28/spider-2".

    It has `rows` rows, 1,000 at most, from place `first` on, the rows around the game with this
    `key`, and the `spread` of all results. Until the day is over, a board without a key has only
    the number of `players`, and a key that belongs to no finished game raises RoundUnknown.
    """
    path = _race_path(cards)
    if min(first, rows) < 1:
        raise ProgramError("`first` and `rows` are 1 or more.")
    asked = {"key": key, "first": first, "rows": rows}
    board = await _fetch(url, path, http.DayBoard, tls, **asked)
    if key and not (board.over or board.own):
        raise RoundUnknown(f"{key!r} is the key of no finished game of {cards}.")
    return board


async def fetch_computers(url: str, cards: str, *, tls: Tls = None) -> http.DayComputers:
    """Return the computer players' results in a race such as "2026-11-28/spider-2".

    Everybody may see them once the day has started. A server with `--thinkers 0` has none.
    """
    return await _fetch(url, f"{_race_path(cards)}/computers", http.DayComputers, tls)


def _race_path(cards: str) -> str:
    """Return the path of a day's race, such as "2026-11-28/spider-2"; raise ProgramError."""
    if _RACE.fullmatch(str(cards)) is None:
        raise ProgramError(f"{cards!r} is no race of a day, as 2026-11-28/spider-2 is.")
    return f"{_DAYS}/{cards}"


async def fetch_ghost(url: str, cards: str, *, key: str = "", tls: Tls = None) -> Ghost:
    """Return a finished game: "CODE/N/SEAT", or "2026-11-28/spider-2/ENTRY" from a board.

    `Client.create` deals its cards again. With `acts`, the clock of the new game starts at 0 after
    those acts, so `Ghost.score_at` does not fit it.
    """
    cards = cards_of(cards)
    if _GAME.fullmatch(cards) is None:
        raise ProgramError(f"{cards!r} is no game, as CODE/N/SEAT or DATE/GAME/ENTRY is.")
    first, second, third = cards.split("/")
    is_of_day = "-" in first
    path = f"days/{cards}" if is_of_day else f"rooms/{first}/rounds/{second}"
    played = await _fetch(url, f"/api/{path}/course", http.RoundCourse, tls, key=key)
    seat = 0 if is_of_day else int(third)  # a game of a day has one seat
    course = next((each for each in played.courses if each.seat == seat), None)
    standing = next((each for each in played.ranking if each.seat == seat), None)
    if course is None or standing is None:
        raise RoundUnknown(f"Nobody has played {cards!r}.")
    if played.settings.window_s:  # then its times count from its own start, not from t0
        standing = standing.model_copy(update={"late_ms": None})
    return Ghost(course, standing)


async def _fetch(
    url: str, path: str, kind: type[Document], tls: Tls = None, **query: object
) -> Document:
    """Return the document at `path` as a `kind`; raise the errors of `fetch_round`."""
    server, context = server_address(url), context_of(tls)
    if parameters := urlencode({name: value for name, value in query.items() if value}):
        path = f"{path}?{parameters}"
    first_s = OPEN_S if server.startswith("https:") else TIMEOUT_S  # the first attempt's timeout
    try:
        async with asyncio.timeout(TIMEOUT_S):
            text = await asyncio.to_thread(_read, server, path, context, first_s)
    except TimeoutError:
        raise Unreachable(f"No answer from {server} within {TIMEOUT_S:.0f} s.") from None
    try:
        return kind.model_validate_json(text, extra="ignore")
    except ValidationError as error:
        raise ServerError(f"{server} sends no {kind.__name__}.") from error


def _read(server: str, path: str, context: ssl.SSLContext | None, timeout_s: float) -> bytes:
    """GET a path. If an https server is silent for `OPEN_S`, retry, unless it speaks http."""
    proxies = [urllib.request.ProxyHandler({})] if is_loopback(server) else []
    opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context), *proxies)
    try:
        with opener.open(f"{server}{path}", timeout=timeout_s) as response:
            return bytes(response.read())
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == HTTPStatus.NOT_FOUND:
            if path == _DAYS:
                raise ServerError(f"{server} is no Spider Race server.") from None
            _read(server, _DAYS, context, TIMEOUT_S)  # raises if it is not a Spider Race server
            asked = path.partition("?")[0]
            raise RoundUnknown(f"{server} has no {asked}, or that game is not over.") from None
        is_bad = error.code == HTTPStatus.BAD_REQUEST  # as TLS servers answer plain requests
        wrong = wrong_scheme(server, error) if is_bad else None
        raise Unreachable(wrong or f"{server} answers {error.code}.") from error
    except (OSError, HTTPException) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        wrong = wrong_scheme(server, reason)
        if wrong is None and isinstance(reason, TimeoutError) and timeout_s == OPEN_S:
            return _read(server, path, context, TIMEOUT_S - 2 * OPEN_S)  # what `_fetch` has left
        raise Unreachable(wrong or f"No answer from {server}: {reason_of(reason)}.") from error
