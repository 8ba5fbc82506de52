# make demo: see it work.  make test: the tests.  make check: before each commit.
# Needs Python 3.11+ and make; uv comes from PyPI, a browser from `tabwarden browsers install`.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help env browser demo test test-debian lowest soak chaos fleet-chaos fuzz coverage mutation bench bundle drivers duel judge-hermes judge-hosts judge-names judge-packages judge-playwright check docs format generate camofox threats audit sbom licences types clean miniwob

PYTHON ?= python3
TOOLS := .tools
UV := $(or $(shell command -v uv 2>/dev/null),$(TOOLS)/bin/uv)
OWN_UV := $(filter $(TOOLS)/bin/uv,$(UV))
RUN := $(UV) run --frozen --no-sync
# Some images forbid to keep what was compiled: then each of the hundreds of programs that the tests
# start would compile all of its modules again.
export PYTHONDONTWRITEBYTECODE :=
MINUTES ?= 60
SEED ?= 1
SHARE ?= 0.25

# What holds the core to its word: it alone, with a mock browser, and where only a real one will do.
CORE_TESTS := tests/unit/supervisor tests/unit/wire tests/unit/page tests/unit/protocol \
	tests/unit/egress/test_gate.py tests/unit/test_budget.py tests/unit/test_errors.py tests/mock \
	tests/browser/supervisor/contexts tests/browser/supervisor/link tests/browser/supervisor/runtime \
	tests/browser/supervisor/core/handlers/test_prompts.py tests/browser/telemetry \
	tests/browser/page/recovery \
	$(patsubst %,tests/browser/page/%.py,call/test_cancel downloads/test_download elements/test_heal \
	environment/test_emulate logs/test_network navigation/test_unload)

LOWEST_BROWSER := tests/browser/supervisor/test_connect.py tests/browser/test_without_servers.py

help: ## Show the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST)

$(TOOLS)/bin/uv:
	@$(PYTHON) tools/get_uv.py $(TOOLS)

env: $(OWN_UV) ## Create or refresh the environment
	@$(UV) sync --frozen --quiet

browser: env ## Find a browser that works, or install one
	@$(RUN) tabwarden browsers install --if-missing

# Installs only what users install, and removes nothing. Our own uv keeps no cache: nobody else uses it.
demo: $(OWN_UV) ## A scripted agent on a small shop: dialogs, frames, a hang, a crash
	@$(UV) sync --frozen --quiet --inexact --no-default-groups $(if $(OWN_UV),--no-cache)
	@$(RUN) tabwarden demo $(ARGS)

# ALL=1: all cases of the tests in a browser (else one of each), long tests and histories, the soak.
# CI=1 (.ci/run): reruns failures once. ARGS="-k dialogs" runs a part.
test: browser ## The tests, end to end on real Chromium
	@$(RUN) python tools/run_tests.py $(if $(ALL),--all) $(if $(CI),--ci) $(ARGS)

# On Debian, after make test. Debian's Chromium is another version than ours, and can show windows.
test-debian: browser ## What make test skipped for want of Debian's Chromium and Redis
	@TABWARDEN_CHROME=/usr/bin/chromium \
	  TABWARDEN_TESTS_HAVE="chromium debian-chromium gpu-process redis-server" \
	  $(RUN) python tools/run_tests.py --skipped $(if $(CI),--ci) $(ARGS)

# Left out: tests of the MCP surface, and those that need an SDK or a validator.
lowest: browser ## The core's tests on the lowest versions that pyproject.toml allows, in .lowest
	@$(UV) venv --quiet --clear --python .venv/bin/python .lowest
	@$(UV) pip install --quiet --python .lowest/bin/python --resolution lowest-direct -e ".[anthropic,computer,openai]" --group tests
	@.lowest/bin/python -m pytest -q -n 3 tests/unit $(LOWEST_BROWSER) \
	  --ignore tests/unit/surfaces/mcp --ignore tests/unit/surfaces/http/test_openapi.py \
	  --ignore tests/unit/telemetry/test_spans.py --ignore tests/unit/tools/test_forms.py \
	  --deselect tests/unit/test_toolsets.py::test_mcp_command_prints_an_error_for_an_invalid_option $(ARGS)

