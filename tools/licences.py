"""List the licences of the packages that a user installs, from each package's metadata: ``make
licences``."""

from __future__ import annotations

import os
import re
import subprocess
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main() -> None:
    """Print a line for each package."""
    export = [os.environ.get("UV", "uv"), "export", "--frozen", "--quiet"]
    which = ["--no-default-groups", "--all-extras", "--no-emit-project"]
    listed = subprocess.run(
        [*export, *which, "--no-hashes", "--no-annotate", "--no-header"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for name in re.findall(r"^([\w.-]+)==", listed, re.MULTILINE):
        try:
            package = metadata.metadata(name)
        except metadata.PackageNotFoundError:  # for another system
            continue
        print(f"{name} {package['Version']}: {licence_of(package)}")


def licence_of(package: metadata.PackageMetadata) -> str:
    """Return a package's licence from its metadata, on one line."""
    for field in ("License-Expression", "License"):
        words = " ".join(package.get_all(field) or [])
        if words and "\n" not in words:
            return words
    classifiers = package.get_all("Classifier") or []
    names = [one.rpartition(" :: ")[2] for one in classifiers if one.startswith("License ::")]
    return ", ".join(names) or "not stated"


if __name__ == "__main__":
    main()
