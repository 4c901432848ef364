"""The notation of actions and piles: the grammar of NOTATION.md, its examples, and the code."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import vocabulary
from protocol.games import GAMES, Variant
from server.games.action_texts import ACTION_TEXTS, ActionTexts
from server.games.actions import DEAL, FINISH, REDO, UNDO, Action, ActionKind, kind, move, remove
from server.games.cards import PileState, format_cards, parse_card
from server.games.errors import NotationError
from server.games.notation import LogEntry, format_log, parse_log
from server.games.pile_texts import HiddenPile, format_pile, parse_hidden_pile, parse_pile
from tests.games.positions import dealt, position
from tests.games.walks import Start, playing, starts, walks

PAGE = Path("server/games/NOTATION.md").read_text("utf-8")
TOKEN = re.compile(r'"([^"]*)"|([a-z][a-z ]*[a-z])|([][{}()|,])|\s+')
PILE_NAMES = sorted({name for variant in GAMES.values() for name in variant.pile_names})
ALL_PILES = GAMES["spider-4"].pile_names + GAMES["little-spider"].pile_names[:8]


def grammar() -> dict[str, str]:
    """Return the rules of the page as regular expressions; no rule refers to itself."""
    block = re.search(r"```ebnf\n(.*?)```", PAGE, re.DOTALL)
    assert block
    rules = dict(re.findall(r"^([a-z ]+?) *= (.*) ;$", block[1], re.MULTILINE))

    def expand(rule: str) -> str:
        opening = {"[": "(?:", "{": "(?:", "(": "(?:", "]": ")?", "}": ")*", ",": ""}
        tokens = TOKEN.finditer(rules[rule])
        parts = (
            re.escape(found[1])
            if found[1] is not None
            else f"(?:{expand(found[2])})"
            if found[2]
            else opening.get(found[3] or "", found[3] or "")
            for found in tokens
        )
        return "".join(parts)

    return {rule: expand(rule) for rule in rules}


GRAMMAR = grammar()
EXAMPLES = re.findall(r"^\| `([a-z ]+)` \| `(.*?)` \|", PAGE, re.MULTILINE)
PLURALS = {
    "actions": "action",
    "legal actions": "legal",
    "piles": "pile",
    "hidden piles": "hidden pile",
    "entries": "entry",
}
NOT_READ = PAGE.partition("These texts are refused: ")[2].partition("\n")[0]
REFUSED = [
    (PLURALS[plural], text)
    for texts, plural in re.findall(f"((?:`[^`]*` )+)as ({'|'.join(PLURALS)})", NOT_READ)
    for text in re.findall(r"`([^`]*)`", texts)
]


def _card_back(text: str) -> str:
    return format_cards([parse_card(text)])


def _pile_back(text: str) -> str:
    return format_pile(parse_pile(text), hidden=False)


def _hidden_back(text: str) -> str:
    down, up = parse_hidden_pile(text)
    return format_pile(PileState(down, (parse_card("AS"),) * down + up), hidden=True)


def _entry_back(text: str) -> str:
    return format_log(parse_log(text, ALL_PILES), ALL_PILES)


def action_back(text: str) -> str:
    texts = ACTION_TEXTS[_variant(text).id]
    return texts.format(texts.parse(text))


def legal_back(text: str) -> str:
    texts = ACTION_TEXTS[_variant(text).id]
    return texts.format_legal(texts.parse_legal(text))


def _variant(text: str) -> Variant:
    return GAMES["little-spider" if re.search("[ul][0-9]", text) else "spider-4"]


BACK: dict[str, Callable[[str], str]] = {
    "card": _card_back,
    "pile": _pile_back,
    "hidden pile": _hidden_back,
    "action": action_back,
    "legal": legal_back,
    "entry": _entry_back,
}


class TestPage:
    @pytest.mark.parametrize(("rule", "text"), EXAMPLES)
    def test_an_example_matches_its_rule_and_reads_back(self, rule: str, text: str) -> None:
        assert re.fullmatch(GRAMMAR[rule], text)
        assert BACK[rule](text) == text

    def test_every_kind_of_text_has_an_example(self) -> None:
        assert {rule for rule, _ in EXAMPLES} == set(BACK)
        actions = [text for rule, text in EXAMPLES if rule == "action"]
        kinds = {kind(ACTION_TEXTS[_variant(text).id].parse(text)) for text in actions}
        assert kinds == set(ActionKind)

    @pytest.mark.parametrize(("rule", "text"), REFUSED)
    def test_a_refused_text_is_refused(self, rule: str, text: str) -> None:
        with pytest.raises(NotationError):
            BACK[rule](text)
        # The grammar says nothing of the greatest numbers.
        assert not re.fullmatch(GRAMMAR[rule], text) or text == "[1000]"

    def test_all_refused_texts_are_read(self) -> None:
        assert len(REFUSED) == NOT_READ.count("`") // 2

    def test_the_names_of_piles_are_those_of_the_games(self) -> None:
        assert all(re.fullmatch(GRAMMAR["pile name"], name) for name in PILE_NAMES)


def all_actions(variant: Variant) -> list[Action]:
    """Return every action that names piles of a variant, legal anywhere or not."""
    piles = range(len(variant.piles))
    moves = [
        move(here, n, to, exception=exception)
        for here in piles
        for n in range(16)
        for to in piles
        for exception in (False, True)
    ]
    return [*moves, *map(remove, piles), DEAL, UNDO, REDO, FINISH]


class TestActions:
    @pytest.mark.parametrize("game", GAMES)
    def test_every_action_has_one_text(self, game: str) -> None:
        # Moves between all piles are more than the texts that are kept.
        texts = ActionTexts(GAMES[game].pile_names)
        actions = all_actions(GAMES[game])
        written = [texts.format(action) for action in actions]
        assert len(set(written)) == len(actions)
        assert [texts.parse(text) for text in written] == actions
        rule = re.compile(GRAMMAR["action"])
        assert all(map(rule.fullmatch, written))
        assert [texts.format(action) for action in actions] == written

    def test_a_text_is_made_once(self) -> None:
        texts = ACTION_TEXTS["spider-4"]
        assert texts.format(move(3, 2, 1)) is texts.format(move(3, 2, 1))
        assert (texts.format_legal(()), texts.parse_legal("")) == ("", ())
        assert texts.format_legal([move(0, 1, 1), remove(2), REDO]) == "t0x1-t1,remove t2,redo"
        for _ in range(2):  # a text that was refused is refused again
            with pytest.raises(NotationError, match="not an action here: 'l0x1-l1'"):
                texts.parse("l0x1-l1")


class TestPiles:
    @pytest.mark.parametrize(
        ("pile", "opened", "hidden"),
        [
            ("", "", ""),
            ("t0: 5H", "5H", "5H"),
            ("t0: [5H 6C] KS-QS", "[5H 6C] KS QS", "[2] KS QS"),
        ],
    )
    def test_a_pile_has_a_text_with_and_one_without_face_down_cards(
        self, pile: str, opened: str, hidden: str
    ) -> None:
        game = position(pile)
        assert format_pile(game.pile(0), hidden=False) == opened
        assert format_pile(game.pile(0), hidden=True) == hidden == game.pile_text(0)

    def test_the_stock_hides_all_its_cards(self) -> None:
        game = dealt()
        assert game.pile_text(10) == "[50]"
        assert parse_hidden_pile("[50]") == HiddenPile(50, ())
        assert format_pile(PileState(2, (parse_card("5H"), parse_card("6C"))), hidden=False) == (
            "[5H 6C]"
        )


@given(starts(), walks)
@settings(max_examples=30)
def test_all_texts_of_a_game_read_back(start: Start, choices: list[int]) -> None:
    game = start()
    texts = ACTION_TEXTS[game.variant.id]
    for number, _ in enumerate(playing(game, choices)):
        if number % 8 and game.outcome is None:
            continue
        legal = texts.format_legal(game.legal_actions())
        assert texts.parse_legal(legal) == game.legal_actions()
        assert re.fullmatch(GRAMMAR["legal"], legal)
        for index in range(len(game.variant.piles)):
            pile = game.pile(index)
            opened, hidden = (format_pile(pile, hidden=False), format_pile(pile, hidden=True))
            assert parse_pile(opened) == pile
            assert parse_hidden_pile(hidden) == (pile.down, pile.cards[pile.down :])
            assert game.pile_text(index) == hidden
            assert re.fullmatch(GRAMMAR["pile"], opened)
            assert re.fullmatch(GRAMMAR["hidden pile"], hidden)


PATTERNS = {
    "card": vocabulary.CARD_PATTERN,
    "pile name": vocabulary.PILE_PATTERN,
    "hidden pile": vocabulary.HIDDEN_PILE_PATTERN,
    "action": vocabulary.ACTION_PATTERN,
    "legal": vocabulary.LEGAL_PATTERN,
}
IMPOSSIBLE = re.compile("x(?:0|14|15)-")


def _near(rule: str) -> st.SearchStrategy[str]:
    """Return texts of a rule, half of them with a character added, removed or replaced."""
    texts = st.from_regex(GRAMMAR[rule], fullmatch=True)
    edits = st.tuples(texts, st.integers(0, 60), st.sampled_from(["", *" ,-x![]0129tfSKHs\n"]))
    return texts | edits.flatmap(
        lambda edit: st.integers(0, 1).map(partial(_edited, edit[0], edit[1], edit[2]))
    )


def _edited(text: str, place: int, new: str, removed: int) -> str:
    place = min(place, len(text))
    return text[:place] + new + text[place + removed :]


@pytest.mark.parametrize("rule", ["card", "pile name", "pile", "hidden pile", "action", "legal"])
def test_exactly_the_texts_of_the_grammar_are_read_and_accepted_in_messages(rule: str) -> None:
    own = [text for other, text in (*EXAMPLES, *REFUSED) if other == rule]

    @given(_near(rule) | st.sampled_from(["", *own]))
    @settings(max_examples=60)
    def check(text: str) -> None:
        if re.search(r"[0-9]{4}", text):  # longer than any number
            _is_refused(rule, text)
            return
        derived = re.fullmatch(GRAMMAR[rule], text) is not None
        if rule in PATTERNS:
            # A message is refused if its text is none; all other texts are judged by the game.
            pattern = re.compile(PATTERNS[rule].removesuffix("$") + r"\Z")
            assert bool(pattern.match(text)) == (derived and not IMPOSSIBLE.search(text))
        if derived:
            _reads_back(rule, text)
        else:
            _is_refused(rule, text)

    check()


def _reads_back(rule: str, text: str) -> None:
    if rule not in BACK:
        return
    try:
        assert BACK[rule](text) == text
    except NotationError as error:
        assert "not an action here" in str(error)  # noqa: PT017  # a pile of another game


def _is_refused(rule: str, text: str) -> None:
    if rule not in BACK:
        return
    with pytest.raises(NotationError):
        BACK[rule](text)


@given(st.integers(0, 999_999_999_999))
def test_every_time_of_a_log_reads_back(ms: int) -> None:
    entries = (LogEntry(ms, DEAL),)
    assert parse_log(format_log(entries, ALL_PILES), ALL_PILES) == entries
    assert re.fullmatch(GRAMMAR["entry"], format_log(entries, ALL_PILES))
