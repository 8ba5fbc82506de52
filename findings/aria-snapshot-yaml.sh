#!/bin/sh
# A YAML parser changes times, dates and numbers in Playwright's ARIA snapshots.
#
# Versions: PyPI playwright 1.65.0, PyYAML 6.0.4, ruamel.yaml 0.19.1; npm @sparticuz/chromium 153.0.0
# Seen: paragraphs in the snapshot, read by yaml.safe_load and by ruamel's safe loader.
#     12:30        750                  '12:30'
#     1:02:03      3723                 '1:02:03'
#     2026-11-28   a date               a date
#     1_000        1000                 1000
#     =            ConstructorError     ConstructorError
#     010, yes, ~  '010', 'yes', '~'    the same: these are in quotes in the snapshot
# Why it is surprising: Playwright quotes text that YAML would misread (010, 1e3, yes, ~, 0x1F), so the
#     output looks safe, and such errors are usually expected only in YAML written by hand. But Playwright
#     recognizes numbers as JavaScript does, and YAML 1.1 has more number formats: base 60, underscores,
#     dates. An agent that reads a timetable from the parsed snapshot sees 750. The same text in a button is
#     safe, because names are quoted.
# Measured: 2026-11-28
set -eu
. "$(dirname "$0")/prepare.sh"
chromium
pypi playwright==1.65.0 PyYAML==6.0.4 ruamel.yaml==0.19.1
python - <<'PY'
import os
from datetime import date

import yaml
from playwright.sync_api import sync_playwright
from ruamel.yaml import YAML

TEXTS = ["12:30", "1:02:03", "2026-11-28", "1_000", "=", "010", "yes", "~"]


def read(load, line):
    try:
        return load(line)[0]["paragraph"]
    except Exception as error:
        return type(error).__name__


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=os.environ["CHROME"])
    page = browser.new_page()
    page.set_content("".join(f"<p>{text}</p>" for text in TEXTS) + "<button>12:30</button>")
    *lines, button = page.locator("body").aria_snapshot().splitlines()
    browser.close()
seen = {}
for text, line in zip(TEXTS, lines, strict=True):
    seen[text] = (read(yaml.safe_load, line), read(YAML(typ="safe").load, line))
    print(f"{line:28} PyYAML {seen[text][0]!r:32} ruamel.yaml {seen[text][1]!r}")
print(button, "->", yaml.safe_load(button))
day, failed = date(2026, 11, 28), "ConstructorError"
assert list(seen.values()) == [
    (750, "12:30"), (3723, "1:02:03"), (day, day), (1000, 1000), (failed, failed),
    ("010", "010"), ("yes", "yes"), ("~", "~"),
], seen  # fmt: skip
assert yaml.safe_load(button) == ['button "12:30"']
PY
