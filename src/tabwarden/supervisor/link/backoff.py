"""When to reconnect after a lost connection, and when to give up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabwarden.errors import EndpointUnreachable

if TYPE_CHECKING:
    from tenacity import AsyncRetrying, RetryCallState

LONGEST_PAUSE_S = 3.0
"""The maximum pause, which is short so that a restarted relay is found soon."""
FIRST_PAUSE_S = 0.05
"""The pause before the second attempt; each later pause is twice as long as the previous one."""
REFUSED_S = 2.0
"""How long to retry while the port refuses connections. A refused connection can mean that the
browser is gone, or that a relay is restarting.
"""
STEADY_S = 2.0
"""If a connection lasted longer than this, its loss counts as a new incident."""
GIVE_UP_S = 30.0
"""A browser that can't be reached again within this time is treated as gone."""
_REFUSED = "refused"


def reconnect_attempts() -> AsyncRetrying:
    """Retry with increasing pauses, until the endpoint responds, the provider's session has ended,
    or the time limit has passed.
    """
    from tenacity import AsyncRetrying, retry_if_exception, wait_exponential, wait_random

    return AsyncRetrying(
        wait=wait_exponential(multiplier=FIRST_PAUSE_S, max=LONGEST_PAUSE_S)
        + wait_random(0, FIRST_PAUSE_S),
        stop=_is_hopeless,
        retry=retry_if_exception(_may_pass),
        reraise=True,
    )


class ReconnectLimit:
    """Limits the total time spent on connections that repeatedly break soon after they open. All
    times are monotonic seconds.
    """

    def __init__(self) -> None:
        self._up_since: float | None = None
        self._lost_since: float | None = None
        self._times = 0

    def regained(self, now: float) -> None:
        self._up_since = now

    def lost(self, now: float) -> bool:
        """Record that the connection is lost; return whether to give up."""
        stood = self._up_since is not None and now - self._up_since > STEADY_S
        if self._lost_since is None or stood:
            self._lost_since, self._times = now, 0
        self._up_since = None
        self._times += 1
        return now - self._lost_since >= GIVE_UP_S

    @property
    def pause_s(self) -> float:
        """How many seconds to wait before the next attempt; 0 the first time."""
        return (
            min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2 ** min(self._times, 10))
            if self._times > 1
            else 0.0
        )


def _may_pass(error: BaseException) -> bool:
    return isinstance(error, EndpointUnreachable) and not error.data.get("session_over")


def _is_hopeless(attempt: RetryCallState) -> bool:
    tried_s = attempt.seconds_since_start or 0.0
    error = attempt.outcome.exception() if attempt.outcome is not None else None
    refused = _REFUSED in str(error).lower() or "connecterror" in str(error).lower()
    return tried_s >= (REFUSED_S if refused else GIVE_UP_S)
