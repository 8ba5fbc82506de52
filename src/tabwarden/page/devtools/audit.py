"""Check a page's accessibility with axe-core, in each frame's isolated world.

The page can neither see nor change the scripts in that world.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from tabwarden.endpoints.install import installed_axe
from tabwarden.errors import (
    BudgetExceeded,
    FrameNotFound,
    InvalidArgument,
    NotSupported,
    TargetCrashed,
)
from tabwarden.files.plain_file import read_plain_text
from tabwarden.page.devtools.recording import in_thread
from tabwarden.page.elements import SILENT, frame_ms, in_each_frame, owners_of
from tabwarden.page.task import Call, Done, card
from tabwarden.page.text import quoted, shortened, token
from tabwarden.page.walker import WorldGone, frame_not_found
from tabwarden.protocol import runtime
from tabwarden.results import Audit
from tabwarden.supervisor.core.state.tabs import ExecutionContext
from tabwarden.supervisor.runtime import CommandRefused, Interrupted, Race

_ONCE = {"bypass", "landmark-one-main", "page-has-heading-one"}
"""Rules that the page passes if one of its frames passes."""
_BY_PLACE = {"region"}
"""Rules whose result in a frame depends on the frame's place in the page."""
_MOST_NODES = 50
"""The maximum number of elements per rule and frame."""
_LONGEST = 10_000_000
IMPACTS = ("critical", "serious", "moderate", "minor")
"""The impacts of violations, worst first."""
_MOST_NAMED = 8
"""How many elements are listed for a rule."""
_LONGEST_WHY = 200


def check_names(field: str, names: Sequence[str]) -> list[str]:
    """Return the names of rules or tags. Raise ``InvalidArgument`` for a malformed name."""
    for name in names:
        if not isinstance(name, str) or not name.replace("-", "").replace(".", "").isalnum():
            raise InvalidArgument(
                f"{str(name)[:100]!r} can't be the name of an axe-core rule or tag.",
                "For example: rules=['color-contrast'], or tags=['wcag2a', 'best-practice'].",
                field=field,
            )
    return list(names)


def script_of(path: Path | None) -> str:
    """Read axe-core.

    Raises:
        NotSupported: the script does not exist or can't be read.
    """
    if path is None:
        raise NotSupported(
            "axe-core is not installed.",
            "Run `tabwarden install axe`, or set browser.axe to the path of axe.min.js.",
            field="axe",
        )
    try:
        return read_plain_text(path, _LONGEST)
    except OSError as error:
        raise NotSupported(
            f"axe-core can't be read from {path}: {error.strerror}.",
            "Run `tabwarden install axe`, or set browser.axe to the path of axe.min.js.",
            field="axe",
        ) from None


@card(
    "audit",
    about="Check accessibility in all frames with axe-core, and list violations with refs, worst "
    "first.",
    permission="read",
    group="devtools",
    gives=Audit,
    saves={"max": 1_000},
    shows=False,
    read_only=True,
    refreshes=False,
    acts=False,
)
async def audit(
    call: Call,
    *,
    rules: Annotated[
        Sequence[str], Field(description="Check only these axe-core rules, such as color-contrast.")
    ] = (),
    tags: Annotated[
        Sequence[str], Field(description="Check only rules with these tags: wcag2a, wcag2aa, ...")
    ] = (),
    frame_id: Annotated[
        str | None, Field(description="Check only this frame and the frames inside it.")
    ] = None,
    max: Annotated[  # noqa: A002 - the contract's name
        int, Field(description="Maximum number of violated rules to list.", ge=1, le=1_000)
    ] = 20,
) -> Done:
    """Check the accessibility of all frames with axe-core (docs/devtools.md). Install axe-core
    with ``tabwarden install axe``.

    ``value`` is ``{"findings": [sentences], "violations": [{"id", "impact", "help", "help_url",
    "tags", "count", "nodes": [{"ref", "frame_id", "role", "name", "target", "why"}]}],
    "left_out", "incomplete", "passes", "unread", "axe"}``, with the worst violations first.

    Args:
        rules: only these rules, such as ``color-contrast``.
        tags: only rules with these tags, such as ``wcag2aa`` or ``best-practice``.
        frame_id: check only this frame and the frames inside it.
        max: maximum number of violated rules to return.

    Raises:
        InvalidArgument: axe-core does not know a rule or tag, or you gave both rules and tags.
        FrameNotFound: the frame does not exist.
        NotSupported: axe-core is not installed.
    """
    only = _only(rules, tags)
    path = call.task.config.axe or installed_axe()
    script = await in_thread(call, lambda: script_of(path))
    top = call.state.top_frame_id(call.tab.tab_id) or call.tab.target_id
    root = frame_id or top
    if root not in call.state.frames:
        raise frame_not_found(root)
    limit_ms = frame_ms(call.race, call.race.budget.remaining_ms())
    budget = call.race.budget.child(at_most_ms=limit_ms)

    async def check(one: str) -> dict[str, Any] | str:
        options = {
            "top": one == top,
            "most": _MOST_NODES,
            "only": only,
        }
        try:
            with Race(call.task.supervisor, budget, call.tab.tab_id) as inner:
                return await _audit_frame(call.within(inner), one, script, options)
        except BudgetExceeded:
            return SILENT
        except FrameNotFound:
            return ""
        except (WorldGone, CommandRefused) as error:
            return str(error)
        except (Interrupted, TargetCrashed):
            return "another operation interrupted the check; try again"

    results: dict[str, dict[str, Any] | str]
    results = await in_each_frame(call, root, check, silent=SILENT)
    audits = {one: result for one, result in results.items() if isinstance(result, dict)}
    for result in audits.values():
        if "error" in result:
            raise _refusal(result["error"], rules, tags)
    if root in results and isinstance(results[root], str):  # the top frame was not read
        await call.race.call(runtime.Evaluate(expression="0"), call.tab.session_id)
    for one in audits:
        if one != root:
            await owners_of(call, one)
    violations = _violations(call, audits, top)
    violated = {one["id"] for one in violations}
    unsure = {name for result in audits.values() for name in result["incomplete"]}
    passed = {name for result in audits.values() for name in result["passes"]}
    value = {
        "violations": violations[:max],
        "left_out": len(violations[max:]),
        "incomplete": len(unsure),
        "passes": len(passed - violated - unsure),
        "unread": [
            {"frame_id": one, "why": result}
            for one, result in results.items()
            if isinstance(result, str) and result
        ],
        "axe": next((result["version"] for result in audits.values()), ""),
    }
    return Done({"findings": findings(value), **value})


