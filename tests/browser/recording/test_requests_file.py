"""HAR files written on request."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from support.har_schema import HAR
from support.site import Site

from tabwarden import BrowserConfig
from tabwarden.errors import Denied, InvalidArgument
from tabwarden.sync import Browser


def test_network_writes_a_valid_har_file_of_recorded_requests(site: Site, tmp_path: Path) -> None:
    def answer(request) -> None:  # type: ignore[no-untyped-def]
        request.rfile.read(int(request.headers.get("Content-Length", 0)))
        request.send_response(200)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", "2")
        request.send_header("Set-Cookie", "sid=s3cret")
        request.end_headers()
        request.wfile.write(b"{}")

    site.pages["/api"] = answer
    with Browser.launch(config=BrowserConfig(download_dir=tmp_path)) as browser:
        browser.goto(site.page("/", "page"))
        with pytest.raises(InvalidArgument, match="Recording starts now"):
            browser.network(filename="a.har")
        browser.reload()
        browser.evaluate("fetch('/api?q=1', {method: 'POST', body: 'a=1'}).then((it) => it.text())")
        done = browser.network(filename="a.har", content="embed").value
        assert done["path"] == str(tmp_path / "a.har")
        text = Path(done["path"]).read_text()
        assert (len(text), "s3cret" in text) == (done["size"], False)
        har = json.loads(text)
        jsonschema.validate(har, HAR)
        (entry,) = [it for it in har["log"]["entries"] if "/api" in it["request"]["url"]]
        assert entry["request"]["postData"]["text"] == "a=1"
        assert entry["request"]["queryString"] == [{"name": "q", "value": "1"}]
        assert entry["response"]["content"]["text"] == "{}"
        headers = {it["name"].lower(): it["value"] for it in entry["response"]["headers"]}
        assert headers["set-cookie"] == "[hidden]"
        assert entry["response"]["statusText"] == "OK"
        again = browser.network(filename="a", url="/api").value
        assert (again["path"], again["requests"]) == (str(tmp_path / "a (1).har"), 1)
        for name in ("../a.har", "a.json", ""):
            with pytest.raises((InvalidArgument, Denied)) as refused:
                browser.network(filename=name)
            assert refused.value.data["field"] == "filename"
        with pytest.raises(InvalidArgument) as refused:
            browser.network(filename="b.har", request_id="r-1")
        assert refused.value.data["field"] == "request_id"
        assert sorted(it.name for it in tmp_path.iterdir()) == ["a (1).har", "a.har"]


SENT = """fetch('/echo', {
  method: 'POST', body: '0123456789sesame-7', headers: {'X-Note': 'sesame-7'}})
  .then((it) => it.text())"""


@pytest.mark.threat
def test_har_file_and_results_contain_no_configured_secret(site: Site, tmp_path: Path) -> None:
    def echo(request) -> None:  # type: ignore[no-untyped-def]
        sent = request.rfile.read(int(request.headers.get("Content-Length", 0)))
        request.send_response(200)
        request.send_header("Content-Type", "text/plain")
        request.send_header("Content-Length", str(len(sent)))
        request.send_header("X-Note", request.headers.get("X-Note", ""))
        request.end_headers()
        request.wfile.write(sent)

    site.pages["/echo"] = echo
    config = BrowserConfig(download_dir=tmp_path, record_network=True, secrets=["sesame-7"])
    with Browser.launch(config=config) as browser:
        browser.goto(site.page("/", "page"))
        browser.evaluate(SENT)
        (listed,) = browser.network(url="/echo").value["requests"]
        for cut in (14, 1000):
            told = browser.network(request_id=listed["id"], max_chars=cut).value
            assert told["post_data"].startswith("0123456789")
            assert "sesa" not in repr(told), "not even a part of it, where a text is cut"
        path = browser.network(filename="a.har", content="embed").value["path"]
    text = Path(path).read_text()
    assert "0123456789" in text
    assert "sesame" not in text
