"""Page text cannot imitate our syntax: our lines stay the same."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.fuzzing import searched
from support.hostile_text import HOSTILE
from support.skeleton import HIDES, skeleton

from tabwarden.actions.result_text import error_words, result_words, snapshot_words
from tabwarden.errors import TabwardenError
from tabwarden.integrations.members.computer import dialog_line
from tabwarden.page import ActionResult, NewSinceLast, Snapshot
from tabwarden.page.control import Handoff, PersonActions
from tabwarden.page.control.messages import handoff_words
from tabwarden.page.devtools.audit import findings as audit_findings
from tabwarden.page.devtools.coverage import _lines as coverage_lines
from tabwarden.page.devtools.elements import Element
from tabwarden.page.devtools.memory import _heap_lines as heap_lines
from tabwarden.page.devtools.performance_words import findings as trace_findings
from tabwarden.page.snapshot.changes import changes
from tabwarden.page.snapshot.folding import folded
from tabwarden.page.snapshot.outline import render
from tabwarden.page.task.refs import Ref, stale
from tabwarden.page.text.lines import Lines
from tabwarden.page.text.untrusted_text import (
    Line,
    as_json,
    bare,
    cut_json,
    fence,
    quoted,
    role_and_name,
    sentence,
    shortened,
    words,
)
from tabwarden.page.walker.walk_records import Node, Nodes
from tabwarden.page.webmcp import tool_lines
from tabwarden.results import SavedFile
from tabwarden.supervisor.core.state.dialog_values import PendingDialog
from tabwarden.supervisor.core.state.state import SupervisorState
from tabwarden.supervisor.core.state.tabs import FrameTools, PageTool, Tab
from tabwarden.tools.offer import is_state_line

Shows = Callable[[str], str]
REF = Ref(ref="e1", role="button", name="", tab_id="t1", frame_id="F", world_id="W", local_id=1)


def dialog(text: str) -> dict[str, Any]:
    return {"id": "d-1", "type": "prompt", "message": text, "default_prompt": text, "tab_id": "t1"}


def waiting(text: str) -> PendingDialog:
    return PendingDialog(
        id="d-1", type="confirm", message=text, default_prompt=text, frame_id=None, session_id="S",
        target_id="T", tab_id="t1", url=text, opened_at=0.0, deadline=None,
    )  # fmt: skip


def auth(text: str) -> dict[str, Any]:
    return {"id": "a-1", "origin": text, "realm": text, "refused": "", "tab_id": "t1"}


def result(**about: Any) -> str:
    return result_words(ActionResult(action="click", tab_id="t1", **about))


def news(**about: Any) -> str:
    return result(new_since_last=NewSinceLast(**about))


def nodes(text: str) -> list[Node]:
    """A page with everything that an outline treats specially."""
    url = {"url": text, "value": text, "placeholder": text, "description": text, "type": text}
    found: list[Node] = []

    def add(depth: int, role: str, name: str = "", local_id: int = 0, **props: Any) -> None:
        found.append(Node(depth, role, name, local_id, props))

    add(0, "heading", text, level=1)
    add(1, "link", text, 1, **url)
    add(0, "text", text)
    add(0, "text", text + "x")
    add(0, "combobox", text, 2, options=[text, "b"], options_more=3, haspopup=text, current=text)
    add(0, "list")
    add(1, "listitem", text)
    add(1, "listitem", text)
    add(0, "table")
    add(1, "row", text, 3)
    for _ in range(2):
        add(2, "cell", text)
        add(3, "text", text)
        add(3, "button", text, 4)
    add(0, "button", text, 5)
    add(1, "text", text)
    return found


def found(**about: Any) -> dict[str, Any]:
    one = {"role": "button", "name": "", "ref": "e1", "tag": "b", "frame_id": "F", "visible": True}
    return one | about


def outline(text: str) -> list[Line]:
    columns = Nodes(*(list(column) for column in zip(*nodes(text), strict=True)))

    def refs_of(run: slice) -> list[int]:
        return list(columns.local_ids[run])

    return list(render(columns, 0, refs_of, lambda local_id, number, at, in_view: Lines()))


def drawn(text: str) -> str:
    return fence(line.as_text() for line in outline(text))


def went(url: str) -> str:
    actions = PersonActions(SupervisorState())
    tab = Tab(tab_id="t1", target_id="T", session_id="S", url=url, title="")
    actions.end(SupervisorState(tabs={"t1": tab}))
    return actions.summary()


def inspected(findings: list[str]) -> str:
    return result_words(ActionResult(action="audit", value={"findings": findings}))


def audited(text: str) -> dict[str, Any]:
    node = {"ref": "e1", "role": "img", "tag": text, "name": text, "why": text}
    rule = {"id": "image-alt", "impact": "minor", "help": "Help", "count": 2}
    generic = {**node, "role": "generic"}
    return {
        "violations": [{**rule, "nodes": [node, generic]}],
        "left_out": 0,
        "unread": [{"frame_id": "F", "why": text}],
        "passes": 1,
        "incomplete": 1,
    }


def traced(text: str) -> dict[str, Any]:
    gone, there = Element(text), Element(text, "e1", "img", text)
    plain = Element(text, "e2", "generic", text)
    shift = {"score": 0.1, "at_ms": 1.0, "elements": [gone, there, plain]}
    request = {"url": text, "ms": 1.0, "bytes": 2, "from_cache": False}
    paint = {"ms": 1.0, "rating": "good", "element": there, "url": text, "parts_ms": {}}
    task = {"ms": 60.0, "at_ms": 1.0, "script": text, "function": text}
    return {
        "url": text,
        "lcp": paint,
        "fcp_ms": 1.0,
        "ttfb_ms": 1.0,
        "inp": {**paint, "kind": "click", "count": 1},
        "cls": {"score": 0.1, "rating": "good", "count": 1, "shifts": [shift]},
        "long_tasks": {"count": 1, "blocking_ms": 1.0, "tasks": [task]},
        "requests": {
            "count": 1,
            "bytes": 2,
            "bytes_by_type": {"script": 2},
            "blocking_count": 1,
            "blocking": [request],
        },
    }


SURFACES: dict[str, Shows] = {
    "title and URL": lambda text: result(title=text, url=text),
    "focus": lambda text: result(focus={"ref": "e1", "role": "button", "name": text or "x"}),
    "value": lambda text: result(value=text),
    "a saved result": lambda text: result(value=SavedFile(text, text, 9, 2, (text, text))),
    "value within": lambda text: result(value={"k": [text, {"k": text}]}),
    "interruption": lambda text: result(
        status="interrupted", by={"kind": "dialog", "dialog": dialog(text)}, next="Answer."
    ),
    "dialog on a screen": lambda text: dialog_line(waiting(text or "x")),
    "password asked": lambda text: result(
        status="interrupted", by={"kind": "auth", "auth": auth(text)}, next="Answer."
    ),
    "gone elsewhere": lambda text: result(
        status="interrupted", by={"kind": "navigation", "url": text, "frame_id": "F"}, next="Look."
    ),
    "dialogs": lambda text: news(
        dialogs=(dialog(text), {**dialog(text), "closed_by": "remote", "accepted": True})
    ),
    "tabs": lambda text: news(
        tabs=({"tab_id": "t2", "event": "opened", "url": text, "title": text},)
    ),
    "passwords": lambda text: news(auth_challenges=(auth(text),)),
    "devices": lambda text: news(
        device_choosers=(
            {"id": "dc-1", "tab_id": "t1", "devices": [{"id": text, "name": text}]},
        )
    ),
    "downloads": lambda text: news(
        downloads=(
            {"id": "dl-1", "filename": text, "path": text, "status": "failed", "reason": ""},
        )
    ),
    "where a person went": lambda text: news(person=(went(text),)),
    "hand-offs": lambda text: news(
        person=(handoff_words(Handoff(id="h-1", reason="", asked_at=0, deadline=0, ends_at=0,
                                outcome="done", message=text)),)
    ),
    "notes": lambda text: news(notes=({"kind": "external", "text": text, "tab_id": "t1"},)),
    "console": lambda text: news(console_errors=({"text": text, "tab_id": "t1"},)),
    "what was found": lambda text: result_words(
        ActionResult(
            action="find",
            value={"found": [found(name=text, context=text)], "total": 1, "unread": []},
        )
    ),
    "what an audit says": lambda text: inspected(audit_findings(audited(text))),
    "what a trace says": lambda text: inspected(trace_findings(traced(text))),
    "which code is used": lambda text: inspected(
        coverage_lines(
            {
                "bytes": 9,
                "unused_bytes": 3,
                "left_out": 0,
                "files": [{"url": text, "type": "js", "bytes": 9, "unused_bytes": 3}],
            }
        )
    ),
    "what is in the heap": lambda text: inspected(
        heap_lines(
            {
                "objects": 1,
                "bytes": 2,
                "classes": [{"name": text, "count": 1, "bytes": 2}],
                "detached": [{"name": text, "count": 1}],
            }
        )
    ),
    "what a page's tool says": lambda text: result_words(
        ActionResult(action="page_tool", value={"output": {"k": [text]}})
    ),
    "the tools of a page": lambda text: result_words(
        ActionResult(
            action="page_tool",
            value={
                "tools": [
                    {"name": text, "description": text, "frame_id": "F", "schema": {"k": text}}
                ],
                "left_out": 0,
            },
        )
    ),
    "a tool's line": lambda text: fence(
        line.as_text()
        for line in tool_lines(
            FrameTools(
                tools=(
                    PageTool(
                        name=text,
                        description=text,
                        schema=json.dumps({"properties": {text: {"enum": [text]}}}).encode(),
                    ),
                )
            ),
            0,
        )
    ),
    "frames": lambda text: snapshot_words(
        Snapshot(
            text="", tab_id="t1", url="", title="", refs={},
            frame_tree={"children": [{"frame_id": "F", "url": text, "is_oopif": True}]},
        )
    ),
    "facts of an error": lambda text: error_words(TabwardenError("No.", a=text, b=[{"c": text}])),
    "tags": lambda text: result_words(
        ActionResult(
            action="find", value={"found": [found(tag=text + "!")], "total": 1, "unread": []}
        )
    ),
}  # fmt: skip


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.threat
def test_every_surface_quotes_page_text(surface: str) -> None:
    shows = SURFACES[surface]

    @searched(25)
    @given(HOSTILE)
    def check(text: str) -> None:
        assert skeleton(shows(text)) == skeleton(shows('"'))

    check()


WORD = (
    r"(?:Q|\[ref=e\d+\]|\||headers|text=Q|(?:url|options) as e\d+"
    r"|options=\[Q(?:, Q)*(?:, \d+ more)?\]"
    r"|(?:value|placeholder|description|url)=Q|(?:type|haspopup|current)=(?:Q|[a-z][a-z-]*)|level=1)"
)
ROLE = "(?:heading|link|text|combobox|list|listitem|table|row|cell|button)"
PHRASE = rf"{ROLE}?(?: ?{WORD})*"
LINE = re.compile(rf" *- (?:{ROLE}(?: {WORD})*: )?(?:{PHRASE} ?)*")
CHANGE = re.compile(
    rf"[-+~] +{PHRASE}:? ?(?:{PHRASE} ?)*(?: and \d+ lines? in it)?(?: \(was [^()]*\))?"
    r"(?: \(now in another order\))?"
    rf"|@ {PHRASE}(?: {ROLE})*(?: > {PHRASE}(?: {ROLE})*)*"
)


@searched(60)
@given(HOSTILE)
def test_hostile_names_add_no_lines_or_refs_to_the_outline(text: str) -> None:
    lines = outline(text)
    first, *drawn, last = skeleton(fence(line.as_text() for line in lines))
    assert (first, last) == ("PAGE", "END")
    assert len(drawn) == len(lines)
    for line in drawn:
        assert LINE.fullmatch(line), line
    assert set(re.findall(r"\[ref=(e\d+)\]", "\n".join(drawn))) == {
        ref for line in lines for ref in line.refs
    }


@searched(100)
@given(HOSTILE, HOSTILE)
def test_hostile_names_add_no_lines_to_a_diff(before: str, after: str) -> None:
    told = changes(outline(before), outline(after)).lines
    shown = skeleton("\n".join(line.as_text() for line in told))
    assert len(shown) == max(1, len(told))
    for line in shown:
        assert CHANGE.fullmatch(line) or not told, line


@searched(60)
@given(HOSTILE, st.integers(200, 1_500))
def test_hostile_names_add_no_lines_to_a_folded_outline(text: str, room: int) -> None:
    lines = [line for n in range(12) for line in outline(text * (n + 1))]
    shown = folded(lines, room, lambda start, end: f"m{start}").text
    drawn = skeleton("\n".join(shown))
    assert len(drawn) == len(shown)
    refs = {ref for line in lines for ref in line.refs}
    for line in drawn:
        assert re.fullmatch(r" *- (?:… \d+ (?:more|lines).* more=m\d+|[a-zQ].*)", line), line
        assert set(re.findall(r"ref=(\w+)", line)) <= refs


@searched(100)
@given(HOSTILE, st.integers(4, 60))
def test_shortened_quote_is_a_prefix_of_the_quoted_text(text: str, most: int) -> None:
    quote = quoted(text)
    assert json.loads(quote) == text
    cut = shortened(quote, most)
    assert len(cut) <= max(most, 3)
    if cut != quote:
        told = json.loads(cut)
        assert told.endswith("…")
        # Half of a pair of escapes is half a character.
        assert json.dumps(text)[1:-1].startswith(json.dumps(told[:-1])[1:-1])
    assert words(quote) == ([quote] if text else ['""'])
    assert role_and_name(Line(0, "button", f"button {quote} [ref=e1]")).count("\n") == 0


@searched(100)
@given(st.recursive(HOSTILE, lambda inner: st.lists(inner, max_size=3)), st.integers(4, 60))
def test_truncated_json_contains_no_unterminated_string(value: Any, most: int) -> None:
    cut = cut_json(as_json(value), most)
    assert len(cut) <= most
    skeleton(cut)
    assert '"' not in skeleton(cut)[0]


@searched(60)
@given(HOSTILE)
def test_error_quotes_hostile_names(text: str) -> None:
    def told(name: str) -> list[str]:
        ref = msgspec.structs.replace(REF, name=name)
        words = error_words(stale(ref, "it is gone", [found(beside=name, name=name)]))
        return skeleton(words.replace(sentence(repr(name)), '"R"'))

    assert told(text[:60]) == told("plain")


@searched(100)
@given(HOSTILE, HOSTILE)
def test_state_line_keeps_its_format_with_a_hostile_title_or_url(title: str, url: str) -> None:
    line = f"[Browser: chrome | {bare(url)} | {bare(title)} | 1 tab(s)]"
    assert is_state_line(line)
    assert line.count(" | ") == line.count("|") == 3
    assert not [sign for sign in line if HIDES(sign)]


@searched(100)
@given(st.lists(HOSTILE, max_size=4))
def test_page_text_cannot_close_the_page_fence(lines: list[str]) -> None:
    text = fence(lines)
    mark = re.match("<page ([0-9a-f]{8})>\n", text)
    assert mark is not None
    assert text.count(mark[1]) == 2
    assert text.endswith(f"\n</page {mark[1]}>")
