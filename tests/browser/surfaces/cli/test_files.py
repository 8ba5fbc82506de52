"""Files from a shell: paths refer to the caller's folder, for input and output."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.surfaces.cli.shell import Shell, shell
from support.site import Site

from tabwarden.endpoints.profiles import scratch_base
from tabwarden.files.inbox import INBOX

FORM = """
<input type=file id=f aria-label=Scan>
<input type=file id=d webkitdirectory aria-label=Photos>
<div id=z ondragover="event.preventDefault()"
  ondrop="event.preventDefault(); document.title = event.dataTransfer.files[0].name"
  style="width: 200px; height: 100px" role=button aria-label=Zone>Drop</div>
<a href="data:text/csv,a" download="page.csv">Get</a>"""


@pytest.fixture(scope="module")
def sh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    with shell(tmp_path_factory.mktemp("files"), "files") as made:
        for folder in ("up", "pics"):
            (made.folder / folder).mkdir()
        made.env["TABWARDEN_BROWSER__UPLOAD_DIR"] = str(made.folder / "up")
        made.env["TABWARDEN_BROWSER__OUTPUT_DIR"] = str(made.folder / "out")
        made.env["TABWARDEN_BROWSER__STATE_DIR"] = str(made.folder / "states")
        made.env["TABWARDEN_BROWSER__DOWNLOAD_DIR"] = str(made.folder / "down")
        (made.folder / "scan.txt").write_text("mine")
        (made.folder / "up" / "scan.txt").write_text("another")
        (made.folder / "up" / "only.txt").write_text("only there")
        (made.folder / "pics" / "a.png").write_text("a")
        yield made
        made.run("close")


@pytest.fixture
def page(sh: Shell, site: Site) -> Shell:
    site.pages["/f.js"] = "document.title = 'from a file'"
    sh.ok("goto", site.page("/form", FORM))
    return sh


def text_of_file(sh: Shell) -> object:
    return sh.value("f.files[0].text()")


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ("./scan.txt", "mine"),
        ("scan.txt", "mine"),
        ("{folder}/scan.txt", "mine"),
        ("pics/../scan.txt", "mine"),
        ("only.txt", "only there"),
    ],
)
def test_upload_command_resolves_paths_in_the_callers_folder_first(
    page: Shell, given: str, text: str
) -> None:
    said = page.ok("upload", "css=#f", given.format(folder=page.folder))
    assert text_of_file(page) == text
    assert ("Used the file from the upload folder" in said) == (given == "only.txt")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("./only.txt", "/only.txt' can't be read: No such file"),
        ("none.txt", "/none.txt', and no file with this name in the upload folder"),
        ("/dev/zero", "it is not a regular file"),
        ("pics", "'pics' is a folder, but this input accepts files"),
    ],
)
@pytest.mark.threat
def test_upload_command_never_uploads_another_file_with_the_same_name(
    page: Shell, given: str, words: str
) -> None:
    assert words in page.fail("upload", "css=#f", given, status=2)
    assert page.value("f.files.length") == 0


def test_uploaded_file_stays_readable_after_the_caller_deletes_it(page: Shell) -> None:
    """The page can read its file later, when it submits the form."""
    file = page.folder / "later.txt"
    file.write_text("as given")
    page.ok("upload", "css=#f", "later.txt")
    file.unlink()
    assert text_of_file(page) == "as given"


def test_upload_drop_batch_and_route_commands_accept_the_callers_files(
    page: Shell, site: Site
) -> None:
    page.ok("upload", "css=#d", "pics")
    assert page.value("[...d.files].map(f => f.webkitRelativePath)") == ["pics/a.png"]
    page.ok("drop", page.ref("Zone"), "--filename", "./scan.txt")
    assert page.value("document.title") == "scan.txt"
    page.ok("batch", "upload 'css=#f' ./scan.txt")
    assert text_of_file(page) == "mine"
    step = {"tool": "upload", "ref": "css=#f", "filenames": ["./only.txt"]}
    assert "can't be read" in page.fail("batch", json.dumps([step]), status=2)
    page.ok("route", site.here + "/routed", "--path", "./scan.txt")
    page.ok("goto", site.here + "/routed")
    assert page.value("document.body.innerText") == "mine"
    page.ok("route", "remove", "--url", site.here + "/routed")
    (page.folder / "init.js").write_text("window.early = 42")
    page.ok("init-script", "add", "--path", "init.js")
    page.ok("goto", site.here + "/form")
    assert page.value("early") == 42


@pytest.mark.parametrize(("command", "name"), [("state", "auth.json"), ("cookies", "auth.txt")])
@pytest.mark.whole
def test_state_and_cookies_commands_save_to_and_load_from_the_callers_path(
    command: str, name: str, page: Shell
) -> None:
    kept = page.folder / "states" / name
    kept.parent.mkdir(exist_ok=True)
    kept.write_text("kept")
    page.ok("eval", "document.cookie = 'login=1; max-age=999'")
    for _ in range(2):
        said = page.ok(command, "save", name)
        assert str(page.folder / name) in said
    assert (page.folder / name).stat().st_mode & 0o777 == 0o600
    assert kept.read_text() == "kept"
    page.ok("cookies", "clear")
    (page.folder / "elsewhere").mkdir(exist_ok=True)
    (page.folder / name).rename(page.folder / "elsewhere" / name)
    page.ok(command, "load", f"elsewhere/{name}")
    assert page.value("document.cookie") == "login=1"
    assert not list(scratch_base().glob(f"*{INBOX}*/*/{name}")), "a copy of a login stays"
    failed = page.run(command, "load", "none.json")
    assert f"There is no file '{page.folder}/none.json', and no file with this" in failed.err
    (kept.parent / "kept.json").write_text('{"cookies": [], "origins": []}')
    assert "Used the file from the state folder" in page.ok(command, "load", "kept.json")


@pytest.mark.parametrize(
    ("words", "name", "begins"),
    [
        (["snapshot", "--filename"], "page.md", b"Tab t1"),
        (["scrape", "--to"], "page.txt", b""),
        (["eval", "[1, 2]", "--to"], "list.json", b"["),
        (["screenshot", "--filename"], "shot.png", b"\x89PNG"),
        (["pdf"], "page.pdf", b"%PDF"),
        (["download", "data:text/csv,a%2Cb"], "table.csv", b"a,b"),
        (["download", "data:text/csv,a%2Cb", "--to"], "table.csv", b"a,b"),
        (["batch"], "step.md", b"Tab t1"),
    ],
)
def test_command_saves_its_result_to_the_given_path(
    words: list[str], name: str, begins: bytes, page: Shell, tmp_path: Path
) -> None:
    path = tmp_path / name
    given = [f"snapshot --to '{path}'"] if words == ["batch"] else [str(path)]
    said = page.ok(*words, *given)
    where = f'saved in "{path}": {path.stat().st_size} bytes'
    assert where in "\n".join(said.splitlines()[:2])
    assert path.read_bytes().startswith(begins)
    assert path.stat().st_mode & 0o077 == 0
    page.ok(*words, *given)
    numbered = path.with_name(f"{path.stem} (1){path.suffix}")
    assert sorted(tmp_path.iterdir()) == sorted([path, numbered])
    if words != ["batch"]:
        again = page.json(*words, *given, "--overwrite")["value"]
        assert again["path"] == str(path)
        assert sorted(tmp_path.iterdir()) == sorted([path, numbered])
    assert not [*(page.folder / "out").glob(path.name)]


def test_command_prints_first_where_it_saved_a_result_without_a_given_path(page: Shell) -> None:
    for words, folder in ((["pdf"], "out"), (["download", "data:text/csv,a"], "down")):
        first, second = page.ok(*words).splitlines()[:2]
        assert first == f"{words[0]}: ok"
        assert second.startswith(f'saved in "{page.folder / folder}/')


def test_wait_command_copies_a_page_download_to_the_callers_folder(
    page: Shell, tmp_path: Path
) -> None:
    page.ok("click", page.ref("Get"))
    said = page.json("wait", "--download", "--to", f"{tmp_path}/")["value"]["download"]
    assert said["path"] == str(tmp_path / "page.csv")
    assert (tmp_path / "page.csv").read_text() == "a"
    assert (page.folder / "down" / "page.csv").is_file()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["pdf", "none/page.pdf"], "is in a folder that does not exist"),
        (["snapshot", "--to", "pics"], "'pics' is a folder"),
    ],
)
def test_command_rejects_a_path_where_it_cannot_save(
    words: list[str], why: str, page: Shell
) -> None:
    assert why in page.fail(*words, status=2)


def test_daemon_deletes_its_copies_of_uploaded_files_when_it_exits(page: Shell, site: Site) -> None:
    def copies() -> set[Path]:
        folders = (Path(page.env["TMPDIR"]), Path("/tmp"))  # the first may be too long for sockets
        return {one for each in folders for one in each.glob("tabwarden-inbox-*/*/scan.txt")}

    before = copies()
    page.ok("upload", "css=#f", "./scan.txt")
    (copy,) = copies() - before
    assert copy.read_text() == "mine"
    page.ok("close")
    assert not copy.parents[1].exists()
    page.ok("open", site.here + "/form")
