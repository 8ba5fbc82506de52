"""The overview also shows the tasks of the user's other servers."""

from __future__ import annotations

import pytest
from support.eventually import eventually
from support.site import Site
from support.watching import Agents, Watched, open_view

from tabwarden.surfaces.live.registry import Server
from tabwarden.sync import Browser


def see(viewer: Browser) -> str:
    return str(viewer.evaluate("document.body?.innerText").value)


@pytest.mark.long
def test_overview_shows_tasks_of_another_server_and_answers_their_dialogs(
    browser: Browser, agents: Agents, site: Site
) -> None:
    button = "<button onclick=\"document.title = String(confirm('Sure?'))\">Ask</button>"
    agents.call(agents.browser.goto(site.page("/", button, title="far away")))
    ref = agents.call(agents.browser.snapshot()).ref("Ask")
    with Watched(agents, {"far": agents.browser}) as far:

        async def others() -> list[Server]:
            return [far.live.server()]

        with Watched(agents, {"near": agents.browser}, others) as near:
            open_view(browser, near.link())
            eventually(lambda: "2 open" in see(browser))
            name = f"{far.live.id}.far"
            browser.evaluate(f"location.hash = '#/task/{name}'")
            shown = "document.querySelector('.stage canvas')?.dataset.number"
            eventually(lambda: browser.evaluate(shown).value)
            agents.call(agents.browser.click(ref))
            eventually(lambda: "Sure?" in see(browser))
            browser.click(browser.snapshot().ref("OK"))
            eventually(lambda: not agents.browser.state.pending_dialogs)
            assert agents.browser.state.recent_dialogs[-1].closed_by == "person"
            browser.evaluate("location.hash = '#/'")
            far_task = far.tasks.pop("far")
            eventually(lambda: "1 open" in see(browser))
            far.tasks["far"] = far_task


def test_read_only_link_stays_read_only_on_other_servers(browser: Browser, agents: Agents) -> None:
    with Watched(agents, {"far": agents.browser}) as far:

        async def others() -> list[Server]:
            return [far.live.server()]

        with Watched(agents, {"near": agents.browser}, others) as near:
            open_view(browser, near.link(read_only=True))
            browser.evaluate(f"location.hash = '#/task/{far.live.id}.far'")
            eventually(lambda: browser.evaluate("Boolean(document.querySelector('.stage'))").value)
            assert "Take control" not in see(browser)
