"""Each kind of ``POST /act`` on a real page, and batches of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from browser.surfaces.http.client import Api, serving
from support.site import Site

FORM = """<form onsubmit="event.preventDefault(); document.title = 'sent'">
<input aria-label=Name value=old>
<label><input type=checkbox aria-label=Agree> agree</label>
<select aria-label=Size><option value=s>Small<option value=l>Large</select>
</form>"""


def test_click_response_contains_tab_and_url(api: Api, site: Site) -> None:
    url = site.page("/", "<a href=/next>next</a>")
    site.page("/next", "next", title="Next")
    api.post("/navigate", url=url)
    done = api.act("click", ref=api.ref('"next"'))
    (tab,) = api.get("/tabs")["tabs"]
    assert done["ok"] is True
    assert (done["targetId"], done["tabId"]) == (tab["targetId"], tab["tabId"])
    assert (done["url"], done["title"]) == (site.here + "/next", "Next")


@pytest.mark.long
def test_click_supports_buttons_modifiers_and_double_clicks(api: Api, site: Site) -> None:
    keep = "window.got = [event.type, event.button, event.shiftKey, event.detail].join()"
    api.post(
        "/navigate",
        url=site.page("/", f'<button onclick="{keep}" oncontextmenu="{keep}">Go</button>'),
    )
    ref = api.ref('"Go"')
    api.act("click", ref=ref, modifiers=["Shift"], doubleClick=True)
    assert api.value("got") == "click,0,true,2"
    api.act("click", ref=ref, button="right")
    assert api.value("got").startswith("contextmenu,2,false")


@pytest.mark.long
def test_click_at_coords_hits_the_given_point(api: Api, site: Site) -> None:
    api.post(
        "/navigate",
        url=site.page("/", "<script>onclick = e => window.at = [e.clientX, e.clientY, e.detail]"
                      "</script>"),
    )  # fmt: skip
    api.act("clickCoords", x=30, y=40, doubleClick=True)
    assert api.value("at") == [30, 40, 2]


@pytest.mark.long
def test_type_replaces_the_text_by_default_and_can_submit(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", FORM))
    name = api.ref('"Name"')
    assert api.act("type", ref=name, text="Ada")["value"] == {"value": "Ada"}
    assert api.act("type", ref=name, text=" L", slowly=True)["value"] == {"value": "Ada L"}
    assert api.act("type", ref=name, text="!", clear=False)["value"] == {"value": "Ada L!"}
    api.act("type", ref=name, text="Grace", submit=True)
    assert api.value("document.title + document.querySelector('input').value") == "sentGrace"


@pytest.mark.long
def test_press_sends_keys_to_the_focused_element(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "<input aria-label=Name autofocus>"))
    api.act("press", key="a", times=3)
    api.act("press", key="ArrowLeft")
    api.act("type", text="-")
    assert api.value("document.querySelector('input').value") == "aa-a"


@pytest.mark.long
def test_hover_moves_the_mouse(api: Api, site: Site) -> None:
    api.post(
        "/navigate", url=site.page("/", "<button onmouseover='window.over = true'>Go</button>")
    )
    api.act("hover", ref=api.ref('"Go"'))
    assert api.value("over") is True


@pytest.mark.long
def test_scroll_into_view_scrolls_to_the_element(api: Api, site: Site) -> None:
    api.post(
        "/navigate", url=site.page("/", "<div style='height: 4000px'></div><button>Go</button>")
    )
    api.act("scrollIntoView", ref=api.ref('"Go"'))
    assert api.value("scrollY") > 1000


@pytest.mark.long
def test_drag_moves_from_one_element_to_another(api: Api, site: Site) -> None:
    box = "<button style='position: absolute; left: {}px; top: 50px' on{}>{}</button>"
    api.post("/navigate", url=site.page("/", box.format(20, "mousedown='window.from = 1'", "From")
             + box.format(300, "mouseup='window.to = 1'", "To")))  # fmt: skip
    done = api.act("drag", startRef=api.ref('"From"'), endRef=api.ref('"To"'))
    assert done["value"]["kind"] == "pointer"
    assert api.value("[window.from, window.to]") == [1, 1]
    api.value("window.to = 0")
    api.act("drag", startX=30, startY=60, endRef=api.ref('"To"'))
    assert api.value("window.to") == 1


def test_act_accepts_selectors_instead_of_refs(api: Api, site: Site) -> None:
    box = "<button id={0} style='position: absolute; left: {1}px; top: 50px' on{2}>{0}</button>"
    api.post("/navigate", url=site.page("/", FORM + box.format("a", 20, "mousedown='window.n=1'")
             + box.format("b", 300, "mouseup='n++' onmouseover='window.over = 1'")))  # fmt: skip
    api.act("drag", startSelector="#a", endSelector="#b")
    assert api.value("[n, over]") == [2, 1]
    api.act("dragCoords", x=30, y=60, endX=310, endY=60)
    assert api.value("n") == 2
    api.act("type", selector="[aria-label=Name]", text="Ada")
    api.act("select", selector="select", values=["l"])
    api.value("over = 0")
    api.act("hover", selector="#a")
    api.act("hover", selector="#b")
    values = "[...document.querySelectorAll('input:not([type]), select')].map(e => e.value)"
    assert api.value(f"[over, {values}]") == [1, ["Ada", "l"]]
    body = api.fail("/act", 400, kind="click", selector="button")
    assert body["tabwarden"]["data"]["field"] == "selector"
    assert body["tabwarden"]["data"]["candidates"]


@pytest.mark.long
def test_act_scrolls_finds_and_moves_through_history(api: Api, site: Site) -> None:
    tall = "<div style='height: 4000px'></div><button>Deep</button>"
    first = site.page("/1", tall, title="One")
    api.post("/navigate", url=first)
    api.act("scroll", amount=700)
    assert api.value("scrollY") == 700
    (found,) = api.act("find", text="Deep")["value"]["found"]
    assert api.act("click", ref=found["ref"])["focus"]["name"] == "Deep"
    api.post("/navigate", url=site.page("/2", "two", title="Two"))
    assert api.act("back")["title"] == "One"
    assert api.act("forward")["title"] == "Two"
    api.value("document.title = 'Changed'")
    assert api.act("reload")["title"] == "Two"


def test_batch_can_upload_files(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "<input type=file id=f>"))
    done = api.act("batch", actions=[
        {"kind": "upload", "selector": "#f", "paths": ["one.txt"]},
        {"kind": "evaluate", "fn": "f.files[0].text()"},
    ])  # fmt: skip
    assert done["results"][1]["result"] == "one"


@pytest.mark.long
def test_press_holds_a_key_for_the_given_delay(api: Api, site: Site) -> None:
    held = "<input autofocus onkeydown='d = event.timeStamp' onkeyup='h = event.timeStamp - d'>"
    api.post("/navigate", url=site.page("/", held))
    api.act("press", key="a", delayMs=200)
    assert api.value("h") >= 195


def test_select_chooses_options_by_value_or_label(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", FORM))
    size = api.ref('"Size"')
    assert api.act("select", ref=size, values=["l"])["value"]["selected"] == ["Large"]
    api.act("select", ref=size, labels=["Small"])
    assert api.value("document.querySelector('select').value") == "s"


def test_fill_accepts_fields_in_the_format_of_other_clients(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", FORM))
    fields = [
        {"ref": api.ref('"Name"'), "type": "text", "value": "Ada"},
        {"ref": api.ref('"Agree"'), "type": "checkbox", "value": True},
    ]
    assert [f["value"] for f in api.act("fill", fields=fields)["value"]["filled"]] == ["Ada", True]
    assert api.value("[...document.querySelectorAll('input')].map(i => i.checked || i.value)") == [
        "Ada",
        True,
    ]


@pytest.mark.long
def test_resize_sets_the_viewport(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "page"))
    api.act("resize", width=500, height=400)
    assert api.value("[innerWidth, innerHeight]") == [500, 400]


LATER = "<script>setTimeout(() => {{ {} }}, 100)</script><p id=now>now</p>"


@pytest.mark.parametrize(
    ("script", "fields"),
    [
        ("", {"timeMs": 50}),
        ("document.body.append('later')", {"text": "later"}),
        ("now.remove()", {"textGone": "now"}),
        ("document.body.append(document.createElement('hr'))", {"selector": "hr"}),
        ("history.pushState(0, '', '/later')", {"url": "/later"}),
        ("", {"loadState": "load"}),
        ("window.later = 7", {"fn": "() => window.later"}),
        ("window.later = 7", {"fn": "window.later"}),
    ],
)
def test_wait_ends_when_its_condition_is_met(
    script: str, fields: dict[str, Any], api: Api, site: Site
) -> None:
    api.post("/navigate", url=site.page("/", LATER.format(script)))
    done = api.act("wait", **fields, timeoutMs=10_000)
    assert done["ok"] is True
    if "fn" in fields:
        assert done["value"] == 7


@pytest.mark.long
def test_wait_checks_several_conditions_one_after_another(api: Api, site: Site) -> None:
    script = "setTimeout(() => { document.body.append('later'); window.later = 7 }, 100)"
    api.post("/navigate", url=site.page("/", f"<script>{script}</script>"))
    done = api.act("wait", timeMs=10, text="later", loadState="load", fn="window.later")
    assert done["value"] == 7
    done = api.act("wait", text="later", url="/", snapshot="full")
    assert "later" in done["snapshot"]
    body = api.fail("/act", 500, kind="wait", text="later", selector="#never", timeoutMs=300)
    assert body["tabwarden"]["code"] == "budget_exceeded"


@pytest.mark.long
def test_wait_ends_at_its_timeout_if_its_condition_is_never_met(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "page"))
    for fields in ({"text": "never"}, {"fn": "false"}, {"fn": "new Promise(() => {})"}):
        body = api.fail("/act", 500, kind="wait", **fields, timeoutMs=300)
        assert body["tabwarden"]["code"] == "budget_exceeded"
        assert body["code"] == "ACT_OPERATION_FAILED"
    assert api.value("1") == 1


@pytest.mark.parametrize(
    ("fn", "result"),
    [
        ("1 + 1", 2),
        ("() => [1, {a: null}]", [1, {"a": None}]),
        ("const n = 20; return n + 1", 21),
        ("async () => { await 0; return 'é\U0001f600' }", "é\U0001f600"),
        ("undefined", None),
        ("({snake_case: {other_key: 1}})", {"snake_case": {"other_key": 1}}),
        ("NaN", {"$type": "number", "value": "NaN"}),
    ],
)
def test_evaluate_returns_the_script_result(fn: str, result: object, api: Api) -> None:
    done = api.act("evaluate", fn=fn)
    assert (done["ok"], done["result"]) == (True, result)
    assert done["targetId"]


@pytest.mark.long
def test_evaluate_counts_as_a_user_gesture_by_default(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "page"))
    active = "navigator.userActivation.hasBeenActive"
    assert api.act("evaluate", fn=active, userGesture=False)["result"] is False
    assert api.act("evaluate", fn=active)["result"] is True


@pytest.mark.long
def test_evaluate_can_target_an_element_or_a_frame(api: Api, site: Site) -> None:
    site.page("/in", "inside", title="In")
    api.post("/navigate", url=site.page("/", f"<button>Go</button><iframe src='{site.there}/in'>"))
    assert api.act("evaluate", ref=api.ref('"Go"'), fn="(el) => el.textContent")["result"] == "Go"
    (frame,) = api.get("/snapshot")["frameTree"]["children"]
    assert api.value("document.title", frameId=frame["frameId"]) == "In"


def test_evaluate_reports_an_exception_in_the_script(api: Api) -> None:
    body = api.fail("/act", 500, kind="evaluate", fn="() => { throw new Error('no') }")
    assert body["code"] == "ACT_OPERATION_FAILED"
    assert body["tabwarden"]["code"] == "js_error"
    assert "Error: no" in body["error"]
    assert body["tabwarden"]["data"]["stack"]


@pytest.mark.long
def test_close_response_identifies_the_closed_tab(api: Api, site: Site) -> None:
    (first,) = api.get("/tabs")["tabs"]
    opened = api.post("/tabs/open", url=site.page("/", "two"))
    done = api.act("close", targetId=opened["targetId"])
    assert (done["targetId"], done["tabId"]) == (opened["targetId"], opened["tabId"])
    assert [tab["tabId"] for tab in api.get("/tabs")["tabs"]] == [first["tabId"]]
    opened = api.post("/tabs/open")
    assert api.act("close")["tabId"] == opened["tabId"]


@pytest.mark.long
def test_act_runs_in_the_requested_tab(api: Api, site: Site) -> None:
    first = api.post("/navigate", url=site.page("/1", "one", title="One"))
    api.post("/tabs/open", url=site.page("/2", "two", title="Two"))
    for name in (first["tabId"], first["targetId"], first["targetId"][:12].lower()):
        assert api.value("document.title", targetId=name) == "One"
    assert api.value("document.title") == "Two"


def test_batch_runs_actions_in_order_and_returns_each_result(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", FORM))
    name = api.ref('"Name"')
    done = api.act("batch", actions=[
        {"kind": "type", "ref": name, "text": "Ada"},
        {"kind": "press", "key": "!"},
        {"kind": "batch", "actions": [{"kind": "evaluate", "fn": "window.deep = 1"}]},
        {"kind": "evaluate", "fn": "document.querySelector('input').value + deep"},
    ])  # fmt: skip
    assert done["ok"] is True
    assert done["targetId"]
    assert [result["ok"] for result in done["results"]] == [True] * 4
    assert done["results"][0]["value"] == {"value": "Ada"}
    assert done["results"][2]["results"][0]["result"] == 1
    assert done["results"][3]["result"] == "Ada!1"


@pytest.mark.parametrize(("stop", "results"), [(True, [True, False]), (False, [True, False, True])])
def test_batch_stops_at_the_first_failure_by_default(
    stop: bool, results: list[bool], api: Api
) -> None:
    actions = [
        {"kind": "evaluate", "fn": "window.n = 1"},
        {"kind": "evaluate", "fn": "nope()"},
        {"kind": "evaluate", "fn": "window.n = 2"},
    ]
    done = api.act("batch", actions=actions, stopOnError=stop)
    assert done["ok"] is False
    assert [result["ok"] for result in done["results"]] == results
    assert done["results"][1]["code"] == "ACT_OPERATION_FAILED"
    assert done["results"][1]["tabwarden"]["code"] == "js_error"
    assert api.value("n") == (1 if stop else 2)


@pytest.mark.parametrize(
    ("stop_on", "ran", "aborted"),
    [("nothing", 2, None), ("failure", 2, None), ("any", 1, "navigation")],
)
@pytest.mark.long
def test_batch_can_stop_after_an_action_that_leaves_the_page(
    stop_on: str, ran: int, aborted: str | None, api: Api, site: Site
) -> None:
    site.page("/next", "next")
    api.post("/navigate", url=site.page("/", "<a href=/next>next</a>"))
    actions = [{"kind": "click", "selector": "a"}, {"kind": "press", "key": "a"}]
    done = api.act("batch", actions=actions, stopOn=stop_on)
    assert len(done["results"]) == ran
    assert done.get("aborted", {}).get("reason") == aborted


@pytest.mark.long
def test_batch_stays_on_its_tab_when_another_tab_opens(api: Api, site: Site) -> None:
    site.page("/popup", "popup", title="Popup")
    opener = "<button onclick=\"window.open('/popup')\">Go</button>"
    api.post("/navigate", url=site.page("/", opener, title="Opener"))
    done = api.act("batch", actions=[
        {"kind": "click", "ref": api.ref('"Go"')},
        {"kind": "evaluate", "fn": "document.title"},
    ])  # fmt: skip
    assert done["results"][1]["result"] == "Opener"


def test_all_steps_in_a_batch_share_one_budget(api: Api) -> None:
    slow = {"kind": "evaluate", "fn": "new Promise(done => setTimeout(done, 150))"}
    done = api.act("batch", actions=[slow] * 20, stopOnError=False, timeoutMs=600)
    assert done["ok"] is False
    assert sum(result["ok"] for result in done["results"]) <= 4
    assert len(done["results"]) <= 8
    assert done["results"][-1]["tabwarden"]["code"] == "budget_exceeded"
    own = api.act("batch", actions=[{**slow, "timeoutMs": 50}])
    assert own["results"][0]["tabwarden"]["data"]["timeout_ms"] == pytest.approx(50, abs=5)


def test_batch_runs_no_actions_if_one_is_invalid(api: Api, site: Site) -> None:
    first = api.post("/navigate", url=site.page("/", "one"))
    other = api.post("/tabs/open", url=site.page("/2", "two"))
    good = {"kind": "evaluate", "fn": "window.ran = true"}
    wrong: list[tuple[dict[str, Any], int, str, str]] = [
        ({"kind": "press"}, 400, "ACT_INVALID_REQUEST", "actions.1.key"),
        ({"kind": "press", "kee": "a"}, 400, "ACT_INVALID_REQUEST", "actions.1.kee"),
        ({}, 400, "ACT_KIND_REQUIRED", "actions.1.kind"),
        ({"kind": "press", "key": "a", "selector": "a"}, 400, "ACT_SELECTOR_UNSUPPORTED",
         "actions.1.selector"),
        (
            {"kind": "press", "key": "a", "targetId": first["tabId"]},
            403,
            "ACT_TARGET_ID_MISMATCH",
            "actions.1.targetId",
        ),
        ({"kind": "batch", "actions": []}, 400, "ACT_INVALID_REQUEST", "actions.1.actions"),
    ]  # fmt: skip
    for action, status, code, field in wrong:
        body = api.fail("/act", status, kind="batch", actions=[good, action])
        assert body["code"] == code, body
        assert body["tabwarden"]["data"]["field"] == field
        assert "actions.1" in body["error"]
    assert api.value("window.ran ?? null") is None
    same = {"kind": "evaluate", "fn": "2", "targetId": other["targetId"]}
    assert api.act("batch", actions=[same], targetId=other["tabId"])["ok"] is True


@pytest.mark.long
def test_act_runs_no_scripts_if_evaluate_is_disabled(tmp_path: Path, site: Site) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("browser: {evaluate_enabled: false}")
    with serving("--config", str(config)) as server, Api(server.url) as api:
        api.post("/navigate", url=site.page("/", "page"))
        for fields in (
            {"kind": "evaluate", "fn": "1"},
            {"kind": "wait", "fn": "1"},
            {"kind": "batch", "actions": [{"kind": "evaluate", "fn": "1"}]},
        ):
            body = api.fail("/act", 403, **fields)
            assert body["code"] == "ACT_EVALUATE_DISABLED"
            assert body["tabwarden"]["code"] == "disabled"
        hint = api.fail("/act", 400, kind="evaluat")["tabwarden"]["hint"]
        assert "click" in hint
        assert "evaluate" not in hint
        assert "fn" not in api.fail("/act", 400, kind="wait")["tabwarden"]["hint"]
        assert api.act("wait", text="page")["ok"] is True
