#!/bin/sh
# Builds the interpreter of scripts in JavaScript: QuickJS-NG 0.16.2, with some commits after it, for
# WASI, from the C sources in the crate rquickjs-sys. The same sources and compilers give the same
# bytes in any folder. Writes quickjs.wasm.gz; `build.sh --check` compares with it instead.
#
# Needs Debian's cargo-web, which downloads the crate, clang-19, lld-19, wasi-libc and
# libclang-rt-19-dev-wasm32, and about half a minute of a processor. With other compilers the bytes
# change, so --check then answers 3: not comparable.
set -eu
cd "$(dirname "$0")"
here=$PWD
unset CFLAGS CPPFLAGS LDFLAGS CPATH C_INCLUDE_PATH
export LC_ALL=C

for tool in /usr/bin/cargo clang-19 wasm-ld-19 /usr/lib/wasm32-wasi/libc.a; do
	command -v "$tool" >/dev/null || [ -f "$tool" ] || {
		echo "build.sh: $tool is missing; apt-get install cargo-web clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32" >&2
		exit 2
	}
done
toolchain=$(clang-19 --version | sed -n 's/^.*clang version \([0-9.]*\).*$/clang \1/p'; wasm-ld-19 --version | sed 's/^.*LLD \([0-9.]*\).*$/lld \1/'; dpkg-query -W -f 'wasi-libc ${Version}\n' wasi-libc)
if [ "${1:-}" = --check ] && [ "$toolchain" != "$(cat toolchain.txt)" ]; then
	printf 'build.sh: this toolchain is not the one of toolchain.txt:\n%s\n' "$toolchain" >&2
	exit 3
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Cargo downloads the crate; sources.txt says what it must be.
mkdir src && touch src/lib.rs
printf '[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\nrquickjs-sys = { version = "=0.14.0", default-features = false }\n[workspace]\n' >Cargo.toml
PATH=/usr/bin:/bin cargo fetch -q # Debian's, as for the plugins
cp "${CARGO_HOME:-$HOME/.cargo}"/registry/cache/*/rquickjs-sys-0.14.0.crate .
sha256sum --quiet -c "$here/sources.txt"
tar xf rquickjs-sys-0.14.0.crate
cd rquickjs-sys-0.14.0/quickjs
# What is wrong only within a class of the flag v is refused outside too: /a-b/v.
sed -i 's/if (s->unicode_sets && p\[1\] == c) {/if (inclass \&\& s->unicode_sets \&\& p[1] == c) {/
/if (s->unicode_sets) {$/{N;s|s->unicode_sets) {\(\n *\/\* invalid characters in unicode sets\)|inclass \&\& s->unicode_sets) {\1|}' libregexp.c
grep -c 'if (inclass && s->unicode_sets' libregexp.c | grep -qx 2
# A Proxy whose trap defineProperty says yes to a property that stays writable is consistent: push() of one of an array.
sed -i 's/^                JS_PROP_WRITABLE && !(flags & JS_PROP_WRITABLE)) {/                JS_PROP_WRITABLE \&\& (flags \& (JS_PROP_HAS_WRITABLE | JS_PROP_WRITABLE)) == JS_PROP_HAS_WRITABLE) {/
s/^        if (flags & JS_PROP_HAS_WRITABLE) {$/        if ((flags \& (JS_PROP_HAS_WRITABLE | JS_PROP_WRITABLE)) == JS_PROP_HAS_WRITABLE) {/' quickjs.c
grep -c '== JS_PROP_HAS_WRITABLE) {' quickjs.c | grep -qx 3
# The host cannot name the address of a function. hook is a function of the script that learns of each promise that rejects without a
# handler, and of each of these that gets one. Its member settled(promise) answers [rejected, value], or undefined of a pending one.
cat >track.c <<'END'
#include "quickjs-libc.h"
static JSValue hook;
static void tell(JSContext *ctx, JSValueConst promise, JSValueConst reason, bool handled, void *opaque) {
	JSValueConst told[3] = { promise, reason, JS_NewBool(ctx, handled) };
	JSValue v = JS_Call(ctx, hook, JS_UNDEFINED, 3, told);
	JS_FreeValue(ctx, JS_IsException(v) ? JS_GetException(ctx) : v);
}
static JSValue settled(JSContext *ctx, JSValueConst self, int n, JSValueConst *v) {
	JSPromiseStateEnum state = JS_PromiseState(ctx, v[0]);
	if (state != JS_PROMISE_FULFILLED && state != JS_PROMISE_REJECTED) return JS_UNDEFINED;
	JSValue said[2] = { JS_NewBool(ctx, state == JS_PROMISE_REJECTED), JS_PromiseResult(ctx, v[0]) };
	return JS_NewArrayFrom(ctx, 2, said);
}
void tell_rejections(JSContext *ctx, JSValue f) {
	hook = f;
	JS_SetPropertyStr(ctx, f, "settled", JS_NewCFunction(ctx, settled, "settled", 1));
	JS_SetHostPromiseRejectionTracker(JS_GetRuntime(ctx), tell, NULL);
}
void track_rejections(JSRuntime *rt) { JS_SetHostPromiseRejectionTracker(rt, js_std_promise_rejection_tracker, NULL); }
END

# shellcheck disable=SC2046
PATH=/usr/bin:/bin clang-19 --target=wasm32-wasi -O2 -mbulk-memory -mnontrapping-fptoint -std=gnu11 -w -funsigned-char -fvisibility=hidden -DNDEBUG -D_GNU_SOURCE \
	-D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_SIGNAL -mexec-model=reactor -Wl,--strip-debug $(sed 's/^/-Wl,--export=/' "$here/exports.txt") \
	-o "$work/quickjs.wasm" quickjs.c quickjs-libc.c libregexp.c libunicode.c dtoa.c track.c -lwasi-emulated-process-clocks -lwasi-emulated-signal
cd "$work"
if [ "${1:-}" = --check ]; then
	gzip -dc "$here/quickjs.wasm.gz" | cmp quickjs.wasm - || {
		echo "build.sh: the build differs from quickjs.wasm.gz" >&2
		exit 1
	}
	exit
fi
gzip -9nc quickjs.wasm >"$here/quickjs.wasm.gz"
printf '%s\n' "$toolchain" >"$here/toolchain.txt"
sha256sum <quickjs.wasm
