"""Emulation in the state machine: each target gets the changes before its first script."""

from __future__ import annotations

from support.machine_kit import Play

from tabwarden.protocol import emulation, network
from tabwarden.supervisor.core import machine as m
from tabwarden.supervisor.core.state import inputs
from tabwarden.supervisor.core.state.emulation import Device, Emulation, NetworkSpeed

PHONE = Emulation(
    device=Device(
        name="P", page=(400, 700), screen=(400, 800), scale=2, mobile=True, user_agent="Phone"
    ),
    timezone="Asia/Tokyo",
)


def test_machine_sends_no_emulation_command_without_emulation() -> None:
    play = Play.connected()
    play.open_page()
    assert not any(method.startswith(("Emulation.", "Network.")) for method in play.sent("S1"))


def test_new_targets_get_the_emulation_before_they_run_and_frames_get_no_screen_size() -> None:
    play = Play.connected()
    play.open_page()
    play.give(inputs.Emulate(PHONE))
    assert "Emulation.setDeviceMetricsOverride" in play.sent("S1")
    play.attach("T2", "S2")
    told = play.sent("S2")
    assert told[-1] == "Runtime.runIfWaitingForDebugger"
    assert told.index("Emulation.setTimezoneOverride") < len(told) - 1
    play.oopif()
    assert "Emulation.setUserAgentOverride" in play.sent("SF")
    assert "Emulation.setDeviceMetricsOverride" not in play.sent("SF")


def test_machine_sends_only_the_emulation_that_changed() -> None:
    play = Play.connected()
    play.open_page()
    play.give(inputs.Emulate(PHONE))
    before = len(play.sent("S1"))
    play.give(inputs.Emulate(Emulation(device=PHONE.device)))
    assert play.sent("S1")[before:] == ["Emulation.setTimezoneOverride"]


def test_new_document_gets_the_device_metrics_again() -> None:
    play = Play.connected()
    play.open_page()
    play.give(inputs.Emulate(PHONE))
    before = play.sent("S1").count("Emulation.setDeviceMetricsOverride")
    play.navigated()
    assert play.sent("S1").count("Emulation.setDeviceMetricsOverride") == before + 1


def test_emulation_enables_the_network_domain_only_while_needed() -> None:
    play = Play.connected()
    play.open_page()
    play.give(inputs.Emulate(Emulation(offline=True)))
    assert "Network.enable" in play.sent("S1")
    assert not m.concerns(play.state, "Network.requestWillBeSent", b"{}")
    play.give(inputs.Emulate(Emulation()))
    assert play.sent("S1")[-1] == "Network.disable"
    play.give(inputs.RecordNetwork())
    play.give(inputs.Emulate(Emulation(offline=True)))
    play.give(inputs.Emulate(Emulation()))
    assert play.sent("S1")[-1] == "Network.emulateNetworkConditions"


def test_closing_the_tab_that_set_the_time_zone_sets_it_in_another_tab() -> None:
    play = Play.connected()
    play.open_page()
    play.open_page("T2", "S2")
    play.give(inputs.Emulate(PHONE))
    before = play.sent("S2").count("Emulation.setTimezoneOverride")
    play.destroy("T1")
    assert play.sent("S2").count("Emulation.setTimezoneOverride") == before + 1


def test_out_of_process_frames_get_network_and_cpu_throttling() -> None:
    play = Play.connected()
    play.open_page()
    play.give(inputs.Emulate(Emulation(network=NetworkSpeed(latency_ms=9), cpu=4)))
    play.oopif()
    slow = [
        s.command for s in play.commands if s.session_id == "SF" and "mulat" in s.command.METHOD
    ]
    assert (
        network.EmulateNetworkConditions(
            offline=False, latency=9, download_throughput=-1, upload_throughput=-1
        )
        in slow
    )
    assert emulation.SetCPUThrottlingRate(rate=4) in slow
