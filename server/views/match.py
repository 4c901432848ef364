"""The card of a match, as in the DOS program: one line a round, and totals.

Source: text 3, "Your current scores are"; RULES, Match.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby

from protocol.views import CardLine, MatchView, PlayerCard
from server.rooms.match_card import numbers, open_games
from server.rooms.ranking import LeaderboardRow, has_given_up, rank, winners
from server.rooms.record import Room, Round


def match_key(room: Room) -> tuple[object, ...]:
    """Return a value that two states of a room share only if their matches are the same.

    It is much cheaper than the match. A round that is over changes only if a failover takes it
    back, and then it ends again at another time.
    """
    settings = room.settings
    played = tuple(
        (each.n, each.game, each.deal.seed, each.t0, each.ended, each.acts)
        for each in room.played()
    )
    names = tuple((seat.number, seat.name) for seat in room.seats if seat.role == "player")
    return (room.code, room.match, settings.rounds, settings.match_ranking, played, names)


def match_view(room: Room) -> MatchView | None:
    """Return the current match, or None before its first round is over."""
    played = room.played()
    if not played:
        return None
    names = {seat.number: seat.name for seat in room.seats if seat.role == "player"}
    for each in played:
        names |= each.names
    lines = [_lines(each.model_dump_json()) for each in played]
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
        numbers=numbers(played),
        cards=tuple(placed),
        over=over,
        winners=_winners(placed) if over else (),
    )


@lru_cache(maxsize=128)
def _lines(text: str) -> Mapping[int, CardLine]:
    """Return the racers' lines of one round, by seat.

    The time of a racer without a finished game is that of the whole round. The round comes as
    text so that its lines can be cached: they are sent with every change of the room, and ranking
    a hundred players in twelve rounds takes twenty milliseconds.
    """
    played = Round.model_validate_json(text)
    assert played.ended is not None, "a round that is over has ended"
    whole_ms = played.ended - played.t0
    rows = rank(played, {}, played.states)
    won = winners(rows)
    # RULES, Wins: 500 points for a game without a move would lead a match.
    starts_high = played.settings.score == "moves"
    return {
        line.seat: CardLine(
            place=line.place,
            score=0 if starts_high and not _counts(line) else line.stats.score,
            moves=line.stats.moves,
            exceptions=line.stats.exceptions,
            hints=line.stats.hints,
            cheats=line.stats.cheats,
            time_ms=whole_ms if line.stats.finished_ms is None else line.stats.finished_ms,
            won=line.stats.won,
            given_up=has_given_up(line),
            is_win=line.seat in won,
            has_acted=line.stats.has_acted,
        )
        for line in rows
        if line.place is not None
    }


def _counts(row: LeaderboardRow) -> bool:
    """Return whether a game had an act, and was not given up."""
    return row.stats.has_acted and not has_given_up(row)


def _card(seat: int, name: str, lines: list[CardLine | None]) -> PlayerCard:
    ranked = [line for line in lines if line is not None]
    return PlayerCard(
        seat=seat,
        name=name,
        lines=tuple(lines),
        place=None,
        wins=sum(line.is_win for line in ranked),
        score=sum(line.score for line in ranked),
        moves=sum(line.moves for line in ranked),
        exceptions=sum(line.exceptions for line in ranked),
        hints=sum(line.hints for line in ranked),
        cheats=sum(line.cheats for line in ranked),
        time_ms=sum(line.time_ms for line in ranked),
    )


def _placed(cards: list[PlayerCard], *, by_wins: bool) -> list[PlayerCard]:
    """Return the cards, best first; equal cards share a place, cards without a line have none."""

    def key(card: PlayerCard) -> tuple[int, int]:
        return (-card.wins, -card.score) if by_wins else (-card.score, -card.wins)

    ranked = [card for card in cards if any(card.lines)]
    placed: list[PlayerCard] = []
    for _, group in groupby(sorted(ranked, key=lambda card: (key(card), card.seat)), key=key):
        place = len(placed) + 1
        placed += [card.model_copy(update={"place": place}) for card in group]
    return placed + [card for card in cards if not any(card.lines)]


def _winners(cards: Sequence[PlayerCard]) -> tuple[int, ...]:
    """Return the seats that have won the match, from its cards in order (RULES, Wins)."""
    if not any(card.wins for card in cards):
        return ()
    return tuple(card.seat for card in cards if card.place == 1 and _has_stayed(card))


def _has_stayed(card: PlayerCard) -> bool:
    """Return whether the player has won a game, or has played one to the end of its round."""
    return any(line and line.has_acted and not line.given_up for line in card.lines)
