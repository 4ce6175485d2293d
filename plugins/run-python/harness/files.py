# Files: a small tree in memory, in each of the two instances. The tests' files reach the candidate as far as they have named them to it, and what it writes reaches the tests:
# judge and candidate exchange what has changed, by value. All but the library's own files is in memory.
import builtins, errno, glob, io, itertools, os, stat, time

from .faults import FILES as OURS, meant, transparent

MAX_CHANGED = 400_000       # bytes of the files that a candidate has changed, in one answer
MAX_FILES = 2_000
RESERVED = OURS | {"tests.py", "solution.py", "prompt.py"}  # under these names Python looks for the lines of a traceback
TEMPORARY = "/tmp"
_REAL = ("/usr", "/dev", "/proc")
_FD = 5_000                 # numbers of open files from here on

_versions, _numbers = itertools.count(1), itertools.count(1)


class Node:
    """A file, or a directory, which has no data. version changes with it, and no two have the same."""

    __slots__ = ("data", "mode", "time", "version", "number")

    def __init__(self, data=None, mode=None):
        self.data, self.mode, self.number = data, (stat.S_IFDIR | 0o755 if data is None else stat.S_IFREG | 0o644) if mode is None else mode, next(_numbers)
        self.touch()

    def touch(self):
        self.version, self.time = next(_versions), time.time()


tree, cwd, known, fds = {}, "/", {}, {}  # nodes by path; what the other instance knows, as versions by path; open files by number
used = False  # something of the tree was looked up
hidden = set()  # in the candidate's instance: names of what the tests have not named to it


def forget():
    """Has no files but for directories that every machine has."""
    global cwd, used
    for of in (tree, known, fds, hidden):
        of.clear()
    cwd, used = "/", False
    for path in ("/", TEMPORARY):
        tree[path] = Node()
        known[path] = tree[path].version


forget()


def on_look(path, lists=False):
    """Is told before a path is looked up: patches.py and candidate.py set it."""


def on_lack(what):
    """Is told of what files in memory do not have: patches.py and candidate.py set it."""


def absolute(path):
    """A path without dots and links."""
    path = os.fsdecode(path)
    return os.path.normpath(path if path.startswith("/") else "%s/%s" % (cwd, path)).replace("//", "/")


def _error(number, path):
    return meant(OSError(number, os.strerror(number), path))


def _is_real(path):
    path = absolute(path)
    return path.startswith(_REAL) and any(path == r or path.startswith(r + "/") for r in _REAL)


def _looked(path, lists=False):
    global used
    path, used = absolute(path), True
    if path.rpartition("/")[2] in RESERVED:
        return path, None
    on_look(path, lists)
    return path, tree.get(path)


def _found(path):
    """The node at a path."""
    at, node = _looked(path)
    if node is None:
        parent = tree.get(at.rpartition("/")[0] or "/")
        raise _error(errno.ENOENT if parent is None or parent.data is None else errno.ENOTDIR, path)
    if node.data is not None and os.fsdecode(path).endswith("/"):
        raise _error(errno.ENOTDIR, path)
    return node


def _place(path):
    """The path of what is to be made, whose directory there must be."""
    at, node = _looked(path)
    parent = tree.get(at.rpartition("/")[0] or "/")
    if parent is None or parent.data is not None:
        raise _error(errno.ENOENT if parent is None else errno.ENOTDIR, path)
    if at.rpartition("/")[2] in RESERVED:
        on_lack("files of the name %s" % at.rpartition("/")[2])
        raise _error(errno.EROFS, path)
    return at, node


def below(path):
    """The paths of all that is in a directory, and below it."""
    start = path.rstrip("/") + "/"
    return [p for p in tree if p.startswith(start) and p != path]


def _names(path):
    start = path.rstrip("/") + "/"
    return [p[len(start):] for p in below(path) if "/" not in p[len(start):]]


class _Raw(io.RawIOBase):
    """An open file."""

    def __init__(self, node, flags, name, mode):
        how = flags & 3
        self.node, self.at, self.name, self.mode = node, 0, name, mode
        self._reads, self._writes, self._appends = how != os.O_WRONLY, how != os.O_RDONLY, bool(flags & os.O_APPEND)
        self._number = None

    def readable(self):
        return self._reads

    def writable(self):
        return self._writes

    def seekable(self):
        return True

    @transparent
    def _check(self, may=True):
        if self.closed:
            raise ValueError("I/O operation on closed file")
        if not may:
            raise io.UnsupportedOperation("File not open for this")
        on_look(None)

    @transparent
    def readinto(self, b):
        self._check(self._reads)
        part = self.node.data[self.at:self.at + len(b)]
        b[:len(part)] = part
        self.at += len(part)
        return len(part)

    @transparent
    def write(self, b):
        self._check(self._writes)
        b, data = bytes(b), self.node.data
        if self._appends:
            self.at = len(data)
        if self.at > len(data):
            data.extend(bytes(self.at - len(data)))
        data[self.at:self.at + len(b)] = b
        self.at += len(b)
        self.node.touch()
        return len(b)

    @transparent
    def seek(self, offset, whence=0):
        self._check()
        at = offset + (0, self.at, len(self.node.data))[whence]
        if at < 0:
            raise _error(errno.EINVAL, self.name)
        self.at = at
        return at

    @transparent
    def tell(self):
        self._check()
        return self.at

    @transparent
    def truncate(self, size=None):
        self._check(self._writes)
        size, data = self.at if size is None else size, self.node.data
        del data[size:]
        data.extend(bytes(size - len(data)))
        self.node.touch()
        return size

    @transparent
    def fileno(self):
        self._check()
        if self._number is None:
            self._number = next(n for n in itertools.count(_FD) if n not in fds)
            fds[self._number] = self
        return self._number

    def isatty(self):
        return False

    def close(self):
        fds.pop(self._number, None)
        super().close()


def _opened(path, flags, bits=0o666, mode="rb"):
    if flags & os.O_CREAT:
        at, node = _place(path)
        if node is None:
            node = tree[at] = Node(bytearray(), stat.S_IFREG | bits & 0o755)
        elif flags & os.O_EXCL:
            raise _error(errno.EEXIST, path)
    else:
        node = _found(path)
    if node.data is None:
        raise _error(errno.EISDIR, path)
    if flags & os.O_TRUNC and node.data:
        node.data.clear()
        node.touch()
    raw = _Raw(node, flags, path, mode)
    if flags & os.O_APPEND:
        raw.at = len(node.data)
    return raw


_FLAGS = {"r": 0, "w": os.O_CREAT | os.O_TRUNC, "a": os.O_CREAT | os.O_APPEND, "x": os.O_CREAT | os.O_EXCL}
_open = io.open


@transparent
def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True, opener=None):
    if type(file) is int and file not in fds or not isinstance(file, (int, str, bytes, os.PathLike)) or opener is None and type(file) is not int and _is_real(file):
        return _open(file, mode, buffering, encoding, errors, newline, closefd, opener)
    if type(file) is not int:
        file = os.fspath(file)
    if not isinstance(mode, str):
        raise TypeError("open() argument 'mode' must be str, not %s" % type(mode).__name__)
    how = set(mode)
    if how - set("axrwb+t") or len(mode) > len(how):
        raise ValueError("invalid mode: %r" % mode)
    text, do = "b" not in how, how & set("rwax")
    if not text and "t" in how:
        raise ValueError("can't have text and binary mode at once")
    if len(do) != 1:
        raise ValueError("must have exactly one of create/read/write/append mode")
    for what, v in (("encoding", encoding), ("errors", errors), ("newline", newline)):
        if not text and v is not None:
            raise ValueError("binary mode doesn't take %s %s argument" % ("a" if what == "newline" else "an", what))
    if text and buffering == 0:
        raise ValueError("can't have unbuffered text I/O")
    do, more = min(do), "+" in how
    flags = _FLAGS[do] | (os.O_RDWR if more else os.O_RDONLY if do == "r" else os.O_WRONLY)
    if opener is not None:
        file, closefd = opener(file, flags), True
        if file not in fds:
            return _open(file, mode, buffering, encoding, errors, newline)
    shown, how = do + "b" + "+" * more, (mode, buffering, encoding, errors, newline)
    if type(file) is int:
        raw = fds[file] if closefd else _Raw(fds[file].node, flags, file, shown)
        raw.mode = shown
    else:
        raw = _opened(file, flags, mode=shown)
    return raw if buffering == 0 else _wrapped(raw, *how)


def _wrapped(raw, mode, buffering, encoding, errors, newline):
    raw.how = mode, buffering, encoding, errors, newline
    buffer = (io.BufferedRandom if "+" in mode else io.BufferedReader if "r" in mode else io.BufferedWriter)(raw, io.DEFAULT_BUFFER_SIZE if buffering < 2 else buffering)
    if "b" in mode:
        return buffer
    opened = io.TextIOWrapper(buffer, "utf-8" if encoding in (None, "locale") else encoding, errors, newline, line_buffering=buffering == 1)
    opened.mode = mode
    return opened


