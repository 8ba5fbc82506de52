"""The cases: small programs of calls. Each must have the same outcomes wherever the browser is."""

from __future__ import annotations

from typing import Any

Step = tuple[str, dict[str, Any]]

SHOP = """<h1>Shop</h1>
<label>Name <input id=name></label>
<label><input type=checkbox id=agree> Agree</label>
<select aria-label=Size><option>S<option>M<option>L</select>
<button onclick="document.title = 'bought ' + document.querySelector('#name').value">Buy</button>
<button onclick="alert('sure?'); document.title = 'alerted'">Ask</button>
<button onclick="document.title = prompt('How many?', '1')">Count</button>
<button onclick="setTimeout(() => { while (true); }, 0)">Hang</button>
<button onclick="window.open('/popup')">Open</button>
<button disabled>Off</button>
<a href=/report.txt download>Report</a>
<input type=file aria-label=Picture onchange="document.title = this.files[0].name">
<div style="height: 3000px"></div><p>The end</p>"""

PAGES = {
    "/shop": SHOP,
    "/popup": "<h1>Popup</h1>",
    "/long": "".join(f"<p>Line {n} <button>B{n}</button>" for n in range(200)),
    "/frames": "<h1>Outer</h1><iframe src={there}/popup></iframe><iframe src=/shop></iframe>",
    "/framing-blocked": "<h1>Outer</h1><iframe src={blocked}/popup></iframe>",
    "/unload": "<h1>Form</h1><input aria-label=Text>"
    "<script>onbeforeunload = (event) => event.preventDefault()</script>",
    "/errors": "<h1>Errors</h1><script>console.error('first'); throw new Error('second')</script>",
}


def goto(path: str, **more: Any) -> Step:
    return "browser_navigate", {"url": "{here}" + path, **more}


def script(code: str, **more: Any) -> Step:
    return "browser_evaluate", {"script": code, **more}


SNAPSHOT: Step = ("browser_snapshot", {"full": True})
TITLE = script("document.title")

