"""The extent of random tests: every run repeats the same examples unless it fuzzes."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

from support.cases import ALL

__all__ = ["FUZZ", "searched"]

FUZZ = int(os.environ.get("TABWARDEN_FUZZ", "0"))
"""How many random examples (or histories) each test tries. By default each run tries the same ones,
so that what fails was caused by the change at hand; ``make fuzz`` looks for new ones."""

_SLOW = 25
"""The divisor of the example count for tests that use a browser or a server."""


_ALL_CASES = 4
"""The factor of the example count in a run of all cases."""


def searched(examples: int, *, steps: int = 50, slow: bool = False) -> settings:
    """Hypothesis' settings.

    Args:
        examples: how many are tried; by the short run, half of them.
        steps: of a state machine's history.
        slow: each example takes a browser or a server.
    """
    examples = examples * _ALL_CASES if ALL else (examples + 1) // 2
    wanted = max(examples, FUZZ // _SLOW) if slow else FUZZ
    return settings(
        max_examples=wanted if FUZZ else examples,
        stateful_step_count=steps,
        deadline=None,
        derandomize=not FUZZ,
        database=None,
        print_blob=True,
        # Failing examples with a browser are not shrunk, which would take minutes.
        phases=[Phase.explicit, Phase.generate] if slow else list(Phase),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture,
                               HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )  # fmt: skip
