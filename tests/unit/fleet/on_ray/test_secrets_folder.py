"""The fleet's secrets: created once, private, reused, with verifiable certificates."""

from __future__ import annotations

import os
import socket
import ssl
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tabwarden.errors import InvalidArgument

pytest.importorskip("ray", reason="needs ray: make env")
from tabwarden.fleet.on_ray.secrets_folder import secrets_folder, use_secrets

RAYS = (
    "RAY_AUTH_MODE", "RAY_AUTH_TOKEN_PATH", "RAY_USE_TLS", "RAY_TLS_SERVER_CERT",
    "RAY_TLS_SERVER_KEY", "RAY_TLS_CA_CERT",
)  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABWARDEN_FLEET_SECRETS", str(tmp_path / "secrets"))
    forget(monkeypatch)
    return tmp_path / "secrets"


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unset the variables of ``use_secrets``, as in another process; teardown does the same."""
    for name in (*RAYS, "RAY_ENABLE_UV_RUN_RUNTIME_ENV"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def own_addresses() -> set[str]:
    """Return this machine's addresses on its default routes."""
    found = {"127.0.0.1"}
    for family, far in ((socket.AF_INET, "198.51.100.1"), (socket.AF_INET6, "2001:db8::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as asking:
            asking.connect((far, 9))  # sends nothing
            found.add(asking.getsockname()[0])
    return found


def shaken_hands(name: str) -> str | None:
    """Do a TLS handshake in memory between two processes of the cluster, as Ray does: both show
    their certificates. Return the name in the server's one that the client checked."""
    certificate = os.environ["RAY_TLS_SERVER_CERT"], os.environ["RAY_TLS_SERVER_KEY"]
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = []
    for protocol in (ssl.PROTOCOL_TLS_CLIENT, ssl.PROTOCOL_TLS_SERVER):
        context = ssl.SSLContext(protocol)
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_cert_chain(*certificate)
        context.load_verify_locations(os.environ["RAY_TLS_CA_CERT"])
        if protocol is ssl.PROTOCOL_TLS_CLIENT:
            sides.append(context.wrap_bio(to_client, to_server, server_hostname=name))
        else:
            sides.append(context.wrap_bio(to_server, to_client, server_side=True))
    for _ in range(4):
        for side in sides:
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    return sides[0].server_hostname


def test_environment_variable_sets_the_secrets_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert secrets_folder() == folder
    monkeypatch.setenv("TABWARDEN_FLEET_SECRETS", "~/fleet")
    assert secrets_folder() == Path.home() / "fleet"
    monkeypatch.delenv("TABWARDEN_FLEET_SECRETS")
    assert secrets_folder().parts[-2:] == ("tabwarden", "fleet")


def test_fleet_on_one_machine_has_a_token_and_no_tls(folder: Path) -> None:
    use_secrets("127.0.0.1", make=True)
    assert list(files(folder)) == ["ray.token"]
    assert os.environ["RAY_AUTH_MODE"] == "token"
    assert os.environ["RAY_AUTH_TOKEN_PATH"] == str(folder / "ray.token")
    assert len((folder / "ray.token").read_text()) == 64
    assert "RAY_USE_TLS" not in os.environ


def test_only_this_user_can_read_the_secrets(folder: Path) -> None:
    before = os.umask(0)
    try:
        use_secrets("10.1.2.3", make=True)
    finally:
        os.umask(before)
    assert len(files(folder)) > 3
    for path in (folder, *folder.iterdir()):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_fleet_creates_its_secrets_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_secrets("10.1.2.3", make=True)
    made = files(folder)
    forget(monkeypatch)
    use_secrets("10.1.2.3", make=True)
    assert files(folder) == made


def test_machine_that_joins_a_fleet_adds_only_its_own_certificate(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_secrets("10.1.2.3", make=True)
    made = files(folder)
    forget(monkeypatch)
    use_secrets("10.1.2.4")
    assert {name: files(folder)[name] for name in made} == made
    shaken_hands("10.1.2.4")


@pytest.mark.parametrize("name", ["10.1.2.3", "127.0.0.1", "localhost"])
def test_certificate_verifies_for_each_local_name(name: str) -> None:
    use_secrets("10.1.2.3", make=True)
    assert os.environ["RAY_USE_TLS"] == "1"
    assert shaken_hands(name) == name


def test_client_gets_a_certificate_of_the_fleet(monkeypatch: pytest.MonkeyPatch) -> None:
    use_secrets("fd00::1", make=True)
    assert shaken_hands("fd00::1") == "fd00::1"
    forget(monkeypatch)
    use_secrets()
    assert shaken_hands("localhost") == "localhost"
    for address in own_addresses():  # Ray also connects back to its clients
        assert shaken_hands(address) == address


def test_tls_rejects_a_machine_of_another_fleet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_secrets("10.1.2.3", make=True)
    ca = os.environ["RAY_TLS_CA_CERT"]
    forget(monkeypatch)
    monkeypatch.setenv("TABWARDEN_FLEET_SECRETS", str(tmp_path / "other"))
    use_secrets("10.1.2.3", make=True)
    monkeypatch.setenv("RAY_TLS_CA_CERT", ca)
    with pytest.raises(ssl.SSLCertVerificationError):
        shaken_hands("10.1.2.3")


def test_client_without_fleet_secrets_sets_no_ray_variables(folder: Path) -> None:
    use_secrets()
    assert not folder.exists()
    assert not set(RAYS) & set(os.environ)


def test_fleet_keeps_ray_variables_that_the_user_set(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_USE_TLS", "0")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    use_secrets("10.1.2.3", make=True)
    assert os.environ["RAY_USE_TLS"] == "0"
    assert os.environ["RAY_AUTH_MODE"] == "disabled"
    assert "RAY_TLS_CA_CERT" not in os.environ


@pytest.mark.parametrize("make", [True, False])
@pytest.mark.parametrize("listen", ["localhost", "", "10.1.2", "../x", "ca", "client"])
def test_fleet_error_identifies_an_invalid_listen_address(
    folder: Path, listen: str, make: bool
) -> None:
    with pytest.raises(InvalidArgument, match=r"fleet\.listen|IP address") as bad:
        use_secrets(listen, make=make)
    assert bad.value.data["field"] == "fleet.listen"
    assert not folder.exists(), "nothing was made"


def test_fleet_error_identifies_an_unwritable_secrets_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TABWARDEN_FLEET_SECRETS", str(tmp_path / "file" / "secrets"))
    with pytest.raises(InvalidArgument, match="file") as wrong:
        use_secrets("127.0.0.1", make=True)
    assert wrong.value.data["field"] == "TABWARDEN_FLEET_SECRETS"


def test_fleet_rejects_a_token_that_other_users_can_read_and_keeps_the_file(folder: Path) -> None:
    """A new one would exclude this machine from its own fleet."""
    use_secrets("127.0.0.1", make=True)
    token = (folder / "ray.token").read_bytes()
    (folder / "ray.token").chmod(0o644)
    with pytest.raises(InvalidArgument, match=r"ray\.token") as refused:
        use_secrets("127.0.0.1", make=True)
    assert "chmod" in str(refused.value.hint)
    assert (folder / "ray.token").read_bytes() == token


def test_fleet_reports_an_unreadable_certificate_authority(folder: Path) -> None:
    use_secrets("127.0.0.1", make=True)
    (folder / "ca.pem").write_text("not a certificate")
    with pytest.raises(InvalidArgument, match="secrets"):
        use_secrets("127.0.0.1")


_STARTING = """
import os, ssl, sys
from tabwarden.fleet.on_ray.secrets_folder import use_secrets
print("ready", flush=True)
sys.stdin.readline()
use_secrets()
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(os.environ["RAY_TLS_SERVER_CERT"], os.environ["RAY_TLS_SERVER_KEY"])
"""


@pytest.mark.long
def test_concurrently_started_programs_share_one_certificate() -> None:
    """Agents on one machine start together, and each process needs the certificate."""
    use_secrets("10.1.2.3", make=True)
    environment = {name: value for name, value in os.environ.items() if name not in RAYS}
    programs = [
        subprocess.Popen(
            (sys.executable, "-c", _STARTING), env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        for _ in range(6)
    ]  # fmt: skip
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    for program in programs:
        program.communicate()
    assert [program.returncode for program in programs] == [0] * 6
