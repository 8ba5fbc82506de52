"""What other processes of this machine can learn of a browser, and it of us."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.endpoints.processes import group_members
from support.needs import needs

from tabwarden.endpoints.launching.environment import without_secrets
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
def test_no_secret_of_ours_is_handed_to_the_browser(browser: Browser) -> None:
    told = [(one / name).read_bytes() for one in processes(browser) for name in FILES]
    assert any(b"PATH=" in text for text in told)
    assert not [text for text in told if b"canary" in text]


FILES = ("environ", "cmdline")


@pytest.mark.threat
def test_a_browser_of_ours_listens_nowhere(browser: Browser) -> None:
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


def test_what_a_browser_needs_is_left_to_it() -> None:
    needed = {"PATH": "/bin", "HOME": "/h", "DISPLAY": ":0", "XAUTHORITY": "/x", "LANG": "C"}
    needed |= {"PWD": "/h", "OLDPWD": "/", "XDG_RUNTIME_DIR": "/run/user/1"}
    proxy = {"HTTPS_PROXY": "http://me:canary@proxy.invalid:1"}
    given = {**SECRETS, **needed}
    assert without_secrets(given, proxied=True) == needed
    assert without_secrets(given, proxied=False) == {**needed, **proxy}
