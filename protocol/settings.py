"""The settings of a room, each described once.

1. A field of `Settings` has the type, the range and the default; `Setting` has the rest.
2. `vocabulary.OPTIONS` lists the games that support a setting, if not all do; the catalogue of
   games lists the values that a game supports (`Setting.by_game`).
3. `EXCLUSIONS` lists the settings that do not go together.

Checks, values of open fields, JSON Schema and the client's table (`core/settings.js`) are made
from these. Every field may be left open: `{}` is the friends' race.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Literal, get_args

from pydantic import ConfigDict, Field

from protocol.base import Model
from protocol.vocabulary import (
    HIGHEST_NUMBER,
    MAX_BOARD_DELAY_S,
    MAX_PLAYERS,
    MAX_ROUNDS,
    RULE_EXCLUSIONS,
    SEED_PATTERN,
    DealSource,
    Exceptions,
    Exclusion,
    GameId,
    Given,
    Layout,
    Score,
    SettingsClash,
    UndoPolicy,
)

Chapter = Literal[
    "deal",
    "dealing",
    "removing",
    "exceptions",
    "undo",
    "hints",
    "score",
    "end",
    "ranking",
    "match",
    "watching",
    "people",
]
"""The chapters of the form and of the page of rules."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The description of a setting, besides its type, its range and its default.

    The key of its label in the client's strings is its name. Settings of the chapter `people`
    are about the people of the room, not about its game: they can be changed at any time.
    """

    chapter: Chapter
    only_with: tuple[str, tuple[str | int, ...]] | None = None
    """Another setting, and the values of it without which this one has no effect."""
    by_game: Literal["scores", "layouts"] | None = None
    """The field of the catalogue with the values that a game supports, the usual one first."""
    left_open: str | None = None
    """The value of the setting if it is left open, unless that is always its default."""
    offered: tuple[int, ...] = ()
    """Numbers that a form offers to choose from."""


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A row of the README's table of house rules, in the words of players."""

    name: str
    choices: str
    source: str = "a house rule"
    """Numbers of the README's old texts, or house rules; `;` parts them as it parts choices."""
    settings: tuple[str, ...] = ()
    """The settings that the row describes."""


def _describe(schema: dict[str, Any]) -> None:
    """Replace the schema's defaults of settings whose open value depends on other settings."""
    for name, setting in SETTINGS.items():
        if setting.left_open:
            schema["properties"][name]["description"] = f"Left open: {setting.left_open}"
            schema["properties"][name].pop("default", None)


class Settings(Model):
    """The rules of a room's rounds; `RULES.md` has their texts and sources.

    Every field may be left open. `deal`, `layout`, `undo` and `score` then get a value that fits
    the chosen fields, if their defaults do not; chosen fields that clash are refused. The server
    always sends complete settings.

    `deal`: `secret` draws a seed for every round; `numbered` plays PySolFC's deal `number`, and
    the next numbers in the other games of a match (if `number` is null, one is drawn); `seed`
    plays the deal of a `seed` of 16 bytes, in hex, that has been revealed. Only `secret` is not
    open.
    `undo`: `no_reveal` takes back the moves that showed no card; `any` takes back everything and
    counts each turned card or deal that is taken back as a cheat, for all to see; `counted` takes
    back everything and counts every undo as one; `free` takes back everything and counts nothing.
    `hints`: players can ask for a move as often as they like; hints are counted for all to see.
    `chasers`: latecomers may play the same deal, unranked, on a clock of their own.
    Chasers see cards that racers have not turned yet.
    `after_win_s`: seconds that the others have left at most once the first player has won.
    `cheats`: the undos that count, under `undo: any` and `counted`. They are `shown` only, a `tie`
    is broken by fewer of them, or games with any are `out`: ranked below the clean games of their
    group.

    The last five are about the people, not the game; the host may change them at any time.
    `locked`: no newcomers may join. `max_players`: newcomers beyond it may only watch.
    `one_seat`: each network and each browser may have one seat. `approve`: newcomers wait until
    the host admits them.
    """

    model_config = ConfigDict(json_schema_extra=_describe)

    game: Annotated[GameId, Setting("deal")] = "spider-1"
    deal: Annotated[
        DealSource,
        Setting("deal", left_open="numbered with a number, seed with a seed, else secret."),
    ] = "secret"
    number: Annotated[
        Annotated[int, Field(ge=1, le=HIGHEST_NUMBER)] | None,
        Setting("deal", only_with=("deal", ("numbered",))),
    ] = None
    seed: Annotated[
        Annotated[str, Field(pattern=SEED_PATTERN)] | None,
        Setting("deal", only_with=("deal", ("seed",))),
    ] = None
    layout: Annotated[
        Layout,
        Setting(
            "deal",
            by_game="layouts",
            left_open="spread for a numbered deal of Spider, as in PySolFC, else left4.",
        ),
    ] = "left4"
    auto_remove: Annotated[
        bool,
        Setting("removing", left_open="off under the DOS score and in games without it, else on."),
    ] = True
    relaxed_deal: Annotated[bool, Setting("dealing")] = False
    exceptions: Annotated[Exceptions, Setting("exceptions")] = "off"
    undo: Annotated[
        UndoPolicy,
        Setting("undo", left_open="off under the DOS score, else no_reveal."),
    ] = "no_reveal"
    hints: Annotated[bool, Setting("hints")] = False
    score: Annotated[
        Score,
        Setting(
            "score",
            by_game="scores",
            left_open="the first of the scores of the game, see the catalogue.",
        ),
    ] = "woods"
    ranking: Annotated[Literal["first_home", "best_score"], Setting("ranking")] = "first_home"
    rounds: Annotated[int, Field(ge=1, le=MAX_ROUNDS), Setting("match")] = 1
    match_ranking: Annotated[
        Literal["wins", "score"],
        Setting("match", only_with=("rounds", tuple(range(2, MAX_ROUNDS + 1)))),
    ] = "wins"
    chasers: Annotated[bool, Setting("watching")] = False
    cheats: Annotated[
        Literal["shown", "tie", "out"],
        Setting("ranking", only_with=("undo", ("any", "counted"))),
    ] = "shown"
    time_limit_s: Annotated[
        Annotated[int, Field(ge=10, le=86_400)] | None,
        Setting("end", offered=(300, 600, 900, 1_800, 3_600, 7_200)),
    ] = 900
    after_win_s: Annotated[
        Annotated[int, Field(ge=10, le=3_600)] | None,
        Setting("end", offered=(60, 120, 300)),
    ] = None
    spectate: Annotated[Literal["standings", "boards"], Setting("watching")] = "standings"
    board_delay_s: Annotated[
        int,
        Field(ge=0, le=MAX_BOARD_DELAY_S),
        Setting("watching", only_with=("spectate", ("boards",))),
    ] = 60
    public: Annotated[bool, Setting("people")] = False
    locked: Annotated[bool, Setting("people")] = False
    max_players: Annotated[int, Field(ge=1, le=MAX_PLAYERS), Setting("people")] = MAX_PLAYERS
    one_seat: Annotated[bool, Setting("people")] = False
    approve: Annotated[bool, Setting("people")] = False


SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {
        name: next(part for part in field.metadata if isinstance(part, Setting))
        for name, field in Settings.model_fields.items()
    }
)
"""The descriptions of the settings, in the order of the fields."""

ABOUT_PEOPLE = tuple(name for name, setting in SETTINGS.items() if setting.chapter == "people")
"""Settings about people, which are part of no preset and can be changed at any time.

They change no rule, so players stay ready when they change.
"""

HOUSE_RULES = (
    HouseRule(
        "the deal",
        "secret, with a commitment; one of PySolFC's numbers; a seed that was revealed",
        "house rules",
        settings=("deal", "number", "seed"),
    ),
    HouseRule(
        "the four extra cards",
        "on columns 1–4; on 1, 4, 7 and 10",  # noqa: RUF001  # the README is typeset
        "1",
        settings=("layout",),
    ),
    HouseRule(
        "dealing on empty columns",
        "not allowed; allowed",
        "1, 2, 3, 5; a house rule",
        settings=("relaxed_deal",),
    ),
    HouseRule(
        "removing a suit",
        "by hand, as a strategy; automatically",
        "1, 2, 3; a house rule",
        settings=("auto_remove",),
    ),
    HouseRule(
        "exceptions: runs of mixed suits",
        'none; freely ("easy"); on request ("hard")',
        "3",
        settings=("exceptions",),
    ),
    HouseRule(
        "undo",
        "what showed no card; everything, turned cards and deals counted as cheats for all to "
        "see; everything, every undo counted; everything, uncounted; none",
        "a house rule; a house rule, after 2; 2; 2; 3",
        settings=("undo",),
    ),
    HouseRule(
        "counted undo in the ranking",
        "only shown; it decides ties; games without it first",
        "house rules",
        settings=("cheats",),
    ),
    HouseRule(
        "hints",
        "none; or a move on request, counted for all to see (always on when you practise alone)",
        settings=("hints",),
    ),
    HouseRule(
        "a match",
        f"1 to {MAX_ROUNDS} games with a score card, in the order that the host chooses; six are "
        "the DOS card",
        "3",
        settings=("rounds",),
    ),
    HouseRule(
        "ranking",
        "winners first, then everyone who played on, then players who gave up; winners by time or "
        "by score, the other players by score (under Windows by completed suits); matches by wins "
        "or by total",
        "house rules",
        settings=("ranking", "match_ranking"),
    ),
    HouseRule(
        "the clock",
        "no limit, or up to a day",
        settings=("time_limit_s",),
    ),
    HouseRule(
        "once the first player has won",
        "the race goes on; it ends after one, two or five minutes",
        settings=("after_win_s",),
    ),
    HouseRule(
        "spectators",
        "standings only; boards, late by as much as the host likes, and at once for players whose "
        "own game is over",
        settings=("spectate", "board_delay_s"),
    ),
    HouseRule(
        "latecomers",
        "watch; play the same deal, unranked, on a clock of their own",
        settings=("chasers",),
    ),
    HouseRule(
        "who may join",
        "anybody with the link, or from the list on the front page; up to a number of players; "
        "nobody new; people that the host lets in; one seat per browser and network",
        "house rules",
        settings=("public", "max_players", "locked", "approve", "one_seat"),
    ),
)
"""The table of all settings but the game and its score, which have tables of their own."""

DEAL_EXCLUSIONS = (
    Exclusion(
        SettingsClash.NUMBER_OF_NUMBERED,
        {"deal": ("secret", "seed"), "number": Given()},
    ),
    Exclusion(
        SettingsClash.SEED_OF_SEEDED,
        {"deal": ("secret", "numbered"), "seed": Given()},
    ),
    Exclusion(SettingsClash.SEED_OF_SEEDED, {"deal": ("seed",), "seed": (None,)}),
)
"""The settings of the deal that do not go together, which the rules do not use."""

EXCLUSIONS = (*DEAL_EXCLUSIONS, *RULE_EXCLUSIONS)
"""The settings that do not go together in any game."""


def values_of(name: str) -> tuple[Any, ...]:
    """Return the values of a setting that is a switch or a choice of words."""
    annotation = Settings.model_fields[name].annotation
    return (False, True) if annotation is bool else get_args(annotation)
