"""One conversation in Hermes' environment, while another task uses the same tools.

Arguments: the model's URL, and the URL of a page for the other task.
"""

import json
import sys

from run_agent import AIAgent
from tools.registry import registry

model_url, page = sys.argv[1:]
other = registry.dispatch("browser_navigate", {"url": page}, task_id="cron-1")
agent = AIAgent(
    base_url=model_url,
    api_key="none",
    provider="custom",
    model="scripted",
    enabled_toolsets=["browser"],
    max_iterations=400,
    quiet_mode=True,
    skip_memory=True,
    skip_context_files=True,
)
result = agent.run_conversation("Do it.", task_id="chat-1")
still = registry.dispatch("browser_console", {"expression": "document.title"}, task_id="cron-1")
told = {
    "said": result["final_response"],
    "other": json.loads(other),
    "still": json.loads(still),
}
sys.stdout.write(f"RESULT {json.dumps(told)}\n")
