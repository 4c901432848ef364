"""The start and the end of child processes."""

import contextlib
import signal
from collections.abc import Iterator, Sequence
from multiprocessing.context import SpawnProcess
from typing import Final

STOP_S: Final = 15.0
"""The time from SIGTERM to SIGKILL."""


@contextlib.contextmanager
def uninterrupted() -> Iterator[None]:
    """Block SIGINT for processes started within the block; this process receives it afterwards.

    A terminal sends SIGINT (Ctrl-C) to all processes, and a worker that is still importing would
    print a traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def end(processes: Sequence[SpawnProcess]) -> None:
    """Terminate processes and wait for their end; kill those that take longer than `STOP_S`."""
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(STOP_S)
        if process.is_alive():
            process.kill()
