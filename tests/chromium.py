"""The system's Chromium, which `.ci/chromium` installs."""

import shutil

SHELL = "chromium-headless-shell"
"""Chromium without the parts for windows: pages cost a quarter less than in the whole browser."""


def chromium_path() -> str | None:
    """Return the path of the system's Chromium; None if it has none."""
    names = (SHELL, "chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)
