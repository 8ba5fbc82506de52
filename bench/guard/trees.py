"""Builds the two versions: this checkout, and another commit in a temporary folder.

Both get a new environment from their lock file, with what a user installs. This checkout's own
environment has more packages, some of which cost each Python program time when it starts.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import ROOT

__all__ = ["built", "commit_of", "is_changed"]

SOURCE = ("src", "pyproject.toml", "uv.lock")


def git(*words: str) -> str:
    """Run git on this checkout.

    Raises:
        ValueError: git failed; with git's message.
    """
    # CI may run as another user than the one that owns the checkout.
    command = ["git", "-c", "safe.directory=*", "-C", str(ROOT), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise ValueError(str(error)) from error
    if done.returncode:
        raise ValueError(done.stderr.strip() or f"git {words[0]}: {done.returncode}")
    return done.stdout.strip()


def commit_of(revision: str) -> str:
    """Return a revision's commit. Raises the same error as ``git``."""
    return git("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")


def is_changed(since: str) -> bool:
    """Whether users run other code than at that commit."""
    return bool(git("diff", "--name-only", since, "--", *SOURCE))


@contextmanager
def built(commit: str) -> Iterator[tuple[Path, Path]]:
    """Build both versions. Yield the Python of this checkout's, and of the other. Remove both
    afterwards."""
    with TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as folder:
        tree = Path(folder) / "tree"
        git("worktree", "add", "--detach", str(tree), commit)
        try:
            yield _synced(ROOT, Path(folder) / "this"), _synced(tree, Path(folder) / "other")
        finally:
            git("worktree", "remove", "--force", str(tree))


def _synced(tree: Path, environment: Path) -> Path:
    own = ROOT / ".tools" / "bin" / "uv"
    uv = os.environ.get("UV") or shutil.which("uv") or str(own)
    command = [uv, "sync", "--frozen", "--quiet", "--no-default-groups", "--project", str(tree)]
    done = subprocess.run(
        [*command, "--python", sys.executable],
        env={**os.environ, "UV_PROJECT_ENVIRONMENT": str(environment)},
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"uv could not make the environment of {tree}.")
    return environment / "bin" / "python"
