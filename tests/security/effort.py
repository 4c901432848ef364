"""The effort of fuzzing tests: a few examples per check, `make night` has twenty times as many."""

import os

from hypothesis import HealthCheck, settings

FUZZ = int(os.environ.get("FUZZ", "1"))


def fuzzed(examples: int) -> settings:
    """Return the settings of a test with this number of examples, times `FUZZ`."""
    return settings(
        max_examples=examples * FUZZ,
        deadline=None,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )
