"""The contract of Spider Race: JSON text frames over one websocket.

Modules of messages are named for their sender: `from_client` and `to_client`. Messages of clients
are parsed once, strictly, in `codec`; no code behind it handles a `dict`. `vocabulary` defines
the enumerations and limits.
"""
