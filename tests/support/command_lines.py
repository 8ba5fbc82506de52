"""Tabwarden command lines in files for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from tabwarden.surfaces.cli import main


def assert_is_command(words: list[str]) -> None:
    """Fail if the program has no such command, or the command has no such option."""
    assert Path(words[0]).name == "tabwarden"
    group: click.Command = main
    context = click.Context(main)
    rest = words[1:]
    while isinstance(group, click.Group):
        found = group.get_command(context, rest[0])
        assert found is not None, rest
        group, rest = found, rest[1:]
    group.make_context(words[1], rest)
