"""The shop's server: its own files, on loopback, and nothing else."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from importlib import resources
from urllib.parse import urlsplit

import pytest

from tabwarden.demo.server import ShopServer


@pytest.fixture(scope="module")
def shop() -> Iterator[ShopServer]:
    with ShopServer() as server:
        yield server


def get(
    origin: str, path: str, *, method: str = "GET", host: str | None = None
) -> tuple[int, str, http.client.HTTPMessage]:
    """Send one request with the path exactly as given."""
    address = urlsplit(origin)
    connection = http.client.HTTPConnection("127.0.0.1", address.port, timeout=10)
    try:
        connection.request(method, path, headers={"Host": host or address.netloc})
        response = connection.getresponse()
        return response.status, response.read().decode(), response.headers
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("path", "media_type", "words"),
    [
        ("/", "text/html; charset=utf-8", "<h1>Tea for long afternoons</h1>"),
        ("/checkout?total=1", "text/html; charset=utf-8", "<h1>Checkout</h1>"),
        ("/payment", "text/html; charset=utf-8", "Card number"),
        ("/bank", "text/html; charset=utf-8", "Security code"),
        ("/reminders", "text/html; charset=utf-8", "<h1>Reminders</h1>"),
        ("/report", "text/html; charset=utf-8", "<h1>Sales report</h1>"),
        ("/style.css", "text/css; charset=utf-8", "body {"),
        ("/basket.js", "text/javascript; charset=utf-8", "const Basket"),
        ("/icon.svg", "image/svg+xml", "<svg"),
    ],
)
def test_shop_server_serves_its_pages(
    shop: ShopServer, path: str, media_type: str, words: str
) -> None:
    status, body, headers = get(shop.shop, path)
    assert status == 200
    assert headers["Content-Type"] == media_type
    assert words in body


def test_shop_and_payment_pages_contain_each_others_origin(shop: ShopServer) -> None:
    assert urlsplit(shop.shop).hostname == "127.0.0.1"
    assert urlsplit(shop.payments).hostname == "localhost"
    assert f'data-payments="{shop.payments}"' in get(shop.shop, "/checkout")[1]
    assert f'data-shop="{shop.shop}"' in get(shop.payments, "/payment")[1]
    policy = get(shop.shop, "/checkout")[2]["Content-Security-Policy"]
    assert f"frame-src {shop.payments};" in policy


def test_served_files_contain_no_placeholder(shop: ShopServer) -> None:
    for entry in (resources.files("tabwarden.demo") / "shop").iterdir():
        path = f"/{entry.name.removesuffix('.html')}" if entry.name != "index.html" else "/"
        status, body, _ = get(shop.shop, path)
        assert status == 200, path
        assert "{{" not in body, path


@pytest.mark.parametrize(
    "path",
    [
        "/nothing-here",
        "/../server.py",
        "/../../../../../../../../etc/passwd",
        "/%2e%2e/server.py",
        "/..%2fserver.py",
        "//etc/passwd",
        "/shop/style.css",
        "/./style.css",
        "/style.css/",
        "/style.css%00",
    ],
)
def test_shop_server_returns_404_for_any_other_path(shop: ShopServer, path: str) -> None:
    status, body, _ = get(shop.shop, path)
    assert status == 404
    assert "There is no such page" in body
    assert "ShopServer" not in body
    assert "root:" not in body


def test_shop_server_listens_on_loopback_and_answers_only_its_own_host_names(
    shop: ShopServer,
) -> None:
    assert shop._server.server_address[0] == "127.0.0.1"
    for host in ("example.com", "127.0.0.1:1", "localhost"):
        status, body, _ = get(shop.shop, "/", host=host)
        assert status == 421
        assert "Tea" not in body


def test_shop_server_answers_head_without_a_body_and_rejects_post(shop: ShopServer) -> None:
    status, body, headers = get(shop.shop, "/", method="HEAD")
    assert (status, body) == (200, "")
    assert int(headers["Content-Length"]) > 0
    assert get(shop.shop, "/", method="POST")[0] == 501


def test_two_shop_servers_use_separate_ports_and_stop_cleanly(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with ShopServer() as one, ShopServer() as two:
        assert one.shop != two.shop
        assert get(one.shop, "/")[0] == get(two.shop, "/")[0] == 200
    with pytest.raises(OSError):  # noqa: PT011 - which one depends on the system
        get(one.shop, "/")
    assert capfd.readouterr() == ("", "")
