"""Attacks on the live view by pages, programs and hostile viewers."""

from __future__ import annotations

import asyncio
import json
import threading
import urllib.error
import urllib.request
from contextlib import suppress
from typing import Any

import httpx2
import pytest
from support.eventually import eventually
from support.site import Site
from support.watching import Agents, RawViewer, Watched, open_view
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tabwarden.errors import JsError
from tabwarden.surfaces.live.live import Scope
from tabwarden.sync import Browser

TRIES = """async ([url, token]) => {
  const asked = async (path, about) => {
    try {
      const answer = await fetch(url + path, { credentials: "include", ...about });
      return answer.type === "opaque" ? "opaque" : `${answer.status}`;
    } catch { return "refused"; }
  };
  const body = JSON.stringify({ token });
  const entered = await asked("/live/enter", { method: "POST", mode: "no-cors", body });
  const read = await asked("/live/enter", { method: "POST", body });
  const socket = await new Promise((done) => {
    const socket = new WebSocket(url.replace("http", "ws") + "/live/socket");
    socket.onopen = () => done("open");
    socket.onerror = () => done("refused");
  });
  const frame = document.createElement("iframe");
  frame.src = url + "/live/";
  document.body.append(frame);
  await new Promise((done) => (frame.onload = done));
  let framed = "refused";
  try { if (frame.contentDocument) framed = frame.contentDocument.title; } catch { }
  return [entered, read, socket, framed];
}"""


def posted(url: str, body: Any, **headers: str) -> int:
    request = urllib.request.Request(url, json.dumps(body).encode(), headers=headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


def opened(watched: Watched, cookie: str = "") -> ClientConnection:
    """Open the WebSocket like the view's own page."""
    return connect(
        f"{watched.url.replace('http', 'ws')}/live/socket",
        additional_headers={"Cookie": cookie, "Origin": watched.url},
        compression=None,
        proxy=None,
    )


def entered(watched: Watched, scope: Scope) -> ClientConnection:
    """Open the WebSocket with a new link."""
    login = watched.live.links.enter(watched.live.links.create(scope))
    assert login is not None
    socket = opened(watched, f"tabwarden_live_{watched.live.id}={login.cookie}")
    socket.send(json.dumps({"type": "hello", "key": login.key}))
    return socket


@pytest.mark.threat
@pytest.mark.parametrize("where", ["here", "there"])
def test_page_on_another_site_cannot_read_the_live_view_or_its_websocket(
    browser: Browser, watched: Watched, site: Site, where: str
) -> None:
    open_view(browser, watched.link())  # the browser now has the view's cookie
    link = watched.link()
    origin = getattr(site, where)  # another port of this host, and another host
    browser.goto(site.page("/evil", "evil").replace(site.here, origin))
    tried = browser.evaluate(TRIES, args=[[watched.url, link.partition("#")[2]]]).value
    assert tried[1:3] == ["refused", "refused"]
    assert tried[3] != "Tabwarden"
    open_view(browser, link)  # the link still works: no other client could use it up
    eventually(lambda: "1 open" in str(browser.evaluate("document.body.innerText").value))


@pytest.mark.threat
def test_stolen_cookie_alone_does_not_open_the_websocket(watched: Watched) -> None:
    view = watched.live.links.enter(watched.live.links.create(Scope()))
    assert view is not None
    own = {"Cookie": f"tabwarden_live_{watched.live.id}={view.cookie}", "Origin": watched.url}
    where = f"{watched.url.replace('http', 'ws')}/live/socket"
    for key, is_right in (("wrong", False), (view.key, True)):
        with connect(where, additional_headers=own, compression=None, proxy=None) as socket:
            socket.send(json.dumps({"type": "hello", "key": key}))
            if is_right:
                assert json.loads(socket.recv(60))["type"] == "tasks"
            else:
                with pytest.raises(ConnectionClosed):
                    socket.recv(60)
                assert socket.close_code == 4401
    with pytest.raises(InvalidStatus):  # without the page's origin, no socket opens at all
        connect(where, additional_headers={"Cookie": own["Cookie"]}, proxy=None)


@pytest.mark.threat
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer guessed"}, 401),
        ({"Authorization": "Bearer {key}", "Host": "evil.example"}, 403),
        ({"Authorization": "Bearer {key}", "Origin": "http://evil.example"}, 403),
        ({"Authorization": "Bearer {key}"}, 200),
    ],
)
def test_link_route_requires_the_server_token(
    watched: Watched, headers: dict[str, str], status: int
) -> None:
    told = {name: value.format(key=watched.live.key) for name, value in headers.items()}
    assert posted(f"{watched.url}/live/links", {}, **told) == status


