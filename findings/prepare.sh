# Sourced by each script. Creates a temporary folder, which it removes at the end, and defines:
#   pypi NAME==VERSION ...          installs Python packages in a venv, which `python` then uses
#   npm_packages NAME@VERSION ...   installs npm packages, which scripts in "$TEMP" can import
#   chromium                        sets CHROME to Chromium 153, unless CHROME is already set

TEMP=$(mktemp -d)
export TEMP TMPDIR="$TEMP" # browsers and drivers also create their profiles here
trap 'cd / && rm -rf "$TEMP"' EXIT
trap 'exit 1' INT TERM HUP
cd "$TEMP"

pypi() {
    python3 -m venv venv
    PATH=$TEMP/venv/bin:$PATH
    pip install --quiet --disable-pip-version-check "$@" 2>install.log || { cat install.log >&2; exit 2; }
}

npm_packages() {
    npm install --no-audit --no-fund --ignore-scripts --silent "$@" >install.log 2>&1 ||
        { cat install.log >&2; exit 2; }
}

chromium() {
    [ -z "${CHROME:-}" ] || return 0
    npm_packages @sparticuz/chromium@153.0.0
    node - <<'JS'
const fs = require('fs'), zlib = require('zlib'), from = 'node_modules/@sparticuz/chromium/bin/';
for (const name of ['chromium', 'al2023.tar'])
  fs.writeFileSync(name, zlib.brotliDecompressSync(fs.readFileSync(from + name + '.br')), { mode: 0o755 });
JS
    CHROME=$TEMP/chromium
    if LD_TRACE_LOADED_OBJECTS=1 "$CHROME" 2>&1 | grep -q 'not found'; then # a minimal system lacks NSS
        tar xf al2023.tar
        LD_LIBRARY_PATH=$TEMP/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
        export LD_LIBRARY_PATH
    fi
    export CHROME
}
