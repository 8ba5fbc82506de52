"""Make ``src/tabwarden/sync.py`` from ``browser.py``: the same names without the awaits.

The async ``Browser`` only ever awaits the engine (``await self._engine.run_async(...)`` and its
own methods), so the twin is a matter of words. ``--check`` fails when the file is stale.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src/tabwarden/browser.py"
TARGET = ROOT / "src/tabwarden/sync.py"

BANNER = '''"""Sync twin of ``tabwarden.browser``: the same names, for code without an event loop.

Generated from browser.py by tools/generate_sync.py: do not edit.
"""
'''

WORDS = (
    # Only the class's own methods turn sync; what is handed to the engine stays async.
    (r"^    async def ", "    def "),
    (r"await engine_loop\(\)\.run_async\(", "engine_loop().run_sync("),
    (r"await self\._engine\.run_async\(", "self._engine.run_sync("),
    (r"await (self|cls)\.", r"\1."),
    (r"__aenter__", "__enter__"),
    (r"__aexit__", "__exit__"),
    (r"-> Opening\[Self\]:", "-> Self:"),
    (r"return Opening\((cls\._open\(.*\))\)$", r"return \1"),
    (r"``async with Browser", "``with Browser"),
    (r"``await`` them and call", "call"),
    (r"Safe to use from any event loop\.", "Safe to use from any thread."),
)
LEFT_OUT = (
    # One registry a process, whichever twin is used.
    (re.compile(r"registry = SupervisorRegistry.*?\n\"\"\"Every.*?\"\"\"\n\n", re.S), ""),
    (re.compile(r"_task_numbers = itertools\.count\(1\)\n\n\n"), "\n"),
    (re.compile(r"^from tabwarden\.opening import Opening\n", re.M), ""),
    (re.compile(r"^import itertools\n", re.M), ""),
    (re.compile(r"^    SupervisorRegistry,\n", re.M), ""),
    (re.compile(r'__all__ = \["Browser", "registry"\]'), '__all__ = ["Browser"]'),
    (
        re.compile(r"^from tabwarden\.budget import Budget, Timeout\n", re.M),
        "from tabwarden.browser import _task_numbers, registry\n"
        "from tabwarden.budget import Budget, Timeout\n",
    ),
)


def generate() -> str:
    """The twin's text."""
    text = SOURCE.read_text("utf-8")
    text = BANNER + text[text.index("\n\nfrom __future__") + 1 :]
    for pattern, replacement in WORDS:
        text = re.sub(pattern, replacement, text, flags=re.M)
    for compiled, replacement in LEFT_OUT:
        text, found = compiled.subn(replacement, text)
        if found != 1:
            raise SystemExit(f"browser.py changed shape: {compiled.pattern!r} found {found} times")
    left = [line for line in text.splitlines() if re.search(r"\bawait\b", line)]
    if left:
        line = left[0]
        raise SystemExit(f"an await is left that is no wait for the engine: {line.strip()}")
    done = subprocess.run(
        ["ruff", "format", "--stdin-filename", str(TARGET), "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def main() -> None:
    """Write the file, or check it."""
    text = generate()
    if "--check" in sys.argv[1:]:
        if TARGET.read_text("utf-8") != text:
            raise SystemExit("src/tabwarden/sync.py is stale: run tools/generate_sync.py")
        return
    TARGET.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
