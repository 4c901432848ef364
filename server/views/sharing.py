"""The previews of shared links, as messengers show them, and the picture of a result.

The picture is SVG, which browsers turn into a PNG. It uses the reader's fonts, since names may be
in any script. Every text is escaped, and the picture contains no scripts and loads no files.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from protocol.games import GAMES
from protocol.views import Standing
from protocol.vocabulary import Language, SeatState
from server.rooms.ranking import final_ranking, winners
from server.rooms.record import Room, Round
from server.views.rooms import public_room
from server.views.standings import ranking_view

LANGUAGES: Final[Mapping[str, Language]] = {"en": "en", "de": "de"}
"""The languages of previews, by language tag. The default is English."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The preview of a link. It may contain names of players, so escape it in markup."""

    title: str
    text: str


WORDS: Final[Mapping[str, Mapping[Language, str]]] = {
    "home": {
        "en": "Race your friends at Spider solitaire. Same cards, same start.",
        "de": "Spiel Spider-Solitär mit deinen Freunden um die Wette. "
        "Gleiche Karten, gleicher Start.",
    },
    "host_invites": {
        "en": "{} invites you to a race at Spider solitaire",
        "de": "{} lädt dich zu einem Rennen in Spider-Solitär ein",
    },
    "invited": {
        "en": "You are invited to a race at Spider solitaire",
        "de": "Du bist zu einem Rennen in Spider-Solitär eingeladen",
    },
    "same_start": {"en": "Same cards, same start.", "de": "Gleiche Karten, gleicher Start."},
    "until": {
        "en": "Play when you like until {day} {month}, {time} UTC.",
        "de": "Spiel, wann du willst, bis {day}.{number}., {time} Uhr UTC.",
    },
    "day": {"en": "Today’s race", "de": "Rennen des Tages"},
    "same_day": {
        "en": "The same cards for everyone. You have one try.",
        "de": "Dieselben Karten für alle. Du hast einen Versuch.",
    },
    "ghost": {"en": "Race a ghost at Spider solitaire", "de": "Spiel gegen einen Geist"},
    "same_cards": {
        "en": "The cards of a finished game, and your own start.",
        "de": "Die Karten eines fertigen Spiels, und dein eigener Start.",
    },
    "challenges": {
        "en": "{} challenges you at Spider solitaire",
        "de": "{} fordert dich in Spider-Solitär heraus",
    },
    "to_beat": {"en": "{} to beat", "de": "{} gilt es zu schlagen"},
    "points": {"en": "{} points", "de": "{} Punkte"},
    "player": {"en": "{} player", "de": "{} Spieler"},
    "players": {"en": "{} players", "de": "{} Spieler"},
    "of_a_race": {"en": "The result of a race", "de": "Das Ergebnis eines Rennens"},
    "finished_in": {"en": "{} finished in {}", "de": "{} war in {} fertig"},
    "first": {"en": "{} came first", "de": "{} war vorn"},
    "see": {"en": "See the result and replay.", "de": "Sieh dir Ergebnis und Verlauf an."},
    "wins": {"en": "{} wins", "de": "{} gewinnt"},
    "share": {"en": "{} share the win", "de": "{} teilen sich den Sieg"},
    "many_share": {"en": "{} players share the win", "de": "{} Spieler teilen sich den Sieg"},
    "finished": {"en": "{} finished", "de": "{} ist im Ziel"},
    "played": {"en": "{} played", "de": "{} hat gespielt"},
    "nobody": {"en": "Nobody finished", "de": "Niemand ist im Ziel"},
    "and": {"en": " and ", "de": " und "},
    "more": {"en": "and {} more", "de": "und {} weitere"},
    "name": {"en": "Player", "de": "Name"},
    "result": {"en": "Result", "de": "Ergebnis"},
    "score": {"en": "Score", "de": "Punkte"},
    "suits": {"en": "Suits", "de": "Farben"},
    "gave_up": {"en": "Gave up", "de": "Aufgegeben"},
    "stuck": {"en": "Stuck", "de": "Kein Zug mehr"},
    "timed_out": {"en": "Out of time", "de": "Zeit abgelaufen"},
    "date": {"en": "{day} {month} {year}", "de": "{day}.{number}.{year}"},
    "decimal": {"en": ".", "de": ","},
}
"""The texts of previews and pictures by language; `{}` stands for a name or a number."""

