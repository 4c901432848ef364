"""Where no engine can run, the step says so and fails nothing."""

import os
import sys
from pathlib import Path

import pytest

from tests.containers import __main__ as program
from tests.containers import engine


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(engine, "CACHE", tmp_path / "cache")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody.sock")
    return tmp_path / "cache"


def test_on_another_system_it_is_skipped_aloud(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    assert program.main() == 0
    assert "Skipped" in capsys.readouterr().out


def test_without_the_rights_it_is_skipped_aloud(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1_000)
    assert program.main() == 0
    assert "only root may start one" in capsys.readouterr().out


def test_without_a_place_for_its_files_it_is_skipped_aloud(
    cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cache.write_text("a file, where a folder should be")
    assert program.main() == 0
    assert "cannot be written" in capsys.readouterr().out


def test_a_step_that_cannot_be_taken_gives_its_reason() -> None:
    with pytest.raises(engine.Unavailable, match="no network"):
        engine.install(["sh", "-c", "echo no network >&2; exit 1"])
