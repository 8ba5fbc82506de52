#!/bin/sh
# The JSON schema that pydantic publishes refuses one in seven of the prices that pydantic accepts.
#
# Versions: PyPI pydantic 2.14.4, jsonschema 4.26.0; npm ajv 8.20.0
# Seen: `price: float = Field(multiple_of=0.01)`, asked about 0.01, 0.02 ... 100.00.
#     pydantic refuses 0 of 10,000; jsonschema, by pydantic's own schema, 1,363; ajv the same 1,363,
#     from 0.07, 0.14, 0.28, 0.29 on
# Why a good guess is wrong: 0.01 has no exact double, so one expects trouble, but the same trouble on both
#     sides of one model. pydantic compares with a tolerance, and its schema has no way to say so. So a server
#     of tools that is written with pydantic accepts 0.07, and a host that checks arguments by the schema
#     first, as MCP's TypeScript does with ajv, never lets 0.07 reach it. The two validators, in two
#     languages, agree with each other to the last price.
# Measured: 2026-11-28
set -eu
. "$(dirname "$0")/prepare.sh"
pypi pydantic==2.14.4 jsonschema==4.26.0
npm_packages ajv@8.20.0
cat >by_ajv.js <<'JS'
const Ajv = require('ajv');
const { schema, prices } = JSON.parse(require('fs').readFileSync(0));
const accepts = new Ajv().compile(schema);
console.log(JSON.stringify(prices.filter((price) => !accepts({ price }))));
JS
python - <<'PY'
import json
import subprocess

from jsonschema import Draft202012Validator
from pydantic import BaseModel, Field, ValidationError


class Item(BaseModel):
    price: float = Field(multiple_of=0.01)


def refuses(price):
    try:
        Item(price=price)
    except ValidationError:
        return True


schema = Item.model_json_schema()
prices = [cents / 100 for cents in range(1, 10_001)]
by_pydantic = [price for price in prices if refuses(price)]
accepts = Draft202012Validator(schema).is_valid
by_jsonschema = [price for price in prices if not accepts({"price": price})]
asked = json.dumps({"schema": schema, "prices": prices})
by_ajv = json.loads(subprocess.run(["node", "by_ajv.js"], input=asked, text=True, stdout=subprocess.PIPE).stdout)
print(f"pydantic refuses {len(by_pydantic)}, jsonschema {len(by_jsonschema)}, ajv {len(by_ajv)} of {len(prices)}")
print("the first that the schema refuses:", by_jsonschema[:4])
assert (by_pydantic, len(by_jsonschema), by_jsonschema) == ([], 1363, by_ajv)
PY
