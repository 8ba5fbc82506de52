"""TaskCall: one request's call on a task, under the request's budget."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from tabwarden.actions import Action, Aim, Performed, Session, check_allowed, perform
from tabwarden.budget import Budget
from tabwarden.config import BrowserConfig
from tabwarden.control_api import Shape, tab_named
from tabwarden.errors import TabwardenError
from tabwarden.supervisor.core import SupervisorSnapshot
from tabwarden.surfaces.http.service import CallerService


def with_tab(state: SupervisorSnapshot, arguments: dict[str, Any]) -> dict[str, Any]:
    """Replace the client's name for a tab with its ``tab_id``."""
    named = arguments.get("tab_id")
    return arguments if named is None else {**arguments, "tab_id": tab_named(state, named)}


class TaskCall(NamedTuple):
    """The objects that one request's work needs."""

    service: CallerService
    task: str
    session: Session
    config: BrowserConfig
    """The configuration when the request arrived."""
    budget: Budget
    opens: bool = False
    """Whether the call may open a browser."""

    async def run(
        self, action: Action, arguments: Mapping[str, Any], *, aim: Aim = with_tab
    ) -> Performed:
        """Run an action of the registry.

        Args:
            arguments: the checked arguments, except those that depend on the browser's state.
            aim: adds the arguments that depend on the state.

        Raises:
            TabwardenError: the configuration disables the action, or the action failed.
        """
        check_allowed(action, self.config, arguments)
        return await perform(
            self.session, action, arguments, self.budget, aim=aim, opens=self.opens
        )


Work = Callable[[TaskCall, dict[str, Any]], Awaitable[Performed]]
"""Serves a request that needs more than one action. Takes the call and the checked arguments."""


class CheckedRequest(NamedTuple):
    """A checked request: its action or work, and the arguments."""

    shape: Shape
    arguments: dict[str, Any]
    given: Mapping[str, Any]
    """The fields as the client sent them."""
    work: Work | None = None
    """Runs instead of the shape's action, if given."""
    aim: Aim = with_tab
    """Adds arguments that depend on the browser's state. Unused if ``work`` is given."""

    def budget(self, config: BrowserConfig) -> Budget:
        default_ms = config.timeout_of(self.shape.action.name)
        return Budget.of(self.arguments.get("timeout_ms"), default_ms)

    async def perform(self, call: TaskCall) -> Performed:
        """Run the request. Errors use the request's field names."""
        try:
            if self.work is not None:
                done = await self.work(call, self.arguments)
            else:
                done = await call.run(self.shape.action, self.arguments, aim=self.aim)
        except TabwardenError as error:
            self.shape.in_fields(error, self.given)
            raise
        notes = (*self.shape.passed_over(self.given), done.note)
        return done._replace(note=" ".join(note for note in notes if note))
