"""Scripts that run in all of a task's documents before the page's own scripts."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from tabwarden.budget import Budget
from tabwarden.errors import Disabled, InvalidArgument, TabwardenError
from tabwarden.files.local_path import local_path
from tabwarden.files.plain_file import read_plain_text
from tabwarden.hints import Hint, Next
from tabwarden.page.call import perform
from tabwarden.page.task import ActionSpec, Call, Done, ForModels, Task, card
from tabwarden.protocol import runtime
from tabwarden.results import InitScripts
from tabwarden.supervisor.core.state.inputs import AddInitScript, RemoveInitScript
from tabwarden.supervisor.core.state.policy import InitScript

_CHECK = ActionSpec(name="init_script", acts=False)

LARGEST = 5_000_000
"""The maximum size in bytes. It is limited because every document in every frame runs the
script."""
_SHOWN = 200
_log = logging.getLogger("tabwarden.init_scripts")


def given(script: str | None, path: Path | None) -> InitScript:
    """Return the call's script: ``script`` itself, or the content of the file at ``path``.

    Raises:
        InvalidArgument: both or neither are given, or the file can't be read.
    """
    if (script is None) == (path is None):
        raise InvalidArgument(
            "Give either `script` or `path`.",
            "`script` is the source code, and `path` is a file that contains the source code.",
            field="script" if script is None else "path",
        )
    if path is not None:
        return read(path, "path")
    if not script or not script.strip():
        raise InvalidArgument("`script` must be JavaScript source code.", field="script")
    if len(script) > LARGEST:
        raise InvalidArgument(f"The script is longer than {LARGEST} characters.", field="script")
    return InitScript(source=script)


def read(path: Path, field: str) -> InitScript:
    """Return the script in a file. If the file can't be read, raise ``InvalidArgument`` for
    ``field``."""
    try:
        return InitScript(source=read_plain_text(path, LARGEST), name=str(path))
    except OSError as error:
        raise InvalidArgument(
            f"The init script {str(path)!r} can't be read: {error.strerror}.",
            "Give the path of a readable file with JavaScript.",
            field=field,
        ) from None


async def _add(call: Call, text: str | None, path: Path | None) -> Done:
    """Let the browser compile a script from text or a file. Add the script for all later
    documents."""
    reading = asyncio.ensure_future(asyncio.to_thread(given, text, path))
    await call.race.finished(reading)
    script = reading.result()
    await check(call, script, "path" if script.name else "script")
    script_id = f"i-{call.state.next_init_script}"
    call.task.supervisor.feed(AddInitScript(script))
    # This reply arrives after the script was added to this tab.
    await call.race.call(runtime.Evaluate(expression="0", silent=True), call.tab.session_id)
    return Done({"id": script_id, "scripts": _listed(call.task)})


async def check(call: Call, script: InitScript, field: str) -> None:
    """Let the browser compile a script. If it has a syntax error, raise ``InvalidArgument`` with
    the error's line and column."""
    compiled = await call.race.call(
        runtime.CompileScript(expression=script.source, source_url="", persist_script=False),
        call.tab.session_id,
    )
    wrong = compiled.exception_details
    if wrong is None:
        return
    message = wrong.exception.description if wrong.exception is not None else None
    first = (message if isinstance(message, str) else wrong.text).split("\n")[0][:300]
    line, column = wrong.line_number + 1, wrong.column_number + 1
    where = f"{script.name!r}, line {line}" if script.name else f"line {line}"
    raise InvalidArgument(
        f"The init script has a syntax error: {first} ({where}, column {column}).",
        "Correct the script and add it again. It must be a classic script, without import "
        "statements and top-level await.",
        field=field,
        line=line,
        column=column,
    )


async def check_configured(task: Task, budget: Budget) -> None:
    """Check the configured scripts, which the tabs already have. Raise ``InvalidArgument`` if one
    has a syntax error. Skip the check if the active tab is blocked (by a dialog, for example)."""

    async def check_all(call: Call) -> None:
        for script in call.state.policy.init_scripts:
            await check(call, script, "init_scripts")

    try:
        await perform(task, _CHECK, budget, check_all)
    except InvalidArgument:
        raise
    except TabwardenError as error:
        _log.info("the init scripts were not checked: %s", error)


