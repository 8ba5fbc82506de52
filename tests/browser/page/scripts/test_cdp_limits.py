"""Raw CDP has no more access to this machine than other actions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from support.site import Site

from tabwarden import BrowserConfig
from tabwarden.errors import Denied
from tabwarden.page.scripts.cdp_limits import Limits, within
from tabwarden.sync import Browser

FILE = "file:///etc/hostname"
ELSEWHERE = Limits(
    upload_dirs=(Path("/nowhere"),), allow_file_urls=False, allow_scripts=True, here=False
)


@pytest.mark.threat
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("Page.navigate", {"url": FILE}),
        ("Page.navigate", {"url": " FI\nLE:/etc/hostname"}),
        ("Page.navigate", {"url": "view-source:" + FILE}),
        ("Page.navigate", {"url": "chrome://settings/"}),
        ("Page.navigate", {"url": "devtools://devtools/bundled/inspector.html"}),
        ("Page.navigate", {"url": "C:\\secrets.txt"}),
        ("Target.createTarget", {"url": FILE}),
        ("Fetch.continueRequest", {"requestId": "x", "url": FILE}),
        ("Network.loadNetworkResource", {"url": FILE, "options": {}}),
        ("DOM.setFileInputFiles", {"files": ["/etc/hostname"], "nodeId": 1}),
        ("DOM.setFileInputFiles", {"files": ["link"], "nodeId": 1}),
        ("Input.dispatchDragEvent", {"type": "drop", "data": {"files": ["/etc/hostname"]}}),
        ("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": "/tmp/x"}),
        ("Page.setDownloadBehavior", {"behavior": "allow", "downloadPath": "/tmp/x"}),
        ("Browser.setDownloadBehavior", {"behavior": "default"}),
        ("Target.exposeDevToolsProtocol", {"targetId": "x"}),
        ("Target.sendMessageToTarget", {"message": "{}"}),
        ("Extensions.loadUnpacked", {"path": "/tmp/x"}),
        ("PWA.install", {"manifestId": "x"}),
    ],
)
def test_cdp_denies_access_to_local_files_and_programs(
    method: str, params: dict[str, Any], browser: Browser, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to("/etc/hostname")
    tabs = [tab.url for tab in browser.state.tabs]
    browser.configure(BrowserConfig(upload_dir=tmp_path))
    try:
        with pytest.raises(Denied):
            browser.cdp(method, params)
    finally:
        browser.configure(BrowserConfig())
    assert [tab.url for tab in browser.state.tabs] == tabs


def test_cdp_allows_files_from_the_upload_folder_and_allowed_url_schemes(
    browser: Browser, site: Site, tmp_path: Path
) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    browser.configure(BrowserConfig(upload_dir=tmp_path, allow_file_urls=True))
    try:
        browser.goto(site.page("/", "<input type=file id=file>"))
        root = browser.cdp("DOM.getDocument").value["root"]["nodeId"]
        found = browser.cdp("DOM.querySelector", {"nodeId": root, "selector": "#file"}).value
        browser.cdp("DOM.setFileInputFiles", {**found, "files": ["mine.txt"]})
        assert browser.evaluate("file.files[0].text()").value == "mine"
        browser.cdp("Page.navigate", {"url": (tmp_path / "mine.txt").as_uri()})
    finally:
        browser.configure(BrowserConfig())


def test_cdp_may_deny_downloads() -> None:
    here = msgspec.structs.replace(ELSEWHERE, here=True)
    deny = {"behavior": "deny"}
    assert within(here, "Browser.setDownloadBehavior", deny) == deny


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("DOM.setFileInputFiles", {"files": ["/there/x"]}),
        ("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": "/there"}),
    ],
)
def test_cdp_allows_any_file_path_for_a_browser_on_another_machine(
    method: str, params: dict[str, Any]
) -> None:
    assert within(ELSEWHERE, method, params) == params
    with pytest.raises(Denied):
        within(ELSEWHERE, "Page.navigate", {"url": FILE})
