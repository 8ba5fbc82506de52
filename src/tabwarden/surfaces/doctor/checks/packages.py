"""Check the versions of Python and libraries, the extras, and axe-core."""

from __future__ import annotations

import platform
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import requires, version
from pathlib import Path

from packaging.requirements import Requirement

from tabwarden.budget import Budget
from tabwarden.endpoints.install import installed_axe
from tabwarden.surfaces.doctor.finding import Finding, Patient, ok, problem, skipped
from tabwarden.surfaces.requirements import unmet

_TOLD = ("pydantic", "websockets", "httpx2", "mcp", "starlette", "uvicorn")


def check_versions(_: Patient) -> list[Finding]:
    ours, python = version("tabwarden"), platform.python_version()
    wrong = unmet(requires("tabwarden") or ())
    if wrong:
        return [_wrong(requirement, found) for requirement, found in wrong]
    words = f"Tabwarden {ours}, Python {python}, {platform.platform(terse=True)}"
    others = {name: version(name) for name in _TOLD}
    return [ok(words, tabwarden=ours, python=python, platform=platform.platform(), **others)]


def _wrong(requirement: Requirement, found: str) -> Finding:
    has = f"{found} is installed" if found else "it is not installed"
    return problem(
        f"Tabwarden needs {requirement.name}{requirement.specifier}, but {has}.",
        install_command([requirement]),
        name=requirement.name,
        installed=found,
    )


def install_command(wanted: Iterable[Requirement]) -> str:
    """Return the command that installs these packages into this Python's environment."""
    words = " ".join(shlex.quote(f"{one.name}{one.specifier}") for one in wanted)
    python = shlex.quote(sys.executable)
    if shutil.which("uv"):
        return f"uv pip install --python {python} {words}"
    return f"{python} -m pip install {words}"


Lacks = list[tuple[Requirement, str]]
_OF_EXTRA = re.compile(r"""extra == ['"](.+?)['"]""")
_SURFACES = {"mcp": "`tabwarden mcp`", "serve": "`tabwarden serve`"}


def check_extras(patient: Patient, declared: Sequence[str] | None = None) -> list[Finding]:
    """Report the packages that each extra lacks. A missing extra that the configuration needs is a
    problem.

    Args:
        declared: replaces the requirements in the package's metadata.
    """
    ours = requires("tabwarden") if declared is None else declared
    optional = {text: found[1] for text in ours or () if (found := _OF_EXTRA.search(text))}
    names = [*dict.fromkeys(optional.values())]
    lacks: dict[str, Lacks] = {name: unmet(optional, name) for name in names}
    needed = {name: why for name, why in _needed(patient).items() if lacks.get(name)}
    if needed:
        return [_lacking(name, why, lacks[name]) for name, why in needed.items()]
    there = [name for name in names if not lacks[name]]
    others = [name for name in names if lacks[name]]
    return [
        ok(
            f"Installed: {', '.join(there) or 'none'}. Not installed, and not needed by "
            f"the configuration: {', '.join(others) or 'none'}.",
            **{
                name: [f"{one.name}{one.specifier}" for one, _ in lacks[name]] or "installed"
                for name in names
            },
        )
    ]


def _needed(patient: Patient) -> dict[str, str]:
    """Return the extras that are needed, each with the reason."""
    browser = patient.config.browser
    needed = dict(_SURFACES)
    if (browser.endpoint or "").startswith("fleet:"):
        needed["fleet"] = "browser.endpoint"
    if browser.record_video is not None:
        needed["video"] = "browser.record_video"
    return needed


def _lacking(name: str, why: str, lacks: Lacks) -> Finding:
    packages = ", ".join(
        f"{one.name}{one.specifier} ({f'{found} is installed' if found else 'not installed'})"
        for one, found in lacks
    )
    return Finding(
        # As a library, Tabwarden may share an environment with packages that need old versions.
        status="warning" if name in _SURFACES else "problem",
        message=f"{why} needs the extra tabwarden[{name}], which lacks {packages}.",
        command=_command(name, lacks),
        data={"extra": name, "lacks": [f"{one.name}{one.specifier}" for one, _ in lacks]},
    )


def _command(name: str, lacks: Lacks) -> str:
    # uvx runs programs from such a folder in its cache. The cache must not be changed.
    if any(part.startswith("archive-v") for part in Path(sys.prefix).parts):
        return f"uvx --from 'tabwarden[{name}]' tabwarden …"
    # Other packages in the environment may need the old version.
    if name in _SURFACES and any(found for _, found in lacks):
        return f"pipx install 'tabwarden[{name}]'"
    return install_command([one for one, _ in lacks])


async def check_axe(patient: Patient, _: Budget) -> list[Finding]:
    """Look for the configured or the installed axe-core script."""
    named = patient.config.browser.axe
    if named is not None and not named.is_file():
        message = f"browser.axe is set to {named}, which does not exist, so audits fail."
        return [problem(message)]
    found = named or installed_axe()
    if found is None:
        message = "axe-core is not installed. Only audits need it."
        return [skipped(message, "tabwarden install axe")]
    return [ok(f"axe-core is installed: {found}.")]
