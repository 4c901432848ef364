"""Previews of links, as messengers show them: a title and a sentence about a room or a round."""

from dataclasses import dataclass
from types import MappingProxyType

from protocol.vocabulary import GameId
from server.rooms.record import Room, Round
from server.views.rooms import public_room
from server.views.standings import ranking_view, winners_view

GAMES: MappingProxyType[GameId, str] = MappingProxyType(
    {
        "spider-1": "Spider, one suit",
        "spider-2": "Spider, two suits",
        "spider-4": "Spider, four suits",
        "spiderette-1": "Spiderette, one suit",
        "spiderette-2": "Spiderette, two suits",
        "spiderette-4": "Spiderette, four suits",
        "little-spider": "Little Spider",
    }
)
"""The names of the games; they are in English, since programs that ask name no language."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a link. Names of players are in it as they are: escape it in markup."""

    title: str
    text: str


HOME = Preview("Spider Race", "Race your friends at Spider solitaire. Same cards, same start.")


def room_preview(room: Room) -> Preview:
    """Return the preview of a link to a room."""
    row = public_room(room)
    invites = f"{row.host} invites you" if row.host else "You are invited"
    text = f"{GAMES[row.game]} · {_players(row.players)}. Same cards, same start."
    return Preview(f"{invites} to a race at Spider solitaire", text)


def round_preview(played: Round) -> Preview:
    """Return the preview of a link to a finished round."""
    ranking, winners = ranking_view(played), winners_view(played)
    first = next((row for row in ranking if row.seat in winners), None)
    if first is None:
        title = "The result of a race"
    elif first.won and first.finished_ms is not None:
        title = f"{first.name} finished in {_clock(first.finished_ms)}"
    else:
        title = f"{first.name} came first"
    text = f"{GAMES[played.settings.game]} · {_players(len(ranking))}. See the result and replay."
    return Preview(f"{title} · Spider Race", text)


def _players(number: int) -> str:
    return f"{number} player" if number == 1 else f"{number} players"


def _clock(ms: int) -> str:
    """Return a time in whole seconds: `3:07`, `1:02:03`."""
    minutes, seconds = divmod(ms // 1_000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
