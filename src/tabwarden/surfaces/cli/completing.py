"""``tabwarden completion``: what a shell needs to complete commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

__all__ = ["completion"]

_PROGRAM = "tabwarden"
_VARIABLE = "_TABWARDEN_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of a shell.

    bash: eval "$(tabwarden completion bash)" in ~/.bashrc; zsh: the same in ~/.zshrc; fish:
    tabwarden completion fish > ~/.config/fish/completions/tabwarden.fish
    """
    found = get_completion_class(shell)
    assert found is not None
    if shell == "bash":
        # Its own ``source`` runs bash to ask for its version, which the reader's shell knows.
        complete = found(click.Group(), {}, _PROGRAM, _VARIABLE)
        click.echo(complete.source_template % complete.source_vars())
        return
    click.echo(found(click.Group(), {}, _PROGRAM, _VARIABLE).source())
