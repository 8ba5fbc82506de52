"""The page ``docs/reference/python.md``: the public Python API, from signatures and docstrings."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import griffe

from tabwarden.config import BrowserConfig

SOURCE = Path(__file__).parent.parent / "src"
_WIDEST = 90
"""A longer signature has one parameter per line."""

SECTIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "Browser",
        "`tabwarden.Browser` is the async API. `tabwarden.sync.Browser` has the same names without "
        "`await`, for code without an event loop.",
        ("browser.browser.Browser",),
    ),
    (
        "Configuration",
        "`tabwarden.BrowserConfig` accepts the keys of the section `browser` in the "
        "[configuration](configuration.md) as keyword arguments. Every key has a default.",
        ("config.model.BrowserConfig", "config.loading.load_config"),
    ),
    (
        "Results",
        "`tabwarden.ActionResult`, `Snapshot` and `Screenshot`. In Jupyter, a screenshot displays "
        "itself.",
        (
            "page.task.result.ActionResult",
            "page.task.result.NewSinceLast",
            "page.task.result.Snapshot",
            "page.capture.picture.Screenshot",
        ),
    ),
    ("Values", "The types of `ActionResult.value`, in `tabwarden.results`.", ("results.*",)),
    (
        "Events",
        "The subscription and the types of events, in `tabwarden.events`. Every event has a "
        '`tab_id`; "" means all tabs.',
        (
            "events.Events",
            "supervisor.core.state.notices.*",
            "supervisor.core.prompts.auth.AuthRequired",
            "supervisor.core.prompts.auth.AuthSettled",
            "supervisor.core.prompts.file_choosers.FileChooserOpened",
            "supervisor.core.prompts.file_choosers.FileChooserClosed",
        ),
    ),
    (
        "Errors",
        "All errors are subclasses of `tabwarden.TabwardenError`; [errors](errors.md) lists them.",
        ("errors.TabwardenError",),
    ),
    (
        "Tools",
        "`tabwarden.tools.Tools` is for programs that call an LLM API; `tabwarden.tools.sync.Tools`"
        " has the same names without `await`.",
        ("tools.door.Tools", "tools.offer.Offer"),
    ),
    (
        "Playwright",
        "`tabwarden.integrations.playwright.supervise` ([playwright](../playwright.md)) returns "
        "a `Warden`.",
        (
            "integrations.playwright.supervising.supervise",
            "integrations.playwright.wardens.Warden",
        ),
    ),
)
_INTERNAL = {
    "PromptInterrupts", "DownloadArrived", "SessionReady", "SessionDetached", "FrameNavigated",
    "LifecycleReached", "Notice", "inside",
}  # fmt: skip
"""Omitted names: notices that no subscription receives, and members for higher packages only."""


def python_api() -> str:
    """The public Python API."""
    logging.getLogger("griffe").setLevel(logging.ERROR)  # "x, y:" documents two parameters
    package: Any = griffe.load(
        "tabwarden", search_paths=[SOURCE], docstring_parser="google", allow_inspection=False
    )
    lines = [
        "# Python API",
        "",
        "[python.md](../python.md) explains how to use the API. Every method returns within its "
        "time limit or raises a `TabwardenError`. Names that end in `_ms` are in milliseconds, "
        "names that end in `_s` in seconds.",
        "",
    ]
    for title, words, paths in SECTIONS:
        lines += [f"## {title}", "", words, ""]
        for path in paths:
            for symbol in _named(package, path):
                lines += _described(symbol)
    return "\n".join(lines)


def _named(package: Any, path: str) -> Iterator[Any]:
    if not path.endswith(".*"):
        yield package[path]
        return
    for name, symbol in package[path.removesuffix(".*")].members.items():
        if (
            not symbol.is_alias
            and symbol.is_class
            and name not in _INTERNAL
            and not name.startswith("_")
        ):
            yield symbol


def _described(symbol: Any) -> Iterator[str]:
    yield from (f"### {symbol.name}", "")
    if symbol.is_function:
        yield from _function(symbol)
        return
    yield from _documented(symbol)
    yield from _fields(symbol)
    for name, member in _members(symbol).items():
        if member.is_alias or name.startswith("_"):
            continue
        if member.docstring is None and any(name in base.members for base in symbol.mro()):
            continue  # the base class describes it
        if member.is_function or "property" in member.labels:
            yield from (f"#### {symbol.name}.{name}", "")
            yield from _function(member)


def _members(symbol: Any) -> dict[str, Any]:
    """Return a class's members, including those inherited from other modules in its package."""
    members: dict[str, Any] = dict(symbol.members)
    for base in symbol.mro():
        if base.module != symbol.module and base.module.parent == symbol.module.parent:
            members |= {
                name: one
                for name, one in base.members.items()
                if name not in members or members[name].docstring is None
            }
    return members


def _fields(symbol: Any) -> Iterator[str]:
    fields = [
        member
        for name, member in _members(symbol).items()
        if member.is_attribute
        and "property" not in member.labels
        and not name.startswith("_")
        and name not in _INTERNAL
        and member.annotation is not None
    ]
    if not fields:
        return
    yield from ("| field | type | |", "|---|---|---|")
    for field in fields:
        words = field.docstring.value if field.docstring else ""
        if symbol.name == BrowserConfig.__name__:
            words = BrowserConfig.model_fields[field.name].description or ""
        yield f"| `{field.name}` | `{_cell(str(field.annotation))}` | {_cell(_code(words))} |"
    yield ""


def _function(symbol: Any) -> Iterator[str]:
    if symbol.is_function:
        yield from ("```py", *_signature(symbol), "```", "")
    else:
        yield from (f"A property: `{symbol.annotation}`.", "")
    yield from _documented(symbol)


def _signature(symbol: Any) -> Iterator[str]:
    words = "async def" if "async" in symbol.labels else "def"
    for one in symbol.overloads or [symbol]:
        written = one.signature(name=symbol.name).replace("builtins.", "")
        line = re.sub(r"\(self(, )?", "(", re.sub(r"\(cls(, )?", "(", written))
        if len(line) <= _WIDEST:
            yield f"{words} {line}"
            continue
        inner, _, returns = line.removeprefix(f"{symbol.name}(").rpartition(") -> ")
        parameters = "".join(f"    {one},\n" for one in _split(inner))
        yield f"{words} {symbol.name}(\n{parameters}) -> {returns}"


def _split(text: str) -> Iterator[str]:
    """Split at the commas outside of brackets."""
    depth = start = 0
    for at, character in enumerate(text):
        depth += (character in "[(") - (character in "])")
        if character == "," and depth == 0:
            yield text[start:at].strip()
            start = at + 1
    yield text[start:].strip()


def _documented(symbol: Any) -> Iterator[str]:
    if symbol.docstring is None:
        raise SystemExit(f"{symbol.path} has no docstring")
    for section in symbol.docstring.parse("google"):
        if section.kind is griffe.DocstringSectionKind.text:
            yield from (_code(section.value), "")
            continue
        title = section.kind.value.replace("parameters", "Parameters").capitalize()
        yield from (f"{title}:", "")
        for item in section.value:
            named = getattr(item, "name", None) or str(item.annotation or "").strip("()")
            name = f"`{named}`: " if named else ""
            yield f"- {name}{' '.join(_code(item.description).split())}"
        yield ""


def _code(text: str) -> str:
    return text.replace("``", "`")


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
