"""Converting calls to steps, and steps to scripts."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path
from typing import Any

import pytest

from tabwarden.errors import InvalidArgument
from tabwarden.export import SCRIPTS, Plan, RecordedCall, TraceCalls, plan_of, read_trace


def element(named: str, role: str = "button", name: str = "Buy", **more: Any) -> dict[str, Any]:
    locator = {"by": "role", "role": role, "name": name, "exact": True, "unique": True}
    told = {"named": named, "ref": named, "tag": "button", "role": role, "name": name}
    return {**told, "text": name, "frames": [], "candidates": [locator], **more}


class Calls:
    """Successive calls."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self.all: list[RecordedCall] = []
        self.launch: dict[str, Any] = {}
        self.writes: list[float] = []

    def add(self, does: str, *locators: dict[str, Any], **given: Any) -> Calls:
        """Add a call; of its own fields it has those that no argument of the action has."""
        fields = set(RecordedCall.__struct_fields__) - {"action"}
        if does == "route":
            fields.discard("url")
        if does in ("goto", "tabs", "wait"):
            fields -= {"url", "tab_id"}
        own = {name: given.pop(name) for name in list(given) if name in fields}
        call = {"number": next(self._numbers), "action": does, "tab_id": "t1", **own}
        self.all.append(RecordedCall(**call, arguments=given, locators=list(locators)))
        return self

    def plan(self) -> Plan:
        told = {"calls": self.all, "launch": self.launch, "writes": self.writes}
        plan = plan_of(TraceCalls(viewport=(1280, 720), **told))
        for kind, write in SCRIPTS.items():
            compile(write(plan), kind, "exec")
        return plan

    def playwright(self) -> str:
        return lines(SCRIPTS["playwright"](self.plan()))

    def tabwarden(self) -> str:
        return lines(SCRIPTS["tabwarden"](self.plan()))


def lines(script: str) -> str:
    """The lines of ``run``."""
    _, _, body = script.partition("def run(")
    body = body.partition("\n")[2].partition("\n\n\nif __name__")[0]
    return "\n".join(line.removeprefix("    ") for line in body.splitlines())


@pytest.fixture
def calls() -> Calls:
    return Calls().add("goto", url="http://shop/", status="ok")


def test_export_omits_reads_and_failures_and_expands_batches(calls: Calls) -> None:
    calls.add("snapshot").add("evaluate", script="document.title")
    calls.add("click", element("e1"), ref="e1", status="failed")
    calls.add("batch", steps=[{}])
    calls.add("click", element("e1"), ref="e1", parent=5)
    calls.add("tabs", mode="list").add("storage", mode="get", key="a").add("cookies")
    assert [step.action for step in calls.plan().steps] == ["goto", "click"]


def test_exported_step_waits_for_the_url_that_it_navigated_to(calls: Calls) -> None:
    calls.add("click", element("e1"), ref="e1", url="http://shop/")
    calls.add("snapshot", url="http://shop/paid")
    calls.all[0].url = "http://shop/"
    assert calls.playwright() == (
        'page.goto("http://shop/")\n'
        'page.get_by_role("button", name="Buy", exact=True).click()\n'
        'page.wait_for_url("http://shop/paid")'
    )


@pytest.mark.parametrize(
    ("came", "waits_for"),
    [
        ("/253/change/", "/*/change/"),
        ("/orders/6f1b7c1e-6f0b-4b53-9b57-0a3f7b1f2a11", "/orders/*"),
        ("/orders?new=253&page=2", "/orders?new=*&page=2"),  # page 2 existed before
        ("/q/9f3kd02mfk3l4sa", "/q/*"),
        ("/v2/orders/done", "/v2/orders/done"),
        ("/99/change/", "/99/change/"),  # the agent had navigated there
    ],
)
def test_export_replaces_a_generated_part_of_a_url_with_a_wildcard(
    calls: Calls, came: str, waits_for: str
) -> None:
    calls.add("goto", url="http://shop/99/?page=2")
    calls.all[-1].url, calls.all[-1].ended = "http://shop/99/?page=2", 5.0
    calls.add("click", element("e1"), ref="e1", url="http://shop/99/?page=2", began=6.0)
    calls.add("snapshot", url=f"http://shop{came}", began=8.0, ended=9.0)
    calls.writes = [7.0]
    assert calls.plan().steps[-1].url == f"http://shop{waits_for}"
    calls.writes = [4.0, 10.0]  # only reads were recorded for this page
    assert calls.plan().steps[-1].url == f"http://shop{came}"


