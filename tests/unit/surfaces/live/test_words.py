"""The live view's texts cover every action, error and interruption."""

from __future__ import annotations

import inspect
import re
from importlib.resources import files
from pathlib import Path
from typing import get_args

import pytest

from tabwarden import errors
from tabwarden.browser import Browser
from tabwarden.journal import INTERRUPTIONS
from tabwarden.page import recovery
from tabwarden.page.control import RECORDED, Outcome, Why
from tabwarden.supervisor.core.prompts import PROMPT_KINDS

WORDS = files("tabwarden.surfaces.live").joinpath("static", "words.js").read_text("utf-8")
ENTRY = re.compile(r"^  (\w+): (.*)$", re.MULTILINE)


def table(name: str) -> dict[str, str]:
    """The entries of one of the page's tables, by key."""
    begin = WORDS.index(f"const {name} = {{")
    return dict(ENTRY.findall(WORDS, begin, WORDS.index("\n};", begin)))


def recorded() -> dict[str, list[str]]:
    """The actions that a timeline can show, with their arguments."""
    return {
        name: list(inspect.signature(method).parameters)
        for name, method in inspect.getmembers(Browser, inspect.isfunction)
        if hasattr(method, "__wrapped__") and method.__code__.co_name == "recorded"
    }


def codes(of: type[errors.TabwardenError] = errors.TabwardenError) -> set[str]:
    return {one.code for one in of.__subclasses__() if one.__module__ == errors.__name__}


def test_live_view_action_texts_refer_to_known_actions() -> None:
    """The live view shows the name of an action that has no text."""
    assert set(table("ACTS")) <= {*recorded(), *RECORDED}
    assert {*RECORDED} <= set(table("ACTS"))


@pytest.mark.parametrize("action", sorted({*recorded()} & {*table("ACTS")}))
def test_live_view_action_texts_use_only_existing_arguments(action: str) -> None:
    used = re.findall(r"\ba\.(\w+)", table("ACTS")[action])
    assert set(used) <= set(recorded()[action])


def test_live_view_has_a_text_for_each_end_of_control_and_of_a_handoff() -> None:
    assert set(table("OUTCOMES")) == set(get_args(Outcome))
    ends = re.search(r"const CONTROL_ENDS = \{(.*)\};", WORDS)
    assert ends is not None
    assert {*re.findall(r"(\w+): ", ends[1]), "done"} == set(get_args(Why))


def test_live_view_has_a_text_for_each_error() -> None:
    assert set(table("FAILED")) == codes() | {"internal_error"}


def test_live_view_has_a_text_for_each_interruption() -> None:
    kinds = {kind.action for kind in PROMPT_KINDS.values()}
    assert set(INTERRUPTIONS) == kinds | {"dialog", "navigation"}


def test_live_view_has_a_text_for_each_recovery_step() -> None:
    source = "".join(
        file.read_text("utf-8") for file in Path(recovery.__file__).parent.glob("*.py")
    )
    steps = set(re.findall(r"\"((?:[A-Z]\w+\.[a-z]\w+|kill|timers)\b[^\"]*)\"", source))
    known = re.findall(r"\[/(.+?)/, ", WORDS)
    assert len(steps) > 8
    assert [step for step in steps if not any(re.search(one, step) for one in known)] == []
