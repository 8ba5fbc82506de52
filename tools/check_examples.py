"""Extract the Python examples of README.md and docs/, for type checkers.

``python tools/check_examples.py FOLDER`` writes the examples into FOLDER. ``--wheel`` also installs
the built wheel, mypy and pyright in a new environment in FOLDER, and runs both type checkers there
in their strict modes, as a user would: without this repository's settings. That needs PyPI.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROGRAM = ROOT / "tests/docs/public_api.py"
"""A program that uses the whole public API."""
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
EXTRAS = "mcp,serve,pydantic-ai,openai-agents,langchain,playwright"


def extract(folder: Path) -> list[Path]:
    """Write each example to a separate file, and remove earlier files. Return the files."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / ".gitignore").write_text("*\n")
    written = []
    for page in PAGES:
        name = re.sub(r"\W", "_", page.relative_to(ROOT).with_suffix("").as_posix())
        blocks = re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)
        for number, code in enumerate(blocks):
            written.append(folder / f"{name}_{number}.py")
            written[-1].write_text(code, "utf-8")
    return written


def check_wheel(folder: Path, uv: str) -> int:
    """Type-check the examples and the program against the wheel. Return the exit status."""
    shutil.copy(PROGRAM, folder)
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "standard"}')
    python = folder / "venv/bin/python"
    wheels = folder / "dist"
    run([uv, "build", "--quiet", "--wheel", "--out-dir", str(wheels), str(ROOT)])
    run([uv, "venv", "--quiet", "--python", sys.executable, str(folder / "venv")])
    (wheel,) = wheels.glob("*.whl")
    # pyright[nodejs] contains Node.js, so that pyright downloads nothing.
    wanted = [f"{wheel}[{EXTRAS}]", "mypy", "pyright[nodejs]"]
    run([uv, "pip", "install", "--quiet", "--python", str(python), *wanted])
    files = [path.name for path in sorted(folder.glob("*.py"))]
    checkers = {
        "mypy --strict": [python, "-m", "mypy", "--strict", "--cache-dir", "cache", *files],
        "pyright": [python, "-m", "pyright", "--pythonpath", python, *files],
    }
    failed = 0
    for name, command in checkers.items():
        done = subprocess.run([str(part) for part in command], cwd=folder, check=False)
        print(f"{name}: {len(files)} files, {'failed' if done.returncode else 'passed'}")
        failed |= done.returncode
    return failed


def run(command: list[str]) -> None:
    """Run a command that must succeed."""
    subprocess.run(command, check=True)


def main() -> None:
    """Extract the examples; with ``--wheel``, also check them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--wheel", action="store_true")
    parser.add_argument("--uv", default="uv")
    options = parser.parse_args()
    folder = options.folder.resolve()
    extract(folder)
    if options.wheel:
        raise SystemExit(check_wheel(folder, options.uv))


if __name__ == "__main__":
    main()
