"""The wrapper of the program that opens external programs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tabwarden.endpoints.launching.start import keep_programs


@pytest.mark.threat
@pytest.mark.parametrize(
    ("given", "runs"),
    [
        ("mailto:ada@example.com", True), ("news:comp.lang", False), ("mailtox:a", False),
        ("http://a.test/", False), ("-x", False), ("", False), ("/home/ada/a:b.pdf", True),
    ],
)  # fmt: skip
def test_xdg_open_wrapper_forwards_only_allowed_schemes_and_files(
    given: str, runs: bool, tmp_path: Path
) -> None:
    real, scratch = tmp_path / "it's real", tmp_path / "scratch"
    real.mkdir()
    scratch.mkdir()
    (real / "xdg-open").write_text('#!/bin/sh\necho "real $1"\n')
    (real / "xdg-open").chmod(0o755)
    environment = {"PATH": f"{real}:{os.defpath}"}
    keep_programs(scratch, environment, ["mailto", "a.b+c-d"])
    done = subprocess.run(
        ["xdg-open", given], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == (f"real {given}\n" if runs else "")


def test_xdg_open_wrapper_starts_nothing_without_a_real_xdg_open(tmp_path: Path) -> None:
    environment = {"PATH": str(tmp_path)}
    keep_programs(tmp_path, environment, ["mailto"])
    opener = str(tmp_path / "programs/xdg-open")
    done = subprocess.run([opener, "mailto:a"], env=environment, capture_output=True, check=True)
    assert done.stdout == b""
