"""How long fuzzing tests look: a little in every check, and `FUZZ=100 make check` for a night."""

import os

from hypothesis import HealthCheck, settings

FUZZ = int(os.environ.get("FUZZ", "1"))


def fuzzed(examples: int) -> settings:
    """Settings of a test that looks at so many examples, times `FUZZ`."""
    return settings(
        max_examples=examples * FUZZ,
        deadline=None,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )
