"""The options of a ``fleet:`` address; errors identify the invalid option."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tabwarden.endpoints import Address, endpoint_of
from tabwarden.endpoints.endpoint import UrlEndpoint
from tabwarden.errors import InvalidArgument
from tabwarden.fleet.client import FleetEndpoint, fleet_address, fleet_endpoint


def endpoint(task: str = "", **options: str) -> FleetEndpoint:
    return fleet_endpoint(Address("fleet", task, options, {}))


def test_fleet_address_without_options_uses_the_fleet_on_this_machine() -> None:
    found = endpoint("a1")
    assert (found.task, found.checkpoint_s, found.options.cluster) == ("a1", 10, "auto")
    assert (found.options.tenant, found.options.max_tasks) == ("", None)


def test_fleet_endpoint_reads_each_option() -> None:
    found = endpoint(
        "a1", cluster="10.0.0.1:6379", checkpoint_s="2.5", tenant="acme", max_tasks="3"
    )
    assert found.checkpoint_s == 2.5
    assert found.options.cluster == "10.0.0.1:6379"
    assert (found.options.tenant, found.options.max_tasks) == ("acme", 3)


@pytest.mark.parametrize(
    ("cluster", "options"),
    [
        ("auto", {}),
        ("10.0.0.1:6379", {"checkpoint_s": 2.5, "tenant": "acme & sons", "max_tasks": 3}),
        ("[::1]:6379", {"tenant": "a=b%c#d"}),
    ],
)
def test_fleet_address_keeps_its_options_when_parsed_again(
    cluster: str, options: dict[str, Any]
) -> None:
    found = endpoint_of(UrlEndpoint(fleet_address(cluster, **options), {}))
    assert isinstance(found, FleetEndpoint)
    assert found.options.model_dump(exclude_defaults=True) == options | (
        {} if cluster == "auto" else {"cluster": cluster}
    )


@pytest.mark.parametrize(
    ("cluster", "options", "field"),
    [
        ("", {}, "cluster"),
        ("auto", {"checkpoint_s": 0.1}, "checkpoint_s"),
        ("auto", {"max_tasks": 0}, "max_tasks"),
        ("auto", {"tenant": None}, "tenant"),
    ],
)
def test_fleet_address_rejects_an_invalid_option(
    cluster: str, options: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidArgument) as wrong:
        fleet_address(cluster, **options)
    assert wrong.value.data["field"] == field


def test_task_without_a_name_gets_a_unique_name() -> None:
    names = {endpoint().task for _ in range(20)}
    assert len(names) == 20
    assert all(re.fullmatch(r"task-[0-9a-f]{12}", name) for name in names)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"what": "1"}, "what"),
        ({"Cluster": "auto"}, "Cluster"),
        ({"checkpoint_s": "soon"}, "checkpoint_s"),
        ({"checkpoint_s": ""}, "checkpoint_s"),
        ({"checkpoint_s": "0.4"}, "checkpoint_s"),
        ({"checkpoint_s": "3601"}, "checkpoint_s"),
        ({"checkpoint_s": "-1"}, "checkpoint_s"),
        ({"checkpoint_s": "nan"}, "checkpoint_s"),
        ({"checkpoint_s": "inf"}, "checkpoint_s"),
        ({"max_tasks": "many"}, "max_tasks"),
        ({"max_tasks": "1.5"}, "max_tasks"),
        ({"max_tasks": "0"}, "max_tasks"),
        ({"max_tasks": "-3"}, "max_tasks"),
        ({"cluster": ""}, "cluster"),
    ],
)
def test_fleet_endpoint_error_identifies_an_invalid_option(
    options: dict[str, str], words: str
) -> None:
    with pytest.raises(InvalidArgument, match=words) as wrong:
        endpoint("a1", **options)
    assert wrong.value.data["field"] == "endpoint"
    assert "checkpoint_s" in str(wrong.value.hint), "the hint lists the known ones"


def test_task_name_selects_the_task_and_its_tenant() -> None:
    fleet = endpoint("a1", cluster="c", checkpoint_s="1")
    assert fleet.for_task(None).task == "a1"
    named = fleet.for_task("acme~a2")
    assert (named.task, named.options.tenant) == ("acme~a2", "acme")
    assert (named.options.cluster, named.checkpoint_s) == ("c", 1)
    assert named.key == "fleet:acme~a2?cluster=c"
    assert fleet.for_task("a3").options.tenant == ""


def test_tenant_in_the_fleet_address_overrides_the_tenant_in_the_task_name() -> None:
    assert endpoint("a1", tenant="corp").for_task("acme~a2").options.tenant == "corp"
