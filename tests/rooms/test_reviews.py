"""The games of a round that are reviewed, and what is kept of them."""

from protocol.from_client import Chase, Forfeit
from server.games.actions import DEAL
from server.rooms.events import Tick
from server.rooms.race import round_of
from server.rooms.record import PlayerStats, Room
from server.rooms.reviews import (
    MADE_WITHIN_MS,
    MAKER_GONE_MS,
    MOST_GAMES,
    TAKEN_WITHIN_MS,
    SeatReview,
    ended_round,
    games_to_review,
    is_expected,
    seat_review,
    unwon_games,
)
from server.rooms.winnable_deals import unpack_line
from server.solver.reviews import Reviewed
from tests.rooms.rooms import (
    ADA,
    BOB,
    CY,
    T0,
    finished,
    happen,
    lobby,
    raced_by_programs,
    running,
    sends,
)

PROGRAM = 3


def ended(room: Room, **stats: PlayerStats) -> Room:
    """Return a race whose time is up, with these stats."""
    numbers = {"ada": ADA, "bob": BOB, "program": PROGRAM}
    given = {numbers[name]: each for name, each in stats.items()}
    return happen(room, Tick(round_of(room).t_end or 0, given))


def test_games_are_reviewed_of_people_first_and_of_the_best_of_them_first() -> None:
    ada, bob, program = (PlayerStats(score=score) for score in (40, 60, 90))
    room = ended(raced_by_programs(), ada=ada, bob=bob, program=program)
    assert games_to_review(room.rounds[0]) == (BOB, ADA, PROGRAM)
    # A game that a computer has played on comes after those of people.
    played = finished().rounds[0]
    assert games_to_review(played) == (ADA, BOB)
    assert games_to_review(played.model_copy(update={"stand_ins": {ADA: "club"}})) == (BOB, ADA)


def test_games_that_were_won_or_never_begun_are_not_reviewed_nor_expected_to_be() -> None:
    won, idle = PlayerStats(won=True, finished_ms=5), PlayerStats(has_acted=False)
    room = ended(running(), ada=won, bob=idle)
    played = room.rounds[0]
    assert games_to_review(played) == ()
    assert ended_round(running(), room) is None
    now = played.ended or 0
    assert not is_expected(played, now, now, has_begun=False)
    assert not is_expected(round_of(running()), now, now, has_begun=False)


def test_of_very_many_games_some_are_reviewed() -> None:
    played = finished().rounds[0]
    many = {seat: PlayerStats(score=seat) for seat in range(2 * MOST_GAMES)}
    crowd = played.model_copy(
        update={
            "names": {seat: f"Player {seat}" for seat in many},
            "results": many,
            "states": dict.fromkeys(many, played.states[ADA]),
        }
    )
    assert len(unwon_games(crowd)) == 2 * MOST_GAMES
    assert games_to_review(crowd) == tuple(range(2 * MOST_GAMES - 1, MOST_GAMES - 1, -1))


def test_a_round_is_to_be_reviewed_in_the_change_that_ends_it_alone() -> None:
    room = finished()
    assert ended_round(running(), room) == room.rounds[0]
    assert ended_round(room, room) is None
    assert ended_round(lobby(), running()) is None
    chased = happen(running(chasers=True), sends(CY, Chase(), T0 + 9))
    assert ended_round(chased, happen(chased, sends(ADA, Forfeit(), T0 + 10))) is None


def test_a_review_is_expected_as_long_as_somebody_may_make_it() -> None:
    played = finished().rounds[0]
    ended = played.ended or 0

    def expected(passed: int, seen_ms: int = ended + 10**9, *, has_begun: bool = False) -> bool:
        return is_expected(played, ended + passed, seen_ms, has_begun=has_begun)

    assert expected(TAKEN_WITHIN_MS)
    assert not expected(TAKEN_WITHIN_MS + 1)
    assert expected(TAKEN_WITHIN_MS + 1, has_begun=True)
    assert not expected(MADE_WITHIN_MS + 1, has_begun=True)
    assert not expected(0, seen_ms=0), "no thinking process was ever there"
    assert expected(MAKER_GONE_MS, seen_ms=ended)
    assert not expected(MAKER_GONE_MS + 1, seen_ms=ended, has_begun=True)


def test_a_review_has_the_times_at_which_the_player_left_the_win() -> None:
    def kept(known_at: int | None, acts: int, lost_at: int | None) -> SeatReview:
        line, to_the_end = (DEAL,) * acts, known_at == 3
        found = Reviewed(known_at, to_the_end, line, lost_at, children=9)
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
