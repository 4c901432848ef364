"""The effort of fuzzing tests: few examples in `make check`, twenty times as many at night."""

import os

from hypothesis import HealthCheck, settings

FUZZ = int(os.environ.get("FUZZ", "1"))


def fuzzed(examples: int) -> settings:
    """Return the settings for a test with this number of examples, times `FUZZ`."""
    return settings(
        max_examples=examples * FUZZ,
        deadline=None,
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )
