"""Write `src/tabwarden/protocol`: what Tabwarden uses of the vendored protocol description.

    python tools/generate_protocol.py            write the modules
    python tools/generate_protocol.py --check    fail, naming the files, when they are stale
    python tools/generate_protocol.py --update   fetch the pinned npm package again, then write

The package's version and integrity are in `tools/protocol/lock.json`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from protocol import emit, schema, source, used

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "src" / "tabwarden" / "protocol"
USERS = tuple(ROOT / name for name in ("src", "tests", "bench", "judges"))
"""Folders with the code that uses the bindings."""
HAND_WRITTEN = {"__init__.py", "base.py"}


def used_domains() -> list[schema.Domain]:
    """The part of the protocol that the repository's code uses."""
    return used.only_used(schema.parse(source.load()), used.names_in(USERS))


def generate() -> dict[str, str]:
    """Return the source of every generated module by file name."""
    methods = [
        f"{domain.domain}.{command.name}"
        for domain in schema.parse(source.load())
        for command in domain.commands
    ]
    return emit.render(used_domains(), source.read_lock().version, methods)


def stale_files(modules: dict[str, str], output: Path) -> list[str]:
    """Return the files that are missing, out of date, or no longer generated."""
    present = _generated_files(output)
    current = {name: (output / name).read_text("utf-8") for name in present}
    return sorted(
        name for name in current.keys() | modules.keys() if current.get(name) != modules.get(name)
    )


def write(modules: dict[str, str], output: Path) -> None:
    """Update the folder, and remove files that are no longer generated."""
    for name in stale_files(modules, output):
        if name in modules:
            (output / name).write_text(modules[name], "utf-8", newline="\n")
        else:
            (output / name).unlink()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line. Return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="only list stale files")
    mode.add_argument("--update", action="store_true", help="fetch the pinned package first")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="the folder of the modules")
    options = parser.parse_args(arguments)
    try:
        if options.update:
            source.update()
        modules = generate()
    except (source.IntegrityError, emit.GenerationError) as error:
        print(f"generate_protocol: {error}", file=sys.stderr)
        return 1
    if not options.check:
        write(modules, options.output)
        return 0
    stale = stale_files(modules, options.output)
    if stale:
        print(
            "generate_protocol: stale, run `python tools/generate_protocol.py`: "
            + ", ".join(stale),
            file=sys.stderr,
        )
    return 1 if stale else 0


def _generated_files(output: Path) -> set[str]:
    return {path.name for path in output.glob("*.py")} - HAND_WRITTEN


if __name__ == "__main__":
    sys.exit(main())
