"""An nginx in front of a test's server, with our sample configuration or another one."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SAMPLE = Path(__file__).parents[1] / "deploy" / "nginx" / "spider-race.conf"
PLAIN = "server { listen 80; location / { proxy_pass http://127.0.0.1:8000; } }"
"""A common first try: nginx speaks HTTP/1.0, and drops Upgrade, Connection and Host."""
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
    """Return the path of the nginx that `.ci/nginx` installs, or None."""
    return shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin:/sbin")


@contextmanager
def in_front_of(target: int, listener: socket.socket, site: str) -> Iterator[None]:
    """Run nginx with a configuration, for a server at another port of the loopback.

    The caller has already bound the listener, so nobody else takes its port. nginx takes it over
    as from an older nginx that it replaces.
    """
    binary = nginx_path()
    assert binary is not None, "the test is skipped where there is no nginx"
    site = site.replace("listen 80;", f"listen 127.0.0.1:{listener.getsockname()[1]};")
    site = site.replace("listen [::]:80;", "")
    site = site.replace("127.0.0.1:8000", f"127.0.0.1:{target}")
    with tempfile.TemporaryDirectory(prefix="sr-") as folder:
        user = "user root;" if os.geteuid() == 0 else ""
        main = Path(folder) / "nginx.conf"
        main.write_text(MAIN.format(folder=folder, site=site, user=user))
        process = subprocess.Popen(
            [binary, "-c", str(main), "-p", folder, "-e", f"{folder}/error.log"],
            env={**os.environ, "NGINX": f"{listener.fileno()};"},
            pass_fds=(listener.fileno(),),
        )
        try:
            yield
            assert process.poll() is None, (Path(folder) / "error.log").read_text()
        finally:
            process.terminate()
            process.wait()
