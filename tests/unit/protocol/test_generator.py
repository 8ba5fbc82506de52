"""The generator: unusual text and names, stale files, and altered sources."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import generate_protocol
import msgspec
import pytest
from protocol import emit, names, schema, source, text, used


def domain(**fields: object) -> schema.Domain:
    """A domain called Test with the given contents."""
    return msgspec.convert({"domain": "Test", **fields}, schema.Domain)


def flip(path: Path, position: int) -> None:
    """Corrupt one byte of a file."""
    content = bytearray(path.read_bytes())
    content[position] ^= 0xFF
    path.write_bytes(content)


@pytest.fixture
def vendor(tmp_path: Path) -> Path:
    """A private copy of the vendored description."""
    for name in ("lock.json", *(f"{name}.gz" for name in source.FILES)):
        shutil.copy(source.VENDOR / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def package(vendor: Path) -> bytes:
    """A small package in the registry's layout, with its hash in the copied lock file."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name in (*(f"json/{file}" for file in source.FILES), "LICENSE"):
            info = tarfile.TarInfo(f"package/{name}")
            info.size = len(name)
            archive.addfile(info, io.BytesIO(name.encode()))
    digest = base64.b64encode(hashlib.sha512(buffer.getvalue()).digest()).decode()
    pinned = msgspec.structs.replace(source.read_lock(vendor), integrity=f"sha512-{digest}")
    (vendor / "lock.json").write_bytes(msgspec.json.encode(pinned))
    return buffer.getvalue()


def test_generated_bindings_are_up_to_date() -> None:
    command = [sys.executable, generate_protocol.__file__, "--check"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")


def test_generator_check_option_lists_stale_files_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    modules = generate_protocol.generate()
    generate_protocol.write(modules, tmp_path)
    (tmp_path / "base.py").write_text("by hand")
    (tmp_path / "page.py").write_text("edited")
    (tmp_path / "retired.py").write_text("no longer generated")
    (tmp_path / "dom.py").unlink()
    assert generate_protocol.main(["--check", "--output", str(tmp_path)]) == 1
    assert capsys.readouterr().err.strip().endswith(": dom.py, page.py, retired.py")
    assert (tmp_path / "page.py").read_text() == "edited"

    assert generate_protocol.main(["--output", str(tmp_path)]) == 0
    assert generate_protocol.main(["--check", "--output", str(tmp_path)]) == 0
    assert not (tmp_path / "retired.py").exists()
    assert (tmp_path / "base.py").read_text() == "by hand"


def test_protocol_generation_is_deterministic() -> None:
    assert generate_protocol.generate() == generate_protocol.generate()


@pytest.mark.parametrize("position", [0, 5000, -1])
def test_generator_rejects_a_corrupt_vendored_file(vendor: Path, position: int) -> None:
    flip(vendor / "js_protocol.json.gz", position)
    with pytest.raises(source.IntegrityError, match="js_protocol"):
        source.load(vendor)


def test_generator_rejects_an_altered_valid_vendored_file(vendor: Path) -> None:
    path = vendor / "browser_protocol.json.gz"
    path.write_bytes(gzip.compress(gzip.decompress(path.read_bytes()) + b" "))
    with pytest.raises(source.IntegrityError, match="expected sha512-"):
        source.load(vendor)


def test_generator_rejects_a_corrupt_package_before_it_writes_files(
    vendor: Path, package: bytes
) -> None:
    before = {path.name: path.read_bytes() for path in vendor.iterdir()}
    corrupt = bytearray(package)
    corrupt[len(corrupt) // 2] ^= 1
    with pytest.raises(source.IntegrityError, match="expected sha512-"):
        source.unpack(bytes(corrupt), vendor)
    assert {path.name: path.read_bytes() for path in vendor.iterdir()} == before


def test_generator_vendors_the_pinned_package_with_its_hashes(vendor: Path, package: bytes) -> None:
    source.unpack(package, vendor)
    assert source.load(vendor) == [f"json/{file}".encode() for file in source.FILES]


def test_protocol_lock_file_pins_the_reviewed_version() -> None:
    lock = source.read_lock()
    assert lock.version == "0.0.1734725"
    assert lock.tarball == (
        "https://registry.npmjs.org/devtools-protocol/-/devtools-protocol-0.0.1734725.tgz"
    )
    assert lock.integrity.startswith("sha512-MR4wa1X950I/")


@pytest.mark.parametrize(
    "description",
    [
        'Ends in "quotes"',
        "Ends in a backslash \\",
        'Holds """ three """',
        "A path C:\\new\\users, \\N{x} and \\u12",
        "type: ignore[misc]",
        "x" * 300,
        "",
    ],
)
def test_generator_turns_any_description_into_valid_source(description: str) -> None:
    prop = {"name": "field", "type": "string", "description": description}
    made = domain(
        description=description,
        types=[{"id": "Thing", "type": "object", "description": description, "properties": [prop]}],
        commands=[{"name": "go", "description": description, "parameters": [prop]}],
        events=[{"name": "gone", "description": description}],
    )
    assert emit.render([made], "1", []).keys() == {"test.py", "index.py"}


def test_generated_docstring_preserves_the_description() -> None:
    (line,) = text.docstring('a \\ and "b"', "")
    assert eval(line) == 'a \\ and "b".'


@pytest.mark.parametrize(
    ("wire", "python"),
    [
        ("backendDOMNodeId", "backend_dom_node_id"),
        ("frameId", "frame_id"),
        ("DOMSnapshot", "dom_snapshot"),
        ("IndexedDB", "indexed_db"),
        ("IPAddress", "ip_address"),
        ("or", "or_"),
    ],
)
def test_generator_converts_names_to_snake_case(wire: str, python: str) -> None:
    assert names.field_name(wire) == python


def test_generator_renames_only_fields_with_invalid_names() -> None:
    assert names.rename_of([]) is None
    assert names.rename_of(["url", "type"]) is None
    assert names.rename_of(["frameId", "url"]) == "camel"
    assert names.rename_of(["baseURL", "url"]) == {"base_url": "baseURL"}


@pytest.mark.parametrize(
    "fields",
    [
        {"events": [{"name": "a"}], "commands": [{"name": "a"}]},
        {"types": [{"id": "Record", "type": "string"}]},
        {"events": [{"name": "a", "parameters": [{"name": "list", "type": "string"}]}]},
    ],
    ids=["twice", "imported", "builtin"],
)
def test_generator_rejects_conflicting_names(fields: dict[str, object]) -> None:
    with pytest.raises(emit.GenerationError):
        emit.render([domain(**fields)], "1", [])


def test_generator_rejects_an_unknown_key_in_the_protocol_description() -> None:
    with pytest.raises(msgspec.ValidationError, match="novelty"):
        domain(events=[{"name": "a", "novelty": True}])


def test_the_generator_leaves_out_classes_that_no_file_uses(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(
        "from tabwarden.protocol import test as t\nasks = t.Go\nother.Stay\n"
    )
    whole = domain(
        types=[
            {"id": "Place", "type": "object", "properties": [{"name": "at", "$ref": "Point"}]},
            {"id": "Point", "type": "integer"},
            {"id": "Unused", "type": "string"},
        ],
        commands=[
            {"name": "go", "parameters": [{"name": "to", "$ref": "Place"}]},
            {"name": "stay"},
        ],
        events=[{"name": "gone"}],
    )
    (left,) = used.only_used([whole], used.names_in([tmp_path]))
    assert [one.id for one in left.types] == ["Place", "Point"]
    assert [one.name for one in left.commands] == ["go"]
    assert left.events == []
