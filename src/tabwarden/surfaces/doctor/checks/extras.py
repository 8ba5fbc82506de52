"""Check which extras of the package are installed, and those that the configuration needs."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement

from tabwarden.surfaces.doctor.checks.versions import install_command
from tabwarden.surfaces.doctor.finding import Finding
from tabwarden.surfaces.doctor.patient import Patient
from tabwarden.surfaces.requirements import unmet

Lacks = list[tuple[Requirement, str]]
_OF_EXTRA = re.compile(r"""extra == ['"](.+?)['"]""")
_SURFACES = {"mcp": "`tabwarden mcp`", "serve": "`tabwarden serve`"}


def check_extras(patient: Patient, declared: Sequence[str] | None = None) -> list[Finding]:
    """Tell what each extra lacks. An extra that the configuration needs is a problem then.

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
        Finding(
            check="extras",
            status="ok",
            message=f"Installed: {', '.join(there) or 'none'}. Not installed, and not needed by "
            f"the configuration: {', '.join(others) or 'none'}.",
            data={
                name: [f"{one.name}{one.specifier}" for one, _ in lacks[name]] or "installed"
                for name in names
            },
        )
    ]


def _needed(patient: Patient) -> dict[str, str]:
    """The extras that are needed here, each with the reason."""
    browser = patient.config.browser
    needed = dict(_SURFACES)
    if (browser.endpoint or "").startswith("fleet:"):
        needed["fleet"] = "browser.endpoint"
    if browser.record_video is not None:
        needed["video"] = "browser.record_video"
    return needed


def _lacking(name: str, why: str, lacks: Lacks) -> Finding:
    told = ", ".join(
        f"{one.name}{one.specifier} ({f'{found} is installed' if found else 'not installed'})"
        for one, found in lacks
    )
    return Finding(
        check="extras",
        # A library may be installed beside others that hold these packages back.
        status="warning" if name in _SURFACES else "problem",
        message=f"{why} needs the extra tabwarden[{name}], which lacks {told}.",
        command=_command(name, lacks),
        data={"extra": name, "lacks": [f"{one.name}{one.specifier}" for one, _ in lacks]},
    )


def _command(name: str, lacks: Lacks) -> str:
    # uvx runs from such a folder of its cache, which is not to be changed.
    if any(part.startswith("archive-v") for part in Path(sys.prefix).parts):
        return f"uvx --from 'tabwarden[{name}]' tabwarden …"
    if name in _SURFACES and any(found for _, found in lacks):  # others may need the old version
        return f"pipx install 'tabwarden[{name}]'"
    return install_command([one for one, _ in lacks])
