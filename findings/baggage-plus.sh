#!/bin/sh
# OpenTelemetry for Python and for JavaScript disagree about a space and a plus in `baggage`.
#
# Versions: PyPI opentelemetry-api 1.45.2; npm @opentelemetry/api 1.9.1, @opentelemetry/core 2.12.1
# Seen:
#     value "a b", Python to JavaScript: header k=a+b     read as "a+b"
#     value "a b", JavaScript to Python: header k=a%20b   read as "a b"
#     header k=1+1, which W3C Baggage allows as it is: Python reads "1 1", JavaScript reads "1+1"
# Why a good guess is wrong: both implement W3C Baggage, which percent-encodes and gives "+" no meaning, and
#     each agrees with itself, so tests within one language pass. Python encodes as HTML forms do. A task's
#     name or a search phrase that an agent hands on changes where a trace crosses languages, in one
#     direction only.
# Measured: 2026-11-28
set -eu
. "$(dirname "$0")/prepare.sh"
pypi opentelemetry-api==1.45.2
npm_packages @opentelemetry/api@1.9.1 @opentelemetry/core@2.12.1
cat >python.py <<'PY'
import sys

from opentelemetry import baggage
from opentelemetry.baggage.propagation import W3CBaggagePropagator

way, text = sys.argv[1:]
if way == "write":
    headers: dict[str, str] = {}
    W3CBaggagePropagator().inject(headers, baggage.set_baggage("k", text))
    print(headers["baggage"])
else:
    print(baggage.get_baggage("k", W3CBaggagePropagator().extract({"baggage": text})))
PY
cat >javascript.js <<'JS'
const { ROOT_CONTEXT, propagation, defaultTextMapGetter, defaultTextMapSetter } = require('@opentelemetry/api');
const { W3CBaggagePropagator } = require('@opentelemetry/core');
const [way, text] = process.argv.slice(2);
const propagator = new W3CBaggagePropagator();
if (way === 'write') {
  const headers = {};
  const baggage = propagation.createBaggage({ k: { value: text } });
  propagator.inject(propagation.setBaggage(ROOT_CONTEXT, baggage), headers, defaultTextMapSetter);
  console.log(headers.baggage);
} else {
  const context = propagator.extract(ROOT_CONTEXT, { baggage: text }, defaultTextMapGetter);
  console.log(propagation.getBaggage(context).getEntry('k').value);
}
JS
from_python=$(python python.py write 'a b')
from_javascript=$(node javascript.js write 'a b')
seen="$from_python read as '$(node javascript.js read "$from_python")'
$from_javascript read as '$(python python.py read "$from_javascript")'
k=1+1 read as '$(python python.py read k=1+1)' by Python, '$(node javascript.js read k=1+1)' by JavaScript"
echo "$seen"
[ "$seen" = "k=a+b read as 'a+b'
k=a%20b read as 'a b'
k=1+1 read as '1 1' by Python, '1+1' by JavaScript" ]
