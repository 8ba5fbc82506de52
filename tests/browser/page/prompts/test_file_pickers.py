"""File pickers of the File System Access API: announced, and answered with handles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.eventually import eventually
from support.needs import needs, whole_chromium
from support.relay import Relay
from support.site import Site

from tabwarden.config import BrowserConfig
from tabwarden.errors import InvalidArgument
from tabwarden.events import EndpointLost
from tabwarden.sync import Browser

PAGE = """<button onclick="run(() => showOpenFilePicker())">Open</button>
<button onclick="run(() => showOpenFilePicker({multiple: true, types: [{accept:
{'text/csv': ['.csv', '.tsv']}}]}))">Open some</button>
<button onclick="run(() => showDirectoryPicker())">Folder</button>
<button onclick="run(() => showSaveFilePicker({suggestedName: 'report.txt'}))">Save</button><script>
window.drags = []
for (const type of ['dragenter', 'dragover', 'drop'])
  addEventListener(type, () => drags.push(type), true)
async function run(pick) {
  try {
    const picked = await pick()
    if (picked instanceof Array) {
      const texts = []
      for (const one of picked) texts.push(one.name + '=' + await (await one.getFile()).text())
      document.title = texts.join()
    } else if (picked.kind === 'directory') {
      const names = []
      for await (const name of picked.keys()) names.push(name)
      document.title = picked.name + ':' + names.sort().join()
    } else {
      const writable = await picked.createWritable()
      await new Blob(['written ', 'text']).stream().pipeTo(writable)
      document.title = 'saved ' + picked.name
    }
  } catch (error) { document.title = error.name }
}</script>"""


@pytest.fixture(params=["shell", pytest.param("whole", marks=needs("chromium"))])
def opened(request: pytest.FixtureRequest, site: Site, tmp_path: Path) -> Iterator[Browser]:
    """A browser with a page that uses the pickers, and files to upload."""
    about = {"executable": whole_chromium()} if request.param == "whole" else {}
    uploads = tmp_path / "uploads"
    (uploads / "photos").mkdir(parents=True)
    for name, text in (("a.csv", "1"), ("b.csv", "2"), ("photos/c.jpg", "3")):
        (uploads / name).write_text(text)
    config = BrowserConfig(upload_dir=str(uploads), download_dir=str(tmp_path / "downloads"))
    with Browser.launch(config=config, **about) as browser:
        site.page("/", PAGE)
        browser.goto(f"{site.there}/")
        yield browser


def asked(browser: Browser, button: str) -> str:
    browser.click(browser.snapshot().ref(button))
    eventually(lambda: browser.state.file_choosers or browser.state.save_pickers)
    return browser.snapshot().text


def has_title(browser: Browser, title: str) -> bool:
    return bool(browser.evaluate("document.title").value == title)


def test_agent_gives_files_to_an_open_picker(opened: Browser) -> None:
    assert "File chooser f-1 is waiting in tab t1 for one file" in asked(opened, "Open")
    with pytest.raises(InvalidArgument, match="accepts one file, not 2"):
        opened.upload(["a.csv", "b.csv"])
    assert opened.upload(["a.csv"]).value == {"files": ["a.csv"]}
    eventually(lambda: has_title(opened, "a.csv=1"))
    assert opened.evaluate("drags.length").value == 0
    assert 'for files of type ".csv, .tsv"' in asked(opened, "Open some")
    opened.upload(["a.csv", "b.csv"])
    eventually(lambda: has_title(opened, "a.csv=1,b.csv=2"))
    assert opened.state.file_choosers == ()


def test_agent_gives_a_folder_to_a_directory_picker(opened: Browser) -> None:
    assert "is waiting in tab t1 for a folder" in asked(opened, "Folder")
    with pytest.raises(InvalidArgument, match="one folder, not files"):
        opened.upload(["a.csv"])
    opened.upload(["photos"])
    eventually(lambda: has_title(opened, "photos:c.jpg"))


def test_agent_cancels_an_open_picker(opened: Browser) -> None:
    asked(opened, "Open")
    opened.upload([])
    eventually(lambda: has_title(opened, "AbortError"))
    assert opened.state.file_choosers == ()


def test_page_saves_a_file_and_the_browser_downloads_it(opened: Browser) -> None:
    text = asked(opened, "Save")
    assert 'Save picker s-1 is waiting in tab t1: may the page save "report.txt"?' in text
    opened.choose("save")
    path = Path(opened.wait(download=True).value["download"]["path"])
    assert (path.name, path.read_text()) == ("report.txt", "written text")
    assert has_title(opened, "saved report.txt")
    assert len(opened.state.downloads) == 1


def test_agent_cancels_a_save_picker(opened: Browser) -> None:
    asked(opened, "Save")
    opened.choose(cancel=True)
    eventually(lambda: has_title(opened, "AbortError"))
    assert opened.state.save_pickers == ()


@pytest.mark.parametrize(
    "call",
    ["navigator.mediaDevices.getDisplayMedia()", "navigator.usb.requestDevice({filters: []})",
     "navigator.credentials.get({digital: {requests: []}})"],
)  # fmt: skip
def test_requests_that_nobody_can_answer_are_declined_with_a_note(
    opened: Browser, site: Site, call: str
) -> None:
    site.page(
        "/",
        f"""<button onclick="{call}.catch((error) => {{ document.title = error.name }})">
        Ask</button><button onclick="this.textContent = 'Hit'">Other</button>""",
    )
    opened.goto(f"{site.there}/")
    opened.click(opened.snapshot().ref("Ask"))
    eventually(lambda: opened.state.notes)
    (note,) = opened.state.notes
    assert note.kind == "declined"
    assert note.text.endswith(": nobody can choose one here")
    assert opened.evaluate("document.title").value in ("NotAllowedError", "NotFoundError")
    assert opened.click(opened.snapshot().ref("Other")).effect.startswith('1 line appeared: "Hit"')


def test_picker_that_waits_is_announced_again_after_a_lost_connection(
    port: int, site: Site, tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_text("1")
    config = BrowserConfig(upload_dir=str(tmp_path))
    site.page("/", PAGE)
    with Relay(port) as relay, Browser.connect(relay.url, config=config) as browser:
        browser.goto(f"{site.there}/")
        asked(browser, "Open")
        with browser.events(EndpointLost) as lost:
            relay.cut()
            assert lost.get(5) is not None
        browser.snapshot()
        eventually(lambda: [one.id for one in browser.state.file_choosers] == ["f-2"])
        browser.upload(["a.csv"])
        eventually(lambda: has_title(browser, "a.csv=1"))
        assert browser.state.file_choosers == ()
