"""Previews of links, as messengers show them: a title and a sentence about a room or a round."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from protocol.games import GAMES
from protocol.vocabulary import Language
from server.rooms.record import Room, Round
from server.views.rooms import public_room
from server.views.standings import ranking_view, winners_view

LANGUAGES: Final[Mapping[str, Language]] = {"en": "en", "de": "de"}
"""The languages of previews by their tags. Programs that name none get English."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a link. Names of players are in it as they are: escape it in markup."""

    title: str
    text: str


HOME = Preview("Spider Race", "Race your friends at Spider solitaire. Same cards, same start.")


@dataclass(frozen=True, slots=True)
class PreviewWords:
    """The words of previews in a language; `{}` stands for a name or a number."""

    home: Preview
    host_invites: str
    invited: str
    same: str
    player: str
    players: str
    result: str
    finished: str
    first: str
    see: str


WORDS: Final[Mapping[Language, PreviewWords]] = {
    "en": PreviewWords(
        home=HOME,
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
    "de": PreviewWords(
        home=Preview(
            "Spider Race",
            "Spiel Spider-Solitär mit deinen Freunden um die Wette. "
            "Gleiche Karten, gleicher Start.",
        ),
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


def home_preview(language: Language) -> Preview:
    """Return the preview of a link to the front page."""
    return WORDS[language].home


def room_preview(room: Room, language: Language = "en") -> Preview:
    """Return the preview of a link to a room."""
    words, row = WORDS[language], public_room(room)
    title = words.host_invites.format(row.host) if row.host else words.invited
    text = f"{GAMES[row.game].names[language]} · {_players(row.players, words)}. {words.same}"
    return Preview(title, text)


def round_preview(played: Round, language: Language = "en") -> Preview:
    """Return the preview of a link to a finished round."""
    words = WORDS[language]
    ranking, winners = ranking_view(played), winners_view(played)
    first = next((row for row in ranking if row.seat in winners), None)
    if first is None:
        title = words.result
    elif first.won and first.finished_ms is not None:
        title = words.finished.format(first.name, clock(first.finished_ms))
    else:
        title = words.first.format(first.name)
    game, players = GAMES[played.settings.game].names[language], _players(len(ranking), words)
    return Preview(f"{title} · Spider Race", f"{game} · {players}. {words.see}")


def _players(number: int, words: PreviewWords) -> str:
    return (words.player if number == 1 else words.players).format(number)


def clock(ms: int) -> str:
    """Return a time in whole seconds: `3:07`, `1:02:03`."""
    minutes, seconds = divmod(ms // 1_000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
