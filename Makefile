# make demo: see it work.  make test: everything that CI runs.  make check: before each commit.
# Needs Python 3.11+ and make; uv comes from PyPI, a browser from `tabwarden browsers install`.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.PHONY: help env browser demo test check bench docs format generate clean

PYTHON ?= python3
TOOLS := .tools
UV := $(shell command -v uv 2>/dev/null || echo $(TOOLS)/bin/uv)
RUN := $(UV) run --frozen --no-sync
export UV_LINK_MODE ?= copy

help: ## Show the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST)

# A bare Debian has no venv module and no pip of its own to write with: the installer of uv is
# then a zipapp of pip from PyPI's own package, fetched by the standard library.
$(TOOLS)/bin/uv:
	@sh tools/get_uv.sh $(PYTHON) $(TOOLS)

env: $(if $(findstring $(TOOLS),$(UV)),$(TOOLS)/bin/uv) ## Create or refresh the environment
	@$(UV) sync --frozen --quiet

browser: env ## Find a browser that works, or install one
	@$(RUN) tabwarden browsers install --if-missing

demo: browser ## A scripted agent on a small shop: dialogs, frames, a hang, a crash
	@$(RUN) tabwarden demo $(ARGS)

test: check docs browser ## All tests, end to end on real Chromium
	@$(RUN) pytest -n 3 --dist loadgroup $(ARGS)

check: env ## Format, lint, types, import rules, generated files fresh
	@$(RUN) ruff format --check --quiet . || (echo "run: make format"; exit 1)
	@$(RUN) ruff check --quiet .
	@$(RUN) mypy
	@$(RUN) lint-imports >.import_linter.log || (cat .import_linter.log; exit 1)
	@$(RUN) python tools/generate_protocol.py --check
	@$(RUN) python tools/generate_sync.py --check
	@$(RUN) python tools/generate_commands.py --check
	@$(RUN) python tools/generate_reference.py --check

bench: browser ## All benchmarks, beside rivals: a report to read and one to compare by
	@$(RUN) python -m bench $(ARGS)

docs: env ## The documentation as a site, in site/
	@NO_MKDOCS_2_WARNING=1 $(RUN) mkdocs build --quiet

format: env ## Format and mend what a tool can mend
	@$(RUN) ruff format --quiet .
	@$(RUN) ruff check --quiet --fix .

generate: env ## Make the generated files again
	@$(RUN) python tools/generate_protocol.py
	@$(RUN) python tools/generate_sync.py
	@$(RUN) python tools/generate_commands.py
	@$(RUN) python tools/generate_reference.py

clean: ## Remove what make made
	rm -rf .venv $(TOOLS) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache demo-output dist site .bench bench-report.html bench-report.json
