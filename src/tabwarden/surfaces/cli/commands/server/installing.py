"""``tabwarden plugins``, ``skill`` and ``completion``: install plugins, the skill and shell
completion.
"""

from __future__ import annotations

import shutil
from importlib.resources import files
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from tabwarden.errors import InvalidArgument
from tabwarden.surfaces.cli.commands.base import Commands, shows_errors

_UNWANTED = shutil.ignore_patterns("__pycache__", "*.pyc")


@click.group(cls=Commands)
def plugins() -> None:
    """Install plugins that let other systems, such as Hermes Agent, use Tabwarden."""


@plugins.command("list")
def list_plugins() -> None:
    """List the plugins with their descriptions."""
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
    help="The plugin folder of the other system. The plugin is copied into a subfolder.",
)
@shows_errors
def install(name: str, folder: Path) -> None:
    """Copy the plugin NAME into a folder. Replaces the copy of an earlier version."""
    source = _named(name)
    target = folder.expanduser() / f"tabwarden-{name}"
    if target.is_symlink() or (target.exists() and not (target / "README.md").exists()):
        raise InvalidArgument(
            f"{target} exists, and is not a Tabwarden plugin.",
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


@click.group(cls=Commands, invoke_without_command=True)
@click.pass_context
def skill(context: click.Context) -> None:
    """Print SKILL.md, which tells an agent with a shell how to use Tabwarden (agentskills.io)."""
    if context.invoked_subcommand is None:
        from tabwarden.surfaces.hosts import skill as text

        click.echo(text(), nl=False)


@skill.command("install")
@click.option(
    "--host",
    default="agents",
    show_default=True,
    help="The host that reads the skill: claude-code, codex, cursor, .... Many hosts read "
    "~/.agents/skills.",
)
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Another skills folder, such as .claude/skills. The skill is written into a subfolder.",
)
@shows_errors
def install_skill(host: str, folder: Path | None) -> None:
    """Install the skill into a host's skills folder. Backs up and replaces an earlier copy."""
    from tabwarden.surfaces import hosts

    done = hosts.install_skill(host, folder)
    if not done.changed:
        click.echo(f"The skill in {done.file} is already up to date.")
        return
    kept = f" The previous copy is in {done.backup}." if done.backup else ""
    click.echo(f"The skill is in {done.file}.{kept}")


_PROGRAM = "tabwarden"
_VARIABLE = "_TABWARDEN_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print a shell's completion script.

    For bash, put eval "$(tabwarden completion bash)" into ~/.bashrc. For zsh, put the same line
    with zsh into ~/.zshrc. For fish, run
    tabwarden completion fish > ~/.config/fish/completions/tabwarden.fish
    """
    found = get_completion_class(shell)
    assert found is not None
    if shell == "bash":
        # Click's own ``source`` starts bash to check its version, but the user already runs bash.
        complete = found(click.Group(), {}, _PROGRAM, _VARIABLE)
        click.echo(complete.source_template % complete.source_vars())
        return
    click.echo(found(click.Group(), {}, _PROGRAM, _VARIABLE).source())
