"""Find the requirements of Tabwarden that the installed packages don't meet."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, requires, version

from packaging.requirements import Requirement

from tabwarden.errors import NotSupported


def unmet(requirements: Iterable[str], extra: str = "") -> list[tuple[Requirement, str]]:
    """Return each requirement that is not met, with the installed version ("" if the package is not
    installed).

    Args:
        extra: also check the requirements of this extra.
    """
    wrong = []
    for text in requirements:
        requirement = Requirement(text)
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        try:
            found = version(requirement.name)
        except PackageNotFoundError:
            found = ""
        if not found or not requirement.specifier.contains(found, prereleases=True):
            wrong.append((requirement, found))
    return wrong


def check_extra(extra: str) -> None:
    """Check that the requirements of an interface's extra are met.

    Raises:
        NotSupported: a package is missing or its version does not fit.
    """
    ours = [text for text in requires("tabwarden") or () if "extra ==" in text]
    for requirement, found in unmet(ours, extra):
        has = f"{requirement.name} {found} is installed" if found else "it is not installed"
        raise NotSupported(
            f"This command needs {requirement.name}{requirement.specifier}, but {has}.",
            f"Install Tabwarden in a separate environment: pip install 'tabwarden[{extra}]'.",
            package=requirement.name,
            installed=found,
        )
