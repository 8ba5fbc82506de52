# Sourced by each finding: a temp folder, which the end of the script removes, and three ways to fill it.
#   pypi NAME==VERSION ...   packages of Python, in a venv that `python` then means
#   npm_packages NAME@VERSION ...   packages of npm, which scripts in "$TEMP" can import
#   chromium   sets CHROME to Chromium 153, unless CHROME names a browser already

TEMP=$(mktemp -d)
export TEMP TMPDIR="$TEMP" # browsers and drivers put their profiles here as well
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
    if LD_TRACE_LOADED_OBJECTS=1 "$CHROME" 2>&1 | grep -q 'not found'; then # a bare system lacks NSS
        tar xf al2023.tar
        LD_LIBRARY_PATH=$TEMP/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
        export LD_LIBRARY_PATH
    fi
    export CHROME
}
