"""Drops of upload-folder files and text, in any frame, only where the page accepts them."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.errors import Denied, InvalidArgument, NotInteractable
from tabwarden.sync import Browser

ZONE = """<div role=button style="width:200px;height:80px">Zone</div><p>Nothing</p>
<input type=file aria-label=File><textarea aria-label=Notes></textarea><script>
const zone = document.querySelector('div');
zone.ondragover = e => e.preventDefault();
zone.ondrop = async e => { e.preventDefault();
  window.got = [e.dataTransfer.getData('text/plain'), [...e.dataTransfer.types]];
  window.text = await e.dataTransfer.files[0]?.text() };
</script>"""


@pytest.fixture
def zone(browser: Browser, site: Site, tmp_path: Path) -> Browser:
    (tmp_path / "a.txt").write_text("hello")
    browser.configure(BrowserConfig(upload_dir=str(tmp_path)))
    site.page("/in", ZONE)
    browser.goto(site.page("/", f"<iframe src='{site.there}/in' style='width:500px;height:400px'>"))
    return browser


def in_frame(browser: Browser, script: str) -> object:
    frame = browser.state.frame_tree.children[0].frame_id
    return browser.evaluate(script, frame_id=frame).value


def test_drop_delivers_files_and_text_to_elements_that_accept_them(zone: Browser) -> None:
    seen = zone.snapshot()
    done = zone.drop(seen.ref("Zone"), ["a.txt"])
    assert done.value == {"files": ["a.txt"], "types": [], "effect": "copy"}
    assert in_frame(zone, "text") == "hello"
    zone.drop(seen.ref("Zone"), data={"text/plain": "words"})
    assert in_frame(zone, "got") == ["words", ["text/plain"]]
    zone.drop(seen.ref("File"), ["a.txt"])
    assert in_frame(zone, "document.querySelector('input').files[0].name") == "a.txt"
    zone.drop(seen.ref("Notes"), data={"text/plain": "kept"})
    assert in_frame(zone, "document.querySelector('textarea').value") == "kept"


def test_drop_fails_on_an_element_that_does_not_accept_the_files_or_text(zone: Browser) -> None:
    nothing = zone.find(text="Nothing").value["found"][0]["ref"]
    for files, data in ((["a.txt"], None), ([], {"text/plain": "words"})):
        with pytest.raises(NotInteractable, match="does not accept dropped"):
            zone.drop(nothing, files, data=data)
    assert len(zone.state.tabs) == 1


@pytest.mark.parametrize(
    ("files", "data", "field", "error"),
    [
        ([], None, "filenames", InvalidArgument),
        (["gone.txt"], None, "filenames", InvalidArgument),
        (["../../etc/passwd"], None, "filenames", Denied),
        ([], {"words": "text"}, "data", InvalidArgument),
        ([], "words", "data", InvalidArgument),
    ],
)
def test_drop_rejects_invalid_files_and_data(
    files: list[str], data: object, field: str, error: type[InvalidArgument], zone: Browser
) -> None:
    with pytest.raises(error) as wrong:
        zone.drop("e1", files, data=data)  # type: ignore[arg-type]
    assert wrong.value.data["field"] == field
