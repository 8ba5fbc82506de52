"""The wheel, drags, forms and waits, as a model calls them."""

from __future__ import annotations

import pytest
from browser.surfaces.mcp.host import Host
from support.site import Site

pytestmark = pytest.mark.anyio

PAGE = """<input aria-label=Name><select aria-label=Size><option>S<option>M</select>
<button id=card draggable=true>Card</button><button id=bin>Bin</button>
<div style="height:3000px"></div><script>
bin.ondragover = (e) => e.preventDefault();
bin.ondrop = (e) => { e.preventDefault(); bin.append(' has it') };
</script>"""


@pytest.fixture(autouse=True)
async def page(host: Host, site: Site) -> None:
    await host.call("browser_navigate", url=site.page("/", PAGE))


async def test_model_fills_drags_waits_resizes_and_scrolls(host: Host) -> None:
    name, size = await host.ref('"Name"'), await host.ref('"Size"')
    fields = [{"ref": name, "value": "Ann"}, {"ref": size, "value": "M"}]
    _, data = await host.call("browser_fill_form", fields=fields)
    assert [one["value"] for one in data["value"]["filled"]] == ["Ann", ["M"]]
    text, data = await host.call("browser_select", ref=size, labels='["S"]')
    assert data["value"] == {"selected": ["S"]}
    assert "labels: " in text, "what was mended is said"
    card, bin_ = await host.ref('"Card"'), await host.ref('"Bin"')
    await host.call("browser_drag", from_ref=card, to_ref=bin_)
    _, data = await host.call("browser_wait", text="Bin has it", timeout_ms=20_000)
    assert data["value"]["waited_ms"] < 10_000
    _, data = await host.call("browser_resize", width=500, height=400)
    assert data["value"] == {"width": 500, "height": 400}
    _, data = await host.call("browser_scroll", direction="down", amount=700)
    assert data["value"]["moved"] == 700


async def test_form_and_wait_errors_identify_the_invalid_field(host: Host) -> None:
    size = await host.ref('"Size"')
    error = await host.fail("browser_select", ref=size, labels=["L"])
    assert error["data"]["field"] == "labels"
    assert "'S', 'M'" in error["hint"]
    error = await host.fail("browser_fill_form", fields=[{"ref": size, "value": "L"}])
    assert error["data"]["failed"] == size
    error = await host.fail("browser_wait", text="a", url="b")
    assert error["code"] == "invalid_argument"
    error = await host.fail("browser_wait", time_s=60)
    assert error["data"]["field"] == "time_s"
