#!/bin/sh
# Builds bleu.wasm, the lean C scorer that tests and benchmarks run.
# Debian packages: clang-19 lld-19.
set -eu
cd "$(dirname "$0")"
clang-19 --target=wasm32-unknown-unknown --no-wasm-opt -O2 -nostdlib -ffreestanding \
	-mbulk-memory -mnontrapping-fptoint -msign-ext -Wl,--no-entry -Wl,--strip-debug -Wl,-z,stack-size=8192 \
	-o bleu.wasm score.c
