"""Hints use only calls and fields that a dialect has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tabwarden
from tabwarden.actions import session_of
from tabwarden.config import BrowserConfig
from tabwarden.hints import Next
from tabwarden.toolsets import dialects, toolset_of

_SOURCE = Path(tabwarden.__file__).parent
_CONFIG = BrowserConfig(dialog_policy="must_respond")
_CALL = re.compile(r"(\w+)\((.*)\)$")


def _steps() -> Iterator[Next]:
    """Yield every call that a hint in the source suggests; unknown values become "..."."""
    sources = (file.read_text(encoding="utf-8") for file in _SOURCE.rglob("*.py"))
    for source in sources:
        for node in ast.walk(ast.parse(source)) if "Next(" in source else ():
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "Next"
                and node.args
                and isinstance(node.args[0], ast.Constant)
            ):
                given: dict[str, Any] = {
                    key.arg: key.value.value if isinstance(key.value, ast.Constant) else "..."
                    for key in node.keywords
                    if key.arg is not None
                }
                yield Next(node.args[0].value, **given)


STEPS = list(_steps())


def test_hint_collector_finds_hints_in_the_source() -> None:
    assert {"tabs", "dialog", "snapshot", "open"} <= {step.action for step in STEPS}


@pytest.mark.parametrize("name", dialects())
def test_calls_in_hints_use_only_the_dialects_own_fields(name: str) -> None:
    dialect = toolset_of(name)
    tools = {tool.name: tool for tool in dialect.tools(_CONFIG, session_of(_CONFIG))}
    written = [text for step in STEPS if (text := dialect.call(step))]
    assert written
    for text in written:
        called = _CALL.match(text)
        tool = tools[called[1] if called else text]
        fields = set(re.findall(r"(\w+)=", called[2])) if called else set()
        assert fields <= set(tool.input_schema["properties"]), text


_PLAIN = ("page/navigation/tabs.py", "page/elements/element.py", "page/capture/scrape.py")
"""Modules whose hints every dialect can show, whatever fields the caller sent."""


@pytest.mark.parametrize("module", _PLAIN)
def test_text_only_hint_mentions_no_field_missing_from_the_dialect(module: str) -> None:
    text = re.sub(r"\{[^}]*\}", "", (_SOURCE / module).read_text(encoding="utf-8"))
    hints = re.findall(r'^\s+f?"([^"\n]*\b(?:tab_id|frame_id)\b[^"\n]*)"', text, re.MULTILINE)
    assert [hint for hint in hints if " " in hint and "Give tab_id or" not in hint] == []
