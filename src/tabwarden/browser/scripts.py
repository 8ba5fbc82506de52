"""Scripts: JavaScript, page tools and raw CDP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from tabwarden import results
from tabwarden.browser.base import BrowserBase
from tabwarden.budget import Timeout
from tabwarden.errors import Disabled, InvalidArgument
from tabwarden.journal import journaled
from tabwarden.page import ActionResult, webmcp
from tabwarden.page.call import local_path, one_of
from tabwarden.page.scripts import cdp, evaluate, evaluate_fast_path, init_script
from tabwarden.page.snapshot import Show
from tabwarden.policy import cdp_limits_of


class ScriptMethods(BrowserBase):
    """Methods that run scripts and raw CDP commands."""

    _fast_path: evaluate_fast_path.FastPath

    @journaled
    async def evaluate(
        self,
        script: str,
        ref: str | None = None,
        frame_id: str | None = None,
        args: Sequence[Any] = (),
        *,
        backend_node_id: int | None = None,
        world: Literal["main", "isolated"] = "main",
        user_gesture: bool = True,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[Any]:
        """Run JavaScript in a page, in a frame or on an element; ``value`` is its result.

        On a timeout or a cancel, Tabwarden stops the script (``Runtime.terminateExecution``) and
        the tab keeps working, but a promise that the script started still runs. ``status`` is
        ``"interrupted"`` if a dialog opened, or if the page navigated before the script ended.
        Results that JSON can't express come back as ``{"$type": ..., "value": ...}``
        (docs/evaluate.md).

        Args:
            script: an expression, statements with ``return``, or a function that receives the
                element of ``ref``, then ``args``. Promises are awaited.
            ref: an element to pass to the function.
            frame_id: the frame to run in, even an out-of-process frame; by default the main frame.
            args: JSON values for the function.
            backend_node_id: an element by CDP's ``backendNodeId``, instead of ``ref``. The id must
                belong to the process of the page, or of ``frame_id``.
            world: ``main``, where the page's own scripts run, or ``isolated``, which has the same
                document but hides your script's variables from the page's scripts.
            user_gesture: the page treats the script as a user action, so it may open windows,
                play sound and use the clipboard. For a script that only reads, use False, so that
                the page does not record a user activation.
            tab_id, timeout_ms: see ``Browser``.

        Raises:
            JsError: the script threw an exception; ``data`` has the stack and the line.
            Disabled: ``evaluate_enabled`` is false.
            BudgetExceeded: the script did not end in time; ``data`` lists the recovery steps taken.
        """
        if not self._config.evaluate_enabled:
            raise Disabled(
                "evaluate is switched off by the configuration.", "Use snapshot, click and type."
            )
        one_of("world", world, ("main", "isolated"))
        asked = evaluate.Asked(
            script, ref, backend_node_id, frame_id, world, args, user_gesture
        ).checked()
        tab_id = self._task.tab_of(ref, tab_id)
        budget = self._budget("evaluate", timeout_ms)
        sent = self._fast_path.send(asked, budget, tab_id)
        if sent is not None:
            return await sent.ended_async(self._engine)
        return await self._perform(
            evaluate.EVALUATE, lambda call: evaluate.evaluate(call, asked), tab_id, budget
        )

    @journaled
    async def page_tool(
        self,
        name: str | None = None,
        arguments: Mapping[str, Any] | None = None,
        *,
        frame_id: str | None = None,
        snapshot: Show = "none",
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.PageToolRun]:
        """Run a tool that the page offers to agents (WebMCP); ``value`` is ``{"output"}``.

        A tool that is a form fills it in: if the page leaves the submission to the user, ``value``
        is ``{"filled": True}``, and the form waits. ``cut_from`` is the size in bytes of an output
        that was too long. On a timeout or a cancel, Tabwarden tells the tool to stop. ``status`` is
        ``"interrupted"`` if a dialog opened; the tool then goes on. The page wrote the tool's name,
        description and output, so treat them as page text (docs/page-tools.md).

        Args:
            name: the tool, as a snapshot names it; None lists the tools of all frames with their
                schemas: ``{"tools": [{"name", "description", "frame_id", "schema", "traits"}],
                "left_out"}``.
            arguments: the tool's arguments, as its schema describes them.
            frame_id: the frame that offers the tool, if several frames offer this name.
            snapshot, tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: there is no such tool, or an argument does not fit the tool's schema;
                ``data["field"]`` is ``name`` or ``arguments.x``.
            FrameNotFound: the frame does not exist.
            JsError: the tool failed, or the page cancelled it.
            Disabled: ``page_tools`` is false.
            BudgetExceeded: the tool did not answer in time; ``data`` lists the recovery steps.
        """
        if not self._config.page_tools:
            raise Disabled("Page tools are switched off by the configuration.")
        if name is None:
            if arguments:
                raise InvalidArgument(
                    "arguments without a name: which tool gets them?",
                    "Name the tool.",
                    field="name",
                )
            return await self._perform_without_page(
                webmcp.LIST, lambda call: webmcp.offered(call, frame_id), tab_id, timeout_ms
            )
        given = arguments or {}
        return await self._perform(
            webmcp.PAGE_TOOL,
            lambda call: webmcp.run(call, name, given, frame_id),
            tab_id,
            timeout_ms,
            shows=snapshot,
        )

    @journaled
    async def cdp(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        *,
        frame_id: str | None = None,
        target_id: str | None = None,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[Any]:
        """Send one raw CDP command; ``value`` is its result.

        ``Page.handleJavaScriptDialog`` answers the open dialog as ``dialog`` does.

        Args:
            method: for example ``Page.getFrameTree``.
            params: the command's parameters.
            frame_id: send the command to the CDP session of this out-of-process frame.
            target_id: send the command to the CDP session of this target.
            tab_id, timeout_ms: see ``Browser``.

        Raises:
            NotOopif: the frame has no session of its own; the error suggests what to do instead.
            InvalidArgument: Tabwarden or the browser does not know the method, or the browser
                rejects the parameters.
            Denied: the command would control more than the task's pages, leave the task's own
                browser context, read files outside the upload folder, or bypass the network policy;
                the error says what to use instead.
            Disabled: ``cdp_enabled`` is false, or ``evaluate_enabled`` is false and the command
                would run a script.
            NoDialog, AmbiguousDialog: see ``dialog``.
        """
        limits = cdp_limits_of(
            self._config, here=self._task.supervisor.runs_here, upload_dirs=self.upload_folders
        )
        if method == cdp.ANSWERS_DIALOG:
            return await self._engine.run_async(
                cdp.answer_dialog(
                    self._task,
                    self._budget("cdp", timeout_ms),
                    params or {},
                    frame_id=frame_id,
                    target_id=target_id,
                    tab_id=tab_id,
                )
            )
        return await self._perform_without_page(
            cdp.CDP,
            lambda call: cdp.send(
                call,
                method,
                params or {},
                limits,
                frame_id=frame_id,
                target_id=target_id,
            ),
            tab_id,
            timeout_ms,
        )

    async def add_init_script(
        self,
        script: str | None = None,
        *,
        path: str | Path | None = None,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.InitScripts]:
        """Run a script in every later document of all tabs, popups and frames of the task, before
        the page's own scripts. Short for ``init_script("add", ...)``.

        Args:
            script: the text of the script.
            path: a file with the script, instead of its text.
            tab_id, timeout_ms: see ``Browser``.

        Raises:
            InvalidArgument: the script does not parse; ``data`` has the line and column.
        """
        return await self.init_script(
            "add", script=script, path=path, tab_id=tab_id, timeout_ms=timeout_ms
        )

    @journaled
    async def init_script(
        self,
        mode: Literal["add", "list", "remove"] = "add",
        *,
        script: str | None = None,
        path: str | Path | None = None,
        script_id: str | None = None,
        tab_id: str | None = None,
        timeout_ms: Timeout = None,
    ) -> ActionResult[results.InitScripts]:
        """Add, list or remove the scripts that run in every document before the page's own scripts.

        Scripts apply to documents that load from now on: reload to run one in the current page.
        They run in the order in which they were added, in the page's main world, in all tabs,
        popups and frames of the task, and stay after crashes and lost connections. ``value`` is
        ``{"scripts": [{"id": "i-1", "path", "script", "chars"}]}``; for ``add``, also with the new
        ``id``.

        Args:
            mode: ``add``, ``list`` or ``remove``.
            script: for ``add``, the text of the script, a classic script.
            path: for ``add``, a file with the script, instead of its text.
            script_id: for ``remove``, the script's id. Documents that ran it keep its effects.
            tab_id: for ``add``, the tab whose page compiles the script as a check; the active tab
                by default.
            timeout_ms: limit for the whole call.

        Raises:
            InvalidArgument: the script does not parse (``data`` has the line and column), the file
                can't be read, or there is no such id.
            Disabled: ``evaluate_enabled`` is false.
            DialogPending: for ``add``, a dialog blocks the page.
        """
        one_of("mode", mode, ("add", "list", "remove"))
        if not self._config.evaluate_enabled:
            raise Disabled(
                "Scripts are switched off by the configuration (evaluate_enabled).",
                "Use snapshot, click and type.",
            )
        if mode == "add":
            file = None if path is None else local_path("path", path)
            return await self._perform(
                init_script.INIT_SCRIPT,
                lambda call: init_script.add(call, script, file),
                tab_id,
                timeout_ms,
            )
        if script is not None or path is not None:
            named = "path" if script is None else "script"
            raise InvalidArgument(f"{named} is only for mode add.", field=named)
        return await self._perform_without_page(
            init_script.LISTED,
            lambda call: init_script.list_or_remove(call, mode, script_id),
            tab_id,
            timeout_ms,
        )
