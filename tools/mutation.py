"""Mutation testing of the core: the code is changed at random, and the unit tests have to fail.

mutmut creates the mutants and runs the tests. This program draws a sample, omits changes that
affect only prose, and compares the surviving mutants with those explained in docs/mutation.md.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import json
import random
import subprocess
import sys
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

__all__ = ["main"]

ROOT = Path(__file__).resolve().parent.parent
EXPLAINED = ROOT / "docs" / "mutation.md"
_SURVIVED, _UNTESTED = 0, 33
"""mutmut's names for test results."""
_PACKAGE = "tabwarden."
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Mutant(NamedTuple):
    """One change to one function."""

    name: str
    """mutmut's name for the mutant."""
    where: str
    """Module and function, for people."""
    before: str
    after: str
    """The lines that differ."""

    @property
    def module(self) -> str:
        """Where it is."""
        return self.name.removeprefix(_PACKAGE).partition(".x")[0]

    @property
    def is_words(self) -> bool:
        """Whether only prose differs, such as an error's text, which no test should repeat."""
        return _without_prose(self.before) == _without_prose(self.after)


def main() -> int:
    """Draw a sample, test it and print the results. Return 1 if an unexplained mutant survived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--share", type=float, default=0.25, help="share of the mutants to test, 0 to 1"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--children", type=int, default=1, help="number of parallel runs")
    parser.add_argument("only", nargs="*", help="patterns: 'supervisor.race*'")
    options = parser.parse_args()
    # mutmut creates the mutants only when it runs one. Results of earlier runs are discarded.
    _mutmut("tabwarden.supervisor.waiting.x_drop_frame__mutmut_1")
    mutants = [
        one
        for one in _mutants()
        if not options.only or any(fnmatch(one.where, pattern) for pattern in options.only)
    ]
    in_code = [one for one in mutants if not one.is_words]
    drawn = random.Random(options.seed).sample(in_code, round(len(in_code) * options.share))
    _say(f"{len(mutants)} mutants, {len(mutants) - len(in_code)} in prose only; {len(drawn)} drawn")
    _mutmut(f"--max-children={options.children}", *(one.name for one in drawn))
    return _tell(drawn)


def _tell(drawn: list[Mutant]) -> int:
    """Print the surviving mutants, and each module's number of killed mutants. Return 1 if a
    surviving mutant is unexplained."""
    results = _results()
    explained = EXPLAINED.read_text("utf-8")
    counts: dict[str, Counter[str]] = {}
    for one in sorted(drawn):
        ended = "killed"
        if results[one.name] in (_SURVIVED, _UNTESTED, None):
            is_known = one.where in explained and _shown(one.after) in explained
            ended = "explained" if is_known else "survived"
            _say(f"{ended}: {one.where}\n    - {one.before}\n    + {one.after}")
        counts.setdefault(one.module, Counter())[ended] += 1
    for module, count in counts.items():
        survivors = f"{count['explained']} explained, {count['survived']} not"
        _say(f"{module}: {count['killed']} of {count.total()} killed; {survivors}")
    return int(any(count["survived"] for count in counts.values()))


def _mutmut(*arguments: str) -> None:
    with subprocess.Popen(
        ["mutmut", "run", *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as running:
        output = running.communicate()[0].decode(errors="replace")
    if running.returncode != 0:
        raise SystemExit(f"mutmut ended with {running.returncode}:\n{output[-3_000:]}")


def _results() -> dict[str, int | None]:
    """Return each mutant's result, by mutmut's codes."""
    codes: dict[str, int | None] = {}
    for meta in (ROOT / "mutants").rglob("*.meta"):
        codes |= json.loads(meta.read_text("utf-8"))["exit_code_by_key"]
    return codes


def _mutants() -> list[Mutant]:
    """Return all mutants, with their changes."""
    mutants: list[Mutant] = []
    names = sorted(_results())
    for meta in sorted((ROOT / "mutants").rglob("*.meta")):
        source = meta.with_suffix("")
        module = ".".join(source.relative_to(ROOT / "mutants" / "src").with_suffix("").parts)
        functions = {
            node.name: node
            for node in ast.walk(ast.parse(source.read_text("utf-8")))
            if isinstance(node, _Function)
        }
        for name in names:
            function = name.removeprefix(f"{module}.")
            if function == name or "." in function or function not in functions:
                continue
            mutated, _, _ = function.rpartition("__mutmut_")
            original = functions[f"{mutated}__mutmut_orig"]
            before, after = _difference(original, functions[function])
            plain = mutated.removeprefix("x").replace("ǁ", ".")
            where = f"{module.removeprefix(_PACKAGE)}.{plain.removeprefix('_').lstrip('.')}"
            mutants.append(Mutant(name, where, before, after))
    return mutants


def _difference(original: _Function, mutated: _Function) -> tuple[str, str]:
    """The lines that differ."""
    original.name = mutated.name = "f"
    before, after = (ast.unparse(one).splitlines() for one in (original, mutated))
    changed = [line for line in difflib.ndiff(before, after) if line[:2] in ("- ", "+ ")]
    taken, given = (" ".join(one[2:].strip() for one in changed if one[0] == sign) for sign in "-+")
    return taken, given


def _shown(line: str) -> str:
    """Return a line, escaped for a Markdown table."""
    return line.replace("|", "\\|")


def _without_prose(line: str) -> str:
    """Return a line of code with all prose strings replaced by the same string."""
    try:
        tree = ast.parse(line.rstrip(":") if not line.startswith(("if", "for", "while")) else "0")
    except SyntaxError:
        return line
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            node.value = "words"
    return ast.unparse(tree) if ast.unparse(tree) != "0" else line


def _say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
