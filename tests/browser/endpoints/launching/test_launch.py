"""Launching real browsers, without leftovers."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browser.endpoints.processes import group_members, make_program, processes_naming
from support.eventually import eventually, eventually_async
from support.needs import needs
from support.pace import in_time

from tabwarden.budget import Budget
from tabwarden.endpoints.launch import launch
from tabwarden.endpoints.launching import LaunchedBrowser, LaunchOptions
from tabwarden.endpoints.launching.options import Transport
from tabwarden.errors import Cancelled, InvalidArgument, LaunchFailed
from tabwarden.wire import Connection

pytestmark = [
    pytest.mark.anyio,
    needs("linux"),
]

TRANSPORTS: list[Transport] = ["pipe", "port"]


def assert_nothing_left(browser: LaunchedBrowser) -> None:
    # The kernel ends killed processes one after another.
    eventually(lambda: group_members(browser.pid) == [])
    assert not browser.profile_dir.parent.exists()
    # Chromium's crash handler is in another group, and exits when it notices the end.
    eventually(lambda: processes_naming(str(browser.profile_dir.parent)) == [])


async def ask(browser: LaunchedBrowser, method: str) -> bool:
    connection = Connection(browser.wire, lambda event: None, lambda reason: None)
    connection.start()
    async with asyncio.timeout(60):
        return (await connection.call(method)).result is not None


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_launched_browser_responds_and_leaves_nothing_behind_after_it_closes(
    browser_path: Path, transport: Transport
) -> None:
    browser = await launch(
        LaunchOptions(executable=browser_path, transport=transport), Budget(20_000)
    )
    assert "Chrome/" in browser.product
    assert browser.version.split(".")[0].isdigit()
    assert browser.temporary_profile
    assert browser.exit_status is None
    assert (browser.ws_url is None) == (transport == "pipe")
    assert await ask(browser, "Target.getTargets")
    assert await ask(browser, "Browser.close")
    await browser.end(Budget(5000))
    assert browser.exit_status == 0
    assert_nothing_left(browser)
    await browser.end(Budget(5000))


@pytest.mark.parametrize(
    ("name", "value"), [("Origin", "http://evil.example"), ("Host", "evil.example:{port}")]
)
@pytest.mark.threat
async def test_debugging_port_rejects_connections_from_web_pages(
    browser_path: Path, name: str, value: str
) -> None:
    browser = await launch(LaunchOptions(executable=browser_path, transport="port"), Budget(20_000))
    try:
        assert browser.ws_url is not None
        place = urlsplit(browser.ws_url)
        plain = {
            "Host": place.netloc,
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        }
        statuses = []
        for headers in (plain, {**plain, name: value.format(port=place.port)}):
            reader, writer = await asyncio.open_connection("127.0.0.1", place.port)
            lines = [f"GET {place.path} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items())]
            writer.write("\r\n".join([*lines, "", ""]).encode())
            statuses.append((await reader.readline()).split()[1])
            writer.close()
        assert statuses[0] == b"101"
        assert statuses[1] in (b"403", b"500")
    finally:
        await browser.end(Budget(5000))


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_closing_a_browser_kills_it_even_if_sigstop_stopped_it(
    browser_path: Path, transport: Transport
) -> None:
    browser = await launch(
        LaunchOptions(executable=browser_path, transport=transport), Budget(20_000)
    )
    os.killpg(browser.pid, signal.SIGSTOP)
    await browser.end(Budget(5000))
    assert browser.exit_status == -signal.SIGKILL
    assert_nothing_left(browser)


async def test_closing_a_dead_browser_leaves_nothing_behind(browser_path: Path) -> None:
    browser = await launch(LaunchOptions(executable=browser_path), Budget(20_000))
    os.kill(browser.pid, signal.SIGKILL)
    assert await browser.wait_exit(5)
    await asyncio.gather(browser.end(Budget(5000)), browser.end(Budget(5000)))
    assert_nothing_left(browser)


async def test_closing_a_browser_works_with_no_time_left(browser_path: Path) -> None:
    browser = await launch(LaunchOptions(executable=browser_path), Budget(20_000))
    await browser.end(Budget(1))
    assert await browser.wait_exit(5)
    scratch = browser.profile_dir.parent
    await eventually_async(lambda: not scratch.exists())


async def test_concurrent_launches_start_separate_browsers(browser_path: Path) -> None:
    options = LaunchOptions(executable=browser_path)
    one, two = await asyncio.gather(
        launch(options, Budget(20_000)), launch(options, Budget(20_000))
    )
    assert one.pid != two.pid
    assert one.profile_dir != two.profile_dir
    await asyncio.gather(one.end(Budget(5000)), two.end(Budget(5000)))
    assert_nothing_left(one)
    assert_nothing_left(two)


@pytest.mark.threat
async def test_persistent_profile_survives_and_rejects_a_second_browser(tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    options = LaunchOptions(user_data_dir=profile)
    browser = await launch(options, Budget(30_000))
    try:
        assert not browser.temporary_profile
        locks = (profile / "SingletonLock").is_symlink()  # a headless shell does not
        words = str(browser.pid) if locks else "Another browser is using the profile"
        with pytest.raises(LaunchFailed, match=words) as caught:
            await launch(options, Budget(20_000))
        assert "user_data_dir" in caught.value.hint
    finally:
        await browser.end(Budget(5000))
    assert (profile / "Default").is_dir()
    again = await launch(options, Budget(20_000))
    await again.end(Budget(5000))


async def test_launch_error_quotes_stderr_of_a_browser_that_exits_early(tmp_path: Path) -> None:
    program = make_program(tmp_path / "browser", "echo some noise >&2; echo oh no >&2; exit 3")
    with pytest.raises(LaunchFailed, match="exited with status 3: oh no") as caught:
        await launch(LaunchOptions(executable=program), Budget(10_000))
    assert caught.value.data["stderr"] == "some noise\noh no"


async def test_launch_error_for_a_missing_library_suggests_the_install_command(
    tmp_path: Path,
) -> None:
    words = "error while loading shared libraries: libnss3.so: cannot open"
    program = make_program(tmp_path / "browser", f"echo '{words}' >&2; exit 127")
    with pytest.raises(LaunchFailed) as caught:
        await launch(LaunchOptions(executable=program), Budget(10_000))
    assert "tabwarden browsers install" in caught.value.hint


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_launch_kills_an_unresponsive_program_within_the_budget(
    tmp_path: Path, transport: Transport
) -> None:
    pid_file = tmp_path / "pid"
    program = make_program(tmp_path / "browser", f"echo $$ > {pid_file}; exec sleep 300")
    with in_time(0.6, overrun_s=0.15), pytest.raises(LaunchFailed, match="did not respond"):
        await launch(LaunchOptions(executable=program, transport=transport), Budget(600))
    assert group_members(int(pid_file.read_text())) == []


async def test_launch_error_identifies_a_file_that_cannot_be_executed(tmp_path: Path) -> None:
    program = tmp_path / "browser"
    program.write_text("no program")
    with pytest.raises(LaunchFailed, match=str(program)):
        await launch(LaunchOptions(executable=program), Budget(10_000))


@pytest.mark.parametrize("how", ["task", "budget"])
async def test_canceled_launch_leaves_no_processes(tmp_path: Path, how: str) -> None:
    pid_file = tmp_path / "pid"
    program = make_program(tmp_path / "browser", f"echo $$ > {pid_file}; exec sleep 300")
    budget = Budget(20_000)
    launching = asyncio.ensure_future(launch(LaunchOptions(executable=program), budget))
    await eventually_async(lambda: pid_file.exists() and pid_file.read_text())
    if how == "task":
        launching.cancel()
        with pytest.raises(asyncio.CancelledError):
            await launching
    else:
        budget.cancel("enough")
        with pytest.raises(Cancelled, match="enough"):
            await launching
    assert group_members(int(pid_file.read_text())) == []


async def test_launch_disables_the_sandbox_only_if_the_browser_reports_that_none_works(
    browser_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabwarden.endpoints.launching.start.sandbox_is_impossible", lambda: None)
    program = make_program(
        tmp_path / "browser",
        f'case "$*" in *--no-sandbox*) exec {browser_path} "$@";; esac\n'
        "echo 'No usable sandbox! Update your kernel' >&2; exit 1",
    )
    with pytest.raises(LaunchFailed):
        await launch(LaunchOptions(executable=program, sandbox=True), Budget(20_000))
    browser = await launch(LaunchOptions(executable=program), Budget(20_000))
    assert not browser.sandboxed
    await browser.end(Budget(5000))


async def test_launch_with_a_window_fails_for_a_headless_only_browser(browser_path: Path) -> None:
    with pytest.raises(LaunchFailed):
        await launch(
            LaunchOptions(executable=browser_path, headless=False, args=("--ozone-platform=x11",)),
            Budget(10_000),
        )


async def test_launch_works_with_a_deep_temporary_folder(
    browser_path: Path, temporary_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chrome creates a socket in its TMPDIR, whose path has a limit of 107 bytes."""
    deep = temporary_folder / ("d" * 100)
    deep.mkdir()
    monkeypatch.setenv("TMPDIR", str(deep))
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    browser = await launch(LaunchOptions(executable=browser_path), Budget(20_000))
    await browser.end(Budget(5000))
    assert_nothing_left(browser)
    assert list(deep.iterdir()) == []


