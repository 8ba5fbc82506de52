"""Cookie files of curl and of browser extensions."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tabwarden.errors import InvalidArgument
from tabwarden.page.storage.cookie_files import netscape, state_of

CHROME = r"""curl 'https://shop.example:8443/a?b=1' \
  -H 'accept: */*' \
  -H $'cookie: token=it\'s; lang=de\u0021; pair=a=b' \
  -H 'user-agent: Mozilla/5.0 (X11; Linux x86_64)' \
  --data-raw 'x=1; y=2'"""
CHROME_153 = "curl 'https://shop.example/a' -b 'token=it; lang=de' -H 'accept: */*'"
CMD = 'curl ^"https://shop.example/a^" ^\n  -H ^"accept: */*^" ^\n  -b ^"token=a^\\^"b; lang=de^"'
NETSCAPE = (
    "# Netscape HTTP Cookie File\n\n"
    "#HttpOnly_.shop.example\tTRUE\t/\tTRUE\t4000000000\tlogin\ts3cret\n"
    "shop.example\tFALSE\t/cart\tFALSE\t0\titems\ta b=c\n"
    "shop.example\tFALSE\t/\tFALSE\t0\tempty\n"
)


def pairs(text: str) -> dict[str, str]:
    return {one.name: one.value for one in state_of(text, "text", "the text").cookies}


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        (CHROME, {"token": "it's", "lang": "de!", "pair": "a=b"}),
        (CHROME_153, {"token": "it", "lang": "de"}),
        (CMD, {"token": 'a"b', "lang": "de"}),
        ("curl --cookie=a=1 --url https://x.test", {"a": "1"}),
        ("curl -ba=1 -b b=2 http://x.test/p -o out", {"a": "1", "b": "2"}),
    ],
)
def test_cookie_import_reads_curl_commands(command: str, wanted: dict[str, str]) -> None:
    assert pairs(command) == wanted


def test_cookies_of_a_curl_command_belong_to_the_origin_of_its_url() -> None:
    first = state_of(CHROME, "text", "the text").cookies[0]
    assert (first.url, first.domain, first.secure) == ("https://shop.example:8443/", "", True)


def test_netscape_cookie_file_round_trips_unchanged() -> None:
    cookies = state_of(NETSCAPE, "filename", "a").cookies
    seen = [(c.domain, c.path, c.secure, c.http_only, c.expires, c.value) for c in cookies]
    assert seen == [
        (".shop.example", "/", True, True, 4e9, "s3cret"),
        ("shop.example", "/cart", False, False, -1, "a b=c"),
        ("shop.example", "/", False, False, -1, ""),
    ]
    told: list[dict[str, Any]] = [
        {"httpOnly": c.http_only, "secure": c.secure, "expires": c.expires,
         "domain": c.domain, "path": c.path, "name": c.name, "value": c.value}
        for c in cookies
    ]  # fmt: skip
    again = state_of(netscape(told), "filename", "a")
    assert msgspec.to_builtins(again.cookies) == msgspec.to_builtins(cookies)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not valid JSON"),
        ("a\tb\ts3cret\n", "Line 1 of it"),
        ("# ok\nx.test\tTRUE\t/\tTRUE\tsoon\ta\ts3cret", "Line 2 of it"),
        ("curl 'https://x.test", "No closing quotation"),
        ("curl -b a=s3cret", "no URL"),
        ("curl https://x.test -b jar.txt", "no cookies"),
    ],
)
def test_cookie_import_rejects_malformed_text_without_showing_secrets(
    text: str, words: str
) -> None:
    with pytest.raises(InvalidArgument, match=words) as refused:
        state_of(text, "text", "it")
    assert refused.value.data["field"] == "text"
    assert "s3cret" not in str(refused.value)
