"""A tenant's tasks, under the tenant's own names. For the operator, these are all tasks."""

from __future__ import annotations

from contextlib import AbstractContextManager

from tabwarden.actions.sessions.names import full_name, own_name, tenant_of
from tabwarden.actions.sessions.session import Session
from tabwarden.actions.sessions.tasks import Tasks
from tabwarden.actions.sessions.timing import RETRY_AFTER_S
from tabwarden.budget import Budget
from tabwarden.errors import Capacity


class TenantTasks:
    """The tasks that a caller can reach. See ``Tasks`` for the methods.

    Args:
        tasks: all tasks of the server.
        tenant: the tasks' tenant; None for the operator, who can reach all tasks by full name.
        at_most: maximum number of open browsers of the tenant; None if only the server's limit
            applies.
    """

    def __init__(self, tasks: Tasks, tenant: str | None, at_most: int | None = None) -> None:
        self._tasks = tasks
        self._tenant = tenant
        self._at_most = at_most

    def call(self, name: str, budget: Budget, *, opens: bool) -> AbstractContextManager[Session]:
        """See ``Tasks.call``. Also raises ``Capacity`` if the tenant has too many browsers."""
        full = self.full(name)
        if opens and self._at_most is not None:
            self._check_room(full, self._at_most)
        return self._tasks.call(full, budget, opens=opens)

    def of(self, name: str) -> Session:
        return self._tasks.of(self.full(name))

    def session(self, name: str) -> Session | None:
        return self._tasks.session(self.full(name))

    def open_sessions(self) -> dict[str, Session]:
        everything = self._tasks.open_sessions()
        if self._tenant is None:
            return everything
        return {
            own_name(full): session
            for full, session in everything.items()
            if tenant_of(full) == self._tenant
        }

    async def stop(self, name: str) -> bool:
        return await self._tasks.stop(self.full(name))

    def full(self, name: str) -> str:
        """Return the server's name for a task. Raise ``InvalidArgument`` for an invalid name."""
        return full_name(self._tenant, name)

    def _check_room(self, full: str, at_most: int) -> None:
        taken = [one for one in self._tasks.with_browser() if tenant_of(one) == self._tenant]
        if full not in taken and len(taken) >= at_most:
            full_up = Capacity(
                f"{len(taken)} of your tasks have a browser, which is the limit of your token.",
                f"Stop one of your tasks, or try again in {RETRY_AFTER_S:g} s.",
                retry_after_s=RETRY_AFTER_S,
                field="task",
                reason="tenant",
            )
            raise self._tasks.refused(full_up)
