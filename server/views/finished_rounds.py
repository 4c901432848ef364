"""Views of finished rounds, with their rankings, deals and logs.

Nothing of a running round is revealed.
"""

from collections.abc import Iterable, Iterator, Mapping

from protocol import codec
from protocol.http import FinishedRound, RoundResult, SeatLog, SeatLogEntry
from protocol.to_client import Links, RoundOver
from protocol.views import ColouredSeat, Reveal
from protocol.vocabulary import RoomState
from server.games.actions import ACTION_TEXTS, Action
from server.games.cards import card_names
from server.games.transcripts import LogEntry, RevealedDeal, format_head, format_player
from server.rooms.colours import colours_in
from server.rooms.record import DealRecord, Room, Round
from server.rooms.rounds import commitment_of, deck_of, proof_of, rules_of
from server.views.rooms import settings_view
from server.views.standings import ranking_view, tie_breaks_view, winners_view
from server.views.timed_action import TimedAction


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
    return tuple(
        ColouredSeat(seat=seat, colour=colour) for seat, colour in colours_in(played).items()
    )


def round_result(room: Room, played: Round) -> RoundResult:
    """Return the result of a finished round."""
    assert played.ended is not None, "a running round is not revealed"
    return RoundResult(
        room=room.code,
        n=played.n,
        settings=settings_view(played.settings),
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
