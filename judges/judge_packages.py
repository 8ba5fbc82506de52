"""Check the packages that users install, in their environments: ``make judge-packages``.

The sdist must build the wheel with only a Python; the wheel must hold every file of the package and
nothing else; ``uvx --from WHEEL tabwarden mcp`` must start on each Python with an empty home, and
say how to install a browser where there is none. Then the bundle and ``server.json``. Needs PyPI,
and for the bundle's own validator npm. It imports only the standard library, so it also runs in
another system's root (a container, a chroot), with ``--wheel``.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from judges import ROOT
from judges.mcp_by_hand import Failed, Server

BUNDLE_VALIDATOR = "@anthropic-ai/mcpb@2.1.2"
SERVER_JSON_VALIDATOR = "skillsaw@0.22.0"
"""It contains the registry's schemas."""

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
_KEPT = re.compile(r"(UV_|PIP_|SSL_|REQUESTS_|HTTPS?_PROXY|NO_PROXY|https?_proxy|no_proxy)")
"""Variables for access to the package index. No other variables of the environment are kept."""
_BROWSERS = (
    "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/chromium-headless-shell",
    "/usr/bin/google-chrome-stable", "/opt/google/chrome/chrome", "/snap/bin/chromium",
    "/usr/bin/microsoft-edge-stable", "/opt/microsoft/msedge/msedge",
    "/usr/bin/brave-browser", "/opt/brave.com/brave/brave",
)  # fmt: skip


class NotTried(Exception):
    """The check can't run on this machine. The text is the reason."""


