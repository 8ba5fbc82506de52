"""Repeat a trace through Tabwarden, and stop where the page differs from the trace.

A step runs only on the recorded element: its locator must match exactly one element, with the
recorded role and name. A replay never uses another element instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, get_args

from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import ActionName
from tabwarden.errors import (
    BrowserGone,
    BudgetExceeded,
    InvalidArgument,
    NoDialog,
    PageDiffers,
    StaleRef,
    TabwardenError,
    TargetCrashed,
)
from tabwarden.export.steps import Answer, Plan, Secret, Step, Target
from tabwarden.journal import INTERRUPTIONS
from tabwarden.page import perform, perform_without_page
from tabwarden.page.elements import RecordedElement, ReplayMatch, find_recorded, selector_of
from tabwarden.page.search import find
from tabwarden.page.task import CARDS, Call
from tabwarden.supervisor.core.state.state import SupervisorState

COMES_MS = 15_000.0
"""How long a replay waits for a recorded page, text or dialog."""
ELEMENT_MS = 20_000.0
"""How long a replay may take to find an element, including five seconds for it to appear."""

Tell = Callable[[str], None]
_BROKEN = (BrowserGone, TargetCrashed)
"""Errors that don't mean that the page differs from the trace."""
_TRIES = 3
_ACTIONS = get_args(ActionName)
_WITHOUT_TAB = frozenset(("permission", "auth"))


async def replay(
    browser: Browser,
    plan: Plan,
    tell: Tell = lambda _: None,
    *,
    secrets: Mapping[str, str] | None = None,
) -> None:
    """Run all steps of a trace.

    Args:
        browser: an open browser. It must have the trace's launch options that pages can detect.
        plan: the trace's steps.
        tell: receives a line for each step before it runs.
        secrets: values for the masked secrets, keyed by the names of their environment variables.
            The trace can use no other variables, because an untrusted person may have written it.

    Raises:
        InvalidArgument: a secret is missing, or the trace contains only a part of an argument. In
            both cases, no step ran.
        PageDiffers: the page differs from the trace; ``data["step"]`` is the step's number.
        BrowserGone, TargetCrashed, BudgetExceeded: the browser or the page failed;
            ``data["step"]`` is the step's number.
    """
    secrets = secrets or {}
    missing = [name for name in plan.secrets if name not in secrets]
    if missing:
        options = " ".join(f"--env {name}" for name in missing)
        raise InvalidArgument(
            "The trace needs these environment variables, which are not set: "
            f"{', '.join(missing)}.",
            f"If the trace's pages may receive these values, set them and replay with {options}.",
            field="env",
        )
    cut = next((step for step in plan.steps if step.cut), None)
    if cut is not None:
        raise InvalidArgument(
            f"The trace contains only part of the argument {cut.cut} of call {cut.number} "
            f"({cut.action}), because it was too long.",
            "Export a script instead, and complete this step in the script.",
            field="file",
        )
    replaying = _Replay(browser, plan, secrets)
    if plan.viewport is not None and not {"device", "viewport"} & plan.launch.keys():
        await browser.resize(*plan.viewport)
    for number, step in enumerate(plan.steps, 1):
        tell(f"{number}/{len(plan.steps)} {describe(step)}")
        await replaying.run(number, step)


def describe(step: Step) -> str:
    """Describe a step for people, without values, which may be private."""
    what = step.action
    if step.target is not None and step.target.locators:
        what += f" {step.target.role} {step.target.name[:60]!r}"
    elif step.target is not None:
        what += f" at {step.target.point}"
    if step.goal is not None:
        what += f" to {step.goal.role} {step.goal.name[:60]!r}"
    if step.action in ("goto", "open_tab"):
        what += f" {step.arguments.get('url', '')}"
    if step.action == "press":
        what += f" {step.arguments.get('key', '')}"
    return what


