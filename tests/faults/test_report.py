from dataclasses import replace

from tests.faults.beside import Beside
from tests.faults.checker import HELD_UP, Verdict
from tests.faults.last_release import LastRelease
from tests.faults.report import table
from tests.faults.run import Outcome, Plan
from tests.faults.schedule import FaultKind

HERE = object.__new__(LastRelease)  # nothing is asked of it


def outcome(**inflicted: int) -> Outcome:
    made = Outcome(Plan(seed=7), Verdict(), [])
    made.inflicted.update({FaultKind[name]: count for name, count in inflicted.items()})
    return made


def row(text: str, name: str) -> list[str]:
    (line,) = (line for line in text.splitlines() if line.startswith(name + "  "))
    return line.removeprefix(name).split()


def test_a_column_has_the_number_of_each_fault() -> None:
    two = [outcome(UNREADABLE_RECORD=3, ROLLBACK=2), outcome(ROLLBACK=1)]
    for one in two:
        one.plan = replace(one.plan, last_release=HERE)
    text = table(two, "both")
    assert row(text, FaultKind.UNREADABLE_RECORD) == ["3", "0"]
    assert row(text, FaultKind.ROLLBACK) == ["2", "1"]
    assert text.endswith("all is well")


def test_rooms_that_were_held_up_are_reported_as_a_violation() -> None:
    one = outcome()
    one.beside = Beside(answered=40, longest_s=5.25)
    one.verdict.wrong[HELD_UP].append("GOOD for 5.2 s")
    text = table([one], "alone")
    assert row(text, "acts answered beside unreadable records") == ["40"]
    assert row(text, "longest wait of a room beside one") == ["5.2", "s"]
    assert text.splitlines()[-1] == "NOT WELL"
    assert "  GOOD for 5.2 s" in text


def test_without_the_last_release_no_rollback_is_reported() -> None:
    one = outcome()
    text = table([one], "both")
    assert row(text, FaultKind.ROLLBACK) == ["left", "out"]
    assert "--no-rollback" in text.splitlines()[0]
    one.plan = replace(one.plan, last_release=HERE)
    text = table([one], "both")
    assert row(text, FaultKind.ROLLBACK) == ["0"]
    assert "--no-rollback" not in text.splitlines()[0]
