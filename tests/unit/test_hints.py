"""Every hint in the source, on every surface: its call exists and accepts the arguments."""

from __future__ import annotations

import ast
import inspect
import json
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

import tabwarden
from tabwarden import Browser
from tabwarden.actions import ACTIONS
from tabwarden.control_api import KINDS
from tabwarden.hints import Hint, Next, Param, joined, render, tool_call
from tabwarden.integrations.hermes.dialect.tools import TOOLS
from tabwarden.integrations.hermes.dialect.toolset import HermesTools
from tabwarden.integrations.operator_use.dialect.fields import BrowserCall
from tabwarden.integrations.operator_use.dialect.toolset import OperatorTools
from tabwarden.integrations.operator_use.dialect.verbs import VERBS
from tabwarden.surfaces.command_table import table
from tabwarden.surfaces.command_table.arguments import parsed
from tabwarden.surfaces.daemon.server import command
from tabwarden.surfaces.http.hints import in_requests, request
from tabwarden.surfaces.http.routes import SERVED

SOURCE = Path(tabwarden.__file__).parent
GIVEN = {"tab_id": "t1", "ref": "e1", "dialog_id": "d-1", "frame_id": "F1", "reason": "Log in",
         "route_id": "ro-1", "download": "dl-1", "url": "https://a.example/",
         "name": "camera", "choice": "save", "depth": 2}  # fmt: skip
"""For arguments that are known only when the hint is created."""
GENERATED = ("protocol", "sync", "sync.py")
FOR_OTHERS = "actions/other_names.py"
"""Its steps have no values yet: see tests/docs/test_switching.py."""


def modules(word: str) -> Iterator[tuple[Path, ast.Module]]:
    """Parse each module that has ``word`` somewhere: to parse all takes seconds of each worker."""
    for path in sorted(SOURCE.rglob("*.py")):
        if not any(part in GENERATED for part in path.relative_to(SOURCE).parts):
            source = path.read_text("utf-8")
            if word in source:
                yield path, ast.parse(source)


def steps() -> dict[str, Next]:
    """Each ``Next(...)`` in the source, by its place."""
    found = {}
    for path, module in modules("Next("):
        if path == SOURCE / FOR_OTHERS:
            continue
        for node in ast.walk(module):
            if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "Next":
                continue
            if not isinstance(node.args[0], ast.Constant):
                continue  # a toolset with another name for a step
            arguments = {}
            for keyword in node.keywords:
                if keyword.arg is not None:
                    try:
                        arguments[keyword.arg] = ast.literal_eval(keyword.value)
                    except ValueError:
                        arguments[keyword.arg] = GIVEN[keyword.arg]
            where = f"{path.relative_to(SOURCE)}:{node.lineno}:{node.col_offset}"
            found[where] = Next(node.args[0].value, **arguments)
    prompt = Next("dialog", action="accept", prompt_text="...", dialog_id="d-1")
    return {**found, "an answer to a prompt": prompt}


STEPS = steps()
every_step = pytest.mark.parametrize("step", STEPS.values(), ids=list(STEPS))


def taken_apart(call: str) -> tuple[str, dict[str, Any]]:
    """A call's name and its arguments."""
    python = call.replace("=true", "=True").replace("=false", "=False")
    node = ast.parse(python, mode="eval").body
    if not isinstance(node, ast.Call):
        return ast.unparse(node), {}
    return ast.unparse(node.func), {
        keyword.arg or "": ast.literal_eval(keyword.value) for keyword in node.keywords
    }


def test_hint_collector_finds_hints_in_the_source() -> None:
    assert len(STEPS) > 30
    assert {"dialog", "navigate", "tabs", "snapshot"} <= {step.action for step in STEPS.values()}


@every_step
def test_each_hint_renders_to_a_valid_tool_call(step: Next) -> None:
    tool, arguments = taken_apart(tool_call(step))
    assert ACTIONS[tool].check(arguments).arguments == step.arguments