# Open files that the tests give to the candidate.

OPEN = frozenset((io.TextIOWrapper, io.BufferedReader, io.BufferedWriter, io.BufferedRandom))


def raw_of(v):
    """The open file below what reads and writes it; None: it is not one of the tree."""
    raw = getattr(getattr(v, "buffer", v), "raw", None)
    return raw if type(raw) is _Raw and hasattr(raw, "how") else None


def path_of(v):
    """The path of an open file; None: it has none any more."""
    node = raw_of(v).node
    return next((path for path, n in tree.items() if n is node), None)


def reopened(path, name, how):
    """An open file that the tests have, too."""
    mode = how[0]
    raw = _Raw(tree[path], (os.O_APPEND if "a" in mode else 0) | (os.O_RDWR if "+" in mode else os.O_RDONLY if "r" in mode else os.O_WRONLY), name, raw_mode(mode))
    return _wrapped(raw, *how)


def raw_mode(mode):
    return mode.replace("t", "").replace("b", "")[:1] + "b" + "+" * ("+" in mode)


# What os has.

_os = {name: getattr(os, name) for name in "open close read write lseek fstat ftruncate fsync isatty stat lstat listdir scandir mkdir rmdir unlink remove rename replace getcwd chdir access chmod utime truncate link symlink readlink".split() if hasattr(os, name)}


def _by_path(f):
    """A function that takes a path, or the number of an open file."""
    own = _os.get(f.__name__.rstrip("_"))

    @transparent
    def of(path=".", *args, dir_fd=None, follow_symlinks=True, **named):
        if dir_fd is not None:
            on_lack("paths below an open directory")
        if type(path) is int and path not in fds or not isinstance(path, (int, str, bytes, os.PathLike)) or type(path) is not int and _is_real(path):
            return own(path, *args, **named)
        return f(path if type(path) is int else os.fspath(path), *args, **named)
    of.__name__ = of.__qualname__ = f.__name__
    of.__module__ = "posix"
    _mine[f.__name__] = of
    return of


def _by_number(name, f):
    own = _os.get(name)

    @transparent
    def of(fd, *args):
        return f(fds[fd], *args) if type(fd) is int and fd in fds else own(fd, *args)
    of.__name__ = of.__qualname__ = name
    _mine[name] = of


_mine = {}
for _name, _f in (("close", lambda raw: raw.close()), ("read", lambda raw, n: raw.read(n)), ("write", lambda raw, b: raw.write(b)), ("lseek", lambda raw, at, how: raw.seek(at, how)),
                  ("fstat", lambda raw: _stat_of(raw.node)), ("ftruncate", lambda raw, n: raw.truncate(n) and None), ("fsync", lambda raw: None), ("isatty", lambda raw: False)):
    _by_number(_name, transparent(_f))


def _stat_of(node):
    t = int(node.time)
    times = {"st_%s%s" % (k, more): v for k in ("atime", "mtime", "ctime") for more, v in (("", node.time), ("_ns", int(node.time * 1e9)))}
    return os.stat_result((node.mode, node.number, 1, 1, 0, 0, 4096 if node.data is None else len(node.data), t, t, t), times)


@_by_path
def stat_(path):
    return _stat_of(fds[path].node if type(path) is int else _found(path))


@_by_path
def open_(path, flags, mode=0o777):
    return _opened(path, flags, mode).fileno()


@_by_path
def listdir(path):
    at, node = _looked(path, True)
    if _found(path).data is not None:
        raise _error(errno.ENOTDIR, path)
    names = _names(at) + ["usr"] * (at == "/")
    return [os.fsencode(n) for n in names] if isinstance(path, bytes) else names


class DirEntry:
    def __init__(self, directory, name, node):
        self.name, self.path, self._node = name, os.path.join(directory, name), node

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return "<DirEntry %r>" % self.name

    def is_dir(self, *, follow_symlinks=True):
        return self._node.data is None

    def is_file(self, *, follow_symlinks=True):
        return self._node.data is not None

    def is_symlink(self):
        return False

    is_junction = is_symlink

    def stat(self, *, follow_symlinks=True):
        return _stat_of(self._node)

    def inode(self):
        return self._node.number


