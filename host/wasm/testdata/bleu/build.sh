#!/bin/sh
# Builds bleu.wasm, the lean C scorer that tests and benchmarks run.
# Debian packages: clang-19 lld-19.
set -eu
cd "$(dirname "$0")"
# Linked without -O: with it clang runs wasm-opt where it finds one, and the bytes differ.
clang-19 --target=wasm32-unknown-unknown -O2 -ffreestanding -mbulk-memory -mnontrapping-fptoint -msign-ext -c -o score.o score.c
clang-19 --target=wasm32-unknown-unknown -nostdlib -Wl,--no-entry -Wl,--strip-debug -Wl,-z,stack-size=8192 \
	-o bleu.wasm score.o
rm score.o
