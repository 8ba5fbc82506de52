"""What a user reads who lacks a framework or has an old one."""

from __future__ import annotations

import pytest

from tabwarden.surfaces.frameworks.extra import needs


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("acme", "acme is not installed. Install it with the extra: pip install 'tabwarden[acme]'"),
        ("acme.browser", "acme is older than 2.1. Install it with the extra"),
    ],
)
def test_error_names_the_extra_that_brings_the_framework(module: str, words: str) -> None:
    with pytest.raises(ImportError) as error, needs("acme", "acme", at_least="2.1"):
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)
    assert words in str(error.value)


def test_missing_module_of_another_package_is_no_missing_framework() -> None:
    with pytest.raises(ModuleNotFoundError, match="other"), needs("acme", "acme"):
        raise ModuleNotFoundError("No module named 'other'", name="other")
