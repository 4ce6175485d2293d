#!/bin/sh
# Builds every plugin to plugins/dist, the same bytes in any folder and with any
# CARGO_HOME, and writes dist/SHA256SUMS. `build.sh --check` builds into a
# temporary folder and compares with dist instead.
#
# Needs Debian's rustc-web, cargo-web, rust-web-src and lld-19, and for the code plugins
# clang-19, llvm-19 and wasi-libc; the versions that dist was built with are in
# toolchain.txt. With other compilers the bytes change, so --check then answers 3: not
# comparable.
set -eu
cd "$(dirname "$0")"
PATH=/usr/bin:/bin
export PATH
lines="bleu rouge"
plugins="chrf distance embedding exact language lexical_diversity meteor perplexity readability-de readability-es readability-fr ter wer"
answers="answer math meta_rubric run-python-front structure trajectory"
code=$(echo code-*)
target=${CARGO_TARGET_DIR:-target} # what cargo and grammars/build.sh make

toolchain() {
	/usr/bin/rustc --version --verbose | sed -n 's/^rustc /rustc /p; s/^commit-hash: /commit /p; s/^LLVM version: /LLVM /p'
	wasm-ld-19 --version | sed 's/^.*LLD \([0-9.]*\).*$/lld \1/'
	clang-19 --version | sed -n 's/^.*clang version \([0-9.]*\).*$/clang \1/p'
}

case "$*" in '' | --check) ;; *) echo "build.sh: it takes --check or nothing, not $*" >&2; exit 2 ;; esac
for tool in /usr/bin/cargo /usr/bin/rustc wasm-ld-19 clang-19 llvm-ar-19 /usr/lib/wasm32-wasi/libc.a; do
	command -v "$tool" >/dev/null || [ -f "$tool" ] || {
		echo "build.sh: $tool is missing; apt-get install rustc-web cargo-web rust-web-src lld-19 clang-19 llvm-19 patch wasi-libc" >&2
		exit 2
	}
done

out=dist
if [ "${1:-}" = --check ]; then
	if [ "$(toolchain)" != "$(cat toolchain.txt)" ]; then
		echo "build.sh: this toolchain is not the one of toolchain.txt:" >&2
		toolchain >&2
		exit 3
	fi
	out=$(mktemp -d)
	trap 'rm -rf "$out"' EXIT
fi

RUSTC_BOOTSTRAP=1 # a stable compiler that takes -Z flags, for build-std
# No module has a path of this machine. What cargo has compiled in one folder serves in another.
RUSTFLAGS="-Clink-arg=--initial-heap=65536 -Zunstable-options -Zlocation-detail=none -Cpanic=immediate-abort"
export RUSTC_BOOTSTRAP RUSTFLAGS
unset CARGO_ENCODED_RUSTFLAGS

# Flags of one group of plugins, and the level of text. std and other dependencies do not get the flags: they are compiled once.
flags= deep= text=

# build STACK LEVEL PLUGIN... builds plugins with a stack of so many bytes and an
# optimisation level. Plugins of one call share the features of their dependencies.
build() {
	CARGO_PROFILE_RELEASE_RUSTFLAGS="-Clink-arg=-zstack-size=$1 $flags" CARGO_PROFILE_RELEASE_OPT_LEVEL=$2
	export CARGO_PROFILE_RELEASE_RUSTFLAGS CARGO_PROFILE_RELEASE_OPT_LEVEL
	shift 2
	packages=
	for p; do packages="$packages -p $p"; done
	# shellcheck disable=SC2086
	/usr/bin/cargo build --quiet --release --locked --target wasm32-unknown-unknown \
		-Zprofile-rustflags --config 'profile.release.package."*".rustflags=[]' \
		${text:+--config "profile.release.package.rubric-host-text.opt-level=$text"} \
		${deep:+--config "$deep" --config profile.release.package.code-sql.strip=true} -Zbuild-std=std,panic_abort -Zbuild-std-features=optimize_for_size $packages
}

# A twentieth less time of a line than at 2, for a third more to compile before a first score, which make build does.
text=3
# shellcheck disable=SC2086
build 32768 3 $lines
text=2
build 32768 2 readability # inlined freely: a twentieth less time of a line
# Inlined where it gains much (LLVM's threshold is 225): a quarter less to compile before a
# first score, for a twentieth more time in a call.
flags=-Cllvm-args=-inline-threshold=50
# shellcheck disable=SC2086
build 32768 2 $plugins
text= flags=
# Their recursion is deep, and they are called less than they are loaded.
# shellcheck disable=SC2086
build 262144 z $answers
build 1048576 z jinja # deep syntax trees; z loads in a third of the time, and renders a fifth slower

# The grammars are C. The linker takes what a module names; of wasi-libc that is
# character classes and string functions, which import nothing.
grammars/build.sh
if [ "$target" != target ]; then # by the same path: flags are part of what cargo hashes
	mkdir -p target
	rm -rf target/grammars
	ln -s "$target/grammars" target/grammars
fi
for lib in target/grammars/lib/*.a; do flags="$flags -Clink-arg=$lib"; done
flags="$flags -Clink-arg=/usr/lib/wasm32-wasi/libc.a"
# sqlparser is recursive. The deeper stack is for its plugin alone: cargo would compile what all
# code plugins share again for other flags, in 40 seconds of a processor.
# shellcheck disable=SC2086
deep=$(printf ', "%s"' -Clink-arg=-zstack-size=2097152 $flags)
deep="profile.release.package.code-sql.rustflags=[${deep#, }]"
for p in $code; do # cargo does not look at the libraries
	[ -z "$(find target/grammars/lib -newer "$target/wasm32-unknown-unknown/release/$(echo "$p" | tr - _).wasm" 2>/dev/null)" ] || touch "$p/src/lib.rs"
done
# shellcheck disable=SC2086
build 65536 s $code

mkdir -p "$out"
for p in $lines readability $plugins $answers jinja $code; do
	install -m 644 "$target/wasm32-unknown-unknown/release/$(echo "$p" | tr - _).wasm" "$out/$p.wasm"
done
(cd "$out" && sha256sum -- *.wasm >SHA256SUMS)
# The program carries the modules compressed: code at two fifths, parse tables at a fifth.
# Dictionaries hardly shrink, and would take milliseconds to unpack before a first score.
for p in $lines readability $plugins $answers $code; do
	[ "$p" = readability ] || gzip -9nf "$out/$p.wasm"
done
if [ "$out" = dist ]; then
	toolchain >toolchain.txt
else
	diff -u dist/SHA256SUMS "$out/SHA256SUMS"
fi
cat "$out/SHA256SUMS"