async def _list_or_remove(call: Call, mode: str, script_id: str | None) -> Done:
    """List the scripts. If ``mode`` is ``remove``, first remove one script, so that later documents
    don't run it."""
    if mode == "remove":
        _remove(call.task, script_id)
    elif script_id is not None:
        raise InvalidArgument("script_id works only with mode 'remove'.", field="script_id")
    return Done({"scripts": _listed(call.task)})


def _remove(task: Task, script_id: str | None) -> None:
    known = task.state.init_scripts
    if script_id is None or script_id not in known:
        raise InvalidArgument(
            "script_id is missing."
            if script_id is None
            else f"There is no init script {str(script_id)[:100]!r}.",
            Hint(
                f"Existing scripts: {', '.join(known) or 'none'}. List them",
                Next("init_script", mode="list"),
                ".",
            ),
            field="script_id",
        )
    task.supervisor.feed(RemoveInitScript(script_id))


def _listed(task: Task) -> list[dict[str, Any]]:
    """Return the ID, the file and the first characters of each script, in the order in which the
    scripts run."""
    return [
        {
            "id": script_id,
            **({"path": script.name} if script.name else {}),
            "script": " ".join(script.source[: 2 * _SHOWN].split())[:_SHOWN],
            "chars": len(script.source),
        }
        for script_id, script in task.state.init_scripts.items()
    ]


@card(
    "init_script",
    about="Add, list or remove init scripts. They run in all tabs, in every page and frame that "
    "loads later,\nbefore the page's own scripts.",
    permission="scripts",
    group="network",
    switch="evaluate_enabled",
    opens_browser=True,
    gives=InitScripts,
    shows=False,
    refreshes=False,
    varies={
        ("mode", "list"): {"without_page": True, "acts": False},
        ("mode", "remove"): {"without_page": True, "acts": False},
    },
)
async def init_script(
    call: Call,
    mode: Annotated[Literal["add", "list", "remove"], Field(description="What to do.")] = "add",
    *,
    script: Annotated[str | None, Field(description="For add: the JavaScript code.")] = None,
    path: Annotated[
        str | Path | None,
        ForModels(str | None),
        Field(description="For add: a file in the upload folder, instead of `script`."),
    ] = None,
    script_id: Annotated[
        str | None, Field(description="For remove: the script's id, such as i-1.")
    ] = None,
) -> Done:
    """Add, list or remove the scripts that run in every document before the page's own scripts.

    Scripts apply to documents that load later. Reload to run a script in the current page.
    Scripts run in the order in which they were added, in the page's main world, in all of the
    task's tabs, popups and frames. They stay after crashes and lost connections. ``value`` is
    ``{"scripts": [{"id": "i-1", "path", "script", "chars"}]}``; for ``add``, it also has the
    new ``id``.

    Args:
        mode: ``add``, ``list`` or ``remove``.
        script: for ``add``, the source code of a classic script.
        path: for ``add``, a file with the script, instead of ``script``.
        script_id: for ``remove``, the script's id. The script's effects on loaded documents
            stay.
        tab_id: for ``add``, the tab whose page compiles the script as a check; the active tab
            by default.

    Raises:
        InvalidArgument: the script has a syntax error (``data`` has the line and column), the
            file can't be read, or there is no script with this id.
        Disabled: ``evaluate_enabled`` is false.
        DialogPending: for ``add``, a dialog blocks the page.
    """
    if not call.task.config.evaluate_enabled:
        raise Disabled(
            "The configuration switches scripts off (evaluate_enabled: false).",
            "Use snapshot, click and type.",
        )
    if mode == "add":
        return await _add(call, script, None if path is None else local_path("path", path))
    if script is not None or path is not None:
        field = "path" if script is None else "script"
        raise InvalidArgument(f"{field} works only with mode 'add'.", field=field)
    return await _list_or_remove(call, mode, script_id)
