"""Task names: tenants cannot refer to each other's tasks."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabwarden.actions import TASK_NAME, checked_full_name, full_name, own_name, tenant_of
from tabwarden.actions.sessions.names import TENANT_NAME
from tabwarden.errors import InvalidArgument

TASKS = st.from_regex(TASK_NAME, fullmatch=True)
TENANTS = st.from_regex(TENANT_NAME, fullmatch=True)


@given(tenant=TENANTS, name=TASKS)
def test_full_task_name_splits_into_tenant_and_own_name(tenant: str, name: str) -> None:
    full = full_name(tenant, name)
    assert (tenant_of(full), own_name(full)) == (tenant, name)
    assert checked_full_name(full) == full == full_name(None, full)


@given(name=TASKS)
def test_operators_task_names_have_no_prefix(name: str) -> None:
    assert full_name(None, name) == name == own_name(name)
    assert tenant_of(name) is None


@pytest.mark.threat
@given(one=st.tuples(TENANTS | st.none(), TASKS), other=st.tuples(TENANTS | st.none(), TASKS))
def test_full_task_names_are_unique(
    one: tuple[str | None, str], other: tuple[str | None, str]
) -> None:
    assert (full_name(*one) == full_name(*other)) == (one == other)


@pytest.mark.threat
@given(tenant=TENANTS, named=st.text(max_size=80))
def test_tenant_can_refer_only_to_its_own_tasks(tenant: str, named: str) -> None:
    if re.fullmatch(TASK_NAME, named):
        assert tenant_of(full_name(tenant, named)) == tenant
    else:
        with pytest.raises(InvalidArgument) as caught:
            full_name(tenant, named)
        assert caught.value.data["field"] == "task"


@pytest.mark.parametrize("name", ["", "a~", "~a", "a~b~c", "A~b", "a b", "a" * 65, "a\n"])
def test_checked_full_name_rejects_invalid_names(name: str) -> None:
    with pytest.raises(InvalidArgument):
        checked_full_name(name)
