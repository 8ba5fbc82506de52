#!/bin/sh
# Puts uv (a wheel from PyPI that carries its binary) into a folder of ours.
# Usage: get_uv.sh PYTHON FOLDER. Tries a venv's pip, then the system's pip, then the wheel itself.
set -eu
python=$1
folder=$2
version=${UV_VERSION:-0.13.8}
here=$(dirname "$0")
if [ -e "$folder" ] && [ ! -d "$folder/bin" ]; then
    echo "$folder is there already and not ours: name another folder." >&2
    exit 1
fi
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore

with_venv() { # Debian's python3 without python3-venv fails here
    "$python" -m venv "$folder" >/dev/null 2>&1 &&
        "$folder/bin/pip" install --quiet "uv==$version"
}
with_pip() {
    "$python" -m pip --version >/dev/null 2>&1 &&
        "$python" -m pip install --quiet --target "$folder" "uv==$version"
}
with_wheel() {
    "$python" "$here/get_uv_wheel.py" "$version" "$folder"
}

for way in with_venv with_pip with_wheel; do
    rm -rf "$folder"
    if "$way" && "$folder/bin/uv" --version; then
        exit 0
    fi
done
rm -rf "$folder"
echo "uv could not be had: install it (https://docs.astral.sh/uv) and run make again." >&2
exit 1
