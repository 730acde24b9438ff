# For OpenBench (https://github.com/AndyGrant/OpenBench), whose workers build engines by `make -j EXE=NAME`, and match
# runners by `make -j`, after which they look for a program called fastchess. Everybody else needs only cargo.
EXE ?= hippolyta

ifeq ($(OS),Windows_NT)
    SUFFIX := .exe
endif
NAME := $(basename $(EXE))$(SUFFIX)

.PHONY: all engine clean

all: engine
	cp target/release/hippolyta$(SUFFIX) fastchess$(SUFFIX)

# EVALFILE, where a farm gives one, would have to be embedded: such a test is refused rather than run without it.
engine:
ifneq ($(EVALFILE),)
	@echo "EVALFILE is not embedded; give the weights by option.EvalFile" >&2; exit 1
endif
	cargo build --release --locked --bin hippolyta
	cp target/release/hippolyta$(SUFFIX) $(NAME)

clean:
	cargo clean
