"""The stock Camofox server that the other tests in this folder use."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from support.camofox import CamofoxServer, Engine, camofox_server, require_camofox
from support.site import Site


@pytest.fixture(params=["chromium", "firefox"])
def server(request: pytest.FixtureRequest) -> Iterator[CamofoxServer]:
    engine: Engine = request.param
    require_camofox(engine)
    with camofox_server(engine) as server:
        yield server


def test_stock_camofox_server_opens_a_tab_and_clicks_an_element(
    server: CamofoxServer, site: Site
) -> None:
    url = site.page("/", "<button onclick=\"document.title='Clicked'\">Press</button>")
    status, tab = server.ask("POST", "/tabs", {"userId": "ann", "sessionKey": "one", "url": url})
    assert status == 200, server.log()
    path = f"/tabs/{tab['tabId']}"
    _, shown = server.ask("GET", f"{path}/snapshot?userId=ann")
    found = re.search(r'button "Press" \[(e\d+)\]', shown["snapshot"])
    assert found, shown
    status, clicked = server.ask("POST", f"{path}/click", {"userId": "ann", "ref": found[1]})
    assert (status, clicked["ok"]) == (200, True)
    script = {"userId": "ann", "expression": "document.title"}
    assert server.ask("POST", f"{path}/evaluate", script) == (
        200,
        {"ok": True, "result": "Clicked"},
    )
    assert server.ask("GET", "/tabwarden")[0] == 404, "no plugin of ours in a stock server"
