"""Files that clients upload and download, over a real connection."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx2
import pytest
from browser.surfaces.http.client import TOKEN, Api, failed, opened_socket, serving
from support.eventually import eventually
from support.site import Site

from tabwarden.surfaces.guard.token_file import TokenList, change_tokens, fresh_token

MB = 1024 * 1024
PAGE = '<input type=file id=input onchange="input.files[0].text().then(t => document.title = t)">'


def put(api: Api, name: str, content: bytes | Iterator[bytes]) -> httpx2.Response:
    return api.http.put(f"/files/uploads/{name}", content=content)


def test_client_can_upload_a_file_pass_it_to_a_page_and_delete_it(
    api: Api, site: Site, folders: Path
) -> None:
    stored = put(api, "mine.txt", iter([b"of ", b"mine"]))
    assert stored.status_code == 200, stored.text
    assert (stored.json()["filename"], stored.json()["size"]) == ("mine.txt", 7)
    assert "mine.txt" in [one["filename"] for one in api.get("/files/uploads")["files"]]
    api.post("/navigate", url=site.page("/", PAGE))
    api.post("/hooks/file-chooser", paths=["mine.txt"], element="#input")
    api.act("wait", fn="document.title === 'of mine'", timeoutMs=10_000)
    assert api.delete("/files/uploads/mine.txt")["deleted"] is True
    assert not (folders / "up" / "mine.txt").exists()
    body = api.fail("/hooks/file-chooser", 400, paths=["mine.txt"])
    assert "PUT /files/uploads/NAME" in body["error"]


def test_download_response_contains_a_route_that_serves_the_file(api: Api) -> None:
    done = api.post("/download", url="data:text/html,0123456789", path="a b%é.html")
    route = done["download"]["route"]
    whole = api.http.get(route)
    assert whole.content == b"0123456789"
    assert whole.headers["accept-ranges"] == "bytes"
    part = api.http.get(route, headers={"Range": "bytes=3-5"})
    assert (part.status_code, part.content) == (206, b"345")
    assert part.headers["content-range"] == "bytes 3-5/10"
    rest = api.http.get(route, headers={"Range": "bytes=8-"})
    assert rest.content == b"89"
    assert api.http.get(route, headers={"Range": "bytes=99-"}).status_code == 416
    assert api.http.head(route).headers["content-length"] == "10"
    files = api.get("/files/downloads", sha256=True)["files"]
    (listed,) = [one for one in files if one["filename"] == "a b%é.html"]
    assert listed["sha256"] == done["download"]["sha256"]
    api.delete(route)
    assert failed(api.http.get(route), 404)["tabwarden"]["data"]["field"] == "name"


@pytest.mark.threat
def test_server_sends_an_html_download_only_as_an_attachment(api: Api, folders: Path) -> None:
    (folders / "down").mkdir(exist_ok=True)
    (folders / "down" / "page.html").write_text("<script>alert(1)</script>")
    response = api.http.get("/files/downloads/page.html")
    assert response.headers["content-disposition"] == 'attachment; filename="page.html"'
    assert response.headers["content-type"] == "application/octet-stream"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in response.headers["content-security-policy"]


def test_screenshots_and_pdfs_can_be_fetched_from_their_route(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "page", title="Page"))
    assert api.http.get(api.post("/screenshot")["route"]).content.startswith(b"\x89PNG")
    assert api.http.get(api.post("/pdf")["route"]).content.startswith(b"%PDF")
    assert api.get("/files/screenshots")["total"] > 0
    api.get("/files/traces")


def test_result_saved_to_a_file_can_be_fetched_from_its_route(api: Api, site: Site) -> None:
    api.post("/navigate", url=site.page("/", "<p>words</p>", title="Page"))
    whole = api.act("evaluate", fn="[1, 2]", filename="two.json")["file"]
    assert whole["firstLines"] == ["[", "1,", "2", "]"]
    assert api.http.get(whole["route"]).content == b"[\n1,\n2\n]\n"
    read = api.get("/scrape", filename="words.txt", selector="body")["file"]
    assert api.http.get(read["route"]).content == b"words"
    outline = api.get("/snapshot", filename="page.md")["file"]
    assert b"words" in api.http.get(outline["route"]).content
    picture = api.post("/screenshot", filename="page.png")["file"]
    assert api.http.get(picture["route"]).content.startswith(b"\x89PNG")
    refused = api.fail("/act", 500, kind="evaluate", fn="1", filename="../x")
    assert refused["tabwarden"]["data"]["field"] == "filename"
    assert api.get("/files/outputs")["total"] >= 4


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("..%2fsecret.txt", 404),
        ("%2e%2e", 403),
        ("..%5csecret.txt", 403),
        ("a%00.txt", 400),
        ("CON", 400),
        (".hidden", 400),
        ("link.txt", 404),
        ("fifo", 404),
    ],
)
@pytest.mark.threat
def test_file_routes_serve_no_files_outside_their_folder(
    path: str, status: int, plain_api: Api, folders: Path
) -> None:
    down = folders / "down"
    down.mkdir(exist_ok=True)
    (folders / "secret.txt").write_text("what nobody may read")
    if not (down / "link.txt").is_symlink():
        (down / "link.txt").symlink_to(folders / "secret.txt")
    before = [(one.name, one.lstat().st_mtime_ns) for one in sorted(folders.iterdir())]
    with opened_socket(str(plain_api.http.base_url), f"GET /files/downloads/{path}") as sent:
        answer = everything(sent)
    assert int(answer.split()[1]) == status, answer
    assert b"nobody may read" not in answer
    assert [(one.name, one.lstat().st_mtime_ns) for one in sorted(folders.iterdir())] == before


@pytest.mark.threat
def test_server_rejects_an_oversized_upload_before_and_during_transfer(
    tmp_path: Path,
) -> None:
    with (
        serving(
            TABWARDEN_SERVER__MAX_UPLOAD_MB="1", TABWARDEN_BROWSER__UPLOAD_DIR=str(tmp_path)
        ) as server,
        Api(server.url) as api,
    ):
        about = {"Content-Length": str(MB + 1)}
        with opened_socket(server.url, "PUT /files/uploads/a", **about) as sent:
            answer = everything(sent)  # without a byte of the body
        assert answer.startswith(b"HTTP/1.1 413"), answer
        assert b"server.max_upload_mb" in answer
        about = {"Content-Length": "", "Transfer-Encoding": "chunked"}
        with opened_socket(server.url, "PUT /files/uploads/a", **about) as sent:
            piece = b"10000\r\n" + b"a" * 65_536 + b"\r\n"
            sent.sendall(piece * 17)
            assert everything(sent).startswith(b"HTTP/1.1 413")
        eventually(lambda: not [*tmp_path.iterdir()])
        assert put(api, "a", b"a" * MB).status_code == 200


@pytest.mark.threat
def test_server_deletes_a_partial_upload_after_a_disconnect(plain_api: Api, folders: Path) -> None:
    url = str(plain_api.http.base_url)
    with opened_socket(url, "PUT /files/uploads/half", Content_Length="100") as sent:
        sent.sendall(b"some")
        eventually(lambda: [*(folders / "up").glob(".*.part")])
    eventually(lambda: not [*(folders / "up").glob(".*.part")])
    assert not (folders / "up" / "half").exists()


@pytest.mark.threat
def test_tenant_cannot_read_another_tenants_files(tmp_path: Path) -> None:
    secrets = {name: fresh_token() for name in ("acme", "other", "reader")}
    tokens = TokenList()
    for name, secret in secrets.items():
        allow = {"allow": ["read"]} if name == "reader" else {}
        tokens = tokens.create(name, secret, datetime.now(UTC), **allow)
    change_tokens(tmp_path / "tokens.json", lambda _: tokens)
    with serving(
        TABWARDEN_SERVER__TOKENS_FILE=str(tmp_path / "tokens.json"),
        TABWARDEN_BROWSER__UPLOAD_DIR=str(tmp_path / "up"),
        TABWARDEN_BROWSER__DOWNLOAD_DIR=str(tmp_path / "down"),
    ) as server:
        of_acme = tmp_path / "down/tenant-acme"
        of_acme.mkdir(parents=True)
        (of_acme / "a.txt").write_text("of acme")
        acme, other, reader, operator = (
            Api(server.url, token=token) for token in (*secrets.values(), TOKEN)
        )
        assert put(acme, "up.txt", b"of acme").status_code == 200
        assert (tmp_path / "up/tenant-acme/up.txt").is_file()
        assert acme.http.get("/files/downloads/a.txt").text == "of acme"
        for api in (other, operator):
            assert api.get("/files/uploads")["files"] == []
            assert api.get("/files/downloads")["files"] == []
            failed(api.http.get("/files/downloads/a.txt"), 404)
            failed(api.http.delete("/files/uploads/up.txt"), 404)
        denied = failed(reader.http.get("/files/downloads"), 403)
        assert denied["tabwarden"]["data"]["permission"] == "files"
        assert failed(put(reader, "x", b"x"), 403)["code"] == "denied"
        for api in (acme, other, reader, operator):
            api.http.close()


def everything(connection: socket.socket) -> bytes:
    """All bytes that the server sends until it closes or resets the connection."""
    found = b""
    connection.settimeout(20)
    while b"\r\n\r\n" not in found or not found.rstrip().endswith(b"}"):
        piece = connection.recv(65_536)
        if not piece:
            break
        found += piece
    return found
