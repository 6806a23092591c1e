# `make demo` and `make test` are all a newcomer needs; both set up first.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/ready

.PHONY: setup demo test test-fast lint docs bench reproduce lock clean

setup: $(READY)

# The lock is complete, so nothing is resolved: --no-deps installs just what it lists.
$(READY): requirements.lock requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Credence needs Python 3.11 or newer; set PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-deps -r requirements.lock -r requirements-dev.lock
	@# torch needs more or less beside it by its build (CPU or CUDA): let pip complete what is missing
	$(BIN)/python -m pip install --quiet "$$(cat requirements.lock requirements-dev.lock | grep '^torch==')"
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@touch $(READY)

demo: setup
	$(BIN)/credence demo

# Two at a time, each file on one of them: what waits for processes and what computes share the cores.
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadfile

test: setup
	$(PYTEST) --durations=12

test-fast: setup
	$(PYTEST) -m "not slow"

lint: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# The site, into site/. Any warning fails; the theme's notice about its own future is no warning about ours.
docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bench: setup
	$(BIN)/python -m benchmarks

# All experiments of the papers, on the data folder that docs/reproductions/README.md describes.
DATA ?= data
reproduce: setup
	$(BIN)/python -m reproductions all --data $(DATA)

# Resolves afresh the newest versions that pyproject.toml allows, and writes both lock files.
lock:
	$(PYTHON) .ci/lock.py

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis demo-output build dist site
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
