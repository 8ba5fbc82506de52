"""Devices by name: those of Playwright too, upright and in landscape."""

from __future__ import annotations

import pytest
from support.needs import needs

from tabwarden.errors import InvalidArgument
from tabwarden.page.environment.devices import DEVICES, device_named, device_of
from tabwarden.supervisor.core.state.emulation import Emulation


def sides(size: dict[str, int]) -> tuple[int, int]:
    return size["width"], size["height"]


@needs("playwright")
def test_every_playwright_device_is_known_with_its_sizes() -> None:
    from playwright import sync_api

    with sync_api.sync_playwright() as playwright:
        theirs = dict(playwright.devices)
    assert len(theirs) > 140
    for name, about in theirs.items():
        device = device_named(name)
        page = about["viewport"]
        assert device.name == name
        assert device.page == sides(page), name
        assert device.screen == sides(about.get("screen", page)), name
        assert device.scale == pytest.approx(about["device_scale_factor"]), name
        assert device.mobile == about["is_mobile"], name
        assert bool(device.user_agent) == device.mobile, name


def test_android_user_agents_have_the_browsers_version_and_tablets_are_not_mobile() -> None:
    turned = Emulation(device=device_named("galaxy s8 Landscape")).on("Chrome/156.0.1.2")
    device = turned.device
    assert device is not None
    assert (device.page, device.scale, device.model) == ((740, 360), 3, "S8")
    assert "Chrome/156.0.0.0 Mobile" in device.user_agent
    assert "Mobile" not in device_named("Nexus 10").user_agent
    assert turned.on("Chrome/157.0.1.2") is turned


def test_custom_viewport_size_keeps_the_other_device_settings() -> None:
    phone = device_of("iPhone 13", (500, 600))
    assert phone is not None
    assert (phone.page, phone.screen, phone.mobile) == ((500, 600), (390, 844), True)
    plain = device_of(None, (500, 600))
    assert plain is not None
    assert (plain.page, plain.mobile, plain.user_agent, plain.scale) == ((500, 600), False, "", 0)
    assert device_of(None, None) is None


def test_unknown_device_error_suggests_the_closest_names() -> None:
    with pytest.raises(InvalidArgument) as unknown:
        device_named("Pixel 10 Mini")
    assert unknown.value.data["field"] == "device"
    assert unknown.value.data["nearest"].startswith("Pixel 10")
    assert "Pixel 10 Pro" in str(unknown.value)
    assert len(str(unknown.value)) < 500
    assert len(DEVICES) > 100