CASES: dict[str, list[Step]] = {
    "navigate": [goto("/shop"), SNAPSHOT, TITLE],
    "back and forward": [
        goto("/shop"), goto("/popup"), ("browser_back", {}), TITLE, ("browser_forward", {}),
        ("browser_forward", {}), ("browser_reload", {}), TITLE,
    ],
    "not a url": [("browser_navigate", {"url": "not a url at all"})],
    "unreachable": [("browser_navigate", {"url": "http://127.0.0.1:1/"})],
    "click and type": [
        goto("/shop"), SNAPSHOT, ("browser_type", {"ref": "e1", "text": "Ada"}),
        ("browser_click", {"ref": "e2"}), ("browser_click", {"ref": "e4"}), TITLE,
        ("browser_snapshot", {"diff": True}),
    ],
    "select": [
        goto("/shop"), SNAPSHOT, ("browser_select", {"ref": "e3", "labels": ["M"]}),
        ("browser_select", {"ref": "e3", "labels": ["XXL"]}),
        script("document.querySelector('select').value"),
    ],
    "unknown ref": [goto("/shop"), SNAPSHOT, ("browser_click", {"ref": "e99"})],
    "stale ref": [
        goto("/shop"), SNAPSHOT, script("document.querySelectorAll('button')[0].remove()"),
        ("browser_click", {"ref": "e4"}),
    ],
    "disabled": [goto("/shop"), SNAPSHOT, ("browser_click", {"ref": "e9", "timeout_ms": 1500})],
    "keys": [
        goto("/shop"), SNAPSHOT, ("browser_click", {"ref": "e1"}),
        ("browser_press", {"key": "a", "times": 3}), ("browser_press", {"key": "Backspace"}),
        ("browser_press", {"key": "Hyper+Q"}), script("document.querySelector('#name').value"),
    ],
    "scroll": [goto("/shop"), ("browser_scroll", {"amount": 700}), script("scrollY"),
               ("browser_scroll", {"direction": "sideways"})],
    "alert": [
        goto("/shop"), SNAPSHOT, ("browser_click", {"ref": "e5"}), TITLE, SNAPSHOT,
        ("browser_dialog", {"action": "accept"}), TITLE,
        ("browser_dialog", {"action": "accept"}),
    ],
    "prompt": [
        goto("/shop"), SNAPSHOT, ("browser_click", {"ref": "e6"}),
        ("browser_dialog", {"action": "accept", "prompt_text": "7"}), TITLE,
    ],
    "beforeunload": [
        goto("/unload"), SNAPSHOT, ("browser_type", {"ref": "e1", "text": "x"}), goto("/shop"),
        ("browser_dialog", {"action": "accept"}), ("browser_wait", {"text": "Shop"}), TITLE,
    ],
    "dialog of a script": [goto("/shop"), script("confirm('really?')"),
                           ("browser_dialog", {"action": "dismiss"})],
    "evaluate": [
        goto("/shop"), script("1 + 1"), script("({a: [1, null, 'x'], b: undefined})"),
        script("document.querySelector('#name')"), script("Promise.resolve(7)"),
        script("throw new TypeError('no')"), script("nope.nope"), script("return 3"),
        script("(() => { const a = 1; return a })()"), script("10n ** 20n"),
    ],
    "evaluate on a ref": [goto("/shop"), SNAPSHOT,
                          script("(element) => element.tagName", ref="e1")],
    "endless script": [goto("/shop"), script("while (true);", timeout_ms=1000), script("2 + 2")],
    "page that hangs": [
        goto("/shop"), SNAPSHOT, ("browser_click", {"ref": "e7", "timeout_ms": 3000}),
        ("browser_evaluate", {"script": "1", "timeout_ms": 8000}), goto("/popup"), SNAPSHOT,
    ],
    "never resolved": [goto("/shop"), script("new Promise(() => {})", timeout_ms=700), TITLE],
    "frames": [goto("/frames"), ("browser_wait", {"load_state": "load"}), SNAPSHOT,
               ("browser_click", {"ref": "e4"})],
    "popup": [
        goto("/shop"), SNAPSHOT, ("browser_click", {"ref": "e8"}),
        ("browser_wait", {"time_s": 0.5}), ("browser_tabs", {"mode": "list"}),
        ("browser_tabs", {"mode": "switch", "tab_index": 1}), TITLE,
        ("browser_tabs", {"mode": "close"}), ("browser_tabs", {"mode": "list"}),
    ],
    "tabs": [
        goto("/shop"), ("browser_tabs", {"mode": "open", "url": "{here}/popup"}), TITLE,
        ("browser_tabs", {"mode": "switch", "tab_index": 9}), ("browser_tabs", {"mode": "close"}),
        ("browser_tabs", {"mode": "list"}),
    ],
    "long page": [goto("/long"), ("browser_snapshot", {}),
                  ("browser_snapshot", {"max_chars": 500})],
    "wait": [
        goto("/shop"), ("browser_wait", {"text": "Shop"}),
        ("browser_wait", {"text": "never there", "timeout_ms": 500}),
        ("browser_wait", {"selector": "#name"}), ("browser_wait", {}),
    ],
    "scrape": [goto("/shop"), ("browser_scrape", {}), ("browser_scrape", {"format": "pdf"})],
    "screenshot": [goto("/shop"), ("browser_screenshot", {}),
                   ("browser_screenshot", {"full_page": True}),
                   ("browser_screenshot", {"ref": "e77"})],
    "console": [goto("/errors"), ("browser_console", {}), ("browser_console", {"clear": True}),
                ("browser_console", {})],
    "cookies": [
        goto("/shop"), script("document.cookie = 'user=ada; path=/'"),
        ("browser_cookies", {"mode": "get"}), ("browser_cookies", {"mode": "clear"}),
        script("document.cookie"),
    ],
    "storage": [
        goto("/shop"), ("browser_storage", {"mode": "set", "key": "cart", "value": "3"}),
        script("localStorage.cart"), ("browser_storage", {"mode": "get"}),
    ],
    "storage state": [
        goto("/shop"), script("document.cookie = 'user=ada; max-age=9999; path=/'"),
        script("localStorage.cart = '3'"), ("browser_storage_state", {"mode": "save",
                                                                      "filename": "login.json"}),
        script("localStorage.clear()"), ("browser_cookies", {"mode": "clear"}),
        ("browser_storage_state", {"mode": "load", "filename": "login.json"}),
        script("document.cookie + localStorage.cart"),
        ("browser_storage_state", {"mode": "load", "filename": "../secret.json"}),
    ],
    "upload": [
        goto("/shop"), SNAPSHOT, ("browser_upload", {"ref": "e11", "filenames": ["note.txt"]}),
        TITLE, script("document.querySelector('[type=file]').files[0].text()"),
        ("browser_upload", {"ref": "e11", "filenames": ["missing.txt"]}),
        ("browser_upload", {"ref": "e11", "filenames": ["../../etc/passwd"]}),
    ],
    "download a url": [goto("/shop"), ("browser_download", {"url": "{here}/report.txt"}),
                       ("browser_download", {"url": "{here}/report.txt", "filename": "../x"})],
    "download by a click": [goto("/shop"), SNAPSHOT, ("browser_click", {"ref": "e10"}),
                            ("browser_wait", {"time_s": 1.0}), SNAPSHOT],
    "network policy": [goto("/framing-blocked"), ("browser_wait", {"time_s": 0.3}), SNAPSHOT,
                       ("browser_navigate", {"url": "{blocked}/popup"}),
                       ("browser_navigate", {"url": "http://169.254.169.254/"}),
                       ("browser_navigate", {"url": "file:///etc/passwd"})],
    "fill a form": [
        goto("/shop"), SNAPSHOT,
        ("browser_fill_form", {"fields": [{"ref": "e1", "value": "Ada"},
                                          {"ref": "e2", "value": True},
                                          {"ref": "e3", "value": "L"}]}),
        script("[document.querySelector('#name').value, document.querySelector('#agree').checked]"),
    ],
    "batch": [
        goto("/shop"), SNAPSHOT,
        ("browser_batch", {"calls": [
            {"tool": "browser_type", "arguments": {"ref": "e1", "text": "Bob"}},
            {"tool": "browser_click", "arguments": {"ref": "e4"}},
            {"tool": "browser_click", "arguments": {"ref": "e99"}},
        ]}),
        TITLE,
    ],
    "raw cdp": [goto("/shop"), ("browser_cdp", {"method": "Page.getLayoutMetrics", "params": 1}),
                ("browser_cdp", {"method": "No.such"})],
    "emulate": [goto("/shop"), ("browser_resize", {"width": 500, "height": 400}),
                script("[innerWidth, innerHeight]")],
    "bad input": [
        ("browser_click", {}), ("browser_click", {"ref": 7}), ("browser_click", {"what": 1}),
        ("browser_navigate", {"url": "{here}/shop", "timeout_ms": -1}), ("browser_nope", {}),
    ],
    "find": [goto("/shop"), ("browser_find", {"query": "Buy"}), ("browser_find", {"query": "zzz"})],
    "close and open again": [goto("/shop"), ("browser_close", {}), ("browser_close", {}),
                             goto("/popup"), TITLE, SNAPSHOT],
    "open twice": [goto("/shop"), ("browser_open", {}), ("browser_disconnect", {}), TITLE],
}  # fmt: skip
