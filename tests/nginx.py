"""An nginx in front of a test's server, with the sample of this project or another file."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.servers import START_SECONDS, free_ports

SAMPLE = Path(__file__).parents[1] / "deploy" / "nginx" / "spider-race.conf"
PLAIN = "server { listen 80; location / { proxy_pass http://127.0.0.1:8000; } }"
"""What people write first: nginx then speaks HTTP/1.0, and drops Upgrade, Connection and Host."""
MAIN = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
{user}
events {{}}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  {site}
}}
"""


def nginx_path() -> str | None:
    """Return the path of the system's nginx, which `.ci/nginx` installs; None if it has none."""
    return shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


@contextmanager
def in_front_of(target: int, port: int, site: str) -> Iterator[None]:
    """Run nginx at a port of the loopback with a configuration, for a server at another port."""
    binary = nginx_path()
    assert binary is not None, "the test is skipped where there is no nginx"
    site = site.replace("listen 80;", f"listen 127.0.0.1:{port};")
    site = site.replace("listen [::]:80;", "")
    site = site.replace("127.0.0.1:8000", f"127.0.0.1:{target}")
    with tempfile.TemporaryDirectory(prefix="sr-") as folder:
        user = "user root;" if os.geteuid() == 0 else ""
        main = Path(folder) / "nginx.conf"
        main.write_text(MAIN.format(folder=folder, site=site, user=user))
        process = subprocess.Popen(
            [binary, "-c", str(main), "-p", folder, "-e", f"{folder}/error.log"]
        )
        try:
            give_up = time.monotonic() + START_SECONDS
            while not _listens(port):
                assert process.poll() is None, (Path(folder) / "error.log").read_text()
                assert time.monotonic() < give_up
                time.sleep(0.02)
            yield
        finally:
            process.terminate()
            process.wait()


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def free_port() -> int:
    """Return a free port, which the server must know before it is started."""
    (port,) = free_ports(1)
    return port
