"""A newer server, which no longer speaks the protocol of the pages: `… [options]`."""

import sys

from server.__main__ import main
from server.web import handshake

if __name__ == "__main__":
    vars(handshake)["SUPPORTED_SUBPROTOCOLS"] = ("spider-race.v1000",)
    sys.exit(main(sys.argv[1:]))
