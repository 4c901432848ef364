"""Views of finished rounds, with their rankings, deals and logs.

Nothing of a running round is revealed.


The card of a match, as in the DOS program: one line a round, and totals.

Source: text 3, "Your current scores are"; RULES, Match.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Protocol

from protocol import codec
from protocol.http import FinishedRound, RoundResult, SeatLog, SeatLogEntry
from protocol.to_client import Links, RoundOver
from protocol.views import CardLine, ColouredSeat, MatchView, PlayerCard, Reveal
from protocol.vocabulary import RoomState
from server.games.actions import ACTION_TEXTS, Action
from server.games.cards import card_names
from server.games.transcripts import LogEntry, RevealedDeal, format_head, format_player
from server.rooms.deals import commitment_of, deck_of, proof_of
from server.rooms.ranking import LeaderboardRow, has_given_up, rank, winners
from server.rooms.record import DealRecord, Room, Round, known_settings, numbers, open_games
from server.rooms.settings import rules_of
from server.views.standings import ranking_view, tie_breaks_view, winners_view


class TimedAction(Protocol):
    """One entry of a seat's log, as the store returns it."""

    @property
    def action(self) -> int:
        """The action, in sixteen bits."""

    @property
    def ms(self) -> int:
        """The time of the action, in milliseconds since t0."""


def reveal(played: Round) -> Reveal:
    """Return the deal of a finished round, with its seed and its deck."""
    assert played.ended is not None, "a running round is not revealed"
    return Reveal(
        deal=played.settings.deal,
        number=played.deal.number,
        seed=played.deal.seed,
        salt=played.deal.salt,
        commitment=commitment_of(played.deal),
        deck=tuple(card_names(deck_of(played))),
        proof=proof_of(played),
    )


def colours_view(played: Round) -> tuple[ColouredSeat, ...]:
    """Return the colours of all players of a round."""
    return tuple(ColouredSeat(seat=seat, colour=colour) for seat, colour in played.colours.items())


def round_result(room: Room, played: Round) -> RoundResult:
    """Return the result of a finished round."""
    assert played.ended is not None, "a running round is not revealed"
    return RoundResult(
        room=room.code,
        n=played.n,
        settings=known_settings(played.settings),
        t0=played.t0,
        ended=played.ended,
        reveal=reveal(played),
        ranking=ranking_view(played),
        winners=winners_view(played),
        tie_breaks=tie_breaks_view(played),
        programs=played.programs,
        colours=colours_view(played),
    )


def round_over(room: Room) -> RoundOver:
    """Return the `round_over` message: the ranking and the revealed deal."""
    assert room.state is RoomState.FINISHED, "the round is over"
    assert room.round is not None, "a finished room has a round"
    path = f"/api/rooms/{room.code}/rounds/{room.round.n}"
    return RoundOver(
        n=room.round.n,
        ranking=ranking_view(room.round),
        winners=winners_view(room.round),
        tie_breaks=tie_breaks_view(room.round),
        colours=colours_view(room.round),
        reveal=reveal(room.round),
        links=Links(round=path, text=f"{path}.txt"),
    )


def round_text(played: Round, logs: Mapping[int, Iterable[TimedAction]]) -> str:
    """Return a finished round as text, with the players in `logs`; the notation parses it."""
    players = (player_lines(played, seat, log) for seat, log in logs.items())
    return "".join([round_head(played), *(line for lines in players for line in lines)])


def round_head(played: Round) -> str:
    """Return the head of the text of a finished round, with its revealed deal."""
    assert played.ended is not None, "a running round is not revealed"
    return format_head(rules_of(played.settings), _revealed_deal(played.deal))


def player_lines(played: Round, seat: int, log: Iterable[TimedAction]) -> Iterator[str]:
    """Return one player's part of the text of a finished round, line by line."""
    assert played.ended is not None, "a running round is not revealed"
    entries = (LogEntry(entry.ms, Action(entry.action)) for entry in log)
    return format_player(played.names[seat], entries, played.settings.game)


def _revealed_deal(deal: DealRecord) -> RevealedDeal:
    seed = None if deal.seed is None else bytes.fromhex(deal.seed)
    salt = None if deal.salt is None else bytes.fromhex(deal.salt)
    return RevealedDeal(seed, salt, deal.number)


def finished_round(
    room: Room, played: Round, logs: Mapping[int, Iterable[TimedAction]]
) -> FinishedRound:
    """Return a finished round, with the players in `logs`."""
    return FinishedRound(
        **vars(round_result(room, played)),
        players=tuple(
            player_log(played, seat, map(SeatLogEntry.model_validate_json, log_texts(played, log)))
            for seat, log in logs.items()
        ),
    )


def player_log(played: Round, seat: int, log: Iterable[SeatLogEntry]) -> SeatLog:
    """Return one player's part of a `FinishedRound`."""
    late = played.late_ms.get(seat)
    return SeatLog(seat=seat, name=played.names[seat], late_ms=late, log=tuple(log))


def log_texts(played: Round, log: Iterable[TimedAction]) -> Iterator[str]:
    """Yield the entries of a log as JSON, as a `FinishedRound` contains them."""
    texts = ACTION_TEXTS[played.settings.game]
    for entry in log:
        action = texts.format(Action(entry.action))
        yield codec.dump_fields({"action": action, "ms": entry.ms})


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
