"""``tabwarden completion``: print a shell's completion script."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

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
