"""The deals of rooms: known wins, labels of numbered deals, and the stats at the start."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.games import GAMES, GameId
from protocol.settings import Settings
from protocol.vocabulary import DEGREES, Score
from server.games.actions import DEAL, TimedAction, move
from server.games.deals import new_game, secret_deck
from server.games.rules import Rules, check_rules
from server.rooms.days import deal_after, settings_again
from server.rooms.deals import (
    Entropy,
    LabelledDeal,
    WinnableDeal,
    commitment_of,
    deal_kind_of,
    dealt_game,
    draw_deal,
    is_winnable,
    known_degree,
    numbered_deal,
    pack_line,
    proof_of,
    shown_label,
    unpack_line,
)
from server.rooms.ranking import opening_stats, stats_of
from server.rooms.record import DealRecord, PlayerStats, Room, Round, stored_settings
from server.rooms.settings import complete, rules_of
from server.solver.deal_kinds import DEAL_KINDS, DEGREE_LIMITS, degree_of, max_judged
from server.solver.solve import Verdict, solve
from tests.games.positions import act, position
from tests.present import present
from tests.rooms.rooms import lobby

LINE = (move(1, 2, 3), DEAL, move(9, 13, 0))
KNOWN = WinnableDeal("spider-1:left4:strict", bytes(16), LINE, "middle")
ENTROPY = Entropy(bytes(range(16)), bytes(16), KNOWN)
SCORES = [(game, score) for game, spec in GAMES.items() for score in spec.scores]


def round_with(settings: Settings) -> Round:
    deal = draw_deal(settings, ENTROPY, 0)
    return Round(n=1, game=1, settings=stored_settings(settings), deal=deal, t0=0, t_end=None)


def test_packing_and_unpacking_a_line_gives_the_same_line() -> None:
    assert unpack_line(pack_line(LINE)) == LINE


def test_each_kind_has_different_rules_and_every_room_has_a_kind() -> None:
    assert len(set(DEAL_KINDS.values())) == len(DEAL_KINDS)
    settings = Settings(game="spider-4", layout="spread", relaxed_deal=True, auto_remove=False)
    assert deal_kind_of(settings) == "spider-4:spread:relaxed"
    assert {deal_kind_of(Settings(game=game)) for game in get_args(GameId)} <= {*DEAL_KINDS}
    assert deal_kind_of(Settings(winnable=False)) is None
    assert deal_kind_of(Settings(deal="numbered", number=1)) is None


def test_a_round_plays_the_winnable_deal_and_has_its_proof() -> None:
    played = round_with(Settings(game="spider-1"))
    assert played.deal.seed == KNOWN.seed.hex()
    assert is_winnable(played) is True
    assert proof_of(played) == "t1x2-t3,deal,t9x13-t0"
    assert known_degree(played) == "middle"
    after_acts = played.replace(deal=played.deal.replace(played=pack_line(LINE[:1])))
    assert (is_winnable(after_acts), known_degree(after_acts)) == (None, None)
    later = played.model_dump_json().replace('"middle"', '"of a later release"')
    assert known_degree(Round.model_validate_json(later)) is None
    assert Round.model_validate_json(played.model_dump_json()) == played


def test_a_deal_of_another_kind_is_not_played() -> None:
    played = round_with(Settings(game="spider-2"))
    assert played.deal.seed == ENTROPY.seed.hex()
    assert is_winnable(played) is False
    assert proof_of(played) is None
    assert known_degree(played) is None
    assert not {"line", "degree"} & {*played.deal.model_dump()}


def test_more_positions_never_make_an_easier_degree() -> None:
    assert {*DEGREE_LIMITS} == {*DEAL_KINDS}
    for kind, (easy, middle) in DEGREE_LIMITS.items():
        at = (1, easy, easy + 1, middle, middle + 1, 10 * middle)
        degrees = [degree_of(kind, Verdict("won", LINE, children)) for children in at]
        assert degrees == ["easy", "easy", "middle", "middle", "hard", "hard"]
        assert [max_judged(kind, degree) for degree in DEGREES] == [easy, middle, None]


@pytest.mark.parametrize("kind", ["spider-2:left4:strict", "little-spider:left4:strict"])
def test_the_degree_of_a_deal_does_not_depend_on_the_budget(kind: str) -> None:
    """A short search while a room waits, and a long one ahead of it, find the same deals."""
    rules, found = DEAL_KINDS[kind], set()
    for number in range(12):
        game = new_game(rules, secret_deck(rules.game, number.to_bytes(16, "big")))
        longest = solve(game, budget=100_000)
        if longest.kind != "won":
            continue
        found.add(degree_of(kind, longest))
        for budget in (longest.judged, 20_000, max_judged(kind, "middle") or 0):
            verdict = solve(game, budget=budget)
            assert verdict == longest or (verdict.kind != "won" and budget < longest.judged)
    assert found == {*DEGREES}


def test_open_deals_are_not_called_winnable() -> None:
    assert is_winnable(round_with(Settings(deal="numbered", number=7))) is None
    assert is_winnable(round_with(Settings(winnable=False))) is None


def room(**settings: object) -> Room:
    """Return a lobby with a numbered deal."""
    return lobby(**{"deal": "numbered", "number": 24, **settings})


def test_the_next_game_on_the_card_decides_the_next_deal() -> None:
    assert numbered_deal(room(game="spider-2", relaxed_deal=True)) == LabelledDeal(
        24, Rules("spider-2", layout="spread", auto_remove=True, relaxed_deal=True, undo="off")
    )
    match = room(rounds=3).replace(chosen_game=3)
    deal = present(numbered_deal(match))
    assert deal.number == 26
    assert numbered_deal(lobby()) is None
    assert numbered_deal(room(number=None)) is None


def test_deals_with_other_rules_have_other_names() -> None:
    others: list[dict[str, object]]
    others = [{}, {"layout": "left4"}, {"relaxed_deal": True}, {"auto_remove": False}]
    names = [deal.key for chosen in others if (deal := numbered_deal(room(**chosen)))]
    assert len({*names}) == 4
    same = present(numbered_deal(room(undo="any", score="moves", hints=True)))
    assert same.key == names[0]


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_of_no_game_clash(game: str) -> None:
    deal = present(numbered_deal(room(game=game, score=GAMES[game].scores[0])))
    check_rules(deal.rules)


@pytest.mark.parametrize(
    ("text", "settings", "shown"),
    [
        ("unwinnable", {}, "unwinnable"),
        # A proof does not cover moves of mixed runs.
        ("unwinnable", {"exceptions": "easy"}, "unknown"),
        ("winnable", {"exceptions": "easy"}, "winnable"),
        (None, {}, "unknown"),
        ("unknown", {}, "unknown"),
        ("of a newer release", {}, "unknown"),
    ],
)
def test_a_label_fits_the_rules(text: str | None, settings: dict[str, object], shown: str) -> None:
    assert shown_label(text, room(**settings)) == shown


def test_rules_and_settings_have_the_same_defaults_except_one() -> None:
    """Both models state them, and a game needs the default of an option that it does not have.

    New rooms remove suits automatically, which the old texts do not.
    """
    assert rules_of(complete(Settings())) == Rules("spider-1", auto_remove=True)
    little = Rules("little-spider", score="cards")
    assert rules_of(complete(Settings(game="little-spider"))) == little


@pytest.mark.parametrize(("game", "score"), SCORES)
@given(seed=st.binary(min_size=16, max_size=16))
def test_all_deals_start_with_the_same_stats(game: GameId, score: Score, seed: bytes) -> None:
    settings = stored_settings(complete(Settings(game=game, score=score)))
    played = Round(
        n=1, game=1, settings=settings, names={},
        deal=DealRecord(seed=seed.hex()), t0=0, t_end=None,
    )  # fmt: skip
    assert opening_stats(played) == stats_of(dealt_game(played))


def test_the_stats_of_a_game_have_its_score_and_its_counts() -> None:
    won = position("t0: KS-2S; t1: AS; f0: KS-AS")
    act(won, "t1x1-t0", "remove t0")
    assert stats_of(won) == PlayerStats(score=990, moves=1, suits=1 + 1, home=26, won=True)
    excepted = "t0: [9C] 7S 6H; t1: 8C; t2: KS-AS"
    other = position(excepted, undo="any", exceptions="easy", score="moves")
    act(other, "remove t2", "t0x2-t1", "undo", "redo")
    counts = {"moves": 1, "suits": 1, "home": 13, "cheats": 1, "exceptions": 1}
    assert stats_of(other) == PlayerStats(score=500 - 3 + 100, **counts)


def test_only_a_secret_deal_has_a_commitment() -> None:
    seed, salt = "ab" * 16, "cd" * 16
    assert commitment_of(DealRecord(seed=seed, salt=salt)) is not None
    for open_deal in (DealRecord(seed=seed), DealRecord(number=24)):
        assert commitment_of(open_deal) is None


def test_a_finished_game_is_dealt_again_and_goes_on_before_the_act_that_ended_it() -> None:
    settings = complete(Settings(deal="numbered", layout="spread"))
    played = Round(
        n=1, game=3, settings=stored_settings(settings),
        deal=DealRecord(number=24), t0=0, t_end=None,
    )  # fmt: skip
    assert settings_again(played).number == 24
    game = dealt_game(played)
    log = [TimedAction(action, 0) for action in solve(game, budget=100_000).line]
    assert deal_after(played, log, 0) == played.deal
    deal = deal_after(played, log, len(log))
    assert deal == deal_after(played, log, len(log) - 1)
    assert opening_stats(played.replace(deal=deal)).face_down < game.counts.face_down
