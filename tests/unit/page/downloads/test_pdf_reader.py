"""The process that reads PDFs."""

from __future__ import annotations

import subprocess
import sys

import pytest
from support.needs import needs


@needs("linux")
@pytest.mark.threat
def test_pdf_reader_has_a_memory_limit() -> None:
    program = (
        "from tabwarden.page.downloads import pdf_reader\n"
        "pdf_reader._limit(60)\n"
        "try:\n    bytearray(2 << 30)\nexcept MemoryError:\n    print('refused')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "refused\n"
