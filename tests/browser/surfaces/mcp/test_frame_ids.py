"""Results shorten frame IDs to their first digits, which calls accept."""

from __future__ import annotations

import re

import pytest
from browser.surfaces.mcp.host import inside
from support.site import Site

from tabwarden.config import BrowserConfig

pytestmark = pytest.mark.anyio


async def test_results_shorten_frame_ids_and_calls_accept_the_short_ids(
    site: Site, port: int
) -> None:
    site.page("/in", "<button>In</button>")
    url = site.page("/", f"<h1>Top</h1><iframe src='{site.there}/in'></iframe>")
    async with inside(BrowserConfig()) as (host, _):
        texts = [(await host.call("browser_navigate", url=url, snapshot="full"))[0]]
        texts.append((await host.call("browser_find", role="button"))[0])
        texts.append((await host.call("browser_wait", text="Top"))[0])
        texts.append((await host.call("browser_wait", text="In"))[0])
        assert not re.search(r"[0-9A-F]{32}", "\n".join(texts))
        (named,) = set(re.findall(r"\bframe ([0-9A-F]{8})\b", "\n".join(texts)))
        assert "frame" not in texts[2]
        script = {"script": "document.body.innerText", "frame_id": named}
        _, data = await host.call("browser_evaluate", **script)
        assert data["value"] == "In"
        steps = [{"tool": "browser_evaluate", **script}]
        _, data = await host.call("browser_batch", steps=steps)
        assert data["value"]["steps"][0]["result"]["value"] == "In"
        for unknown in ("ABC", named[:7]):
            error = await host.fail("browser_evaluate", script="1", frame_id=unknown)
            assert error["code"] == "frame_not_found"
