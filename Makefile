# One command for each thing a person does here; `make` alone lists them.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

VENV := .venv
# On Windows, from a POSIX shell such as that of Git.
ifeq ($(OS),Windows_NT)
PYTHON ?= python
BIN := $(VENV)/Scripts
else
PYTHON ?= python3
BIN := $(VENV)/bin
endif
READY := $(VENV)/ready
# Node.js comes with the Python packages, and what is written in JavaScript is installed beside them.
NODE_PACKAGES := tools/npm/package.json tools/npm/package-lock.json tools/npm/.npmrc
# As pip does, trust the certificates that the machine trusts.
export NODE_USE_SYSTEM_CA := 1
export UV_SYSTEM_CERTS := true
# A worker that dies ends the run: pytest-xdist would wait for what a second one in its place never gets.
# Files go to workers in the order of `testpaths`, the longest first, so that none is left for one core at the end.
ON_EVERY_CORE := --numprocesses auto --dist loadfile --no-loadscope-reorder --max-worker-restart 0

.PHONY: help
help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(READY): requirements-dev.txt pyproject.toml $(NODE_PACKAGES)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	mkdir -p $(VENV)/node
	cp $(NODE_PACKAGES) $(VENV)/node
	$(BIN)/npm ci --prefix $(VENV)/node
	touch $@

.PHONY: setup
setup: $(READY) ## install everything into .venv (the others do if needed)

.PHONY: lock
lock: $(READY) ## compile requirements-dev.txt again from pyproject.toml
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --python-version 3.11 --universal --upgrade \
		--generate-hashes --no-emit-index-url --custom-compile-command "make lock" --quiet --output-file requirements-dev.txt

.PHONY: demo
demo: $(READY) ## make all five calls to the simulator, show what comes
	@$(BIN)/python examples/demo.py

.PHONY: simulate
simulate: $(READY) ## run the simulator on port 8080 until Ctrl-C
	@$(BIN)/python -m cometchat_rest.testing --port 8080

.PHONY: generate
generate: $(READY) ## make generated/ from openapi.yaml
	@$(BIN)/python tools/generate.py

.PHONY: check-generated
check-generated: $(READY) ## fail unless generated/ is what openapi.yaml makes
	@$(BIN)/python tools/generate.py --check

.PHONY: format
format: $(READY) ## format the code and mend what the linter can mend
	$(BIN)/ruff check --fix --quiet
	$(BIN)/ruff format --quiet

.PHONY: lint
lint: $(READY) ## style, and which module may import which
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

.PHONY: lint-spec
lint-spec: $(READY) ## hold openapi.yaml alone to every rule (part of `test`)
	$(BIN)/pytest --quiet tests/contract/test_description.py tests/contract/test_linter.py

.PHONY: report
report: $(READY) ## what a change means for users, and still lacks; SINCE=
	@$(BIN)/python -m tools.report $(SINCE)

.PHONY: compare
compare: $(READY) ## where a document of the vendor's says otherwise; VENDOR=
	@$(BIN)/python -m tools.compare "$(or $(VENDOR),$(error say which document: make compare VENDOR=vendor.json))"

.PHONY: portable
portable: $(READY) ## have other generators read openapi.yaml (part of `test`)
	$(BIN)/pytest --quiet tests/portable

.PHONY: types
types: $(READY) ## mypy --strict and pyright, generated code included
	$(BIN)/mypy
	$(BIN)/pyright

.PHONY: test
test: $(READY) ## the whole test suite; ARGS= goes to pytest
	$(BIN)/pytest $(ON_EVERY_CORE) $(ARGS)

.PHONY: build
build: $(READY) ## make sdist and wheel in dist/, reproducibly
	@$(BIN)/python -m tools.distributions

.PHONY: check-dist
check-dist: build ## build, and check what was built, and a tag: TAG=
	@$(BIN)/check-wheel-contents dist/*.whl
	@$(BIN)/twine --no-color check --strict dist/*
	@# The project has no address of its own yet, neither for mail nor for the web.
	@$(BIN)/pyroma --quiet --min 10 --skip-tests=AuthorEmail,Url dist/*.tar.gz
	@$(BIN)/python -m tools.changelog $(TAG)

.PHONY: test-consumer
test-consumer: $(READY) ## test examples/consumer, types too, with the wheel; ARGS=
	@$(BIN)/python -m tools.installed consumer $(ARGS)

.PHONY: test-wheel
test-wheel: $(READY) ## test the wheel in an environment of its own; ARGS=
	@$(BIN)/python -m tools.installed wheel $(ON_EVERY_CORE) $(ARGS)

.PHONY: test-oldest
test-oldest: $(READY) ## the same with the oldest dependencies allowed; ARGS=
	@$(BIN)/python -m tools.installed oldest $(ON_EVERY_CORE) $(ARGS)

.PHONY: test-newest
test-newest: $(READY) ## the same with the newest dependencies there are; ARGS=
	@$(BIN)/python -m tools.installed newest $(ON_EVERY_CORE) $(ARGS)

.PHONY: screens
screens: $(READY) ## draw docs/screens/ again from runs of the command line
	@$(BIN)/python -m tools.screens

.PHONY: chaos
chaos: $(READY) ## soak both clients in faults for a minute; ARGS=
	@$(BIN)/python tools/chaos.py --seconds 60 --workers 50 $(ARGS)

.PHONY: bench
bench: $(READY) ## measure beside other clients; writes the plots in docs/
	@$(BIN)/python benchmarks/run.py

.PHONY: bench-quick
bench-quick: $(READY) ## measure beside httpx alone, in under a minute
	@$(BIN)/python benchmarks/run.py --quick

.PHONY: docs
docs: $(READY) ## build the documentation site into site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict

.PHONY: serve-docs
serve-docs: $(READY) ## show the site on port 8000, renewed as pages change
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs serve --dev-addr 127.0.0.1:8000

.PHONY: bench-desk
bench-desk: $(READY) ## plan 100,000 entries, keep a million records; minutes
	@$(BIN)/python benchmarks/plan.py
	@$(BIN)/python benchmarks/export.py

.PHONY: check
check: lint types check-generated test check-dist test-wheel test-consumer ## everything that must hold before a change lands

.PHONY: clean
clean: ## remove what the other targets made
	rm -rf $(VENV) dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
