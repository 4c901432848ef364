"""The pictures of the strategy page, checked against the engine."""

import json
import re
from collections import Counter
from typing import Any

import pytest

from protocol.games import GAMES
from server.games import scores
from server.games.cards import format_cards
from server.games.game import Game
from server.web.routes import ROOT
from tests.games.positions import act, all_cards, legal_texts, parsed, position, refusal
from tests.games.texts import format_position

TIPS_FILE = ROOT / "web_client" / "src" / "strategy" / "tips.json"
TIPS: list[dict[str, Any]] = json.loads(TIPS_FILE.read_text())
FRAMES = [(tip, i) for tip in TIPS for i in range(len(tip["frames"]))]
NAMES = [f"{tip['id']}-{i}" for tip, i in FRAMES]

every_frame = pytest.mark.parametrize(("tip", "index"), FRAMES, ids=NAMES)


def piles(tip: dict[str, Any], index: int) -> str:
    """Return a frame as a whole position: its own piles, and the others from the frame before."""
    frame = tip["frames"][index]
    before = piles(tip, frame["from"]) if "from" in frame else ""
    found: dict[str, str] = {}
    for pile in re.split(";", f"{before};{frame['piles']}"):
        name, _, cards = pile.strip().partition(":")
        found[name] = cards
    return ";".join(f"{name}:{cards}" for name, cards in found.items() if name)


def game_at(tip: dict[str, Any], index: int, **rules: object) -> Game:
    """Return a game in the position of a frame."""
    game = tip["frames"][index].get("game", tip["game"])
    return position(piles(tip, index), game, **{**tip.get("rules", {}), **rules})


@every_frame
def test_a_picture_matches_its_moves_and_what_is_possible(tip: dict[str, Any], index: int) -> None:
    frame, game = tip["frames"][index], game_at(tip, index)
    names = game.variant.pile_names
    if "from" in frame:
        before = game_at(tip, frame["from"])
        first = before.copy()
        act(before, *frame["moves"])
        assert format_position(before) == format_position(game)
        changed = {name for i, name in enumerate(names) if game.pile(i) != first.pile(i)}
        # The tips of Little Spider show all piles.
        assert {name for name in changed if name[0] != "f"} <= set(tip.get("shows", names))
    else:
        assert "moves" not in frame
    assert set(tip.get("shows", ())) <= set(names)
    assert set(frame.get("can", ())) <= set(legal_texts(game))
    for text in frame.get("cannot", ()):
        refusal(game, parsed(game, text))
    for pile, longest in frame.get("takes", {}).items():
        counts = {int(text[3]) for text in legal_texts(game) if text.startswith(f"{pile}x")}
        assert max(counts) == longest
    copies = Counter(all_cards(game))
    max_copies = game.variant.decks * 4 // game.variant.suits
    assert [format_cards([card]) for card, times in copies.items() if times > max_copies] == []


@every_frame
def test_the_scores_of_a_picture_match_the_game(tip: dict[str, Any], index: int) -> None:
    frame = tip["frames"][index]
    for key, score in (("points", "dos"), ("woods", "woods")):
        if key in frame:
            line: list[str] = []
            at: int | None = index
            while at is not None:  # exceptions count from the beginning
                first, line = at, [*tip["frames"][at].get("moves", ()), *line]
                at = tip["frames"][at].get("from")
            played = game_at(tip, first, score=score)
            act(played, *line)
            assert played.score == frame[key]
    for end in frame.get("ends", ()):
        game_over = game_at(tip, index, score=end["score"])
        act(game_over, *end["moves"])
        assert (game_over.outcome, game_over.score) == ("won", end["points"])


def test_prices_of_exceptions_match_the_score() -> None:
    (rows,) = [tip["prices"] for tip in TIPS if "prices" in tip]
    for row in rows:
        n = row[0]
        suit, pair = (scores.rate_dos(n, 0, 1), scores.rate_dos(n, 1, 0))
        assert row == [n, suit, pair, scores.rate_dos_win(n, 0, grand=False)]


def test_one_deal_is_shown_at_every_number_of_suits() -> None:
    frames = [frame for tip in TIPS for frame in tip["frames"] if "game" in frame]
    shown = {frame["game"]: frame["piles"] for frame in frames}
    four = shown["spider-4"]
    two = re.sub(r"(?<=[A2-9TJQK])[CD]", lambda suit: {"C": "S", "D": "H"}[suit[0]], four)
    assert shown["spider-2"] == two
    assert shown["spider-1"] == re.sub(r"(?<=[A2-9TJQK])H", "S", two)


def test_every_tip_has_its_game_and_its_pictures() -> None:
    for tip in TIPS:
        assert tip["game"] in GAMES
        assert len(tip["frames"]) >= 2 or "ends" in tip["frames"][0]