def _only(rules: Sequence[str], tags: Sequence[str]) -> dict[str, Any] | None:
    """Return axe-core's ``runOnly`` option; None to run all rules."""
    if rules and tags:
        raise InvalidArgument("Give rules or tags, not both.", field="tags")
    if rules:
        return {"type": "rule", "values": check_names("rules", rules)}
    return {"type": "tag", "values": check_names("tags", tags)} if tags else None


async def _audit_frame(
    call: Call, frame_id: str, script: str, options: Mapping[str, Any]
) -> dict[str, Any]:
    world = await call.task.worlds.of(call.race, frame_id)
    if not await _run(call, world, "typeof axe === 'object'"):
        await _run(call, world, f"{script}\n;0")
    source = (resources.files("tabwarden.page.devtools") / "audit.js").read_text("utf-8")
    audit: dict[str, Any] = await _run(call, world, f"({source})({json.dumps(options)})")
    return {**audit, "world": world.unique_id}


async def _run(call: Call, world: ExecutionContext, expression: str) -> Any:
    """Run a script in a frame's isolated world."""
    command = runtime.Evaluate(
        expression=expression,
        unique_context_id=world.unique_id,
        return_by_value=True,
        await_promise=True,
        silent=True,
    )
    reply = await call.race.call(command, world.session_id)
    if (details := reply.exception_details) is not None:
        description = details.exception.description if details.exception else None
        raise WorldGone(f"axe-core failed here ({(description or details.text)[:200]})")
    return reply.result.value


def _violations(call: Call, audits: Mapping[str, dict[str, Any]], top: str) -> list[dict[str, Any]]:
    """Merge the frames' violations by rule, worst first."""
    passed = {name for result in audits.values() for name in result["passes"]} & _ONCE
    by_rule: dict[str, dict[str, Any]] = {}
    for frame_id, result in audits.items():
        for one in result["violations"]:
            if one["id"] in passed or (frame_id != top and one["id"] in _ONCE | _BY_PLACE):
                continue
            rule = by_rule.setdefault(one["id"], {**one, "count": 0, "nodes": []})
            rule["count"] += one["count"]
            rule["nodes"] += [_node(call, frame_id, result["world"], node) for node in one["nodes"]]
    return sorted(by_rule.values(), key=lambda one: (IMPACTS.index(one["impact"]), -one["count"]))


def _node(call: Call, frame_id: str, world_id: str, node: Mapping[str, Any]) -> dict[str, Any]:
    ref = call.task.refs.assign(
        world_id,
        node["id"],
        role=node["role"],
        name=node["name"],
        tab_id=call.tab.tab_id,
        frame_id=frame_id,
    )
    fields = {key: value for key, value in node.items() if key != "id"}
    return {"ref": ref, "frame_id": frame_id, **fields}


def _refusal(error: str, rules: Sequence[str], tags: Sequence[str]) -> InvalidArgument:
    field = "rules" if rules else "tags"
    return InvalidArgument(
        f"axe-core rejected {list(rules or tags)!r}: {error[:300]}.",
        "Rules: https://dequeuniversity.com/rules/axe/. Tags: wcag2a, wcag2aa, wcag21aa, "
        "wcag22aa, best-practice, ...",
        field=field,
    )


def findings(value: Mapping[str, Any]) -> list[str]:
    """Return one line per rule that the page violates, with the elements' refs below it.

    Args:
        value: see ``results.Audit``.
    """
    lines = []
    for rule in value["violations"]:
        lines.append(f"{rule['impact']}: {rule['id']}, {quoted(rule['help'])} ({rule['count']}):")
        lines += [_line(one) for one in rule["nodes"][:_MOST_NAMED]]
        if rule["count"] > _MOST_NAMED:
            lines.append(f"- {rule['count'] - _MOST_NAMED} more")
    if value["left_out"]:
        lines.append(f"{value['left_out']} more rules are violated. To see them, raise `max`.")
    lines += [
        f"frame {one['frame_id']} was not checked: {quoted(one['why'])}" for one in value["unread"]
    ]
    rest = f"{value['passes']} rules passed; {value['incomplete']} need manual review."
    return [*(lines or ["No violations."]), rest]


def _line(one: Mapping[str, Any]) -> str:
    what = one["role"] if one["role"] not in ("", "generic") else f"<{token(one['tag'])}>"
    name = f" {shortened(quoted(one['name']), 80)}" if one["name"] else ""
    return f"- {what}{name} [ref={one['ref']}]: {shortened(quoted(one['why']), _LONGEST_WHY)}"
