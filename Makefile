# `make` alone lists the targets.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

VENV := .venv
# The demo needs only the client with its simulator: no developer tools, nothing of the desk.
DEMO_VENV := .venv-demo
# The generator, the formatter and a reader of YAML.
GENERATE_VENV := .venv-generate
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
GENERATE_READY := $(GENERATE_VENV)/ready
# Python compiles a package when it is imported.
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check --no-compile
# Packages that only some targets need; the first of these targets installs them.
PAGES_READY := $(VENV)/pages.ready
RELEASE_READY := $(VENV)/release.ready
TYPES_READY := $(VENV)/types.ready
# Trust the certificates of the machine, as pip does.
export UV_SYSTEM_CERTS := true
# New versions of packages wait for a week: most malicious versions are found and removed within days.
lock: export UV_EXCLUDE_NEWER := 1 week
# Keep compiled Python files, even if the environment says not to: the tests start Python several hundred times.
unexport PYTHONDONTWRITEBYTECODE
# A crashed worker ends the run; pytest-xdist can wait for ever for the tests of its replacement.
# Workers take whole test files, in the order of the tests: `tests/conftest.py` puts the longest files first.
ON_EVERY_CORE := --numprocesses auto --dist loadfile --no-loadscope-reorder --max-worker-restart 0

CHECK_PYTHON = $(PYTHON) -c 'import sys; sys.exit(None if sys.version_info >= (3, 11) else \
	"Python 3.11 or newer is needed: add PYTHON=python3.12 to the command")'

# Without this, make would have nothing to do for the name of a folder, and end with success. `contract` and `docs` are targets.
FOLDERS := desk examples generated generator-templates overlays requirements runtime testing tests tools
.PHONY: $(FOLDERS)
$(FOLDERS):
	@echo "$@ is a folder, not a target: \`make\` lists the targets" >&2; exit 2

.PHONY: help
help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(READY): requirements/dev.txt pyproject.toml desk/pyproject.toml
	@echo "Installing the tools of developers into $(VENV) ..."
	@$(CHECK_PYTHON)
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python $(PIP_INSTALL) --require-hashes --requirement requirements/dev.txt
	$(BIN)/python $(PIP_INSTALL) --no-deps --no-build-isolation --editable . --editable desk
	touch $@

$(VENV)/%.ready: requirements/%.txt $(READY)
	@echo "Installing the packages of $< into $(VENV) ..."
	@$(BIN)/python $(PIP_INSTALL) --require-hashes --requirement $<
	@touch $@

$(GENERATE_READY): requirements/generate.txt
	@echo "Installing the generator into $(GENERATE_VENV) ..."
	@$(CHECK_PYTHON)
	@$(PYTHON) -m venv --clear $(GENERATE_VENV)
	@$(GENERATE_VENV)/$(SCRIPTS)/python $(PIP_INSTALL) --require-hashes --requirement $<
	@touch $@

# The .pth file puts the source folders on the path, as an editable installation does, and needs no build tool.
$(DEMO_READY): requirements/demo.txt
	@echo "Installing the packages that the client and its simulator need into $(DEMO_VENV) ..."
	@$(CHECK_PYTHON)
	@$(PYTHON) -m venv --clear $(DEMO_VENV)
	@$(DEMO_PYTHON) $(PIP_INSTALL) --require-hashes --requirement requirements/demo.txt
	@$(DEMO_PYTHON) -c "import pathlib, sysconfig; pathlib.Path(sysconfig.get_path('purelib'), 'cometchat_rest.pth') \
		.write_text(''.join(f'{pathlib.Path(name).resolve()}\n' for name in ('runtime', 'generated', 'overlays', 'testing')), 'utf-8')"
	@touch $@

# Conditions of `compare` and `build`, checked before the installation of the tools.
.PHONY: named-document only-tracked
named-document:
	@$(if $(VENDOR)$(REPORT),:,$(error name a document or a report: make compare VENDOR=vendor.json, make compare REPORT=report.json))
# hatchling puts every file that git does not ignore into the sdist, and nobody can take back what was published.
only-tracked:
	@files=$$(git ls-files --others --exclude-standard 2>/dev/null); test -z "$$files" || \
		{ echo "git does not track these files, and the sdist would contain them: commit, ignore or remove them:" >&2; \
		echo "$$files" >&2; exit 1; }

.PHONY: setup
setup: $(READY) ## install what most work needs into .venv

# The oldest Python is the one that all versions in the lock files have to support.
COMPILE := $(BIN)/uv pip compile --python-version 3.11 --universal --generate-hashes --no-emit-index-url \
	--custom-compile-command "make lock" --quiet

.PHONY: lock
lock: $(RELEASE_READY) ## update the lock files from both pyproject.toml
	@# The desk needs the client, whose wheel no package index has. An old wheel in dist could win.
	@rm -rf dist
	@$(BIN)/hatchling build --directory dist
	$(COMPILE) --upgrade pyproject.toml desk/pyproject.toml --all-extras --group dev --find-links dist \
		--no-emit-package cometchat-rest --output-file requirements/dev.txt
	@# Each package has one version in all files.
	cp requirements/dev.txt $(VENV)/locked.txt
	for group in types pages release generate; do $(COMPILE) --upgrade --no-annotate \
		--group pyproject.toml:$$group --constraints $(VENV)/locked.txt --output-file requirements/$$group.txt \
		&& cat requirements/$$group.txt >> $(VENV)/locked.txt || exit 1; done
	$(COMPILE) pyproject.toml --extra testing --constraints requirements/dev.txt --no-annotate \
		--output-file requirements/demo.txt