@every_step
def test_each_hint_renders_to_a_valid_hermes_call(step: Next) -> None:
    call = HermesTools().call(step)
    if call:
        tool, arguments = taken_apart(call)
        TOOLS[tool].form.check(arguments)
    else:
        assert step.action not in ("navigate", "dialog", "open")


@every_step
def test_each_hint_renders_to_a_valid_operator_call(step: Next) -> None:
    call = OperatorTools().call(step)
    if call:
        tool, arguments = taken_apart(call)
        assert tool == "browser"
        given = BrowserCall.model_validate(arguments).model_dump(exclude_unset=True)
        VERBS[given["action"]].check(given)
    else:
        assert step.action not in ("navigate", "dialog", "open")


@every_step
def test_each_hint_renders_to_a_valid_command(step: Next) -> None:
    program, name, *words = shlex.split(command(step).strip("`"))
    assert program == "tabwarden"
    given = parsed(name, table()["commands"][name], words)
    assert given.arguments == step.arguments


@every_step
def test_each_hint_renders_to_a_valid_http_request(step: Next) -> None:
    method, where, *body = request(step).split(" ", 2)
    path, _, query = where.partition("?")
    fields = {**dict(parse_qsl(query)), **json.loads(body[0] if body else "{}")}
    if path == "/act":
        shape = KINDS[fields.pop("kind")]
    elif path == "/stop":
        assert (method, fields, step.action) == ("POST", {}, "close")
        return
    else:
        if path.startswith("/tabs/t"):
            path, fields = "/tabs/{targetId}", {"targetId": path.removeprefix("/tabs/")}
        if (method, path) == ("GET", "/tabs"):
            assert step.action == "tabs"
            return
        (shape,) = (one.shape for one in SERVED if one.shape.name == f"{method} {path}")
    arguments = shape.check(fields)
    asked = {k: v for k, v in step.arguments.items() if k not in ("tab_id", "mode")}
    if step.action == "permission":
        assert asked.pop("setting") == "granted"
        asked = {"permissions": [asked.pop("name")]}
    assert shape.action.tool == f"browser_{step.action}"
    assert all(arguments[name] == value for name, value in asked.items())


@every_step
def test_each_hint_renders_to_a_valid_python_call(step: Next) -> None:
    call = str(Hint(("", step)))
    if not call:
        assert step.action in ("connect", "disconnect")
        return
    name, arguments = taken_apart(call)
    method = getattr(Browser, name.rpartition(".")[2])
    bound = [] if inspect.ismethod(method) else [None]
    inspect.signature(method).bind(*bound, **arguments)


def parameters() -> set[str]:
    """Each ``Param(...)`` in the source."""
    return {
        node.args[0].value
        for _, module in modules("Param(")
        for node in ast.walk(module)
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "Param"
        and isinstance(node.args[0], ast.Constant)
    }


@pytest.mark.parametrize("parameter", sorted(parameters()))
def test_each_parameter_in_a_hint_exists_in_each_dialect(parameter: str) -> None:
    """Each dialect that has the parameter's tool has a field of this name."""
    action = {"dialog_id": "dialog", "prompt_id": "choose", "stop_on": "batch"}.get(
        parameter, "snapshot"
    )
    step = Next(action, action="accept") if action == "dialog" else Next(action)
    fields = {*BrowserCall.model_fields, "timeout_ms"}
    assert not OperatorTools().call(step) or parameter in fields
    tool = TOOLS.get(f"browser_{action}")
    assert tool is None or parameter in tool.form.parameters.model_fields


ELSEWHERE = {"frame_id", "dialog_id", "full_page", "prompt_text", "time_s", "timeout_ms"}
"""Parameters that some surface lacks or names differently."""
ALLOWED = {
    "time_s must be a number of seconds, not ",  # only Python's callers can get it
    # Only a call with a field that belongs to the same surfaces gets these:
    " (full_page=true).",
    "A backendNodeId is valid in one process only. Give frame_id too, or use a ref.",
}


