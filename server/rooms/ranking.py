"""Players' stats as JSON, written for each act, and the ranking of a race by these stats.

RULES, Ranking of a round.
"""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from pydantic import TypeAdapter

from protocol.vocabulary import BotLevel, Outcome, SeatState, TieBreaker
from server.games.deals import new_game, numbered_deck
from server.games.game import Counts, Game
from server.games.rules import Rules
from server.rooms.deals import dealt_game
from server.rooms.record import PlayerStats, Round, Stats
from server.rooms.settings import rules_of

_WON: Final = Outcome.WON
_VALIDATOR: Final = TypeAdapter(PlayerStats).validator


def write_stats(game: Game, restored: int, counts: Counts) -> str:
    """Return a game's stats as JSON, without times and hints; `restored` counts resent acts."""
    # By hand, for speed: every act writes this text, and none of the values needs escapes.
    won = "true" if game.outcome is _WON else "false"
    complete = game.suits_on_table if game.rules.score == "moves" else 0  # other scores ignore it
    on_table = f'"on_table":{complete},' if complete else ""
    unplayed = "" if game.at else ',"has_acted":false'
    return (
        f'{{"score":{game.score},"moves":{counts.moves},"suits":{counts.suits},'
        f'"home":{counts.home},"face_down":{counts.face_down},"cheats":{counts.cheats},'
        f'"exceptions":{counts.exceptions},"restored":{restored},{on_table}"won":{won}{unplayed}}}'
    )


def read_stats(
    stats_json: str, hints: int, gained_ms: int, finished_ms: int | None
) -> PlayerStats:
    """Parse a text of `write_stats` and add the store's hints and times, or raise ValueError."""
    finished = "null" if finished_ms is None else finished_ms
    # Parsing first and then building a model from all fields would take twice as long.
    text = f'{stats_json[:-1]},"hints":{hints},"gained_ms":{gained_ms},"finished_ms":{finished}}}'
    stats: PlayerStats = _VALIDATOR.validate_json(text)
    return stats


def stats_of(game: Game, restored: int = 0) -> PlayerStats:
    """Return the stats of a game without times and hints, which only the store has."""
    stats_json = write_stats(game, restored, game.counts)
    return read_stats(stats_json, hints=0, gained_ms=0, finished_ms=None)


@lru_cache(maxsize=256)
def _opening(rules: Rules) -> PlayerStats:
    # Any deal will do: each starts with one face-up card on each column and nothing home. Dealing
    # for each round would take a quarter of a server's time with thousands of rooms.
    return stats_of(new_game(rules, numbered_deck(rules.game, 1)))


def opening_stats(played: Round) -> PlayerStats:
    """Return the stats before the first act, which are the same for all deals with these rules."""
    if played.deal.played:  # the game continues another one, from its position
        return stats_of(dealt_game(played))
    return _opening(rules_of(played.settings))


RankKey = tuple[int, ...]  # the sort key of a player in one round; unranked players come last

_TIE_BREAKERS: Final[Mapping[str, Mapping[int, TieBreaker]]] = {
    "time": {4: TieBreaker.CHEATS},
    "score": {4: TieBreaker.CHEATS, 5: TieBreaker.FACE_DOWN, 6: TieBreaker.LAST_GAIN},
    "progress": {4: TieBreaker.FACE_DOWN, 6: TieBreaker.CHEATS, 7: TieBreaker.LAST_GAIN},
}  # for each kind of key: the indexes of the parts that only break ties


class LeaderboardRow(NamedTuple):
    """A row of a leaderboard."""

    seat: int
    name: str
    state: SeatState
    place: int | None  # None if unranked
    late_ms: int | None  # how long after t0 the game started; None if it started at t0
    stats: PlayerStats
    stand_in: BotLevel | None = None  # the level of a stand-in that has played


class Group(IntEnum):
    """The four groups of a ranking, best first; they come before any score or time."""

    WON = 0
    PLAYED = 1  # to the end of the round, or still racing
    GIVEN_UP = 2  # also: left or kicked while racing
    UNPLAYED = 3  # no act


