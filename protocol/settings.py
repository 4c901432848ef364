"""The settings of a room, each described once.

1. A field of `Settings` has the type, the range and the default; `Setting` has the rest.
2. `games.OPTIONS` lists the games that support a setting, if not all do. The catalogue of games
   lists the values that a game supports (`Setting.by_game`).
3. `EXCLUSIONS` lists the settings that do not go together.

Checks, the values of open fields, JSON Schema and the client's table (`contract/protocol.js`) come
from these. Every field may be left open: `{}` is the friends' race.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from pydantic import ConfigDict, Field

from protocol import vocabulary
from protocol.base import Model
from protocol.games import GameId
from protocol.vocabulary import MAX_PLAYERS, MAX_ROUNDS, Exclusion, Given, SettingsClash

# The chapters of the settings form and of the rules page.
_OfGame = Literal["deal", "dealing", "removing", "exceptions", "undo", "hints", "score", "end"]
Chapter = _OfGame | Literal["ranking", "match", "watching", "people"]


@dataclass(frozen=True, slots=True)
class Setting:
    """The description of a setting, besides its type, its range and its default."""

    chapter: Chapter
    only_with: tuple[str, tuple[str | int, ...]] | None = None
    """Another setting, and its values that this one needs to have an effect."""
    by_game: Literal["scores", "layouts"] | None = None  # the field of `GameInfo` with its values
    offered: tuple[int, ...] = ()  # numbers that a form offers to choose from


DEPENDENT: Mapping[str, str] = {
    "deal": "numbered with a number, seed with a seed, else secret.",
    "layout": "spread for a numbered deal of Spider, as in PySolFC, else left4.",
    "auto_remove": "off under the DOS score and in games without it, else on.",
    "undo": "off under the DOS score, else no_reveal.",
    "score": "the first of the scores of the game, see the catalogue.",
}
"""The settings whose defaults depend on others, and those defaults in words."""


def _describe(schema: dict[str, Any]) -> None:
    """Describe in words the defaults that depend on other settings, and drop their values."""
    for name, value in DEPENDENT.items():
        schema["properties"][name]["description"] = f"Left open: {value}"
        schema["properties"][name].pop("default", None)


# Types and descriptions that would make the line of a field too long.
_Number = Annotated[int, Field(ge=1, le=vocabulary.HIGHEST_NUMBER)]
_Seed = Annotated[str, Field(pattern=vocabulary.SEED_PATTERN)]
_Limit = Annotated[int, Field(ge=10, le=86_400)]
_LIMITS = (300, 600, 900, 1_800, 3_600, 7_200)
_Window = Annotated[int, Field(ge=3_600, le=vocabulary.MAX_WINDOW_S)]
_WINDOWS = (3_600, 86_400, 259_200, 604_800)
_AfterWin = Annotated[int, Field(ge=10, le=3_600)]
_BoardDelay = Annotated[int, Field(ge=0, le=vocabulary.MAX_BOARD_DELAY_S)]
_OF_WINNABLE = Setting("deal", only_with=("winnable", (True,)))
_OF_UNDO = Setting("ranking", only_with=("undo", ("any", "counted")))
_OF_BOARDS = Setting("watching", only_with=("spectate", ("boards",)))
_OF_MATCHES = Setting("match", only_with=("rounds", tuple(range(2, MAX_ROUNDS + 1))))


class Settings(Model):
    """The rules of a room's rounds; `RULES.md` has their texts and sources.

    Every field may be left open. `deal`, `layout`, `undo` and `score` then get a value that fits
    the chosen fields, if their defaults do not. Chosen fields that clash are refused. The server
    always sends complete settings.

    `deal`: `secret` draws a seed for every round; `numbered` plays PySolFC's deal `number` (a
    random one if that is null), and the next numbers in the other games of a match; `seed` plays
    the deal of a revealed `seed`, 16 bytes in hex. Only `secret` deals are not open. `winnable`:
    secret deals are ones that the server knows how to win. If it has none, any secret deal is
    played, and `RoundView.winnable` says so. `degree`: how hard the deal was for the server's
    solver; null for any. If the server finds no such deal in time, it takes another one with a
    known win, and `RoundView.degree` says which. `undo`: `no_reveal` takes back the moves that
    showed no card; `any` takes back everything and counts each turned card or deal taken back, for
    all to see; `counted` takes back everything and counts every undo; `free` takes back everything
    and counts nothing. `hints`: players can ask for a move as often as they like; hints are
    counted for all to see. `autoplay`: a player who can see all cards of a game that is as good as
    won is shown a line that wins, and may let it be played. `chasers`: latecomers may play the
    same deal, unranked, with their own clock. They see cards that racers have not turned yet.
    `window_s`: players start when they like within these seconds after the host's start, once each
    (`chase`), and `time_limit_s` counts from their own start. Nobody sees how others played before
    finishing their own game, or anything of games that are still going on. The race ends sooner
    once everybody with a seat has played and nobody new can enter. The next round of a match
    starts when the one before ends. `after_win_s`: the seconds that the others have left, at most,
    once the first player has won. `cheats`: the undos that count, under `undo: any` and `counted`.
    With `shown` they are only displayed. With `tie` having fewer of them breaks a tie. With `out`
    games that have any rank below the clean games of their group.

    The last ones are about people; the host may change them at any time. `locked`: no newcomers
    may join. `max_players`: newcomers beyond it may only watch. `one_seat`: each network and each
    browser may have one seat. `approve`: newcomers wait until the host admits them. `programs`:
    newcomers that say they are programs may join.
    """

    model_config = ConfigDict(json_schema_extra=_describe)

    game: Annotated[GameId, Setting("deal")] = "spider-1"
    deal: Annotated[vocabulary.DealSource, Setting("deal")] = "secret"
    number: Annotated[_Number | None, Setting("deal", only_with=("deal", ("numbered",)))] = None
    seed: Annotated[_Seed | None, Setting("deal", only_with=("deal", ("seed",)))] = None
    winnable: Annotated[bool, Setting("deal", only_with=("deal", ("secret",)))] = True
    degree: Annotated[vocabulary.Degree | None, _OF_WINNABLE] = None
    layout: Annotated[vocabulary.Layout, Setting("deal", by_game="layouts")] = "left4"
    auto_remove: Annotated[bool, Setting("removing")] = True
    relaxed_deal: Annotated[bool, Setting("dealing")] = False
    exceptions: Annotated[vocabulary.Exceptions, Setting("exceptions")] = "off"
    undo: Annotated[vocabulary.UndoPolicy, Setting("undo")] = "no_reveal"
    hints: Annotated[bool, Setting("hints")] = False
    autoplay: Annotated[bool, Setting("end")] = True
    score: Annotated[vocabulary.Score, Setting("score", by_game="scores")] = "woods"
    ranking: Annotated[Literal["first_home", "best_score"], Setting("ranking")] = "first_home"
    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS), Setting("match")] = 1
    match_ranking: Annotated[Literal["wins", "score"], _OF_MATCHES] = "wins"
    chasers: Annotated[bool, Setting("watching")] = False
    cheats: Annotated[Literal["shown", "tie", "out"], _OF_UNDO] = "shown"
    time_limit_s: Annotated[_Limit | None, Setting("end", offered=_LIMITS)] = 900
    window_s: Annotated[_Window | None, Setting("end", offered=_WINDOWS)] = None
    after_win_s: Annotated[_AfterWin | None, Setting("end", offered=(60, 120, 300))] = None
    spectate: Annotated[Literal["standings", "boards"], Setting("watching")] = "standings"
    board_delay_s: Annotated[_BoardDelay, _OF_BOARDS] = 60
    public: Annotated[bool, Setting("people")] = False
    locked: Annotated[bool, Setting("people")] = False
    max_players: Annotated[int, Field(ge=1, le=MAX_PLAYERS), Setting("people")] = MAX_PLAYERS
    one_seat: Annotated[bool, Setting("people")] = False
    approve: Annotated[bool, Setting("people")] = False
    programs: Annotated[bool, Setting("people")] = True

    @property
    def is_practice(self) -> bool:
        """Whether the room is for one player, who practises and needs no countdown."""
        return self.max_players == 1


SETTINGS: Mapping[str, Setting] = {
    name: next(part for part in field.metadata if isinstance(part, Setting))
    for name, field in Settings.model_fields.items()
}
# No preset has these, and they can always be changed. Players stay ready: these are not rules.
ABOUT_PEOPLE = tuple(name for name, setting in SETTINGS.items() if setting.chapter == "people")

ROOM_EXCLUSIONS = (  # the rules do not use these settings
    Exclusion(SettingsClash.NUMBER_OF_NUMBERED, {"deal": ("secret", "seed"), "number": Given()}),
    Exclusion(SettingsClash.SEED_OF_SEEDED, {"deal": ("secret", "numbered"), "seed": Given()}),
    Exclusion(SettingsClash.SEED_OF_SEEDED, {"deal": ("seed",), "seed": (None,)}),
    Exclusion(SettingsClash.WINDOW_OF_MANY, {"window_s": Given(), "after_win_s": Given()}),
    Exclusion(SettingsClash.WINDOW_OF_MANY, {"window_s": Given(), "chasers": (True,)}),
    Exclusion(SettingsClash.WINDOW_OF_MANY, {"window_s": Given(), "max_players": (1,)}),
)
EXCLUSIONS = (*ROOM_EXCLUSIONS, *vocabulary.RULE_EXCLUSIONS)


def values_of(name: str) -> tuple[Any, ...]:
    """Return the values of a setting that is a switch or a choice of words."""
    annotation = Settings.model_fields[name].annotation
    return (False, True) if annotation is bool else get_args(annotation)
