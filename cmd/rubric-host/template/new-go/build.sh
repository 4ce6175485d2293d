#!/bin/sh
# Builds NAME.wasm. Needs Go 1.24 or later.
set -eu
cd "$(dirname "$0")"
[ -f go.mod ] || go mod init NAME
GOOS=wasip1 GOARCH=wasm go build -trimpath -ldflags=-s -buildmode=c-shared -o NAME.wasm .
