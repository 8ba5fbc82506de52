"""Trials of actions: waiting for a script, logging in with a secret, running a page's tool."""

from __future__ import annotations

import base64
import json
from http.server import BaseHTTPRequestHandler
from urllib.parse import quote

from judges.switching.stage import AGENT_BROWSER, DEVTOOLS, OWN, PLAYWRIGHT, Stage, answer
from judges.switching.trial import Facts, Trial

__all__ = ["PAGE_TOOLS", "SECRETS", "WAIT"]

LATE_S = 1.5


def serve_ready(stage: Stage) -> None:
    def ready(request: BaseHTTPRequestHandler) -> None:
        stage.note("ready")
        answer(request, "{}")

    stage.site.pages["/ready"] = ready
    stage.page("/start.html", "<script>setTimeout(() => location = '/app.html', 1_000)</script>")
    stage.page(
        "/app.html",
        "<script>setTimeout(() => fetch('/ready').then(() => window.ready = true), 1_000)</script>",
    )


def judge_ready(stage: Stage) -> Facts:
    ready, over = stage.facts.get("ready"), stage.facts.get("over", 0.0)
    return {
        "the wait ended after the page was ready": ready is not None and over > ready,
        f"it ended within {LATE_S} s of that": ready is not None and over - ready < LATE_S,
    }


WAIT = Trial(
    "wait for a script",
    "wait in one call until `window.ready` is true, while the page goes to another one",
    serve_ready,
    judge_ready,
    lacking={DEVTOOLS: "it waits only for text"},
)


@WAIT.way(OWN)
async def _(stage: Stage) -> None:
    async with stage.tabwarden() as user:
        await user.call("browser_navigate", url=f"{stage.here}/start.html")
        await user.call("browser_wait", script="window.ready === true")
        stage.note("over")


@WAIT.way(PLAYWRIGHT)
async def _(stage: Stage) -> None:
    async with stage.playwright() as user:
        await user.call("browser_navigate", url=f"{stage.here}/start.html")
        code = "async page => { await page.waitForFunction(() => window.ready === true) }"
        await user.call("browser_run_code_unsafe", code=code)
        stage.note("over")


@WAIT.way(AGENT_BROWSER)
async def _(stage: Stage) -> None:
    async with stage.agent_browser() as user:
        await user.run("open", f"{stage.here}/start.html")
        await user.run("wait", "--fn", "window.ready === true")
        stage.note("over")


PASSWORD = 'p@ss/w0rd "42"'
FORMS = (
    PASSWORD,
    PASSWORD.replace('"', '\\"'),
    quote(PASSWORD, safe=""),
    quote(PASSWORD),
    PASSWORD.replace('"', "&quot;"),
    base64.b64encode(PASSWORD.encode()).decode(),
)
LOG_IN = """
login.onclick = async () => {
    const data = JSON.stringify({user: user.value, password: secret.value});
    await fetch('/login', {method: 'POST', body: data});
    document.title = 'Hello ' + secret.value;
    hello.textContent = 'Your password is ' + secret.value;
    console.log('logged in with', secret.value);
    await fetch('/home?password=' + encodeURIComponent(secret.value));
    tell('in');
}"""


def serve_secret(stage: Stage) -> None:
    def log_in(request: BaseHTTPRequestHandler) -> None:
        data = request.rfile.read(int(request.headers["Content-Length"])).decode()
        stage.facts["sent"] = data
        answer(request, "{}")

    stage.site.pages["/login"] = log_in
    stage.page(
        "/login.html",
        f"""<label>User <input id=user name=username autocomplete=username></label>
        <label>Password <input id=secret type=password name=password></label>
        <button id=login type=submit>Log in</button><p id=hello></p><script>{LOG_IN}</script>""",
    )


def judge_secret(stage: Stage) -> Facts:
    return {
        "the server got the password": PASSWORD.replace('"', '\\"') in stage.facts.get("sent", ""),
        "no answer had it": not any(form in stage.text for form in FORMS),
    }


SECRETS = Trial(
    "log in with a secret",
    "log in with a password (with quotes, a slash and a space) that no answer shows: not the page, "
    "the console, the requests, the value of the field",
    serve_secret,
    judge_secret,
    lacking={DEVTOOLS: "it has no secrets"},
)
VALUE = "document.querySelector('#secret').value"


@SECRETS.way(OWN)
async def _(stage: Stage) -> None:
    config = {
        "browser": {"secrets": {"SHOP_PASSWORD": {"value": PASSWORD, "origins": [stage.here]}}}
    }
    flags = ["--tools", "logs", "--config", stage.write("tabwarden.yaml", config)]
    async with stage.tabwarden(*flags) as user:
        await user.call("browser_navigate", url=f"{stage.here}/login.html", snapshot="full")
        await user.call("browser_network")
        fields = {"User": "ann", "Password": "{{SHOP_PASSWORD}}"}
        filled = [{"ref": user.ref(f'"{name}"'), "value": to} for name, to in fields.items()]
        log_in = user.ref("Log in")
        await user.call("browser_fill_form", fields=filled)
        await user.call("browser_click", ref=log_in)
        await stage.hears("in")
        await user.call("browser_snapshot")
        await user.call("browser_evaluate", script=VALUE)
        await user.call("browser_console")
        await user.call("browser_network", url="*/login")
        await user.call("browser_network", request_id=user.found(r"\b(r-\d+).*/login\b"))


