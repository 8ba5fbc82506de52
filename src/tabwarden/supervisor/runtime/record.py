"""Records the state machine's notices in the task's telemetry.

The state machine itself records nothing. ``driver.py`` records everything that has no notice, such
as a lost connection.
"""

from __future__ import annotations

from tabwarden.supervisor.core.state import BridgeMode, PendingDialog, Policy
from tabwarden.supervisor.core.state import notices as n
from tabwarden.telemetry import Telemetry


def record(telemetry: Telemetry, notice: n.Notice, policy: Policy) -> None:
    tab_id = notice.tab_id or None
    telemetry.noticed(type(notice).__name__, tab_id=tab_id)
    match notice:
        case n.DialogOpened(dialog=opened):
            _fallback(telemetry, opened, policy)
        case n.DialogClosed(dialog=closed):
            telemetry.dialog_closed(
                closed.type, closed.channel, closed.closed_by, tab_id=tab_id, dialog_id=closed.id
            )
        case n.TargetCrashed(reason=reason, is_oopif=is_oopif):
            telemetry.crashed("frame" if is_oopif else "tab", tab_id=tab_id, reason=reason)
        case n.PopupOpened(opener_tab_id=opener):
            telemetry.popup(tab_id=tab_id, opener_tab_id=opener)
        case n.DownloadProgress(download=download) if download.status != "in_progress":
            telemetry.download(
                download.status, tab_id=tab_id, download_id=download.id, reason=download.reason
            )
        case n.ConnectionRefused(place=place, why=why):
            telemetry.refused(why, tab_id=tab_id, place=place)
        case _:
            pass


def _fallback(telemetry: Telemetry, dialog: PendingDialog, policy: Policy) -> None:
    """Record a dialog whose channel is not the policy's first choice. A ``beforeunload`` dialog has
    only one channel."""
    if dialog.type == "beforeunload":
        return
    first = policy.bridge.mode if policy.bridge is not None else BridgeMode.NATIVE
    if dialog.channel == "xhr" and first is not BridgeMode.XHR:
        telemetry.fallback("dialog_in_request", "debugger_off", tab_id=dialog.tab_id)
    if dialog.channel == "native" and first is not BridgeMode.NATIVE:
        telemetry.fallback("dialog_native", "not_bridged", tab_id=dialog.tab_id)
