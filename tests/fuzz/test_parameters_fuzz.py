"""Any argument of an action is accepted, or rejected with the field's name."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fuzzing import searched
from support.hostile_text import HOSTILE
from support.schemas import fitting

from tabwarden.actions import ACTIONS, prepare
from tabwarden.actions.other_names import meant_parameter
from tabwarden.actions.registry import Checked
from tabwarden.actions.result_text import error_words
from tabwarden.config import BrowserConfig
from tabwarden.errors import InvalidArgument
from tabwarden.page.text.untrusted_text import sentence

CONFIG = BrowserConfig()
ANYTHING = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.sampled_from([10**400, -(10**400), 2**53 + 1]),
        st.floats(),
        HOSTILE,
        st.sampled_from(
            ["", "null", "None", "true", "12", "NaN", "inf", "1e999", "[" * 100_000, "e1", "css=("]
        ),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(HOSTILE, inner, max_size=3),
    max_leaves=6,
)


@cache
def allowed(tool: str) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments that the schema shown to models allows."""
    return fitting(ACTIONS[tool].schema(), HOSTILE)


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A tool and arguments: valid ones, arbitrary ones, and ones under other names."""
    tool = draw(st.sampled_from(sorted(ACTIONS)))
    arguments = draw(allowed(tool)) if draw(st.booleans()) else {}
    known = st.sampled_from(sorted(ACTIONS[tool].parameters.model_fields))
    names = st.one_of(known, known, known, known.map(str.upper), HOSTILE)
    return tool, {**arguments, **draw(st.dictionaries(names, ANYTHING, max_size=3))}


# The schema of a batch does not repeat the schemas of its steps.
@pytest.mark.parametrize("tool", sorted(ACTIONS.keys() - {"browser_batch"}))
def test_action_accepts_arguments_that_its_schema_allows_unchanged(tool: str) -> None:
    @searched(5)
    @given(allowed(tool))
    def check(arguments: dict[str, Any]) -> None:
        taken = ACTIONS[tool].check(arguments)
        assert not taken.coerced or any(one in ("null", "None") for one in arguments.values())
        assert set(taken.arguments) == set(arguments)

    check()


@searched(200)
@given(calls())
def test_action_corrects_invalid_arguments_or_identifies_the_invalid_field(
    call: tuple[str, dict[str, Any]],
) -> None:
    tool, arguments = call
    action = ACTIONS[tool]
    budget = prepare(CONFIG, tool, arguments).budget
    assert 0 < budget.timeout_ms <= 86_400_000
    try:
        taken = action.check(arguments)
    except InvalidArgument as error:
        refused = error
    else:
        fits(taken, read_as(tool, arguments))
        return
    field = refused.data["field"]
    missing = set(action.schema().get("required", ())) - set(arguments)
    names = {*arguments, *read_as(tool, arguments), *missing}
    assert {field, field.partition("[")[0]} & names
    words = error_words(refused)
    step = re.fullmatch(r"steps\[(\d+)\](?:\.(.*))?", field, re.DOTALL)
    if step is not None:  # the message counts the steps from 1, and then contains the field
        assert f"Step {int(step[1]) + 1}" in words
        field = step[2] or ""
    assert sentence(repr(field)[1:-1]) in words
    words.encode()
    assert len(words) < 8_000


def read_as(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments under our names: ``FILENAME`` is read as ``filename``."""
    ours = ACTIONS[tool].parameters.model_fields
    other = {name: meant_parameter(name, one, ours) for name, one in arguments.items()}
    names = {name: found[0] for name, found in other.items() if name not in ours and found}
    return {names.get(name, name) or name: one for name, one in arguments.items()
            if names.get(name, name) is not None}  # fmt: skip


def fits(taken: Checked, arguments: dict[str, Any]) -> None:
    assert set(taken.arguments) == set(arguments)
    assert all(math.isfinite(number) for number in numbers(taken.arguments))
    json.dumps(taken.arguments)
    for note in taken.coerced:
        assert note.splitlines() == [note]


def numbers(value: Any) -> Iterator[float]:
    """All numbers in a value that Python's own types might change."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from numbers(inner)
