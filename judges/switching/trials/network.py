"""Trials of requests: mocking, scripts that run first, full details, and HAR files."""

from __future__ import annotations

import json
from contextlib import suppress
from http.server import BaseHTTPRequestHandler

from judges.switching.stage import AGENT_BROWSER, DEVTOOLS, OWN, PLAYWRIGHT, Stage, answer
from judges.switching.trial import Facts, Trial

__all__ = ["HAR", "INIT_SCRIPT", "MOCK", "REQUEST"]

ANN = '{"name": "Ann"}'
ASK = "fetch('/api/user').then(got => got.json()).then(user => tell('{where}', user.name))"


def serve_user(stage: Stage) -> None:
    ask = {where: ASK.replace("{where}", where) for where in ("page", "popup")}
    worker = "fetch('/api/user').then(got => got.json()).then(user => postMessage(user.name))"
    stage.site.pages["/api/user"] = lambda request: answer(request, '{"name": "server"}')
    stage.script("/worker.js", worker)
    stage.page("/popup.html", f"<script>{ask['popup']}</script>")
    stage.page(
        "/shop.html",
        f"""<button onclick="window.open('/popup.html')">Open</button><script>{ask["page"]};
        new Worker('/worker.js').onmessage = event => tell('worker', event.data)</script>""",
    )


def judge_user(stage: Stage) -> Facts:
    facts = {f"the {one} got it": f"{one}/Ann" in stage.told for one in ("page", "worker", "popup")}
    return {**facts, "the server was not asked": "/api/user" not in stage.site.hits}


MOCK = Trial(
    "mock a request",
    "answer an API's request with a text of its own: in the page, its worker and its popup",
    serve_user,
    judge_user,
    lacking={DEVTOOLS: "it only blocks requests"},
)


@MOCK.way(OWN)
async def _(stage: Stage) -> None:
    async with stage.tabwarden("--tools", "network") as user:
        await user.call("browser_route", url="**/api/user", body=ANN)
        await user.call("browser_navigate", url=f"{stage.here}/shop.html", snapshot="full")
        await user.call("browser_click", ref=user.ref("Open"))
        await stage.hears("popup/")


@MOCK.way(PLAYWRIGHT)
async def _(stage: Stage) -> None:
    async with stage.playwright("--caps=network") as user:
        await user.call(
            "browser_route", pattern="**/api/user", body=ANN, contentType="application/json"
        )
        await user.call("browser_navigate", url=f"{stage.here}/shop.html")
        await user.look_for("Open", "browser_snapshot")
        await user.call("browser_click", target=user.ref("Open"), element="Open")
        await stage.hears("popup/")


@MOCK.way(AGENT_BROWSER)
async def _(stage: Stage) -> None:
    async with stage.agent_browser("network") as user:
        await user.run("open")
        await user.run("network", "route", "**/api/user", "--body", ANN)
        await user.run("open", f"{stage.here}/shop.html")
        await user.run("snapshot", "-i")
        await user.run("click", f"@{user.ref('Open')}")
        await stage.hears("popup/")


FLAG = "window.flag = 'set'"


def serve_flag(stage: Stage) -> None:
    say = "<script>tell('{where}', window.flag)</script>"
    for where in ("frame", "popup"):
        stage.page(f"/{where}.html", say.replace("{where}", where))
    stage.page(
        "/first.html",
        f"""{say.replace("{where}", "page")}<iframe src="{stage.site.there}/frame.html"></iframe>
        <button onclick="window.open('/popup.html')">Open</button>""",
    )


INIT_SCRIPT = Trial(
    "init script",
    "run a script before the first one of every page: the page, a frame of another site, a popup",
    serve_flag,
    lambda stage: {
        f"it ran in the {one}": f"{one}/set" in stage.told for one in ("page", "frame", "popup")
    },
)


@INIT_SCRIPT.way(OWN)
async def _(stage: Stage) -> None:
    async with stage.tabwarden("--tools", "network") as user:
        await user.call("browser_init_script", script=FLAG)
        await user.call("browser_navigate", url=f"{stage.here}/first.html", snapshot="full")
        await user.call("browser_click", ref=user.ref("Open"))
        await stage.hears("popup/")


@INIT_SCRIPT.way(PLAYWRIGHT)
async def _(stage: Stage) -> None:
    async with stage.playwright(f"--init-script={stage.write('init.js', FLAG)}") as user:
        await user.call("browser_navigate", url=f"{stage.here}/first.html")
        await user.look_for("Open", "browser_snapshot")
        await user.call("browser_click", target=user.ref("Open"), element="Open")
        await stage.hears("popup/")


@INIT_SCRIPT.way(DEVTOOLS)
async def _(stage: Stage) -> None:
    async with stage.devtools() as user:
        url = f"{stage.here}/first.html"
        await user.call("navigate_page", url=url, type="url", initScript=FLAG)
        await user.call("take_snapshot")
        await user.call("click", uid=user.ref("Open"))
        await stage.hears("popup/")


@INIT_SCRIPT.way(AGENT_BROWSER)
async def _(stage: Stage) -> None:
    async with stage.agent_browser() as user:
        script = stage.write("init.js", FLAG)
        await user.run("--init-script", script, "open", f"{stage.here}/first.html")
        await user.run("snapshot", "-i")
        await user.run("click", f"@{user.ref('Open')}")
        await stage.hears("popup/")


