"""The server as it is, but for the limit of messages a second: programs play faster than hands."""

import sys

from server.__main__ import main
from server.net import limits

if __name__ == "__main__":
    limits.MESSAGES_PER_S = 1_000_000
    sys.exit(main(sys.argv[1:]))
