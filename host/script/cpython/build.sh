#!/bin/sh
# Builds the interpreter of scripts in Python: CPython 3.13.5 for WASI with zlib, bzip2 and SQLite, from
# Debian's sources, and its standard library, compiled. The same sources and compilers give the
# same bytes in any folder. Writes python.wasm.gz; `build.sh --check` compares with it instead.
# `build.sh --profile` counts how often train.py runs each part of CPython, and writes profile.gz, by which
# clang decides what to make quick and what small. It needs clang's runtime and a libc for x86 with 32 bits, whose
# functions are those of WASI: libclang-rt-19-dev and libc6-dev-i386. Two runs count a little differently.
#
# Needs Debian's clang-19, llvm-19, lld-19, wasi-libc, libclang-rt-19-dev-wasm32, gcc, make, patch and tcl,
# and about four minutes of a processor. With other compilers the bytes change, so
# --check then answers 3: not comparable.
set -eu
cd "$(dirname "$0")"
here=$PWD
PATH=/usr/bin:/bin
SOURCE_DATE_EPOCH=1749600000 PYTHONHASHSEED=0 LC_ALL=C TZ=UTC # part of the bytes
export PATH SOURCE_DATE_EPOCH PYTHONHASHSEED LC_ALL TZ
unset CFLAGS CPPFLAGS LDFLAGS CC CXX CPP PYTHONPATH PYTHONHOME MAKEFLAGS

