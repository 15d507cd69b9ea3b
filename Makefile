# Each target does all the set-up it needs. `make help` lists them.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: help demo test test-agents test-all test-hostile lint format some-agents bench-replay bench-suite bench-edit setup browser assets doctor clean

help:
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

$(BIN)/stamp: pyproject.toml
	sh .ci/venv $(PYTHON) $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(BIN)/stamp-dev: $(BIN)/stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@

setup: $(BIN)/stamp ## bring the engine and all it needs onto this machine (no root)
	$(BIN)/python -m benchmark setup

doctor: setup ## show what is there and whether it works
	$(BIN)/python -m benchmark doctor

assets: $(BIN)/stamp ## fetch the shared art library
	$(BIN)/python -m benchmark assets --quiet

browser: $(BIN)/stamp-dev ## fetch a headless Chromium, for games in the browser and the tests of reports
	$(BIN)/python -m benchmark setup --browser --quiet

demo: $(BIN)/stamp ## the oracle on all tasks of all tracks, a report to look at
	$(BIN)/python -m benchmark demo

lint: $(BIN)/stamp-dev ## ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(BIN)/stamp-dev ## put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The two smallest downloads of the programs that people use as agents, and all of them.
SOME_AGENTS := gemini codebuddy
ALL_AGENTS  := claude codex gemini kimi codebuddy openhands opencode qwen mini

some-agents: $(BIN)/stamp-dev
	$(BIN)/python -m benchmark agents install --quiet $(SOME_AGENTS)

test: lint setup assets browser some-agents ## lint and the tests that CI runs
	$(BIN)/pytest tests -n 2 -m "not slow and not realtime"
	$(BIN)/pytest tests -m "not slow and realtime"

test-all: lint setup assets browser some-agents ## also the slow ones
	$(BIN)/pytest tests -n 2 -m "not realtime and not (agents and slow)"
	$(BIN)/pytest tests -m realtime

test-agents: setup assets $(BIN)/stamp-dev ## real programs as agents, every fault for each (2 GB of them; an hour)
	$(BIN)/python -m benchmark agents install $(ALL_AGENTS)
	$(BIN)/pytest tests/agents -n 2

test-hostile: setup assets browser ## every attack that was tried, with a table of what came of it (test-all: on every task)
	$(BIN)/pytest tests -n 2 -m "attack and not realtime and not slow"

bench-replay: setup ## measure the recorders against each other
	$(BIN)/python -m benchmark bench-replay

bench-suite: setup assets ## measure what a run costs
	$(BIN)/python -m benchmark bench-suite

bench-edit: setup assets ## measure what hidden tests cost
	$(BIN)/python -m benchmark bench-edit

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache build dist *.egg-info
