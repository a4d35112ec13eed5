# Everything runs in a private .venv: all it takes is make and Python 3.11 or newer (make PYTHON=… names one).
# No Java, no Node, no compiler. The first target that needs the environment builds it; pyproject.toml renews it.

SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
export PYTHONUTF8 := 1
# Python 3.11 reads path files (an editable installation is one) in the locale's encoding, whatever PYTHONUTF8 says.
ifneq ($(filter C POSIX,$(LC_ALL)),)
export LC_ALL := C.UTF-8
endif
unexport PYTHONPATH PYTHONHOME

# The folder of this file, also when it is named from elsewhere (make -f "…/Makefile") or has spaces in it.
quote = '$(subst ','\'',$(1))'
hash := \#
ROOT := $(shell file=$(call quote,$(MAKEFILE_LIST)); cd "$$(dirname "$${file$(hash) }")" && pwd -P)

ifneq ($(ROOT),$(CURDIR))

# Paths with spaces cannot be targets; so start again in the right folder, where all paths are relative.
GOALS := $(or $(MAKECMDGOALS),$(.DEFAULT_GOAL))
.PHONY: $(GOALS) in-root
$(GOALS): in-root ; @:
in-root:
	@$(MAKE) -C $(call quote,$(ROOT)) -f Makefile $(GOALS)

else

VENV := .venv
RUN := $(VENV)/bin/python
# The stamp carries the place and the chosen Python: a copied checkout must not run the code of the original.
READY := $(VENV)/ready-$(shell printf '%s\n' $(call quote,$(CURDIR) $(PYTHON)) | cksum | cut -d ' ' -f 1)

.PHONY: help demo test check mutants bench bench-growth readme clean

help: ## show this list
	@echo 'make TARGET   (in a private .venv, made on first use; PYTHON=… chooses the interpreter, ARGS=… is passed on)'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' Makefile

demo: $(READY) ## install, and show the main job on real cards
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" sh docs/demo.sh

test: $(READY) ## run the tests, e.g. make test ARGS='-k readme'
	@$(RUN) -m pytest -n auto --maxprocesses=4 --dist=loadgroup $(ARGS)

check: $(READY) ## lint, formatting, types, and the consistency of ontology, data and rules
	@$(RUN) -m ruff check .
	@$(RUN) -m ruff format --check .
	@$(RUN) -m mypy
	@$(VENV)/bin/cardlore check $(ARGS)

mutants: $(READY) ## leave out each part of each rule: which would no case miss? (some minutes)
	@$(RUN) tests/mutation/run.py $(ARGS)

bench: $(READY) ## measure; prints a table
	@$(RUN) benchmarks/run.py $(ARGS)
	@$(RUN) benchmarks/gold.py
	@$(RUN) benchmarks/pool.py

bench-growth: $(READY) ## measure how the build of a card pool grows with its cards (long); ARGS='--times 1,4'
	@$(RUN) benchmarks/growth.py $(ARGS)

readme: $(READY) ## rewrite the outputs shown in README.md; read the diff before you commit it
	@$(RUN) tests/docs/test_readme.py

clean: ## remove the environment, caches and builds
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A name in PATH can be a shim that runs nothing, so each candidate is started.
$(READY): pyproject.toml
	@found=; \
	for python in $(if $(PYTHON),$(call quote,$(PYTHON)),python3.13 python3.12 python3.11 python3.14 python3 python); do \
	    "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && found=$$python && break; \
	done; \
	if [ -z "$$found" ]; then \
	    echo 'cardlore needs Python 3.11 or newer; $(if $(PYTHON),$(PYTHON) is not,none found in PATH).' >&2; \
	    echo 'Install one, or name one: make PYTHON=/path/to/python3.12 …' >&2; exit 2; \
	fi; \
	echo "making $(VENV) with $$("$$found" --version); the first time takes a minute or two" >&2; \
	rm -rf $(VENV); \
	if ! "$$found" -m venv $(VENV); then \
	    echo "$$found cannot make environments; on Debian or Ubuntu: apt install python3-venv" >&2; \
	    rm -rf $(VENV); exit 2; \
	fi
	@$(RUN) -m pip install -qq --disable-pip-version-check --editable '.[dev]'
	@touch $@

endif
