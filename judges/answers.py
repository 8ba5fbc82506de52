"""Record the answers of every tool, command and route on the demo's shop, to compare two versions.

    python judges/answers.py FOLDER --tabwarden .venv/bin/tabwarden

It runs the program ``tabwarden`` of one version and writes one file per conversation. Run it with
each version, then ``diff -r``. Values that always differ (ids, times, ports) are replaced.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

SHOP = Path(__file__).parent.parent / "src/tabwarden/demo/shop"
PORT, API_PORT = 18431, 18432
URL = f"http://127.0.0.1:{PORT}/"
VOLATILE = [
    (r"\b[0-9A-Fa-f]{32,64}\b", "ID"),
    (r"\b[0-9a-f]{8}-[0-9a-f-]{27}\b", "UUID"),
    (r"<(/?)page [0-9a-f]+>", r"<\1page MARK>"),
    (r"\b20\d\d-\d\d-\d\d[T ][\d:.]+(Z|\+00:00)?", "TIME"),
    (r"\b\d{10}\.\d+|\b1[789]\d{11}\b", "TIME"),
    (r"\b\d+(\.\d+)? ?(ms|kB|MB|s)\b", r"N \2"),
    (r'("\w*(ms|time|at|pid|bytes|heap|size|port|nodes|since|uptime)\w*": )[\d.]+', r"\1N"),
    (r"127\.0\.0\.1:(?!18431)\d+", "127.0.0.1:PORT"),
    (r"/tmp/[\w./-]+", "PATH"),
    (r"[\w./-]+/\.venv/bin/\w+", "PROGRAM"),
    (r"(frame |frame_id\W+)[0-9A-F]{8}\b", r"\1ID"),
    (r"process \d+", "process N"),
    (r"Chrom\w+/[\d.]+", "CHROMIUM"),
]
CONVERSATION: list[tuple[str, dict[str, Any]]] = [
    ("browser_open", {}),
    ("browser_navigate", {"url": URL}),
    ("browser_snapshot", {"mode": "full"}),
    ("browser_snapshot", {"mode": "fat"}),
    ("browser_find", {"role": "button"}),
    ("browser_click", {"ref": "role=button >> nth=0"}),
    ("browser_click", {"ref": 'role=button[name="Add to basket"]'}),
    ("browser_click", {"ref": "text=Basket", "count": 7}),
    ("browser_click", {"reff": "e1"}),
    ("browser_hover", {"ref": "css=h1"}),
    ("browser_scroll", {"direction": "down"}),
    ("browser_scrape", {}),
    ("browser_evaluate", {"script": "document.title"}),
    ("browser_evaluate", {"script": "throw new Error('no')"}),
    ("browser_inspect", {"ref": "css=h1"}),
    ("browser_console", {}),
    ("browser_network", {}),
    ("browser_tabs", {"action": "list"}),
    ("browser_tabs", {"action": "new", "url": URL + "checkout.html"}),
    ("browser_snapshot", {}),
    ("browser_fill_form", {"fields": [{"ref": "css=input", "value": "Ann"}]}),
    ("browser_type", {"ref": "css=input", "text": "Ann Lee"}),
    ("browser_press", {"key": "Tab"}),
    ("browser_press", {"key": "NoSuchKey"}),
    ("browser_select", {"ref": "css=select", "labels": ["Nowhere"]}),
    ("browser_check", {"ref": "css=input[type=checkbox]"}),
    ("browser_wait", {"text": "no such text", "timeout_ms": 300}),
    ("browser_evaluate", {"script": "setTimeout(() => alert('Hello'), 0)"}),
    ("browser_snapshot", {}),
    ("browser_click", {"ref": "css=input"}),
    ("browser_dialog", {"action": "accept"}),
    ("browser_dialog", {"action": "accept"}),
    ("browser_cookies", {"action": "list"}),
    ("browser_storage", {"action": "get"}),
    ("browser_clipboard", {"action": "write", "text": "copied"}),
    ("browser_resize", {"width": 900, "height": 700}),
    ("browser_emulate", {"color_scheme": "dark"}),
    ("browser_route", {"action": "list"}),
    ("browser_init_script", {"action": "list"}),
    ("browser_highlight", {"ref": "css=h1"}),
    ("browser_cdp", {"method": "Browser.close"}),
    ("browser_cdp", {"method": "Page.getLayoutMetrics"}),
    ("browser_batch", {"actions": [{"action": "press", "key": "Tab"}, {"action": "fly"}]}),
    ("browser_back", {}),
    ("browser_forward", {}),
    ("browser_reload", {}),
    ("browser_drag", {"ref": "css=h1", "to_ref": "css=input"}),
    ("browser_mouse", {"action": "move", "x": 5, "y": 5}),
    ("browser_choose", {"choice": "x"}),
    ("browser_auth", {"action": "cancel"}),
    ("browser_permission", {"action": "list"}),
    ("browser_page_tool", {"name": "none"}),
    ("browser_memory", {"action": "usage"}),
    ("browser_close", {}),
    ("browser_click", {"ref": "e1"}),
]
DIALECTS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "operator": [
        ("browser", {"action": "open"}), ("browser", {"action": "goto", "url": URL}),
        ("browser", {"action": "scroll", "direction": "down"}), ("browser", {"action": "fly"}),
        ("browser", {"action": "close"}),
    ],
    "hermes": [
        ("browser_navigate", {"url": URL}), ("browser_snapshot", {"full": True}),
        ("browser_console", {"expression": "1+1"}), ("browser_dialog", {"action": "accept"}),
    ],
    "openclaw": [
        ("browser", {"action": "start"}), ("browser", {"action": "open", "url": URL}),
        ("browser", {"action": "snapshot"}), ("browser", {"action": "act", "kind": "fly"}),
        ("browser", {"action": "act", "request": {"kind": "press", "key": "Tab"}}),
    ],
}  # fmt: skip
COMMANDS = [
    "open URL", "snapshot --full", "find --role button", "click css=h1", "type css=h1 x", "key Tab",
    "eval document.title", "status", "tab list", "tab open URLcheckout.html", "tab list", "console",
    "network", "wait --text nothing --timeout-ms 300", "cookies", "storage", "clik e1", "click",
    "goto file:///etc/passwd", "batch 'key Tab' 'key Tab'", "scrape", "--json status", "close",
    "status", "tools", "skill", "plugins list", "config show", "profiles list",
]  # fmt: skip
ROUTES: list[tuple[str, str, Any]] = [
    ("GET", "/", None),
    ("GET", "/openapi.json", None),
    ("POST", "/start", {}),
    ("POST", "/tabs/open", {"url": URL}),
    ("GET", "/tabs", None),
    ("GET", "/snapshot", None),
    ("POST", "/act", {"kind": "press", "key": "Tab"}),
    ("POST", "/act", {"kind": "fly"}),
    ("POST", "/act", {"kind": "click", "ref": "e999"}),
    ("POST", "/act", {"kind": "evaluate", "fn": "1+1"}),
    ("POST", "/navigate", {"url": URL + "checkout.html"}),
    ("GET", "/console", None),
    ("GET", "/requests", None),
    ("GET", "/cookies", None),
    ("GET", "/scrape", None),
    ("GET", "/storage/local", None),
    ("GET", "/control", None),
    ("GET", "/errors", None),
    ("POST", "/set/media", {"colorScheme": "dark"}),
    ("POST", "/set/device", {"name": "iPhnoe"}),
    ("POST", "/hooks/dialog", {"accept": True}),
    ("POST", "/highlight", {"ref": "css=h1"}),
    ("POST", "/tabs/action", {"action": "list"}),
    ("POST", "/cdp", {"method": "Browser.close"}),
    ("GET", "/profiles", None),
    ("GET", "/doctor", None),
    ("GET", "/nothing", None),
    ("POST", "/act", {"kind": "wait", "text": "x", "timeoutMs": 300}),
    ("GET", "/dialogs", None),
    ("GET", "/handoffs", None),
    ("GET", "/files/outputs", None),
    ("POST", "/stop", {}),
]


def plain(text: str) -> str:
    for pattern, word in VOLATILE:
        text = re.sub(pattern, word, text)
    return text


def over_mcp(
    program: str, options: list[str], calls: list[tuple[str, dict[str, Any]]]
) -> Iterable[str]:
    return asyncio.run(_over_mcp(program, options, calls))


async def _over_mcp(
    program: str, options: list[str], calls: list[tuple[str, dict[str, Any]]]
) -> list[str]:
    texts = []
    server = StdioServerParameters(command=program, args=["mcp", *options], env=dict(os.environ))
    async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
        hello = await session.initialize()
        texts.append(hello.model_dump_json(indent=1))
        listed = await session.list_tools()
        texts += [
            tool.model_dump_json(indent=1) for tool in sorted(listed.tools, key=lambda t: t.name)
        ]
        for name, arguments in calls:
            texts.append(f"=== {name} {json.dumps(arguments)}")
            answer = await session.call_tool(name, arguments)
            for part in answer.content:
                texts.append(getattr(part, "text", None) or f"({part.type})")
            texts.append(
                json.dumps(getattr(answer, "structuredContent", None), indent=1, sort_keys=True)
            )
    return texts


def over_shell(program: str) -> Iterator[str]:
    def run(words: str) -> str:
        done = subprocess.run(
            f"{program} {words}",
            shell=True,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return f"=== {words} -> {done.returncode}\n{done.stdout}{done.stderr}"

    top = run("--help")
    yield top
    others = top.partition("Other commands:")[2]
    for name in ["open", "click", "fill", "type", "snapshot", *re.findall(r"[a-z-]+", others)]:
        yield run(f"{name} --help")
    for words in COMMANDS:
        yield run(words.replace("URL", URL))


def over_http(program: str) -> Iterator[str]:
    server = subprocess.Popen(
        [program, "serve", "--port", str(API_PORT)], stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stderr is not None
        lines = iter(server.stderr.readline, "")
        files = (re.search(r"(/\S+token\S*)", line) for line in lines)
        token = Path(next(file[1] for file in files if file).rstrip(".,)")).read_text().strip()
        for method, path, body in ROUTES:
            request = urllib.request.Request(
                f"http://127.0.0.1:{API_PORT}{path}", method=method,
                data=None if body is None else json.dumps(body).encode(),
                headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
            )  # fmt: skip
            yield f"=== {method} {path} {body}\n{_answer(request)}"
    finally:
        server.terminate()
        server.wait()


def _answer(request: urllib.request.Request) -> str:
    for _ in range(100):
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                text = answer.read().decode()
        except urllib.error.HTTPError as error:
            text = f"{error.code} {error.read().decode()}"
        except urllib.error.URLError:
            time.sleep(0.1)
            continue
        try:
            return json.dumps(json.loads(text), indent=1, sort_keys=True)
        except ValueError:
            return text
    return "no answer"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tabwarden", default=shutil.which("tabwarden"))
    parser.add_argument("--only", nargs="*", default=[], help="names of conversations")
    options = parser.parse_args()
    options.tabwarden = os.path.abspath(options.tabwarden)
    options.folder = options.folder.absolute()
    options.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        cache = Path.home() / ".cache"
        os.environ.update(HOME=home, XDG_CACHE_HOME=str(cache), COLUMNS="100", NO_COLOR="1")
        os.chdir(home)
        handler = functools.partial(SimpleHTTPRequestHandler, directory=SHOP)
        handler.log_message = lambda *_: None  # type: ignore[attr-defined]
        shop = ThreadingHTTPServer(("127.0.0.1", PORT), handler)
        threading.Thread(target=shop.serve_forever, daemon=True).start()
        program = options.tabwarden
        conversations: dict[str, Callable[[], Iterable[str]]] = {
            "mcp": functools.partial(over_mcp, program, ["--tools", "full"], CONVERSATION),
            "mcp_core": functools.partial(over_mcp, program, [], []),
            "shell": functools.partial(over_shell, program),
            "http": functools.partial(over_http, program),
        }
        for name, calls in DIALECTS.items():
            options_of = ["--dialect", name]
            conversations[f"dialect_{name}"] = functools.partial(
                over_mcp, program, options_of, calls
            )
        for name in options.only or conversations:
            conversation = conversations[name]
            text = plain("\n".join(conversation()))
            (options.folder / f"{name}.txt").write_text(text, "utf-8")
            print(name, len(text))


if __name__ == "__main__":
    main()
