"""Addresses with a scheme: their meaning, and errors for invalid ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabwarden.endpoints import endpoint_of
from tabwarden.endpoints.endpoint import UrlEndpoint
from tabwarden.endpoints.remote import PROVIDERS, with_query
from tabwarden.endpoints.remote.secrets import hosts_only, without
from tabwarden.errors import EndpointUnreachable, InvalidArgument


@pytest.mark.parametrize(
    "url",
    [
        "9222", "localhost:9222", "steel:3000", "kernel:9222/", "http://h:1", "wss://h/x?token=s",
        "[::1]:9222", "ftp://h", "", "what is this", "http:", " ws://h ",
    ],
)  # fmt: skip
def test_plain_browser_address_becomes_a_url_endpoint(url: str) -> None:
    # Also an invalid one: opening it reports the error. A host may have a provider's name.
    assert endpoint_of(url) == UrlEndpoint(url)


@pytest.mark.parametrize("scheme", PROVIDERS)
def test_url_scheme_selects_its_provider(scheme: str) -> None:
    endpoint = endpoint_of(f" {scheme.upper()}: ")
    assert isinstance(endpoint, PROVIDERS[scheme])
    assert endpoint.key == f"{scheme}:"
    assert endpoint_of(endpoint) is endpoint
    assert type(endpoint_of(UrlEndpoint(f"{scheme}:"))) is type(endpoint)


def test_only_equal_endpoint_addresses_have_equal_keys() -> None:
    keys = {
        endpoint_of(address).key
        for address in (
            "steel:",
            "steel:?",
            "steel:?timeout_s=60&proxy=true",
            "steel:?proxy=true&timeout_s=60",
            "steel:?proxy=false&timeout_s=60",
            "steel:a-1",
            "kernel:a-1",
        )
    }
    assert len(keys) == 5


@pytest.mark.parametrize(
    ("given", "nearest"),
    [
        ("stele:", "steel"),
        ("browserbas:abc", "browserbase"),
        ("browser_use:", "browser-use"),
        ("C:\\chrome.exe", None),
        ("user:secret@host:9222", None),
    ],
)
def test_unknown_scheme_error_suggests_the_nearest_scheme(given: str, nearest: str | None) -> None:
    with pytest.raises(InvalidArgument, match="There is no endpoint") as caught:
        endpoint_of(given)
    assert nearest in (None, caught.value.data["nearest"])
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "field", "said"),
    [
        ("timout_s=60", "timout_s", "timeout_s"),
        ("apiKey=hush-hush", "apiKey", "no option"),
        ("timeout_s=soon", "timeout_s", "seconds"),
        ("timeout_s=-1", "timeout_s", "seconds"),
        ("timeout_s=nan", "timeout_s", "seconds"),
        ("timeout_s=inf", "timeout_s", "seconds"),
        ("proxy=maybe", "proxy", "true or false"),
        ("user_agent=", "user_agent", "text"),
        ("timeout_s", "endpoint", "malformed"),
    ],
)
def test_invalid_endpoint_option_error_identifies_the_field(
    options: str, field: str, said: str
) -> None:
    with pytest.raises(InvalidArgument, match=said) as caught:
        endpoint_of(f"steel:?{options}")
    assert caught.value.data["field"] == field
    assert "hush-hush" not in str(caught.value)


@pytest.mark.parametrize("given", ["//abc", "a/../b", "a b", "wss://h?token=hush-hush", "a#b"])
def test_error_about_an_invalid_session_id_does_not_quote_it(given: str) -> None:
    with pytest.raises(InvalidArgument, match="not a session id") as caught:
        endpoint_of(f"steel:{given}")
    assert "hush-hush" not in str(caught.value)


def test_url_endpoint_masks_its_token_in_repr_and_key() -> None:
    endpoint = UrlEndpoint("wss://u:hush-hush@h/x?token=hush-hush", {"Authorization": "hush-hush"})
    assert "hush" not in repr(endpoint) + endpoint.key
    assert endpoint.key == UrlEndpoint(endpoint.url).key
    assert endpoint.key != UrlEndpoint("wss://u:hush-hush@h/x?token=other").key
    assert UrlEndpoint("http://h:1").key == "http://h:1"


@pytest.mark.parametrize(
    ("url", "whole"),
    [
        ("wss://h", "wss://h?k=v%2F1"),
        ("wss://h/?a=b%20c", "wss://h/?a=b%20c&k=v%2F1"),
        ("wss://h/?k=own", "wss://h/?k=own"),
    ],
)
def test_adding_a_query_parameter_keeps_the_existing_query(url: str, whole: str) -> None:
    assert with_query(url, k="v/1") == whole


def test_endpoint_redaction_removes_paths_and_secrets_from_text() -> None:
    assert hosts_only("at wss://u:p@h:1/path?sig=1: no (https://x/y).") == (
        "at wss://h:1: no (https://x)."
    )
    assert without("key a/b+c, a%2Fb%2Bc", ["a/b+c", ""]) == "key …, …"


# -- entry points ----------------------------------------------------------------------------


def install(folder: Path, code: str, value: str = "farm:FarmEndpoint") -> None:
    """An installed package with one endpoint."""
    (folder / "farm.py").write_text(code)
    told = folder / "farm_browsers-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: farm-browsers\nVersion: 1.0\n")
    (told / "entry_points.txt").write_text(f"[tabwarden.endpoints]\nfarm = {value}\n")


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(__import__("sys").modules, "farm", raising=False)
    return tmp_path


def test_entry_point_adds_a_scheme_and_receives_the_parsed_address(packages: Path) -> None:
    install(
        packages,
        "class FarmEndpoint:\n"
        "    def __init__(self, address):\n"
        "        self.address, self.key = address, 'k'\n"
        "    async def open(self, budget): ...\n",
    )
    endpoint = endpoint_of(UrlEndpoint("farm:abc?size=big", {"X-Key": "hush-hush"}))
    address = endpoint.address  # type: ignore[attr-defined]
    assert (address.scheme, address.session_id) == ("farm", "abc")
    assert address.options == {"size": "big"}
    assert address.headers == {"X-Key": "hush-hush"}
    assert "hush" not in repr(address)
    with pytest.raises(InvalidArgument, match="farm:") as caught:
        endpoint_of("farn:")
    assert caught.value.data["nearest"] == "farm"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise ImportError('no such thing')", "ImportError: no such thing"),
        ("x = 1", "AttributeError"),
        ("def FarmEndpoint(): ...", "TypeError"),
        ("def FarmEndpoint(address): return 5", "returned int"),
    ],
)
def test_error_identifies_an_endpoint_package_that_fails_to_load(
    packages: Path, code: str, said: str
) -> None:
    install(packages, code)
    with pytest.raises(EndpointUnreachable, match=said) as caught:
        endpoint_of("farm:")
    assert "farm-browsers" in caught.value.message
    assert "farm-browsers" in caught.value.hint


def test_caller_receives_the_error_raised_by_an_endpoint_package(packages: Path) -> None:
    install(
        packages,
        "from tabwarden.errors import InvalidArgument\n"
        "def FarmEndpoint(address): raise InvalidArgument('No such field.')\n",
    )
    with pytest.raises(InvalidArgument, match="No such field"):
        endpoint_of("farm:")
