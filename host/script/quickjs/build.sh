#!/bin/sh
# Builds the interpreter of scripts in JavaScript: QuickJS-NG 0.16.2, with some commits after it, for
# WASI, from the C sources in the crate rquickjs-sys, with what V8 has for functions of numbers, from the crate v8. The same sources and
# compilers give the same bytes in any folder. Writes quickjs.wasm.gz; `build.sh --check` compares with it instead.
#
# Needs Debian's cargo-web, which downloads the crates, clang-19, lld-19, patch, wasi-libc and
# libclang-rt-19-dev-wasm32, and about half a minute of a processor. With other compilers the bytes
# change, so --check then answers 3: not comparable.
set -eu
cd "$(dirname "$0")"
here=$PWD
unset CFLAGS CPPFLAGS LDFLAGS CPATH C_INCLUDE_PATH
export LC_ALL=C

for tool in /usr/bin/cargo patch clang-19 wasm-ld-19 /usr/lib/wasm32-wasi/libc.a; do
	command -v "$tool" >/dev/null || [ -f "$tool" ] || {
		echo "build.sh: $tool is missing; apt-get install cargo-web clang-19 lld-19 patch wasi-libc libclang-rt-19-dev-wasm32" >&2
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

# Cargo downloads the crates; sources.txt says what they must be.
mkdir src && touch src/lib.rs
printf '[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\nrquickjs-sys = { version = "=0.14.0", default-features = false }\nv8 = { version = "=0.71.2", default-features = false }\n[workspace]\n' >Cargo.toml
PATH=/usr/bin:/bin cargo fetch -q # Debian's, as for the plugins
cp "${CARGO_HOME:-$HOME/.cargo}"/registry/cache/*/rquickjs-sys-0.14.0.crate "${CARGO_HOME:-$HOME/.cargo}"/registry/cache/*/v8-0.71.2.crate .
sha256sum --quiet -c "$here/sources.txt"
tar xf rquickjs-sys-0.14.0.crate
tar xf v8-0.71.2.crate v8-0.71.2/v8/src/base/ieee754.cc v8-0.71.2/v8/src/numbers/conversions.cc
cd rquickjs-sys-0.14.0/quickjs
# A character that is wrong only within a class of the flag v is right outside: /a-b/v. A Proxy whose trap defineProperty says yes to a property
# that stays writable is consistent: push() of one of an array. { ...text } has the letters. f() = 1 calls f, and then throws. The
# stack has an end: the host allocates 4 MiB (jsStack). There a script ends, or has a RangeError if it has said how much it may use.
# Such a script ends if its memory is used up, since an error could be caught. Strings are as long as in Node. wazero runs on a stack of
# 91 MB, of which the interpreter's frame takes 8.8 KB: minsize makes it 6.2, and calls of functions in C do without one. What nests
# with little of the script's stack, such as generators and parentheses, takes more of it, so that a script reaches its end first.
# What V8 says of values is said as there. The place of an error is that behind what is called, or of what is taken apart, in columns of
# the text, and prepareStackTrace learns as a third argument whether the program has made the error. An array within itself is no text.
patch -s -p1 <"$here/quickjs.patch"
# The last digit of Math.exp and the like is V8's, whose functions take the place of the C library's. That of powers is the library's, which is
# that of V8 since 13, of Python and of C. So are the digits that toString(3) writes, and those that parseInt of such a radix reads, beyond 2 ** 53.
cat >v8.cc <<'END'
#include <math.h>
#include <stdint.h>
#include <string.h>
#define V8_INLINE inline
#define V8_WARN_UNUSED_RESULT
#define DCHECK(x)
#define DCHECK_NE(a, b)
#define DCHECK_GT(a, b)
#define DCHECK_LT(a, b)
#define DCHECK_LE(a, b)
#define CHECK_EQ(a, b)
namespace std {
using ::floor;
static double max(double a, double b) { return a > b ? a : b; }
template <typename T> struct numeric_limits {
	static double quiet_NaN() { return NAN; }
	static double signaling_NaN() { return NAN; }
	static double infinity() { return INFINITY; }
};
}
namespace v8 { namespace base {
template <typename To, typename From> To bit_cast(From v) { return __builtin_bit_cast(To, v); }
template <typename T> T NegateWithWraparound(T v) { return 0u - v; }
static int32_t SubWithWraparound(int32_t a, int32_t b) { return (uint32_t)a - b; }
static double Divide(double a, double b) { return a / b; }
struct Double {
	double v;
	Double(double v) : v(v) {}
	double NextDouble() { return nextafter(v, INFINITY); }
	int Exponent() { return ilogb(v) - 52; }
};
} }
using namespace v8;
static double Modulo(double a, double b) { return fmod(a, b); }
template <typename T> T *NewArray(int n) { static T all[2200]; return all; }
extern "C" double StringToRounded(const char *p, unsigned radix) {
	bool negative = *p == '-';
	p += negative || *p == '+';
	while (*p == '0') p++;
	double v = 0;
	for (unsigned digit = 0; digit < radix;) {
		unsigned part = 0, times = 1;
		for (; times * radix <= 0xffffffff / 36; times *= radix, p++) {
			digit = *p >= '0' && *p <= '9' ? *p - '0' : (*p | 32) >= 'a' && (*p | 32) <= 'z' ? (*p | 32) - 'a' + 10 : 36;
			if (digit >= radix) break;
			part = part * radix + digit;
		}
		v = v * times + part;
	}
	return negative ? -v : v;
}
END
{
	sed -n '/^char\* DoubleToRadixCString/,/^}/p' ../../v8-0.71.2/v8/src/numbers/conversions.cc | sed '1s/^/extern "C" /'
	sed '/^#include/d; s/^namespace ieee754 {/&\nextern "C" {/; s/^}  *\/\/ namespace ieee754/}\n&/; s/^double pow(/static &/' ../../v8-0.71.2/v8/src/base/ieee754.cc
} >>v8.cc
# The host cannot name the address of a function. hook is a function of the script that learns of each promise that rejects without a
# handler, and of each of these that gets one. Its member settled(promise) answers [rejected, value], or undefined of a pending one;
# calls that take more bytes of the stack than bounded(bytes) has said throw a RangeError.
# call, run_jobs, run_compiled and run_timers are what the host calls, each on a native stack of its own. wazero doubles that, and adds the frame
# that did not fit, until it has more than 50 MB: so the large frames of the first calls would decide whether it ends with 51 MB or 99. reserve
# takes it to 180 KB by frames of 1 KB, for 128 numbers that are never loaded; from there it ends with at least 91 MB.
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
static JSValue bounded(JSContext *ctx, JSValueConst self, int n, JSValueConst *v) {
	int32_t bytes;
	if (JS_ToInt32(ctx, &bytes, v[0])) return JS_EXCEPTION;
	JS_SetMaxStackSize(JS_GetRuntime(ctx), bytes);
	return JS_UNDEFINED;
}
void tell_rejections(JSContext *ctx, JSValue f) {
	hook = f;
	JS_SetPropertyStr(ctx, f, "settled", JS_NewCFunction(ctx, settled, "settled", 1));
	JS_SetPropertyStr(ctx, f, "bounded", JS_NewCFunction(ctx, bounded, "bounded", 1));
	JS_SetHostPromiseRejectionTracker(JS_GetRuntime(ctx), tell, NULL);
}
#define FOUR(x) any + (any + (any + (any + (x))))
#define MANY(x) FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(x))))))))
static volatile double any;
static __attribute__((noinline)) double reserve(int frames) {
	__asm__ volatile("" : "+r"(frames));
	if (frames < 0) return MANY(MANY(MANY(MANY(reserve(frames)))));
	return frames > 0 ? reserve(frames - 1) + 1 : 0;
}
static void reserved(int stack) {
	static bool done[4];
	if (!done[stack]) reserve(100);
	done[stack] = true;
}
JSValue call(JSContext *ctx, JSValueConst f, JSValueConst self, int n, JSValueConst *v) {
	reserved(0);
	return JS_Call(ctx, f, self, n, v);
}
void run_jobs(JSRuntime *rt, JSContext **ctx) {
	reserved(1);
	while (JS_ExecutePendingJob(rt, ctx)) {}
}
JSValue run_compiled(JSContext *ctx, JSValue compiled) {
	reserved(2);
	return JS_EvalFunction(ctx, compiled);
}
void run_timers(JSContext *ctx) {
	reserved(3);
	js_std_loop(ctx);
}
void track_rejections(JSRuntime *rt) { JS_SetHostPromiseRejectionTracker(rt, js_std_promise_rejection_tracker, NULL); }
END

clang() { PATH=/usr/bin:/bin clang-19 --target=wasm32-wasi -O2 -w -fvisibility=hidden "$@"; }
clang -nostdinc++ -fno-exceptions -fno-rtti -c v8.cc -o v8.o
# shellcheck disable=SC2046
clang -mbulk-memory -mnontrapping-fptoint -std=gnu11 -funsigned-char -DNDEBUG -DJS_DEFAULT_STACK_SIZE='(3392 << 10)' -D_GNU_SOURCE \
	-D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_SIGNAL -mexec-model=reactor -Wl,--strip-debug $(sed 's/^/-Wl,--export=/' "$here/exports.txt") \
	-o "$work/quickjs.wasm" quickjs.c quickjs-libc.c libregexp.c libunicode.c dtoa.c track.c v8.o -lwasi-emulated-process-clocks -lwasi-emulated-signal
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