# SEED=7 replays a run; LONG=1 is the long one; ARGS="--from 37 --faults 1" takes one step again.
chaos: browser ## Random actions against random faults on real Chromium, by a seed
	@PYTHONPATH=tests $(RUN) python -m support.chaos $(if $(SEED),--seed $(SEED)) \
		--faults $(if $(LONG),10000,2000) --json chaos.json $(ARGS)

# DEATHS=200 is the long run, of some hours. ARGS="--kinds 'link cut' 'host killed'" does some kinds.
fleet-chaos: browser ## Faults on a fleet of three machines with agents at work (root, Linux)
	@PYTHONPATH=tests $(RUN) python -m support.fleet_chaos --seed $(SEED) \
		--deaths $(or $(DEATHS),3) --json fleet-chaos.json $(ARGS)

fuzz: browser ## New searches of all that is fuzzed, N examples of each: minutes to hours
	@TABWARDEN_FUZZ=$(or $(N),2000) $(RUN) pytest -n 3 --dist worksteal --timeout 7200 \
	  tests/fuzz tests/browser/fuzz tests/unit/supervisor $(ARGS)

soak: browser ## Mixed work for an hour (MINUTES=60); nothing may grow
	@PYTHONPATH=tests $(RUN) python -m soak --minutes $(MINUTES) --seed $(SEED) $(ARGS)

coverage: browser ## The core by branch, at least 95 %; htmlcov/ shows what is left
	@$(RUN) coverage erase
	@TABWARDEN_FUZZ=40 $(RUN) coverage run -m pytest -q --hypothesis-seed=1 --timeout=600 -n 2 --dist worksteal $(CORE_TESTS) $(ARGS)
	@$(RUN) coverage combine --quiet
	@$(RUN) coverage html --quiet
	@$(RUN) coverage report

mutation: env ## A sample of wrong code, which the core's unit tests have to notice (SHARE=0.25)
	@$(UV) sync --frozen --quiet --group mutation
	@TABWARDEN_FUZZ=6 $(RUN) python tools/mutation.py --share $(SHARE) --seed $(SEED) $(ARGS)

# CHECKOUT is a folder with NousResearch/hermes-agent. What its modules import comes beside ours.
judge-hermes: browser ## Hermes Agent's own tests against tabwarden.integrations.hermes.api (CHECKOUT=folder)
	@$(UV) run --frozen --with requests --with pyyaml --with python-dotenv \
	  python -m judges.judge_hermes $(CHECKOUT)

bundle: env ## The bundle that MCP hosts install with a click, in dist/ (tabwarden-VERSION.mcpb)
	@$(RUN) python tools/make_bundle.py --uv $(UV)

# Needs PyPI. ARGS="--python 3.14 --python ~/other/bin/python" tries these; npm's mcpb is used if it is there.
judge-packages: env ## The sdist, the wheel and the bundle as users install them, on each Python
	@$(RUN) python -m judges.judge_packages --uv $(UV) $(ARGS)

# Four hosts of 100 to 400 MB, from npm. No account, and nobody's settings change.
judge-hosts: browser ## Hosts' own programs connect to us after tabwarden mcp --setup
	@npm install --ignore-scripts --no-audit --no-fund --legacy-peer-deps --loglevel error \
	  --prefix "$$($(RUN) python -c 'from platformdirs import *; print(user_cache_path("tabwarden-tests") / "hosts")')" \
	  @anthropic-ai/claude-code@2.1.332 @openai/codex@0.171.0 @google/gemini-cli@0.61.0 opencode-ai@1.18.33
	@$(RUN) pytest tests/browser/surfaces/hosts $(ARGS)

# CHECKOUT is a folder with microsoft/playwright, or with web-platform-tests/wpt.
judge-names: browser ## Other people's cases of accessible names against the walker (CHECKOUT=folder)
	@$(RUN) python -m judges.judge_names $(CHECKOUT)

# CHECKOUT is a folder with microsoft/playwright-python. What its tests import comes beside ours.
judge-playwright: browser ## Playwright Python's own tests against tabwarden.Browser (CHECKOUT=folder)
	@$(UV) run --frozen --with pytest-asyncio --with pytest-timeout --with autobahn==23.1.2 --with twisted==25.5.0 \
	  --with pyopenssl==26.0.0 --with service-identity --with pillow --with pixelmatch==0.3.0 --with objgraph \
	  --with pyee --with 'setuptools<81' python -m judges.judge_playwright $(CHECKOUT) $(ARGS)

