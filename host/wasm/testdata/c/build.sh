#!/bin/sh
# Builds recall.wasm, a program of WASI preview 1. Needs Debian's clang-19, lld-19,
# wasi-libc and libclang-rt-19-dev-wasm32.
set -eu
cd "$(dirname "$0")"
# Linked without -O: with it clang runs wasm-opt where it finds one, and the bytes differ.
clang-19 --target=wasm32-wasi --sysroot=/usr -isystem /usr/include/wasm32-wasi -Os -c -o recall.o recall.c
clang-19 --target=wasm32-wasi --sysroot=/usr -L/usr/lib/wasm32-wasi -Wl,--strip-all -o recall.wasm recall.o
rm recall.o
chmod 644 recall.wasm
