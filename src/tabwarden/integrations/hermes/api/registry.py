"""``SUPERVISOR_REGISTRY``: one supervisor per task, under Hermes Agent's names."""

from __future__ import annotations

import threading

from tabwarden.integrations.hermes.api.supervisor import (
    DEFAULT_DIALOG_POLICY,
    DEFAULT_DIALOG_TIMEOUT_S,
    DEFAULT_START_S,
    CDPSupervisor,
)


class SupervisorRegistry:
    """Keeps one running supervisor per ``task_id``. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._supervisors: dict[str, CDPSupervisor] = {}
        self._starting: dict[str, threading.Lock] = {}

    def get(self, task_id: str) -> CDPSupervisor | None:
        """Return the supervisor for ``task_id``, or None. Never waits."""
        return self._supervisors.get(task_id)

    def get_or_start(
        self,
        task_id: str,
        cdp_url: str,
        *,
        dialog_policy: str = DEFAULT_DIALOG_POLICY,
        dialog_timeout_s: float = DEFAULT_DIALOG_TIMEOUT_S,
        start_timeout: float = DEFAULT_START_S,
    ) -> CDPSupervisor:
        """Return the task's supervisor; start one if none is running on ``cdp_url``.

        Args:
            task_id, cdp_url, dialog_policy, dialog_timeout_s: see ``CDPSupervisor``.
            start_timeout: limit for connecting, in seconds.

        Raises:
            EndpointUnreachable, BudgetExceeded: see ``CDPSupervisor.start``.
        """
        with self._lock:
            turn = self._starting.setdefault(task_id, threading.Lock())
        with turn:
            running = self._supervisors.get(task_id)
            if running is not None and running.cdp_url == cdp_url and running.is_active:
                return running
            self.stop(task_id)
            supervisor = CDPSupervisor(
                task_id, cdp_url, dialog_policy=dialog_policy, dialog_timeout_s=dialog_timeout_s
            )
            supervisor.start(start_timeout)
            self._supervisors[task_id] = supervisor
            return supervisor

    def stop(self, task_id: str) -> None:
        """Stop the task's supervisor, if any."""
        supervisor = self._supervisors.pop(task_id, None)
        if supervisor is not None:
            supervisor.stop()

    def stop_all(self) -> None:
        """Stop every supervisor."""
        for task_id in list(self._supervisors):
            self.stop(task_id)


SUPERVISOR_REGISTRY = SupervisorRegistry()
"""This process's supervisors."""