def main() -> int:
    """Run all checks, and print a table. Return the exit status 1 if a check failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uv", default=os.environ.get("UV", "uv"))
    parser.add_argument("--wheel", type=Path, help="try only this wheel, and build nothing")
    parser.add_argument("--python", action="append", help="a version (3.13) or an interpreter")
    given = parser.parse_args()
    uv = shutil.which(given.uv)
    if uv is None:
        parser.error(f"--uv: {given.uv} is not a program")
    with tempfile.TemporaryDirectory(prefix="judge-packages-") as name:
        folder = Path(name)
        failed = 0
        for what, judge in judgements(Path(uv).absolute(), given.wheel, given.python, folder):
            began = time.monotonic()
            try:
                outcome, words = "passed", judge()
            except NotTried as reason:
                outcome, words = "not tried", str(reason)
            except Failed as fault:
                outcome, words = "FAILED", str(fault)
                failed = 1
            took = f"{time.monotonic() - began:.1f} s"
            print(f"{what:32} {outcome:10} {took:>8}  {words}", flush=True)
    return failed


def judgements(
    uv: Path, wheel: Path | None, pythons: list[str] | None, folder: Path
) -> Iterator[tuple[str, Callable[[], str]]]:
    """Return the checks by name. Each depends on earlier ones."""
    ours = None
    if wheel is None:
        wheels = folder / "from-sdist"
        yield "sdist builds the wheel", lambda: build(uv, folder, wheels)
        found = [*wheels.glob("*.whl")]
        if not found:
            return
        (wheel,) = found
        ours = wheel
        yield "wheel is whole", lambda: compare(ours)
    judged = wheel.absolute()
    for python in pythons or PYTHONS:
        yield (
            f"uvx tabwarden mcp, Python {python}",
            lambda python=python: start(uv, judged, python, folder),  # type: ignore[misc]
        )
    if wheel is ours:
        yield "bundle (.mcpb) is valid", lambda: validate_bundle(uv, folder)
        yield "bundle starts", lambda: start_bundle(uv, folder)
        yield "server.json is valid", lambda: validate_server_json(uv, folder)


def build(uv: Path, folder: Path, wheels: Path) -> str:
    """Build the sdist here, and the wheel from it as pip does, with only Python on the PATH."""
    run([uv, "build", "--sdist", "--out-dir", folder, ROOT], dict(os.environ))
    (sdist,) = folder.glob("*.tar.gz")
    venv = folder / "venv"
    run([uv, "venv", "--seed", "--python", sys.executable, venv], dict(os.environ))
    env = bare(folder, "sdist") | {"PATH": str(venv / "bin")}
    for program in ("node", "git", "make"):
        if shutil.which(program, path=env["PATH"]):
            raise Failed(f"{program} is available in the bare environment")
    wheels.mkdir()
    run([venv / "bin/pip", "wheel", "--no-deps", "--wheel-dir", wheels, sdist], env)
    with tarfile.open(sdist) as archive:
        files = len(archive.getnames())
    return f"{sdist.name}: {files} files, {sdist.stat().st_size / 1e6:.1f} MB"


def compare(wheel: Path) -> str:
    """Compare the wheel with the package's folder, byte for byte."""
    source = ROOT / "src"
    here = {
        path.relative_to(source).as_posix(): path
        for path in (source / "tabwarden").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(wheel) as archive:
        there = {name for name in archive.namelist() if ".dist-info/" not in name}
        missing, more = sorted(here.keys() - there), sorted(there - here.keys())
        if missing or more:
            raise Failed(f"missing: {missing[:5]}; unexpected: {more[:5]}")
        other = [name for name, path in here.items() if archive.read(name) != path.read_bytes()]
        if other:
            raise Failed(f"other contents: {other[:5]}")
    return f"{wheel.name}: {len(there)} files, {wheel.stat().st_size / 1e6:.1f} MB"


def start(uv: Path, wheel: Path, python: str, folder: Path) -> str:
    """Start the MCP server as a host does, and call a tool where there is no browser."""
    interpreter = find_python(uv, python, folder)
    env = bare(folder, re.sub(r"\W", "_", python))
    command = [str(uv), "tool", "run", "--python", interpreter, "--from", str(wheel), "tabwarden"]
    run([*command, "--version"], env)  # so that the time below is not the downloads'
    real = run([interpreter, "-c", "import platform; print(platform.python_version())"], env)
    words, _ = serve([*command, "mcp"], env, folder)
    return f"{real.strip()}: {words}"


def serve(command: list[str], env: dict[str, str], folder: Path) -> tuple[str, list[str]]:
    """Call a server that finds no browser. Return a summary, and the server's tools."""
    began = time.monotonic()
    with Server([*without_browsers(), *command], env, folder) as server:
        told = server.initialize()["serverInfo"]
        took = time.monotonic() - began
        tools = [tool["name"] for tool in server.ask("tools/list")["tools"]]
        for tool in ("browser_navigate", "browser_snapshot", "browser_click"):
            if tool not in tools:
                raise Failed(f"tools/list lacks {tool}")
        words, wrong = server.call("browser_navigate", url="data:text/html,hello")
    advice = re.search(r"`(\S+ -m tabwarden browsers install)`", words)
    if not wrong or advice is None:
        raise Failed(f"without a browser, browser_navigate said: {words[:300]}")
    run([*advice[1].split(), "--help"], env)  # the command that the user is told works
    words = f"{told['name']} {told['version']} answers after {took:.1f} s, {len(tools)} tools"
    return words, tools


def validate_bundle(uv: Path, folder: Path) -> str:
    """Build the bundle, and check it with the format's official validator."""
    run([sys.executable, ROOT / "tools/make_bundle.py", folder, "--uv", uv], dict(os.environ))
    (bundle,) = folder.glob("*.mcpb")
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(folder / "bundle")
    if not shutil.which("npm"):
        raise NotTried("npm is not installed")
    validator: list[str | Path] = [
        "npm",
        "exec",
        "--yes",
        f"--package={BUNDLE_VALIDATOR}",
        "--",
        "mcpb",
    ]
    if subprocess.run([*validator, "--version"], capture_output=True, check=False).returncode:
        raise NotTried(f"npm can't install {BUNDLE_VALIDATOR}")
    run([*validator, "validate", folder / "bundle/manifest.json"], dict(os.environ))
    run([*validator, "info", bundle], dict(os.environ))
    return f"{bundle.name}: {bundle.stat().st_size / 1e6:.1f} MB"


def start_bundle(uv: Path, folder: Path) -> str:
    """Start the server as a host does, with the manifest's command and its defaults."""
    where = folder / "bundle"
    manifest = json.loads((where / "manifest.json").read_text("utf-8"))
    values = {"${__dirname}": str(where)}
    for key, option in manifest["user_config"].items():
        default = option["default"]
        told = str(default).lower() if isinstance(default, bool) else str(default)
        values[f"${{user_config.{key}}}"] = told
    config = manifest["server"]["mcp_config"]
    env = bare(folder, "bundle") | {k: values.get(v, v) for k, v in config["env"].items()}
    arguments = [values.get(word, word) for word in config["args"]]
    words, tools = serve([str(uv), *arguments], env, folder)
    if [tool["name"] for tool in manifest["tools"]] != tools:
        raise Failed(f"the manifest's tools differ from the server's: {tools}")
    return words


def validate_server_json(uv: Path, folder: Path) -> str:
    """Check server.json against the registry's schema."""
    entry = folder / "entry"
    entry.mkdir()
    shutil.copy(ROOT / "server.json", entry)
    command: list[str | Path] = [uv, "tool", "run", SERVER_JSON_VALIDATOR]
    if subprocess.run([*command, "--version"], capture_output=True, check=False).returncode:
        raise NotTried(f"uv can't install {SERVER_JSON_VALIDATOR}")
    run([*command, "lint", "--rule", "mcp-registry-server-json-valid", entry], dict(os.environ))
    return SERVER_JSON_VALIDATOR


def find_python(uv: Path, python: str, folder: Path) -> str:
    """Return an interpreter of this version: uv's, the system's, pyenv's, or one that uv downloads.

    Raises:
        NotTried: there is no such interpreter.
    """
    env = {**os.environ, "UV_HTTP_RETRIES": "0"}
    of_pyenv = map(str, Path.home().glob(f".pyenv/versions/{python}.*/bin/python"))
    ways: list[list[str | Path]] = [
        [uv, "python", "find", "--no-python-downloads", one] for one in (python, *of_pyenv)
    ]
    ways.append([uv, "python", "install", "--install-dir", folder / "pythons", python])
    for way in ways:
        done = subprocess.run(way, env=env, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            installed = (folder / "pythons").glob(f"*-{python}*/bin/python3")
            return done.stdout.strip() or str(next(installed))
    raise NotTried("this Python is not installed, and uv can't download it")


def without_browsers() -> list[str]:
    """Return a command prefix that hides this machine's browsers.

    Raises:
        NotTried: this user can't hide them.
    """
    there = [path for path in _BROWSERS if Path(path).exists()]
    if not there:
        return []
    hide = " && ".join(f"mount --bind /dev/null {Path(path).resolve()}" for path in there)
    prefix = ["unshare", "--mount", "--map-root-user", "sh", "-c", f'{hide} && exec "$@"', "sh"]
    if not shutil.which("unshare") or subprocess.run([*prefix, "true"], check=False).returncode:
        raise NotTried("this machine has a browser, and namespaces to hide it are forbidden")
    return prefix


def bare(folder: Path, name: str) -> dict[str, str]:
    """Return an environment with an empty home and only the system's programs."""
    home = folder / f"home-{name}"
    home.mkdir()
    kept = {key: value for key, value in os.environ.items() if _KEPT.match(key)}
    cache = {"UV_CACHE_DIR": str(folder / "uv-cache"), "TMPDIR": str(folder)}
    return kept | cache | {"HOME": str(home), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}


def run(command: Sequence[str | Path], env: dict[str, str]) -> str:
    """Run a command that must succeed. Return its output.

    Raises:
        Failed: the command failed. The text is the end of its output.
    """
    words = [str(part) for part in command]
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"{' '.join(words[:4])}: {(done.stderr or done.stdout).strip()[-500:]}")
    return done.stdout


if __name__ == "__main__":
    raise SystemExit(main())
