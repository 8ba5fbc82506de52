"""Sync twin of ``tabwarden.browser.devtools``: the same names, for code without an event loop.

Generated from browser/devtools.py by tools/generate_sync.py: do not edit.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Any, Literal

from tabwarden import results
from tabwarden.budget import Timeout
from tabwarden.endpoints import installed_axe
from tabwarden.errors import InvalidArgument
from tabwarden.journal import journaled
from tabwarden.page import ActionResult
from tabwarden.page.call import between, one_of, texts, within
from tabwarden.page.devtools import audit, coverage, memory, performance
from tabwarden.page.task import Call
from tabwarden.policy import output_folder
from tabwarden.sync.base import BrowserBase


class DevtoolsMethods(BrowserBase):
    """Methods that measure a page."""

    @journaled
    def audit(
        self,
        *,
        rules: Sequence[str] = (),
        tags: Sequence[str] = (),
        frame_id: str | None = None,
        max: int = 20,  # noqa: A002 - the contract's name
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Audit]:
        """Check the accessibility of all frames with axe-core, which ``tabwarden install axe``
        installs (docs/devtools.md).

        ``value`` is ``{"findings": [sentences], "violations": [{"id", "impact", "help", "help_url",
        "tags", "count", "nodes": [{"ref", "frame_id", "role", "name", "target", "why"}]}],
        "left_out", "incomplete", "passes", "unread", "axe"}``, the worst violations first.

        Args:
            rules: only these rules, such as ``color-contrast``.
            tags: only rules with these tags, such as ``wcag2aa`` or ``best-practice``.
            frame_id: check only this frame and those inside it.
            max: maximum number of violated rules to return.
            tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: axe-core does not know a rule or tag, or you gave both rules and tags.
            FrameNotFound: the frame does not exist.
            NotSupported: axe-core is not installed.
        """
        if rules and tags:
            raise InvalidArgument("Give rules or tags, not both.", field="tags")
        names = audit.checked_names("rules", texts("rules", rules))
        tagged = audit.checked_names("tags", texts("tags", tags))
        within("max", max, 1, 1_000)
        path = self._config.axe or installed_axe()
        return self._perform(
            audit.AUDIT,
            lambda call: audit.audit(
                call, path, rules=names, tags=tagged, frame_id=frame_id, most=max
            ),
            tab_id,
            timeout_ms,
        )

    @journaled
    def memory(
        self,
        *,
        duration_s: float = 0.0,
        gc: bool = False,
        filename: str | None = None,
        overwrite: bool = False,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.Memory]:
        """Measure a page's JavaScript heap, DOM nodes and event listeners, and save a snapshot of
        the heap if you name a file (docs/devtools.md).

        ``value`` is ``{"findings": [sentences], "samples": [{"at_s", "heap_used", "heap_total",
        "nodes", "documents", "listeners"}]}``, with ``"heap"`` and ``"file"`` for a snapshot.

        Args:
            duration_s: measure for so long, in seconds, at most 600; 0 measures once.
            gc: collect garbage first, to count only the memory in use.
            filename: save a heap snapshot in the output folder; ends with ``.heapsnapshot``.
            overwrite: replace an existing file; otherwise the name gets a number.
            tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: the name has another ending.
            NotSupported: the heap is too large for a snapshot.
        """
        between("duration_s", duration_s, 0, memory.LONGEST_S)
        name = memory.checked_name(filename)
        return self._perform(
            memory.MEMORY,
            lambda call: memory.memory(
                call,
                duration_s=duration_s,
                collect=gc,
                folder=output_folder(self._config),
                filename=name,
                overwrite=overwrite,
            ),
            tab_id,
            timeout_ms,
        )

    @journaled
    def coverage(
        self,
        mode: Literal["reload", "start", "stop"] = "reload",
        *,
        duration_s: float = 1.0,
        filename: str | None = None,
        overwrite: bool = False,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[Any]:
        """Tell how much of a page's scripts and style sheets is used (docs/devtools.md).

        ``value`` is ``{"findings": [sentences], "bytes", "unused_bytes", "files": [{"url", "type",
        "bytes", "unused_bytes"}], "left_out", "file"}``; for ``start``, ``{"recording": True}``.

        Args:
            mode: ``reload`` covers a page load; ``start`` and ``stop`` cover what you do between
                them.
            duration_s: for ``reload``: how long to record after the load, in seconds, at most 60.
            filename: save all files with the ranges that are used, as JSON, in the output folder.
            overwrite: replace an existing file; otherwise the name gets a number.
            tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: coverage is being recorded already, or none is.
        """
        one_of("mode", mode, coverage.MODES)
        between("duration_s", duration_s, 0, performance.LONGEST_SETTLE_S)
        name, folder = coverage.checked_name(filename), output_folder(self._config)

        def body(call: Call) -> Awaitable[Any]:
            if mode == "start":
                return coverage.start(call)
            if mode == "stop":
                return coverage.stop(call, folder, name, overwrite=overwrite)
            return coverage.reload(call, folder, name, overwrite=overwrite, settle_s=duration_s)

        spec = coverage.COVER if mode == "reload" else coverage.RECORD
        return self._perform(spec, body, tab_id, timeout_ms)

    @journaled
    def performance(
        self,
        mode: Literal["reload", "start", "stop"] = "reload",
        *,
        duration_s: float = performance.SETTLE_S,
        ignore_cache: bool = False,
        filename: str | None = None,
        overwrite: bool = False,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[Any]:
        """Record a performance trace, save it for Chrome DevTools, and tell what slows the page
        down (docs/devtools.md).

        ``value`` is ``{"findings": [sentences], "file": {"path", "size"}, "url", "lcp", "fcp_ms",
        "ttfb_ms", "inp", "cls", "long_tasks", "requests", "traced_ms"}``, as in
        ``results.Performance``; for ``start``, it is ``{"recording": True}``. Elements have refs if
        the page still has them. A page that hangs is freed, and the trace is saved all the same.

        Args:
            mode: ``reload`` measures a page load; ``start`` and ``stop`` measure what you do
                between them.
            duration_s: for ``reload``: how long to record after the load, in seconds, at most 60.
            ignore_cache: for ``reload``: load everything from the network.
            filename: the trace's name in the output folder; ends with ``.json``.
            overwrite: replace an existing file; otherwise the name gets a number.
            tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: a trace is being recorded already, or none is, or its tab is gone.
        """
        one_of("mode", mode, performance.MODES)
        between("duration_s", duration_s, 0, performance.LONGEST_SETTLE_S)
        if mode != "reload" and ignore_cache:
            raise InvalidArgument(
                f"ignore_cache does not go with mode {mode}.",
                "Only reload loads the page.",
                field="ignore_cache",
            )
        to = performance.SavedAs(
            folder=output_folder(self._config),
            filename=performance.checked_name(filename),
            overwrite=overwrite,
        )
        if mode == "reload":
            return self._perform(
                performance.MEASURE,
                lambda call: performance.measure(
                    call, to, settle_s=duration_s, ignore_cache=ignore_cache
                ),
                tab_id,
                timeout_ms,
            )
        return self._perform_without_page(
            performance.RECORD,
            performance.start if mode == "start" else lambda call: performance.stop(call, to),
            tab_id,
            timeout_ms,
        )
