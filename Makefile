# Each target does all the set-up it needs. `make help` lists them.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: help demo test test-all lint format bench-replay setup doctor clean

help:
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

$(BIN)/stamp: pyproject.toml
	sh .ci/venv $(PYTHON) $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@

setup: $(BIN)/stamp ## bring the engine and all it needs onto this machine (no root)
	$(BIN)/python -m benchmark setup

doctor: setup ## show what is there and whether it works
	$(BIN)/python -m benchmark doctor

demo: setup ## replay a bundled game into evidence you can look at
	$(BIN)/python -m benchmark replay --project tests/games/bench/moss_run --out reports/demo --certify --counterfactual

lint: $(BIN)/stamp ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(BIN)/stamp ## put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test: lint setup ## lint and the tests that CI runs
	$(BIN)/pytest -n 2 -m "not slow and not realtime"
	$(BIN)/pytest -m "not slow and realtime"

test-all: lint setup ## also the slow ones
	$(BIN)/pytest -n 2 -m "not realtime"
	$(BIN)/pytest -m realtime

bench-replay: setup ## measure the recorders against each other
	$(BIN)/python -m benchmark bench-replay

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache build dist *.egg-info
