"""The supervisor: what is true of a task's browser, always current, never in the page's hands.

A pure machine folds CDP messages into a frozen state (``machine.step``, one file a concern beside
it); ``CDPSupervisor`` is the driver at its edge, the only place that awaits; ``SupervisorRegistry``
keeps one supervisor a task on one event loop in one daemon thread.
"""

from tabwarden.supervisor.answers import UNANSWERABLE
from tabwarden.supervisor.bridge_script import fresh_bridge
from tabwarden.supervisor.console import LEVELS
from tabwarden.supervisor.contexts import OwnContext
from tabwarden.supervisor.dialog_values import ClosedDialog, PendingDialog
from tabwarden.supervisor.download_folder import settle_file
from tabwarden.supervisor.driver import CDPSupervisor, Subscription
from tabwarden.supervisor.emulation import Device, Emulation, Geolocation
from tabwarden.supervisor.family import family_secret
from tabwarden.supervisor.frames import AGENT_WORLD_NAME, WORLD_NAME, descendants
from tabwarden.supervisor.handoff import Handoff
from tabwarden.supervisor.inputs import (
    ActivateTab,
    AnswerAuth,
    AnswerDialog,
    ClearConsole,
    CloseBackstage,
    CloseChooser,
    DeclareGone,
    DownloadTold,
    Emulate,
    ForgetTab,
    Leaving,
    LookAgain,
    LookAtTabs,
    OpenBackstage,
    OriginsKnown,
    PermissionSet,
    PlaceNamed,
    RecordNetwork,
    ReplaceTab,
    SetPolicy,
    SetScripts,
    TabRenewed,
    TargetSeen,
    TitleRead,
)
from tabwarden.supervisor.loop import EngineLoop, engine_loop
from tabwarden.supervisor.network_log import NETWORK_RING, NetworkRequest
from tabwarden.supervisor.noted import permission_command
from tabwarden.supervisor.outgoing import why_failed
from tabwarden.supervisor.policy import BridgeMode, DialogPolicy, Policy
from tabwarden.supervisor.prompts import (
    AuthChallenge,
    Credentials,
    Download,
    FileChooser,
    Note,
    PermissionRule,
    PermissionSetting,
)
from tabwarden.supervisor.race import (
    CommandRefused,
    Interrupted,
    NavigatedAway,
    Pending,
    Race,
    crashed_error,
)
from tabwarden.supervisor.reading import FrameNode, FrameTree, SupervisorSnapshot
from tabwarden.supervisor.registry import SupervisorRegistry
from tabwarden.supervisor.snapshots import capped, frame_tree_of
from tabwarden.supervisor.state import ConsoleMessage, Health, SupervisorState
from tabwarden.supervisor.tabs import ExecutionContext, Frame, SessionInfo, Tab
from tabwarden.supervisor.targets import is_address

__all__ = [
    "AGENT_WORLD_NAME",
    "LEVELS",
    "NETWORK_RING",
    "UNANSWERABLE",
    "WORLD_NAME",
    "ActivateTab",
    "AnswerAuth",
    "AnswerDialog",
    "AuthChallenge",
    "BridgeMode",
    "CDPSupervisor",
    "ClearConsole",
    "CloseBackstage",
    "CloseChooser",
    "ClosedDialog",
    "CommandRefused",
    "ConsoleMessage",
    "Credentials",
    "DeclareGone",
    "Device",
    "DialogPolicy",
    "Download",
    "DownloadTold",
    "Emulate",
    "Emulation",
    "EngineLoop",
    "ExecutionContext",
    "FileChooser",
    "ForgetTab",
    "Frame",
    "FrameNode",
    "FrameTree",
    "Geolocation",
    "Handoff",
    "Health",
    "Interrupted",
    "Leaving",
    "LookAgain",
    "LookAtTabs",
    "NavigatedAway",
    "NetworkRequest",
    "Note",
    "OpenBackstage",
    "OriginsKnown",
    "OwnContext",
    "Pending",
    "PendingDialog",
    "PermissionRule",
    "PermissionSet",
    "PermissionSetting",
    "PlaceNamed",
    "Policy",
    "Race",
    "RecordNetwork",
    "ReplaceTab",
    "SessionInfo",
    "SetPolicy",
    "SetScripts",
    "Subscription",
    "SupervisorRegistry",
    "SupervisorSnapshot",
    "SupervisorState",
    "Tab",
    "TabRenewed",
    "TargetSeen",
    "TitleRead",
    "capped",
    "crashed_error",
    "descendants",
    "engine_loop",
    "family_secret",
    "frame_tree_of",
    "fresh_bridge",
    "is_address",
    "permission_command",
    "settle_file",
    "why_failed",
]
