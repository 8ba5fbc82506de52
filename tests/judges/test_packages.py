"""The packages that users install: the sdist, the wheel, the MCP bundle, the registry's entry.

`make judge-packages` installs them as users do, on each Python; this is the part that is fast and
needs no network.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import generate_server_json
import make_bundle
import pytest

from judges import ROOT
from judges.judge_packages import compare
from judges.mcp_by_hand import Failed, Server

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that the sdist builds, outside this repository."""
    folder = tmp_path_factory.mktemp("built")
    hatchling(ROOT, "sdist", folder)
    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder)
    hatchling(folder / sdist.name.removesuffix(".tar.gz"), "wheel", folder)
    (made,) = folder.glob("*.whl")
    return made


def hatchling(source: Path, target: str, folder: Path) -> None:
    """Build without programs such as node, git and make."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", folder],
        cwd=source, env={"PATH": "/nonexistent"}, check=True, capture_output=True, timeout=100,
    )  # fmt: skip


def test_wheel_contains_exactly_the_package_files(wheel: Path) -> None:
    compare(wheel)
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("METADATA")]
        told = message_from_bytes(archive.read(name))
    assert told["Version"] == PROJECT["version"]
    assert told["Requires-Python"] == PROJECT["requires-python"]
    assert set(told.get_all("Provides-Extra") or ()) == PROJECT["optional-dependencies"].keys()


def test_sdist_does_not_contain_the_judges(wheel: Path) -> None:
    (sdist,) = wheel.parent.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        parts = [Path(name).parts[1:] for name in archive.getnames()]
    assert {part[0] for part in parts} >= {"src", "tests", "tools", "bench"}
    assert not [part for part in parts if "judges" in part]


def test_package_check_rejects_a_wheel_that_lacks_a_file(wheel: Path, tmp_path: Path) -> None:
    lacking = tmp_path / wheel.name
    with zipfile.ZipFile(wheel) as archive, zipfile.ZipFile(lacking, "w") as other:
        for name in archive.namelist():
            if not name.endswith("walker.bundle.js"):
                other.writestr(name, archive.read(name))
    with pytest.raises(Failed, match=r"walker\.bundle\.js"):
        compare(lacking)


@pytest.mark.long
def test_mcp_host_lists_tools_from_an_installed_wheel(wheel: Path, tmp_path: Path) -> None:
    package = tmp_path / "package"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(package)
    env = {"PATH": "/nonexistent", "HOME": str(tmp_path), "PYTHONPATH": str(package)}
    which = "import tabwarden; print(tabwarden.__file__)"
    shown = subprocess.run(
        [sys.executable, "-c", which], env=env, capture_output=True, text=True, check=True
    )
    assert Path(shown.stdout.strip()).is_relative_to(package)
    with Server([sys.executable, "-m", "tabwarden", "mcp"], env, tmp_path) as server:
        assert server.initialize()["serverInfo"]["version"] == PROJECT["version"]
        tools = [tool["name"] for tool in server.ask("tools/list")["tools"]]
    assert tools == [tool["name"] for tool in make_bundle.manifest()["tools"]]


def test_mcp_bundle_manifest_matches_the_project() -> None:
    made = make_bundle.manifest()
    assert made["version"] == PROJECT["version"]
    assert made["icon"] == "icon.png"
    assert made["server"]["entry_point"] in made["server"]["mcp_config"]["args"]
    values = re.findall(r"\$\{user_config\.(\w+)\}", json.dumps(made["server"]))
    assert set(values) == made["user_config"].keys()
    inner = tomllib.loads(make_bundle.project("x.whl", ["mcp==2.3.0 ; sys_platform == 'linux'"]))
    assert inner["tool"]["uv"]["sources"]["tabwarden"] == {"path": "x.whl"}
    assert inner["tool"]["uv"]["constraint-dependencies"] == [
        "mcp==2.3.0 ; sys_platform == 'linux'"
    ]


def test_server_json_follows_the_mcp_registry_rules() -> None:
    made = json.loads((ROOT / "server.json").read_text("utf-8"))
    assert made == generate_server_json.server()
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", made["name"])
    assert 0 < len(made["description"]) <= 100
    (package,) = made["packages"]
    assert (package["identifier"], package["version"]) == (PROJECT["name"], made["version"])
    # PyPI shows README.md; the registry looks for the name there.
    assert f"mcp-name: {made['name']} " in (ROOT / PROJECT["readme"]).read_text("utf-8")
