"""Where no engine can run, the step says so and fails nothing; where one runs, no act is lost."""

import os
import sys
from pathlib import Path

import pytest

from protocol.http import SeatLog, SeatLogEntry
from tests.containers import __main__ as program
from tests.containers import engine
from tests.containers.images import named
from tests.containers.race import Acknowledged, Racer, longest_gap_s, lost_acts


@pytest.mark.parametrize(
    ("system", "user", "cache", "reason"),
    [
        ("darwin", 0, True, "it needs Linux"),
        ("linux", 1_000, True, "only root may start one"),
        ("linux", 0, False, "cannot be written"),
    ],
)
def test_where_no_engine_can_run_it_is_skipped_aloud(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    system: str,
    user: int,
    reason: str,
    *,
    cache: bool,
) -> None:
    place = tmp_path / "cache"
    if not cache:
        place.write_text("a file, where a folder should be")
    monkeypatch.setattr(engine, "CACHE", place)
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody.sock")
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert program.main() == 0
    assert reason in capsys.readouterr().out


def test_acts_that_the_log_does_not_have_at_their_place_are_lost_and_silence_is_a_gap() -> None:
    entries = tuple(SeatLogEntry(action=action, ms=0) for action in ("deal", "undo", "deal"))
    log = SeatLog(seat=0, name="Ada", late_ms=None, log=entries)
    acts = [Acknowledged(action, when) for when, action in enumerate(("deal", "deal", "undo"))]
    racer = Racer(0, dict(enumerate(acts)))
    assert lost_acts([racer], [log]) == acts[1:]
    assert longest_gap_s([racer], 0.5, 20.0) == 18.0


def test_every_image_of_the_files_is_provided() -> None:
    assert [image.partition(":")[0] for image in named()] == ["caddy", "python", "redis"]
