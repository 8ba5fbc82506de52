"""Elements that have only a framework's click listener: in a list, a portal and a shadow root."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from support.applications import bundle, npm_packages
from support.reading import body
from support.site import Site

from tabwarden.sync import Browser

pytestmark = pytest.mark.long

SOURCES = Path(__file__).with_name("frameworks")
PAGE = """<main id=app></main><footer id=aside></footer><div id=host></div><script>
const inner = document.createElement("div");
host.attachShadow({ mode: "open" }).append(inner);
const rows = ["Like", "Reply", "Share"];
const act = (name) => () => { document.title = name };
</script><script src=/script.js></script>"""
"""A framework draws rows in a list in #app, "Aside" in #aside and "Inside" in the shadow root."""
NAMES = ["Like", "Reply", "Share", "Aside", "Inside"]


def react(version: str, source: str) -> tuple[str, ...]:
    return (source, f"react@{version}", f"react-dom@{version}")


FRAMEWORKS = {
    "react 16": react("16.14.0", "react_16.jsx"),
    "react 17": react("17.0.2", "react_16.jsx"),
    "react 18": react("18.3.1", "react_18.jsx"),
    "react 19": react("19.2.0", "react_18.jsx"),
    "vue": ("vue.js", "vue@3.5.45"),
    "preact": ("preact.js", "preact@10.27.2"),
    "svelte": ("svelte.js", "svelte@5.57.3"),
    "solid": ("solid.js", "solid-js@1.9.9"),
    "angular": (
        "angular.js",
        *(f"@angular/{one}@21.0.0" for one in ("core", "common", "compiler", "platform-browser")),
        "rxjs@7.8.2",
    ),
    "jquery 3": ("jquery.js", "jquery@3.7.1"),
    "jquery 4": ("jquery.js", "jquery@4.0.0"),
}
COMPILE_SVELTE = """import { compile } from "svelte/compiler"; import fs from "node:fs";
console.log(compile(fs.readFileSync(0, "utf8"), { name: "Posts" }).js.code)"""


def script(name: str, *packages: str) -> str:
    folder, source = npm_packages(*packages), (SOURCES / name).read_text("utf-8")
    if name == "svelte.js":
        compiled = subprocess.run(
            ["node", "--input-type=module", "-e", COMPILE_SVELTE], cwd=folder,
            input=(SOURCES / "Posts.svelte").read_text("utf-8"),
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        source = compiled.replace("export default function", "function") + source
    return bundle(folder, source)


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_elements_with_a_framework_click_listener_have_refs_and_work(
    framework: str, browser: Browser, site: Site
) -> None:
    site.pages["/script.js"] = script(*FRAMEWORKS[framework])
    browser.goto(site.page("/", PAGE))
    browser.wait(text="Inside")
    snapshot = browser.snapshot()
    refs = dict(re.findall(r'"(\w+)" \[ref=(e\d+)\]', "\n".join(body(snapshot.text))))
    assert sorted(refs) == sorted(NAMES), snapshot.text
    assert snapshot.text.count("[ref=") == len(NAMES), snapshot.text
    for name in NAMES:
        if (framework, name) == ("react 16", "Inside"):
            continue  # its listener is on the document, which only sees the shadow host
        browser.click(refs[name])
        assert browser.evaluate("document.title").value == name
