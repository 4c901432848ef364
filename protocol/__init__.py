"""The contract of Spider Race: JSON text frames over one websocket.

Modules of messages are named for their sender: `from_client` and `to_client`. `codec` parses
messages from clients once and strictly; no other code handles a `dict`. `vocabulary` has
enumerations and limits.
"""
