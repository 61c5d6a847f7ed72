# Two commands are all that a newcomer needs: 'make demo' and 'make test'.

bin := .venv/bin
# The suite is split over this many processes.
workers ?= 2
# How many random programs 'make deep' runs, how many more about intents, and in which tests;
# STENCIL_TEST_SEED picks other ones.
programs ?= 20000
intents ?= 50000
properties ?= tests/properties

.PHONY: help environment tools demo test lint check format deep bench goldens clean

help:
	@echo "make demo      create the environment, install, run the main example on real terrain"
	@echo "make test      create the environment, install, run every test"
	@echo "make check     what to run before a commit: format, lint, types, tests"
	@echo "make lint      format, lint and types without the tests"
	@echo "make format    reformat the code"
	@echo "make goldens   rewrite the stored pipeline of the catalogue"
	@echo "make deep      the property tests with many more examples (long)"
	@echo "make bench     measure kernels, compile time and call overhead"
	@echo "make clean     remove the environment and everything generated"
	@echo
	@echo "PYTHON=python3.12 picks the interpreter, workers=4 the number of test processes."

environment:
	@scripts/environment.sh

tools: environment
	@scripts/tools.sh

demo: environment
	@$(bin)/python examples/terrain.py

test: environment tools
	@$(bin)/python -m pytest -n $(workers)

lint: environment
	$(bin)/ruff format --check .
	$(bin)/ruff check .
	$(bin)/mypy

check: lint test

format: environment
	$(bin)/ruff format .
	$(bin)/ruff check --fix .

deep: environment tools
	STENCIL_TEST_COUNT=$(programs) STENCIL_TEST_INTENTS=$(intents) $(bin)/python -m pytest -n $(workers) \
		--hypothesis-profile=deep $(properties)

bench: environment
	@$(bin)/python -m benchmarks

goldens: environment
	$(bin)/python -m pytest tests/test_goldens.py --update-golden

clean:
	rm -rf .venv .hypothesis .mypy_cache .ruff_cache .pytest_cache .stencil_cache build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