def test_exported_locators_and_texts_avoid_generated_ids(calls: Calls) -> None:
    by_place = {"by": "css", "css": "#last a", "unique": True}
    link = element("e2", "link", "Order 253")
    link["candidates"].append(by_place)
    calls.all[0].url = "http://shop/"
    calls.add("click", element("e1"), ref="e1", url="http://shop/253", text_appeared="Order 253")
    calls.add("click", link, ref="e2")
    calls.add("wait", url="/253")
    calls.add("wait", text="Thanks")
    calls.writes = [0.0]
    assert calls.playwright().splitlines()[2:] == [
        'page.wait_for_url("http://shop/*")',
        'page.locator("#last a").click()',
        'page.wait_for_url("**/***")',
        'page.get_by_text("Thanks").filter(visible=True).first.wait_for()',
    ]
    assert 'expect(page).to_have_url(re.compile("^http://shop/.*$"))' in SCRIPTS["pytest"](
        calls.plan()
    )
    assert 'browser.wait(url="http://shop/*")' in calls.tabwarden()


def test_exported_step_waits_for_text_that_appeared_unless_it_is_temporary(calls: Calls) -> None:
    calls.add("click", element("e1"), ref="e1", text_appeared="2 items")
    calls.add("click", element("e1"), ref="e1", text_appeared="Loading")
    assert [step.text for step in calls.plan().steps] == ["", "2 items", ""]
    assert 'browser.wait(text="2 items")' in calls.tabwarden()


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"script": "window.done"}, 'page.wait_for_function("window.done")'),
        (
            {"selector": ".spin", "state": "hidden"},
            'page.locator(".spin").filter(visible=True).first.wait_for(state="hidden")',
        ),
        (
            {"selector": ".spin", "state": "gone"},
            'page.locator(".spin").first.wait_for(state="detached")',
        ),
        (
            {"any_of": [{"url": "*/done"}, {"load_state": "load"}, {"time_s": 3}]},
            'wait_for_any(page, lambda: re.fullmatch(".*/done", page.url), lambda: '
            "page.evaluate('document.readyState == \"complete\"'), at_most_s=3, then_ends=True)",
        ),
        ({"selector": ".a"}, 'page.locator(".a").filter(visible=True).first.wait_for()'),
    ],
)
def test_export_converts_a_recorded_wait_to_the_equivalent_playwright_wait(
    calls: Calls, given: dict[str, str], line: str
) -> None:
    calls.add("wait", **given)
    assert calls.playwright().splitlines()[-1] == line


def test_exported_wait_does_not_locate_an_element_by_its_changing_text(calls: Calls) -> None:
    told = element("e1", name="Wait…")
    told["candidates"].append({"by": "css", "css": "#go", "unique": True})
    calls.add("wait", told, ref="e1", state="enabled", has_text="Go")
    assert calls.playwright().splitlines()[1:] == [
        'expect(page.locator("#go")).to_be_enabled(timeout=30_000)',
        'expect(page.locator("#go")).to_contain_text("Go", ignore_case=True, timeout=30_000)',
    ]
    calls.add("wait", told, any_of=[{"ref": "e1", "state": "gone"}, {"text_gone": "Wait"}])
    assert calls.playwright().splitlines()[-1] == (
        'wait_for_any(page, lambda: page.get_by_role("button", name="Wait…", exact=True).count() '
        '== 0, lambda: page.get_by_text("Wait").filter(visible=True).count() == 0)'
    )
    assert 'any_of=[{"state": "gone", "ref": \'role=button[name="Wait…"]\'}' in calls.tabwarden()