.PHONY: demo
demo: $(DEMO_READY) ## send all calls to the simulator, show the results
	@$(DEMO_PYTHON) examples/demo.py

.PHONY: generate
generate: $(GENERATE_READY) ## write generated/ from openapi.yaml
	@$(GENERATE_VENV)/$(SCRIPTS)/python -m tools.generate

.PHONY: format
format: $(READY) ## format the code, apply the automatic fixes of the linter
	$(BIN)/ruff check --fix --quiet
	$(BIN)/ruff format --quiet

.PHONY: lint
lint: $(READY) ## check style, complexity, imports, generated files
	@$(BIN)/python -m tools.generate --check
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	@# No function, method or class is more complex than 10.
	$(BIN)/xenon --max-absolute B runtime overlays testing tools desk/cometchat_desk
	$(BIN)/lint-imports
	$(BIN)/zizmor --quiet --offline --no-progress . examples/moderation-repo

.PHONY: report
report: $(READY) ## show the effect of a change on users; SINCE=
	@$(BIN)/python -m tools.contract.report $(SINCE)

.PHONY: contract
contract: $(READY) ## test the simulator with schemathesis; ARGS=
	@$(BIN)/python -m tools.contract.fuzz $(ARGS)

.PHONY: compare
compare: named-document $(READY) ## compare openapi.yaml with VENDOR= (a file) or REPORT=
	@$(if $(REPORT),$(BIN)/python -m tools.contract.conformance "$(REPORT)",$(BIN)/python -m tools.contract.compare "$(VENDOR)")

.PHONY: types
types: $(TYPES_READY) $(PAGES_READY) ## check types: mypy --strict and pyright, all code
	@$(MAKE) --no-print-directory --jobs 2 mypy pyright

# Each type checker uses one core. Run both at the same time.
.PHONY: mypy pyright
mypy: $(TYPES_READY) $(PAGES_READY)
	$(BIN)/mypy
	$(BIN)/mypy --explicit-package-bases desk/tests
pyright: $(TYPES_READY) $(PAGES_READY)
	$(BIN)/pyright
	@# It fails if a public name has no complete type. It does not read the environment from pyproject.toml.
	PATH="$(CURDIR)/$(BIN):$$PATH" PYTHONPATH=runtime:generated:overlays:testing $(BIN)/pyright --verifytypes cometchat_rest --ignoreexternal

# A full run includes the tests of the pages and of the types. A part of the tests skips what is not installed.
.PHONY: test
test: $(if $(ARGS),$(READY),$(PAGES_READY) $(TYPES_READY)) ## run all tests, or those of ARGS=; DEEP=1 is thorough
	$(BIN)/pytest $(ON_EVERY_CORE) $(if $(DEEP),--hypothesis-profile deep,-m "not deep") $(ARGS)

# tools/release/installed.py lists the kinds.
KIND ?= bare wheel oldest consumer

.PHONY: test-wheel
test-wheel: $(RELEASE_READY) $(TYPES_READY) ## test the built wheels; KIND=, ALL=1, PYTHON=
	@for kind in $(KIND); do echo "The wheels: $$kind"; \
		$(BIN)/python -m tools.release.installed --python $(PYTHON) $(if $(ALL),--all) $$kind $(ARGS) || exit 1; done

.PHONY: python314
python314: $(RELEASE_READY) $(TYPES_READY) ## call all operations in Python 3.14, which Node.js runs
	@$(BIN)/python -m tools.release.python314

.PHONY: build
build: only-tracked $(RELEASE_READY) ## build both projects in dist/, check the files; TAG=
	@rm -rf dist
	@$(BIN)/hatchling build --directory dist
	@cd desk && ../$(BIN)/hatchling build --directory ../dist
	@$(BIN)/check-wheel-contents dist/cometchat_rest-*.whl
	@$(BIN)/check-wheel-contents --toplevel cometchat_desk dist/cometchat_desk-*.whl
	@$(BIN)/twine --no-color check --strict dist/*
	@# The project has no e-mail address and no web address yet.
	@for sdist in dist/*.tar.gz; do $(BIN)/pyroma --quiet --min 10 --skip-tests=AuthorEmail,Url $$sdist || exit 1; done
	@$(BIN)/python -m tools.release.changelog $(TAG)

MKDOCS := NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs

.PHONY: docs
docs: $(PAGES_READY) ## build the site into site/
	@$(MKDOCS) build --strict

.PHONY: serve-docs
serve-docs: $(PAGES_READY) ## show the site on port 8000, reload changed pages
	@$(MKDOCS) serve --dev-addr 127.0.0.1:8000

.PHONY: check
check: lint types report test build test-wheel ## run every check that a change must pass

.PHONY: clean
clean: ## remove the files that other targets created
	rm -rf $(VENV) $(DEMO_VENV) $(GENERATE_VENV) dist site .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache \
		.schemathesis
