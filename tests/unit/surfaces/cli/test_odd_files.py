"""Each command that reads a user's file reports a malformed one, without a traceback."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.needs import require
from support.odd_files import ODD, ODD_ARCHIVES, ODD_TRACES, nobody

from tabwarden.endpoints.finding import BROWSERS_PATH
from tabwarden.surfaces.cli.group import main

TRACE = ("trace text FILE", "trace show FILE --no-open", "export FILE --to pytest", "replay FILE")
OTHERS = (
    "browsers install --from-file FILE",
    "mcp --setup codex --write --setup-file FILE",
    "mcp --setup cursor --write --setup-file FILE",
    "plugins install hermes --to FILE",
    "skill install --to FILE",
)
OF_CONFIG = (
    "config get browser.headless --config FILE",
    "config set browser.headless true --config FILE",
    "config show --config FILE",
    "config unset browser.headless --config FILE",
    "profiles list --config FILE",
    "token create ann --config FILE",
    "token list --config FILE",
    "trace list --config FILE",
)
"""Commands for which some of the files are valid."""
BY_VARIABLE = {
    "TABWARDEN_CONFIG": "config show",
    "TABWARDEN_SERVER__TOKENS_FILE": "token list",
    "TABWARDEN_BROWSER__TRACE_DIR": "trace list",
    "TABWARDEN_BROWSER__PROFILES_DIR": "profiles list",
    "TABWARDEN_RUNTIME_DIR": "sessions",
    "XDG_RUNTIME_DIR": "sessions",
    "XDG_CONFIG_HOME": "config set browser.headless true",
    "XDG_DATA_HOME": "profiles list",
    "XDG_STATE_HOME": "token create ann",
    "HOME": "skill install claude-code",
    "TABWARDEN_FLEET_SECRETS": "fleet secrets --listen 10.9.8.7",
}


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A world-accessible folder that contains all files that commands write."""
    made = Path(tempfile.mkdtemp(prefix="tw-odd-"))
    made.chmod(0o777)
    for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(made / "home"))
    monkeypatch.setenv(BROWSERS_PATH, str(made / "browsers"))
    yield made
    shutil.rmtree(made)


def run(folder: Path, words: str, what: str, variable: str = "") -> int:
    """Run a command on such a file; fail unless it ends with a result or an error of ours."""
    if what == "deep JSON" and (words in OF_CONFIG or variable == "TABWARDEN_CONFIG"):
        what = "deep YAML"  # YAML's parser takes a minute for the other
    file = folder / "odd.file"
    (ODD | ODD_TRACES | ODD_ARCHIVES)[what](file)
    given = [word.replace("FILE", str(file)) for word in words.split()]
    with nobody() if what == "closed to us" else nullcontext():
        done = CliRunner().invoke(main, given, env={variable: str(file)} if variable else None)
    assert isinstance(done.exception, SystemExit | None), done.exception
    assert "Traceback" not in done.output
    if done.exit_code:
        assert re.search(r"^error \w+: .+\n.+", done.stderr, re.M), done.stderr
    return done.exit_code


@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize("words", TRACE)
def test_trace_commands_reject_every_malformed_file(folder: Path, words: str, what: str) -> None:
    assert run(folder, words, what) == 2


@pytest.mark.parametrize("what", ODD_TRACES)
@pytest.mark.parametrize("words", ["trace text FILE", "export FILE --to pytest"])
def test_trace_commands_read_or_reject_a_trace_with_malformed_content(
    folder: Path, words: str, what: str
) -> None:
    assert run(folder, words, what) in (0, 2)


@pytest.mark.parametrize("what", ODD_ARCHIVES)
def test_install_rejects_every_malformed_archive(folder: Path, what: str) -> None:
    assert run(folder, "browsers install --from FILE", what) == 3


@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize("words", [*OTHERS, *OF_CONFIG])
def test_commands_report_a_malformed_file_without_a_traceback(
    folder: Path, words: str, what: str
) -> None:
    assert run(folder, words, what) in (0, 1, 2, 3)


@pytest.mark.parametrize("what", ODD)
@pytest.mark.parametrize("variable", BY_VARIABLE)
def test_commands_report_a_malformed_file_set_by_a_variable(
    folder: Path, variable: str, what: str
) -> None:
    if variable == "TABWARDEN_FLEET_SECRETS":
        require("ray")
    assert run(folder, BY_VARIABLE[variable], what, variable) in (0, 2)