class Ranking:
    """The leaderboard of a round, updated as the stats of its players change.

    `rows` has the best player first. Equal keys share a place; unranked players come last, without
    a place. Updates replace the list and the rows that differ, and never change them.
    """

    def __init__(self, played: Round, live: Stats) -> None:
        """Rank all players by their results and, while they play, by their `live` stats."""
        self._played, settings = played, played.settings
        self._cheats = settings.cheats
        self._by_time = settings.ranking == "first_home"  # whether winners rank by time
        # The `moves` score starts high and sinks: by the score alone, idle players would lead.
        self._by_progress = settings.score == "moves"  # whether all others rank by progress
        self._stats = {
            seat: played.results.get(seat) or live.get(seat) or opening_stats(played)
            for seat in sorted(played.names)
        }
        self._keys = {seat: self._key(seat, stats) for seat, stats in self._stats.items()}
        self._order: list[int] = []  # the seats, in the order of the rows
        self.rows: list[LeaderboardRow] = []
        self._rank()

    def update(self, live: Stats) -> None:
        """Rank again with the new stats of some running games."""
        rows, results = self.rows.copy(), self._played.results
        keeps_order = True
        for seat, stats in live.items():
            if seat in results or stats is self._stats[seat]:
                continue
            self._stats[seat] = stats
            old_key, key = self._keys[seat], self._key(seat, stats)
            if keeps_order:
                at = self._order.index(seat)
                keeps_order = self._keeps_place(at, old_key, key)
                rows[at] = self._row(seat, rows[at].place)
            self._keys[seat] = key
        if keeps_order:
            self.rows = rows
        else:
            self._rank()

    def _keeps_place(self, at: int, old_key: RankKey, key: RankKey) -> bool:
        """Return whether row `at` stays strictly between its neighbours as its key changes."""
        keys, order = self._keys, self._order
        best, worst = (old_key, key) if old_key < key else (key, old_key)
        return (at == 0 or keys[order[at - 1]] < best) and (
            at + 1 == len(order) or worst < keys[order[at + 1]]
        )

    def _rank(self) -> None:
        """Sort all players again, and replace the rows that have changed."""
        earlier = {row.seat: row for row in self.rows}
        keys = self._keys
        self._order = sorted(keys, key=keys.__getitem__)  # stable: equal keys by seat
        rows: list[LeaderboardRow] = []
        place, last_key = 0, None
        for seat in self._order:
            key, stats = keys[seat], self._stats[seat]
            if key != last_key:
                place, last_key = len(rows) + 1, key
            own_place = None if key[0] else place  # keys of unranked players start with True
            row = earlier.get(seat)
            if row is None or row.stats is not stats or row.place != own_place:
                row = self._row(seat, own_place)
            rows.append(row)
        self.rows = rows

    def _key(self, seat: int, stats: PlayerStats) -> RankKey:
        """Return the sort key of a player: the lowest key comes first.

        Cheats count only within a group. Under `cheats: out` games with cheats come after all
        clean ones. Under `tie` cheats break ties between equal scores or equal winning times.
        """
        unranked = not self._played.is_ranked(seat)
        unclean = tie = 0
        if stats.cheats:
            unclean = int(self._cheats == "out")
            tie = stats.cheats if self._cheats == "tie" else 0
        if stats.won:  # a winner who leaves afterwards keeps the win
            if self._by_time:
                assert stats.finished_ms is not None, "a winner has finished"
                return (unranked, Group.WON, unclean, stats.finished_ms, tie)
            group = Group.WON
        else:
            gave_up = self._played.states.get(seat) is SeatState.FORFEIT
            group = Group.GIVEN_UP if gave_up else Group.PLAYED
            group = group if stats.has_acted else Group.UNPLAYED
            if self._by_progress:
                complete, gained_ms = stats.suits + stats.on_table, stats.gained_ms
                down, score = stats.face_down, stats.score
                return (unranked, group, unclean, -complete, down, -score, tie, gained_ms)
        return (unranked, group, unclean, -stats.score, tie, stats.face_down, stats.gained_ms)

    def key_of(self, seat: int) -> RankKey:
        """Return the sort key of a player; see `_key`."""
        return self._keys[seat]

    def tie_breaks(self) -> dict[int, TieBreaker]:
        """Return, by seat, what puts a player above the next one although their main stats tie."""
        breaks = {}
        for above, below in pairwise(self._order):
            keys = self._keys[above], self._keys[below]
            # The first index where the keys differ, or 0 if they are equal. Keys of different
            # lengths already differ at index 0 or 1 (the group), where nothing breaks a tie.
            first = next((i for i, (a, b) in enumerate(zip(*keys, strict=False)) if a != b), 0)
            kind = "time" if self._by_time else "score"
            if not self._stats[above].won:
                kind = "progress" if self._by_progress else "score"
            if by := _TIE_BREAKERS[kind].get(first):
                breaks[above] = by
        return breaks

    def _row(self, seat: int, place: int | None) -> LeaderboardRow:
        """Return the row of a player; `place` is None for unranked players."""
        played, stats = self._played, self._stats[seat]
        late_ms = played.late_ms.get(seat)
        if stats.finished_ms is not None:
            # The room notes the end later, but the row should change only once.
            live_state = SeatState.FINISHED
        else:
            live_state = SeatState.RACING if late_ms is None else SeatState.CHASING
        name, state = played.names[seat], played.states.get(seat, live_state)
        stand_in = played.stand_ins.get(seat)
        return LeaderboardRow(seat, name, state, place, late_ms, stats, stand_in)


SCORES: Final = 1 << 12  # more points than any game can have


def board_order(played: Round, seat: int) -> int:
    """Return a number below 2**53 that sorts games of one deal like a round's ranking, best first.

    The game must be ranked by `first_home` and the Woods score.
    """
    _, group, _, *rest = final_ranking(played).key_of(seat)
    if group == Group.WON:
        return rest[0]  # the time
    minus_score, _, face_down, gained_ms = rest
    # The bits: group and score, then 7 for the face-down cards, then 27 for the time.
    return (((group * 2 * SCORES + minus_score + SCORES) << 7 | face_down) << 27) | gained_ms


def final_ranking(played: Round) -> Ranking:
    """Return the ranking of a round after its end, from its stored results alone."""
    return Ranking(played, live={})


def winners(rows: Iterable[LeaderboardRow]) -> tuple[int, ...]:
    """Return the seats that have won a finished round, which share the first place (RULES, Wins).

    Players who gave up, or made no act, win nothing. A log entry is an act; a hint is not.
    """
    return tuple(row.seat for row in rows if row.place == 1 and has_tried(row))


def has_tried(row: LeaderboardRow) -> bool:
    """Return whether the player made an act and did not give up."""
    return row.stats.has_acted and not has_given_up(row)


def has_given_up(row: LeaderboardRow) -> bool:
    """Return whether the player gave up. A winner who left afterwards did not."""
    return row.state is SeatState.FORFEIT and not row.stats.won
