"""Choose a rescue's next step from an observation of the tab. No I/O.

The two tables are the ladder in docs/evaluate.md. The first row whose condition is true determines
the next step or the outcome. ``ladder.py`` carries out the step and makes the next observation. The
order matters (docs/facts.md, "What frees a page that hangs"): scripts are terminated first. Only
sessions that were attached before the hang can terminate them, and a navigation within the site
would close these sessions. docs/decisions/0009 gives the reasons.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum, auto
from typing import TypeAlias

import msgspec

from tabwarden.page.recovery import outcomes
from tabwarden.page.recovery.outcomes import Outcome


class Step(StrEnum):
    """A step that a rescue can take. The ladder's method with the same name carries out the
    step."""

    STOP_LOADING = auto()
    PROBE = auto()
    STOP_OWN_SCRIPT = auto()  # stops the call's script, which may run even if the page responds
    STOP_NAVIGATING = auto()
    TERMINATE = auto()
    WAIT_FOR_NATIVE_CODE = auto()
    STOP_DOCUMENT = auto()  # stops a document that arrives faster than the page can show it
    TERMINATE_QUEUE = auto()  # stops abandoned scripts that are queued behind the stopped one
    DISABLE_SCRIPTS = auto()
    ENABLE_SCRIPTS = auto()
    CLEAR_TIMERS = auto()
    DISABLE_FOR_GOOD = auto()
    CHECK_BEFORE_LEAVING = auto()  # is the tab between two documents, or does its page still hang?
    RENEW_FRAMES = auto()
    RENEW = auto()
    REPLACE = auto()
    KILL_RENDERER = auto()
    GIVE_UP = auto()
    REPLACE_AT_DESTINATION = auto()
    REPLACE_EMPTY = auto()


MOST = dict.fromkeys(Step, 1) | {Step.PROBE: 2, Step.WAIT_FOR_NATIVE_CODE: 2}
"""How many times a rescue may take each step."""


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """The condition of a tab when its rescue chooses the next step."""

    steps: tuple[Step, ...] = ()
    own_script: bool = False
    """Whether the call that ended was meant to run a script."""
    hung_before: bool = False
    """Whether the page was unblocked before, and now hangs again without a new call."""
    navigating: bool = False
    arriving: bool = False
    """Whether the page's document has not fully arrived."""
    dialog: bool = False
    """Whether the page is waiting for its own dialog, or for a dialog in another tab that shares
    its renderer."""
    hung: bool = False
    """Whether at least one of the tab's renderers does not respond."""
    browser_slow: bool = False
    """Whether the browser process did not respond either. Then only the connection may be slow."""
    restless: bool = False
    """Whether the page keeps navigating."""
    other_script: bool = False
    """Whether a script of another call, which has time left, keeps the page busy."""
    reacted: bool = True
    """Whether a renderer reacted to a stop. A renderer that does not react is running native
    code."""
    queued: bool = False
    """Whether abandoned scripts are queued behind the stopped script."""
    between_documents: bool = False
    tab_open: bool = True
    only_frames: bool = False
    """Whether only frames in other processes hang, and not the page itself."""
    parsed: bool = True
    """Whether the page was parsed before it hung, so that it can be loaded again."""
    may_kill: bool = False
    """Whether the last resorts are enabled and Tabwarden launched the browser."""
    restored: bool = False
    """Whether the last step made the tab usable again."""

    @property
    def last(self) -> Step | None:
        return self.steps[-1] if self.steps else None

    @property
    def is_leaving(self) -> bool:
        """Whether the tab must leave the page, because no step could unblock the page."""
        first = (Step.CHECK_BEFORE_LEAVING, Step.REPLACE_AT_DESTINATION)
        return self.between_documents or any(step in self.steps for step in first)

    @property
    def just_probed(self) -> bool:
        """Whether the last step was a probe, or stopped the script of the call."""
        return self.last in (Step.PROBE, Step.STOP_OWN_SCRIPT)

    @property
    def just_terminated(self) -> bool:
        """Whether the last step, ignoring waits, stopped the running script."""
        return self.last in (Step.TERMINATE, Step.WAIT_FOR_NATIVE_CODE) and not self.just_disabled

    @property
    def just_disabled(self) -> bool:
        """Whether the last step, ignoring waits, disabled scripts."""
        waits = (Step.STOP_DOCUMENT, Step.WAIT_FOR_NATIVE_CODE)
        steps = [step for step in self.steps if step not in waits]
        return Step.DISABLE_SCRIPTS in self.steps and steps[-1] is Step.DISABLE_SCRIPTS

    @property
    def just_stopped_document(self) -> bool:
        """Whether the last step, ignoring the enabling of scripts, stopped the document."""
        steps = [step for step in self.steps if step is not Step.ENABLE_SCRIPTS]
        return steps[-1:] == [Step.STOP_DOCUMENT] and not self.just_disabled


_Rows: TypeAlias = tuple[tuple[Step | Outcome, Callable[[Observation], bool]], ...]

