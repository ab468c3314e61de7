# The commands of this repository; `make help` lists them. CMake does the building (CMakePresets.json).
JOBS ?= $(shell nproc)
OUT ?= out/demo
TIME ?= 60
N ?= 1000
SEED ?= 1

.DEFAULT_GOAL := help
.PHONY: help setup build demo test bench docs lint format sanitize fuzz extreme clean

# $(call build,PRESET,FOLDER[,TARGET]); everything where no target is named. A cache that another place left behind is dropped.
define build
	@grep -qsxF 'CMAKE_HOME_DIRECTORY:INTERNAL=$(CURDIR)' $(2)/CMakeCache.txt || rm -rf $(2)/CMakeCache.txt $(2)/CMakeFiles
	@cmake --preset $(1) >/dev/null
	@cmake --build $(2) --parallel $(JOBS) $(if $(3),--target $(3))
endef

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' Makefile

setup: ## install the Debian packages that are missing
	@scripts/setup.sh

build: setup ## build everything in build/; the command is build/abut
	$(call build,release,build)
	@scripts/view.sh build

demo: setup ## build the command alone, simulate a falling cube and show what came out
	$(call build,release,build,abut)
	@scripts/view.sh build
	@build/abut run experiments/scenes/cube_drop.json --out $(OUT)
	@printf '\ntrajectory: %s\n' $(OUT)/trajectory.csv
	@[ ! -e $(OUT)/replay.html ] || printf 'replay:     %s   (open it in a browser)\n' $(OUT)/replay.html

test: build ## run the whole test suite
	@scripts/test.sh build $(JOBS)

bench: build ## time the solver on fixed cases
	@OPENBLAS_NUM_THREADS=1 build/abut bench

docs: ## build the documentation site, build/docs/html/index.html, from pages and headers
	@docs/site/build.py build

sanitize: setup ## build with address and undefined-behaviour sanitizers in build-asan/, and test
	$(call build,asan,build-asan)
	@scripts/test.sh build-asan $(JOBS)

fuzz: setup ## fuzz each parser for TIME seconds with libFuzzer (docs/fuzzing.md)
	@scripts/setup.sh scripts/packages-fuzz.txt
	$(call build,release,build,abut)
	$(call build,fuzz,build-fuzz,abut_fuzz)
	@tests/fuzz/seeds.py build/abut build-fuzz/seeds
	@tests/fuzz/run.sh build-fuzz $(TIME)

extreme: setup ## run N random extreme scenes from SEED on, and check them (docs/fuzzing.md)
	$(call build,release,build,abut_extreme)
	@mkdir -p build/extreme
	@OPENBLAS_NUM_THREADS=1 build/tests/fuzz/abut_extreme $(N) $(SEED) build/extreme

lint: setup ## check format, clang-tidy, cppcheck and the types of the Python package
	@cmake --preset release >/dev/null
	@scripts/lint.sh build $(JOBS)

format: ## format the C sources in place
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean: ## remove what was built
	rm -rf build build-debug build-asan build-fuzz build-tsan out
