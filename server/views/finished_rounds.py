"""Results of finished rounds, and the card of a match as in the DOS program.

Nothing of a running round is revealed. A player's card has a line for each round, and totals
(RULES, Match; the DOS program's manual, "Your current scores are").
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import Any

from protocol.http import RoundResult
from protocol.to_client import Links, RoundOver
from protocol.views import CardLine, ColouredSeat, MatchView, PlayerCard, Reveal
from protocol.vocabulary import RoomState
from server.games.cards import card_names
from server.rooms.deals import commitment_of, deck_of, known_degree, proof_of
from server.rooms.ranking import LeaderboardRow, final_ranking, has_given_up, has_tried, winners
from server.rooms.record import Room, Round, known_settings, open_games, played_games, round_of
from server.views import view_of
from server.views.standings import ranking_view, tie_breaks_view

MAX_MATCHES = 32  # in the cache; with a hundred players and twelve rounds a match takes 1 MB


def reveal(played: Round) -> Reveal:
    """Return the deal of a finished round, without seed and deck if it must stay secret.

    A day's deal is secret until the day is over, since others still play it.
    """
    assert played.ended is not None, "a running round is not revealed"
    source, commitment = played.settings.deal, commitment_of(played.deal)
    if played.secret:
        return Reveal(
            deal=source, number=None, seed=None, salt=None, commitment=commitment, deck=()
        )
    return view_of(
        Reveal,
        played.deal,
        deal=source,
        commitment=commitment,
        deck=tuple(card_names(deck_of(played))),
        proof=proof_of(played),
        degree=known_degree(played),
    )


def _shared_fields(played: Round) -> dict[str, Any]:
    """Return the fields that `RoundOver` and `RoundResult` share."""
    return {
        "n": played.n,
        "ranking": ranking_view(played),
        "winners": winners(final_ranking(played).rows),
        "tie_breaks": tie_breaks_view(played),
        "colours": tuple(
            ColouredSeat(seat=seat, colour=colour) for seat, colour in played.colours.items()
        ),
        "reveal": reveal(played),
    }


def round_result(room: Room, played: Round) -> RoundResult:
    """Return the result of a finished round."""
    fields = _shared_fields(played) | {"settings": known_settings(played.settings)}
    return view_of(RoundResult, played, room=room.code, **fields)


def round_over(room: Room) -> RoundOver:
    """Return the `round_over` message: the ranking and the revealed deal."""
    assert room.state is RoomState.FINISHED, "the round is over"
    played = round_of(room)
    path = f"/api/rooms/{room.code}/rounds/{played.n}"
    return RoundOver(**_shared_fields(played), links=Links(round=path, text=f"{path}.txt"))


def _match_key(room: Room) -> tuple[object, ...]:
    """Return a value that is equal for two states of a room only if they have the same match.

    Making and comparing it is much cheaper than ranking the match again.
    """
    keys = []
    for played in room.counted_rounds():
        by_seat = (played.names, played.results, played.states, played.late_ms, played.stand_ins)
        items = (tuple(values.items()) for values in by_seat)
        keys.append((played.n, played.game, played.settings, played.t0, played.ended, *items))
    names = tuple((seat.number, seat.name) for seat in room.seats if seat.role == "player")
    return (room.settings.rounds, room.settings.match_ranking, tuple(keys), names)


@dataclass(frozen=True, slots=True)
class _MatchSource:
    """A room as a cache key. Rooms with the same match are equal."""

    key: object
    room: Room = field(compare=False)


def match_view(room: Room) -> MatchView | None:
    """Return the current match, or None before its first round is over."""
    return _match_view(_MatchSource(_match_key(room), room)) if room.counted_rounds() else None


@lru_cache(maxsize=MAX_MATCHES)
def _match_view(source: _MatchSource) -> MatchView:
    """Return the match of a room; cached, as most changes of a room leave its match unchanged.

    Ranking a hundred players in twelve rounds takes twenty milliseconds.
    """
    room = source.room
    rounds = room.counted_rounds()
    names = {seat.number: seat.name for seat in room.seats if seat.role == "player"}
    for played in rounds:
        names |= played.names
    lines_of_rounds = [_lines_by_seat(played) for played in rounds]
    cards = [
        _card(seat, name, [lines.get(seat) for lines in lines_of_rounds])
        for seat, name in sorted(names.items())
    ]
    placed = _placed(cards, by_wins=room.settings.match_ranking == "wins")
    is_over = not open_games(room)
    return MatchView(
        rounds=room.settings.rounds,
        n=tuple(played.n for played in rounds),
        games=tuple(played.settings.game for played in rounds),
        numbers=played_games(room),  # which of the match's games each round was
        cards=tuple(placed),
        over=is_over,
        winners=_winners(placed) if is_over else (),
    )


def _lines_by_seat(played: Round) -> dict[int, CardLine]:
    """Return the lines of a round on the cards of its ranked players."""
    rows = final_ranking(played).rows
    won = winners(rows)
    # Such games start at 500 points, so one without a move would lead a match (RULES, Wins).
    starts_high = played.settings.score == "moves"
    return {
        row.seat: view_of(
            CardLine,
            row.stats,
            place=row.place,
            score=0 if starts_high and not has_tried(row) else row.stats.score,
            time_ms=_time_ms(played, row),
            given_up=has_given_up(row),
            is_win=row.seat in won,
        )
        for row in rows
        if row.place is not None
    }


def _time_ms(played: Round, row: LeaderboardRow) -> int:
    """Return how long a game lasted: until it was finished, timed out or the round was over."""
    assert played.ended is not None, "a round that is over has ended"
    if row.stats.finished_ms is not None:
        return row.stats.finished_ms
    ended = played.ended
    if played.is_window:  # each game has its own start, so its own end
        ended = min(ended, played.end_of(row.seat) or ended)
    return ended - played.t0 - played.began_ms(row.seat)


def _card(seat: int, name: str, lines: list[CardLine | None]) -> PlayerCard:
    """Return a player's card, with totals; `lines` has None for rounds where they had no place."""
    ranked = [line for line in lines if line is not None]
    figures = ("score", "moves", "exceptions", "hints", "cheats", "time_ms")
    totals = {figure: sum(getattr(line, figure) for line in ranked) for figure in figures}
    wins = sum(line.is_win for line in ranked)
    return PlayerCard(seat=seat, name=name, lines=tuple(lines), place=None, wins=wins, **totals)


def _placed(cards: list[PlayerCard], *, by_wins: bool) -> list[PlayerCard]:
    """Return the cards with their places, best first; equal cards share one.

    Players who were ranked in no round come last, without a place.
    """

    def key(card: PlayerCard) -> tuple[int, int]:
        return (-card.wins, -card.score) if by_wins else (-card.score, -card.wins)

    ranked = [card for card in cards if any(card.lines)]  # by seat, which sorting keeps
    placed: list[PlayerCard] = []
    for _, group in groupby(sorted(ranked, key=key), key=key):
        place = len(placed) + 1
        placed += [card.model_copy(update={"place": place}) for card in group]
    return placed + [card for card in cards if not any(card.lines)]


def _winners(cards: Sequence[PlayerCard]) -> tuple[int, ...]:
    """Return the seats that have won a finished match, given its cards (RULES, Wins).

    Somebody must have won a round. A winner must also have played a game without giving it up.
    """
    if not any(card.wins for card in cards):
        return ()
    return tuple(
        card.seat
        for card in cards
        if card.place == 1
        and any(line and line.has_acted and not line.given_up for line in card.lines)
    )
