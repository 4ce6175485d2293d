#!/bin/sh
# Installs llama.cpp's HTTP server and writes the model that the end-to-end
# tests of the judge ask, into the directory that RUBRIC_HOST_LLAMACPP names:
#
#   export RUBRIC_HOST_LLAMACPP=$HOME/.cache/rubric-host-llamacpp
#   host/llm/llmtest/llamacpp/setup.sh
#   go test ./host/llm/... ./host/judge/...
#
# It takes some ten seconds and 210 MB, and does nothing if it is done already.
set -eu
: "${RUBRIC_HOST_LLAMACPP:?name the directory to install into}"
here=$(cd "$(dirname "$0")" && pwd)
dir=$RUBRIC_HOST_LLAMACPP
stamp=$(cat "$here/requirements.txt" "$here/make_tiny_gguf.py" | sha256sum | cut -d' ' -f1)
if [ "$(cat "$dir/stamp" 2>/dev/null)" = "$stamp" ]; then
    exit 0
fi
mkdir -p "$dir"
rm -rf "$dir/venv"
"${PYTHON:-python3}" -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: -r "$here/requirements.txt"
"$dir/venv/bin/python" "$here/make_tiny_gguf.py" "$dir/tiny.gguf"
echo "$stamp" >"$dir/stamp"
