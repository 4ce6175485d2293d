#!/bin/sh
# Builds scoring.wasm from Rust and c/distinct.wasm from C. build.sh --check builds them elsewhere and compares:
# 0 the same, 1 different, 2 tools or crates are missing, 3 this is another toolchain.
#
# The flags take panic messages away, and paths of this machine with them. Without them, cargo build --release
# --target wasm32-unknown-unknown of any Rust makes a module that does the same.
set -eu
cd "$(dirname "$0")"
PATH=/usr/bin:/bin
export PATH

for tool in cargo rustc wasm-ld-19 clang-19; do
	command -v "$tool" >/dev/null || {
		echo "build.sh: $tool is missing; apt-get install rustc-web cargo-web rust-web-src lld-19 clang-19" >&2
		exit 2
	}
done
toolchain() {
	rustc --version
	clang-19 --version | sed -n 's/^.*clang version \([0-9.]*\).*$/clang \1/p'
}
out=.
if [ "${1:-}" = --check ]; then
	toolchain | diff toolchain.txt - >&2 || exit 3
	out=$(mktemp -d)
	trap 'rm -rf "$out"' EXIT
	mkdir "$out/c"
fi

RUSTFLAGS="-Clink-arg=--initial-heap=65536 -Zunstable-options -Zlocation-detail=none -Cpanic=immediate-abort"
RUSTC_BOOTSTRAP=1 # a stable compiler that takes -Z flags, for std from source
CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19
export RUSTFLAGS RUSTC_BOOTSTRAP CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER
unset CARGO_ENCODED_RUSTFLAGS
cargo fetch --quiet --locked || exit 2
cargo rustc --quiet --release --locked --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size \
	-- -Clink-arg=-zstack-size=32768
install -m 644 "${CARGO_TARGET_DIR:-target}"/wasm32-unknown-unknown/release/scoring.wasm "$out/scoring.wasm"

# Linked without -O: with it clang runs wasm-opt where it finds one, and the bytes differ.
clang-19 --target=wasm32 -Os -fno-builtin -c -o "$out/c/distinct.o" c/distinct.c
clang-19 --target=wasm32 -nostdlib -Wl,--no-entry -Wl,--strip-all -Wl,-z,stack-size=8192 -o "$out/c/distinct.wasm" "$out/c/distinct.o"
rm "$out/c/distinct.o"
chmod 644 "$out/c/distinct.wasm"

if [ "$out" = . ]; then
	toolchain >toolchain.txt
	sha256sum scoring.wasm c/distinct.wasm >SHA256SUMS
else
	(cd "$out" && sha256sum scoring.wasm c/distinct.wasm) | diff SHA256SUMS - >&2
fi
cat SHA256SUMS
