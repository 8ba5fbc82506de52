"""Generate the sync twins: ``src/tabwarden/sync/`` from ``browser/``, module by module, and
``tools/sync.py`` from ``tools/door.py``. They have the same names without ``await``.

The async classes await only the engine (``await self._engine.run_async(...)``) and their own
methods, so text replacements are enough. ``--check`` fails if a file is stale.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from generated import write_or_check

PACKAGE = Path(__file__).parent.parent / "src/tabwarden"
SHARED = (
    "__init__.py",
    "batching.py",
    "cards.py",
    "inside.py",
    "journaled.py",
    "opening.py",
    "sweeping.py",
    "opening_request.py",
)
"""The names that both twins of ``Browser`` use: the package's interface, and code for the
engine."""
_SHARED_NAMES = "|".join(name.removesuffix(".py") for name in SHARED)
TWINS = {
    PACKAGE / "tools/door.py": PACKAGE / "tools/sync.py",
    **{
        source: PACKAGE / "sync" / source.name
        for source in sorted((PACKAGE / "browser").glob("*.py"))
        if source.name not in SHARED
    },
}

BANNER = '''"""Sync twin of ``{module}``: the same names, for code without an event loop.

Generated from {source} by tools/generate_sync.py: do not edit.
"""
'''

WORDS = (
    # Only the class's own methods become sync. Functions for the engine stay async.
    (r"^    async def ", "    def "),
    (r"await engine_loop\(\)\.run_async\(", "engine_loop().run_sync("),
    (r"await self\._engine\.run_async\(", "self._engine.run_sync("),
    (r"await sent\.ended_async\(", "sent.ended_sync("),
    (r"await (self|cls)\.", r"\1."),
    (r"__aenter__", "__enter__"),
    (r"__aexit__", "__exit__"),
    (r"-> Opening\[Self\]:", "-> Self:"),
    (r"return Opening\((cls\._open\(.*\))\)$", r"return \1"),
    (r"^from tabwarden\.opening import Opening\n", ""),
    (rf"^( *from tabwarden\.)browser(\.(?!({_SHARED_NAMES})\b))", r"\1sync\2"),
    (r"``async with (Browser|Tools)", r"``with \1"),
    (r"``await`` (?:these calls,|them) and call", "call"),
    (r"Safe to use from any event loop(, or several)?\.", "Safe to use from any thread."),
    (r"Cancelling the caller reaches", "Ctrl-C reaches"),
)


def generate(source: Path, target: Path) -> str:
    """Return the twin's source."""
    text = source.read_text("utf-8")
    name = source.relative_to(PACKAGE)
    module = ".".join(("tabwarden", *name.with_suffix("").parts))
    banner = BANNER.format(module=module, source=name.as_posix())
    text = banner + text[text.index("\n\nfrom __future__") + 1 :]
    for pattern, replacement in WORDS:
        text = re.sub(pattern, replacement, text, flags=re.M)
    left = [line for line in text.splitlines() if re.search(r"\bawait\b", line)]
    if left:
        raise SystemExit(f"{name}: this await does not wait for the engine: {left[0].strip()}")
    for command in (["check", "--fix", "--select", "I"], ["format"]):
        done = subprocess.run(
            ["ruff", *command, "--quiet", "--stdin-filename", str(target), "-"],
            input=text,
            capture_output=True,
            text=True,
            check=True,
        )
        text = done.stdout
    return text


def main() -> None:
    """Write the files, or check them."""
    made = {target: generate(source, target) for source, target in TWINS.items()}
    for target in (PACKAGE / "sync").glob("*.py"):
        if target not in made and target.name != "__init__.py":
            if "--check" in sys.argv[1:]:
                raise SystemExit(f"{target} has no source: run tools/generate_sync.py")
            target.unlink()
    for target, text in made.items():
        write_or_check(target, text)


if __name__ == "__main__":
    main()
