"""Finished rounds: the deal, the result, and every act of every player."""

import asyncio
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from functools import partial
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse, HTTPSConnection
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pydantic import ValidationError

from protocol.base import Model
from protocol.games import GAMES
from protocol.http import FinishedRound, RoundReview, SeatLog
from spider_race_client.addresses import code_of, is_loopback, server_address
from spider_race_client.errors import ProgramError, RoundUnknown, ServerError, Unreachable
from spider_race_client.tls import OPEN_S, Tls, context_of, wrong_scheme

if TYPE_CHECKING:
    from server.games.game import Game

Document = TypeVar("Document", bound=Model)
TIMEOUT_S = 30.0


class ReplayedAct(NamedTuple):
    """One act of a replay, and the game after it."""

    ms: int  # since t0
    action: str
    game: "Game"  # the engine's, the same object for all acts of a player


class Round(NamedTuple):
    """A finished round: its settings, revealed deal and ranking, and the log of each player."""

    document: FinishedRound

    def replay(self, player: SeatLog) -> Iterator[ReplayedAct]:
        """Play a player's acts again on the revealed cards; yield the game after each one.

        The iteration raises the errors.

        Raises:
            ProgramError: the engine is not installed: `pip install spider-race`.
            ServerError: an act is against the rules, or the cards are no deck.
        """
        try:  # only here: programs that replay nothing need no engine
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


async def fetch_round(url: str, code: str, n: int, *, tls: Tls = None) -> Round:
    """Return round `n` of a room, once it is over.

    `url`: the server's address. `code`: the room's code or its link. `tls`: as in `connect`.

    Raises:
        ProgramError: one of them is no address, link or code, or `n` is no number.
        RoundUnknown: there is no such round, it is not over, or its acts are no longer stored.
        Unreachable: the server does not answer, or asks to wait.
        ServerError: the answer is no finished round.
    """
    return Round(await _fetch(url, _path(url, code, n), FinishedRound, tls))


async def fetch_review(url: str, code: str, n: int, *, tls: Tls = None) -> RoundReview:
    """Return the review of round `n` of a room: the part that is ready, once the round is over.

    Ask again, at growing intervals, until its `state` is "done"; it is at once if none is made.
    The arguments and the errors are those of `fetch_round`.
    """
    return await _fetch(url, f"{_path(url, code, n)}/review", RoundReview, tls)


def _path(url: str, code: str, n: int) -> str:
    if not isinstance(n, int):
        raise ProgramError(f"{n!r} is no number of a round.")
    return f"/api/rooms/{code_of(code, server_address(url))}/rounds/{n}"


class _Connection(HTTPSConnection):
    """An encrypted connection that has `OPEN_S` to open, and longer for the answer."""

    def connect(self) -> None:
        answer_s, self.timeout = self.timeout, OPEN_S
        super().connect()
        self.sock.settimeout(answer_s)


class _Handler(urllib.request.HTTPSHandler):
    """Requests with TLS, which trust the certificates of a context."""

    def __init__(self, context: ssl.SSLContext | None) -> None:
        super().__init__()
        self._open = partial(_Connection, context=context)

    def https_open(self, request: urllib.request.Request) -> HTTPResponse:
        return self.do_open(self._open, request)


async def _fetch(url: str, path: str, kind: type[Document], tls: Tls) -> Document:
    """Return a document within `TIMEOUT_S`; `fetch_round` lists the errors."""
    server, context = server_address(url), context_of(tls)
    fetching = asyncio.to_thread(_read, server, path, context)
    try:
        async with asyncio.timeout(TIMEOUT_S):
            text = await fetching
    except TimeoutError:
        raise Unreachable(f"No answer from {server} within {TIMEOUT_S:.0f} s.") from None
    try:
        return kind.model_validate_json(text, extra="ignore")
    except ValidationError as error:
        raise ServerError(f"{server} sends no {kind.__name__}.") from error


def _read(server: str, path: str, context: ssl.SSLContext | None) -> bytes:
    proxies = [urllib.request.ProxyHandler({})] if is_loopback(server) else []
    opener = urllib.request.build_opener(_Handler(context), *proxies)
    try:
        with opener.open(f"{server}{path}", timeout=TIMEOUT_S) as answer:
            found: bytes = answer.read()
            return found
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == HTTPStatus.NOT_FOUND:
            raise RoundUnknown(f"{server} has no {path}, or that game is not over.") from None
        is_bad = error.code == HTTPStatus.BAD_REQUEST  # as servers with TLS answer plain requests
        wrong = wrong_scheme(server, error) if is_bad else None
        raise Unreachable(wrong or f"{server} answers {error.code}.") from error
    except (OSError, HTTPException) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        why = reason if isinstance(reason, ssl.SSLError) else repr(reason)
        wrong = wrong_scheme(server, reason)
        raise Unreachable(wrong or f"No answer from {server}: {why}.") from error
