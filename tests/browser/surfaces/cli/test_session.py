"""Successive commands on one page, as a user at a shell runs them."""

from __future__ import annotations

import json
import signal
import threading
from http.server import BaseHTTPRequestHandler

import pytest
from browser.surfaces.cli.shell import Shell
from support.pace import long_before
from support.site import Site

SHOP = (
    "<button onclick='document.title = confirm(`Buy?`)'>Buy</button>"
    "<input aria-label=Name onkeydown='if (event.key == `Enter`) document.title = this.value'>"
    "<select aria-label=Land><option>Austria<option>Bhutan</select>"
)


def test_commands_fill_a_form_and_answer_its_dialog(shared_shell: Shell, site: Site) -> None:
    said = shared_shell.ok("goto", site.page("/", SHOP, title="Shop"))
    assert said.startswith("goto: ok")
    assert "| Shop | 1 tab(s)]" in said.splitlines()[-1]
    name, buy = shared_shell.ref("Name"), shared_shell.ref("Buy")
    shared_shell.ok("type", name, "Ann Lee", "--press-enter")
    assert shared_shell.value("document.title") == "Ann Lee"
    shared_shell.ok("menu", shared_shell.ref("Land"), "Bhutan")
    assert shared_shell.value("document.querySelector('select').value") == "Bhutan"
    clicked = shared_shell.json("click", buy)
    assert clicked["status"] == "interrupted"
    assert clicked["by"]["dialog"]["message"] == "Buy?"
    assert 'confirm "Buy?" is waiting in tab' in shared_shell.ok("status")
    # The tool's name, which is what the answer says, is a command too.
    assert "tabwarden dialog accept --dialog-id d-" in clicked["next"]
    shared_shell.ok("browser_dialog", "accept")
    assert shared_shell.value("document.title") == "true"


def test_eval_command_with_an_endless_script_ends_at_its_budget(
    shared_shell: Shell, site: Site
) -> None:
    shared_shell.ok("goto", site.page("/", "still here"))
    words = shared_shell.fail("eval", "while (true) {}", "--timeout-ms", "700", status=4)
    assert words.startswith("error budget_exceeded:")
    assert shared_shell.value("document.body.textContent") == "still here"


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_canceled_command_stops_its_script_in_the_page(
    shared_shell: Shell, site: Site, number: signal.Signals, status: int
) -> None:
    begun = threading.Event()

    def begin(request: BaseHTTPRequestHandler) -> None:
        request.send_response(204)
        request.end_headers()
        begun.set()

    site.pages["/begun"] = begin
    shared_shell.ok("goto", site.page("/", "here"))
    script = """(() => {
        const told = new XMLHttpRequest(); told.open('GET', '/begun', false); told.send();
        while (true) {}
    })()"""
    command = shared_shell.begin("eval", script, "--timeout-ms", "60000")
    assert begun.wait(60)
    command.send_signal(number)
    _, said = command.communicate(timeout=60)
    assert command.returncode == status
    assert b"Traceback" not in said
    with long_before(60):  # the other's one-minute budget
        assert shared_shell.value("1 + 1") == 2


@pytest.mark.long
def test_tab_command_opens_lists_switches_and_closes_tabs(shared_shell: Shell, site: Site) -> None:
    shared_shell.ok("goto", site.page("/one", "one", title="One"))
    (first,) = [tab["tab_id"] for tab in shared_shell.json("tab")["value"]]
    second = shared_shell.json("tab", "open", site.page("/two", "two", title="Two"))["tab_id"]
    assert shared_shell.value("document.title") == "Two"
    shared_shell.ok("tab", "switch", first)
    assert shared_shell.value("document.title") == "One"
    assert shared_shell.json("eval", "document.title", "--tab-id", second)["value"] == "Two"
    shared_shell.ok("tab", "close", second)
    assert [tab["tab_id"] for tab in shared_shell.json("status")["tabs"]] == [first]


def test_screenshot_command_writes_to_its_file_or_stdout(shared_shell: Shell, site: Site) -> None:
    shared_shell.ok("goto", site.page("/", SHOP))
    path = shared_shell.folder / "page.png"
    said = shared_shell.ok("screenshot", "page.png", "--annotate")
    assert f"file: {path}\n" in said
    assert path.read_bytes().startswith(b"\x89PNG")
    assert shared_shell.json("screenshot", "page.jpg")["media_type"] == "image/jpeg"
    names = [shared_shell.json("screenshot")["file"] for _ in range(2)]
    assert names == [str(shared_shell.folder / f"screenshot-{n}.png") for n in (1, 2)]
    piped = shared_shell.begin("screenshot", "-").communicate(timeout=60)[0]
    assert piped.startswith(b"\x89PNG")


