"""Run the steps of a batch in order, and stop if the remaining steps may no longer make sense."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from tabwarden.actions.batch.steps import Step, read_steps
from tabwarden.actions.batch.stopping import STOPS, StopOn, stop_reason
from tabwarden.actions.registry import available
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.errors import BrowserGone, Cancelled, Disabled, NotSupported, TabwardenError
from tabwarden.hints import Hint, Param
from tabwarden.page import ActionResult
from tabwarden.page.call import one_of
from tabwarden.page.snapshot import SHOWS, Show
from tabwarden.results import Batched, BatchStep

if TYPE_CHECKING:
    from tabwarden.sync import Browser as SyncBrowser


def prepare_batch(
    browser: Browser | SyncBrowser,
    steps: Sequence[Mapping[str, Any]],
    *,
    stop_on: StopOn,
    show: Show,
    tab_id: str | None,
) -> Callable[[Budget], Awaitable[ActionResult[Batched]]]:
    """Check a batch, and return a function that runs its steps on one tab. ``Browser.batch``
    explains the parameters.

    Raises:
        InvalidArgument: an argument or a step is not valid.
    """
    one_of("stop_on", stop_on, STOPS)
    one_of("snapshot", show, SHOWS)
    checked = read_steps(steps)

    async def run(budget: Budget) -> ActionResult[Batched]:
        ours = browser
        if not isinstance(ours, Browser):  # a sync browser contains the same kind of task
            ours = Browser(browser.inside.task, browser.config)
        _check_available(ours, checked)
        batch = _Batch(ours, budget, stop_on, tab_id or ours.state.active_tab_id)
        for number, step in enumerate(checked):
            await batch.run(step)
            rest = checked[number + 1 :]
            if rest and batch.must_stop(step, rest[0]):
                return await ours.inside.show(batch.result(rest), show, budget)
        return await ours.inside.show(batch.result(()), show, budget)

    return run


def _check_available(browser: Browser, steps: Sequence[Step]) -> None:
    allowed = {action.tool for action in available(browser.config)}
    able = browser.capabilities.actions
    for number, step in enumerate(steps):
        name, field = step.action.name, f"steps[{number}].tool"
        if step.action.tool not in allowed:
            raise Disabled(f"The configuration disables {name}.", field=field)
        if able is not None and name not in able:
            raise NotSupported(f"This browser does not support {name}.", field=field)


def _names_element(arguments: Mapping[str, Any]) -> bool:
    """Whether a step's refs determine its tab."""
    ref = arguments.get("ref") or arguments.get("from_ref") or ""
    return "fields" in arguments or (ref != "" and "=" not in ref)


class _Batch:
    """A running batch, with the results of the steps that have run.

    Args:
        tab_id: the tab for steps that name no tab.
    """

    def __init__(
        self, browser: Browser, budget: Budget, stop_on: StopOn, tab_id: str | None
    ) -> None:
        self._browser = browser
        self._budget = budget
        self._stop_on = stop_on
        self._tab_id = tab_id
        self._done: list[BatchStep] = []
        self._last: Any = None
        """The result of the last step, or the error that the last step raised."""
        self._why = ""
        """Why the batch stopped."""

    async def run(self, step: Step) -> None:
        name = step.action.name
        arguments = {**step.arguments}
        self._why = ""
        if (
            step.action.of == "tab"
            and arguments.get("tab_id") is None
            and not _names_element(arguments)
        ):
            arguments["tab_id"] = self._tab_id
        most_ms = arguments.pop("timeout_ms", None) or self._browser.config.timeout_of(name)
        try:
            self._budget.check()
            arguments["timeout_ms"] = self._budget.child(at_most_ms=most_ms)
            self._last = await step.action.run(self._browser, **arguments)
        except Cancelled:
            raise
        except TabwardenError as error:
            self._last = error
            self._done.append({"tool": name, "status": "failed", "error": error.to_dict()})
            return
        cut = isinstance(self._last, ActionResult) and self._last.interrupted
        self._done.append(
            {"tool": name, "status": "interrupted" if cut else "ok", "result": self._last}
        )
        if name == "tabs" and arguments.get("mode") in ("open", "switch"):
            self._tab_id = self._last.tab_id

    def must_stop(self, step: Step, following: Step) -> bool:
        """Return whether the batch must stop between two steps."""
        last = self._last
        if isinstance(last, TabwardenError):
            self._why = "failure"
            hopeless = self._budget.expired or isinstance(last, BrowserGone)
            return hopeless or self._stop_on != "nothing"
        if isinstance(last, ActionResult):
            self._why = stop_reason(
                self._stop_on,
                step.action,
                following.action,
                by=last.by,
                navigation=last.navigation,
                state=self._browser.state,
                tab_id=self._tab_id,
            )
        return self._why != ""

    def result(self, left: Sequence[Step]) -> ActionResult[Batched]:
        """Return the batch's result.

        Args:
            left: the steps that were not run.
        """
        last, state = self._last, self._browser.state
        failed = any(one["status"] == "failed" for one in self._done)
        status: Literal["ok", "stopped"] = "stopped" if left or failed else "ok"
        value: Batched = {"steps": self._done, "not_run": [step.action.name for step in left]}
        interrupted = isinstance(last, ActionResult) and last.interrupted
        tab = next((tab for tab in state.tabs if tab.tab_id == self._tab_id), None)
        return ActionResult(
            action="batch",
            status="interrupted" if interrupted else status,
            value=value,
            note=self._stop_note(left) if left else "",
            by=last.by if interrupted else None,
            next=last.next if interrupted else "",
            tab_id=tab.tab_id if tab else None,
            url=tab.url if tab else "",
            title=tab.title if tab else "",
        )

    def _stop_note(self, left: Sequence[Step]) -> str:
        number = len(self._done)
        listed = ", ".join(f"{number + 1 + at} {one.action.name}" for at, one in enumerate(left))
        why = {"failure": "it failed", "navigation": "the step left the page"}
        because = why.get(self._why, f"a {self._why} is waiting for an answer")
        note = f"Stopped at step {number}, because {because}. Not run: {listed}."
        if self._why != "navigation":
            return note
        return Hint(note, " To continue after navigations, set ", Param("stop_on"), " to failure.")
