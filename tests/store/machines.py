"""The base of the state machines over a store."""

import asyncio
from collections.abc import Awaitable
from functools import partial
from pathlib import Path
from typing import TypeVar

from hypothesis import Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from server.store.connection import pack
from tests.servers import open_at_once

Found = TypeVar("Found")


class StoreMachine(RuleBasedStateMachine):
    """Steps on a store that is empty at first, with a clock that ticks at each call."""

    def __init__(self, url: str, folder: Path) -> None:
        super().__init__()
        self._loop = asyncio.new_event_loop()
        self.store = self.run(open_at_once(url, folder))
        self.run(self.store.client.ask_any_master(pack("FLUSHALL")))
        self.now = self.store.clock.now_ms()
        self.store.clock.now_ms = self.tick

    def run(self, step: Awaitable[Found]) -> Found:
        return self._loop.run_until_complete(step)

    def tick(self) -> int:
        self.now += 1
        return self.now

    def teardown(self) -> None:
        self.run(self.store.close())
        self._loop.close()


def walk(
    machine: type[StoreMachine], url: str, folder: Path, *, steps: int = 20, share: float = 0.25
) -> None:
    """Run a machine for a share of the examples that the profile in use asks for."""
    few = max(1, round(settings().max_examples * share))
    # No shrinking: that takes minutes with a real store.
    phases = (Phase.reuse, Phase.generate)
    chosen = settings(max_examples=few, stateful_step_count=steps, phases=phases)
    made = partial(machine, url, folder)
    run_state_machine_as_test(made, settings=chosen)  # type: ignore[arg-type]  # only called
