"""Files over HTTP: uploads, downloads and PDFs."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from browser.surfaces.http.client import Api, failed
from support.eventually import eventually
from support.site import Site

CHOOSER = """<input type=file id=input onchange="document.title = input.files[0].name">
<button id=open onclick="input.click()">Open</button>"""


def given(api: Api) -> str:
    """The content of the file that the page received."""
    title: str = api.act("wait", fn="input.files.length && document.title", timeoutMs=10_000)[
        "value"
    ]
    return title


def test_prepared_files_answer_the_next_file_chooser(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", CHOOSER))
    armed = api.post("/hooks/file-chooser", paths=["one.txt"])
    assert armed["value"] == {"armed": True}
    assert "one.txt" in armed["note"]
    api.act("click", selector="#open")
    assert given(api) == "one.txt"


@pytest.mark.parametrize(
    "fields", [{"ref": "css=#open"}, {"inputRef": "css=#input"}, {"element": "#input"}]
)
def test_file_chooser_hook_passes_files_to_the_specified_element(
    fields: dict[str, str], api: Api, site: Site
) -> None:
    api.post("/navigate", url=site.page("/", CHOOSER))
    assert api.post("/hooks/file-chooser", paths=["one.txt"], **fields)["value"]["files"] == [
        "one.txt"
    ]
    assert given(api) == "one.txt"


def test_file_chooser_hook_sets_files_in_an_open_file_chooser(
    api: Api, site: Site, folders: Path
) -> None:
    api.post("/navigate", url=site.page("/", CHOOSER))
    api.act("click", selector="#open")
    eventually(lambda: api.get("/snapshot")["fileChoosers"])
    whole = str(folders / "up" / "one.txt")  # as clients of such APIs write it
    assert "armed" not in api.post("/hooks/file-chooser", paths=[whole])["value"]
    assert given(api) == "one.txt"


@pytest.mark.parametrize(
    ("fields", "status", "field"),
    [
        ({}, 400, "paths"),
        ({"paths": []}, 400, "paths"),
        ({"paths": ["nope.txt"]}, 400, "paths"),
        ({"paths": ["../secret.txt"]}, 403, "paths"),
        ({"paths": ["/etc/passwd"]}, 403, "paths"),
        ({"paths": ["one.txt"], "ref": "e1", "element": "#a"}, 400, "element"),
        ({"paths": ["one.txt"], "timeoutMs": 0}, 400, "timeoutMs"),
    ],
    ids=str,
)
def test_file_chooser_hook_rejects_invalid_files_before_a_chooser_opens(
    fields: dict[str, object], status: int, field: str, plain_api: Api
) -> None:
    body = plain_api.fail("/hooks/file-chooser", status, **fields)
    assert body["tabwarden"]["data"]["field"] == field


def report(request: BaseHTTPRequestHandler) -> None:
    request.send_response(200)
    request.send_header("Content-Type", "application/octet-stream")
    request.send_header("Content-Disposition", 'attachment; filename="report.bin"')
    request.send_header("Content-Length", "3")
    request.end_headers()
    request.wfile.write(b"all")


LINK = "<a href=/report id=get>Get</a>"


def test_download_started_by_a_click_is_saved_under_the_requested_name(
    api: Api, site: Site
) -> None:
    site.pages["/report"] = report
    api.post("/navigate", url=site.page("/", LINK))
    api.act("click", selector="#get")  # no request waits for this one; the next download is another
    done = api.post("/download", ref=api.ref('"Get"'), path="mine.bin")
    file = Path(done["download"]["path"])
    assert (file.name, file.read_bytes()) == ("mine.bin", b"all")
    assert done["download"]["id"] != "dl-1"
    again = api.post("/download", ref="css=#get", path="mine.bin")
    assert Path(again["download"]["path"]).name == "mine (1).bin"
    assert "already exists" in again["note"]


def test_download_route_fetches_a_url(api: Api, site: Site) -> None:
    site.pages["/report"] = report
    api.post("/navigate", url=site.page("/", LINK))
    done = api.post("/download", url=site.here + "/report", filename="by-url.bin")
    assert Path(done["download"]["path"]).read_bytes() == b"all"
    body = api.fail("/download", 400, url=site.here + "/nope")
    assert body["tabwarden"]["data"]["status"] == 404


def test_wait_download_returns_each_download_once_or_times_out(api: Api, site: Site) -> None:
    site.pages["/report"] = report
    api.post("/stop")
    api.post("/start")
    api.post("/navigate", url=site.page("/", LINK))
    for _ in range(2):
        api.act("click", selector="#get")
    ids = [api.post("/wait/download")["download"]["id"] for _ in range(2)]
    assert ids == ["dl-1", "dl-2"]
    body = api.fail("/wait/download", 504, timeoutMs=200)
    assert body["code"] == "budget_exceeded"
    assert "download" in body["error"]


def test_download_route_reports_an_interrupted_download(api: Api, site: Site) -> None:
    def broken(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Disposition", 'attachment; filename="report.bin"')
        request.send_header("Content-Length", "100")
        request.end_headers()
        request.wfile.write(b"some")
        request.close_connection = True

    site.pages["/report"] = broken
    api.post("/navigate", url=site.page("/", LINK))
    body = api.fail("/download", 502, ref="css=#get", timeoutMs=20_000)
    assert body["code"] == "page_unreachable"
    assert "report.bin" in body["error"]


@pytest.mark.parametrize(
    ("path", "fields", "status", "field"),
    [
        ("/download", {}, 400, "url"),
        ("/download", {"url": "data:,a", "ref": "e1"}, 400, "url"),
        ("/download", {"ref": "e1", "overwrite": True}, 400, "overwrite"),
        ("/download", {"url": "data:,a", "path": "a", "filename": "b"}, 400, "path"),
        ("/download", {"url": "data:,a", "path": "../a"}, 403, "path"),
        ("/wait/download", {"url": "data:,a"}, 400, "url"),
        ("/wait/download", {"filename": "/etc/passwd"}, 403, "filename"),
        ("/pdf", {"paper": "a99"}, 400, "paper"),
        ("/pdf", {"marginMm": "wide"}, 400, "marginMm"),
    ],
)
def test_error_from_each_file_route_identifies_the_invalid_field(
    path: str, fields: dict[str, object], status: int, field: str, plain_api: Api
) -> None:
    body = plain_api.fail(path, status, **fields)
    assert body["tabwarden"]["data"]["field"] == field


def test_pdf_route_returns_a_file_path_or_the_pdf_itself(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "page", title="Printed"))
    done = api.post("/pdf")
    assert Path(done["path"]).read_bytes().startswith(b"%PDF")
    assert done["filename"].startswith("Printed")
    response = api.http.post("/pdf", json={}, headers={"Accept": "application/pdf"})
    assert response.headers["content-type"] == "application/pdf"
    assert response.content.startswith(b"%PDF")


def test_file_chooser_hook_requires_an_open_browser(server: object, api: Api) -> None:
    with Api(str(api.http.base_url), task="unarmed") as other:
        body = failed(other.http.post("/hooks/file-chooser", json={"paths": ["one.txt"]}), 409)
        assert body["code"] == "not_open"
