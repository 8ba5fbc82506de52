"""Make the sync twins: ``src/tabwarden/sync.py`` from ``browser.py``, ``tools/sync.py`` from
``tools/door.py``: the same names without the awaits.

An async door only ever awaits the engine (``await self._engine.run_async(...)`` and its own
methods), so the twin is a matter of words. ``--check`` fails when a file is stale.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parent.parent / "src/tabwarden"

BANNER = '''"""Sync twin of ``{door}``: the same names, for code without an event loop.

Generated from {source} by tools/generate_sync.py: do not edit.
"""
'''

WORDS = (
    # Only the class's own methods turn sync; what is handed to the engine stays async.
    (r"^    async def ", "    def "),
    (r"await engine_loop\(\)\.run_async\(", "engine_loop().run_sync("),
    (r"await self\._engine\.run_async\(", "self._engine.run_sync("),
    (r"await sent\.ended_async\(", "sent.ended_sync("),
    (r"await (self|cls)\.", r"\1."),
    (r"__aenter__", "__enter__"),
    (r"__aexit__", "__exit__"),
    (r"-> Opening\[Self\]:", "-> Self:"),
    (r"return Opening\((cls\._open\(.*\))\)$", r"return \1"),
    (r"``async with (Browser|Tools)", r"``with \1"),
    (r"``await`` them and call", "call"),
    (r"Safe to use from any event loop(, or several)?\.", "Safe to use from any thread."),
    (r"Cancelling the caller reaches", "Ctrl-C reaches"),
)
LEFT_OUT_OF_BROWSER: tuple[tuple[re.Pattern[str], str], ...] = (
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


class Twin(NamedTuple):
    """An async door and its sync twin."""

    door: str
    """As people import it."""
    source: Path
    target: Path
    left_out: tuple[tuple[re.Pattern[str], str], ...] = ()


TWINS = (
    Twin("tabwarden.browser", PACKAGE / "browser.py", PACKAGE / "sync.py", LEFT_OUT_OF_BROWSER),
    Twin("tabwarden.tools.Tools", PACKAGE / "tools/door.py", PACKAGE / "tools/sync.py"),
)


def generate(twin: Twin) -> str:
    """The twin's text."""
    text = twin.source.read_text("utf-8")
    banner = BANNER.format(door=twin.door, source=twin.source.name)
    text = banner + text[text.index("\n\nfrom __future__") + 1 :]
    for pattern, replacement in WORDS:
        text = re.sub(pattern, replacement, text, flags=re.M)
    for compiled, replacement in twin.left_out:
        text, found = compiled.subn(replacement, text)
        if found != 1:
            raise SystemExit(
                f"{twin.source.name} changed shape: {compiled.pattern!r} found {found} times"
            )
    left = [line for line in text.splitlines() if re.search(r"\bawait\b", line)]
    if left:
        line = left[0]
        raise SystemExit(f"an await is left that is no wait for the engine: {line.strip()}")
    done = subprocess.run(
        ["ruff", "format", "--stdin-filename", str(twin.target), "-"],
        input=text,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def main() -> None:
    """Write the files, or check them."""
    for twin in TWINS:
        text = generate(twin)
        if "--check" in sys.argv[1:]:
            if twin.target.read_text("utf-8") != text:
                raise SystemExit(f"{twin.target} is stale: run tools/generate_sync.py")
        else:
            twin.target.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
