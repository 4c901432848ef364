"""The system's Chromium, which `.ci/chromium` installs."""

import shutil

SHELL = "chromium-headless-shell"
"""Chromium without windows, in which pages cost a quarter less than in the full browser."""


def chromium_path() -> str | None:
    """Return the path of the system's Chromium, or None."""
    names = (SHELL, "chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)
