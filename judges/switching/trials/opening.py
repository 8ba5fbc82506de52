"""Trials of opening a browser: options, a proxy with a login, and a login that is kept."""

from __future__ import annotations

from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler

from support.login_proxy import login_proxy

from judges.switching.stage import AGENT_BROWSER, DEVTOOLS, OWN, PLAYWRIGHT, Stage, answer
from judges.switching.trial import Facts, Trial

__all__ = ["LAUNCH", "PROXY", "RESTORE"]

AGENT = "Switcher/1.0"
WORKER = """fetch('/seen').then(() => postMessage([
    navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.userAgent]))"""


def serve_options(stage: Stage) -> None:
    stage.script("/worker.js", WORKER)
    headers = stage.facts["headers"] = []

    def seen(request: BaseHTTPRequestHandler) -> None:
        headers.append((request.headers["User-Agent"], request.headers["Accept-Language"]))
        answer(request, "{}")

    stage.site.pages["/seen"] = seen
    stage.page(
        "/options.html",
        """<script>
        fetch('/seen').then(() => tell('page', navigator.language, innerWidth,
            Intl.DateTimeFormat().resolvedOptions().timeZone));
        new Worker('/worker.js').onmessage = event => tell('worker', ...event.data);
        </script>""",
    )


def judge_options(stage: Stage) -> Facts:
    told = {words.split("/")[0]: words for words in stage.told}
    page, worker = told.get("page", ""), told.get("worker", "")
    headers = stage.facts["headers"]
    return {
        "both requests have the user agent": len(headers) == 2
        and all(agent == AGENT for agent, _ in headers),
        "both requests have the language": len(headers) == 2
        and all((language or "").startswith("de-AT") for _, language in headers),
        "the page has the language": "/de-AT/" in page,
        "the page is 900 pixels wide": "/900/" in page,
        "the page has the time zone": "Asia/Tokyo" in page,
        "the worker has the three": f"de-AT/Asia/Tokyo/{AGENT}" in worker,
    }


LAUNCH = Trial(
    "launch options",
    "user agent, language, time zone and window size from the first request on",
    serve_options,
    judge_options,
)


@LAUNCH.way(OWN)
async def _(stage: Stage) -> None:
    options = ["--user-agent", AGENT, "--locale", "de-AT", "--timezone", "Asia/Tokyo"]
    async with stage.tabwarden(*options, "--window-size", "900x700") as user:
        await user.call("browser_navigate", url=f"{stage.here}/options.html")
        await stage.hears("worker")


@LAUNCH.way(PLAYWRIGHT)
async def _(stage: Stage) -> None:
    options = {
        "userAgent": AGENT, "locale": "de-AT", "timezoneId": "Asia/Tokyo",
        "viewport": {"width": 900, "height": 700},
    }  # fmt: skip
    async with stage.playwright(contextOptions=options) as user:
        await user.call("browser_navigate", url=f"{stage.here}/options.html")
        await stage.hears("worker")


@LAUNCH.way(DEVTOOLS)
async def _(stage: Stage) -> None:
    async with stage.devtools("--chromeArg=--lang=de-AT", "--viewport=900x700") as user:
        await user.call("emulate", userAgent=AGENT, viewport="900x700x1")
        await user.call("navigate_page", url=f"{stage.here}/options.html", type="url")
        await stage.hears("worker")


@LAUNCH.way(AGENT_BROWSER)
async def _(stage: Stage) -> None:
    async with stage.agent_browser() as user:
        options = ["--user-agent", AGENT, "--args", "--no-sandbox,--lang=de-AT"]
        await user.run(*options, "open")
        await user.run("set", "viewport", "900", "700")
        await user.run("open", f"{stage.here}/options.html")
        await stage.hears("worker")


LOGIN = "ann:s3cret"
SHOP = "shop.test"


def serve_proxied(stage: Stage) -> None:
    stage.facts["proxy"] = stack = ExitStack()
    proxy = stage.facts["server"] = stack.enter_context(login_proxy(LOGIN))
    stage.facts["address"] = f"127.0.0.1:{proxy.port}"
    stage.facts["url"] = f"{stage.here.replace('127.0.0.1', SHOP)}/page.html"
    stage.page("/page.html", "<h1>Shop</h1><script>tell('host', location.hostname)</script>")


def judge_proxied(stage: Stage) -> Facts:
    served = stage.facts["server"].served()
    stage.facts["proxy"].close()
    return {
        "the page loaded": f"host/{SHOP}" in stage.told,
        "the proxy made the connection": any(SHOP in line for line in served),
    }


PROXY = Trial(
    "proxy with a login",
    "open a page through a proxy that asks for a user name and a password",
    serve_proxied,
    judge_proxied,
)


