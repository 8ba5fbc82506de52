#!/bin/sh
# With pytest 9.2, `--dist loadgroup` of pytest-xdist 3.8 silently spreads a group over several workers.
#
# Versions: PyPI pytest 9.1.1 and 9.2.0, pytest-xdist 3.8.0
# Seen: six tests in one xdist_group on two workers.
#     pytest 9.1.1: 1 worker ran the group; their ids end in @shared
#     pytest 9.2.0: 2 workers ran the group; their ids have no suffix
# Why it is surprising: pytest accepts the mark, nothing warns, all tests pass, and 9.2 is a minor release.
#     xdist passes the group to its scheduler in a suffix that it writes to a private field of each test.
#     This field does not exist in 9.2, so the scheduler sees tests without a group. Tests that share a port
#     or a browser, and that the group kept on one worker, begin to fail occasionally.
# Measured: 2026-11-28
set -eu
. "$(dirname "$0")/prepare.sh"
cat >test_group.py <<'PY'
import os

import pytest


@pytest.mark.xdist_group("shared")
@pytest.mark.parametrize("n", range(6))
def test_one(n, request):
    with open("ran.txt", "a") as file:
        file.write(f"{os.environ['PYTEST_XDIST_WORKER']} {request.node.nodeid}\n")
PY
seen=
for version in 9.1.1 9.2.0; do
    pypi "pytest==$version" pytest-xdist==3.8.0
    rm -f ran.txt
    python -m pytest -q -n 2 --dist loadgroup test_group.py >out.txt 2>&1 || { cat out.txt; exit 1; }
    workers=$(cut -d ' ' -f 1 ran.txt | sort -u | wc -l | tr -d ' ')
    marked=$(grep -c '@shared$' ran.txt || true)
    echo "pytest $version: $workers worker(s) ran the group; $marked of 6 ids name it"
    seen="$seen $version/$workers/$marked"
done
[ "$seen" = " 9.1.1/1/6 9.2.0/2/0" ]