class _Replay:
    def __init__(self, browser: Browser, plan: Plan, secrets: Mapping[str, str]) -> None:
        self._browser = browser
        self._plan = plan
        self._secrets = secrets
        active = browser.state.active_tab_id
        self._tabs: dict[str, str] = {"page": active} if active else {}
        self._has_logged_in = False
        self._made: dict[str, str] = {}
        """The IDs of routes and scripts in this replay, keyed by their IDs in the trace."""

    async def run(self, number: int, step: Step) -> None:
        try:
            for attempt in range(_TRIES):
                try:
                    result = await self._do(number, step)
                    break
                except StaleRef:  # the page re-rendered the element, so the call had no effect
                    if attempt == _TRIES - 1:
                        raise
            await self._follow(number, step, result)
        except PageDiffers:
            raise
        except (*_BROKEN, BudgetExceeded) as error:
            error.data |= {"step": number, "call": step.number}
            raise
        except TabwardenError as error:
            raise self._differs(number, step, f"{error.code}: {error.message}") from error

    async def _do(self, number: int, step: Step) -> Any:
        browser = self._browser
        if step.action == "open_tab":
            opened = await browser.tabs("open", url=step.arguments.get("url") or None)
            self._tabs[step.tab] = opened.tab_id or ""
            return opened
        tab_id = self._tabs.get(step.tab)
        if tab_id is None:
            raise self._differs(number, step, "The recorded tab did not open.")
        if step.action == "close_tab":
            return await browser.tabs("close", tab_id=tab_id)
        arguments = {name: self._value(one) for name, one in step.arguments.items()}
        if step.action == "fill":
            met = await self._met(number, step, step.target, tab_id)
            return await browser.fill_form([{"ref": met.ref, "value": arguments["value"]}],
                                           tab_id=tab_id)  # fmt: skip
        if step.action == "drag":
            arguments |= await self._named(number, step, step.target, "from_", tab_id)
            arguments |= await self._named(number, step, step.goal, "to_", tab_id)
        else:
            arguments |= await self._named(number, step, step.target, "", tab_id)
        if step.any_of:
            arguments["any_of"] = [
                {
                    **self._value(one.arguments),
                    **await self._named(number, one, one.target, "", tab_id),
                }
                for one in step.any_of
            ]
        for name in {"route_id", "script_id"} & arguments.keys():
            arguments[name] = self._made.get(arguments[name], arguments[name])
        if step.action not in _WITHOUT_TAB:
            arguments["tab_id"] = tab_id
        done = await self._method(number, step, arguments)(**arguments)
        if step.made:
            self._made[step.made] = done.value["id"]
        return done

    def _method(self, number: int, step: Step, arguments: Mapping[str, Any]) -> Any:
        """Return the method for a step. A trace from an untrusted person may contain any name."""
        try:
            if step.action not in _ACTIONS:
                raise TypeError("unknown action")
            method = getattr(self._browser, step.action)
            signature(method).bind(**arguments)
        except TypeError as error:
            raise self._differs(number, step, f"This call does not exist: {error}.") from None
        return method

    async def _named(
        self, number: int, step: Step, target: Target | None, before: str, tab_id: str
    ) -> dict[str, Any]:
        if target is None:
            return {}
        point = target.point
        if step.action == "wait":  # the element may appear later, or may be gone
            return {f"{before}ref": selector_of(target.locators[0], target.frames)}
        if target.locators:
            met = await self._met(number, step, target, tab_id)
            if target.point is None:
                return {f"{before}ref": met.ref}
            point = met.point
        assert point is not None
        return {f"{before}x": point[0], f"{before}y": point[1]}

    async def _met(
        self, number: int, step: Step, target: Target | None, tab_id: str
    ) -> ReplayMatch:
        assert target is not None
        sought = RecordedElement(
            selector_of(target.locators[0], target.frames),
            target.role,
            target.name,
            target.text,
            *((target.offset, target.size) if target.point is not None else ()),
        )
        done = await self._browser.inside.engine.run_async(
            perform(
                self._browser.inside.task,
                CARDS[find.find],
                Budget(ELEMENT_MS),
                lambda call: find_recorded(call, sought),
                tab_id=tab_id,
            )
        )
        if done.interrupted:
            raise self._differs(number, step, "A dialog opened that is not in the trace.")
        met: ReplayMatch = done.value
        if met.why:
            raise self._differs(number, step, met.why, met.nearest)
        return met

    async def _follow(self, number: int, step: Step, result: Any) -> None:
        """Answer the prompts that a step opened, and wait for the step's recorded effects."""
        browser, tab_id = self._browser, self._tabs.get(step.tab)
        for answer in step.answers:
            await self._answer(number, step, answer)
        if step.files is not None:
            await browser.upload(step.files, tab_id=tab_id)
        if self._plan.credentials and not self._has_logged_in and browser.state.auth_challenges:
            username, password = map(self._value, self._plan.credentials)
            await browser.auth(username, password)
            self._has_logged_in = True
        elif not step.answers and step.files is None and getattr(result, "by", None):
            prompt = INTERRUPTIONS[result.by["kind"]].capitalize()
            raise self._differs(number, step, f"{prompt} opened that is not in the trace.")
        if step.opens:
            known = set(self._tabs.values())
            if not await self._until(lambda state: bool(state.tabs.keys() - known)):
                raise self._differs(number, step, "No tab opened, unlike in the trace.")
            new = next(tab.tab_id for tab in browser.state.tabs if tab.tab_id not in known)
            self._tabs[step.opens] = new
        if step.url:
            await self._comes(number, step, f"the page at {step.url}", url=step.url)
        if step.text:
            await self._comes(number, step, f"the text {step.text!r}", text=step.text)

    async def _comes(self, number: int, step: Step, what: str, **condition: str) -> None:
        tab_id = self._tabs.get(step.tab)
        try:
            waited = await self._browser.wait(**condition, tab_id=tab_id, timeout_ms=COMES_MS)  # type: ignore[arg-type]
        except _BROKEN:
            raise
        except TabwardenError as error:
            tab = next((tab for tab in self._browser.state.tabs if tab.tab_id == tab_id), None)
            now = f" The tab is at {tab.url}." if tab is not None else ""
            raise self._differs(number, step, f"The step did not lead to {what}.{now}") from error
        if waited.interrupted:
            raise self._differs(number, step, "A dialog opened that is not in the trace.")

    async def _answer(self, number: int, step: Step, answer: Answer) -> None:
        if not await self._until(lambda state: bool(state.pending_dialogs)):
            raise self._differs(number, step, "No dialog opened, unlike in the trace.")
        try:
            await self._browser.dialog(
                answer.action,  # type: ignore[arg-type]
                self._value(answer.text),
                dialog_id=self._browser.state.pending_dialogs[0].id,
            )
        except NoDialog as gone:
            raise self._differs(number, step, "The dialog closed by itself.") from gone

    def _value(self, value: Any) -> Any:
        if isinstance(value, Secret):
            return f"{value.before}{self._secrets[value.variable]}{value.after}"
        if isinstance(value, dict):
            return {name: self._value(one) for name, one in value.items()}
        if isinstance(value, list | tuple):
            return [self._value(one) for one in value]
        return value

    async def _until(self, holds: Callable[[SupervisorState], bool]) -> bool:
        """Wait until the browser's state satisfies ``holds``. Return False after the time limit."""
        inside = self._browser.inside

        async def wait(call: Call) -> bool:
            await call.race.until(holds, at_most_ms=COMES_MS)
            return holds(call.state)

        done = await inside.engine.run_async(
            perform_without_page(inside.task, CARDS[find.find], Budget(2 * COMES_MS), wait)
        )
        return bool(done.value)

    def _differs(
        self, number: int, step: Step, why: str, nearest: tuple[dict[str, Any], ...] = ()
    ) -> PageDiffers:
        candidates = "; ".join(
            f"{one.get('ref', '')} {one.get('role', '')} {one.get('name', '')[:80]!r}".strip()
            for one in nearest
        )
        return PageDiffers(
            f"Step {number} of {len(self._plan.steps)} ({describe(step)}) did not go as recorded: "
            f"{why}",
            f"The most similar elements on the page: {candidates}."
            if candidates
            else "If the page changed on purpose, record again.",
            step=number,
            call=step.number,
            nearest=list(nearest),
        )
