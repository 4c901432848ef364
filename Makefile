# `make run` plays, `make test` tests; each installs what it needs into .venv first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NPM := web_client/node_modules/.installed

.PHONY: run check test audit format generate coverage screenshots bench requirements clean

run: $(VENV)/.run
	$(BIN)/spider-race $(ARGS)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.test: pyproject.toml constraints.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	@touch $@ $(VENV)/.run

# Node comes from the virtual environment, so that the checks need none on the machine.
$(NPM): web_client/package.json $(VENV)/.test
	cd web_client && PATH="$(CURDIR)/$(BIN):$$PATH" npm install --no-audit --no-fund --silent
	@touch $@

# Under two minutes: format, lint, types, imports, generated files, unit tests, the JS checks.
check: $(VENV)/.test $(NPM)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m protocol.generate --check
	cd web_client && PATH="$(CURDIR)/$(BIN):$$PATH" npm run --silent check
	$(BIN)/python -m pytest -n 3 --dist worksteal -m 'not browser and not faults' --cov --cov-report=
	$(MAKE) --no-print-directory coverage

# Everything of the rules, the rooms and the contract; nearly everything elsewhere.
coverage:
	$(BIN)/coverage report --include='server/games/*,server/rooms/*,server/views/*,protocol/*' --fail-under=100
	$(BIN)/coverage report --fail-under=95

test: check
	.ci/chromium
	$(BIN)/python -m pytest -n 2 --dist worksteal -m 'browser or faults'
	$(BIN)/python -m tests.bench.bench_page --short
	$(MAKE) --no-print-directory audit

# Known holes in what is pinned; skipped aloud where nothing is known of them.
audit: $(VENV)/.test
	$(BIN)/python -m tests.security.audit

format: $(VENV)/.test $(NPM)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	cd web_client && PATH="$(CURDIR)/$(BIN):$$PATH" npm run --silent format

# Every screen on a desk and on a phone; look at them.
screenshots: $(VENV)/.test
	.ci/chromium
	$(BIN)/python -m tests.e2e.screenshots

bench: $(VENV)/.test
	$(BIN)/python -m tests.bench.bench_engine
	.ci/chromium
	$(BIN)/python -m tests.bench.bench_page

generate: $(VENV)/.test
	$(BIN)/python -m protocol.generate

# The image's packages with their hashes, from the same pins as everything else.
requirements: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt uv
	{ echo '# What the image installs, by hash. `make requirements` writes this file.'; \
	  echo hatchling | $(BIN)/uv pip compile pyproject.toml - -c constraints.txt --universal \
	    --generate-hashes --python-version 3.11.0 --no-header --no-annotate --quiet; \
	} > requirements.txt

clean:
	rm -rf $(VENV) web_client/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
