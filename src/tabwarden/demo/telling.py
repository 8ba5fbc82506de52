"""Print the demo's output: with colors and a spinner on a terminal, otherwise as plain lines.

The time of a call excludes printing. Text from a page is printed unchanged, never as markup.
"""

from __future__ import annotations

import json
import re
import statistics
import textwrap
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec
from rich.console import Console
from rich.text import Text

from tabwarden.demo.surprise import Surprise
from tabwarden.errors import TabwardenError

_WIDTH = 100
_LONGEST = 3
_LONG_ID = re.compile(r"\b([0-9A-F]{6})[0-9A-F]{26}\b")
_PLAIN_MARKS = {
    "✓": "ok",
    "✗": "FAILED",
    "→": "->",
    "│": "|",
    "…": "...",
    "€": "EUR ",
}
_STYLES = {"done": "green", "failed": "bold red", "skipped": "yellow"}
_SIGNS = {"done": "✓", "failed": "✗", "skipped": "-"}


@dataclass
class Deed:
    """One call of the agent, in the format for printing."""

    words: str
    came_of_it: str = ""
    ms: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """The result of one step."""

    name: str
    title: str
    status: Literal["done", "failed", "skipped"]
    ms: float = 0.0


@dataclass
class Teller:
    """Prints the agent's calls and their results.

    Attributes:
        console: the output; a terminal gets colors.
        deeds: every call so far, for the summary.
    """

    console: Console = field(default_factory=Console)
    deeds: list[Deed] = field(default_factory=list)

    def __post_init__(self) -> None:
        tty = self.console.is_terminal
        self._width = min(self.console.width, _WIDTH) if tty else _WIDTH

    def say(self, words: str = "", style: str = "") -> None:
        """Print text unchanged."""
        self._print(Text(words, style))

    def step(self, number: int, title: str) -> None:
        self._print(Text(f"\n{number}. {title}", "bold"))

    def aside(self, words: str) -> None:
        """Print an explanation, as a paragraph."""
        for line in textwrap.wrap(words, self._width - 4):
            self._print(Text(f"   {line}", "italic dim"))

    def skipped(self, needs: Iterable[str]) -> None:
        """Print that a step was skipped because required steps failed."""
        titles = ", ".join(f'"{title}"' for title in needs)
        self._print(Text(f" - skipped: it needs {titles}", _STYLES["skipped"]))

    @contextmanager
    def doing(self, words: str) -> Iterator[Deed]:
        """Show a spinner during a call, then print the call's result and duration."""
        deed = Deed(words)
        status = "failed"
        try:
            with self._spinner(words):
                started = time.perf_counter()
                try:
                    yield deed
                finally:
                    deed.ms = (time.perf_counter() - started) * 1000
            status = "done"
        finally:
            self.deeds.append(deed)
            self._deed(deed, status)

    def show(self, lines: Iterable[str]) -> None:
        """Print lines that the agent sees, after a bar."""
        room = self._width - 6
        for line in lines:
            hang = " " * (len(line) - len(line.lstrip()) + 4)
            short = _LONG_ID.sub(r"\1…", line)
            for part in textwrap.wrap(short, room, subsequent_indent=hang) or [""]:
                self._print(Text.assemble(("   │ ", "dim"), _coloured(part)))

    def failed(self, error: TabwardenError | Surprise) -> None:
        """Print a failed step's error and hint."""
        code = error.code if isinstance(error, TabwardenError) else "surprise"
        self._print(Text(f" ✗ {code}: {error.message}", _STYLES["failed"]))
        if error.hint:
            self._print(Text(f"   {error.hint}", "red"))

    def summary(self, outcomes: Sequence[Outcome], pictures: Iterable[Path] = ()) -> None:
        """Print the results and times of all steps, and the paths of the pictures."""
        self._print(Text("\nSummary", "bold"))
        for outcome in outcomes:
            self._line(_SIGNS[outcome.status], outcome.title, outcome.ms, _STYLES[outcome.status])
        well = sum(outcome.status == "done" for outcome in outcomes)
        total = sum(outcome.ms for outcome in outcomes)
        self.say(f"\n{well} of {len(outcomes)} steps succeeded in {total / 1000:.1f} s.")
        if len(self.deeds) > _LONGEST:
            median = statistics.median(deed.ms for deed in self.deeds)
            self.say(f"{len(self.deeds)} calls, median {_took(median)}. The longest:")
            for deed in sorted(self.deeds, key=lambda deed: -deed.ms)[:_LONGEST]:
                self.say(f"  {_took(deed.ms):>8}  {deed.words}")
        for path in pictures:
            self.say(f"Picture: {path}")

    def _spinner(self, words: str) -> AbstractContextManager[object]:
        return self.console.status(Text(words)) if self.console.is_terminal else nullcontext()

    def _deed(self, deed: Deed, status: str) -> None:
        words = f"{deed.words} → {deed.came_of_it}" if deed.came_of_it else deed.words
        self._line(_SIGNS[status], words, deed.ms, _STYLES[status])

    def _line(self, sign: str, words: str, ms: float, style: str) -> None:
        took = _took(ms) if ms else ""
        gap = max(2, self._width - 3 - len(words) - len(took))
        text = Text.assemble((f" {sign} ", style), words, " " * gap if took else "", (took, "dim"))
        self._print(text)

    def _print(self, text: Text) -> None:
        text = self._printable(text)
        self.console.print(text, soft_wrap=True, highlight=False)

    def _printable(self, text: Text) -> Text:
        """Replace characters that the terminal's encoding can't show."""
        encoding = self.console.encoding
        try:
            text.plain.encode(encoding)
        except (UnicodeEncodeError, LookupError):
            plain = text.plain
            for mark, instead in _PLAIN_MARKS.items():
                plain = plain.replace(mark, instead)
            return Text(plain.encode("ascii", "replace").decode(), text.style)
        return text


def facts(value: Any, *fields: str) -> list[str]:
    """Format a result object as lines of JSON, one per field, without empty fields."""
    built = msgspec.to_builtins(value, enc_hook=str)
    values = _filled({key: built.get(key) for key in fields or built})
    lines = [
        f"  {json.dumps(key)}: {json.dumps(values[key], ensure_ascii=False)}" for key in values
    ]
    return ["{", *(f"{line}," for line in lines[:-1]), *lines[-1:], "}"]


def _coloured(line: str) -> Text:
    """Highlight roles, refs and important notes in a line of a snapshot."""
    text = Text(line)
    text.highlight_regex(r"(?<=- )[a-z]+(?= |$)", "blue")
    text.highlight_regex(r"\[ref=e\d+\]", "cyan")
    text.highlight_regex(r"^(STALE:|Dialog d-).*", "yellow")
    return text


def _filled(value: Any) -> Any:
    if isinstance(value, dict):
        filled = {key: _filled(one) for key, one in value.items()}
        return {key: one for key, one in filled.items() if one not in ("", None, [], {})}
    if isinstance(value, list | tuple):
        return [_filled(one) for one in value]
    return value


def _took(ms: float) -> str:
    return f"{ms:.1f} ms" if ms < 10 else f"{ms:,.0f} ms"
