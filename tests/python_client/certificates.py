"""Certificates of `localhost` that nobody has signed."""

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

NEEDS_OPENSSL = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="no openssl on the PATH"
)


def make_certificate(path: Path) -> None:
    """Make a certificate at a path, with its key beside it."""
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1"
    name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", f"{path}.key", "-out", str(path)]
    subprocess.run(["openssl", *words.split(), *name, *files], check=True, capture_output=True)


def server_context(certificate: Path) -> ssl.SSLContext:
    """Return the context of a server with this certificate."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, f"{certificate}.key")
    return context
