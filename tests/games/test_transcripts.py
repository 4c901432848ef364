from dataclasses import replace

import pytest

from server.games.actions import ACTION_TEXTS, DEAL, UNDO, TimedAction, move
from server.games.deals import secret_deck
from server.games.errors import BadDealNumber, BadRules, IllegalAction, NotationError
from server.games.transcripts import PlayerLog, RevealedDeal, Transcript, parse_round
from tests.games.positions import rules
from tests.games.texts import format_log, format_round, parse_log, replayed

TEXTS = ACTION_TEXTS["spider-4"]
ENTRIES = (TimedAction(move(9, 1, 4), 1523), TimedAction(DEAL, 2210))
DEAL_24 = "deal: numbered\nnumber: 24"
NUMBERED = Transcript(
    rules(undo="any"),
    RevealedDeal(number=24),
    (
        PlayerLog("Ann: the first", (TimedAction(DEAL, 900), TimedAction(UNDO, 1800))),
        PlayerLog("Ben", (TimedAction(move(9, 1, 4), 1200),)),
        PlayerLog("Zoë 🕷", ()),
    ),
)


class TestLogs:
    def test_a_log_holds_an_action_a_line(self) -> None:
        text = "1523 t9x1-t4\n2210 deal"
        assert format_log(ENTRIES, TEXTS) == text
        assert parse_log(text, TEXTS) == ENTRIES
        assert parse_log(f"\n  {text}  \n\n", TEXTS) == ENTRIES

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("deal", "not milliseconds and an action: 'deal'"),
            ("-5 deal", "not milliseconds"),
            ("x deal", "not milliseconds"),
            ("5", "not milliseconds"),
            ("5 dig", "not an action: 'dig'"),
            ("9" * 13 + " deal", "not milliseconds"),
            ("05 deal", "not milliseconds"),
        ],
    )
    def test_lines_that_are_not_log_entries_are_refused(self, text: str, message: str) -> None:
        with pytest.raises(NotationError, match=message):
            parse_log(text, TEXTS)


class TestRounds:
    @pytest.mark.parametrize(
        "finished",
        [
            NUMBERED,
            Transcript(
                rules("spiderette-1", auto_remove=True),
                RevealedDeal(bytes(range(16)), b"salt"),
                (PlayerLog("Ann", (TimedAction(DEAL, 0),)),),
            ),
            Transcript(rules("little-spider"), RevealedDeal(bytes(16)), ()),
            # Older versions wrote the deal of a seed as a secret deal with an empty salt.
            Transcript(rules("little-spider"), RevealedDeal(bytes(16), b""), ()),
            replace(NUMBERED, rules=rules(undo="free")),
        ],
    )
    def test_a_round_parses_back_to_itself(self, finished: Transcript) -> None:
        assert parse_round(format_round(finished)) == finished

    def test_a_round_is_text_that_people_can_read(self) -> None:
        head, _, players = format_round(NUMBERED).partition("deck: KC TH QS")
        assert (
            head
            == """Spider Race round, format 1
game: spider-4
layout: left4
auto_remove: no
relaxed_deal: no
undo: any
exceptions: off
score: woods
deal: numbered
number: 24
"""
        )
        assert (
            players.partition("\n")[2]
            == """
player: Ann: the first
  900 deal
  1800 undo
player: Ben
  1200 t9x1-t4
player: Zoë 🕷
"""
        )

    def test_a_seeded_round_has_its_seed_and_only_in_older_versions_a_salt(self) -> None:
        seed = bytes(range(16))
        text = format_round(Transcript(rules(), RevealedDeal(seed), (PlayerLog("Ann", ()),)))
        lines = text.split("\n")
        assert lines[8:10] == ["deal: seed", "seed: 000102030405060708090a0b0c0d0e0f"]
        assert lines[10].startswith("deck: JD KH JD 6H")
        assert parse_round(text).deal == RevealedDeal(seed)
        assert parse_round(text).deck() == secret_deck("spider-4", seed)
        for salt in ("salt: ", "salt:"):  # an editor may have removed the blank
            older = text.replace("deal: seed", "deal: secret").replace("\ndeck", f"\n{salt}\ndeck")
            assert parse_round(older).deal == RevealedDeal(seed, b"")
            assert parse_round(older).deck() == secret_deck("spider-4", seed)

    def test_a_round_is_replayed(self) -> None:
        assert replayed(NUMBERED, 0).counts.cheats == 1
        assert replayed(NUMBERED, 2).at == 0
        with pytest.raises(IllegalAction):
            replayed(NUMBERED, 1)  # the log of another deal
        spaced = format_round(NUMBERED).replace("\nplayer: ", "\n\nplayer: ")
        assert parse_round(spaced) == NUMBERED
        free = parse_round(format_round(NUMBERED).replace("undo: any", "undo: free"))
        assert replayed(free, 0).counts.cheats == 0
        with pytest.raises(NotationError, match="one line"):
            format_round(replace(NUMBERED, players=(PlayerLog("a\nplayer: b", ()),)))

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("format 1", "format 2", "it begins with 'Spider Race round, format 2', not w"),
            ("layout: left4\n", "", "has no field layout"),
            ("number: 24\n", "", "has no field number"),
            ("number: 24", "number: x", "not a deal"),
            ("number: 24", "number: 25", "deck does not match"),
            ("deal: numbered", "deal: found", "not a found deal"),
            (DEAL_24, "deal: secret\nseed: 00\nsalt: 00", "not a secret deal"),
            (DEAL_24, "deal: secret\nseed: zz\nsalt: 00", "not a deal"),
            (DEAL_24, "deal: seed\nseed: 00", "not a seed deal"),
            (DEAL_24, "deal: seed", "has no field seed"),
            (DEAL_24, f"deal: seed\nseed: {'00' * 16}\nsalt: 00", "has no fields salt"),
            (DEAL_24, f"deal: seed\nseed: {'00' * 16}", "deck does not match"),
            ("deck: KC", "deck: KX", "not a card"),
            ("score: woods", "score: woods\nweather: fine", "has no fields weather"),
            ("score: woods", "score: woods\nweather: fine\nwind: east", "no fields weather, wind"),
            ("score: woods", "score=woods", "not a field"),
            ("score: woods", "score:woods", "not a field"),
            ("player: Ann: the first\n", "", "not a line of a player"),
            ("  900 deal", "900 deal", "not a line of a player"),
            ("900 deal", "900 dig", "not an action"),
        ],
    )
    def test_texts_that_are_not_rounds_are_refused(self, old: str, new: str, message: str) -> None:
        text = format_round(NUMBERED)
        assert old in text
        with pytest.raises(NotationError, match=message):
            parse_round(text.replace(old, new, 1))

    @pytest.mark.parametrize(
        ("old", "new", "error"),
        [
            ("score: woods", "score: fame", BadRules),
            ("game: spider-4", "game: yes", BadRules),
            ("number: 24", "number: 0", BadDealNumber),
        ],
    )
    def test_bad_settings_and_numbers_are_refused(
        self, old: str, new: str, error: type[Exception]
    ) -> None:
        with pytest.raises(error):
            parse_round(format_round(NUMBERED).replace(old, new))
