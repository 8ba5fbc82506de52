#!/bin/sh
# `DOM.setFileInputFiles` answers before a folder's files are in the input.
#
# Versions: PyPI playwright 1.65.2, npm @sparticuz/chromium 153.0.0
# Seen: an `<input type=file webkitdirectory>`, a folder of 20,000 files, and `DOM.setFileInputFiles`
#     over a CDP session.
#     files in the input after the reply:            0
#     files in the input after its `change` event:   20000
# Why it is surprising: With files instead of a folder, the files are in the input when the reply arrives,
#     and the protocol's documentation makes no difference. A folder is listed in the background. A script
#     that clicks "Upload" next sends an empty form, and with a small folder it only happens sometimes.
# Measured: 2026-11-29
set -eu
. "$(dirname "$0")/prepare.sh"
chromium
pypi playwright==1.65.2
mkdir photos
seq -f 'photos/%g.txt' 20000 | xargs touch
cat >run.py <<'PY'
import os

from playwright.sync_api import sync_playwright

COUNT = "document.querySelector('input').files.length"
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=os.environ["CHROME"], args=["--no-sandbox"])
    page = browser.new_page()
    page.set_content("<input type=file webkitdirectory onchange='window.changed = true'>")
    cdp = page.context.new_cdp_session(page)
    node = cdp.send("Runtime.evaluate", {"expression": "document.querySelector('input')"})
    object_id = node["result"]["objectId"]
    cdp.send("DOM.setFileInputFiles", {"files": [os.path.abspath("photos")], "objectId": object_id})
    after_reply = cdp.send("Runtime.evaluate", {"expression": COUNT})["result"]["value"]
    page.wait_for_function("window.changed")
    after_change = page.evaluate(COUNT)
    browser.close()
print("files in the input after the reply:", after_reply)
print("files in the input after its change event:", after_change)
raise SystemExit(0 if (after_reply, after_change) == (0, 20000) else 1)
PY
python run.py
