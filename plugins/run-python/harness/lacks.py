# What a candidate may need and this runtime lacks: it was not tested then.
import errno, sys, types

FILE = "solution.py"
# What a candidate lacks that counts beyond what 32 bits hold where CPython has 64: range(5 * 10**9) has no length here.
LONG = "sizes of 64 bits"
TEMPORARY = "a directory for temporary files"
DEEP = "so deep a stack of C calls"
FILES = "files that it shares with the tests"
ZONES = "the data of time zones"
CLOCK = "a clock that it shares with the tests"
TURNS = "threads that take turns"  # if it was a thread of the tests that slept; else it is CLOCK
RACES = "threads that run while another one sleeps"
ENVIRONMENT = "an environment that it shares with the tests"
LIFETIME = "to know how long the tests keep their objects"
CLASSES = "to change a class of the tests"
OVERRIDES = "to override methods of the tests' exceptions"
CYCLES = "to make objects of the tests' classes that hold one another"
MORE = "more items of a generator of the tests than can cross"
WAITS = "an event loop that it shares with the tests"
FRAMES = "the frames of the tests"
SAID = "room for more output, warnings or log records than cross"
DESCRIPTORS = "descriptors of its output that it shares with the tests"

# Packages that CPython has elsewhere and this runtime lacks. A candidate that needs one was not tested.
PACKAGES = frozenset("""numpy scipy pandas sklearn sympy networkx statsmodels matplotlib seaborn PIL cv2 torch tensorflow keras jax transformers requests bs4 lxml yaml dateutil
    pytz regex nltk numba cython sortedcontainers more_itertools pydantic attr attrs flask django fastapi aiohttp httpx psutil tqdm openpyxl cryptography Crypto gmpy2 shapely
    multiprocessing _multiprocessing subprocess _posixsubprocess asyncio ssl _ssl tkinter _tkinter curses readline sqlalchemy pulp ortools faker blist toolz cytoolz rtree chardet
    gensim textblob geopandas folium wordcloud docx xlwt pytesseract librosa skimage mechanize texttable prettytable wikipedia threads
    resource ctypes _ctypes lzma _lzma mmap fcntl pwd grp termios syslog dbm turtle""".split()) | {LONG, TEMPORARY, DEEP, FILES, ZONES, CLOCK, RACES, ENVIRONMENT, LIFETIME, CLASSES, CYCLES, OVERRIDES, MORE, WAITS, FRAMES, SAID, DESCRIPTORS}

# Packages that this runtime has, and whose objects do not cross: a test cannot compare them. run-python-sci has some.
HELD = frozenset()


def too_long(e, text):
    return (isinstance(e, OverflowError) and text.startswith("Python int too large to convert to C ")
            or isinstance(e, ValueError) and ("islice()" in text and "sys.maxsize" in text or text.startswith("Exceeds the limit (") and _raised_in(e) == "decimal"))


def _raised_in(e):
    """The module that raised an exception. Where decimal is not in C, that takes its digits for those of an int."""
    tb = e.__traceback__
    while tb.tb_next is not None:
        tb = tb.tb_next
    return tb.tb_frame.f_globals.get("__name__")


class _Missing:
    """Notes the first of PACKAGES that the candidate asks for, as the last finder of modules: programs catch the error."""

    lacked = ""

    def find_spec(self, name, path=None, target=None):
        if name in PACKAGES and self.lacked in ("", CLOCK, ENVIRONMENT):
            frame = sys._getframe(1)
            while frame is not None and "importlib" in frame.f_code.co_filename:
                frame = frame.f_back
            if frame is not None and frame.f_code.co_filename == FILE:  # not a module of Python's, which does without
                self.lacked = name


missing = _Missing()
sys.meta_path.append(missing)


resource = sys.modules["resource"] = types.ModuleType("resource")
resource.RLIMIT_STACK, resource.RLIM_INFINITY = 3, -1
resource.setrlimit, resource.getrlimit = lambda what, limits: None, lambda what: (-1, -1)


def _no_resource(name):
    missing.lacked = missing.lacked or "resource"
    raise AttributeError(name)


resource.__getattr__ = _no_resource


def lacking(e, text):
    """What this runtime lacks that an exception comes of, or nothing."""
    if isinstance(e, ModuleNotFoundError):
        return e.name or ""
    if isinstance(e, RuntimeError) and text.startswith("can't start new thread"):
        return "threads"
    if isinstance(e, FileNotFoundError) and "No usable temporary directory" in text:
        return TEMPORARY
    if isinstance(e, OSError) and e.errno == errno.EROFS:
        return FILES
    if type(e).__name__ == "ZoneInfoNotFoundError":
        return ZONES
    if isinstance(e, RecursionError) and text.startswith("Stack overflow"):
        return DEEP
    return LONG if too_long(e, text) else ""