for tool in clang-19 llvm-ar-19 wasm-ld-19 gcc make patch tclsh /usr/lib/wasm32-wasi/libc.a; do
	command -v "$tool" >/dev/null || [ -f "$tool" ] || {
		echo "build.sh: $tool is missing; apt-get install clang-19 llvm-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32 gcc make patch tcl" >&2
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

# The sources of Debian 13, from the mirror that this machine uses, by their digests.
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Codename: '"$(. /etc/os-release && echo "$VERSION_CODENAME")" | head -n 1)
mkdir -p lists/partial archives/partial
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >sources.list
apt() { apt-get -q -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=/dev/null -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/archives" -o Dir::State::Status=/dev/null -o APT::Sandbox::User= "$@"; }
apt update >apt.log 2>&1 && apt source --only-source --tar-only python3.13 zlib bzip2 sqlite3 >>apt.log 2>&1 || {
	cat apt.log >&2
	exit 1
}
sha256sum --quiet -c "$here/sources.txt"
for archive in *.orig.tar.?z; do tar xf "$archive"; done
# The limit of CPython natively. The host allows so many nested calls (cpython.go) that RecursionError comes first.
sed -i 's/Py_C_RECURSION_LIMIT 5000/Py_C_RECURSION_LIMIT 10000/' Python-3.13.5/Include/cpython/pystate.h
patch -s -d Python-3.13.5 -p1 <"$here/parser.patch"
patch -s -d Python-3.13.5 -p1 <"$here/calls.patch"
patch -s -d Python-3.13.5 -p1 <"$here/loops.patch"

# run NAME COMMAND...: its output goes to a file, which is shown if it fails.
run() {
	log=$work/$1.log
	shift
	"$@" >"$log" 2>&1 || {
		tail -n 40 "$log" >&2
		exit 1
	}
}

# CPython for this machine compiles the library, and freezes the modules that CPython starts with.
mkdir -p native/Modules wasi sqlite deps
printf '*static*\n_struct _struct.c\nbinascii binascii.c\n' >native/Modules/Setup.local # pack.py needs them
(
	cd native
	[ "${1:-}" != --profile ] || export CC="clang-19 -m32" LDFLAGS=-fprofile-instr-generate LLVM_PROFILE_FILE=/dev/null PKG_CONFIG_LIBDIR=/
	run native-configure ../Python-3.13.5/configure --without-ensurepip --without-computed-gotos OPT="-O0 ${LDFLAGS:-}"
	run native-make make -j2 python
)
if [ "${1:-}" = --profile ]; then
	LLVM_PROFILE_FILE=counts native/python -I -S -B "$here/train.py"
	llvm-profdata-19 merge -sparse -text -o profile counts
	gzip -9nc profile >"$here/profile.gz"
	exit
fi
gzip -dc "$here/profile.gz" >profile.text
llvm-profdata-19 merge -o profile profile.text

mkdir -p sysroot/include sysroot/lib
ln -s /usr/include/wasm32-wasi sysroot/include/wasm32-wasi
ln -s /usr/lib/wasm32-wasi sysroot/lib/wasm32-wasi
CC="clang-19 --target=wasm32-wasi --sysroot=../sysroot" AR=llvm-ar-19 RANLIB=llvm-ranlib-19
export CC AR RANLIB

(
	cd zlib-1.3.1
	for file in adler32 crc32 deflate infback inffast inflate inftrees trees zutil compress uncompr; do
		$CC -O3 -DHAVE_UNISTD_H=1 -c "$file.c" -o "$file.o"
	done
	llvm-ar-19 rcsD ../deps/libz.a ./*.o
	cp zlib.h zconf.h ../deps
)
(
	cd bzip2-1.0.8
	for file in blocksort huffman crctable randtable compress decompress bzlib; do
		$CC -O3 -c "$file.c" -o "$file.o"
	done
	llvm-ar-19 rcsD ../deps/libbz2.a ./*.o
	cp bzlib.h ../deps
)
(
	cd sqlite
	CC=gcc run sqlite-configure ../sqlite3-3.46.1/configure --disable-tcl
	CC=gcc run sqlite-make make sqlite3.c sqlite3.h
	$CC -O2 -w -D_WASI_EMULATED_GETPID -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_OMIT_WAL -DSQLITE_MAX_MMAP_SIZE=0 \
		-DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_MATH_FUNCTIONS -DSQLITE_TEMP_STORE=3 -c sqlite3.c -o sqlite3.o
	llvm-ar-19 rcsD ../deps/libsqlite3.a sqlite3.o
	cp sqlite3.h ../deps
)
(
	cd wasi
	# -Os: a short call waits for machine code more than it runs it. What runs in loops has -O2, where the profile has it warm.
	# The size of a type that wasi-libc has and configure does not look for.
	CONFIG_SITE=../Python-3.13.5/Tools/wasm/config.site-wasm32-wasi PKG_CONFIG_LIBDIR=/ CPP="$CC -E" \
		ZLIB_CFLAGS=-I../deps ZLIB_LIBS="-L../deps -lz" BZIP2_CFLAGS=-I../deps BZIP2_LIBS="-L../deps -lbz2" LIBSQLITE3_CFLAGS=-I../deps LIBSQLITE3_LIBS="-L../deps -lsqlite3" \
		LDFLAGS="-Wl,-s -Wl,-z,stack-size=8388608" \
		run wasi-configure ../Python-3.13.5/configure --host=wasm32-unknown-wasi --build=x86_64-pc-linux-gnu \
		--with-build-python=../native/python --prefix=/usr/local --disable-test-modules --without-ensurepip --with-pymalloc \
		OPT="-Os -DNDEBUG -fprofile-instr-use=$work/profile -Wno-profile-instr-unprofiled -Wno-profile-instr-out-of-date"
	sed -i 's|^/\* #undef SIZEOF_PTHREAD_T \*/|#define SIZEOF_PTHREAD_T 4|; s|^#define SIZEOF_PTHREAD_KEY_T 0|#define SIZEOF_PTHREAD_KEY_T 4|
s|^/\* #undef PTHREAD_KEY_T_IS_COMPATIBLE_WITH_INT \*/|#define PTHREAD_KEY_T_IS_COMPATIBLE_WITH_INT 1|' pyconfig.h
	echo '$(OBJECT_OBJS) Python/ceval.o: PY_CORE_CFLAGS += -O2' >>Makefile
	run wasi-make make -j2 python.wasm
)
native/python -I -S -B "$here/pack.py" wasi/python.wasm Python-3.13.5/Lib python.wasm
if [ "${1:-}" = --check ]; then
	gzip -dc "$here/python.wasm.gz" | cmp python.wasm - || {
		echo "build.sh: the build differs from python.wasm.gz" >&2
		exit 1
	}
	exit
fi
gzip -9nc python.wasm >"$here/python.wasm.gz"
printf '%s\n' "$toolchain" >"$here/toolchain.txt"
sha256sum <python.wasm
