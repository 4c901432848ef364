class Rereads:
    """The requests to read one thing: any number of them during a read cause one more read."""

    __slots__ = ("_has_reader", "_is_requested")

    def __init__(self) -> None:
        self._is_requested = False
        self._has_reader = False

    @property
    def has_reader(self) -> bool:
        """Whether a task works off the requests."""
        return self._has_reader

    @property
    def is_requested(self) -> bool:
        """Whether a read was requested since the latest one began."""
        return self._is_requested

    def request(self) -> bool:
        """Request a read; return whether the caller must begin a reader, as there is none."""
        self._is_requested = True
        return self.begin_reader()

    def begin_reader(self) -> bool:
        """Return whether the caller is the reader from now on, as there is no other one."""
        begins = not self._has_reader
        self._has_reader = True
        return begins

    def end_reader(self) -> None:
        """Let another reader begin; what is requested stays so."""
        self._has_reader = False

    def take(self) -> bool:
        """Return whether the reader must read now, and take the request."""
        taken, self._is_requested = self._is_requested, False
        return taken
