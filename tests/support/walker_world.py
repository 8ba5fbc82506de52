"""Some of the walker's modules and their imports, in an isolated world of a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import bundle_walker
from bundle_walker import Module, bundle, load

from tabwarden.sync import Browser

__all__ = ["WalkerWorld", "walker_modules"]

_NAME = "__test"


class WalkerWorld:
    """A new isolated world of the page in front, with modules in it.

    Args:
        browser: the world is one of its active tab.
        paths: the modules, by their paths in the walker's folder.
        own: the source of a module of the test's own, beside `walker.js`.
    """

    def __init__(self, browser: Browser, *paths: str, own: str = "") -> None:
        self._browser = browser
        frame = browser.cdp("Page.getFrameTree").value["frameTree"]["frame"]["id"]
        made = browser.cdp("Page.createIsolatedWorld", {"frameId": frame, "worldName": "test"})
        self._context = made.value["executionContextId"]
        script, self._exports = _bundled(paths, own)
        self._evaluate(script)

    def run(self, script: str, *arguments: Any) -> Any:
        """The value of an expression among all that the modules export, awaited.

        ``$`` finds the first element of a selector, ``args`` are the arguments.
        """
        return self._evaluate(
            f"(() => {{ const {{ {self._exports} }} = {_NAME};"
            f" const args = {json.dumps(arguments)};"
            " const $ = (css) => document.querySelector(css);"
            f" return ({script}); }})()"
        )

    def _evaluate(self, expression: str) -> Any:
        result = self._browser.cdp(
            "Runtime.evaluate",
            {
                "expression": expression,
                "contextId": self._context,
                "returnByValue": True,
                "awaitPromise": True,
            },
        ).value
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")


@cache
def walker_modules() -> Mapping[str, Module]:
    """Each module by its path in the walker's folder."""
    return load(bundle_walker.WALKER / "js")


@cache
def _bundled(paths: tuple[str, ...], own: str) -> tuple[str, str]:
    """A script with these modules, and the names of all their exports."""
    modules = dict(walker_modules())
    if own:
        paths = (*paths, "own.js")
        modules["own.js"] = Module.parsed("own.js", own)
    names = {path: ", ".join(modules[path].exported) for path in paths}
    lines = [f'export {{ {exports} }} from "./{path}";' for path, exports in names.items()]
    modules["test.js"] = Module.parsed("test.js", "\n".join(lines))
    return bundle(modules, "test.js", _NAME), ", ".join(names.values())
