#!/bin/sh
# Builds NAME.wasm. Needs clang with its WebAssembly target, and lld; CC names another one.
set -eu
cd "$(dirname "$0")"
${CC:-clang} --target=wasm32 -Os -nostdlib -fno-builtin -Wl,--no-entry -Wl,--strip-all -Wl,-z,stack-size=8192 -o NAME.wasm score.c
