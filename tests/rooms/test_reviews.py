"""Which games of a round are reviewed, and the stored reviews."""

from server.games.actions import DEAL
from server.rooms.deals import unpack_line
from server.rooms.events import Tick
from server.rooms.record import PlayerStats, Room, round_of
from server.solver.reviews import Reviewed
from server.views.replays import (
    MAX_REVIEWED,
    SeatReview,
    seat_review,
    seats_to_review,
    unwon_seats,
)
from tests.rooms.rooms import ADA, BOB, finished, happen, raced_by_programs, running

PROGRAM = 3


def ended(room: Room, **stats: PlayerStats) -> Room:
    """Return a race whose time is up, with these stats."""
    numbers = {"ada": ADA, "bob": BOB, "program": PROGRAM}
    given = {numbers[name]: each for name, each in stats.items()}
    return happen(room, Tick(round_of(room).t_end or 0, given))


def test_the_best_games_of_people_are_reviewed_first() -> None:
    ada, bob, program = (PlayerStats(score=score) for score in (40, 60, 90))
    room = ended(raced_by_programs(), ada=ada, bob=bob, program=program)
    assert seats_to_review(room.rounds[0]) == (BOB, ADA, PROGRAM)
    # A game that a stand-in has finished comes after the games of people.
    played = finished().rounds[0]
    assert seats_to_review(played) == (ADA, BOB)
    assert seats_to_review(played.replace(stand_ins={ADA: "club"})) == (BOB, ADA)


def test_games_that_were_won_or_never_started_are_not_reviewed() -> None:
    won, idle = PlayerStats(won=True, finished_ms=5), PlayerStats(has_acted=False)
    room = ended(running(), ada=won, bob=idle)
    played = room.rounds[0]
    assert seats_to_review(played) == ()


def test_the_number_of_reviewed_games_is_limited() -> None:
    played = finished().rounds[0]
    many = {seat: PlayerStats(score=seat) for seat in range(2 * MAX_REVIEWED)}
    names, states = dict.fromkeys(many, "Somebody"), dict.fromkeys(many, played.states[ADA])
    crowd = played.replace(names=names, results=many, states=states)
    assert len(unwon_seats(crowd)) == 2 * MAX_REVIEWED
    assert seats_to_review(crowd) == tuple(range(2 * MAX_REVIEWED - 1, MAX_REVIEWED - 1, -1))


def test_a_review_has_the_times_of_its_acts() -> None:
    def kept(known_at: int | None, acts: int, lost_at: int | None) -> SeatReview:
        line, to_the_end = (DEAL,) * acts, known_at == 3
        found = Reviewed(known_at, to_the_end, line, lost_at, judged=9)
        return seat_review(found, [100, 200, 300], 50)

    one = kept(1, 2, 2)
    assert (one.known_at, one.known_ms, one.lost_ms, one.children) == (1, 200, 200, 9)
    assert unpack_line(one.line) == (DEAL, DEAL)
    to_the_end, never = kept(3, 1, None), kept(None, 0, 0)
    assert (to_the_end.known_ms, to_the_end.lost_ms) == (300, None)
    assert (one.is_known_to_the_end, to_the_end.is_known_to_the_end) == (False, True)
    assert (never.known_ms, never.line, never.lost_ms) == (None, "", 50)


def test_a_review_of_a_newer_release_can_be_read() -> None:
    kept = SeatReview.model_validate_json('{"known_ms": 7, "something_new": [1]}')
    assert (kept.known_ms, kept.known_at) == (7, None)
