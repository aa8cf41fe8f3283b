# One command for each thing a person does here; `make` alone lists them.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: help
help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  \033[1m%-18s\033[0m %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(READY): requirements-dev.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

.PHONY: setup
setup: $(READY) ## install everything into .venv (the other targets do so when needed)

.PHONY: lock
lock: $(READY) ## compile requirements-dev.txt again from pyproject.toml
	$(BIN)/uv pip compile pyproject.toml --all-extras --group dev --python-version 3.11 --universal --upgrade \
		--generate-hashes --no-emit-index-url --custom-compile-command "make lock" --quiet --output-file requirements-dev.txt