@pytest.mark.threat
@pytest.mark.parametrize("path", ["links", "enter"])
@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b'"x"', b"\xff", b"[" * 4000, b"x" * 5000, b"{} {}"],
    ids=["nothing", "half", "list", "null", "text", "no UTF-8", "deep", "long", "two"],
)
def test_live_view_rejects_a_body_that_is_not_a_json_object(
    watched: Watched, path: str, body: bytes
) -> None:
    own = {"Authorization": f"Bearer {watched.live.key}", "Origin": watched.url}
    answer = httpx2.post(
        f"{watched.url}/live/{path}", content=body, headers=own, trust_env=False, timeout=60
    )
    assert answer.status_code == 400
    assert "url" not in answer.json()


@pytest.mark.threat
def test_link_for_one_task_does_not_show_another_task(
    browser: Browser, watched: Watched, agents: Agents
) -> None:
    watched.tasks["other"] = watched.tasks["agent"]
    open_view(browser, watched.link(task="agent"))
    browser.evaluate(f"location.hash = '#/task/{watched.live.id}.other'")
    eventually(lambda: "has ended" in str(browser.evaluate("document.body.innerText").value))


@pytest.mark.threat
def test_live_view_page_loads_only_files_from_its_server(
    browser: Browser, watched: Watched
) -> None:
    open_view(browser, watched.link())
    for script in (
        "document.body.innerHTML = '<img src=x>'",
        "document.createElement('script').src = 'https://evil.example/a.js'",
        "new Worker('data:,')",
    ):
        with pytest.raises(JsError):
            browser.evaluate(script)
    sent = "fetch('{}').then(() => 'sent', () => 'refused')"
    assert browser.evaluate(sent.format("https://evil.example/")).value == "refused"
    with urllib.request.urlopen(f"{watched.url}/live/") as page:
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert page.headers["referrer-policy"] == "no-referrer"


@pytest.mark.threat
def test_live_view_upload_is_saved_only_in_its_folder_and_deleted_later(
    watched: Watched, agents: Agents
) -> None:
    viewer, name = RawViewer(watched), f"{watched.live.id}.agent"
    viewer.until(lambda told: told.get("task") == name)
    viewer.send({"type": "file", "task": name, "upload": "u", "name": "../../../evil\u0000.txt"})
    viewer.send_part({"task": name, "upload": "u"}, b"x" * 1000)
    viewer.send_part({"task": name, "upload": "nobody's"}, b"x")
    viewer.send({"type": "call", "task": name, "number": 1})
    viewer.until(lambda told: told["type"] == "call")
    root = watched.live.uploads._root
    assert root is not None
    files = [path for path in root.rglob("*") if path.is_file()]
    assert [path.name for path in files] == ["evil.txt"]
    assert [path.stat().st_size for path in files] == [1000]
    assert root.stat().st_mode & 0o077 == 0
    viewer.close()
    eventually(lambda: not any(root.iterdir()))


@pytest.mark.threat
def test_live_view_distinguishes_two_people_with_the_same_name(
    watched: Watched, agents: Agents
) -> None:
    name, control = f"{watched.live.id}.agent", agents.browser.control
    first, second = RawViewer(watched, name="Ann"), RawViewer(watched, name="Ann")
    for viewer in (first, second):
        viewer.until(lambda told: told.get("task") == name)

    def tries(viewer: RawViewer, what: str) -> str:
        viewer.send({"type": "control", "task": name, "what": what, "asked": what})
        told = viewer.until(lambda told: told["type"] in ("done", "refused"))
        return str(told["type"])

    assert tries(first, "take") == "done"
    held = control.holder
    assert held is not None
    assert tries(second, "take") == "refused"
    tries(second, "release")
    tries(second, "here")
    second.send({"type": "input", "task": name, "events": [{"kind": "paste", "text": "x"}]})
    answer = {"type": "answer", "kind": "handoff", "accept": True, "id": "h-1", "task": name}
    second.send(answer)
    second.until(lambda told: told["type"] == "refused")
    assert control.holder == held
    assert tries(first, "release") == "done"
    assert control.holder is None


