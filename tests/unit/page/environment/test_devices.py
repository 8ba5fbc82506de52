"""Devices by name: those of Playwright too, upright and in landscape."""

from __future__ import annotations

import pytest
from playwright.sync_api import sync_playwright

from tabwarden.errors import InvalidArgument
from tabwarden.page.environment.devices import DEVICES, device_named


def test_every_name_of_playwright_is_a_device() -> None:
    with sync_playwright() as playwright:
        theirs = dict(playwright.devices)
    assert len(theirs) > 140
    for name, about in theirs.items():
        device = device_named(name, "Chrome/156.0.1.2")
        assert device.mobile == about["is_mobile"], name
        assert bool(device.user_agent) == device.mobile, name
        assert "{" not in device.user_agent
        across = device.width > device.height
        if device.mobile and "Fold" not in name and "Flip" not in name:  # some open nearly square
            assert across == name.endswith("landscape"), name


def test_a_landscape_is_the_screen_turned_and_a_tablet_is_no_phone() -> None:
    upright = device_named("galaxy s8", "Chrome/156.0.1.2")
    turned = device_named("Galaxy S8 landscape", "Chrome/156.0.1.2")
    assert (turned.width, turned.height) == (upright.height, upright.width) == (740, 360)
    assert (upright.scale, upright.model) == (3, "S8")
    assert "Chrome/156.0.0.0 Mobile" in upright.user_agent
    assert "Mobile" not in device_named("Nexus 10", "Chrome/156.0.1.2").user_agent


def test_an_unknown_device_is_told_with_the_closest_ones() -> None:
    with pytest.raises(InvalidArgument) as unknown:
        device_named("Pixel 10 Mini", "Chrome/156.0.1.2")
    assert unknown.value.data["field"] == "device"
    assert unknown.value.data["nearest"].startswith("Pixel 10")
    assert "Pixel 10 Pro" in str(unknown.value)
    assert len(str(unknown.value)) < 500
    assert len(DEVICES) > 100
