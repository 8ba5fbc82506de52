"""Files, logs and permissions of the drivers and dialects."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.eventually import eventually
from support.needs import require
from support.site import Site

from tabwarden.actions import session_of
from tabwarden.config import BrowserConfig
from tabwarden.sync import Browser
from tabwarden.tools.sync import Tools
from tabwarden.toolsets import toolset_of

require("vendor-sdks")

from support.vendors import ClaudeCalls, OpenAICalls, ref  # noqa: E402 - it needs the SDKs

from tabwarden.integrations.openai import OpenAIBrowser  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

DOWNLOAD = '<a href="data:application/octet-stream,abc" download=x.bin>Get</a><p>text'
LOGS = "<script>for (let i = 0; i < 5; i++) console.log('line', i)</script>"


def allow(*_: object) -> bool:
    return True


def test_openai_download_file_ends_when_its_download_has_ended(
    browser: Browser, site: Site
) -> None:
    members = ["navigate", "read_page", "click", "download_file"]
    with OpenAIBrowser(browser, grants=lambda grant: grant) as driver:
        openai = OpenAICalls(driver.toolset(members=members, confirm=allow, url_policy=allow))
        openai("navigate", url=site.page("/", DOWNLOAD))
        openai("click", target=_ref(openai("read_page", filter="all").text))
        download = browser.state.downloads[-1].id
        browser.configure(browser.config.model_copy(update={"default_timeout_ms": 2_000}))
        assert '"status": "completed"' in openai("download_file", grant_id=download).text


@pytest.mark.parametrize("name", ["claude", "openai"])
def test_model_reads_no_path_of_a_download(
    name: str, browser: Browser, site: Site, request: pytest.FixtureRequest
) -> None:
    """The SDK's ``file_policy`` decides which paths the model may read; by default none."""
    calls = request.getfixturevalue(name)
    calls("navigate", url=site.page("/", DOWNLOAD))
    found = _ref(calls("read_page", filter="all").text)
    if isinstance(calls, ClaudeCalls):
        clicked = calls("left_click", target=ref(found))
    else:
        clicked = calls("click", target=found)
    eventually(lambda: browser.state.downloads[-1].status == "completed")
    folder = str(Path(browser.state.downloads[-1].path or "/").parent)
    assert folder not in clicked.text + calls("get_page_text").text


def test_openai_read_diagnostics_returns_at_most_limit_entries(
    openai: OpenAICalls, site: Site
) -> None:
    openai("navigate", url=site.page("/", LOGS))
    text = openai("read_diagnostics", source="console", limit=2).text
    assert [f"line {number}" in text for number in range(5)] == [False] * 3 + [True] * 2


def test_claude_reads_that_a_log_has_no_new_entries(claude: ClaudeCalls, site: Site) -> None:
    claude("navigate", url=site.page("/", LOGS))
    assert "line 4" in claude("read_console").text
    assert claude("read_console").text == "No new entries in the console log."


def test_model_reads_that_a_file_was_uploaded(browser: Browser, site: Site, tmp_path: Path) -> None:
    (tmp_path / "cv.txt").write_text("x")
    browser.configure(browser.config.model_copy(update={"upload_dir": tmp_path}))
    with Tools(browser, toolset="openai-browser") as tools:
        tools.call("browser_navigate", {"url": site.page("/", "<input type=file>")})
        answer = tools.call("browser_upload_file", {"grant_id": "cv.txt"})
        assert not answer.is_error
        assert answer.text


@pytest.mark.anyio
async def test_upload_without_its_permission_is_denied_before_it_reads_the_page() -> None:
    config = BrowserConfig(allow=["read", "act", "scripts"])
    session = session_of(config, auto_open=False)
    call = toolset_of("openai-browser").prepare(config, "browser_upload_file", {"grant_id": "a"})
    assert "denied" in str((await call.run(session)).data)


def _ref(page: str) -> str:
    found: Sequence[str] = re.findall(r'link "Get" \[(?:ref=)?(\w+)\]', page)
    return found[0]
