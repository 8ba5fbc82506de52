"""deploy/: the files refer to existing files and options, and the system accepts them."""

from __future__ import annotations

import ctypes.util
import json
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser.surfaces.http.client import serving
from ruamel.yaml import YAML
from support.command_lines import assert_is_command
from support.needs import needs

from tabwarden.config import Config, load_config

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
DOCKERFILE = DEPLOY / "docker/Dockerfile"
UNIT, NODE_UNIT = (DEPLOY / f"systemd/{name}.service" for name in ("tabwarden", "tabwarden-node"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MARGIN_S = 10
"""How much longer than ``drain_s`` a server may take to stop."""


def steps() -> list[tuple[str, str]]:
    """The Dockerfile's instructions and their arguments."""
    text = re.sub(r"^#.*\n", "", DOCKERFILE.read_text("utf-8"), flags=re.M)
    lines = text.replace("\\\n", " ").splitlines()
    return [(line.split()[0], line.split(None, 1)[1]) for line in lines if line.strip()]


def of_step(name: str) -> list[str]:
    return [given for step, given in steps() if step == name]


def compose() -> Any:
    return YAML(typ="safe").load(DEPLOY / "compose.yaml")


def in_unit(key: str, unit: Path = UNIT) -> list[str]:
    return re.findall(rf"^{key}=(.*)$", unit.read_text("utf-8"), re.M)


def seconds(text: str) -> float:
    return float(text.removesuffix("s"))


def commands() -> Iterator[Any]:
    """Every Tabwarden command line in the files."""
    (entry,), (rest,) = of_step("ENTRYPOINT"), of_step("CMD")
    yield pytest.param([*json.loads(entry), *json.loads(rest)][2:], id="Dockerfile")
    for unit in (UNIT, NODE_UNIT):
        (line,) = in_unit("ExecStart", unit)
        yield pytest.param(shlex.split(line), id=unit.stem)
    text = (ROOT / "docs/deploy.md").read_text("utf-8")
    for said in re.findall(r"^\$ .*\b(tabwarden (?:doctor|serve|token|fleet).*)$", text, re.M):
        yield pytest.param(shlex.split(said, comments=True), id=said)


def environment() -> Iterator[Any]:
    """Every Tabwarden setting in the files."""
    units = {unit.stem: unit.read_text("utf-8") for unit in (UNIT, NODE_UNIT)}
    for name, text in ({"Dockerfile": " ".join(of_step("ENV"))} | units).items():
        for variable, value in re.findall(r"\b(TABWARDEN_\w+__\w+)=(\S+)", text):
            yield pytest.param(variable, value, id=f"{name}-{variable}")


@pytest.mark.parametrize("words", [*commands()])
def test_each_command_in_the_deploy_files_exists_with_its_options(words: list[str]) -> None:
    assert_is_command(words)


@pytest.mark.parametrize(("variable", "value"), [*environment()])
def test_each_environment_variable_in_the_deploy_files_is_a_valid_setting(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(variable, value)
    (tmp_path / "empty.yaml").write_text("{}")
    config = load_config(tmp_path / "empty.yaml")
    section, _, key = variable.removeprefix("TABWARDEN_").lower().partition("__")
    assert key in getattr(config, section).model_fields_set


def test_configuration_in_the_deploy_guide_is_valid(tmp_path: Path) -> None:
    (code,) = re.findall(r"^```yaml\n(.*?)^```", (ROOT / "docs/deploy.md").read_text(), re.M | re.S)
    path = tmp_path / "tabwarden.yaml"
    path.write_text(code)
    server = load_config(path).server
    assert server.token is not None
    assert server.max_tasks == 50


def test_compose_file_and_dockerfile_use_the_project_version() -> None:
    tag = f"tabwarden:{PROJECT['version']}"
    assert compose()["services"]["tabwarden"]["image"] == tag
    assert tag in DOCKERFILE.read_text("utf-8")
    for extra in re.findall(r"--extra (\w+)", DOCKERFILE.read_text("utf-8")):
        assert extra in PROJECT["optional-dependencies"]
    python = re.findall(r"python:(3\.\d+)-slim", DOCKERFILE.read_text("utf-8"))
    assert len(set(python)) == 1


@pytest.mark.threat
def test_dockerfile_installs_only_the_pinned_uv() -> None:
    """pip checks the hash of each file that it installs; uv does so by default."""
    installing = [one for one in of_step("RUN") if "pip install" in one]
    assert installing == ["pip install --no-cache-dir --require-hashes --requirement tools/uv.txt"]
    pinned = (ROOT / "tools/uv.txt").read_text("utf-8")
    assert re.findall(r"^\w\S*", pinned, re.M) == ["uv==0.13.8"]
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", pinned)) > 10


def test_dockerignore_includes_exactly_the_copied_files() -> None:
    """Every file that the Dockerfile copies exists, and .dockerignore includes it."""
    ignore = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    let_through = {line.removeprefix("!") for line in ignore if line.startswith("!")}
    copied = {
        one
        for given in of_step("COPY")
        if not given.startswith("--from")
        for one in shlex.split(given)[:-1]
    }
    assert copied == let_through
    for one in copied:
        assert (ROOT / one).exists(), one
    build = PROJECT["license-files"] + [PROJECT["readme"]]
    assert copied >= set(build)


def test_compose_file_uses_existing_paths_and_the_server_port() -> None:
    service = compose()["services"]["tabwarden"]
    build = service["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).resolve() == DOCKERFILE
    (profile,) = [o for o in service["security_opt"] if o.startswith("seccomp=")]
    assert (DEPLOY / profile.removeprefix("seccomp=")).is_file()
    (secret,) = service["secrets"]
    assert service["environment"]["TABWARDEN_CONFIG"] == f"/run/secrets/{secret}"
    assert secret in compose()["secrets"]
    ((_, _, port),) = [one.rpartition(":") for one in service["ports"]]
    assert of_step("EXPOSE") == [port] == [str(Config().server.port)]


def test_stop_timeouts_exceed_the_drain_time() -> None:
    (drain,) = re.findall(r"TABWARDEN_SERVER__DRAIN_S=(\d+)", DOCKERFILE.read_text("utf-8"))
    service = compose()["services"]["tabwarden"]
    assert seconds(service["stop_grace_period"]) >= float(drain) + MARGIN_S
    (drain,) = re.findall(r"TABWARDEN_SERVER__DRAIN_S=(\d+)", UNIT.read_text("utf-8"))
    assert seconds(in_unit("TimeoutStopSec")[0]) >= float(drain) + MARGIN_S


def test_image_runs_as_an_unprivileged_user_with_the_sandbox() -> None:
    assert of_step("USER") == ["10001:10001"]
    (serve,) = of_step("CMD")
    assert "--sandbox" in json.loads(serve)


def test_image_label_contains_the_mcp_registry_name() -> None:
    entry = json.loads((ROOT / "server.json").read_text("utf-8"))
    assert f'io.modelcontextprotocol.server.name="{entry["name"]}"' in of_step("LABEL")


@pytest.mark.long
def test_health_check_passes_for_a_live_server_and_fails_for_a_dead_one() -> None:
    (check,) = of_step("HEALTHCHECK")
    command = json.loads(check[check.index("CMD") + 3 :])
    assert command[0] == "python"
    with serving() as server:
        code = command[2].replace("8414", str(server.port))

        def asked() -> int:
            return subprocess.run(
                [sys.executable, "-c", code], capture_output=True, timeout=30, check=False
            ).returncode

        assert asked() == 0
        server.stop()
        assert asked() != 0


def test_node_unit_loads_the_secrets_that_the_guide_creates() -> None:
    shared = {"ray.token", "ca.pem", "ca.key"}
    loaded = dict(one.split(":", 1) for one in in_unit("LoadCredential", NODE_UNIT))
    assert loaded == {name: f"/etc/tabwarden/fleet/{name}" for name in shared}
    (before,) = in_unit("ExecStartPre", NODE_UNIT)
    assert {f"%d/{name}" for name in shared} <= set(before.split())
    guide = (ROOT / "docs/deploy.md").read_text("utf-8")
    assert "TABWARDEN_FLEET_SECRETS=/etc/tabwarden/fleet " in guide
    assert in_unit("EnvironmentFile", NODE_UNIT) == ["/etc/tabwarden/node.env"]
    assert "$ cat /etc/tabwarden/node.env" in guide


@needs("systemd-analyze")
@pytest.mark.parametrize("of_ours", [UNIT, NODE_UNIT], ids=lambda unit: unit.stem)
def test_systemd_accepts_the_unit_file(of_ours: Path, tmp_path: Path) -> None:
    program = in_unit("ExecStart", of_ours)[0].split()[0]
    unit = tmp_path / of_ours.name
    unit.write_text(of_ours.read_text("utf-8").replace(program, sys.executable))
    done = subprocess.run(
        ["systemd-analyze", "verify", unit], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


UNDER_PROFILE = """
import ctypes, json, os, sys
profile, seccomp = json.load(open(sys.argv[1])), ctypes.CDLL(sys.argv[2])
seccomp.seccomp_init.restype = ctypes.c_void_p
seccomp.seccomp_load.argtypes = [ctypes.c_void_p]
seccomp.seccomp_rule_add.argtypes = [
    ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int, ctypes.c_uint
]
assert profile["defaultAction"] == "SCMP_ACT_ALLOW"
rules = seccomp.seccomp_init(0x7FFF0000)
for one in profile["syscalls"]:
    assert one["action"] == "SCMP_ACT_ERRNO"
    for name in one["names"]:
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        assert number != -1, name
        assert not seccomp.seccomp_rule_add(rules, 0x00050000 | one["errnoRet"], number, 0), name
if os.getuid() == 0:  # Chromium has no sandbox for root
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
assert not seccomp.seccomp_load(rules)
os.execv(sys.argv[3], sys.argv[3:])
"""


def under_profile(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a command under the seccomp profile, as an unprivileged user."""
    library = ctypes.util.find_library("seccomp")
    return subprocess.run(
        [sys.executable, "-c", UNDER_PROFILE, DEPLOY / "docker/chrome.json", library, *command],
        capture_output=True, text=True, timeout=60, check=False,
        env={"HOME": "/nonexistent", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip


@needs("libseccomp", "debian-chromium")
def test_chromium_keeps_its_sandbox_under_the_seccomp_profile() -> None:
    page = "data:text/html,<script>document.write(6 * 7)</script>"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        Path(profile).chmod(0o777)
        done = under_profile(
            "/usr/bin/chromium", "--headless", "--dump-dom", f"--user-data-dir={profile}", page
        )  # without a sandbox it would exit at once
    assert "42</body>" in done.stdout, done.stderr
    refused = under_profile("/usr/bin/unshare", "-Ur", "/bin/mount", "-t", "tmpfs", "x", "/mnt")
    assert refused.returncode != 0
    assert "mount" in refused.stderr
