"""pack.py MODULE LIB OUT: writes a module with the standard library in a section, compiled, as a zip archive."""
import _imp, importlib._bootstrap_external as external, io, pathlib, sys, zipfile

# Parts of the library that scripts cannot use: graphics, terminals, processes, installers, tests.
LEFT_OUT = {"test", "tests", "__pycache__", "site-packages", "idlelib", "tkinter", "turtledemo", "turtle.py", "ensurepip", "venv", "pydoc_data", "curses", "dbm", "__phello__"}


# Variables of the build, of which scripts can use few.
SYSCONFIG = ("_sysconfigdata__wasi_wasm32-wasi.py", """
build_time_vars = {
    "prefix": "/usr/local", "exec_prefix": "/usr/local", "VERSION": "3.13", "LDVERSION": "3.13", "ABIFLAGS": "", "TZPATH": "",
    "SOABI": "cpython-313-wasm32-wasi", "EXT_SUFFIX": ".cpython-313-wasm32-wasi.so", "HOST_GNU_TYPE": "wasm32-unknown-wasi",
    "Py_DEBUG": 0, "Py_ENABLE_SHARED": 0, "Py_GIL_DISABLED": 0, "WITH_DOC_STRINGS": 1, "WITH_PYMALLOC": 1,
}
""".encode())


def archive(lib):
    """The archive is not compressed: reading it costs fuel, and python.wasm.gz is compressed whole."""
    names = [file.relative_to(lib) for file in lib.rglob("*.py")]
    sources = [(name.as_posix(), (lib / name).read_bytes()) for name in names if not LEFT_OUT & set(name.parts)]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as z:
        for name, source in sorted(sources + [SYSCONFIG]):
            code = compile(source, "/usr/local/lib/python3.13/" + name, "exec", dont_inherit=True)
            compiled = external._code_to_hash_pyc(code, _imp.source_hash(external._RAW_MAGIC_NUMBER, source), False)
            z.writestr(zipfile.ZipInfo(name + "c"), bytes(compiled))  # of 1980
    return out.getvalue()


def number(n):
    """An unsigned number in LEB128."""
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


module, lib, to = sys.argv[1:]
name = b"rubric-host.library"
library = archive(pathlib.Path(lib))
section = number(len(name)) + name + library
pathlib.Path(to).write_bytes(pathlib.Path(module).read_bytes() + b"\0" + number(len(section)) + section)