Words = Mapping[str, str]


def _words(language: Language) -> Words:
    return {name: texts[language] for name, texts in WORDS.items()}


def link_preview(path: str, language: Language) -> Preview:
    """Return a preview that depends on the link's path alone, and shows no card or result."""
    words, (kind, *rest) = _words(language), path.strip("/").split("/")
    if kind == "d" and len(rest) > 1:  # /d/DATE/GAME
        year, month, day = map(int, rest[0].split("-"))
        date = words["date"].format(day=day, month=MONTHS[month - 1], number=month, year=year)
        return Preview(
            f"{words['day']} · {date}", f"{GAMES[rest[1]].names[language]} · {words['same_day']}"
        )
    if kind == "g":
        return Preview(words["ghost"], words["same_cards"])
    return Preview("Spider Race", words["home"])


Minute = tuple[int, int, int, int]
"""A month, its day, an hour and a minute, in UTC: readers of a preview may be in any time zone."""


def room_preview(room: Room, language: Language = "en", closes: Minute | None = None) -> Preview:
    """Return the preview of a link to a room; in a window, players may start until `closes`."""
    words, row = _words(language), public_room(room)
    title = words["host_invites"].format(row.host) if row.host else words["invited"]
    when = words["same_start"]
    if closes is not None:
        month, day, hour, minute = closes
        time = f"{hour:02}:{minute:02}"
        when = words["until"].format(day=day, month=MONTHS[month - 1], number=month, time=time)
    text = f"{GAMES[row.game].names[language]} · {_players(row.players, words)}. {when}"
    return Preview(title, text)


def round_preview(played: Round, language: Language = "en") -> Preview:
    """Return the preview of a link to a finished round."""
    words = _words(language)
    ranking, winner_seats = ranking_view(played), winners(final_ranking(played).rows)
    winner = next((row for row in ranking if row.seat in winner_seats), None)
    if winner is None:
        title = words["of_a_race"]
    elif winner.won and winner.finished_ms is not None:
        title = words["finished_in"].format(winner.name, format_time(winner.finished_ms))
    else:
        title = words["first"].format(winner.name)
    game, players = GAMES[played.settings.game].names[language], _players(len(ranking), words)
    return Preview(f"{title} · Spider Race", f"{game} · {players}. {words['see']}")


def challenge_preview(played: Round, seat: int, language: Language = "en") -> Preview | None:
    """Return the preview of a link to race a finished game; None if the seat was empty."""
    row = next((row for row in ranking_view(played) if row.seat == seat), None)
    if row is None:
        return None
    words, game = _words(language), GAMES[played.settings.game].names[language]
    result = format_time(row.finished_ms or 0) if row.won else words["points"].format(row.score)
    text = f"{words['to_beat'].format(result)} · {game}. {words['same_cards']}"
    return Preview(words["challenges"].format(row.name), text)


def _players(number: int, words: Words) -> str:
    return (words["player"] if number == 1 else words["players"]).format(number)