def test_export_converts_a_click_at_a_point_to_a_click_on_the_element_there(calls: Calls) -> None:
    told = element("20,30", offset=[5, 6], position=[5, 6])
    calls.add("mouse", told, mode="click", x=40, y=60, count=2, points=[(20, 30)])
    calls.add("mouse", mode="down", x=40, y=60, points=[(20, 30)])
    calls.add("mouse", told, mode="move", x=80, y=80, points=[(40, 40)])
    calls.add("mouse", mode="up", points=[(40, 40)])
    path = [[30, 30]]
    calls.add(
        "mouse", mode="drag", x=1, y=2, path=path, to_x=5, to_y=6, points=[(1, 2), (3, 3), (5, 6)]
    )
    assert calls.playwright().splitlines()[1:] == [
        'page.get_by_role("button", name="Buy", exact=True).dblclick(position={"x": 5, "y": 6})',
        "page.mouse.move(20, 30)", "page.mouse.down()", "page.mouse.move(40, 40)",
        "page.mouse.move(40, 40)", "page.mouse.up()",
        "page.mouse.move(1, 2)", "page.mouse.down()", "page.mouse.move(3, 3, steps=5)",
        "page.mouse.move(5, 6, steps=5)", "page.mouse.up()",
    ]  # fmt: skip
    assert 'browser.mouse("drag", 1, 2, to_x=5, to_y=6, path=[[3, 3]], pixels="css")' in (
        calls.tabwarden()
    )
    calls.add("touch", mode="tap", x=4, y=5)
    with pytest.raises(InvalidArgument, match="7 touch tap"):
        calls.plan()


def test_exported_script_removes_a_route_by_the_id_or_url_that_added_it(calls: Calls) -> None:
    calls.add("route", url="/a/i", resource_type="xhr", headers={"X-A": "(secret)", "B": None},
              result={"id": "ro-7"})  # fmt: skip
    calls.add("route", mode="list").add("route", mode="remove", route_id="ro-7")
    calls.add("route", mode="remove", url="**/b").add("route", mode="remove")
    assert calls.playwright().splitlines()[1:] == [
        'ro_7 = add_route(page, re.compile("a", re.IGNORECASE), '
        'headers={"X-A": os.environ["X_A"], "B": None}, types=["xhr", "fetch", "eventsource"])',
        "ro_7()",
        'page.context.unroute("**/b")',
        "page.context.unroute_all()",
    ]


def test_exported_script_raises_for_a_call_whose_text_the_trace_truncated(calls: Calls) -> None:
    calls.add("route", url="**", body="x" * 20_000 + "…")
    for script in (calls.playwright(), calls.tabwarden()):
        assert script.splitlines()[-1].startswith("raise NotImplementedError(")
        assert "body" in script


def test_exported_script_launches_the_browser_with_the_recorded_options(calls: Calls) -> None:
    proxy = {"server": "http://p:1", "username": "u", "password": "(secret PROXY_PASSWORD)"}
    calls.launch = {"proxy": proxy, "timezone": "Europe/Berlin", "extensions": ["/e"],
                    "device": "iPhone 13", "init_scripts": ["/i.js"]}  # fmt: skip
    plan = calls.plan()
    assert plan.secrets == ["PROXY_PASSWORD"]
    script, test = SCRIPTS["playwright"](plan), SCRIPTS["pytest"](plan)
    told = '{"server": "http://p:1", "username": "u", "password": os.environ["PROXY_PASSWORD"]}'
    assert f"proxy={told}," in script
    assert 'timezone_id="Europe/Berlin"' in script
    assert "which the script does not set: extensions." in script
    assert 'page.context.add_init_script(path="/i.js")' in script
    assert f'return {{**browser_type_launch_args, "proxy": {told}}}' in test
    assert '"timezone_id": "Europe/Berlin"' in test
    assert '"viewport": {"width": 390, "height": 664}, ' in test
    assert "is_mobile=True, has_touch=True" in script
    ours = SCRIPTS["tabwarden"](plan)
    assert f'Browser.launch(proxy={told}, timezone="Europe/Berlin", extensions=["/e"], ' in ours
    assert "browser.resize(" not in ours


