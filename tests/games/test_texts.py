"""The notation of actions and piles: the grammar of NOTATION.md, its examples, and the code."""

import re
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import vocabulary
from protocol.games import GAMES
from server.games.actions import (
    ACTION_TEXTS,
    DEAL,
    FINISH,
    REDO,
    UNDO,
    ActionKind,
    ActionTexts,
    TimedAction,
    count,
    is_exception,
    kind,
    move,
    remove,
    source,
    target,
)
from server.games.cards import (
    SUIT_RUNS,
    card_names,
    format_cards,
    format_pile,
    is_red,
    make_card,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)
from server.games.errors import NotationError
from tests.games.texts import (
    cards_of,
    format_log,
    format_open_pile,
    parse_hidden_pile,
    parse_legal,
    parse_log,
    parse_pile,
)
from tests.games.walks import Start, playing, starts, walks

PAGE = Path("server/games/NOTATION.md").read_text("utf-8")
TOKEN = re.compile(r'"([^"]*)"|([a-z][a-z ]*[a-z])|([][{}()|,])|\s+')
PILE_NAMES = sorted({name for variant in GAMES.values() for name in variant.pile_names})
ALL_TEXTS = ActionTexts(GAMES["spider-4"].pile_names + GAMES["little-spider"].pile_names[:8])


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


def _hidden_back(text: str) -> str:
    down, up = parse_hidden_pile(text)
    return format_pile(down, up)


def _texts(text: str) -> ActionTexts:
    return ACTION_TEXTS["little-spider" if re.search("[ul][0-9]", text) else "spider-4"]


BACK: dict[str, Callable[[str], str]] = {
    "card": lambda text: format_cards([parse_card(text)]),
    "pile": lambda text: format_open_pile(parse_pile(text)),
    "hidden pile": _hidden_back,
    "action": lambda text: _texts(text).format(_texts(text).parse(text)),
    "legal": lambda text: _texts(text).format_legal(parse_legal(text, _texts(text))),
    "entry": lambda text: format_log(parse_log(text, ALL_TEXTS), ALL_TEXTS),
}


@pytest.mark.parametrize(("rule", "text"), EXAMPLES)
def test_an_example_matches_its_rule_and_reads_back(rule: str, text: str) -> None:
    assert re.fullmatch(GRAMMAR[rule], text)
    assert BACK[rule](text) == text


@pytest.mark.parametrize(("rule", "text"), REFUSED)
def test_a_refused_text_is_refused(rule: str, text: str) -> None:
    with pytest.raises(NotationError):
        BACK[rule](text)
    # The grammar sets no limit to numbers.
    assert not re.fullmatch(GRAMMAR[rule], text) or text == "[1000]"


def test_every_kind_of_text_has_an_example_and_names_the_piles_of_the_games() -> None:
    assert {rule for rule, _ in EXAMPLES} == set(BACK)
    kinds = {kind(_texts(text).parse(text)) for rule, text in EXAMPLES if rule == "action"}
    assert kinds == set(ActionKind)
    assert len(REFUSED) == NOT_READ.count("`") // 2
    assert all(re.fullmatch(GRAMMAR["pile name"], name) for name in PILE_NAMES)


@pytest.mark.parametrize("game", GAMES)
def test_every_action_has_one_text_and_keeps_its_numbers(game: str) -> None:
    """There are more moves between all piles than cached texts."""
    texts, piles = ActionTexts(GAMES[game].pile_names), range(len(GAMES[game].piles))
    actions = [DEAL, UNDO, REDO, FINISH]
    for here in piles:
        actions.append(remove(here))
        assert (kind(actions[-1]), source(actions[-1])) == (ActionKind.REMOVE, here)
        assert not is_exception(actions[-1])
        for n, to, exception in product(range(16), piles, (False, True)):
            action = move(here, n, to, exception=exception)
            assert (source(action), count(action), target(action)) == (here, n, to)
            assert (is_exception(action), kind(action)) == (exception, ActionKind.MOVE)
            actions.append(action)
    written = [texts.format(action) for action in actions]
    assert len(set(written)) == len(actions)
    assert [texts.parse(text) for text in written] == actions
    assert all(map(re.compile(GRAMMAR["action"]).fullmatch, written))
    assert [texts.format(action) for action in actions] == written


