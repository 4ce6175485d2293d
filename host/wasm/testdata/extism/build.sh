#!/bin/sh
# Builds recall-go.wasm and recall-rust.wasm, the same scorer with two of Extism's
# kits: extism/go-pdk v1.1.3 and the crate extism-pdk 1.4.1.
#
# Needs Go 1.26, and Debian's rustc-web, cargo-web, rust-web-src and lld-19, as
# plugins/build.sh does.
set -eu
cd "$(dirname "$0")"
out=$PWD

(cd go && GOOS=wasip1 GOARCH=wasm GOFLAGS= go build -trimpath -buildmode=c-shared -ldflags='-s -w' -o "$out/recall-go.wasm" .)

target=$(mktemp -d)
trap 'rm -rf "$target"' EXIT
sep=$(printf '\037')
flags="--remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo${sep}--remap-path-prefix=$PWD=/src"
flags="$flags${sep}-Clink-arg=-zstack-size=32768${sep}-Zunstable-options${sep}-Zlocation-detail=none"
(cd rust && PATH=/usr/bin:/bin RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19 CARGO_ENCODED_RUSTFLAGS=$flags CARGO_TARGET_DIR=$target \
	/usr/bin/cargo build --quiet --release --locked --target wasm32-unknown-unknown -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size)
install -m 644 "$target/wasm32-unknown-unknown/release/recall.wasm" "$out/recall-rust.wasm"
