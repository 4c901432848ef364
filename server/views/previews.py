"""Previews of links, as messengers show them: a title and a sentence about a room or a round."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from protocol.vocabulary import GameId
from server.rooms.record import Room, Round
from server.views.rooms import public_room
from server.views.standings import ranking_view, winners_view

Language = Literal["en", "de"]

LANGUAGES: MappingProxyType[str, Language] = MappingProxyType({"en": "en", "de": "de"})
"""The languages of previews by their tags. Programs that name none get English."""

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
"""The English names of the games."""

GERMAN_GAMES: MappingProxyType[GameId, str] = MappingProxyType(
    {
        "spider-1": "Spider, eine Farbe",
        "spider-2": "Spider, zwei Farben",
        "spider-4": "Spider, vier Farben",
        "spiderette-1": "Spiderette, eine Farbe",
        "spiderette-2": "Spiderette, zwei Farben",
        "spiderette-4": "Spiderette, vier Farben",
        "little-spider": "Little Spider",
    }
)
"""The German names of the games."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a link. Names of players are in it as they are: escape it in markup."""

    title: str
    text: str


HOME = Preview("Spider Race", "Race your friends at Spider solitaire. Same cards, same start.")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of previews in a language; `{}` stands for a name or a number."""

    home: Preview
    games: Mapping[GameId, str]
    host_invites: str
    invited: str
    same: str
    player: str
    players: str
    result: str
    finished: str
    first: str
    see: str


WORDS: MappingProxyType[Language, Words] = MappingProxyType(
    {
        "en": Words(
            home=HOME,
            games=GAMES,
            host_invites="{} invites you to a race at Spider solitaire",
            invited="You are invited to a race at Spider solitaire",
            same="Same cards, same start.",
            player="{} player",
            players="{} players",
            result="The result of a race",
            finished="{} finished in {}",
            first="{} came first",
            see="See the result and replay.",
        ),
        "de": Words(
            home=Preview(
                "Spider Race",
                "Spiel Spider-Solitär mit deinen Freunden um die Wette. "
                "Gleiche Karten, gleicher Start.",
            ),
            games=GERMAN_GAMES,
            host_invites="{} lädt dich zu einem Rennen in Spider-Solitär ein",
            invited="Du bist zu einem Rennen in Spider-Solitär eingeladen",
            same="Gleiche Karten, gleicher Start.",
            player="{} Spieler",
            players="{} Spieler",
            result="Das Ergebnis eines Rennens",
            finished="{} war in {} fertig",
            first="{} war vorn",
            see="Sieh dir Ergebnis und Verlauf an.",
        ),
    }
)


def home_preview(language: Language) -> Preview:
    """Return the preview of a link to the front page."""
    return WORDS[language].home


def room_preview(room: Room, language: Language = "en") -> Preview:
    """Return the preview of a link to a room."""
    words, row = WORDS[language], public_room(room)
    title = words.host_invites.format(row.host) if row.host else words.invited
    text = f"{words.games[row.game]} · {_players(row.players, words)}. {words.same}"
    return Preview(title, text)


def round_preview(played: Round, language: Language = "en") -> Preview:
    """Return the preview of a link to a finished round."""
    words = WORDS[language]
    ranking, winners = ranking_view(played), winners_view(played)
    first = next((row for row in ranking if row.seat in winners), None)
    if first is None:
        title = words.result
    elif first.won and first.finished_ms is not None:
        title = words.finished.format(first.name, _clock(first.finished_ms))
    else:
        title = words.first.format(first.name)
    game, players = words.games[played.settings.game], _players(len(ranking), words)
    return Preview(f"{title} · Spider Race", f"{game} · {players}. {words.see}")


def _players(number: int, words: Words) -> str:
    return (words.player if number == 1 else words.players).format(number)


def _clock(ms: int) -> str:
    """Return a time in whole seconds: `3:07`, `1:02:03`."""
    minutes, seconds = divmod(ms // 1_000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
