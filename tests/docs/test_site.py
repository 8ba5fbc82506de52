"""The documentation site works from disk, without a server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tabwarden.config import BrowserConfig
from tabwarden.sync import Browser

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_documentation_search_works_from_disk_without_a_server(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=True)
    with Browser.launch(config=BrowserConfig(allow_file_urls=True)) as browser:
        browser.goto((tmp_path / "index.html").as_uri())
        browser.click("css=[data-md-component=search-query]")
        browser.type("screencast")
        found = "document.querySelector('.md-search-result__link')?.href"
        browser.wait(script=f"{found}?.endsWith('.html')")
        assert browser.evaluate(found).value.startswith("file://")
        asked = {one["url"].partition(":")[0] for one in browser.network().value["requests"]}
        assert asked <= {"file", "data", "blob"}, "it fetches nothing"
