"""``tabwarden plugins``: list, find and install the plugins for other systems."""

from __future__ import annotations

import shutil
from importlib.resources import files
from pathlib import Path

import click

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.cli.commands.base import Commands, shows_errors

_UNWANTED = shutil.ignore_patterns("__pycache__", "*.pyc")


@click.group(cls=Commands)
def plugins() -> None:
    """Plugins that let other systems use Tabwarden: Hermes Agent and more."""


@plugins.command("list")
def list_plugins() -> None:
    """List the plugins, with what each is for."""
    for name, folder in _known().items():
        lines = (folder / "README.md").read_text(encoding="utf-8").splitlines()
        click.echo(f"{name}\t{next(iter(lines), '').lstrip('# ')}")


@plugins.command()
@click.argument("name")
@shows_errors
def path(name: str) -> None:
    """Print the folder of the plugin NAME."""
    click.echo(_named(name))


@plugins.command()
@click.argument("name")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    help="The other system's folder for plugins. The plugin gets a folder of its own in it.",
)
@shows_errors
def install(name: str, folder: Path) -> None:
    """Copy the plugin NAME into a folder. Replaces the copy of an earlier version."""
    source = _named(name)
    target = folder.expanduser() / f"tabwarden-{name}"
    if target.is_symlink() or (target.exists() and not (target / "README.md").exists()):
        raise InvalidArgument(
            f"{target} exists, and is not a plugin of Tabwarden.",
            "Remove it, or choose another folder with --to.",
            field="to",
        )
    try:
        if target.exists():
            shutil.rmtree(target)
        shutil.copytree(source, target, ignore=_UNWANTED)
    except OSError as error:
        raise InvalidArgument(
            f"Tabwarden can't write {target}: {error.strerror}.",
            "Choose another folder with --to.",
            field="to",
        ) from None
    click.echo(f"{target}\nRead {target / 'README.md'} for the next step.")


def _known() -> dict[str, Path]:
    products = Path(str(files("tabwarden"))) / "integrations"
    return {
        one.parent.parent.name: one.parent for one in sorted(products.glob("*/plugin/README.md"))
    }


def _named(name: str) -> Path:
    known = _known()
    if name not in known:
        raise InvalidArgument(
            f"There is no plugin {name!r}.", f"Plugins: {', '.join(known)}.", field="name"
        )
    return known[name]
