# `make run` plays, `make test` tests; each first installs its packages into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c deploy/constraints.txt
NPM := web_client/node_modules/.installed

CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
PYTEST := $(BIN)/python -m pytest -q --dist worksteal
# Every worker collects all the files it gets; only these have the marks.
MARKED = $(shell grep -rlE 'mark\.(browser|faults)' tests --include='test_*.py')

# Without byte code every test worker and every server would compile the modules again.
unexport PYTHONDONTWRITEBYTECODE

STATIC := check-format check-lint check-types check-imports check-generated check-client

.PHONY: $(STATIC) run fast check unit test browser-and-faults compiled containers night audit \
  wheel release format generate screenshots film bench requirements clean

run: $(VENV)/.run
	@$(BIN)/spider-race $(ARGS)

# Steps that install packages or run pip for long start with this, since they may replace pip itself.
# A second make waits for the first, and then finds the step done.
ALONE = exec 9<.; ! command -v flock >/dev/null || flock -n 9 \
  || { echo 'Waiting for another make in this folder ...'; flock 9; }
UNLESS_DONE = [ $@ -nt pyproject.toml ] && [ $@ -nt deploy/constraints.txt ] ||

# An interrupted start leaves a python without pip: make the environment again.
WORKS := import pip._internal.cli.main, sys; assert sys.prefix != sys.base_prefix
$(VENV)/.made:
	@$(ALONE); $(BIN)/python -c '$(WORKS)' 2>/dev/null || { \
	  echo 'Making $(VENV) ...'; $(PYTHON) -m venv --clear $(VENV); } || { rm -rf $(VENV); \
	  echo 'No virtual environment was made; Debian and Ubuntu need: apt install python3-venv' >&2; \
	  exit 1; }
	@touch $@

$(VENV)/.run: pyproject.toml deploy/constraints.txt | $(VENV)/.made
	@$(ALONE); $(UNLESS_DONE) { \
	  echo "Installing $$(grep -c == deploy/requirements.txt) packages into $(VENV) ..."; \
	  $(PIP) -e . && touch $@ && echo 'Starting ...'; }

# Fall back on pip: some machines configure their package index for pip alone. Old pips know no groups.
$(VENV)/.test: pyproject.toml deploy/constraints.txt | $(VENV)/.made
	@$(ALONE); $(UNLESS_DONE) { echo 'Installing what the tests need into $(VENV) ...'; \
	  $(PIP) --upgrade pip uv && { \
	  $(BIN)/uv pip install --quiet --python $(BIN)/python -c deploy/constraints.txt -e . --group test \
	  || $(PIP) -e . --group test; } && touch $@ $(VENV)/.run; }

# Node comes from the virtual environment, so the machine needs none. Packages run no scripts.
$(NPM): web_client/package.json $(VENV)/.test
	@$(ALONE); [ $@ -nt web_client/package.json ] || { \
	  echo 'Installing what the checks of the page need into web_client/node_modules ...'; cd web_client; \
	  PATH="$(CURDIR)/$(BIN):$$PATH" npm install --ignore-scripts --no-audit --no-fund --silent; }
	@touch $@

# In seconds: format, lint, types, and the tests nearest to what changed; see tests/fast.py.
fast: $(VENV)/.test $(NPM)
	$(BIN)/python -m tests.fast

# In a minute and a half: format, lint, types, imports, generated files, unit tests, the client.
check: $(VENV)/.test $(NPM)
	.ci/redis
	$(MAKE) --no-print-directory -j $(CORES) unit $(STATIC)

unit:
	$(PYTEST) -n $(CORES) -m 'not browser and not faults and not night'

check-format:
	$(BIN)/ruff format --check .

check-lint:
	$(BIN)/ruff check .

check-types:
	$(BIN)/mypy

check-imports:
	$(BIN)/lint-imports

check-generated:
	$(BIN)/python -m protocol.generate --check

check-client:
	cd web_client && PATH="$(CURDIR)/$(BIN):$$PATH" npm run --silent check

test: check
	.ci/chromium
	.ci/nginx
	.ci/engines
	$(MAKE) --no-print-directory browser-and-faults

# One worker more than cores: they wait a third of their time for races, reloads and dying processes.
browser-and-faults:
	$(PYTEST) -n $$(($(CORES) + 1)) -m '(browser or faults) and not night' $(MARKED)

# Everything long, random or dependent on the machine, with a table at the end.
night: $(VENV)/.test $(NPM)
	.ci/redis
	.ci/chromium
	.ci/nginx
	.ci/engines
	$(BIN)/python -m tests.night

# Tests of the rules and messages, and a whole race, on the wheel; says so and skips without a compiler.
compiled: $(VENV)/.test
	$(BIN)/python -m tests.compiled

# Kill, restart, replace and upgrade the containers of docker-compose.yml while two people race; says
# so and skips if no Docker engine can run.
containers: $(VENV)/.test
	$(BIN)/python -m tests.containers

# Known vulnerabilities of the pinned packages; says so and skips if it finds no list of them.
audit: $(VENV)/.test
	@echo 'Looking for known holes in the packages of deploy/constraints.txt ...'
	@$(BIN)/python -m tests.security.audit

# The wheel with compiled modules; pip builds it in a fresh environment, from the same pins.
WHEELS ?= dist
wheel: | $(VENV)/.made
	@$(ALONE); echo 'Building the compiled wheel into $(WHEELS) ...'; .ci/compiler $(BIN)/python && \
	  HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 \
	  PIP_CONSTRAINT=$(CURDIR)/deploy/constraints.txt PIP_BUILD_CONSTRAINT=$(CURDIR)/deploy/constraints.txt \
	  $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps -w $(WHEELS) .

# Make wheels, image, SBOM, notices and checksums in dist/VERSION; nothing leaves this machine.
release: $(VENV)/.test
	@$(BIN)/python -m tests.tools.release

format: $(VENV)/.test $(NPM)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	cd web_client && PATH="$(CURDIR)/$(BIN):$$PATH" npm run --silent format

# Take the README's two pictures; ARGS=FOLDER takes every screen, on a desk and a phone.
screenshots: $(VENV)/.test
	.ci/chromium
	$(BIN)/python -m tests.tools.pictures $(ARGS)

# Film a race, from the front page to the rematch, on a desk and a phone.
film: $(VENV)/.test
	.ci/chromium
	$(PIP) --group film
	$(BIN)/python -m tests.tools.film

# In less than ten minutes: one table of figures, each with one to compare; see bench/README.md.
bench: $(VENV)/.test
	.ci/chromium
	$(BIN)/python -m bench $(ARGS)

# The contract's schemas and types.
generate: $(VENV)/.test
	$(BIN)/python -m protocol.generate

# Lock the packages of the image, and the ones that build its wheel (mypyc needs their types), with
# hashes and from the same pins as everything else.
LOCK = $(BIN)/uv pip compile pyproject.toml - -c deploy/constraints.txt --universal --generate-hashes \
  --python-version 3.11.0 --no-header --no-annotate --quiet
requirements: $(VENV)/.test
	{ echo '# What the image has, by hash. `make requirements` writes this file.'; \
	  $(LOCK) < /dev/null; } > deploy/requirements.txt
	{ echo '# What builds its wheel, by hash. `make requirements` writes this file.'; \
	  printf '%s\n' hatchling mypy setuptools types-regex | $(LOCK); } > deploy/requirements_build.txt

clean:
	rm -rf $(VENV) web_client/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