_STAYING: _Rows = (
    (outcomes.WAITS_FOR_DIALOG, lambda tab: tab.dialog),
    (Step.STOP_LOADING, lambda tab: not tab.steps and tab.navigating),
    (Step.PROBE, lambda tab: Step.PROBE not in tab.steps or tab.browser_slow),
    # If the page responds:
    (Step.STOP_OWN_SCRIPT, lambda tab: tab.just_probed and not tab.hung and tab.own_script),
    (Step.STOP_NAVIGATING, lambda tab: tab.just_probed and not tab.hung and tab.restless),
    (outcomes.IDLE, lambda tab: tab.just_probed and not tab.hung),
    (outcomes.STOPPED_NAVIGATING, lambda tab: tab.last is Step.STOP_NAVIGATING and tab.tab_open),
    (outcomes.UNRESOLVED, lambda tab: tab.last is Step.STOP_NAVIGATING),
    (Step.ENABLE_SCRIPTS, lambda tab: tab.just_disabled and not tab.hung and not tab.hung_before),
    (Step.CLEAR_TIMERS, lambda tab: tab.just_disabled and not tab.hung),
    (outcomes.FREED, lambda tab: tab.just_terminated and not tab.hung),
    (outcomes.STOPPED_LOADING, lambda tab: tab.just_stopped_document and not tab.hung),
    (outcomes.FREED_FROM_QUEUE, lambda tab: tab.last is Step.TERMINATE_QUEUE and not tab.hung),
    (outcomes.FREED_FROM_SERIES, lambda tab: tab.last is Step.ENABLE_SCRIPTS and not tab.hung),
    (outcomes.FREED_BY_CLEARING, lambda tab: tab.last is Step.CLEAR_TIMERS and not tab.hung),
    (outcomes.QUIETED, lambda tab: tab.last is Step.DISABLE_FOR_GOOD and not tab.hung),
    # If the page does not respond:
    (outcomes.BUSY, lambda tab: tab.other_script),
    (Step.TERMINATE, lambda tab: tab.just_probed and not tab.hung_before),
    (Step.WAIT_FOR_NATIVE_CODE, lambda tab: tab.last is Step.TERMINATE and not tab.reacted),
    (Step.TERMINATE_QUEUE, lambda tab: tab.just_terminated and tab.reacted and tab.queued),
    # A renderer that did not react to the stop is not running a script.
    (Step.DISABLE_SCRIPTS, lambda tab: tab.reacted),
    (Step.STOP_DOCUMENT, lambda tab: tab.arriving),
    (Step.WAIT_FOR_NATIVE_CODE, lambda tab: tab.last is Step.DISABLE_SCRIPTS),
    (Step.CLEAR_TIMERS, lambda tab: tab.last is Step.ENABLE_SCRIPTS),
    (Step.DISABLE_FOR_GOOD, lambda tab: tab.last is Step.CLEAR_TIMERS),
    (Step.CHECK_BEFORE_LEAVING, lambda _: True),
)

_LEAVING: _Rows = (
    (Step.REPLACE_AT_DESTINATION, lambda tab: tab.between_documents),
    (
        outcomes.REPLACED_AT_DESTINATION,
        lambda tab: tab.last is Step.REPLACE_AT_DESTINATION and tab.restored and not tab.hung,
    ),
    # The next document hung while it loaded, and hangs again.
    (Step.REPLACE_EMPTY, lambda tab: tab.between_documents and tab.restored),
    (outcomes.REPLACED_EMPTY, lambda tab: tab.between_documents and tab.restored),
    (outcomes.UNRESOLVED, lambda tab: tab.between_documents),
    (outcomes.FREED_ITSELF, lambda tab: not tab.hung),
    (Step.RENEW_FRAMES, lambda tab: tab.only_frames),
    (outcomes.FRAMES_RENEWED, lambda tab: tab.last is Step.RENEW_FRAMES and tab.restored),
    (outcomes.UNRESOLVED, lambda tab: not tab.tab_open and Step.RENEW not in tab.steps),
    (Step.RENEW, lambda _: True),
    (outcomes.RENEWED, lambda tab: tab.last is Step.RENEW and tab.restored and tab.parsed),
    (outcomes.RENEWED_EMPTY, lambda tab: tab.last is Step.RENEW and tab.restored),
    (outcomes.REPLACED, lambda tab: tab.restored and tab.parsed),
    (outcomes.REPLACED_EMPTY, lambda tab: tab.restored),
    (Step.REPLACE, lambda _: True),
    (Step.KILL_RENDERER, lambda tab: tab.may_kill),
    (Step.GIVE_UP, lambda _: True),
    (outcomes.GONE, lambda _: True),
)


def next_step(tab: Observation) -> Step | Outcome:
    return next(
        row
        for row, holds in (_LEAVING if tab.is_leaving else _STAYING)
        if holds(tab) and (isinstance(row, Outcome) or tab.steps.count(row) < MOST[row])
    )


def checks_drawing(outcome: Outcome) -> bool:
    """Whether the page now responds, but perhaps still waits for the GPU process."""
    return outcome.state in ("idle", "renewed", "replaced")
