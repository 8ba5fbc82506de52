"""A member never outlives its time, and the next one works."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from support.needs import require
from support.site import Site

from tabwarden.sync import Browser

require("vendor-sdks")

from anthropic.tools.browser import BetaLocalFilePolicy  # noqa: E402
from support.vendors import ClaudeCalls, OpenAICalls, claude_reply, ref  # noqa: E402

from tabwarden.integrations.anthropic import AsyncClaudeBrowser, ClaudeBrowser  # noqa: E402
from tabwarden.integrations.openai import AsyncOpenAIBrowser  # noqa: E402

HANG = "<button onclick='for(;;);'>Ask</button><p>Still here</p>"


def first_ref(page: str) -> str:
    return page.partition("[ref_")[2].partition("]")[0].join(("ref_", ""))


def test_click_into_an_endless_loop_is_an_error_and_the_page_is_freed(
    claude: ClaudeCalls, site: Site
) -> None:
    claude("navigate", url=site.page("/", HANG))
    button = first_ref(claude("read_page", filter="all").text)
    clicked = claude("left_click", target=ref(button))
    assert clicked.is_error
    assert "did not finish within its 6000 ms" in clicked.text
    assert "Still here" in claude("get_page_text").text


@pytest.mark.parametrize("member", ["get_page_text", "read_page"])
def test_page_that_hangs_by_itself_is_freed_for_a_read(
    member: str, claude: ClaudeCalls, site: Site
) -> None:
    claude("navigate", url=site.page("/", "<p>Still here</p>"))
    claude("javascript_exec", text="setTimeout(() => { for (;;); }, 50); 1")
    time.sleep(0.2)
    claude(member)
    assert "Still here" in claude("get_page_text").text


def test_driver_closes_at_once_while_a_call_waits_for_a_hung_page(site: Site) -> None:
    driver = ClaudeBrowser()
    claude = ClaudeCalls(driver)
    claude("navigate", url=site.page("/", HANG))
    button = first_ref(claude("read_page", filter="all").text)
    replies: list[Any] = []
    waiting = threading.Thread(
        target=lambda: replies.append(claude("left_click", target=ref(button)))
    )
    waiting.start()
    time.sleep(0.5)
    began = time.monotonic()
    driver.close()
    took_s = time.monotonic() - began
    waiting.join()
    assert replies[0].is_error
    assert took_s < 4, "an idle machine needs less than 2 s"


def test_driver_over_an_open_browser_closes_at_once_and_leaves_it_open(
    browser: Browser, site: Site
) -> None:
    driver = ClaudeBrowser(browser)
    claude = ClaudeCalls(driver)
    claude("navigate", url=site.page("/", "Hi"))
    waiting = threading.Thread(target=lambda: claude("wait", duration=20))
    waiting.start()
    time.sleep(0.3)
    began = time.monotonic()
    driver.close()
    waiting.join()
    assert time.monotonic() - began < 4
    assert "Hi" in browser.snapshot().text


def test_crashed_tab_is_told_and_navigates_again(claude: ClaudeCalls, site: Site) -> None:
    page = site.page("/", "Hi")
    claude("navigate", url=page)
    crashed = claude("navigate", url="chrome://crash")
    assert crashed.is_error
    assert not claude("navigate", url=page).is_error
    assert "Hi" in claude("get_page_text").text


def test_cancelled_call_leaves_the_driver_usable(site: Site) -> None:
    url = site.page("/", "Hi")

    async def run() -> None:
        async with AsyncClaudeBrowser() as driver:
            claude = ClaudeCalls(driver)
            await driver.tool_result(claude.block("navigate", {"url": url}))
            waiting = asyncio.create_task(
                driver.tool_result(claude.block("wait", {"duration": 20}))
            )
            await asyncio.sleep(0.3)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            began = time.monotonic()
            reply = claude_reply(await driver.tool_result(claude.block("get_page_text", {})))
            assert "Hi" in reply.text
            assert time.monotonic() - began < 5

    asyncio.run(run())


def test_async_openai_driver_serves_the_sdks_toolset(site: Site) -> None:
    url = site.page("/", "<button onclick=\"this.textContent='done'\">Ask</button>")

    async def yes(*_: Any) -> bool:
        return True

    async def run() -> None:
        async with AsyncOpenAIBrowser() as driver:
            toolset = driver.toolset(confirm=yes, url_policy=yes)
            calls = OpenAICalls(toolset)
            for member, fields in (
                ("navigate", {"url": url}),
                ("read_page", {"filter": "all"}),
                ("click", {"target": "e1"}),
                ("get_page_text", {}),
            ):
                output = await toolset.execute(calls.block(member, fields))
            assert "done" in str(output)
            tools = driver.function_tools
            assert "No dialog" in await tools[0].execute({"action": "accept"})

    asyncio.run(run())


def test_downloads_are_reported_with_their_url(claude: ClaudeCalls, site: Site) -> None:
    from support.serving_files import file

    site.pages["/data.csv"] = file(
        "text/csv", b"a,b", Content_Disposition="attachment; filename=data.csv"
    )
    claude("navigate", url=site.page("/", "<a href=/data.csv>Get</a>"))
    link = first_ref(claude("read_page", filter="all").text)
    changes = claude("left_click", target=ref(link)).changes
    changes += claude("wait", duration=1).changes
    kinds = [change["type"] for change in changes]
    assert kinds[-1] == "download_completed", changes
    assert changes[-1]["url"] == f"{site.here}/data.csv"


@pytest.mark.threat
def test_checked_files_are_uploaded_and_no_other_file_is(
    browser: Browser, site: Site, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "picture.png").write_bytes(b"png")
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "in" / "link.png").symlink_to(tmp_path / "secret.txt")
    page = site.page("/", "<input type=file onchange='document.title = this.files[0].name'>")
    configs: Any = {"file_upload": {"enabled": True}}
    policy = BetaLocalFilePolicy(upload_roots=[str(tmp_path / "in")])
    with ClaudeBrowser(
        browser, configs=configs, confirm=lambda context: True, file_policy=policy
    ) as driver:
        claude = ClaudeCalls(driver)
        claude("navigate", url=page)
        field = ref(first_ref(claude("read_page").text))
        for path in ("in/picture.png", "secret.txt", "in/link.png", "in/none.png"):
            reply = claude("file_upload", target=field, paths=[str(tmp_path / path)])
            assert reply.is_error == (path != "in/picture.png"), reply
        assert claude("list_tabs").tabs[0]["title"] == "picture.png"


def test_popup_is_reported_and_stays_in_the_background(claude: ClaudeCalls, site: Site) -> None:
    site.page("/pop", "Popup")
    body = "<button onclick=\"window.open('/pop')\">Ask</button>"
    claude("navigate", url=site.page("/", body))
    opener = claude("list_tabs").tabs[0]["tab_id"]
    clicked = claude("left_click", target=ref(first_ref(claude("read_page", filter="all").text)))
    tabs = claude("list_tabs").tabs
    assert len(tabs) == 2
    assert next(tab for tab in tabs if tab["active"])["tab_id"] == opener
    popup = next(tab for tab in tabs if not tab["active"])
    assert {"type": "tab_opened", "tab_id": popup["tab_id"]} in clicked.changes
    assert "Popup" in claude("get_page_text", tab_id=popup["tab_id"]).text


def test_ref_of_another_tab_is_refused(claude: ClaudeCalls, site: Site) -> None:
    claude("navigate", url=site.page("/", "<button onclick=\"document.title='hit'\">Ask</button>"))
    button = first_ref(claude("read_page", filter="all").text)
    other = claude("new_tab").tabs[1]["tab_id"]
    clicked = claude("left_click", target=ref(button), tab_id=other)
    assert clicked.is_error
    assert f"not in {other}" in clicked.text, clicked
    assert "hit" not in str(claude("list_tabs").tabs)


def test_refused_origin_is_reported(site: Site) -> None:
    from tabwarden.config import load_config

    body = f"<a href={site.there}/elsewhere>Go</a>"
    config = load_config(None, allowed_origins=[site.here]).browser
    with ClaudeBrowser(config) as driver:
        claude = ClaudeCalls(driver)
        claude("navigate", url=site.page("/", body))
        clicked = claude("left_click", target=ref(first_ref(claude("read_page").text)))
        after = claude("wait", duration=0.5)
        assert "A navigation was refused." in clicked.text + after.text
