"""Finished rounds: the deal, the result, and every act of every player."""

import asyncio
import urllib.error
import urllib.request
from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPException
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pydantic import ValidationError

from protocol.games import GAMES
from protocol.http import FinishedRound, RoundReview, SeatLog
from spider_race_client.addresses import code_of, is_loopback, server_address
from spider_race_client.errors import ProgramError, RoundUnknown, ServerError, Unreachable

if TYPE_CHECKING:
    from server.games.game import Game

Document = TypeVar("Document", FinishedRound, RoundReview)
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


async def fetch_round(url: str, code: str, n: int) -> Round:
    """Return round `n` of a room, once it is over.

    `url` is the address of the server, and `code` that of the room, or its link.

    Raises:
        ProgramError: one of them is no address, link or code, or `n` is no number.
        RoundUnknown: there is no such round, it is not over, or its acts are no longer stored.
        Unreachable: the server does not answer, or asks to wait.
        ServerError: the answer is no finished round.
    """
    return Round(await asyncio.to_thread(_fetch, url, code, n, "", FinishedRound))


async def fetch_review(url: str, code: str, n: int) -> RoundReview:
    """Return the review of round `n` of a room, as far as it is made, once the round is over.

    Ask again, at growing intervals, until its `state` is "done"; it is at once if none is made.
    The arguments and the errors are those of `fetch_round`.
    """
    return await asyncio.to_thread(_fetch, url, code, n, "/review", RoundReview)


def _fetch(url: str, code: str, n: int, way: str, kind: type[Document]) -> Document:
    server = server_address(url)
    address = f"{server}/api/rooms/{code_of(code, server)}/rounds/{n}{way}"
    if not isinstance(n, int):
        raise ProgramError(f"{n!r} is no number of a round.")
    handlers = [urllib.request.ProxyHandler({})] if is_loopback(server) else []
    try:
        with urllib.request.build_opener(*handlers).open(address, timeout=TIMEOUT_S) as answer:
            return kind.model_validate_json(answer.read(), extra="ignore")
    except ValidationError as error:
        raise ServerError(f"{server} sends no {kind.__name__}.") from error
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == HTTPStatus.NOT_FOUND:
            raise RoundUnknown(f"{server} has no such round that is over.") from None
        raise Unreachable(f"{server} answers {error.code}.") from error
    except (OSError, HTTPException) as error:
        raise Unreachable(f"No answer from {server}: {error!r}") from error
