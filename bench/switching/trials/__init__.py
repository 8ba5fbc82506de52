"""The trials, by the page of docs/ that tells of their ability."""

from bench.switching.trial import Trial
from bench.switching.trials.acting import PAGE_TOOLS, SECRETS, WAIT
from bench.switching.trials.inspecting import AUDIT, PERFORMANCE
from bench.switching.trials.looking import BOXES, FILES, VISION
from bench.switching.trials.network import HAR, INIT_SCRIPT, MOCK, REQUEST
from bench.switching.trials.opening import LAUNCH, PROXY, RESTORE

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
