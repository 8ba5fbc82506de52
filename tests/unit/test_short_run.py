"""`make test` includes a browser test of everything that must not break."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from support.cases import PICKED
from support.faulty import faults
from support.hangs import FAMILIES
from support.threats import threats

from tabwarden.supervisor.core.prompts import PROMPT_KINDS

BROWSER = Path(__file__).parents[1] / "browser"
FAULTS = [
    name
    for name, one in inspect.getmembers(faults, inspect.isclass)
    if issubclass(one, faults.Fault) and one is not faults.Fault
]
SURFACES = [
    one.name for one in (BROWSER / "surfaces").iterdir() if one.is_dir() and one.name[0].isalpha()
]


@pytest.fixture
def whole_run(request: pytest.FixtureRequest) -> list[pytest.Item]:
    items = request.config.stash[PICKED]
    if len({item.nodeid.split("/")[1] for item in items}) < 5:
        pytest.skip("only a run of all folders has all tests")
    return items


@pytest.fixture
def picked(whole_run: list[pytest.Item]) -> list[pytest.Function]:
    """The browser tests in this run."""
    return [
        item
        for item in whole_run
        if isinstance(item, pytest.Function) and item.nodeid.startswith("tests/browser/")
    ]


def params(item: pytest.Function) -> dict[str, object]:
    return item.callspec.params if hasattr(item, "callspec") else {}


@pytest.mark.parametrize("family", FAMILIES)
def test_short_run_includes_each_family_of_hangs(
    family: str, picked: list[pytest.Function]
) -> None:
    hangs = [params(item).get("hang") for item in picked]
    assert any(hang in hangs for hang in FAMILIES[family])


@pytest.mark.parametrize("fault", FAULTS)
def test_short_run_includes_each_connection_fault(
    fault: str, picked: list[pytest.Function]
) -> None:
    given = {type(one).__name__ for item in picked for one in params(item).values()}
    written = (inspect.getsource(item.function) for item in picked if "/faults/" in item.nodeid)
    assert fault in given or any(f"{fault}(" in source for source in written)


@pytest.mark.parametrize("kind", [*PROMPT_KINDS, "pending_dialogs"])
def test_short_run_includes_each_kind_of_prompt(kind: str, picked: list[pytest.Function]) -> None:
    assert any(kind in inspect.getsource(item.function) for item in picked)


@pytest.mark.parametrize("surface", SURFACES)
def test_short_run_includes_each_surface(surface: str, picked: list[pytest.Function]) -> None:
    assert any(item.nodeid.startswith(f"tests/browser/surfaces/{surface}/") for item in picked)


def test_short_run_includes_each_threat(whole_run: list[pytest.Item]) -> None:
    names = {item.nodeid.partition("[")[0] for item in whole_run}
    without = []
    for threat, tests in threats().items():
        in_a_browser = {test for test in tests if test.startswith("tests/browser/")}
        if not names & (in_a_browser or tests):
            without.append(threat)
    assert without == []