def test_export_attaches_a_dialog_answer_to_the_step_that_it_interrupted(calls: Calls) -> None:
    calls.add("click", element("e1"), ref="e1", status="interrupted")
    calls.add("evaluate", script="count()")
    calls.add("dialog", action="accept", prompt_text='For "Ada"')
    assert calls.playwright().splitlines()[1:3] == [
        'with answering(page, ("accept", \'For "Ada"\')):',
        '    page.get_by_role("button", name="Buy", exact=True).click()',
    ]
    assert 'answer(browser, "accept", \'For "Ada"\')' in calls.tabwarden()


def test_exported_script_reads_secrets_from_environment_variables(calls: Calls) -> None:
    field = element("e2", "textbox", "Password (8+)")
    calls.add("type", field, ref="e2", text="(secret)", press_enter=True)
    calls.add("fill_form", field, fields=[{"ref": "e2", "value": "(secret)"}])
    calls.add("auth", username="ann", password="(secret)")
    plan = calls.plan()
    assert plan.secrets == ["PASSWORD_8", "HTTP_PASSWORD"]
    assert calls.playwright().splitlines()[1:] == [
        f'page.get_by_role("textbox", name="Password (8+)", exact=True).{one}'
        for one in ('fill(os.environ["PASSWORD_8"])', 'press("Enter")',
                    'fill(os.environ["PASSWORD_8"])')
    ]  # fmt: skip
    for write in SCRIPTS.values():
        assert "(secret)" not in write(plan)
        assert "import os" in write(plan)


def test_export_attaches_a_new_tab_to_the_step_that_opened_it(calls: Calls) -> None:
    calls.add("click", element("e1"), ref="e1")
    calls.add("click", element("e5", name="Close"), ref="e5", tab_id="t2")
    calls.add("tabs", mode="close", tab_id="t2")
    calls.add("click", element("e1"), ref="e1")
    assert calls.playwright().splitlines()[1:] == [
        "with page.expect_popup() as popup:",
        '    page.get_by_role("button", name="Buy", exact=True).click()',
        "page2 = popup.value",
        'page2.get_by_role("button", name="Close", exact=True).click()',
        "page2.close()",
        'page.get_by_role("button", name="Buy", exact=True).click()',
    ]


def test_export_sends_an_upload_without_an_element_to_the_file_chooser(calls: Calls) -> None:
    calls.add("click", element("e1"), ref="e1", status="interrupted")
    calls.add("upload", filenames=["a.txt"])
    assert calls.playwright().splitlines()[1:] == [
        "with page.expect_file_chooser() as chooser:",
        '    page.get_by_role("button", name="Buy", exact=True).click()',
        'chooser.value.set_files(["a.txt"])',
    ]


def test_exported_script_fills_a_form_field_by_field(calls: Calls) -> None:
    calls.add(
        "fill_form", element("e1", "textbox", "Name"), element("e2", "checkbox", "Gift"),
        element("e3", "combobox", "Size", tag="select"), element("e4", "radio", "Red"),
        fields=[{"ref": "e1", "value": "Ann"}, {"ref": "e2", "value": False},
                {"ref": "e3", "value": "M"}, {"ref": "e4", "value": True}],
    )  # fmt: skip
    ends = [line.rpartition(").")[2] for line in calls.playwright().splitlines()[1:]]
    assert ends == ['fill("Ann")', "set_checked(False)", 'select_option(label="M")', "check()"]


@pytest.mark.parametrize(
    ("field", "value", "held", "line"),
    [
        (element("e1", "checkbox", "Paid"), "true", None, "set_checked(True)"),
        (element("e1", "switch", "Paid"), " Off", None, "set_checked(False)"),
        (element("e1", "radio", "Paid"), "on", None, "check()"),
        (element("e1", "textbox", "Paid"), "true", "true", 'fill("true")'),
        (element("e1", "", "Paid", tag="x-box"), "true", True, "set_checked(True)"),
        (
            element("e1", "combobox", "Land", tag="select"), "de", ["Germany"],
            'select_option(label=["Germany"])',
        ),
    ],
)  # fmt: skip
def test_exported_script_locates_an_unlabeled_field_by_its_role_and_old_value(
    calls: Calls, field: dict[str, Any], value: str, held: Any, line: str
) -> None:
    fields = [{"ref": "e1", "value": value}]
    result = None if held is None else {"filled": [{"ref": "e1", "value": held}]}
    calls.add("fill_form", field, fields=fields, result=result)
    assert calls.playwright().endswith(f").{line}")


