"""Which data browser processes and other local processes can see of each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.endpoints.processes import group_members
from support.needs import needs

from tabwarden import BrowserConfig
from tabwarden.endpoints.configured import launch_options
from tabwarden.endpoints.launching.start import needed_by_browser
from tabwarden.sync import Browser

pytestmark = needs("linux")

SECRETS = {
    "ANTHROPIC_API_KEY": "canary",
    "BROWSERBASE_API_KEY": "canary",
    "AWS_SECRET_ACCESS_KEY": "canary",
    "github_token": "canary",
    "PGPASSWORD": "canary",
    "GOOGLE_APPLICATION_CREDENTIALS": "canary",
    "SMTP_PASS": "canary",
    "MYSQL_PWD": "canary",
    "GITLAB_PAT": "canary",
    "NPM_CONFIG__AUTH": "canary",
    "DATABASE_URL": "postgres://me:canary@db/x",
    "PIP_INDEX_URL": "https://canary@packages.invalid/simple",
    "STORAGE_CONNECTION": "AccountName=me;AccountKey=canary",
    "DB_JDBC": "jdbc:postgresql://db/x?user=me&password=canary",
    "SSH_AUTH_SOCK": "/tmp/canary",
    "TABWARDEN_SERVER__TOKEN": "canary-canary-canary",
    "HTTPS_PROXY": "http://me:canary@proxy.invalid:1",
    "MY_SERVICE": "canary",
    "PATH_TO_MINE": "canary",
    "MY_PATH": "canary",
    "TMPDIRS": "canary",
    "XDG_SECRET_TOKEN": "canary",
    "GTK_API_KEY": "canary",
    "qt_password": "canary",
    "LC_PASSPHRASE": "canary",
    "PULSE_CREDENTIALS": "canary",
    "NSS_AUTH": "canary",
    "MESA_DB_PWD": "canary",
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SECRETS.items():
            patch.setenv(name, value)
        with Browser.launch() as browser:
            yield browser


def processes(browser: Browser) -> list[Path]:
    opened = browser._task.supervisor.opened
    assert opened is not None
    assert opened.launched is not None
    return [Path(f"/proc/{pid}") for pid in group_members(opened.launched.pid)]


@pytest.mark.threat
def test_launch_passes_no_secrets_to_browser_processes(browser: Browser) -> None:
    told = [(one / name).read_bytes() for one in processes(browser) for name in FILES]
    assert any(b"PATH=" in text for text in told)
    assert not [text for text in told if b"canary" in text]


FILES = ("environ", "cmdline")


@pytest.mark.threat
def test_launched_browser_listens_on_no_tcp_port(browser: Browser) -> None:
    sockets = set()
    for one in processes(browser):
        for fd in (one / "fd").iterdir():
            try:
                sockets.add(str(fd.readlink()))
            except OSError:  # closed meanwhile
                continue
    listening = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            state, inode = line.split()[3], line.split()[9]
            if state == "0A" and f"socket:[{inode}]" in sockets:
                listening.append(line)
    assert sockets
    assert listening == []


@pytest.mark.threat
def test_launch_keeps_environment_variables_that_a_browser_needs() -> None:
    needed = {"PATH": "/bin", "HOME": "/h", "DISPLAY": ":0", "XAUTHORITY": "/x", "LANG": "C"}
    needed |= {"PWD": "/h", "OLDPWD": "/", "XDG_RUNTIME_DIR": "/run/user/1"}
    needed |= {"LC_ALL": "C", "TZ": "UTC", "USER": "me", "LOGNAME": "me", "LANGUAGE": "de"}
    needed |= {"WAYLAND_DISPLAY": "w", "DBUS_SESSION_BUS_ADDRESS": "unix:x", "TMPDIR": "/t"}
    needed |= {"SSL_CERT_FILE": "/c", "FONTCONFIG_PATH": "/f", "LD_LIBRARY_PATH": "/l"}
    needed |= {"QT_AUTO_SCREEN_SCALE_FACTOR": "1", "PULSE_COOKIE": "/c"}
    needed |= {"GTK_THEME": "dark", "QT_STYLE_OVERRIDE": "x", "PULSE_SERVER": "x"}
    needed |= {"SystemRoot": "C:", "ProgramFiles(x86)": "C:", "__CF_USER_TEXT_ENCODING": "0x1"}
    proxy = {"HTTPS_PROXY": "http://me:canary@proxy.invalid:1"}
    given = {**SECRETS, **needed}
    assert needed_by_browser(given, proxied=True) == needed
    assert needed_by_browser(given, proxied=False) == {**needed, **proxy}


def test_configuration_can_pass_more_environment_variables() -> None:
    more = {"LD_PRELOAD": "/x.so", "XDG_ACTIVATION_TOKEN": "x"}
    config = BrowserConfig(environment=list(more))
    named = launch_options(config).environment
    given = {**more, "PATH": "/bin", "MY_SERVICE": "x"}
    assert needed_by_browser(given, proxied=True, named=named) == {**more, "PATH": "/bin"}
