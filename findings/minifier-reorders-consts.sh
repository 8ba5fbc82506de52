#!/bin/sh
# A JavaScript minifier moves a declaration before the value that it uses, so the program breaks.
#
# Versions: PyPI tdewolff-minify 2.24.12, node 20
# Seen: the function below, before and after `minify.string("application/javascript", ...)`.
#     the original:   10
#     minified:       ReferenceError: Cannot access 'n' before initialization
#     renaming is not the cause: with `js-keep-var-names`, it is the same error (Cannot access 'net')
# Why it is surprising: The minified script parses, and most functions work, so a check of the syntax or
#     a smoke test does not find it. `net` is declared before `{ tax }`, which uses it. But after the
#     early return, the minifier joins the declarations and puts the last destructuring first.
# Measured: 2026-11-29
set -eu
. "$(dirname "$0")/prepare.sh"
pypi tdewolff-minify==2.24.12
cat >run.py <<'PY'
import subprocess

import minify

SOURCE = """
function total(order) {
  const cart = order.cart;
  if (!cart) return 0;
  const view = cart.view;
  const { lines } = view;
  const net = lines.filter(Boolean).length * 4;
  const { tax, fee } = (cart && taxOf(net)) || {};
  if (tax) return net + tax + fee;
  return net;
}
function taxOf(net) { return { tax: net / 8, fee: 1 }; }
console.log(total({ cart: { view: { lines: ["tea", "salt"] } } }));
"""


def run(script):
    node = subprocess.run(["node", "-e", script], capture_output=True, text=True)
    errors = [line for line in node.stderr.splitlines() if "Error:" in line]
    return node.stdout.strip() or errors[0]


original = run(SOURCE)
minified = run(minify.string("application/javascript", SOURCE))
minify.config({"js-keep-var-names": True})
kept = run(minify.string("application/javascript", SOURCE))
print("the original:", original)
print("minified:", minified)
print("with js-keep-var-names:", kept)
found = ["ReferenceError: Cannot access" in one for one in (minified, kept)]
raise SystemExit(0 if original == "10" and all(found) else 1)
PY
python run.py