@PROXY.way(OWN)
async def _(stage: Stage) -> None:
    async with stage.tabwarden("--proxy", f"http://{LOGIN}@{stage.facts['address']}") as user:
        await user.call("browser_navigate", url=stage.facts["url"])


@PROXY.way(PLAYWRIGHT)
async def _(stage: Stage) -> None:
    name, _, password = LOGIN.partition(":")
    proxy = {"server": stage.facts["address"], "username": name, "password": password}
    async with stage.playwright(launchOptions={"proxy": proxy}) as user:
        await user.call("browser_navigate", url=stage.facts["url"])


@PROXY.way(DEVTOOLS)
async def _(stage: Stage) -> None:
    async with stage.devtools(f"--proxyServer=http://{LOGIN}@{stage.facts['address']}") as user:
        await user.call("navigate_page", url=stage.facts["url"], type="url", timeout=10_000)


@PROXY.way(AGENT_BROWSER)
async def _(stage: Stage) -> None:
    async with stage.agent_browser() as user:
        proxy = f"http://{LOGIN}@{stage.facts['address']}"
        await user.run("--proxy", proxy, "open", stage.facts["url"])


LOG_IN = """document.cookie = 'sid=1'; localStorage.sid = 1;
indexedDB.open('shop', 1).onupgradeneeded = ({target: {result: base, transaction}}) => {
    base.createObjectStore('login').put(1, 'sid'); transaction.oncomplete = () => tell('in')}"""
LOOK = """indexedDB.open('shop').onsuccess = ({target: {result: base}}) => tell('kept',
    document.cookie || 'no', localStorage.sid ? 'local' : 'no',
    base.objectStoreNames.contains('login') ? 'base' : 'no')"""
KEPT = {"sid=1": "the session cookie", "local": "localStorage", "base": "IndexedDB"}


def serve_login(stage: Stage) -> None:
    stage.page("/login.html", f'<button onclick="{LOG_IN}">Log in</button>')
    stage.page("/home.html", f"<h1>Home</h1><script>{LOOK}</script>")


def judge_login(stage: Stage) -> Facts:
    kept = next((words.split("/") for words in stage.told if words.startswith("kept/")), [])
    return {f"{words} came back": part in kept for part, words in KEPT.items()}


RESTORE = Trial(
    "keep a login",
    "log in, end the program, and be logged in the next time: cookie, localStorage, IndexedDB",
    serve_login,
    judge_login,
)


@RESTORE.way(OWN)
async def _(stage: Stage) -> None:
    async with stage.tabwarden("--restore", "shop") as user:
        await user.call("browser_navigate", url=f"{stage.here}/login.html", snapshot="full")
        await user.call("browser_click", ref=user.ref("Log in"))
        await stage.hears("in")
    async with stage.tabwarden("--restore", "shop") as user:
        await user.call("browser_navigate", url=f"{stage.here}/home.html")
        await stage.hears("kept")


@RESTORE.way(PLAYWRIGHT)
async def _(stage: Stage) -> None:
    async with stage.playwright("--caps=storage") as user:
        await user.call("browser_navigate", url=f"{stage.here}/login.html")
        await user.look_for("Log in", "browser_snapshot")
        await user.call("browser_click", target=user.ref("Log in"), element="Log in")
        await stage.hears("in")
        await user.call("browser_storage_state", filename="shop.json")
    async with stage.playwright(f"--storage-state={stage.folder}/shop.json") as user:
        await user.call("browser_navigate", url=f"{stage.here}/home.html")
        await stage.hears("kept")


@RESTORE.way(DEVTOOLS)
async def _(stage: Stage) -> None:
    kept = f"--userDataDir={stage.folder}/profile"
    async with stage.devtools(kept, profile=True) as user:
        await user.call("navigate_page", url=f"{stage.here}/login.html", type="url")
        await user.call("take_snapshot")
        await user.call("click", uid=user.ref("Log in"))
        await stage.hears("in")
    async with stage.devtools(kept, profile=True) as user:
        await user.call("navigate_page", url=f"{stage.here}/home.html", type="url")
        await stage.hears("kept")


@RESTORE.way(AGENT_BROWSER)
async def _(stage: Stage) -> None:
    async with stage.agent_browser() as user:
        await user.run("--restore", "shop", "open", f"{stage.here}/login.html")
        await user.run("snapshot", "-i")
        await user.run("click", f"@{user.ref('Log in')}")
        await stage.hears("in")
    async with stage.agent_browser() as user:
        await user.run("--restore", "shop", "open", f"{stage.here}/home.html")
        await stage.hears("kept")
