#!/bin/sh
# Builds mentions.wasm. Needs Rust with its target wasm32-unknown-unknown.
set -eu
cd "$(dirname "$0")"
cargo build --release --target wasm32-unknown-unknown
cp "${CARGO_TARGET_DIR:-target}"/wasm32-unknown-unknown/release/mentions.wasm mentions.wasm
