"""The keys of ``fleet``: read from file and environment; errors identify the invalid key."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabwarden import load_config
from tabwarden.config import FleetConfig
from tabwarden.errors import InvalidArgument
from tabwarden.fleet.leasing.table import TableSettings


@pytest.fixture(autouse=True)
def _no_configuration_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    monkeypatch.delenv("TABWARDEN_CONFIG", raising=False)


def test_unconfigured_fleet_runs_only_on_this_machine() -> None:
    fleet = load_config().fleet
    assert fleet == FleetConfig()
    assert (fleet.node, fleet.listen, fleet.store) == (None, "127.0.0.1", None)
    assert (fleet.max_tasks_per_node, fleet.warm, fleet.checkpoint_s) == (None, 1, 10)


def test_fleet_config_defaults_match_the_lease_table_settings() -> None:
    fleet, table = FleetConfig(), TableSettings()
    assert fleet.lease_ms == table.lease_s * 1000
    assert (fleet.max_waiting, fleet.min_free_memory_mb) == (
        table.max_waiting,
        table.min_free_memory_mb,
    )


def test_arguments_override_the_environment_which_overrides_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text("fleet: {node: n1, listen: 10.0.0.1, warm: 3, lease_ms: 3000}")
    monkeypatch.setenv("TABWARDEN_FLEET__LISTEN", "10.0.0.2")
    monkeypatch.setenv("TABWARDEN_FLEET__WARM", "4")
    fleet = load_config(path, fleet={"warm": 5, "node": None}).fleet
    assert (fleet.node, fleet.listen, fleet.warm, fleet.lease_ms) == ("n1", "10.0.0.2", 5, 3000)


@pytest.mark.parametrize("store", ["sqlite:/x/y.db", "redis://:pass@h:6379/0", "rediss://h"])
def test_repr_of_a_fleet_config_masks_the_store_address(store: str) -> None:
    """The store address can contain a password."""
    fleet = load_config(fleet={"store": store}).fleet
    assert fleet.store is not None
    assert fleet.store.get_secret_value() == store
    assert store not in repr(fleet)


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("node", "a b", "node"),
        ("node", "''", "node"),
        ("node", "x" * 65, "node"),
        ("listen", "''", "IP address"),
        ("listen", "alpha", "IP address"),
        ("listen", "10.0.0.1:80", "IP address"),
        ("listen", "0.0.0.0", "other machines"),
        ("max_tasks_per_node", "0", "0"),
        ("max_tasks_per_node", "10001", "10001"),
        ("min_free_memory_mb", "-1", "-1"),
        ("warm", "-1", "-1"),
        ("warm", "101", "101"),
        ("checkpoint_s", "0.4", "0.4"),
        ("checkpoint_s", "3601", "3601"),
        ("checkpoint_s", ".nan", "nan"),
        ("lease_ms", "1999", "1999"),
        ("lease_ms", "60001", "60001"),
        ("lease_ms", "soon", "soon"),
        ("max_waiting", "-1", "-1"),
        ("store", "mysql://:secret@h", "sqlite:PATH"),
        ("store", "redis://:secret@h:70000", "redis://HOST:PORT"),
        ("store", "redis://:secret@", "redis://HOST:PORT"),
        ("store", "rediss://:secret@h/3", "database"),
        ("store", "7", "string"),
        ("stor", "x", "fleet.store"),
    ],
)
def test_load_config_error_identifies_an_invalid_fleet_key_and_shows_no_secret(
    key: str, value: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "config.yaml"
    path.write_text(
        f"fleet: {{{key}: {value!r}}}" if ":" in value else f"fleet: {{{key}: {value}}}"
    )
    with pytest.raises(InvalidArgument) as wrong:
        load_config(path)
    assert wrong.value.data["field"] == f"fleet.{key}"
    assert words in str(wrong.value)
    assert "secret" not in str(wrong.value)
