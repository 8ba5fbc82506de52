"""All actions that a stock Camofox server supports, through the shared registry."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from support.camofox import CamofoxServer
from support.pace import in_time
from support.site import Site

from tabwarden.actions import ACTIONS, Answer, Session, available, dispatch, session_of
from tabwarden.config import BrowserConfig

pytestmark = pytest.mark.anyio
SHOP = """<h1>Shop</h1>
<button onclick="document.title = 'Bought'">Buy</button>
<label>Name <input id=name value=A></label>
<select aria-label=Color><option>Red<option value=b>Blue</select>
<a href=/two>Two</a> <a href=/two target=_blank>Popup</a> <a href=/file download>File</a>
<img src=/pic alt=Pic>
<button onclick="document.title = String(confirm('Sure?'))">Ask</button>
<div style="height: 3000px">tall</div>"""


class Shopper:
    """A session on the server, and its results."""

    def __init__(self, server: CamofoxServer, tmp_path: Path) -> None:
        endpoint = f"camofox:{server.url}"
        self.config = BrowserConfig(endpoint=endpoint, download_dir=tmp_path / "downloads")
        self.session = session_of(self.config)

    async def try_(self, tool: str, **arguments: Any) -> Answer:
        return await dispatch(self.session, self.config, f"browser_{tool}", arguments)

    async def do(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = await self.try_(tool, **arguments)
        assert not answer.is_error, answer.text
        assert answer.state.startswith("[Browser: camofox | ") or tool == "close"
        return answer.data

    async def refs(self) -> dict[str, str]:
        told = (await self.do("snapshot"))["refs"]
        return {one["name"]: ref for ref, one in told.items()}


@pytest.fixture
async def shopper(stock: CamofoxServer, site: Site, tmp_path: Path) -> AsyncIterator[Shopper]:
    site.page("/two", "<h1>Second</h1>", title="Two")
    site.page("/file", "the file")
    made = Shopper(stock, tmp_path)
    await made.do("navigate", url=site.page("/", SHOP, title="Shop"))
    yield made
    await made.session.close()


async def test_camofox_browser_clicks_types_evaluates_and_selects(shopper: Shopper) -> None:
    refs = await shopper.refs()
    assert (await shopper.do("click", ref=refs["Buy"]))["title"] == "Bought"
    await shopper.do("type", text="Ann", ref=refs["Name"])
    assert (await shopper.do("evaluate", script="document.querySelector('#name').value"))[
        "value"
    ] == "Ann"
    await shopper.do("type", text="Bob", ref=refs["Name"], clear=True)
    await shopper.do("press", key="End")
    await shopper.do("type", text="by")
    assert (await shopper.do("evaluate", script="() => document.querySelector('#name').value"))[
        "value"
    ] == "Bobby"
    chosen = await shopper.do("select", ref=refs["Color"], labels=["Blue"])
    assert chosen["value"] == {"selected": ["Blue"]}
    assert (
        await shopper.do(
            "evaluate", script="const s = document.querySelector('select'); return s.value"
        )
    )["value"] == "b"
    again = await shopper.refs()
    assert again == refs, "the same elements keep their refs"


async def test_camofox_browser_clicks_an_element_whose_name_yaml_quotes(
    shopper: Shopper, site: Site
) -> None:
    page = "<button onclick=\"document.title = 'paid'\">Pay: Ann's # 1</button>"
    await shopper.do("navigate", url=site.page("/quoted", page))
    paid = await shopper.do("click", ref=(await shopper.refs())["Pay: Ann's # 1"])
    assert paid["title"] == "paid"


async def test_camofox_browser_navigates_through_history_and_tabs(
    shopper: Shopper, site: Site
) -> None:
    refs = await shopper.refs()
    went = await shopper.do("click", ref=refs["Two"])
    assert (went["title"], went["navigation"]) == ("Two", "new_document")
    stale = await shopper.try_("click", ref=refs["Buy"])
    assert stale.data["error"]["code"] == "stale_ref"
    assert (await shopper.do("back"))["title"] == "Shop"
    assert (await shopper.do("forward"))["title"] == "Two"
    await shopper.do("back")
    assert (await shopper.do("reload"))["title"] == "Shop"
    popped = await shopper.do("click", ref=(await shopper.refs())["Popup"])
    (opened,) = popped["new_since_last"]["tabs"]
    assert (opened["event"], opened["opener_tab_id"]) == ("opened", "t1")
    tabs = (await shopper.do("tabs", mode="switch", tab_id=opened["tab_id"]))["value"]
    assert [tab["active"] for tab in tabs] == [False, True]
    assert (await shopper.do("snapshot"))["title"] == "Two"
    assert len((await shopper.do("tabs", mode="close"))["value"]) == 1
    new = await shopper.do("tabs", mode="open", url=f"{site.here}/two")
    assert [tab["url"] for tab in new["value"]] == [f"{site.here}/", f"{site.here}/two"]


async def test_camofox_browser_scrolls_resizes_waits_and_takes_screenshots(
    shopper: Shopper,
) -> None:
    await shopper.do("scroll", amount=400)
    assert (await shopper.do("evaluate", script="scrollY > 0"))["value"] is True
    assert (await shopper.do("resize", width=640, height=480))["value"]["width"] == 640
    picture = await shopper.do("screenshot")
    assert (picture["width"], picture["height"]) == (640, 480)
    await shopper.do(
        "evaluate", script="setTimeout(() => { document.body.append('Late news') }, 300); 0"
    )
    assert (await shopper.do("wait", text="late NEWS"))["value"]["waited_ms"] > 0
    await shopper.do("wait", selector="#name")
    await shopper.do("wait", load_state="load")
    late = await shopper.try_("wait", text="never", timeout_ms=600)
    assert late.data["error"]["code"] == "budget_exceeded"


async def test_camofox_browser_scrapes_text_and_saves_downloads(
    shopper: Shopper, site: Site, tmp_path: Path
) -> None:
    text = (await shopper.do("scrape"))["value"]["text"]
    assert "Second" not in text
    assert f"- [Two]({site.here}/two)" in text
    assert f"({site.here}/pic)" in text
    await shopper.do("click", ref=(await shopper.refs())["File"])
    saved = (await shopper.do("wait", download=True, filename="kept.txt"))["value"]["download"]
    assert saved["status"] == "completed"
    assert Path(saved["path"]) == (tmp_path / "downloads" / "kept.txt").resolve()
    assert b"the file" in await anyio.Path(saved["path"]).read_bytes()


async def test_camofox_session_hides_and_rejects_unsupported_actions(shopper: Shopper) -> None:
    names = {action.name for action in available(shopper.config, shopper.session)}
    assert {"click", "navigate", "snapshot"} <= names
    assert not names & {"dialog", "cdp", "cookies", "storage", "network", "hover", "drag", "pdf"}
    assert shopper.session.current is not None
    assert set(map(str, names)) == shopper.session.current.capabilities.actions
    for tool in ("cdp", "hover", "dialog"):
        given = {"cdp": {"method": "Page.enable"}, "hover": {"ref": "e1"}}.get(
            tool, {"action": "accept"}
        )
        refused = await shopper.try_(tool, **given)
        assert refused.data["error"]["code"] == "not_supported", refused.text
    button = await shopper.try_("click", ref="e1", button="right")
    assert "Omit button." in button.text
    shown = await shopper.do("snapshot")
    assert not {"pending_dialogs", "recent_dialogs", "frame_tree", "unknown"} & shown.keys()
    nested = (await shopper.do("reload", snapshot="full"))["snapshot"]
    assert not {"pending_dialogs", "frame_tree"} & nested.keys()


async def test_first_result_says_that_camofox_dismisses_dialogs_itself(
    stock: CamofoxServer, site: Site, tmp_path: Path
) -> None:
    shopper = Shopper(stock, tmp_path)
    first = await shopper.try_("navigate", url=site.page("/", SHOP, title="Shop"))
    assert "Camofox dismisses every dialog itself" in first.text
    clicked = await shopper.do("click", ref=(await shopper.refs())["Ask"])
    assert clicked["title"] == "false"
    await shopper.session.close()


async def test_hung_script_on_camofox_times_out_only_its_own_call(
    shopper: Shopper, site: Site
) -> None:
    with in_time(0.5):
        late = await shopper.try_("evaluate", script="for (;;) {}", timeout_ms=500)
    assert late.data["error"]["code"] == "budget_exceeded"
    with in_time(0.7):
        shown = await shopper.do("snapshot", timeout_ms=700)
    assert shown["stale"]
    assert "STALE" in shown["text"]
    other = await shopper.do("tabs", mode="open", url=f"{site.here}/two", timeout_ms=10_000)
    assert len(other["value"]) == 2


async def test_each_task_has_a_separate_camofox_user(
    stock: CamofoxServer, site: Site, tmp_path: Path
) -> None:
    url = site.page("/", "mine", title="Mine")
    ann, bob = Shopper(stock, tmp_path), Shopper(stock, tmp_path)
    await ann.do("navigate", url=url)
    await ann.do("evaluate", script="document.cookie = 'who=ann'")
    await bob.do("navigate", url=url)
    assert (await bob.do("evaluate", script="document.cookie"))["value"] == ""
    assert len((await bob.do("tabs"))["value"]) == 1
    users = [one.session.current._calls.server.user for one in (ann, bob)]  # type: ignore[union-attr]
    await ann.do("close")
    assert (await bob.do("snapshot"))["title"] == "Mine"
    await bob.session.close()
    for user in users:
        assert stock.ask("GET", f"/tabs?userId={user}")[1]["tabs"] == [], "they end with the task"


def test_every_camofox_action_exists_in_the_registry() -> None:
    from tabwarden.integrations.camofox.capabilities import WITH_PLUGIN

    assert WITH_PLUGIN.actions is not None
    assert WITH_PLUGIN.actions <= {action.name for action in ACTIONS.values()}
    assert isinstance(session_of(BrowserConfig()), Session)
