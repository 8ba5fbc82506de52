"""Audits with axe-core: findings per frame, and missing files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from support.applications.install import npm_packages
from support.site import Site

from tabwarden.actions import ACTIONS
from tabwarden.actions.output_schema import output_schema
from tabwarden.actions.result_text import as_data
from tabwarden.config import load_config
from tabwarden.errors import BudgetExceeded, FrameNotFound, InvalidArgument, NotSupported
from tabwarden.hints import tool_call
from tabwarden.sync import Browser

INNER = "<style>p { color: #ccc; background: #fff }</style><p>pale</p><img src=x>"


@pytest.fixture(scope="module")
def auditor() -> Iterator[Browser]:
    axe = npm_packages("axe-core@4.14.1") / "node_modules/axe-core/axe.min.js"
    with Browser.launch(config=load_config(None, axe=str(axe)).browser) as browser:
        yield browser


def test_audit_checks_each_frame_and_returns_a_ref_for_each_element(
    auditor: Browser, site: Site
) -> None:
    site.page("/inner", INNER)
    body = f"<h1>Shop</h1><input id=q><iframe title=In src={site.there}/inner></iframe>"
    auditor.goto(site.page("/", body))
    auditor.evaluate("window.axe = 'the page\\'s own'; Array.prototype.map = () => []")
    done = auditor.audit(tags=["wcag2a", "wcag2aa"])
    Draft202012Validator(output_schema(ACTIONS["browser_audit"])).validate(as_data(done, tool_call))
    told = done.value
    found = {one["id"]: one for one in told["violations"]}
    assert {"image-alt", "color-contrast", "label"} <= found.keys()
    assert found["label"]["impact"] == "critical"
    (field,) = found["label"]["nodes"]
    auditor.type("fits", field["ref"])
    assert auditor.evaluate("document.querySelector('#q').value").value == "fits"
    (image,) = found["image-alt"]["nodes"]
    assert auditor.inspect(image["ref"]).value["tag"] == "img"
    assert image["frame_id"] != field["frame_id"]
    assert "4.5:1" in found["color-contrast"]["nodes"][0]["why"]
    assert told["unread"] == []
    assert told["axe"] == "4.14.1"
    assert auditor.evaluate("window.axe").value == "the page's own"
    inner = auditor.audit(rules=["label", "image-alt"], frame_id=image["frame_id"]).value
    assert [one["id"] for one in inner["violations"]] == ["image-alt"]


def test_audit_does_not_apply_page_level_rules_to_frames(auditor: Browser, site: Site) -> None:
    site.page("/inner", "<p>no heading</p>")
    auditor.goto(site.page("/", f"<main><h1>Hi</h1><iframe title=In src={site.here}/inner></main>"))
    rules = ["page-has-heading-one", "landmark-one-main", "region", "document-title"]
    told = auditor.audit(rules=rules).value
    assert (told["violations"], told["passes"]) == ([], 4)
    site.page("/inner", "<main><h1>Inside</h1></main>")
    auditor.goto(site.page("/", f"<iframe title=In src={site.here}/inner></iframe>"))
    assert auditor.audit(rules=rules[:2]).value["violations"] == []
    auditor.goto(site.page("/", "<p>nothing</p>"))
    assert len(auditor.audit(rules=rules).value["violations"]) == 3


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"rules": ["no-such-rule"]}, "rules"),
        ({"tags": ["nothing"]}, "tags"),
        ({"rules": ["label; x"]}, "rules"),
        ({"rules": ["label"], "tags": ["wcag2a"]}, "tags"),
    ],
)
def test_audit_rejects_unknown_rules_and_tags(
    auditor: Browser, site: Site, given: dict[str, list[str]], field: str
) -> None:
    auditor.goto(site.page("/", "<h1>Hi</h1>"))
    with pytest.raises(InvalidArgument) as refused:
        auditor.audit(**given)
    assert refused.value.data["field"] == field


@pytest.mark.long
def test_audit_skips_a_hung_frame_and_recovers_a_hung_page(auditor: Browser, site: Site) -> None:
    loops = "const end = Date.now() + 4000; while (Date.now() < end);"
    site.page("/loops", f"<script>setTimeout(() => {{ {loops} }}, 200)</script>")
    auditor.goto(site.page("/", f"<img src=x><iframe title=I src={site.there}/loops></iframe>"))
    auditor.wait(time_s=0.4)
    told = auditor.audit(rules=["image-alt"]).value
    assert [one["id"] for one in told["violations"]] == ["image-alt"]
    assert len(told["unread"]) == 1
    auditor.goto(site.page("/", "<h1>Hi</h1>"))
    auditor.evaluate("setTimeout(() => { for (;;); }, 50)")
    auditor.wait(time_s=0.3)
    with pytest.raises(BudgetExceeded):
        auditor.audit(timeout_ms=3_000)
    assert auditor.evaluate("1 + 1", timeout_ms=20_000).value == 2


def test_audit_fails_for_an_unknown_frame_or_a_missing_axe_file(
    auditor: Browser, site: Site, tmp_path: Path
) -> None:
    auditor.goto(site.page("/", "<h1>Hi</h1>"))
    with pytest.raises(FrameNotFound):
        auditor.audit(frame_id="F" * 32)
    config = load_config(None, axe=str(tmp_path / "axe.min.js")).browser
    with Browser.launch(config=config) as browser, pytest.raises(NotSupported) as missing:
        browser.audit()
    assert missing.value.data["field"] == "axe"
    assert "tabwarden install axe" in str(missing.value.hint)
    assert json.dumps(missing.value.data)
