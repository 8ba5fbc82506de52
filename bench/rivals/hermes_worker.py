"""Runs Hermes' supervisor in Hermes' own Python on a debugging port, controlled by lines of JSON.

Times are measured here, where its users would call it, so they don't include our pipe.
"""

import json
import sys
import time

from tools.browser_supervisor import SUPERVISOR_REGISTRY

POLL_S = 0.0002
WAIT_S = 10.0


def evaluated(supervisor, script, times):
    took = []
    for _ in range(times):
        began = time.perf_counter_ns()
        answer = supervisor.evaluate_runtime(script)
        took.append((time.perf_counter_ns() - began) / 1e6)
        if not answer.get("ok"):
            raise RuntimeError(answer)
    return took, answer["result"]


def waited(condition, what):
    until = time.monotonic() + WAIT_S
    while time.monotonic() < until:
        if found := condition():
            return found, time.time() * 1000
        time.sleep(POLL_S)
    raise RuntimeError(f"{what} within {WAIT_S:g} s")


def dialog(supervisor, ask, times):
    """The page asks, with its clock's reading as the message; seen, and answered: page's clock."""
    seen, answered = [], []
    for number in range(times):
        supervisor.evaluate_runtime(ask)
        pending, at = waited(lambda: supervisor.snapshot().pending_dialogs, "no dialog")
        seen.append(at - float(pending[0].message))
        given = time.time() * 1000
        done = supervisor.respond_to_dialog("accept", prompt_text=str(number))
        if not done.get("ok"):
            raise RuntimeError(done)
        went = supervisor.evaluate_runtime("window.went")["result"]
        if went["value"] != str(number):
            raise RuntimeError(f"the page got {went['value']!r} instead of {number}")
        answered.append(went["at"] - given)
    return {"seen": seen, "answered": answered}


def main():
    supervisor = SUPERVISOR_REGISTRY.get_or_start("bench", sys.argv[1])
    try:
        print(json.dumps({"ready": True}), flush=True)
        for line in sys.stdin:
            asked = json.loads(line)
            try:
                if asked["do"] == "evaluate":
                    took, value = evaluated(supervisor, asked["script"], asked["times"])
                    answer = {"took": took, "value": value}
                else:
                    answer = dialog(supervisor, asked["script"], asked["times"])
            except Exception as error:
                answer = {"error": f"{type(error).__name__}: {error}"[:300]}
            print(json.dumps(answer), flush=True)
    finally:
        SUPERVISOR_REGISTRY.stop_all()


main()
