"""A tenant can reach only its own tasks, under its own names and in its own folders."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabwarden.actions import (
    Limits,
    Session,
    Tasks,
    TenantConfig,
    TenantTasks,
    Way,
    narrowed,
    tenant_of,
)
from tabwarden.browser import Browser
from tabwarden.budget import Budget
from tabwarden.config import (
    PERMISSIONS,
    BrowserConfig,
    download_folder,
    profiles_folder,
    state_folder,
    upload_folder,
)
from tabwarden.errors import Capacity, InvalidArgument
from tabwarden.live_config import LiveConfig
from tabwarden.recording import trace_folder


async def no_browser(way: Way, budget: Budget) -> Browser:
    raise AssertionError("nobody asked for one")


def made(at_most: int = 9) -> tuple[Tasks, list[str]]:
    """A server's tasks, and the names for which it created sessions."""
    names: list[str] = []

    def new_session(name: str) -> Session:
        names.append(name)
        return Session(no_browser)

    return Tasks(new_session, lambda: Limits(max_tasks=at_most)), names


def test_two_tenants_with_equal_task_names_get_separate_sessions() -> None:
    tasks, names = made()
    acme, other, operator = (TenantTasks(tasks, one) for one in ("acme", "other", None))
    mine = acme.of("a3")
    assert acme.of("a3") is mine is operator.of("acme~a3")
    assert other.session("a3") is None
    assert operator.session("a3") is None
    assert other.of("a3") is not mine
    assert names == ["acme~a3", "other~a3"]


@pytest.mark.threat
def test_tenant_cannot_refer_to_another_tenants_task() -> None:
    tasks, _ = made()
    TenantTasks(tasks, "acme").of("a3")
    other = TenantTasks(tasks, "other")
    for name in ("acme~a3", "../acme~a3", "~a3", ""):
        with pytest.raises(InvalidArgument):
            other.session(name)
        with pytest.raises(InvalidArgument), other.call(name, Budget(1000), opens=True):
            raise AssertionError


def test_tenant_has_its_own_task_limit() -> None:
    tasks, _ = made(at_most=3)
    acme = TenantTasks(tasks, "acme", at_most=1)
    other = TenantTasks(tasks, "other", at_most=5)
    with acme.call("one", Budget(1000), opens=True):
        with pytest.raises(Capacity) as caught, acme.call("two", Budget(1000), opens=True):
            raise AssertionError
        assert caught.value.data["field"] == "task"
        assert caught.value.retry_after_s > 0
        with acme.call("one", Budget(1000), opens=True), acme.call("x", Budget(9), opens=False):
            pass
        with other.call("one", Budget(1000), opens=True), other.call("2", Budget(9), opens=True):
            with pytest.raises(Capacity) as full, other.call("3", Budget(1000), opens=True):
                raise AssertionError
            assert "acme" not in str(full.value)  # the server is full, and does not say by whom
    with acme.call("two", Budget(1000), opens=True):
        pass


@pytest.mark.threat
def test_each_tenant_gets_its_own_folders(tmp_path: Path) -> None:
    config = BrowserConfig(
        upload_dir=tmp_path / "up", download_dir=tmp_path / "down", state_dir=tmp_path / "states",
        trace_dir=tmp_path / "traces", user_data_dir=tmp_path / "profile", transport="port",
        profiles_dir=tmp_path / "profiles", upload_roots=[tmp_path],
        isolate=False, allow_file_urls=True,
    )  # fmt: skip
    folders: set[Path] = set()
    for tenant in ("acme", "other", None):
        own = TenantConfig(LiveConfig.fixed(config), tenant).browser
        mine = [upload_folder(own), download_folder(own), state_folder(own), trace_folder(own)]
        assert own.user_data_dir is not None
        mine += [own.user_data_dir, profiles_folder(own)]
        assert folders.isdisjoint(mine)
        folders |= {*mine}
        assert all(folder.is_relative_to(tmp_path) for folder in folders)
        if tenant is not None:
            assert (own.transport, own.isolate, own.allow_file_urls) == (None, None, False)
            assert own.upload_roots == []
    assert len(folders) == 18
    assert TenantConfig(LiveConfig.fixed(config), None).browser is config


def test_tenant_gets_its_own_download_folder_without_configured_folders() -> None:
    own = TenantConfig(LiveConfig.fixed(BrowserConfig()), "acme").browser
    assert download_folder(own) == download_folder(BrowserConfig()) / "tenant-acme"
    assert own.user_data_dir is None


def test_tenant_config_is_built_only_once_if_unchanged() -> None:
    source = TenantConfig(LiveConfig.fixed(BrowserConfig()), "acme")
    assert source.browser is source.browser


def test_callers_permissions_never_exceed_the_configuration() -> None:
    config = BrowserConfig(allow=["read", "act"])
    assert narrowed(config, frozenset(PERMISSIONS)) is config
    assert narrowed(config, frozenset(("act", "scripts"))).allow == ["act"]
    assert narrowed(config, frozenset()).allow == []


def test_tenant_is_derived_from_a_full_task_name() -> None:
    assert [tenant_of(name) for name in ("acme~a3", "a3")] == ["acme", None]
