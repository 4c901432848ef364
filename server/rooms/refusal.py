from protocol.vocabulary import ErrorCode
from server.rooms.rounds import Clash


class Refusal(Exception):  # noqa: N818  # the protocol's word; no error of the server
    """A refused event; `clash` names settings that exclude each other, if that is why."""

    def __init__(self, code: ErrorCode, clash: Clash | None = None) -> None:
        super().__init__(code.value)
        self.code = code
        self.clash = clash
