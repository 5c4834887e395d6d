# Every target makes the environment it needs and uses it again; only Python 3.11 or later has to be there.  Tests that
# need a program that is not there (chromium for pages, java, postgresql) are skipped and say so.
#
#   .venv         interagree alone for `make demo`; everything else is added by the first target that needs it
#   .venv-modin   Modin and the older pandas it asks for
#   .venv-lowest  the oldest versions of what interagree uses
#   .venv-bench   the packages that the benchmarks compare with
#   .venv-pythons the wheel on each Python of this machine
#   .venv-tools   annotation tools whose own servers and exporters are tested against, each in a folder, 2 GB

PYTHON ?= python3
MAKE_ENV = $(PYTHON) environments.py
TOOLS   = label-studio doccano potato
SHELL   = /bin/bash
.SHELLFLAGS = -o pipefail -c

.DEFAULT_GOAL = help
.NOTPARALLEL:
.PHONY: help demo test lint modin slow lowest pythons tools coverage bench docs names constraints clean python

help:
	@echo "make demo          report on a small bundled study, in the terminal and in demo-report/"
	@echo "make test          lint, docs and all tests but the slow ones"
	@echo "make lint          ruff, mypy and the import contracts"
	@echo "make slow          simulations and other long checks"
	@echo "make lowest        the tests with the oldest versions that pyproject.toml allows"
	@echo "make pythons       the wheel alone, on every Python from 3.11 on that is on this machine"
	@echo "make tools         the tests with real Label Studio, doccano and Potato; 2 GB of packages and ten minutes"
	@echo "make coverage      which lines the tests run, into build/coverage/"
	@echo "make bench         the benchmarks, all or one: make bench only=alpha"
	@echo "make docs          the site, into site/"
	@echo "make names         the lists of what is built in, after a file for one more"
	@echo "make constraints   the pinned versions, anew from what is current"
	@echo "make clean         remove environments, caches and build outputs"

demo: .venv/core.stamp
	@.venv/bin/interagree demo -o demo-report

lint: .venv/full.stamp
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check --quiet . || { echo "Some files are not formatted: .venv/bin/ruff format ."; exit 1; }
	@.venv/bin/mypy src
	@.venv/bin/lint-imports --no-logo
	@.venv/bin/python list_names.py --check

names: .venv/full.stamp
	@.venv/bin/python list_names.py

docs: .venv/full.stamp
	@.venv/bin/python docs/build_site.py
	@echo "The site is in site/."

modin: .venv-modin/full.stamp
	@MODIN_ENGINE=python .venv-modin/bin/pytest -q tests/test_modin.py

test: lint docs modin
	@.venv/bin/pytest -q -n 2 --dist loadgroup -m "not slow"

slow: .venv/full.stamp
	@.venv/bin/pytest -m slow

lowest: .venv-lowest/full.stamp
	@.venv-lowest/bin/pytest -q -n 2 --dist loadgroup -m "not slow and not engine" --ignore tests/test_docs.py --ignore tests/test_adding.py -W default

pythons: python
	@$(PYTHON) tests/pythons.py .venv-pythons

tools: .venv/full.stamp .venv-tools/full.stamp
	@INTERAGREE_TOOLS_VENV=$(CURDIR)/.venv-tools .venv/bin/pytest -q tests/tools

coverage: .venv/full.stamp
	@.venv/bin/coverage erase
	@.venv/bin/coverage run -m pytest -q -n 2 --dist loadgroup -m "not slow"
	@-.venv/bin/coverage combine --quiet
	@.venv/bin/coverage html --quiet --ignore-errors -d build/coverage
	@.venv/bin/coverage report --ignore-errors --skip-covered --sort=cover | tail -40

bench: .venv-bench/full.stamp
	@for file in bench/bench_$(only)*.py; do echo "== $$file"; .venv-bench/bin/python "$$file" || exit 1; done

# ---------------------------------------------------------------------------------------- environments

.venv/core.stamp: pyproject.toml constraints.txt | python
	@echo "Installing interagree into .venv …"
	@$(MAKE_ENV) .venv -c constraints.txt -e .
	@touch $@

.venv/full.stamp: pyproject.toml constraints.txt | python
	@echo "Installing what the tests, the linters and the docs need into .venv …"
	@$(MAKE_ENV) .venv -c constraints.txt "pip>=25.1"
	@$(MAKE_ENV) .venv -c constraints.txt -e ".[all]" --group dev
	@touch $@ .venv/core.stamp

.venv-modin/full.stamp: pyproject.toml constraints-modin.txt | python
	@echo "Installing Modin into .venv-modin …"
	@$(MAKE_ENV) .venv-modin -c constraints-modin.txt -e . $(MODIN)
	@touch $@

.venv-lowest/full.stamp: pyproject.toml tests/lowest.py | python
	@echo "Installing the oldest versions that are allowed into .venv-lowest …"
	@$(MAKE_ENV) .venv-lowest "pip>=25.1"
	@.venv-lowest/bin/python tests/lowest.py > .venv-lowest/constraints.txt
	@$(MAKE_ENV) .venv-lowest -c .venv-lowest/constraints.txt -e ".[all]" --group test
	@touch $@

.venv-bench/full.stamp: pyproject.toml constraints.txt bench/requirements.txt | python
	@echo "Installing the benchmarks' peers into .venv-bench …"
	@$(MAKE_ENV) .venv-bench -c constraints.txt -r bench/requirements.txt -e ".[all]"
	@touch $@

.venv-tools/full.stamp: $(TOOLS:%=tests/tools/%.txt) | python
	@mkdir -p .venv-tools
	@for tool in $(TOOLS); do \
	  echo "Installing $$tool into .venv-tools/$$tool …"; \
	  $(MAKE_ENV) .venv-tools/$$tool -r tests/tools/$$tool.txt || exit 1; \
	done
	@touch $@

MODIN = modin pyarrow pytest hypothesis

python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "interagree needs Python 3.11 or later, and $(PYTHON) is not; name one: make PYTHON=python3.12"; exit 1; }

# ----------------------------------------------------------------------------------------------- upkeep

constraints: python
	@rm -rf .venv-pins
	@$(MAKE_ENV) .venv-pins "pip>=25.1"
	@$(MAKE_ENV) .venv-pins -e ".[all]" --group dev
	@$(call PINS,constraints.txt)
	@rm -rf .venv-pins
	@$(MAKE_ENV) .venv-pins -e . $(MODIN)
	@$(call PINS,constraints-modin.txt)
	@rm -rf .venv-pins

define PINS
{ echo "# Exact versions for the make targets, written by \`make constraints\`; do not edit by hand."; \
  .venv-pins/bin/python -m pip freeze --exclude-editable --exclude pip; } > $(1)
endef

clean:
	rm -rf .venv .venv-modin .venv-lowest .venv-bench .venv-tools .venv-pins .venv-pythons .venv*.lock build dist site demo-report
	rm -rf .coverage* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
