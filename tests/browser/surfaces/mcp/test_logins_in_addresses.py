"""Results never show a user name or password from a URL (``http://user:password@host``)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from browser.surfaces.mcp.host import inside
from support.site import Site

pytestmark = pytest.mark.anyio

PAGE = """<title>Shop</title><a href=more>More</a><a href="http://ann:pa55word@example.com/">Away</a>
<iframe src=frame></iframe><button onclick="alert(1)">Ask</button>"""
STEPS: list[tuple[str, dict[str, Any]]] = [
    ("snapshot", {}),
    ("snapshot", {"full": True}),
    ("find", {"text": "More"}),
    ("scrape", {}),
    ("tabs", {}),
    ("evaluate", {"script": "1"}),
    ("click", {"ref": ""}),
    ("dialog", {"action": "accept"}),
    ("screenshot", {}),
    ("reload", {}),
    ("tabs", {"mode": "open", "url": ""}),
]


@pytest.mark.threat
async def test_mcp_results_never_show_a_password_from_a_url(site: Site) -> None:
    for path in ("/frame", "/more"):
        site.page(path, "<p>inside")
    url = site.page("/", PAGE).replace("http://", "http://ann:pa55word@")
    async with inside() as (host, _):
        said = [await host.raw("browser_navigate", url=url)]
        ref = await host.ref("Ask")
        for tool, given in STEPS:
            now = {"ref": ref, "url": url}
            given = {name: now.get(name, one) for name, one in given.items()}
            said.append(await host.raw(f"browser_{tool}", **given))
        said.append(await host.raw("browser_navigate", url="http://ann:pa55word@127.0.0.1:9/"))
        said.append(await host.raw("browser_navigate", url="http://ann:pa55word@127.0.0.1:x/"))
        state = await host.client.read_resource("tabwarden://state")
    assert [one for one in said[:-2] if one[2]] == []
    told = "\n".join([*(text + json.dumps(data) for text, data, _ in said), str(state)])
    assert "127.0.0.1" in told
    assert "example.com" in told
    assert "pa55word" not in told
    assert "ann:" not in told