def test_eval_command_reads_a_script_from_stdin(shared_shell: Shell, site: Site) -> None:
    shared_shell.ok("goto", site.page("/", "here"))
    assert "value: 42" in shared_shell.ok("script", "-", stdin="const a = 6\nreturn a * 7")


def test_commands_accept_json_arguments_and_print_unicode(shared_shell: Shell, site: Site) -> None:
    shared_shell.ok("goto", site.page("/", "<p>Ünïcödé ☃"))
    argued = shared_shell.json("script", "(a, b) => [a, b]", "--arg", '{"k": 1}', "--arg", "x")
    assert argued["value"] == [{"k": 1}, "x"]
    product = shared_shell.json("cdp", "Runtime.evaluate", '{"expression": "1 + 1"}')
    assert product["value"]["result"]["value"] == 2
    assert "Ünïcödé ☃" in shared_shell.ok("snapshot")


@pytest.mark.parametrize(
    ("words", "status", "code"),
    [
        (["click", "e9999"], 1, "unknown_ref"),
        (["click"], 2, "invalid_argument"),
        (["dialog", "accept"], 1, "no_dialog"),
        (["goto", "http://127.0.0.1:9/"], 3, "page_unreachable"),
        (["script", "throw new Error('no')"], 1, "js_error"),
        (["open"], 1, "already_open"),
        (["goto", "about:blank", "--headed"], 2, "invalid_argument"),
        (["screenshot", "no/such/folder.png"], 2, "invalid_argument"),
        (["screenshot", "page.gif"], 2, "invalid_argument"),
        (["screenshot", "page.png", "--format", "webp"], 2, "invalid_argument"),
    ],
)
def test_failed_command_prints_its_error_code_and_exit_status(
    shared_shell: Shell, site: Site, words: list[str], status: int, code: str
) -> None:
    shared_shell.ok("goto", site.page("/", "here"))
    done = shared_shell.run(*words, "--json")
    error = json.loads(done.out)["error"]
    assert (done.status, done.err) == (status, "")
    assert error["code"] == code
    assert error["message"]
    assert set(error) == {"code", "message", "hint", "data"}
    assert code in shared_shell.fail(*words, status=status)


@pytest.mark.long
def test_command_exits_cleanly_if_the_reader_of_its_output_closes_the_pipe(
    shared_shell: Shell, site: Site
) -> None:
    shared_shell.ok("goto", site.page("/", "<p>word" * 30_000))
    command = shared_shell.begin("snapshot", "--full")
    assert command.stdout is not None
    command.stdout.close()
    assert command.wait(60) == 0
    assert command.stderr is not None
    with command.stderr as stderr:
        assert stderr.read() == b""


@pytest.mark.long
def test_terminal_output_strips_escape_sequences_from_page_text(
    shared_shell: Shell, site: Site
) -> None:
    shared_shell.ok("goto", site.page("/", "<p>safe\x1b]0;owned\x07 words", title="T\x1b[2J"))
    shown = shared_shell.at_terminal("scrape")
    assert "safe" in shown
    assert "\x1b" not in shown
    assert "\x1b[2J" not in shared_shell.at_terminal("status")
    listed = shared_shell.at_terminal("sessions")
    assert "Process" in listed
    assert "\x1b[2J" not in listed
    assert '  "status": "ok"' in shared_shell.at_terminal("back", "--json").replace("\r", "")


@pytest.mark.long
def test_long_command_shows_progress_at_a_terminal_but_not_in_a_pipe(
    shared_shell: Shell, site: Site
) -> None:
    parts = threading.Semaphore(0)

    def slowly(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Length", "4000000")
        request.end_headers()
        request.wfile.write(b"x" * 3_000_000)
        parts.acquire(timeout=60)
        request.wfile.write(b"x" * 1_000_000)

    site.pages["/big.bin"] = slowly
    out, shown = shared_shell.watched(
        "download", site.here + "/big.bin", "big.bin", once="of 4.0 MB", then=parts.release
    )
    assert "big.bin" in out
    assert "of 4.0 MB" in shown
    assert shown.endswith("\x1b[2K"), "it goes away"
    assert shared_shell.run("wait", "--time-s", "1.5").err == ""
