#!/bin/sh
# Puts uv (a wheel from PyPI that carries its binary) into a folder of ours.
# Usage: get_uv.sh PYTHON FOLDER. Tries a venv's pip, then the system's pip, then the wheel itself.
set -eu
python=$1
folder=$2
version=${UV_VERSION:-0.13.8}

if "$python" -m venv "$folder" >/dev/null 2>&1 && [ -x "$folder/bin/pip" ]; then
    "$folder/bin/pip" install --quiet --disable-pip-version-check "uv==$version"
elif "$python" -m pip --version >/dev/null 2>&1; then
    rm -rf "$folder"
    "$python" -m pip install --quiet --disable-pip-version-check --target "$folder" "uv==$version"
else
    rm -rf "$folder"
    "$python" tools/get_uv_wheel.py "$version" "$folder"
fi
"$folder/bin/uv" --version
