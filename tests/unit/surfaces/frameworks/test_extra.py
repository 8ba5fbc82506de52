"""The frameworks are extras: without one, its adapter suggests the extra."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

ADAPTERS = {
    "pydantic_ai": ("pydantic_ai", "pydantic-ai"),
    "openai_agents": ("agents", "openai-agents"),
    "langchain": ("langchain", "langchain"),
}


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_adapter_without_its_framework_suggests_the_extra(
    adapter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, extra = ADAPTERS[adapter]
    module = f"tabwarden.surfaces.frameworks.{adapter}"
    for name in list(sys.modules):
        if name == module or name.partition(".")[0] == package:
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=rf"pip install 'tabwarden\[{extra}\]'"):
        importlib.import_module(module)


def test_importing_tools_imports_no_framework() -> None:
    code = (
        "import sys, tabwarden.tools, tabwarden.tools.sync\n"
        "print([name for name in sys.modules if name in "
        f"{[package for package, _ in ADAPTERS.values()]}])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"