def format_time(ms: int) -> str:
    """Return a time in whole seconds: `3:07`, `1:02:03`."""
    minutes, seconds = divmod(ms // 1_000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


WIDTH: Final = 1200
HEIGHT: Final = 630
"""The size of the picture, which messengers show without cropping."""

MAX_ROWS: Final = 6
MAX_NAMES: Final = 3  # in the heading

EDGE: Final = 60  # left and right of the panel
PANEL_TOP: Final = 218
HEAD: Final = 46  # the height of the header row
FOOT: Final = 12  # the space below the last row
MAX_ROW_HEIGHT: Final = 76
COLUMNS: Final = {"place": 44, "mark": 96, "name": 130, "result": 610, "score": 900, "suits": 1040}
"""The x of each column in the panel: its left edge, or the right edge of `score` and `suits`."""
NAME_WIDTH: Final = 460
PROGRAM_WIDTH: Final = 36  # the space for `PROGRAM` before a computer player's name

FONT: Final = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
INK: Final = "#17211c"
SOFT: Final = "#56635c"
LINE: Final = "#d6dbd8"
GOLD: Final = "#f2b632"

FRAME: Final = (
    f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}"'
    f' viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{FONT}">'
)
CLOTH: Final = (
    '<defs><radialGradient id="felt" cx=".5" cy="0" r="1"><stop stop-color="#1d6b52"/>'
    '<stop offset="1" stop-color="#0b2f25"/></radialGradient></defs>'
    f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#felt)"/>'
)

WORDMARK: Final = "<g transform='scale(.375)'><path d='M25 30 15 24 10 10M22 36 11 34 4 24M22 41 11 44 6 55M26 46 18 52 16 61M39 30 49 24 54 10M42 36 53 34 60 24M42 41 53 44 58 55M38 46 46 52 48 61' fill='none' stroke='#fff' stroke-width='3.6' stroke-linecap='round' stroke-linejoin='round'/><path d='M32 17C37 25 45 30 45 39 45 47 37 48 34 44Q34.5 48 37 51H27Q29.5 48 30 44C27 48 19 47 19 39 19 30 27 25 32 17Z' fill='#fff'/></g><g transform='translate(30 5)skewX(-9)' fill='none' stroke='#fff' stroke-width='2.5' stroke-linecap='round' stroke-linejoin='round'><path d='M9.5 2.6C8.2-.8.8-1 .8 3.5.8 8 9.8 6 9.8 10.5 9.8 15 1.4 14.8.2 11.2' transform='translate(0)'/><path d='M.8 14V0H5.5C11.3 0 11.3 7.6 5.5 7.6H.8' transform='translate(14)'/><path d='M.8 0V14' transform='translate(27.4)'/><path d='M.8 0V14H3.5C12.4 14 12.4 0 3.5 0Z' transform='translate(33)'/><path d='M9 0H.8V14H9M.8 6.8H7.6' transform='translate(47.4)'/><path d='M.8 14V0H5.5C11.3 0 11.3 7.6 5.5 7.6H.8M5 7.6 9.8 14' transform='translate(60.4)'/><path d='M.8 14V0H5.5C11.3 0 11.3 7.6 5.5 7.6H.8M5 7.6 9.8 14' transform='translate(82)'/><path d='M0 14 5 0 10 14M1.9 9.300H8.1' transform='translate(96)'/><path d='M9.8 2.6C7.5-1.2.3-1 .3 7 .3 15 7.5 15.2 9.8 11.4' transform='translate(109.4)'/><path d='M9 0H.8V14H9M.8 6.8H7.6' transform='translate(123)'/></g>"  # noqa: E501  # a drawing
"""The wordmark in white, as SVG elements, 24 units high."""

PROGRAM: Final = (
    "M7 0h2v3h4a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H3a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4z"
    "M4 7v3h3V7zM9 7v3h3V7z"
)
"""The robot's head before a computer player's name, as in `widgets/controls.js`, 16 by 16."""

MARKS: Final[Mapping[str, tuple[str, str]]] = {
    "blue": ("#0f2fc0", "M-1 0a1 1 0 1 1 2 0 1 1 0 1 1-2 0z"),
    "red": ("#c8454f", "M0-1.3 1.2.9H-1.200z"),
    "green": ("#3d7412", "M-1-1H1V1H-1z"),
    "violet": ("#8560ea", "M0-1.4.4-.4 1.4-.4.6.3.9 1.3 0 .7-.9 1.3-.6.3-1.4-.4-.4-.4z"),
    "teal": ("#128a94", "M-.5-1.300H.5V-.5H1.300V.5H.5V1.300H-.5V.5H-1.300V-.5H-.5z"),
    "pink": (
        "#a4007f",
        "M-1 0a1 1 0 1 1 2 0 1 1 0 1 1-2 0zM-.4 0a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0z",
    ),
    "gold": ("#b5850c", "M-1.1-1.100H-.3V1.100H-1.100zM.3-1.100H1.100V1.100H.3z"),
    "copper": ("#703700", "M-1.3.2 0-1 1.3.2V1.100L0 0-1.3 1.100z"),
}
"""The mark of each seat's colour: the colour itself, and an SVG path centred on 0,0."""

NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The characters that are not allowed in XML."""


Date = tuple[int, int, int]
"""The year, the month and the day of the month."""

MONTHS: Final = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


def result_picture(played: Round, date: Date, language: Language = "en") -> str:
    """Return the picture of a finished round as SVG; `date` is the day of the race."""
    assert played.ended is not None, "a running round is not revealed"
    words = _words(language)
    ranking, winner_seats = ranking_view(played), winners(final_ranking(played).rows)
    title = _title(ranking, winner_seats, words)
    size = _fitting_size(title, WIDTH - 2 * EDGE, 68)
    game = GAMES[played.settings.game].names[language]
    year, month, day = date
    date_text = words["date"].format(day=day, month=MONTHS[month - 1], number=month, year=year)
    # Move a short table and its heading down, almost to the middle of the cloth.
    free_height = HEIGHT - PANEL_TOP - EDGE // 2
    rows = min(len(ranking), MAX_ROWS)
    row_height = min(MAX_ROW_HEIGHT, (free_height - HEAD - FOOT) // max(rows, 1))
    height = HEAD + rows * row_height + FOOT
    down = (free_height - height) * 0.4
    right = WIDTH - EDGE
    return "".join(
        [
            FRAME,
            f"<title>{_text(title)} · Spider Race</title>",
            CLOTH,
            f'<g transform="translate({EDGE} 40)scale(2.2)">{WORDMARK}</g>',
            _line(right, 66, game, size=26, anchor="end", fill="#fff"),
            _line(right, 98, date_text, size=22, anchor="end", fill="#cfe0d9"),
            f'<g transform="translate(0 {down:g})">',
            _line(WIDTH // 2, 184, title, size=size, anchor="middle", fill="#fff", weight=800),
            f'<g transform="translate({EDGE} {PANEL_TOP})">',
            f'<rect width="{WIDTH - 2 * EDGE}" height="{height}" rx="18" fill="#fff"/>',
            *_table(played, ranking, winner_seats, row_height, words),
            "</g></g></svg>",
        ]
    )


def _title(ranking: Sequence[Standing], winner_seats: Sequence[int], words: Words) -> str:
    """Return the heading: the winners, or how a lone player's race ended."""
    # A right-to-left name would reorder the text around it, unless it is isolated.
    isolated = [(row, f"\u2068{row.name}\u2069") for row in ranking]
    if len(ranking) == 1:
        ((row, name),) = isolated
        return (words["finished"] if row.won else words["played"]).format(name)
    names = [name for row, name in isolated if row.seat in winner_seats]
    if not names:
        return words["nobody"]
    if len(names) > MAX_NAMES:
        return words["many_share"].format(len(names))
    if len(names) == 1:
        return words["wins"].format(names[0])
    return words["share"].format(f"{', '.join(names[:-1])}{words['and']}{names[-1]}")


def _table(
    played: Round,
    ranking: Sequence[Standing],
    winner_seats: Sequence[int],
    row_height: int,
    words: Words,
) -> Iterator[str]:
    """Yield the table's SVG elements; if not all players fit, its last row counts the others."""
    for column in ("name", "result", "score", "suits"):
        anchor = "end" if column in {"score", "suits"} else "start"
        text = words[column]
        yield _line(COLUMNS[column], 34, text, size=19, anchor=anchor, fill=SOFT, weight=600)
    middle = HEAD + row_height / 2
    shown = len(ranking) if len(ranking) <= MAX_ROWS else MAX_ROWS - 1
    for row in ranking[:shown]:
        top = middle - row_height / 2
        yield f'<path d="M20 {top:g}H{WIDTH - 2 * EDGE - 20}" stroke="{LINE}"/>'
        yield from _row(row, played, middle, words, won=row.seat in winner_seats)
        middle += row_height
    if missing := len(ranking) - shown:
        yield _line(COLUMNS["name"], middle + 9, words["more"].format(missing), size=24, fill=SOFT)


