"""A person's home folder, in which Chrome can run with debugging enabled."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.eventually import eventually

__all__ = ["PAGE", "Home"]

PAGE = "data:text/html,<title>mine</title>"


class Home:
    """A person's home folder. Its path is short, because sockets lie below it."""

    def __init__(self, folder: Path, browser: Path | None) -> None:
        self.folder = folder
        self.browser = browser

    def profile(self, name: str = "google-chrome") -> Path:
        folder = self.folder / ".config" / name
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def left_behind(self, port: int, name: str = "google-chrome", version: str = "156.0") -> None:
        """Write the files that a browser with debugging leaves in its profile."""
        (self.profile(name) / "DevToolsActivePort").write_text(f"{port}\n/devtools/browser/x")
        (self.profile(name) / "Last Version").write_text(version)

    @contextmanager
    def chrome(self, name: str = "google-chrome") -> Iterator[subprocess.Popen[bytes]]:
        """A browser that the person uses, with debugging enabled."""
        port_file = self.profile(name) / "DevToolsActivePort"
        command = [
            str(self.browser), "--headless=new", "--no-sandbox", "--remote-debugging-port=0",
            f"--user-data-dir={self.profile(name)}", "--no-first-run", "--disable-dev-shm-usage",
            "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup", PAGE,
        ]  # fmt: skip
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=os.environ) as chrome:
            try:
                eventually(lambda: port_file.exists() and port_file.read_text().count("\n") == 1)
                yield chrome
            finally:
                chrome.kill()
