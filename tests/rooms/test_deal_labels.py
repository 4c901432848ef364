"""The numbered deals of rooms and their labels."""

import pytest

from protocol.games import GAMES
from server.games.rules import Rules, check_rules
from server.rooms.deals import LabelledDeal, numbered_deal, shown_label
from server.rooms.record import Room
from tests.present import present
from tests.rooms.rooms import lobby


def room(**settings: object) -> Room:
    """Return a lobby with a numbered deal."""
    return lobby(**{"deal": "numbered", "number": 24, **settings})


def test_the_next_game_on_the_card_decides_the_next_deal() -> None:
    assert numbered_deal(room(game="spider-2", relaxed_deal=True)) == LabelledDeal(
        24, Rules("spider-2", layout="spread", auto_remove=True, relaxed_deal=True, undo="off")
    )
    match = room(rounds=3).model_copy(update={"chosen_game": 3})
    deal = present(numbered_deal(match))
    assert deal.number == 26
    assert numbered_deal(lobby()) is None
    assert numbered_deal(room(number=None)) is None


def test_deals_with_other_rules_have_other_names() -> None:
    rules: tuple[dict[str, object], ...] = (
        {},
        {"layout": "left4"},
        {"relaxed_deal": True},
        {"auto_remove": False},
    )
    names = [deal.key for each in rules if (deal := numbered_deal(room(**each)))]
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
def test_a_label_fits_the_rules_of_the_room(
    text: str | None, settings: dict[str, object], shown: str
) -> None:
    assert shown_label(text, room(**settings)) == shown