check: env ## Format, lint, types, import rules, generated files fresh
	@$(RUN) ruff format --check --quiet . || (echo "run: make format"; exit 1)
	@$(RUN) ruff check --quiet .
	@$(RUN) python tools/check_examples.py .examples
	@$(RUN) mypy src/tabwarden tools tests/docs/public_api.py .examples
	@$(RUN) lint-imports >.import_linter.log || (cat .import_linter.log; exit 1)
	@$(RUN) python tools/generate_protocol.py --check
	@$(RUN) python tools/generate_methods.py --check
	@$(RUN) python tools/generate_sync.py --check
	@$(RUN) python tools/generate_commands.py --check
	@$(RUN) python tools/generate_skill.py --check
	@$(RUN) python tools/generate_reference.py --check
	@$(RUN) python tools/generate_server_json.py --check
	@$(RUN) python tools/generate_times.py --check
	@$(RUN) python tools/generate_where.py --check
	@$(RUN) python tools/check_figures.py
	@$(RUN) python tools/bundle_walker.py --check

types: env ## mypy --strict and pyright on all examples, against the wheel, as a user (PyPI)
	@$(RUN) python tools/check_examples.py .types --wheel --uv $(UV)

bench: browser ## All benchmarks, beside rivals: a report to read and one to compare by
	@$(RUN) python -m bench $(ARGS)

miniwob: browser ## The 125 tasks of MiniWoB++ by text (ARGS="--tools tabwarden playwright-mcp")
	@UV=$(UV) $(RUN) python -m judges.miniwob $(ARGS)

# Installs missing tools from npm and PyPI into .bench/.
duel: browser ## Tabwarden and its peers against a clock, on six pages that stop agents
	@$(RUN) python -m judges.duel --svg docs/duel.svg --doc docs/duel.md $(ARGS)

# Installs missing drivers from PyPI into .bench/. Needs Debian's chromium.
drivers: env ## Drivers for Anthropic's and OpenAI's browser toolsets, with the same calls
	@UV=$(UV) $(RUN) python -m judges.drivers --doc docs/drivers.md $(ARGS)

docs: env ## The documentation as a site, in site/
	@NO_MKDOCS_2_WARNING=1 $(RUN) mkdocs build --quiet
	@echo "The site is at file://$(CURDIR)/site/index.html (it needs no server)."

format: env ## Format and mend what a tool can mend
	@$(RUN) ruff format --quiet .
	@$(RUN) ruff check --quiet --fix .

generate: env ## Make the generated files again
	@$(RUN) python tools/generate_protocol.py
	@$(RUN) python tools/generate_methods.py
	@$(RUN) python tools/generate_sync.py
	@$(RUN) python tools/generate_commands.py
	@$(RUN) python tools/generate_skill.py
	@$(RUN) python tools/generate_reference.py
	@$(RUN) python tools/generate_server_json.py
	@$(RUN) python tools/generate_times.py
	@$(RUN) python tools/generate_where.py
	@$(RUN) python tools/bundle_walker.py

camofox: env ## Install Camofox's server and the Node it needs, for tests/browser/integrations/camofox
	@PYTHONPATH=tests $(RUN) python -m support.camofox

threats: browser ## The tests that docs/security.md names
	@$(RUN) pytest -m threat -n 2 --dist worksteal $(ARGS)

audit: env ## Known faults of what uv.lock has; skipped where the advisories can't be reached
	@$(RUN) python tools/audit.py --uv $(UV)

sbom: env ## What a user installs, as CycloneDX: sbom.cdx.json
	@$(UV) export --frozen --quiet --no-default-groups --all-extras --preview-features sbom-export \
	    --format cyclonedx1.5 --output-file sbom.cdx.json

licences: env ## The licences of what a user installs
	@UV=$(UV) $(RUN) python tools/licences.py

clean: ## Remove what make made
	rm -rf .venv .lowest .examples .types $(TOOLS) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage htmlcov mutants demo-output dist site sbom.cdx.json chaos.json fleet-chaos.json .bench bench-report.html bench-report.json