def _row(row: Standing, played: Round, middle: float, words: Words, *, won: bool) -> Iterator[str]:
    """Yield the SVG elements of a row; `middle` is the y of its middle."""
    baseline, left = middle + 10, COLUMNS["name"]
    colour, shape = MARKS[played.colours[row.seat]]
    if won:
        yield f'<circle cx="{COLUMNS["place"]}" cy="{middle:g}" r="22" fill="{GOLD}"/>'
    place = "" if row.place is None or not row.has_acted else str(row.place)
    weight = 800 if won else 600
    yield _line(COLUMNS["place"], baseline, place, size=28, anchor="middle", weight=weight)
    yield (
        f'<g transform="translate({COLUMNS["mark"]} {middle:g})">'
        f'<rect x="-19" y="-19" width="38" height="38" rx="11" fill="{colour}"/>'
        f'<path d="{shape}" transform="scale(10)" fill="#fff" fill-rule="evenodd"/></g>'
    )
    if row.seat in played.programs:
        at = f"translate({left} {middle - 13:g})scale(1.6)"
        yield f'<path d="{PROGRAM}" transform="{at}" fill="{INK}" fill-rule="evenodd"/>'
        left += PROGRAM_WIDTH
    # The inner svg cuts off a name that is too long even in the smallest letters.
    width = NAME_WIDTH + COLUMNS["name"] - left
    size = _fitting_size(row.name, width, 30)
    yield f'<svg x="{left}" y="{middle - 26:g}" width="{width}" height="52">'
    yield f"{_line(0, 36, row.name, size=size, weight=700)}</svg>"
    yield _line(COLUMNS["result"], baseline, _result(row, words), size=27)
    yield _line(COLUMNS["score"], baseline, str(row.score), size=28, anchor="end", weight=700)
    yield _line(COLUMNS["suits"], baseline, str(row.suits), size=28, anchor="end")


def _result(row: Standing, words: Words) -> str:
    """Return the time of a win; otherwise say in words how the game ended."""
    if row.won and row.finished_ms is not None:
        return f"{format_time(row.finished_ms)}{words['decimal']}{row.finished_ms % 1_000 // 100}"
    if row.state is SeatState.FORFEIT:
        return words["gave_up"]
    return words["timed_out"] if row.state is SeatState.TIMED_OUT else words["stuck"]


def _fitting_size(text: str, width: int, max_size: int) -> int:
    """Return the font size that fits a bold text into `width`, but not below `max_size // 3`."""
    ems = sum(_width_ems(letter) for letter in text)
    return max(max_size // 3, min(max_size, int(width / max(ems, 1))))


def _width_ems(letter: str) -> float:
    """Return the estimated width of a bold letter."""
    if unicodedata.combining(letter) or unicodedata.category(letter) in {"Cf", "Mn", "Me"}:
        return 0
    if unicodedata.east_asian_width(letter) in "WF" or letter > "\uffff":
        return 1.3
    return 1.1 if letter in "WM@%" else 0.7 if letter.isupper() else 0.6


def _line(
    x: float,
    y: float,
    text: str,
    *,
    size: int,
    anchor: str = "start",
    fill: str = INK,
    weight: int = 400,
) -> str:
    """Return a line of text as an SVG element: its `anchor` is at `x`, its baseline at `y`."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" fill="{fill}"'
        f' text-anchor="{anchor}">{_text(text)}</text>'
    )


def _text(text: str) -> str:
    return escape(NOT_XML.sub("\ufffd", text))
