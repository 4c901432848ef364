"""The wire contract of Spider Race: JSON text frames over one websocket.

Models are named for who speaks: `from_client` and `to_client`. What a client says is
parsed once, strictly, in `codec`; nothing behind it ever meets a `dict`. Words and limits stand
in `vocabulary`.
"""
