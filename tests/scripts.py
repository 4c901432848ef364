"""Stand-ins for programs of the system."""

from pathlib import Path


def install_script(path: Path, text: str) -> Path:
    """Write a shell script that can be run; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o700)
    return path
