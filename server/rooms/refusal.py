from protocol.vocabulary import ErrorCode
from server.rooms.rounds import Clash


class Refusal(Exception):  # noqa: N818  # the field's word; it is the player's doing, not an error of ours
    """The room does not allow this; `code` says why, `clash` what is wrong with settings."""

    def __init__(self, code: ErrorCode, clash: Clash | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.clash = clash
