"""How often and how long a lost connection is sought again."""

from __future__ import annotations

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    wait_exponential,
    wait_random,
)

from tabwarden.errors import EndpointUnreachable

__all__ = ["RECONNECT_MS", "Flapping", "reconnect_attempts"]

RECONNECT_MS = 10_000.0
"""For one attempt."""
_GIVE_UP_S = 30.0
_STEADY_S = 2.0
"""How long a connection stands before its loss is a new one."""
_REFUSED = "refused"
_REFUSED_S = 2.0
"""A port that refuses is a browser that is gone, or a relay that is restarted at once."""


def reconnect_attempts() -> AsyncRetrying:
    """Attempts with growing pauses, until the endpoint is there, or says that it won't be."""
    return AsyncRetrying(
        wait=wait_exponential(multiplier=0.05, max=3.0) + wait_random(0, 0.05),
        stop=_is_hopeless,
        retry=retry_if_exception(_may_pass),
        reraise=True,
    )


class Flapping:
    """Connections that break again as soon as they are made: they have one budget together.

    All times are monotonic seconds.
    """

    def __init__(self) -> None:
        self._up_since: float | None = None
        self._lost_since: float | None = None
        self._times = 0

    def regained(self, now: float) -> None:
        """There is a connection again."""
        self._up_since = now

    def lost(self, now: float) -> bool:
        """It is lost; whether to give up."""
        stood = self._up_since is not None and now - self._up_since > _STEADY_S
        if self._lost_since is None or stood:
            self._lost_since, self._times = now, 0
        self._up_since = None
        self._times += 1
        return now - self._lost_since >= _GIVE_UP_S

    @property
    def pause_s(self) -> float:
        """How long to wait before the next one, seconds; 0 the first time."""
        return min(3.0, 0.05 * 2 ** min(self._times, 10)) if self._times > 1 else 0.0


def _may_pass(error: BaseException) -> bool:
    return isinstance(error, EndpointUnreachable) and not error.data.get("session_over")


def _is_hopeless(attempt: RetryCallState) -> bool:
    tried_s = attempt.seconds_since_start or 0.0
    error = attempt.outcome.exception() if attempt.outcome is not None else None
    refused = _REFUSED in str(error).lower() or "connecterror" in str(error).lower()
    return tried_s >= (_REFUSED_S if refused else _GIVE_UP_S)
