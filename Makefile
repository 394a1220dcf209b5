# Every target sets up .venv by itself. Another interpreter: make test PYTHON=python3.13
PYTHON ?= python3
# Worker processes of the test suite; 0 runs it in this process (for a debugger). One more than there
# are processors, as many tests wait for processes that they have started.
TEST_JOBS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# Each gets whole files to begin with, as their fixtures are shared, and takes work from the other.
IN_PARALLEL := -n $(TEST_JOBS) --dist worksteal

# Without compiled files each of the many processes that are started compiles the package anew.
unexport PYTHONDONTWRITEBYTECODE

BIN := .venv/bin
STAMP := .venv/.installed
DOCS_STAMP := .venv/.installed-docs

.DEFAULT_GOAL := help
.PHONY: help demo test attacks lowest check types layers doctests changelog format build docs results golden clean

help: ## Show the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

$(STAMP): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet -e '.[all,dev]'
	@touch $@

$(DOCS_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet -e '.[all,docs]'
	@touch $@

demo: $(STAMP) ## Find the best of 30 pipelines for scikit-learn's digits, and write report.html
	$(BIN)/curvewise select sklearn:digits --candidates 30 --jobs 2 --timeout 15 --needs-probabilities --ensemble --by pixel_4_4 --report report.html

test: check ## Run every check and the whole test suite
	$(BIN)/pytest $(IN_PARALLEL)

attacks: $(STAMP) ## Run every attack by candidates, files and requests, and print what came of it
	$(BIN)/python -m tests.attacks

lowest: $(STAMP) ## Run the test suite with the lowest versions that pyproject.toml allows
	$(PYTHON) -m venv .venv-lowest
	$(BIN)/uv pip install --quiet --python .venv-lowest/bin/python --resolution lowest-direct -e '.[all,dev]'
	.venv-lowest/bin/pytest $(IN_PARALLEL)

changelog: ## Fail if src has changed since BASE (default: origin/main) and CHANGELOG.md has not
	.ci/changelog $(BASE)

check: $(STAMP) ## Lint, formatting, spelling, types, layers and doctests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell .ci .github benchmarks docs examples recipe src tests *.md CITATION.cff Makefile
	$(MAKE) --no-print-directory --jobs=3 types layers doctests

types: $(STAMP)
	$(BIN)/mypy

layers: $(STAMP)
	$(BIN)/lint-imports

# The tests see to it themselves: with two threads each, two workers take ten times as long.
doctests: export OMP_NUM_THREADS := 1
doctests: $(STAMP)
	$(BIN)/pytest -q $(IN_PARALLEL) --doctest-modules src

format: $(STAMP) ## Format the code and apply the safe lint fixes
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

build: $(STAMP) ## Build the wheel and the source distribution and check their metadata
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/python -m twine check --strict dist/*

docs: $(DOCS_STAMP) ## Build the documentation site into docs/_build/html
	rm -rf docs/reference/api  # Pages of names that are gone would fail the build.
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html

AUTOML := $(BIN)/curvewise bench automl --store benchmarks/results/automl.jsonl --tool-file benchmarks/ablation.toml --quiet

results: $(STAMP) ## Write the docs' page of results anew, from benchmarks/results
	$(BIN)/curvewise bench results benchmarks/results -o docs/explanation/results.md \
		--notes benchmarks/results/notes.md --figures docs/images/results
	mkdir -p docs/_build
	$(AUTOML) --output docs/_build/automl --tool curvewise --tool hgb --tool lightgbm --tool flaml
	cp docs/_build/automl/automl.md docs/explanation/automl-tables.inc
	$(AUTOML) --output docs/_build/automl-others --tool curvewise --tool ensemble --tool autogluon --tool naiveautoml
	cp docs/_build/automl-others/automl.md docs/explanation/automl-others.inc
	$(AUTOML) --output docs/_build/automl-parts --tool curvewise \
		--tool paper-space --tool rounds-drawn --tool no-portfolio --tool random-draws
	cp docs/_build/automl-parts/automl.md docs/explanation/automl-parts.inc

golden: $(STAMP) ## Write the golden traces anew; read the diff before you commit it
	$(BIN)/python -m tests.golden.regenerate

clean: ## Remove the environment, caches and built files
	rm -rf .venv .venv-lowest dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	rm -rf docs/_build docs/gallery docs/reference/api
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
