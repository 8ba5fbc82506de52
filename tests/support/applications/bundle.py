"""One script, bundled from a source file and the packages that it imports."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

from support.applications.install import npm_packages

__all__ = ["bundle"]

_ESBUILD = "esbuild@0.28.2"


@cache
def bundle(folder: Path, source: str) -> str:
    """Bundle a module that imports packages installed in ``folder``."""
    esbuild = npm_packages(_ESBUILD) / "node_modules/.bin/esbuild"
    options = ["--bundle", "--format=iife", "--loader=jsx", "--jsx=transform", "--log-level=error"]
    minor = ["--minify-whitespace", '--define:process.env.NODE_ENV="production"', "--charset=utf8"]
    done = subprocess.run(
        [esbuild, *options, *minor], cwd=folder, input=source, capture_output=True, text=True,
        check=False, env={**os.environ, "NODE_PATH": str(folder / "node_modules")},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout
