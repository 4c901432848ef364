"""Results of finished rounds, and the card of a match as in the DOS program.

Nothing of a running round is revealed. The card has a line for each round, and totals. Source:
the DOS program's manual, "Your current scores are"; RULES, Match.
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
from server.rooms.record import Room, Round, games_of, known_settings, open_games, round_of
from server.views import view_of
from server.views.standings import ranking_view, tie_breaks_view

MATCHES = 32  # matches whose view is kept: with a hundred players and twelve rounds it takes 1 MB


def reveal(played: Round) -> Reveal:
    """Return the deal of a finished round: with seed and deck, unless it is still secret."""
    assert played.ended is not None, "a running round is not revealed"
    source, seal = played.settings.deal, commitment_of(played.deal)
    if played.secret:
        return Reveal(deal=source, number=None, seed=None, salt=None, commitment=seal, deck=())
    return view_of(
        Reveal,
        played.deal,
        deal=source,
        commitment=seal,
        deck=tuple(card_names(deck_of(played))),
        proof=proof_of(played),
        degree=known_degree(played),
    )


def _result(played: Round) -> dict[str, Any]:
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
    shared, settings = _result(played), known_settings(played.settings)
    return view_of(RoundResult, played, room=room.code, settings=settings, **shared)


def round_over(room: Room) -> RoundOver:
    """Return the `round_over` message: the ranking and the revealed deal."""
    assert room.state is RoomState.FINISHED, "the round is over"
    played = round_of(room)
    path = f"/api/rooms/{room.code}/rounds/{played.n}"
    return RoundOver(**_result(played), links=Links(round=path, text=f"{path}.txt"))


def _match_key(room: Room) -> tuple[object, ...]:
    """Return a value that two states of a room share only if their matches are the same.

    It is much cheaper than the match: results are hashed, and identical objects compare at once.
    """
    played = []
    for each in room.played():
        by_seat = (each.names, each.results, each.states, each.late_ms, each.stand_ins)
        items = (tuple(part.items()) for part in by_seat)
        played.append((each.n, each.game, each.settings, each.t0, each.ended, *items))
    names = tuple((seat.number, seat.name) for seat in room.seats if seat.role == "player")
    return (room.settings.rounds, room.settings.match_ranking, tuple(played), names)


@dataclass(frozen=True, slots=True)
class _MatchSource:
    """A room that equals any other one with the same match."""

    key: object
    room: Room = field(compare=False)


def match_view(room: Room) -> MatchView | None:
    """Return the current match, or None before its first round is over."""
    return _match_view(_MatchSource(_match_key(room), room)) if room.played() else None


@lru_cache(maxsize=MATCHES)
def _match_view(source: _MatchSource) -> MatchView:
    """Return the match of a room; cached, as most changes of a room leave it the same.

    Ranking a hundred players in twelve rounds takes twenty milliseconds.
    """
    room = source.room
    played = room.played()
    names = {seat.number: seat.name for seat in room.seats if seat.role == "player"}
    for each in played:
        names |= each.names
    lines = [_lines(each) for each in played]
    cards = [
        _card(seat, name, [by_seat.get(seat) for by_seat in lines])
        for seat, name in sorted(names.items())
    ]
    placed = _placed(cards, by_wins=room.settings.match_ranking == "wins")
    over = not open_games(room)
    return MatchView(
        rounds=room.settings.rounds,
        n=tuple(each.n for each in played),
        games=tuple(each.settings.game for each in played),
        numbers=games_of(played),
        cards=tuple(placed),
        over=over,
        winners=_winners(placed) if over else (),
    )


def _lines(played: Round) -> dict[int, CardLine]:
    """Return the racers' lines of one round, by seat.

    A racer without a finished game gets the time of the whole round. In a window, that is the time
    from the player's start to the player's end.
    """
    assert played.ended is not None, "a round that is over has ended"
    ended = played.ended
    rows = final_ranking(played).rows
    won = winners(rows)
    # RULES, Wins: 500 points for a game without a move would lead a match.
    starts_high = played.settings.score == "moves"
    return {
        line.seat: view_of(
            CardLine,
            line.stats,
            place=line.place,
            score=0 if starts_high and not has_tried(line) else line.stats.score,
            time_ms=_time_ms(played, ended, line),
            given_up=has_given_up(line),
            is_win=line.seat in won,
        )
        for line in rows
        if line.place is not None
    }


def _time_ms(played: Round, ended: int, row: LeaderboardRow) -> int:
    """Return how long a game lasted; `ended` is when the round ended (ms since the epoch)."""
    if row.stats.finished_ms is not None:
        return row.stats.finished_ms
    end = played.end_of(row.seat) if played.is_window else None
    return min(ended, end or ended) - played.t0 - played.began_ms(row.seat)


def _card(seat: int, name: str, lines: list[CardLine | None]) -> PlayerCard:
    """Return a player's card, with totals; `lines` has None for rounds where they had no place."""
    ranked = [line for line in lines if line is not None]
    figures = ("score", "moves", "exceptions", "hints", "cheats", "time_ms")
    totals = {figure: sum(getattr(line, figure) for line in ranked) for figure in figures}
    wins = sum(line.is_win for line in ranked)
    return PlayerCard(seat=seat, name=name, lines=tuple(lines), place=None, wins=wins, **totals)


def _placed(cards: list[PlayerCard], *, by_wins: bool) -> list[PlayerCard]:
    """Return the cards, best first. Equal ones share a place; players never ranked have none."""

    def key(card: PlayerCard) -> tuple[int, int]:
        return (-card.wins, -card.score) if by_wins else (-card.score, -card.wins)

    ranked = [card for card in cards if any(card.lines)]
    placed: list[PlayerCard] = []
    for _, group in groupby(sorted(ranked, key=lambda card: (key(card), card.seat)), key=key):
        place = len(placed) + 1
        placed += [card.model_copy(update={"place": place}) for card in group]
    return placed + [card for card in cards if not any(card.lines)]


def _winners(cards: Sequence[PlayerCard]) -> tuple[int, ...]:
    """Return the seats that have won the match, from its cards in order (RULES, Wins).

    They have won a game, or played one to the end of its round.
    """
    if not any(card.wins for card in cards):
        return ()
    return tuple(
        card.seat
        for card in cards
        if card.place == 1
        and any(line and line.has_acted and not line.given_up for line in card.lines)
    )
