"""The bundler accepts consistent modules, and reports errors in others."""

from __future__ import annotations

import re
from pathlib import Path

import bundle_walker
import pytest
from bundle_walker import BundleError, bundle, load, unused

from tabwarden.page.walker.worlds import command_for
from tabwarden.supervisor.core.state.tabs import ExecutionContext

ROOT = Path(__file__).parents[4]
USE_A = 'import { a } from "./a.js";\nexport const use = () => a();\n'


def bundled(folder: Path, **files: str) -> str:
    for name, text in files.items():
        file = folder / f"{name}.js"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return bundle(load(folder))


def body(script: str) -> list[str]:
    return script.splitlines()[1:-1]


def test_bundler_orders_modules_after_their_imports(tmp_path: Path) -> None:
    script = bundled(tmp_path, walker=USE_A, a="export function a() {\n  return 1; // one\n}\n")
    assert body(script) == [
        "function a() {",
        "return 1;",
        "}",
        "const use = () => a();",
        "globalThis.__tabwarden = { use };",
    ]


def test_bundler_exposes_reexports_under_their_new_names(
    tmp_path: Path,
) -> None:
    walker = 'export { a, b as other } from "./a.js";\n'
    script = bundled(tmp_path, walker=walker, a="export let a = 1;\nexport const b = () => a;\n")
    assert body(script)[-1] == "globalThis.__tabwarden = { a, other: b };"


def test_bundler_keeps_strings_templates_and_regular_expressions_unchanged(
    tmp_path: Path,
) -> None:
    walker = (
        r"""export const texts = ["// no", `  ${[1].map((n) => `<${n}>`)}  //`, /\/\/ "[/'"]/g];"""
    )
    assert walker.removeprefix("export ") in bundled(tmp_path, walker=walker + " // yes\n")


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({}, "walker.js:1 imports a.js, but this file does not exist"),
        ({"a": "export const b = 1;\n"}, "walker.js:1 imports a, which a.js does not export"),
        ({"a": "const a = 1;\n"}, "walker.js:1 imports a, which a.js does not export"),
        ({"a": "export const a = () => b();\n"}, "a.js:1 uses b: import it"),
        (
            {"a": "const use = 1;\nexport const a = () => use;\n"},
            "walker.js:2 declares use, as a.js:1",
        ),
        (
            {
                "walker": 'import { a } from "./a.js";\nexport const c = 1;\n',
                "a": "export let a = 1;\n",
            },
            "walker.js:1 imports a and does not use it",
        ),
        (
            {"walker": USE_A.replace("a()", "(a = 1)"), "a": "export let a = 1;\n"},
            "walker.js:2 assigns a, which it imports",
        ),
        ({"walker": 'import a from "./a.js";\n'}, "walker.js: line 1: write import { name } from"),
        (
            {"walker": "export default 1;\n"},
            "walker.js: line 1: a module's top level has no 'default'",
        ),
        ({"walker": "export const a = `\n"}, "walker.js: a template is not closed"),
    ],
)
def test_bundler_rejects_inconsistent_modules(
    tmp_path: Path, files: dict[str, str], complaint: str
) -> None:
    with pytest.raises(BundleError, match=re.escape(complaint)):
        bundled(tmp_path, **{"walker": USE_A, **files})


@pytest.mark.parametrize(
    "a",
    [
        "export const a = () => use;\n",
        "export const a = new Set([use]);\n",
        "export const a = () => use;\nconst now = a();\n",
        "export function a() {\n  return use();\n}\na();\n",
    ],
)
def test_bundler_refuses_an_import_cycle_between_two_modules(tmp_path: Path, a: str) -> None:
    complaint = r"a\.js:1 imports walker\.js, but .* \(walker\.js -> a\.js -> walker\.js\): move"
    with pytest.raises(BundleError, match=complaint):
        bundled(tmp_path, walker=USE_A, a='import { use } from "./walker.js";\n' + a)