def read_elsewhere(module: ast.Module) -> Iterator[ast.AST]:
    """Docstrings, and the texts of cards, which only models with tools read."""
    for node in ast.walk(module):
        if isinstance(node, ast.Expr):
            yield node.value
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("card", "Field"):
            yield from ast.walk(node)


def test_hints_in_page_code_use_placeholders_for_field_names() -> None:
    named = []
    for path, module in modules(""):
        if not str(path.relative_to(SOURCE)).startswith(("page", "integrations/camofox")):
            continue
        docstrings = {id(node) for node in read_elsewhere(module)}
        named += [
            f"{path.relative_to(SOURCE)}:{node.lineno}: {node.value}"
            for node in ast.walk(module)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and " " in node.value
            and node.value not in ALLOWED
            and id(node) not in docstrings
            and not ELSEWHERE.isdisjoint(re.findall(r"\w+", node.value))
        ]
    assert named == []


# -- the rules ---------------------------------------------------------------------------------

IN_PROSE = (
    "actions/definitions",
    "actions/toolset.py",
    "control_api",
    "demo",
    "integrations/anthropic",
    "integrations/hermes",
    "integrations/members",
    "integrations/openai",
    "integrations/openclaw",
    "integrations/operator_use",
    "surfaces/mcp",
    "config",
)
"""Texts that only models with tools read, or people who know the tools."""


def test_source_texts_mention_tool_names_only_as_data() -> None:
    named = []
    for path, module in modules("browser_"):
        if str(path.relative_to(SOURCE)).startswith((*IN_PROSE, "config")):
            continue
        docstrings = {id(node) for node in read_elsewhere(module)}
        named += [
            f"{path.relative_to(SOURCE)}:{node.lineno}: {node.value}"
            for node in ast.walk(module)
            if isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and " " in node.value
            and id(node) not in docstrings
            and any(tool in node.value for tool in ACTIONS)
        ]
    assert named == []


def test_source_code_does_not_interpolate_hints_into_strings() -> None:
    """Otherwise it would show Python method names to every reader."""
    lost = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path, module in modules("hint")
        for node in ast.walk(module)
        if isinstance(node, ast.FormattedValue)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "hint"
        and path.relative_to(SOURCE).parts[0] in ("page", "supervisor", "actions", "tools")
    ]
    assert lost == []


# -- hint objects ------------------------------------------------------------------------------


def test_hint_is_written_as_a_python_call_and_renders_for_each_surface() -> None:
    hint = Hint("Open it", Next("navigate", url="..."), (" or ", Next("reload")), ".")
    assert hint == "Open it with browser.goto(url='...') or browser.reload()."
    assert render(hint, tool_call) == 'Open it with browser_navigate(url="...") or browser_reload.'
    assert render(hint, lambda step: "") == "Open it."
    assert render("plain", tool_call) == "plain"


@pytest.mark.parametrize(
    "made",
    [
        lambda hint: joined("First.", "", hint),
        lambda hint: Hint("First. ", hint),
    ],
)
def test_joining_hints_keeps_their_calls(made: Callable[[Hint], str]) -> None:
    hint = made(Hint("Reload it", Next("reload"), "."))
    assert render(hint, tool_call) == "First. Reload it with browser_reload."


def test_rendered_hint_uses_the_surfaces_parameter_names() -> None:
    hint = Hint("Name one with ", Param("dialog_id"), " or ", Param("tab_id"), ".")
    assert hint == "Name one with dialog_id or tab_id."
    assert in_requests(hint) == "Name one with dialogId or targetId."


def test_hint_rendered_as_http_request_keeps_the_calls_mode() -> None:
    told = request(Next("performance", mode="stop")).removeprefix("POST /act ")
    assert json.loads(told) == {"kind": "performance", "mode": "stop"}
