"""Shell scripts that replace programs of the system."""

from pathlib import Path


def install_script(path: Path, text: str) -> Path:
    """Write an executable shell script; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o700)
    return path
