"""What an installation of the client needs."""

import subprocess
import sys

WITHOUT_SERVER = """
import sys
sys.modules |= dict.fromkeys(("server", "spider_race.server", "redis", "matplotlib"))
from spider_race_client import connect
"""


def test_the_client_needs_no_server() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_SERVER], check=True, timeout=60)
