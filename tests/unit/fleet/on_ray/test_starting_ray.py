"""Starting Ray on a machine: rejected options, the command and its environment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tabwarden.config import FleetConfig
from tabwarden.errors import InvalidArgument

pytest.importorskip("ray", reason="needs ray: make env")
from tabwarden.fleet.on_ray import up
from tabwarden.fleet.on_ray.starting_ray import check_join, ray_start


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TABWARDEN_FLEET_SECRETS", str(tmp_path / "secrets"))
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    return tmp_path / "secrets"


def started(config_file: Path | None = None, **keys: Any) -> tuple[list[str], dict[str, str]]:
    return ray_start(FleetConfig(**keys), None, 6380, {"tabwarden_node": 1}, config_file)


@pytest.mark.parametrize("head", ["10.0.0.1", "10.0.0.1:", ":6380", "http://h:1", "h:1/x", "h:x"])
def test_fleet_join_rejects_an_invalid_head_address(head: str) -> None:
    with pytest.raises(InvalidArgument, match="a head's address"):
        check_join("10.0.0.2", head)


@pytest.mark.parametrize("head", ["10.0.0.1:6380", "[fd00::1]:6380", "alpha.example.com:6380"])
def test_joining_a_remote_head_rejects_a_loopback_listen_address(head: str) -> None:
    with pytest.raises(InvalidArgument, match=r"127\.0\.0\.1") as refused:
        check_join("127.0.0.1", head)
    assert refused.value.data["field"] == "fleet.listen"
    assert "--listen" in str(refused.value.hint)
    check_join("10.0.0.2", head)


@pytest.mark.parametrize("head", ["127.0.0.1:6380", "localhost:6380", "[::1]:6380"])
def test_joining_a_head_on_the_same_machine_accepts_loopback(head: str) -> None:
    check_join("127.0.0.2", head)


def test_machine_without_the_secrets_does_not_join(folder: Path) -> None:
    with pytest.raises(InvalidArgument, match="fleet's secrets") as refused:
        up(FleetConfig(listen="127.0.0.2"), "127.0.0.1:9", 0)
    assert str(folder) in str(refused.value)
    assert "TABWARDEN_FLEET_SECRETS" in str(refused.value.hint)
    assert not folder.exists(), "nothing was made"


def test_all_ray_processes_on_a_node_get_the_same_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, environment = started(Path("fleet.yaml"), listen="10.0.0.1", node="alpha")
    assert environment["TABWARDEN_CONFIG"] == str(tmp_path / "fleet.yaml")
    assert environment["TABWARDEN_FLEET__LISTEN"] == "10.0.0.1"
    assert environment["TABWARDEN_FLEET__NODE"] == "alpha"
    assert "TABWARDEN_CONFIG" not in started()[1]


def test_ray_head_keeps_its_state_in_the_configured_redis() -> None:
    _, environment = started(store="redis://redis.test")
    assert environment["RAY_REDIS_ADDRESS"] == "redis.test:6379"
    assert "RAY_REDIS_ADDRESS" not in started(store="sqlite:/x/y")[1]


def test_machine_that_joins_a_fleet_gets_no_redis_address() -> None:
    config = FleetConfig(store="redis://:secret@redis.test", listen="10.0.0.2")
    command, environment = ray_start(config, "10.0.0.1:6380", 0, {}, None)
    assert "redis" not in str((command, environment))


def test_redis_over_tls_uses_the_certificate_files_of_its_address() -> None:
    files = "ssl_ca_certs=/ca.pem&ssl_certfile=/own.pem&ssl_keyfile=/own.key"
    _, environment = started(store=f"rediss://[fd00::9]:7000/0?{files}")
    assert environment["RAY_REDIS_ADDRESS"] == "rediss://[fd00::9]:7000"
    assert environment["RAY_REDIS_CA_CERT"] == "/ca.pem"
    assert environment["RAY_REDIS_CLIENT_CERT"] == "/own.pem"
    assert environment["RAY_REDIS_CLIENT_KEY"] == "/own.key"


def test_redis_password_never_appears_on_the_command_line() -> None:
    command, environment = started(store="redis://fleet:p%40ss@redis.test")
    assert "--redis-username=fleet" in command
    assert "p@ss" in environment.values()
    assert not [word for word in command if "p@ss" in word or "p%40ss" in word]
