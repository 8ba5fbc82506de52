"""Check the versions of Python, Tabwarden, and Tabwarden's libraries."""

from __future__ import annotations

import platform
import shlex
import shutil
import sys
from collections.abc import Iterable
from importlib.metadata import requires, version

from packaging.requirements import Requirement

from tabwarden.surfaces.doctor.finding import Finding
from tabwarden.surfaces.doctor.patient import Patient
from tabwarden.surfaces.requirements import unmet

_TOLD = ("pydantic", "websockets", "httpx2", "mcp", "starlette", "uvicorn")


def check_versions(patient: Patient) -> list[Finding]:
    _ = patient
    ours, python = version("tabwarden"), platform.python_version()
    wrong = unmet(requires("tabwarden") or ())
    if wrong:
        return [_wrong(requirement, found) for requirement, found in wrong]
    return [
        Finding(
            check="versions",
            status="ok",
            message=f"Tabwarden {ours}, Python {python}, {platform.platform(terse=True)}",
            data={
                "tabwarden": ours,
                "python": python,
                "platform": platform.platform(),
                **{name: version(name) for name in _TOLD},
            },
        )
    ]


def _wrong(requirement: Requirement, found: str) -> Finding:
    has = f"{found} is installed" if found else "it is not installed"
    return Finding(
        check="versions",
        status="problem",
        message=f"Tabwarden needs {requirement.name}{requirement.specifier}; {has}.",
        command=install_command([requirement]),
        data={"name": requirement.name, "installed": found},
    )


def install_command(wanted: Iterable[Requirement]) -> str:
    """Return the command that installs these packages into this Python's environment."""
    words = " ".join(shlex.quote(f"{one.name}{one.specifier}") for one in wanted)
    python = shlex.quote(sys.executable)
    if shutil.which("uv"):
        return f"uv pip install --python {python} {words}"
    return f"{python} -m pip install {words}"
