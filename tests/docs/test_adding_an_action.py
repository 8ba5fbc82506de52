"""CONTRIBUTING's steps for a new action, followed in a copy of the repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from browser.surfaces.cli.shell import shell
from browser.surfaces.http.client import Api, serving

ROOT = Path(__file__).parents[2]
COPIED = ("src", "tools", "tests", "docs", "pyproject.toml")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
GENERATORS = ("generate_methods.py", "generate_sync.py", "generate_commands.py")
"""The parts of `make generate` that an action needs. The others write documentation."""
TESTS = (
    "tests/unit/actions/test_registry.py",
    "tests/unit/actions/test_annotations.py",
    "tests/unit/actions/test_permissions.py",
    "tests/browser/page/elements/test_count.py",
)
"""What of step 4 concerns the new action alone. The first has the surfaces' contract, the last
calls the action from Python."""
COUNTED = '{"count": 2, "unread": []}'


class Recipe:
    """The guide's section, and the repository in which its steps are executed."""

    def __init__(self, root: Path) -> None:
        guide = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
        self.text = guide.partition("\n## Adding an action\n")[2].partition("\n## ")[0]
        self.root = root
        self.created: list[str] = []

    def follow(self) -> None:
        """Execute all steps that create a file. No step edits one."""
        end = 0
        for fence in FENCE.finditer(self.text):
            words, end = " ".join(self.text[end : fence.start()].split()), fence.end()
            if fence[1] == "py":
                path = re.findall(r"Create `([\w/]+\.py)`", words)[-1]
                (self.root / path).write_text(fence[2], "utf-8")
                self.created.append(path)

    def commands(self, word: str) -> str:
        """The block of commands that contains a word."""
        (block,) = [code for kind, code in FENCE.findall(self.text) if word in code]
        return str(block).replace(".venv/bin/", f"{Path(sys.executable).parent}/")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("repository")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, made / name)
        else:
            shutil.copy(ROOT / name, made)
    return made


def test_documented_steps_add_an_action_to_every_surface(
    copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = Recipe(copy)
    recipe.follow()
    monkeypatch.chdir(copy)
    monkeypatch.setenv("PYTHONPATH", str(copy / "src"))
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "")  # else each process compiles it all again
    for name in list(os.environ):
        if name.startswith("PYTEST_XDIST"):  # the nested test run is not one of our workers
            monkeypatch.delenv(name)

    for generator in GENERATORS:
        run("python", f"tools/{generator}")
    assert recipe.created == [
        "src/tabwarden/page/elements/count.py",
        "tests/browser/page/elements/test_count.py",
    ]
    run("ruff", "check", *recipe.created)
    run("ruff", "format", "--check", *recipe.created)
    run("python", "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", *TESTS)

    with tempfile.TemporaryDirectory(prefix="tw-") as folder, shell(Path(folder)) as terminal:
        script = recipe.commands("tabwarden count")
        told = run("bash", "-euc", script, environment=terminal.env)
        assert f"value: {COUNTED}" in told
        assert f"# value: {COUNTED}" in script

    with serving(PYTHONPATH=str(copy / "src")) as server, Api(server.url) as api:
        api.post("/navigate", url="data:text/html,<p>1</p><p>2</p>")
        assert api.act("count", css="p")["value"] == {"count": 2, "unread": []}


def run(*command: str, environment: dict[str, str] | None = None) -> str:
    """Run a command that succeeds; return its output."""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100,
        check=False, env=environment,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout
