"""The model's information if its host shows only the text or only structured content."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from browser.surfaces.mcp.host import hosting, inside
from support.site import Site

from tabwarden.surfaces.mcp.calls import Structured

pytestmark = pytest.mark.anyio

PAGE = "<h1>Shop</h1><button onclick=\"confirm('Sure?')\">Buy</button>"


def only_text(result: Any) -> tuple[str, int]:
    """The view of a host without structured content: the text, and the number of images."""
    texts = [part.text for part in result.content if part.type == "text"]
    return "\n".join(texts), sum(part.type == "image" for part in result.content)


def only_structured(result: Any) -> tuple[str, int]:
    """The view of a host that prefers structured content."""
    if result.structured_content is None:
        return only_text(result)
    return json.dumps(result.structured_content, ensure_ascii=False), 0


@pytest.mark.whole
@pytest.mark.parametrize("mode", ["none", "slim", "full"])
@pytest.mark.parametrize("shown", [only_text, only_structured])
@pytest.mark.long
async def test_text_alone_and_structured_content_alone_each_contain_all_results(
    mode: Structured, shown: Callable[[Any], tuple[str, int]], site: Site
) -> None:
    async with inside(structured=mode) as (host, _):

        async def call(name: str, **arguments: Any) -> tuple[str, int]:
            return shown(await host.client.call_tool(f"browser_{name}", arguments))

        went, _ = await call("navigate", url=site.page("/", PAGE, title="Shop"))
        assert "[Browser: " in went
        outline, _ = await call("snapshot")
        assert "[ref=e1]" in outline
        assert "<page " in outline
        read, _ = await call("scrape")
        assert "Shop" in read
        assert "<page " in read
        assert (await call("screenshot"))[1] == 1
        assert "42" in (await call("evaluate", script="42"))[0]
        missed, _ = await call("click", ref="e999")
        assert "unknown_ref" in missed
        assert "snapshot" in missed
        asked, _ = await call("click", ref="e1")
        assert "interrupted" in asked
        assert "Sure?" in asked
        assert "browser_dialog(" in asked
        assert "1 dialog waiting" in asked
        blocked, _ = await call("press", key="Tab")
        assert "dialog_pending" in blocked
        await call("dialog", action="accept")


async def test_slim_content_repeats_neither_text_nor_refs(site: Site) -> None:
    async with inside(structured="slim") as (host, _):
        await host.call("browser_navigate", url=site.page("/", PAGE, title="Shop"))
        for name, arguments in (
            ("snapshot", {}),
            ("scrape", {}),
            ("find", {"text": "Buy"}),
            ("navigate", {"url": site.here + "/", "snapshot": "full"}),
        ):
            result = await host.client.call_tool(f"browser_{name}", arguments)
            assert result.structured_content is None, name
        went = await host.client.call_tool("browser_navigate", {"url": site.here + "/"})
        assert went.structured_content is not None
        assert went.structured_content["title"] == "Shop"
        text, _ = only_text(went)
        assert len(json.dumps(went.structured_content)) < len(text) + 300


@pytest.mark.long
async def test_output_schemas_are_sent_only_with_full_structured_content(site: Site) -> None:
    for mode in ("none", "slim"):
        async with hosting("--structured", mode) as host:
            assert {tool.output_schema for tool in (await host.tools()).values()} == {None}
