"""Complete results saved to files in the output folder, under plain file names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from browser.surfaces.mcp.host import Host, hosting, inside
from support.site import Respond, Site

from tabwarden.config import BrowserConfig

pytestmark = pytest.mark.anyio

PAGE = "<h1>Start</h1>" + "<button>line of the page</button>" * 3000 + "<button>Last</button>"


def files_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


async def test_tools_save_complete_results_to_files(site: Site, tmp_path: Path) -> None:
    folder = tmp_path / "made" / "by" / "us"
    async with inside(BrowserConfig(output_dir=folder)) as (host, _):
        await host.call("browser_navigate", url=site.page("/", PAGE))

        async def kept(tool: str, name: str, **given: Any) -> tuple[bytes, str, dict[str, Any]]:
            text, data = await host.call(f"browser_{tool}", filename=name, **given)
            file = data["value"]
            content = (folder / file["filename"]).read_bytes()
            assert (file["path"], file["size"]) == (str(folder / file["filename"]), len(content))
            assert file["path"] in text
            assert len(text) < 3_000
            return content, text, file

        outline, text, file = await kept("snapshot", "page.md")
        assert b'button "Last"' in outline  # the limit of 40,000 characters would have truncated it
        assert file["lines"] == len(outline.decode().splitlines())
        assert 'heading "Start"' in "\n".join(file["first_lines"])
        assert "Start" in text

        script = "Array.from({length: 20000}, (_, n) => ({n, text: 'é'}))"
        values, *_ = await kept("evaluate", "values.json", script=script)
        assert json.loads(values)[19_999] == {"n": 19_999, "text": "é"}
        assert (await kept("evaluate", "text.txt", script="'one\\ntwo'"))[0] == b"one\ntwo"
        read, *_ = await kept("scrape", "page.txt", selector="body")
        assert read.count(b"line of the page") == 3000
        picture, text, file = await kept("screenshot", "shot.webp")
        assert (picture[8:12], file["first_lines"]) == (b"WEBP", [])
        await host.call("browser_evaluate", script="console.log('said'), 1")
        said, *_ = await kept("console", "log.json")
        assert json.loads(said)[-1]["text"] == "said"

        await names(host, folder)


async def names(host: Host, folder: Path) -> None:
    """Names are plain file names, and no file is overwritten."""
    for again in ("page (1).md", "page.md"):
        given = {"overwrite": True} if again == "page.md" else {}
        _, data = await host.call("browser_snapshot", filename="page.md", **given)
        assert data["value"]["filename"] == again
    before = files_of(folder)
    for name in ("../out.md", "/tmp/out.md", "a/b.md", "", ".hidden", "x" * 200, "nul\0.md"):
        error = await host.fail("browser_evaluate", script="window.ran = 1", filename=name)
        assert error["data"]["field"] == "filename", name
    for given in ({"filename": "a.gif"}, {"filename": "a.png", "format": "jpeg"}):
        error = await host.fail("browser_screenshot", **given)
        assert error["data"]["field"] == "filename"
    error = await host.fail("browser_snapshot", overwrite=True)
    assert error["data"]["field"] == "overwrite"
    _, data = await host.call("browser_evaluate", script="window.ran ?? 'never'")
    assert data["value"] == "never"
    text, _ = await host.call(
        "browser_batch",
        steps=[{"tool": "evaluate", "script": "confirm('?')", "filename": "no.json"}],
    )
    assert "interrupted" in text
    assert files_of(folder) == before
    await host.call("browser_dialog", action="dismiss")
    await host.call(
        "browser_batch",
        steps=[{"tool": "evaluate", "script": "[1]", "filename": "steps.json"}],
    )
    assert json.loads((folder / "steps.json").read_text()) == [1]


def answering(content: bytes, kind: str) -> Respond:
    def answer(request: Any) -> None:
        request.send_response(200)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        request.wfile.write(content)

    return answer


@pytest.mark.long
async def test_tools_save_request_lists_bodies_and_pdfs(site: Site, tmp_path: Path) -> None:
    key = "sk-proj-" + "Ab1" * 12
    text = json.dumps({"é": "x" * 30_000, "key": key}).encode()
    site.pages["/a.zip"] = answering(b"PK\0\xff", "application/zip")
    site.pages["/a.json"] = answering(text, "application/json")
    page = "<script>fetch('/a.zip'); fetch('/a.json'); document.title = 'T'</script>"
    async with hosting("--tools", "full", "--mask", "--output-dir", str(tmp_path)) as host:
        await host.call("browser_navigate", url="about:blank")
        await host.call("browser_network")
        await host.call("browser_navigate", url=site.page("/", page), wait_until="networkidle")

        async def kept(tool: str, **given: Any) -> bytes:
            _, data = await host.call(f"browser_{tool}", **given)
            return files_of(tmp_path)[data["value"]["path"].rpartition("/")[2]]

        requests = json.loads(await kept("network", filename="all.json"))["requests"]
        ids = {one["url"].rpartition("/")[2]: one["id"] for one in requests}
        assert await kept("network", request_id=ids["a.zip"], filename="a") == b"PK\0\xff"
        assert (tmp_path / "a.zip").is_file()
        body = await kept("network", request_id=ids["a.json"], filename="b.har")
        assert len(json.loads(body)["é"]) == 30_000
        har = await kept("network", filename="all.har", content="embed")
        said = await kept("evaluate", script=f"'{key}'", filename="said.txt")
        for content in (body, har, said):
            assert b"sk-proj-" not in content
        assert (await kept("pdf", filename="page"))[:4] == b"%PDF"
        error = await host.fail("browser_network", filename="c.json", content="embed")
        assert error["data"]["field"] == "content"
        await host.call("browser_navigate", url=site.page("/b", "other"))
        error = await host.fail("browser_network", request_id=ids["a.zip"], filename="gone.zip")
        assert (error["data"]["field"], "navigated" in error["message"]) == ("request_id", True)
    names = ["a.zip", "all.har", "all.json", "b.har", "page.pdf", "said.txt"]
    assert sorted(files_of(tmp_path)) == names


@pytest.mark.long
async def test_tools_report_an_output_folder_that_cannot_be_written(
    site: Site, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x")
    arguments = ("--output-dir", str(tmp_path / "file"), "--images", "file")
    async with hosting(*arguments) as host:
        await host.call("browser_navigate", url=site.page("/", "x"))
        error = await host.fail("browser_snapshot", filename="page.md")
        assert error["data"]["field"] == "output_dir"
        text, _ = await host.call("browser_screenshot")
        assert "could not be saved" in text


@pytest.mark.parametrize("images", ["file", "omit"])
@pytest.mark.long
async def test_images_option_omits_screenshots_from_the_result(
    images: str, site: Site, tmp_path: Path
) -> None:
    async with hosting("--images", images, "--output-dir", str(tmp_path)) as host:
        await host.call("browser_navigate", url=site.page("/", "x"))
        result = await host.client.call_tool("browser_screenshot", {})
        assert [part.type for part in result.content] == ["text"]
        kept = [content[1:4] for content in files_of(tmp_path).values()]
        assert kept == ([b"PNG"] if images == "file" else [])