@pytest.mark.threat
def test_reconnected_live_view_counts_as_the_same_person(watched: Watched, agents: Agents) -> None:
    live, control = watched.live, agents.browser.control
    ann = live.links.enter(live.links.create(Scope(name="Ann")))
    other = live.links.enter(live.links.create(Scope(name="Ann")))
    assert ann is not None
    assert other is not None
    who = live.links.person_of(ann.cookie)
    assert who == live.links.person_of(ann.cookie) != live.links.person_of(other.cookie)
    control.take("Ann", who)
    assert control.is_held_by("Ann", who)
    assert control.take("Ann", who) == control.holder
    assert not control.is_held_by("Ann", live.links.person_of(other.cookie))
    assert not control.is_held_by("Ann")


@pytest.mark.threat
def test_live_view_ignores_malformed_messages(watched: Watched) -> None:
    viewer, name = RawViewer(watched), f"{watched.live.id}.agent"
    viewer.until(lambda told: told.get("task") == name)
    viewer.send({"type": "control", "task": name, "what": "take"})
    for odd in (
        {"type": "watch", "parts": 5},
        {"type": "watch", "parts": None},
        {"type": "input", "events": 5},
        {"type": "input", "events": [5]},
        {"type": "answer", "kind": ["dialog"]},
        {"type": "file", "upload": "u", "name": "\ud800"},
    ):
        viewer.send({"task": name, **odd})
    for deep in ("[" * 100_000, "\0\0\4\0" + "[" * 1024):
        viewer.send_raw(deep)
        viewer.send_raw(deep.encode())
    viewer.send({"type": "call", "task": name, "number": -1})
    viewer.until(lambda told: told["type"] == "call")  # the connection stays open
    viewer.close()


@pytest.mark.threat
def test_server_does_not_accumulate_asyncio_tasks_if_a_viewer_floods_it(
    watched: Watched, agents: Agents, site: Site
) -> None:
    agents.call(agents.browser.goto(site.page("/", "<button>x</button>" * 500)))
    agents.call(agents.browser.snapshot())
    viewer, name = RawViewer(watched, read_only=True), f"{watched.live.id}.agent"
    viewer.until(lambda told: told.get("task") == name)
    tab_id = agents.browser.state.active_tab_id

    def ask() -> None:
        try:
            for _ in range(5000):
                viewer.send({"type": "boxes", "task": name, "tab_id": tab_id})
        except ConnectionClosed:
            pass

    asking = threading.Thread(target=ask)
    asking.start()
    most = 0
    for _ in range(30):
        viewer.until(lambda told: told["type"] == "boxes")
        most = max(most, len(asyncio.all_tasks(agents.loop)))
    viewer.close()
    asking.join()
    assert most < 50


@pytest.mark.threat
def test_unauthenticated_connections_cannot_use_up_the_viewer_slots(watched: Watched) -> None:
    strangers = []
    for _ in range(60):  # they send nothing
        with suppress(InvalidStatus):
            strangers.append(opened(watched))
    assert len(strangers) == 50
    with pytest.raises(ConnectionClosed):
        strangers[0].recv(60)
    assert strangers[0].close_code == 4401
    person = entered(watched, Scope())
    assert json.loads(person.recv(60))["type"] == "tasks"
    for socket in (*strangers, person):
        socket.close()


@pytest.mark.threat
def test_live_view_limits_the_number_of_viewers_per_tenant(watched: Watched) -> None:
    viewers = [entered(watched, Scope(tenant="acme")) for _ in range(20)]
    for viewer in viewers:
        assert json.loads(viewer.recv(60))["type"] == "tasks"
    one_more = entered(watched, Scope(tenant="acme"))
    with pytest.raises(ConnectionClosed):
        one_more.recv(60)
    assert one_more.close_code == 1013  # try again later
    viewers += [entered(watched, Scope(tenant="other")), entered(watched, Scope())]
    for viewer in viewers[-2:]:
        assert json.loads(viewer.recv(60))["type"] == "tasks"
    for viewer in viewers:
        viewer.close()


@pytest.mark.threat
def test_viewer_limited_to_one_task_sees_no_other_task(watched: Watched) -> None:
    watched.tasks["other"] = watched.tasks["agent"]
    viewer = RawViewer(watched, task="agent")
    listed = viewer.until(lambda told: told["type"] == "tasks")
    assert listed["tasks"] == [f"{watched.live.id}.agent"]
    viewer.close()
