"""``POST /hooks/dialog`` without an open dialog prepares the answer to the tab's next dialog."""

from __future__ import annotations

from browser.surfaces.http.client import Api
from support.site import Site

ASKS = '<button onclick="document.title = String({})">Ask</button>'


def test_next_dialog_gets_the_prepared_answer(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", ASKS.format("confirm('Sure?')")))
    ref = api.ref('"Ask"')
    armed = api.post("/hooks/dialog", accept=True)
    assert (armed["ok"], armed["armed"]) == (True, True)
    done = api.act("click", ref=ref)
    assert "blockedByDialog" not in done
    assert "prepared" in done["note"]
    assert api.value("document.title") == "true"
    again = api.act("click", ref=ref)  # one answer, one dialog
    assert again["blockedByDialog"] is True
    assert api.post("/hooks/dialog", accept=False)["closed"]["message"] == "Sure?"
    assert api.value("document.title") == "false"


def test_prompt_gets_the_prepared_text(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", ASKS.format("prompt('Name?')")))
    ref = api.ref('"Ask"')
    api.post("/hooks/dialog", accept=True, promptText=" Ada ")
    api.act("click", ref=ref)
    assert api.value("document.title") == "Ada"
    assert api.value("document.querySelector('title').textContent") == " Ada "


def test_prepared_answer_expires(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", ASKS.format("confirm('Sure?')")))
    ref = api.ref('"Ask"')
    api.post("/hooks/dialog", accept=True, timeoutMs=200)
    api.act("wait", timeMs=400)
    assert api.act("click", ref=ref)["blockedByDialog"] is True
    api.post("/hooks/dialog", accept=True)


def test_prepared_answer_applies_to_one_tab_only(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", ASKS.format("confirm('Sure?')")))
    ref = api.ref('"Ask"')
    asking = api.get("/tabs")["tabs"][0]["tabId"]
    other = api.post("/tabs/open")["tabId"]
    api.post("/hooks/dialog", accept=True, targetId=other)
    assert api.act("click", ref=ref, targetId=asking)["blockedByDialog"] is True
    api.post("/hooks/dialog", accept=True, targetId=asking)
