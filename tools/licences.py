"""The licences of what a user installs, by each package's own metadata: ``make licences``."""

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
            told = metadata.metadata(name)
        except metadata.PackageNotFoundError:  # for another system
            continue
        print(f"{name} {told['Version']}: {licence_of(told)}")


def licence_of(told: metadata.PackageMetadata) -> str:
    """What a package says of its licence, on one line."""
    for field in ("License-Expression", "License"):
        words = " ".join(told.get_all(field) or [])
        if words and "\n" not in words:
            return words
    classifiers = told.get_all("Classifier") or []
    found = [one.rpartition(" :: ")[2] for one in classifiers if one.startswith("License ::")]
    return ", ".join(found) or "not said"


if __name__ == "__main__":
    main()