def test_bundler_refuses_an_import_cycle_within_a_folder(tmp_path: Path) -> None:
    with pytest.raises(
        BundleError, match=r"dom/c\.js:1 imports dom/a\.js.*import cycle.*merge the modules"
    ):
        bundled(
            tmp_path,
            walker='import { a } from "./dom/a.js";\nexport const use = a;\n',
            **{
                "dom/a": 'import { b } from "./b.js";\nexport const a = () => b;\n',
                "dom/b": 'import { c } from "./c.js";\nexport const b = () => c;\n',
                "dom/c": 'import { a } from "./a.js";\nexport const c = () => a;\n',
            },
        )


WALKER = 'import { hit } from "./hits/hit.js";\nexport const use = hit;\n'
HIT = 'import { box } from "../geometry/box.js";\nexport const hit = () => box;\n'
BOX = "export const box = 1;\n"


def test_bundler_allows_a_folder_to_import_from_lower_layers(tmp_path: Path) -> None:
    files = {"walker": WALKER, "hits/hit": HIT, "geometry/box": BOX}
    assert body(bundled(tmp_path, **files))[0] == "const box = 1;"


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        (
            {
                "geometry/box": 'import { top } from "../find/top.js";\nexport const box = top;\n',
                "find/top": "export const top = 1;\n",
            },
            r"geometry/box\.js:1 imports find/top\.js, but a folder imports only from those below"
            r" it \(walker\.js > inspect > .* > dom\): move what geometry/box\.js needs down",
        ),
        (
            {
                "geometry/box": 'import { top } from "../top.js";\nexport const box = top;\n',
                "top": "export const top = 1;\n",
            },
            r"geometry/box\.js:1 imports top\.js, but a folder imports only from those below it",
        ),
        (
            {
                "geometry/box": 'import { top } from "../other/top.js";\nexport const box = top;\n',
                "other/top": "export const top = 1;\n",
            },
            r"other/top\.js: its folder is not a layer; add other to LAYERS",
        ),
    ],
)
def test_bundler_rejects_an_import_from_a_higher_layer(
    tmp_path: Path, files: dict[str, str], complaint: str
) -> None:
    with pytest.raises(BundleError, match=complaint):
        bundled(tmp_path, **{"walker": WALKER, "hits/hit": HIT, **files})


def test_bundler_layers_match_the_walker_folders() -> None:
    modules = load(bundle_walker.WALKER / "js")
    bundle(modules)
    folders = {path.rpartition("/")[0] for path in modules}
    assert folders == {"", *bundle_walker.LAYERS}


def test_bundler_reports_unused_exports_declarations_and_modules(tmp_path: Path) -> None:
    bundled(
        tmp_path,
        walker=USE_A,
        a="export const a = () => 1;\nexport const b = () => a();\nconst c = 1;\n",
        alone="export const d = 1;\n",
    )
    assert sorted(unused(load(tmp_path))) == [
        "a.js:2 exports b, which nothing imports; drop the export",
        "a.js:3 declares c, which nothing uses; delete it",
        "alone.js: nothing imports it; import it or delete it",
    ]


def test_bundle_check_fails_for_a_stale_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "js").mkdir()
    (tmp_path / "js/walker.js").write_text("export const a = 1;\n")
    monkeypatch.setattr(bundle_walker, "WALKER", tmp_path)
    assert bundle_walker.main(["--check"]) == 1
    assert "walker.bundle.js is stale: run make generate" in capsys.readouterr().err
    assert bundle_walker.main([]) == bundle_walker.main(["--check"]) == 0


def test_python_calls_exactly_the_functions_that_the_walker_exports() -> None:
    offered = set(load(bundle_walker.WALKER / "js")["walker.js"].exported)
    page = "\n".join(file.read_text("utf-8") for file in (ROOT / "src/tabwarden").rglob("*.py"))
    called = set(
        re.findall(r"\b(?:call|start|command_for)\(\s*[\w.]+(?:, [\w.]+)?,\s*\"(\w+)\"", page)
    )
    assert called - offered == set()
    assert {
        name for name in offered if not re.search(rf"\"{name}\"|__tabwarden\.{name}\b", page)
    } == set()


@pytest.mark.parametrize(("function", "waits"), [("drawn", True), ("aim", False), ("zones", False)])
def test_walker_calls_await_only_async_functions(function: str, waits: bool) -> None:
    world = ExecutionContext(frame_id="F", session_id="S", context_id=1, unique_id="U")
    assert command_for(world, function, 1).await_promise is waits
