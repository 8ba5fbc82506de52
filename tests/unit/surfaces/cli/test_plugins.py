"""``tabwarden plugins``."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import tabwarden
from tabwarden.surfaces.cli.commands.server.installing import plugins

FOLDER = Path(tabwarden.__file__).parent / "integrations"


def test_plugins_list_shows_each_plugin_with_the_first_line_of_its_readme() -> None:
    lines = CliRunner().invoke(plugins, ["list"]).output.splitlines()
    assert any(line.startswith("hermes\tHermes Agent: ") for line in lines)
    assert len(lines) == len(list(FOLDER.glob("*/plugin/README.md")))


def test_plugins_install_copies_a_plugin_and_replaces_an_earlier_copy(tmp_path: Path) -> None:
    target = tmp_path / "tabwarden-hermes"
    for _ in range(2):
        done = CliRunner().invoke(plugins, ["install", "hermes", "--to", str(tmp_path)])
        assert done.exit_code == 0
        assert done.output.startswith(f"{target}\n")
        assert (target / "plugin.yaml").exists()
        assert not list(target.rglob("__pycache__"))
        (target / "old.py").touch()
    assert (
        Path(CliRunner().invoke(plugins, ["path", "hermes"]).output.strip())
        == FOLDER / "hermes/plugin"
    )


def test_plugins_install_does_not_replace_a_folder_that_it_did_not_create(tmp_path: Path) -> None:
    (tmp_path / "tabwarden-hermes").mkdir()
    done = CliRunner().invoke(plugins, ["install", "hermes", "--to", str(tmp_path)])
    assert done.exit_code == 2
    assert (tmp_path / "tabwarden-hermes").exists()


def test_unknown_plugin_error_lists_the_available_plugins() -> None:
    done = CliRunner().invoke(plugins, ["path", "herms"])
    assert done.exit_code == 2
    assert "hermes" in done.stderr


@pytest.mark.parametrize(
    "path", sorted(FOLDER.glob("hermes/plugin/*.py")), ids=lambda path: path.stem
)
def test_hermes_plugin_imports_only_the_standard_library(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        else:
            continue
        assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
