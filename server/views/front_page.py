"""The front page: the games and presets, and the list of public rooms.

Each room's row is stored beside its record, so the list can be made without reading whole records.
A row that another release has written may be unreadable; then the record is read instead.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from protocol.games import GAMES, Variant
from protocol.http import Catalogue, GameInfo, Preset, PublicRoom, PublicRooms
from protocol.settings import Settings
from server.games.scores import rate_woods_win
from server.rooms.record import Room
from server.rooms.seats import is_attended
from server.rooms.settings import complete
from server.views import view_of
from server.views.rooms import public_room, running_since

ROWS = 50  # how many rooms the list shows at most
SHARE = 10  # how many rooms of one network the list shows before all others


def _preset(**chosen: Any) -> Settings:
    """Return a preset with half an hour for each game, as all but `friends` have."""
    return complete(Settings(time_limit_s=1_800, **chosen))


def _old_program(**chosen: Any) -> Settings:
    """Return a preset that plays like an old program: every move is the player's own."""
    return _preset(autoplay=False, **chosen)


DOS_MATCH = {"ranking": "best_score", "match_ranking": "score", "rounds": 6}
PRESETS = {
    "friends": complete(Settings()),
    "four-suits": _preset(game="spider-4"),
    # As in xspider and Arachnid: removal by hand, and Woods' score. The rules of xspider do not
    # mention undo. Arachnid takes back everything and counts nothing (its help, section 9).
    "classic": _old_program(game="spider-4", auto_remove=False, undo="any", ranking="best_score"),
    "arachnid": _old_program(game="spider-4", auto_remove=False, undo="free"),
    # As in the DOS program: a match of six games, at level 2 or 1.
    "dos-hard": _old_program(game="spider-4", score="dos", exceptions="hard", **DOS_MATCH),
    "dos-easy": _old_program(game="spider-4", score="dos", exceptions="easy", **DOS_MATCH),
    # As in SerenityOS: one or two suits, and automatic removal.
    "serenity-1": _old_program(game="spider-1"),
    "serenity-2": _old_program(game="spider-2"),
    # Spider of Windows: two suits, undo for everything, and hints with H.
    "windows": _old_program(game="spider-2", score="moves", undo="any", hints=True),
    # From the article that RULES lists as text 5.
    "spiderette": _preset(game="spiderette-4", auto_remove=False),
    "little-spider": _preset(game="little-spider"),
}


def catalogue() -> Catalogue:
    """Return the catalogue that a settings form is made from."""
    return Catalogue(
        games=tuple(_game_info(variant) for variant in GAMES.values()),
        presets=tuple(Preset(id=name, settings=settings) for name, settings in PRESETS.items()),
    )


def _game_info(variant: Variant) -> GameInfo:
    """Return what a settings form shows about a game."""
    all_removed = None  # the `woods` score once all suits are removed, the same in every such game
    if "woods" in variant.scores:
        all_removed = rate_woods_win(
            turned=variant.face_down,
            open_columns=variant.covered_columns,
            suits=variant.foundations,
            on_table=0,
        )
    return view_of(
        GameInfo,
        variant,
        dealt=variant.cards - variant.stock,
        all_removed=all_removed,
        options=tuple(sorted(variant.options)),
    )


class PublicRow(BaseModel):
    """A room's stored row in the list, and the facts that decide whether and where it is shown.

    `network` is the hash of the largest network around the address that opened the room. It is
    empty for the loopback, which has no limits. `running_since` is when the running race started
    (ms since the epoch): `public_rooms` computes from it how long the race has been on.
    """

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)

    room: PublicRoom
    attended: bool
    network: str = ""
    running_since: int | None = None


def row_of(room: Room) -> PublicRow:
    """Return the row that the store keeps for a room."""
    network = next(reversed(room.networks), "")  # the largest around the opener's address
    return PublicRow(
        room=public_room(room),
        attended=is_attended(room),
        network=network,
        running_since=running_since(room),
    )


def row_text(room: Room) -> str:
    """Return a room's stored row, without `running_ms`, which release 1.0.0 could not read."""
    return row_of(room).model_dump_json(exclude={"room": {"running_ms"}})


def read_row(text: str) -> PublicRow | None:
    """Return a stored row, or None if another release has written it in another form."""
    try:
        return PublicRow.model_validate_json(text)
    except ValidationError:
        return None


def listed(rows: Iterable[PublicRow]) -> list[PublicRow]:
    """Return the rows that the list shows: first those within their network's `SHARE`.

    `rows` are sorted newest first, and stay so in both groups. Deserted rooms are left out.
    """
    within, beyond = _by_share(rows)
    return (within + beyond)[:ROWS]


def within_shares(rows: Iterable[PublicRow]) -> int:
    """Return how many rows of attended rooms are within their network's `SHARE`."""
    return len(_by_share(rows)[0])


def _by_share(rows: Iterable[PublicRow]) -> tuple[list[PublicRow], list[PublicRow]]:
    """Return attended rooms in two groups: the first `SHARE` of each network, and the rest."""
    counts: Counter[str] = Counter()
    within: list[PublicRow] = []
    beyond: list[PublicRow] = []
    for row in rows:
        if row.attended:
            counts[row.network] += 1
            # Rooms without a network, which come from the loopback, have no limit.
            is_within = not row.network or counts[row.network] <= SHARE
            (within if is_within else beyond).append(row)
    return within, beyond


def public_rooms(rows: Iterable[PublicRow], now_ms: int, *, computers: bool = True) -> PublicRooms:
    """Return the front page's list of rooms; `computers`: whether it offers computer players."""
    rooms = tuple(_with_running_time(row, now_ms) for row in rows)
    return PublicRooms(rooms=rooms, computers=computers)


def _with_running_time(row: PublicRow, now_ms: int) -> PublicRoom:
    if row.running_since is None:
        return row.room
    return row.room.model_copy(update={"running_ms": max(0, now_ms - row.running_since)})
