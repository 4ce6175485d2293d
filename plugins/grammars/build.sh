#!/bin/sh
# Compiles tree-sitter and its grammars to static libraries for wasm32, one each, in
# plugins/target/grammars, or below CARGO_TARGET_DIR. The sources are the crates of Cargo.lock, checked by their
# digests. A library that is up to date is not compiled again.
#
# Needs Debian's cargo-web, clang-19, llvm-19, patch and wasi-libc (headers, and character classes).
set -eu
cd "$(dirname "$0")"
PATH=/usr/bin:/bin
export PATH
out=${CARGO_TARGET_DIR:-../target}/grammars here=$PWD
mkdir -p "$out"
/usr/bin/cargo vendor --quiet --locked --versioned-dirs "$out/src" >/dev/null
stamp="$(clang-19 --version | head -1) $(cat Cargo.lock build.sh flat.c split_lexer.awk tree-sitter.patch | sha256sum)"
if [ "$(cat "$out/stamp" 2>/dev/null)" != "$stamp" ]; then
	rm -rf "$out/lib"
	printf '%s\n' "$stamp" >"$out/stamp"
fi
mkdir -p "$out/lib"
cd "$out"

# compile NAME INCLUDE SOURCE... makes lib/NAME.a.
compile() {
	name=$1 include=$2
	shift 2
	[ ! -f "lib/$name.a" ] || return 0
	mkdir -p "obj/$name"
	for source; do
		object="obj/$name/$(basename "$source" .c).o"
		clang-19 --target=wasm32-wasi -isystem /usr/include/wasm32-wasi -Os -std=c11 -w -DNDEBUG \
			-D_POSIX_C_SOURCE=200112L -D_DEFAULT_SOURCE -mbulk-memory -ffunction-sections -fdata-sections -fvisibility=hidden \
			-I "$include" -I src/tree-sitter-0.26.5/src -c -o "$object" "$source"
	done
	llvm-ar-19 rcsD "lib/$name.a.new" obj/"$name"/*.o
	mv "lib/$name.a.new" "lib/$name.a"
}

# unpatched FILE ends the build: sed accepts a source without the line that it changes.
unpatched() {
	echo "grammars/build.sh: $1 has other code than the one that is changed here: look whether it needs the change" >&2
	exit 1
}

# A generated lexer looks for each letter among the ranges of all of Unicode, and asks by a pointer at each character
# whether it is the last.
for header in src/*/src/tree_sitter/parser.h src/*/typescript/src/tree_sitter/parser.h; do
	sed -i 's/^  uint32_t size = len - index;$/  if (lookahead < 0x80) {\n    while (len > 1 \&\& ranges->end < lookahead) ranges++, len--;\n    len = 1;\n  }\n  uint32_t size = len;/' "$header"
	grep -q 'if (lookahead < 0x80)' "$header" || unpatched "$header"
	parser=${header%/*/*}/parser.c
	sed -i 's/eof = lexer->eof(lexer);/eof = !lookahead \&\& lexer->eof(lexer);/' "$parser"
	grep -q 'eof = !lookahead' "$parser" || unpatched "$parser"
done
# Its state is read for each token: into memory that it has.
sed -i '/_deserialize(void/,/^}/s/array_delete/array_clear/' src/tree-sitter-python-*/src/scanner.c
grep -q array_clear src/tree-sitter-python-*/src/scanner.c || unpatched tree-sitter-python

mkdir -p mended
for file in lib lexer parser stack; do cp "src/tree-sitter-0.26.5/src/$file.c" mended; done
patch --silent --fuzz=0 --strip=1 --directory=mended <"$here/tree-sitter.patch"
compile tree-sitter src/tree-sitter-0.26.5/include mended/lib.c "$here/flat.c"
jobs=0
for dir in src/tree-sitter-*-[0-9]*/; do
	name=${dir#src/tree-sitter-}
	name=${name%-[0-9]*}
	grammar=$dir
	[ "$name" != typescript ] || grammar=$dir/typescript
	[ -f "$grammar/src/parser.c" ] || continue
	parser=$grammar/src/parser.c
	if [ "$name" = bash ]; then
		mkdir -p split
		awk -v middle=450 -f "$here/split_lexer.awk" "$parser" >split/parser.c
		parser=split/parser.c
	fi
	scanner=$grammar/src/scanner.c
	if [ "$name" = yaml ]; then # 0.7.1 writes 2 bytes beyond the buffer from the 254th level of indentation on
		sed 's/typ_itr != typ_end && size < TREE_SITTER_SERIALIZATION_BUFFER_SIZE/typ_itr != typ_end \&\& size + 4 <= TREE_SITTER_SERIALIZATION_BUFFER_SIZE/' "$scanner" >mended/scanner.c
		! cmp -s "$scanner" mended/scanner.c || unpatched "$scanner"
		scanner=mended/scanner.c
	fi
	set -- "$parser"
	[ ! -f "$scanner" ] || set -- "$@" "$scanner"
	compile "$name" "$grammar/src" "$@" &
	jobs=$((jobs + 1))
	[ $((jobs % 2)) -ne 0 ] || wait
done
wait