@SECRETS.way(PLAYWRIGHT)
async def _(stage: Stage) -> None:
    secrets = stage.write("secrets.env", f"SHOP_PASSWORD='{PASSWORD}'\n")
    async with stage.playwright(f"--secrets={secrets}") as user:
        await user.call("browser_navigate", url=f"{stage.here}/login.html")
        await user.look_for("Log in", "browser_snapshot")
        refs = {name: user.ref(name) for name in ('textbox "User"', 'textbox "Password"', "Log in")}
        user_ref, password, log_in = refs.values()
        await user.call("browser_type", target=user_ref, element="User", text="ann")
        await user.call("browser_type", target=password, element="Password", text="SHOP_PASSWORD")
        await user.call("browser_click", target=log_in, element="Log in")
        await stage.hears("in")
        await user.call("browser_snapshot")
        await user.call("browser_evaluate", function=f"() => {VALUE}")
        await user.call("browser_console_messages", level="info")
        await user.call("browser_network_requests", static=False)
        index = int(user.found(r"(?m)^(?:- )?\[?(\d+)[\].] .*/login\b(?!\.)"))
        await user.call("browser_network_request", index=index)


@SECRETS.way(AGENT_BROWSER)
async def _(stage: Stage) -> None:
    async with stage.agent_browser("auth", "network") as user:
        url = f"{stage.here}/login.html"
        vault = ["auth", "save", "shop", "--url", url, "--username", "ann", "--password-stdin"]
        await user.prepare(*vault, stdin=PASSWORD)
        await user.run("auth", "login", "shop")
        await stage.hears("in")
        await user.run("snapshot")
        await user.run("eval", VALUE)
        await user.run("console")
        await user.run("network", "requests")
        request = user.found(r"\[([\d.]+)\].*POST .*/login\b")
        await user.run("network", "request", request, "--json")


ADD = """document.modelContext?.registerTool({name: 'add_to_cart', description: 'Adds a product',
    inputSchema: {type: 'object', properties: {product: {type: 'string'},
        count: {type: 'number'}}, required: ['product', 'count']},
    execute: async ({product, count}) => {
        await tell('cart', product, count);
        return {content: [{type: 'text', text: 'Order CODE'}]}
    }})"""


def serve_tool(stage: Stage) -> None:
    code = stage.facts["code"] = f"order-{stage.nonce()}"
    stage.page("/shop.html", f"<h1>Shop</h1><script>{ADD.replace('CODE', code)}</script>")


PAGE_TOOLS = Trial(
    "run a tool of the page",
    "find the tool that a page offers (WebMCP), run it and read its result",
    serve_tool,
    lambda stage: {
        "the page's tool ran": "cart/tea/3" in stage.told,
        "its result was read": stage.facts["code"] in stage.text,
    },
)
INPUT = {"product": "tea", "count": 3}


@PAGE_TOOLS.way(OWN)
async def _(stage: Stage) -> None:
    async with stage.tabwarden() as user:  # the snapshot's hint lists the tool
        await user.call("browser_navigate", url=f"{stage.here}/shop.html", snapshot="full")
        await user.call("browser_page_tool", name="add_to_cart", arguments=INPUT)


@PAGE_TOOLS.way(PLAYWRIGHT)
async def _(stage: Stage) -> None:
    options = {"args": ["--enable-features=WebMCP"]}
    async with stage.playwright(launchOptions=options) as user:
        await user.call("browser_navigate", url=f"{stage.here}/shop.html")
        await user.call("webmcp_add_to_cart", **INPUT)  # a tool that is listed from now on


@PAGE_TOOLS.way(DEVTOOLS)
async def _(stage: Stage) -> None:
    flags = ["--categoryExperimentalWebmcp", "--chromeArg=--enable-features=WebMCP"]
    async with stage.devtools(*flags) as user:
        await user.call("navigate_page", url=f"{stage.here}/shop.html", type="url")
        await user.call("execute_webmcp_tool", toolName="add_to_cart", input=json.dumps(INPUT))


@PAGE_TOOLS.way(AGENT_BROWSER)
async def _(stage: Stage) -> None:
    async with stage.agent_browser() as user:
        await user.run("open", f"{stage.here}/shop.html")
        await user.run("webmcp", "list", "add_to_cart", "--json")
        await user.run("webmcp", "invoke", "add_to_cart", "--params", json.dumps(INPUT))
