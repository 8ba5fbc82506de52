"""The trials, grouped by the page in docs/ about their ability."""

from judges.switching.trial import Trial
from judges.switching.trials.acting import PAGE_TOOLS, SECRETS, WAIT
from judges.switching.trials.inspecting import AUDIT, PERFORMANCE
from judges.switching.trials.looking import BOXES, FILES, VISION
from judges.switching.trials.network import HAR, INIT_SCRIPT, MOCK, REQUEST
from judges.switching.trials.opening import LAUNCH, PROXY, RESTORE

__all__ = ["TRIALS"]

TRIALS: dict[str, Trial] = {
    "mock": MOCK,
    "init-script": INIT_SCRIPT,
    "request": REQUEST,
    "har": HAR,
    "launch": LAUNCH,
    "proxy": PROXY,
    "restore": RESTORE,
    "boxes": BOXES,
    "vision": VISION,
    "wait": WAIT,
    "files": FILES,
    "secrets": SECRETS,
    "page-tools": PAGE_TOOLS,
    "performance": PERFORMANCE,
    "audit": AUDIT,
}
