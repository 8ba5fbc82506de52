"""``tabwarden config``: values with sources, safe changes, masked secrets."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from support.needs import lack, needs

from tabwarden.config import load_config
from tabwarden.config.document import parse_yaml
from tabwarden.live_config import LiveConfig
from tabwarden.surfaces.cli import main

SECRET = "hunter2Hunter2hunter2"


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("TABWARDEN_") and name != "TABWARDEN_CHROME":
            monkeypatch.delenv(name)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "config.yaml"
    path.write_text(f"# mine\nbrowser:\n  headless: false # x\nserver:\n  token: {SECRET}\n")
    return path


def run(*arguments: str, stdin: str = "", status: int = 0) -> Result:
    result = CliRunner().invoke(main, ["config", *arguments], input=stdin)
    assert result.exit_code == status, result.output
    assert SECRET not in result.output
    return result


def test_config_show_prints_the_source_of_each_value(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABWARDEN_BROWSER__TIMEOUTS_MS__GOTO", "7")
    at = f"--config={file}"
    lines = run("show", at).output.splitlines()
    assert f"browser.headless: false  ({file}, line 3)" in lines
    assert "browser.enabled: true  (default)" in lines
    assert "browser.timeouts_ms.navigate: 7  (TABWARDEN_BROWSER__TIMEOUTS_MS__GOTO)" in lines
    assert f'server.token: "********"  ({file}, line 5)' in lines
    told = json.loads(run("show", "--json", at).output)
    assert told["config"]["browser"]["headless"] is False
    assert told["sources"]["browser.headless"] == {"source": "file", "where": f"{file}, line 3"}
    assert told["sources"]["server.port"] == {"source": "default"}
    assert parse_yaml(run("show", "--yaml", at).output) == told["config"]


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("browser.headless", "false", False),
        ("browser.dialog_policy", "must_respond", "must_respond"),
        ("browser.default_timeout_ms", "30000", 30000),
        ("browser.endpoint", "null", None),
        ("browser.permissions", "{}", {}),
        ("server.token", "********", "********"),
        ("daemon", "idle_minutes: 60", {"idle_minutes": 60}),
    ],
)  # fmt: skip
def test_config_get_prints_one_value(key: str, text: str, value: Any, file: Path) -> None:
    assert run("get", key, f"--config={file}").output == f"{text}\n"
    assert json.loads(run("get", key, "--json", f"--config={file}").output) == value


def test_config_get_prints_a_section_without_its_secret(file: Path) -> None:
    assert 'token: "********"' in run("get", "server", f"--config={file}").output.splitlines()


@pytest.mark.parametrize(
    ("key", "value", "held"),
    [
        ("browser.headless", "true", True),
        ("browser.timeouts_ms.evaluate", "5000", 5000),
        ("browser.timeouts_ms", "{click: 1, goto: 2}", {"click": 1, "goto": 2}),
        ("browser.endpoint", "9222", "9222"),
        ("browser.endpoint", "null", None),
        ("browser.executable", "/opt/a b/c: d", "/opt/a b/c: d"),
        ('browser.permissions."https://a.example".camera', "denied", "denied"),
        ("server.host", "'::1'", "::1"),
    ],
)
def test_config_set_writes_the_value_and_changes_nothing_else_in_the_file(
    key: str, value: str, held: Any, file: Path
) -> None:
    before = file.read_text().splitlines()
    run("set", key, value, f"--config={file}")
    after = file.read_text()
    assert [line for line in before if line not in after.splitlines()] in (
        [], ["  headless: false # x"]
    )  # fmt: skip
    node = parse_yaml(after)
    for name in key.replace('"https://a.example"', "@").split("."):
        node = node[name.replace("@", "https://a.example")]
    assert node == held
    load_config(file)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["set", "browser.headles", "true"], "browser.headless"),
        (["set", "browser.timeouts_ms.evaluat", "1"], "browser.timeouts_ms.evaluate"),
        (["set", "browser.headless.x", "1"], "is not a section"),
        (["set", "browser.headless", "maybe"], "true or false"),
        (["set", "browser.headless", "["], "is not valid YAML"),
        (["set", "server.port", "99999"], "65,535"),
        (["set", "server.port", "-5"], "at least 0"),
        (["set", "server", "null"], "mapping"),
        (["set", "server.token", "short"], "16 visible"),
        (["set", "", "1"], "malformed"),
        (["set", "browser..x", "1"], "malformed"),
        (["set", "browser.credentials.https://a.b.username", "u"], "Quote the address"),
        (["get", "servr.port"], "server"),
        (["unset", "server.prot"], "server.port"),
    ],
)
def test_config_set_prints_why_it_rejects_a_change_and_keeps_the_file(
    arguments: list[str], words: str, file: Path
) -> None:
    before = file.read_bytes()
    result = run(*arguments, f"--config={file}", status=2)
    assert words in result.output
    assert file.read_bytes() == before
    assert list(file.parent.iterdir()) == [file]


def test_config_set_rejects_a_file_with_errors_and_config_unset_can_remove_them(
    file: Path,
) -> None:
    file.write_text("browser:\n  headles: 1\n  cdp_enabled: true\n  wrong: 2\n")
    result = run("set", "browser.enabled", "false", f"--config={file}", status=2)
    assert "headles" in result.output
    run("unset", "browser.headles", f"--config={file}")
    run("unset", "browser.wrong", f"--config={file}")
    assert file.read_text() == "browser:\n  cdp_enabled: true\n"
    assert "not set" in run("unset", "browser.headless", f"--config={file}").output


def test_config_unset_creates_no_missing_file(tmp_path: Path) -> None:
    run("unset", "browser.headless", f"--config={tmp_path / 'none/config.yaml'}")
    assert list(tmp_path.iterdir()) == []


def test_config_unset_rejects_the_removal_of_a_required_key(file: Path) -> None:
    text = "browser:\n  credentials:\n    'https://a.b': {username: u, password: p}\n"
    file.write_text(text)
    key = 'browser.credentials."https://a.b".password'
    assert "required" in run("unset", key, f"--config={file}", status=2).output
    assert file.read_text() == text


def test_config_set_reads_a_secret_from_stdin_into_a_private_file(tmp_path: Path) -> None:
    file = tmp_path / "new folder/config.yaml"
    result = run("set", "server.token", "-", f"--config={file}", stdin=f"{SECRET}\n")
    assert "stood" not in result.output
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    token = load_config(file).server.token
    assert token is not None
    assert token.get_secret_value() == SECRET


@pytest.mark.threat
def test_config_set_warns_about_a_secret_on_the_command_line(file: Path) -> None:
    os.chmod(file, 0o644)
    result = run("set", "server.token", SECRET[::-1], f"--config={file}")
    assert "tabwarden config set server.token -" in result.stderr
    assert SECRET[::-1] not in result.output
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_config_set_keeps_file_modes_and_symlinks(tmp_path: Path) -> None:
    real, link = tmp_path / "real.yaml", tmp_path / "config.yaml"
    real.write_text("browser: {}\n")
    os.chmod(real, 0o664)
    link.symlink_to(real)
    run("set", "browser.headless", "false", f"--config={link}")
    assert link.is_symlink()
    assert real.read_text() == "browser: {headless: false}\n"
    assert stat.S_IMODE(real.stat().st_mode) == 0o664
    real.unlink()
    run("set", "browser.headless", "true", f"--config={link}")  # a dangling symlink
    assert load_config(link).browser.headless is True


def test_config_set_warns_when_an_environment_variable_overrides_the_value(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TABWARDEN_BROWSER__HEADLESS", "yes")
    result = run("set", "browser.headless", "false", f"--config={file}")
    assert "TABWARDEN_BROWSER__HEADLESS is set, it overrides" in result.stderr
    assert run("get", "browser.headless", f"--config={file}").output == "true\n"


def test_config_path_precedence_is_option_variable_user_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("path", "--config=/a/b.yaml").output == "/a/b.yaml\n"
    monkeypatch.setenv("TABWARDEN_CONFIG", "/c.yaml")
    assert run("path").output == "/c.yaml\n"
    monkeypatch.delenv("TABWARDEN_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert json.loads(run("path", "--json").output) == {
        "path": str(tmp_path / "tabwarden/config.yaml"), "exists": False
    }  # fmt: skip
    run("set", "browser.headless", "false")
    assert load_config().browser.headless is False


def test_config_set_reports_a_path_it_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a file")
    at = f"--config={tmp_path / 'a/config.yaml'}"
    assert "can't be written" in run("set", "server.port", "1", at, status=2).output


def test_config_set_reports_a_bind_mounted_file_and_keeps_it(file: Path) -> None:
    text = file.read_text()
    if subprocess.run(["mount", "--bind", file, file], capture_output=True, check=False).returncode:
        lack("mount")
    try:
        told = run("set", "browser.headless", "true", f"--config={file}", status=2)
    finally:
        subprocess.run(["umount", file], check=True)
    assert "Mount its folder" in told.output
    assert file.read_text() == text
    assert list(file.parent.iterdir()) == [file]


@needs("posix")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [("config show", "must_respond"), ("doctor --only clock", "No problems.")],
)
def test_config_show_and_doctor_print_a_table_on_a_terminal(
    arguments: str, words: str, tmp_path: Path
) -> None:
    ours, theirs = os.openpty()
    command = [Path(sys.executable).with_name("tabwarden"), *arguments.split()]
    there = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path), "TERM": "xterm", "COLUMNS": "120"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=there):
        os.close(theirs)
        told = b""
        with contextlib.suppress(OSError):  # how Linux reports a closed peer
            while chunk := os.read(ours, 65536):
                told += chunk
    os.close(ours)
    assert words in told.decode()
    assert "\x1b[" in told.decode()


def test_config_schema_prints_the_json_schema() -> None:
    assert "browser" in json.loads(run("schema").output)["properties"]


def test_concurrent_config_writes_are_all_kept_and_live_config_applies_them(file: Path) -> None:
    live = LiveConfig(lambda: load_config(file), file)
    assert live.browser.timeouts_ms == {}
    names = ["click", "type"]
    program = (
        "import sys; from pathlib import Path; from tabwarden.config.writing import set_value\n"
        "for n in range(10): set_value(Path(sys.argv[1]), ['browser', 'timeouts_ms', sys.argv[2]],"
        " n + 1)"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, file, name]) for name in names]
    for one in running:
        while one.poll() is None:
            assert live.browser.headless is False  # never a partial file
            assert live.problem is None
            with contextlib.suppress(subprocess.TimeoutExpired):
                one.wait(0.01)
    assert [one.returncode for one in running] == [0, 0]
    assert live.browser.timeouts_ms == dict.fromkeys(names, 10)
    assert list(file.parent.iterdir()) == [file]