def test_numbers_out_of_range_are_not_actions() -> None:
    assert source(move(31, 15, 31)) == target(move(31, 15, 31)) == source(remove(31)) == 31
    for numbers in ((32, 1, 0), (0, 16, 0), (0, 1, 32), (-1, 1, 0), (0, -1, 0)):
        with pytest.raises(ValueError, match="no action can hold"):
            move(*numbers)
    for pile in (-1, 32):
        with pytest.raises(ValueError, match="no action can hold"):
            remove(pile)
    for number in (-1, 0x8000, 0x8006, 0x8011, 0xC002, 0xFFFF, 0x10000):
        with pytest.raises(ValueError, match="not an action"):
            kind(number)


def test_texts_are_cached() -> None:
    texts = ACTION_TEXTS["spider-4"]
    assert texts.format(move(3, 2, 1)) is texts.format(move(3, 2, 1))
    assert (texts.format_legal(()), parse_legal("", texts)) == ("", ())
    assert texts.format_legal([move(0, 1, 1), remove(2), REDO]) == "t0x1-t1,remove t2,redo"
    for _ in range(2):  # a text that was refused is refused again
        with pytest.raises(NotationError, match="not an action here: 'l0x1-l1'"):
            texts.parse("l0x1-l1")


def test_every_card_parses_back_from_its_name() -> None:
    cards = [make_card(rank, suit) for suit in range(4) for rank in range(1, 14)]
    assert [parse_card(name) for name in card_names(cards)] == cards
    assert [(rank_of(card), suit_of(card)) for card in cards[:14:13]] == [(1, 0), (1, 1)]
    assert card_names(cards[:14:13]) == ["AS", "AH"]
    assert [is_red(card) for card in parse_cards("AS AH AD AC")] == [False, True, True, False]
    assert format_cards(cards[:13]) == "AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS"
    assert [tuple(run) for run in SUIT_RUNS] == [cards_of(f"K{suit}-A{suit}") for suit in "SHDC"]


@pytest.mark.parametrize("text", ["1S", "10S", "S", "AX", "AS-", "-AS", "A♠", "AS-3S"])
def test_names_that_are_not_cards_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_cards(text)


@given(starts(), walks)
@settings(max_examples=30)
def test_all_texts_of_a_game_read_back(start: Start, choices: list[int]) -> None:
    game = start()
    texts = ACTION_TEXTS[game.variant.id]
    for number, _ in enumerate(playing(game, choices)):
        if number % 8 and game.outcome is None:
            continue
        legal = texts.format_legal(game.legal_actions())
        assert parse_legal(legal, texts) == game.legal_actions()
        assert re.fullmatch(GRAMMAR["legal"], legal)
        for index in range(len(game.variant.piles)):
            pile = game.pile(index)
            opened = format_open_pile(pile)
            hidden = format_pile(pile.down, pile.cards[pile.down :])
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
def test_parsers_and_messages_accept_exactly_the_grammar(rule: str) -> None:
    own = [text for other, text in (*EXAMPLES, *REFUSED) if other == rule]

    @given(_near(rule) | st.sampled_from(["", *own]))
    @settings(max_examples=60)
    def check(text: str) -> None:
        is_long = re.search(r"[0-9]{4}", text)  # longer than any number
        derived = re.fullmatch(GRAMMAR[rule], text) is not None
        if rule in PATTERNS and not is_long:
            # Messages accept what the grammar derives, except for impossible moves.
            pattern = re.compile(PATTERNS[rule].removesuffix("$") + r"\Z")
            assert bool(pattern.match(text)) == (derived and not IMPOSSIBLE.search(text))
        try:
            assert rule not in BACK or BACK[rule](text) == text
            assert rule not in BACK or (derived and not is_long)
        except NotationError as error:  # perhaps a pile of another game
            assert is_long or not derived or "not an action here" in str(error)  # noqa: PT017

    check()


@given(st.integers(0, 999_999_999_999))
def test_every_time_of_a_log_reads_back(ms: int) -> None:
    entries = (TimedAction(DEAL, ms),)
    assert parse_log(format_log(entries, ALL_TEXTS), ALL_TEXTS) == entries
    assert re.fullmatch(GRAMMAR["entry"], format_log(entries, ALL_TEXTS))