class _Entries:
    def __init__(self, entries):
        self._entries = iter(entries)

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._entries)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def close(self):
        pass


@_by_path
def scandir(path):
    at = absolute(path)
    return _Entries([DirEntry(path, name, tree[absolute(os.path.join(at, os.fsdecode(name)))]) for name in listdir(path) if name not in ("usr", b"usr")])


@_by_path
def mkdir(path, mode=0o777):
    at, node = _looked(path)
    if node is not None:
        raise _error(errno.EEXIST, path)
    tree[_place(path)[0]] = Node(mode=stat.S_IFDIR | mode & 0o755)


@_by_path
def rmdir(path):
    if _found(path).data is not None:
        raise _error(errno.ENOTDIR, path)
    at = absolute(path)
    if _names(at):
        raise _error(errno.ENOTEMPTY, path)
    del tree[at]


@_by_path
def unlink(path):
    if _found(path).data is None:
        raise _error(errno.EISDIR, path)
    del tree[absolute(path)]


@_by_path
def rename(path, to):
    node, (at, there) = _found(path), _place(to)
    start = absolute(path)
    if there is not None and there is not node:
        if (there.data is None) != (node.data is None):
            raise _error(errno.EISDIR if there.data is None else errno.ENOTDIR, to)
        if there.data is None and _names(at):
            raise _error(errno.ENOTEMPTY, to)
    if at.startswith(start + "/"):
        raise _error(errno.EINVAL, to)
    for p in [start, *below(start)]:
        tree[at + p[len(start):]] = tree.pop(p)


@_by_path
def access(path, mode):
    try:
        _found(path)
    except OSError:
        return False
    return True


@_by_path
def chmod(path, mode):
    node = _found(path)
    node.mode = node.mode & ~0o7777 | mode & 0o7777
    node.version = next(_versions)


@_by_path
def utime(path, times=None, *, ns=None):
    node = fds[path].node if type(path) is int else _found(path)
    node.version, node.time = next(_versions), time.time() if times is ns is None else times[1] if times is not None else ns[1] / 1e9


@_by_path
def truncate(path, size):
    _opened(path, os.O_RDWR).truncate(size)


@_by_path
def readlink(path):
    _found(path)
    raise _error(errno.EINVAL, path)


@transparent
def _links(path, *_, **__):
    on_lack("links")
    raise _error(errno.EROFS, path)


@transparent
def getcwd():
    on_look(None)
    return cwd


@transparent
def chdir(path):
    global cwd
    if not _is_real(path) and _found(path).data is not None:
        raise _error(errno.ENOTDIR, path)
    cwd = absolute(path)


for _name, _f in _mine.items():
    setattr(os, _name.rstrip("_"), _f)
    _f.__name__ = _f.__qualname__ = _name.rstrip("_")
os.lstat, os.remove, os.replace, os.link, os.symlink, os.getcwd, os.chdir = os.stat, os.unlink, os.rename, _links, _links, getcwd, chdir
builtins.open = io.open = open
open.__module__ = "_io"
if hasattr(glob, "_StringGlobber") and glob._StringGlobber.scandir is _os["scandir"]:
    glob._StringGlobber.scandir = staticmethod(os.scandir)


# What the two instances exchange.

def changes(is_told=lambda path: True):
    """What has changed since the other instance was told, as path, contents as text, mode and time; a path alone: it is gone."""
    out = []
    for path, node in tree.items():
        if known.get(path) != node.version and is_told(path):
            out.append([path, None if node.data is None else node.data.decode("latin-1"), node.mode, node.time])
            known[path] = node.version
    for path in [p for p in known if p not in tree]:
        out.append([path])
        del known[path]
    return out


def put_above():
    """Has directories above all paths."""
    for path in list(tree):
        while path != "/":
            path = path.rpartition("/")[0] or "/"
            if path not in tree or tree[path].data is not None:
                tree[path] = Node()


def apply(changed, at):
    """Has what the other instance tells be so here."""
    global cwd
    for path, *told in changed:
        if not told:
            tree.pop(path, None)
            known.pop(path, None)
            continue
        text, mode, when = told
        node = tree.get(path)
        if node is None or (node.data is None) != (text is None):
            node = tree[path] = Node(None if text is None else bytearray())
        if text is not None:
            node.data[:] = text.encode("latin-1")
        node.touch()
        node.mode, node.time, known[path] = mode, when, node.version
    cwd = at
