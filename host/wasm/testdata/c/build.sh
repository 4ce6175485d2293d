#!/bin/sh
# Builds recall.wasm, a program of WASI preview 1. Needs Debian's clang-19, lld-19,
# wasi-libc and libclang-rt-19-dev-wasm32.
set -eu
cd "$(dirname "$0")"
clang-19 --target=wasm32-wasi --no-wasm-opt --sysroot=/usr -isystem /usr/include/wasm32-wasi -L/usr/lib/wasm32-wasi -Os -Wl,--strip-all -o recall.wasm recall.c
chmod 644 recall.wasm
