"""The import cost of the API: no endpoint-specific and no test-only packages."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import packages_distributions, requires

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def run(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout


def test_importing_tabwarden_sync_imports_no_network_client() -> None:
    told = run("import sys, tabwarden.sync;print({'httpx2', 'websockets'} & {*sys.modules})")
    assert told.strip() == "set()"


def test_demo_imports_only_runtime_dependencies() -> None:
    """``make demo`` creates an environment without the test packages."""
    users = what_users_install()
    others = [
        module
        for module, origins in packages_distributions().items()
        if users.isdisjoint(map(canonicalize_name, origins))
    ]
    assert "pytest" in others
    commands = "tabwarden.surfaces.cli.commands"
    run(
        f"import sys; sys.modules.update(dict.fromkeys({others}))\n"
        f"import tabwarden.demo.story, {commands}.browser.browsers, {commands}.browser.demo, "
        "tabwarden.surfaces.live.app, tabwarden.tools.offer"
    )


def what_users_install() -> set[str]:
    """Tabwarden's distribution, and its requirements without an extra."""
    known: set[str] = set()
    waiting = [Requirement("tabwarden")]
    while waiting:
        one = waiting.pop()
        name = canonicalize_name(one.name)
        if not one.extras and name in known:
            continue
        known.add(name)
        waiting += [
            needed
            for needed in map(Requirement, requires(name) or ())
            if needed.marker is None
            or any(needed.marker.evaluate({"extra": extra}) for extra in ("", *one.extras))
        ]
    return known
