"""``tabwarden skill``: print the skill for agents that have a shell, or install it."""

from __future__ import annotations

from pathlib import Path

import click

from tabwarden.surfaces.cli.commands.base import Commands, shows_errors


@click.group(cls=Commands, invoke_without_command=True)
@click.pass_context
def skill(context: click.Context) -> None:
    """Print SKILL.md: how an agent with a shell uses Tabwarden (agentskills.io)."""
    if context.invoked_subcommand is None:
        from tabwarden.surfaces.hosts import skill as text

        click.echo(text(), nl=False)


@skill.command()
@click.option(
    "--host",
    default="agents",
    show_default=True,
    help="Whose folder: claude-code, codex, cursor, .... Many hosts read ~/.agents/skills.",
)
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Another folder of skills, such as .claude/skills. The skill gets its own folder in it.",
)
@shows_errors
def install(host: str, folder: Path | None) -> None:
    """Write the skill where a host reads it. Replaces an earlier copy, and keeps a backup of it."""
    from tabwarden.surfaces.hosts import install_skill

    done = install_skill(host, folder)
    if not done.changed:
        click.echo(f"{done.file} has it already.")
        return
    kept = f" The copy before is {done.backup}." if done.backup else ""
    click.echo(f"The skill is in {done.file}.{kept}")