async def test_launch_reports_a_profile_folder_that_cannot_be_created(
    browser_path: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    options = LaunchOptions(executable=browser_path, user_data_dir=tmp_path / "file" / "profile")
    with pytest.raises(InvalidArgument, match="user_data_dir") as caught:
        await launch(options, Budget(10_000))
    assert caught.value.data["field"] == "user_data_dir"


async def test_launch_reports_a_temporary_folder_that_cannot_be_written(
    browser_path: Path, temporary_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(temporary_folder / "nowhere"))
    with pytest.raises(LaunchFailed, match="nowhere") as caught:
        await launch(LaunchOptions(executable=browser_path), Budget(10_000))
    assert "TMPDIR" in caught.value.hint


async def test_launch_writes_nothing_into_the_home_folder(
    browser_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    browser = await launch(LaunchOptions(executable=browser_path), Budget(20_000))
    await browser.end(Budget(5000))
    left = [path.relative_to(tmp_path / "home") for path in (tmp_path / "home").rglob("*")]
    libraries = {"dconf", "fontconfig"}  # they keep caches of their own
    ours = [path for path in left if not libraries & {*path.parts} and path.name != ".cache"]
    assert ours == []


async def test_launch_error_quotes_the_fatal_line_of_stderr(tmp_path: Path) -> None:
    program = make_program(
        tmp_path / "browser",
        "echo '[1:1:1121/1.2:FATAL:chrome/browser/x.cc(31)] Socket path too long: /d' >&2\n"
        "echo '[1:1:1121/1.2:ERROR:crashpad/file_io_posix.cc:145] open /sys/x: No' >&2; exit 1",
    )
    with pytest.raises(LaunchFailed, match="Socket path too long"):
        await launch(LaunchOptions(executable=program), Budget(10_000))


async def test_launch_logs_that_the_sandbox_is_off(
    browser_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "tabwarden.endpoints")
    browser = await launch(LaunchOptions(executable=browser_path), Budget(20_000))
    await browser.end(Budget(5000))
    told = [record for record in caplog.records if "without its sandbox" in record.message]
    assert bool(told) == (not browser.sandboxed)
    if os.geteuid() == 0:
        assert "root" in told[0].message


async def test_launch_rejects_a_reserved_argument_before_it_starts_a_browser() -> None:
    with pytest.raises(InvalidArgument):
        await launch(LaunchOptions(args=("--headless",)), Budget(1000))
