"""Page scripts in Playwright: ``evaluate``, and other steps that contain a script's source."""

from __future__ import annotations

import re

from tabwarden.export.in_playwright.locators import locator, unknown
from tabwarden.export.steps import Step
from tabwarden.export.writing import call, literal


def evaluate(step: Step) -> list[str]:
    script, args = step.arguments.get("script", ""), step.arguments.get("args") or []
    if step.arguments.get("frame_id") or step.arguments.get("backend_node_id"):
        return unknown(step)
    function = as_function(str(script), of_element=step.target is not None, has_args=bool(args))
    if step.target is not None:
        extra = [literal(list(args))] if args else []
        return [call(f"{locator(step.tab, step.target)}.evaluate", literal(function), *extra)]
    return [
        call(f"{step.tab}.evaluate", literal(function), *([literal(list(args))] if args else []))
    ]


_FUNCTION = re.compile(r"\s*(async\b\s*)?(function\b|\([^()]*\)\s*=>|[A-Za-z_$][\w$]*\s*=>)")
_STATEMENTS = re.compile(r"(const|let|var|if|for|while|do|switch|try|throw)\b|\breturn\b|;\s*+\S")


def as_function(script: str, *, of_element: bool, has_args: bool) -> str:
    """Return a script as a function that Playwright calls with the element, or an array of
    arguments, or both."""
    script = script.strip().rstrip(";")
    parameters = "(element, args = [])" if of_element else "(args = [])"
    if _FUNCTION.match(script):
        passed = "element, ...args" if of_element else "...args"
        return f"{parameters} => ({script})({passed})"
    if not of_element and not has_args and not _STATEMENTS.search(script) and "await" not in script:
        return script
    if _STATEMENTS.search(script):
        return f"async {parameters} => {{ {script} }}"
    return f"async {parameters} => ({script})"