def test_exported_script_locates_an_element_through_its_frames(calls: Calls) -> None:
    calls.add("click", element("e1", frames=["#pay", 'iframe[title="Bank"]']), ref="e1")
    assert 'page.frame_locator("#pay").frame_locator(\'iframe[title="Bank"]\').get_by_role' in (
        calls.playwright()
    )
    assert '\'#pay >> iframe[title="Bank"] >> role=button[name="Buy"]\'' in calls.tabwarden()


def test_exported_script_presses_the_keys_of_a_sequence_by_the_names_of_the_dom() -> None:
    calls = (
        Calls().add("snapshot", url="http://shop/a").add("press", key="ctrl+A KP_Enter", times=2)
    )
    calls.add("press", key="(secret)")
    assert calls.playwright().splitlines()[1:] == [
        "for _ in range(2):",
        '    page.keyboard.press("Control+a")',
        '    page.keyboard.press("NumpadEnter")',
        'page.keyboard.press(os.environ["SECRET"])',
    ]


def test_exported_script_first_opens_the_page_on_which_the_recording_began() -> None:
    calls = Calls().add("snapshot", url="http://shop/a").add("press", key="ctrl+a")
    assert calls.playwright() == ('page.goto("http://shop/a")\npage.keyboard.press("Control+a")')


def test_export_uses_the_element_name_for_a_call_without_locators_or_rejects_it(
    calls: Calls,
) -> None:
    calls.add("click", ref="e1", element={"ref": "e1", "role": "link", "name": "Home"})
    assert (
        "# Tabwarden did not check while recording that this locator is unique."
        in calls.playwright()
    )
    calls.add("click", ref="e2", element={"ref": "e2", "role": "generic", "name": ""})
    with pytest.raises(InvalidArgument, match="3 click e2"):
        calls.plan()


def test_exported_actions_without_a_playwright_equivalent_raise_not_implemented(
    calls: Calls,
) -> None:
    calls.add("choose", value="a").add("emulate", reset=True)
    for line in calls.playwright().splitlines()[1:]:
        assert line.startswith("raise NotImplementedError(")


@pytest.mark.threat
def test_export_never_turns_page_text_into_code(calls: Calls) -> None:
    hostile = [
        '"); stop()#',
        "'); stop()#",
        '"""\nstop()\n"""',
        "\\",
        "{stop()}",
        "\u2028stop()",
        "\r\nstop()",
    ]
    for text in hostile:
        told = element("e1", name=text, frames=[text])
        calls.add("click", told, ref="e1", text_appeared=text, url=f"http://a/{text}", title=text)
        calls.add("type", told, ref="e1", text=text)
    plan = calls.plan()
    for write in SCRIPTS.values():
        tree = ast.parse(write(plan))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert "stop" not in names
        found = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
        assert set(hostile) <= found


def test_export_replaces_a_configured_secret_with_its_environment_variable(calls: Calls) -> None:
    calls.add("type", element("e2", "textbox", "Code"), ref="e2", text="x(secret CARD_PIN)y")
    assert calls.playwright().endswith('.fill("x" + os.environ["CARD_PIN"] + "y")')
    calls.add("type", element("e2", "textbox", "Code"), ref="e2", text="{{SHOP_CODE}}")
    assert calls.plan().secrets == ["CARD_PIN", "SHOP_CODE"]


def test_exported_step_does_not_wait_for_a_shortened_url(calls: Calls) -> None:
    calls.all[0].url = "http://shop/"
    calls.add("click", element("e1"), ref="e1", url="http://shop/?code=…")
    assert [step.url for step in calls.plan().steps] == ["", ""]


@pytest.mark.parametrize("content", [b"", b"no json", b"PK\x03\x04"])
def test_export_rejects_a_file_that_is_not_a_trace(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(InvalidArgument, match="is not a trace"):
        read_trace(path)