def serve_order(stage: Stage) -> None:
    codes = {name: f"{name}-{stage.nonce()}" for name in ("sent", "data", "received", "body")}
    stage.facts["codes"] = codes

    def order(request: BaseHTTPRequestHandler) -> None:
        request.rfile.read(int(request.headers["Content-Length"]))
        receipt = json.dumps({"receipt": codes["body"]})
        answer(request, receipt, headers={"X-Server": codes["received"]})

    stage.site.pages["/order"] = order
    stage.page(
        "/order.html",
        f"""<button onclick="fetch('/order', {{method: 'POST', headers: {{'X-Client':
        '{codes["sent"]}'}}, body: '{{&quot;item&quot;: &quot;{codes["data"]}&quot;}}'}})
        .then(got => got.text()).then(() => tell('ordered'))">Send</button>""",
    )


PARTS = {
    "sent": "a request header",
    "data": "the data sent",
    "received": "a response header",
    "body": "the response",
}
REQUEST = Trial(
    "read a request in full",
    "the headers both ways, the data sent and the response of one request",
    serve_order,
    lambda stage: {
        f"{words} was read": stage.facts["codes"][part] in stage.text
        for part, words in PARTS.items()
    },
)


@REQUEST.way(OWN)
async def _(stage: Stage) -> None:
    async with stage.tabwarden("--tools", "logs") as user:
        await user.call("browser_navigate", url=f"{stage.here}/order.html", snapshot="full")
        await user.call("browser_network")
        await user.call("browser_click", ref=user.ref("Send"))
        await stage.hears("ordered")
        await user.call("browser_network", url="*/order")
        await user.call("browser_network", request_id=user.found(r"\b(r-\d+).*/order\b"))


@REQUEST.way(PLAYWRIGHT)
async def _(stage: Stage) -> None:
    async with stage.playwright() as user:
        await user.call("browser_navigate", url=f"{stage.here}/order.html")
        await user.look_for("Send", "browser_snapshot")
        await user.call("browser_click", target=user.ref("Send"), element="Send")
        await stage.hears("ordered")
        await user.call("browser_network_requests", static=False, filter="/order$")
        index = int(user.found(r"(?m)^(?:- )?\[?(\d+)[\].] .*/order\b"))
        await user.call("browser_network_request", index=index)
        for part in ("request-body", "response-body"):  # as its answer says
            await user.call("browser_network_request", index=index, part=part)


@REQUEST.way(DEVTOOLS)
async def _(stage: Stage) -> None:
    async with stage.devtools() as user:
        await user.call("navigate_page", url=f"{stage.here}/order.html", type="url")
        await user.call("take_snapshot")
        await user.call("click", uid=user.ref("Send"))
        await stage.hears("ordered")
        await user.call("list_network_requests", resourceTypes=["fetch"])
        await user.call("get_network_request", reqid=int(user.found(r"reqid=(\d+) .*/order\b")))


@REQUEST.way(AGENT_BROWSER)
async def _(stage: Stage) -> None:
    async with stage.agent_browser("network") as user:
        await user.run("open", f"{stage.here}/order.html")
        await user.run("snapshot", "-i")
        await user.run("click", f"@{user.ref('Send')}")
        await stage.hears("ordered")
        await user.run("network", "requests", "--filter", "/order")
        request = user.found(r"\[([\d.]+)\].*POST .*/order\b")
        await user.run("network", "request", request, "--json")  # without it, only the URL


def judge_har(stage: Stage) -> Facts:
    codes, found = stage.facts["codes"], set()
    for path in stage.folder.rglob("*.har"):
        with suppress(ValueError, KeyError):
            for entry in json.loads(path.read_text())["log"]["entries"]:
                if entry["request"]["method"] != "POST":
                    continue
                parts = {
                    "sent": entry["request"]["headers"],
                    "data": entry["request"].get("postData"),
                    "received": entry["response"]["headers"],
                    "body": entry["response"]["content"],
                }
                found |= {name for name, part in parts.items() if codes[name] in json.dumps(part)}
    return {f"{words} is in the file": part in found for part, words in PARTS.items()}


HAR = Trial(
    "write a HAR file",
    "a HAR file with the headers, the data and the responses",
    serve_order,
    judge_har,
    lacking={DEVTOOLS: "it writes none"},
)


@HAR.way(OWN)
async def _(stage: Stage) -> None:
    async with stage.tabwarden("--tools", "logs", f"--output-dir={stage.folder}") as user:
        await user.call("browser_navigate", url=f"{stage.here}/order.html", snapshot="full")
        await user.call("browser_network")
        await user.call("browser_click", ref=user.ref("Send"))
        await stage.hears("ordered")
        await user.call("browser_network", filename="order.har", content="embed")


@HAR.way(PLAYWRIGHT)
async def _(stage: Stage) -> None:
    har = {"path": f"{stage.folder}/order.har", "content": "embed"}
    async with stage.playwright(contextOptions={"recordHar": har}) as user:
        await user.call("browser_navigate", url=f"{stage.here}/order.html")
        await user.look_for("Send", "browser_snapshot")
        await user.call("browser_click", target=user.ref("Send"), element="Send")
        await stage.hears("ordered")
        await user.call("browser_close")


@HAR.way(AGENT_BROWSER)
async def _(stage: Stage) -> None:
    async with stage.agent_browser("network") as user:
        await user.run("open", f"{stage.here}/order.html")
        await user.run("network", "har", "start")
        await user.run("snapshot", "-i")
        await user.run("click", f"@{user.ref('Send')}")
        await stage.hears("ordered")
        await user.run("network", "har", "stop", "order.har")
