# Classes and functions of the candidate as tests see them: they stay in its instance, and what is asked of them is asked there.
import builtins, dataclasses, dis, inspect, sys, types

from . import handles
from .ends import Current, Unsupported
from .faults import meant, transparent
from .kinds import mro, namespace, said, shown
from .wire import CannotCross, COMPUTING, Encoder, Forged

ASKING = frozenset(("tests.py", "harness/guards.py"))  # where tests read an attribute: by a dot, or by getattr
_CALLED = frozenset(("__name__", "__qualname__"))
_RESUMES = frozenset(("send", "throw", "__next__"))  # methods by which a generator of the candidate tells the tests that it ends
_OURS = frozenset(("pytest", "run_python", *("harness." + name for name in "ends explain forms given guards handles instance isolated judge kinds looks mirrors names patches results sharing texts values wire".split())))


class Function:
    # A function of the candidate, or a method of one of its objects or classes. Its text of documentation is the candidate's.

    def __init__(self, owner, target, name, binds=True):
        vars(self).update(_rh=(owner, target, name), _rh_binds=binds, __module__=owner.program.module)  # a class, as an attribute of another, is not a method

    def __call__(self, *args, **named):
        owner, target, name = self._rh
        try:
            return owner.call(target, name, args, named)
        except RuntimeError as e:
            ended = vars(e).get("_rh_ended")
            if ended is None or name not in _RESUMES or type(target) is not int or not isinstance(owner.handles[target], types.GeneratorType):
                raise
        raise ended

    def __getattr__(self, name):
        if name.startswith("__") and name not in OF_FUNCTIONS and sys._getframe(1).f_code.co_filename not in ASKING:
            raise meant(AttributeError(name))
        return self._read(name)

    def __copy__(self, memo=None):
        return self

    __deepcopy__ = __copy__

    # A class whose name has no capital letter, where the tests use it as one.

    def _class(self):
        itself = self._rh[0].operate("itself", self)
        if type(itself) is not Mirror:
            raise meant(TypeError("%s is not a class" % self._rh[2]))
        return itself

    def __mro_entries__(self, bases):
        return self._class(),

    def __instancecheck__(self, v):
        return isinstance(v, self._class())

    def __subclasscheck__(self, kind):
        return issubclass(kind._class() if isinstance(kind, Function) else kind, self._class())

    def __set_name__(self, owner, name):
        if self._rh_binds:
            raise Unsupported("the tests have the candidate's function %s as a method of a class" % self._rh[2])

    def __setattr__(self, name, v):
        setattr(self._itself("set", name), name, v)
        if name == "__module__":
            vars(self)[name] = v

    def __delattr__(self, name):
        delattr(self._itself("delete", name), name)

    def _itself(self, how, name):
        itself = self._rh[0].operate("itself", self)
        if type(itself) is not Mirror and type(type(itself)) is not Mirror:
            raise Unsupported("the tests %s the attribute %s of %s" % (how, name, self._rh[2]), chosen=True)
        return itself

    def _read(self, name):
        owner = self._rh[0]
        if name in _CALLED and sys._getframe(2).f_globals.get("__name__") == "unittest.case":
            return self._rh[2]  # for a message
        itself = owner.operate("itself", self)
        if type(itself) is Mirror or itself in COMPUTING.values():
            return getattr(itself, name)
        if type(type(itself)) is not Mirror:
            raise Unsupported("the tests read the attribute %s of the candidate's function %s" % (name, self._rh[2]), chosen=True)
        return owner.get(itself._rh_n, name)

    __doc__, __annotations__, __defaults__, __kwdefaults__, __code__, __type_params__ = (property(lambda self, name=name: self._read(name)) for name in (
        "__doc__", "__annotations__", "__defaults__", "__kwdefaults__", "__code__", "__type_params__"))

    @property
    def __class__(self):
        caller = sys._getframe(1)
        if caller.f_globals.get("__name__") in _OURS and caller.f_code.co_name != "looking":  # getattr of the tests
            return Function
        itself = self._rh[0].operate("itself", self)
        return type if type(itself) is Mirror else said(type(itself)) if type(type(itself)) is Mirror else type(itself)

    def __repr__(self):
        return "<function %s of the candidate>" % self._rh[2]


class Query(Function):
    # A method by which tests ask whether an object is what they expect.

    def __call__(self, *args, **named):
        owner, target, name = self._rh
        of = owner.handles[target]
        if not (args and all(map(is_candidates, args))) and (of._rh_made == 0 and not owner.program.task.names(type(of).__name__) if name in PLACES else of._rh_made != MADE):
            raise tells_nothing(of, "call %s of" % name)
        return owner.call(target, name, args, named)


class Mirror(type):
    """The class of classes that stand for those of a candidate."""

    def __new__(meta, name, bases, own, owner=None, number=None, /, **named):
        if bases and owner is None:
            return derived(name, bases, own, named)
        kind = super().__new__(meta, name, bases, {**own, "_rh_class": number, "_rh_owner_class": owner})
        return kind

    def __init__(kind, *_, **named):
        pass

    def __instancecheck__(kind, v):
        if type.__instancecheck__(kind, v):
            return True
        if type(type(v)) is Raised:
            v = vars(v).get("_rh_handle")
        if kind._rh_class is None:
            return False
        if not is_candidates(v):  # it may be one of a protocol
            names = kind._rh_owner_class.operate("protocol", kind)
            if names is False:
                raise Unsupported("the tests ask whether a %s is of the candidate's class %s, whose metaclass looks at it" % (type(v).__name__, kind.__name__), chosen=True)
            if names is True:  # an abstract class, which may know the class of the value
                return kind._rh_owner_class.library("builtins", "issubclass", type(v), kind) is True
            return type(names) is frozenset and all(type(name) is str and inspect.getattr_static(v, name, None) is not None for name in names)
        return (type(v) in handles.STANDS or issubclass(type(v), handles.Record)) and kind in mro(v._rh_kind) or kind._rh_owner_class.library("builtins", "isinstance", v, kind) is True

    def __subclasscheck__(kind, of):
        return type.__subclasscheck__(kind, of) or kind._rh_class is not None and (
            type(of) is Mirror or type(of) is Raised and "_rh_class" in vars(of) or kind._rh_owner_class.operate("protocol", kind) is True) and kind._rh_owner_class.library("builtins", "issubclass", of, kind) is True

    def __call__(kind, *args, **named):
        if len(args) == 3 and type(args[2]) is dict and "__classdictcell__" in args[2]:  # the body of a class, which has that from Python 3.14 on
            args = *args[:2], {**{k: v for k, v in args[2].items() if k not in _MAKES_ANNOTATIONS}, **({"__annotations__": own} if (own := _annotations(args[2])) else {})}
        return kind._rh_asked().call([kind._rh_class], None, args, named, made=True)

    def __eq__(kind, other):
        """Reports whether another class is the same, or that of the library for which it stands."""
        if kind is other or not isinstance(other, type):
            return kind is other
        module, name = namespace(kind).get("_rh_library") or ("", "")
        return vars(sys.modules.get(module, types)).get(name) is other

    __hash__ = type.__hash__

    def _rh_asked(kind):
        if kind._rh_class is None:
            raise Unsupported("the tests use what stands for a class of the library as one of the candidate", chosen=True)
        return kind._rh_owner_class

    def __getattr__(kind, name):
        if kind._rh_owner_class is None or name.startswith("__") and name not in OF_CLASSES and sys._getframe(1).f_code.co_filename not in ASKING:
            raise meant(AttributeError(name))
        return kind._rh_owner_class.get([kind._rh_class], name)

    __doc__, __annotations__, __type_params__ = (property(lambda kind, name=name: None if kind._rh_class is None else kind._rh_owner_class.get([kind._rh_class], name)) for name in ("__doc__", "__annotations__", "__type_params__"))
    __bases__, __mro__ = (property(lambda kind, get=vars(type)[name].__get__: shown(get(kind))) for name in ("__bases__", "__mro__"))

    @property
    def __dict__(kind):
        return namespace(kind) if kind._rh_class is None or sys._getframe(1).f_code.co_filename not in ASKING else kind._rh_owner_class.operate("vars", kind)

    def __dir__(kind):
        return kind._rh_asked().names_of(kind)

    def __iter__(kind):
        return iter(kind._rh_asked().operate("iter", kind))

    def __getitem__(kind, key):
        return kind._rh_asked().operate("getitem", kind, key)

    def __len__(kind):
        return kind._rh_asked().operate("len", kind)

    def __bool__(kind):
        return True

    def __setattr__(kind, name, v):
        if kind._rh_class is None:
            raise Unsupported("the tests set the attribute %s of the candidate's class %s" % (name, kind.__name__), chosen=True)
        kind._rh_owner_class.assign([kind._rh_class], name, v)


METHODS = frozenset("__%s__" % name for name in "init repr str hash eq ne lt le gt ge len iter next contains getitem setitem delitem call bool int float index add sub mul truediv floordiv mod pow matmul neg abs enter exit".split())


_ALONE = frozenset("__%s__" % name for name in "init repr str len iter next bool int float index neg abs".split())  # they take no value that might be expected


def ask_of_methods():
    """Has the candidate say which special methods its classes have, for tests that name one (A.__init__): else these would be those of what stands for its objects, or of object. What
    takes another value than the object stays here."""
    def ask(kind, name):
        if (name in METHODS or name == "__dict__") and sys._getframe(1).f_code.co_filename in ASKING and kind._rh_class is not None:
            if name == "__dict__":
                return kind._rh_owner_class.operate("vars", kind)
            v = kind._rh_owner_class.get([kind._rh_class], name)
            if name in _ALONE or v is None or v is getattr(object, name, None):
                return v
        return type.__getattribute__(kind, name)
    Mirror.__getattribute__ = ask


class Raised(type):
    # The class of classes that stand for a candidate's exceptions. Their objects are of the judge, so that tests can raise them; what these lack, the candidate's object is asked.

    def __new__(meta, name, bases, own, /, **named):
        if "_rh_class" not in own:
            try:
                return _derived(name, bases, own, named)
            except CannotCross:
                pass
        return super().__new__(meta, name, bases, own, **named)

    def __init__(kind, *_, **named):
        pass

    __doc__ = property(lambda kind: kind._rh_owner_class.get([kind._rh_class], "__doc__") if "_rh_class" in vars(kind) else vars(kind).get("__doc__"))

    @transparent
    def __call__(kind, *args, **named):
        if "_rh_class" in vars(kind):
            return kind._rh_owner_class.call([kind._rh_class], None, args, named, made=True)
        try:
            return super().__call__(*args, **named)
        except TypeError:
            raise _of_tests(kind)

    @transparent
    def __getattr__(kind, name):
        if "_rh_class" not in vars(kind) or name.startswith("__") and name not in OF_CLASSES:
            raise meant(AttributeError("type object %r has no attribute %r" % (kind.__name__, name)))
        return kind._rh_owner_class.get([kind._rh_class], name)


def _of_tests(kind):
    return Unsupported("the tests derive the class %s from an exception of the candidate" % kind.__name__)


@transparent
def lacking(e, name):
    if name.startswith("_rh_") or name.startswith("__") and name.endswith("__"):
        raise meant(AttributeError("%r object has no attribute %r" % (type(e).__name__, name)))
    if "_rh_handle" not in vars(e):
        raise meant(AttributeError("%r object has no attribute %r" % (type(e).__name__, name))) if "_rh_class" in vars(type(e)) else _of_tests(type(e))
    return getattr(vars(e)["_rh_handle"], name)


_own_attributes = vars(BaseException)["__dict__"].__get__


@property
def attributes_of_raised(e):
    own = _own_attributes(e)
    return own if "_rh_handle" not in own or sys._getframe(1).f_code.co_filename not in ASKING else own["_rh_handle"]._rh_owner.operate("vars", own["_rh_handle"])


def dir_of_raised(e):
    own = vars(e)
    return dir(own["_rh_handle"]) if "_rh_handle" in own else object.__dir__(e)


@transparent
def setting(e, name, v):
    if "_rh_handle" in vars(e) and not name.startswith("_rh_") and not is_member(type(e), name):
        setattr(vars(e)["_rh_handle"], name, v)
    else:
        BaseException.__setattr__(e, name, v)


def is_member(kind, name):
    """Reports whether an exception has an attribute from a built-in class."""
    return any(name in namespace(k) for k in kind.__mro__ if type(k) is not Raised)


def of_raised(name):
    """An operator of the candidate's exceptions."""
    @transparent
    def method(e, *args):
        if "_rh_handle" not in vars(e):
            raise _of_tests(type(e))
        if name not in _ASKED_OF_RAISED:
            raise Unsupported("the tests use %s of the candidate's exception %s" % (name, type(e).__name__), chosen=True)
        return getattr(handles.Handle, name)(vars(e)["_rh_handle"], *args)
    return method


_ASKED_OF_RAISED = frozenset("__len__ __getitem__ __iter__ __bool__ __repr__ __call__".split())

_MAKES_ANNOTATIONS = frozenset(("__classdictcell__", "__annotate_func__"))
OF_BODIES = frozenset("__module__ __qualname__ __classcell__ __classdictcell__ __conditional_annotations__ __annotations_cache__ __firstlineno__ __static_attributes__ __doc__ __annotations__ __annotate__ __annotate_func__".split())


def _binds(v):
    """Reports whether an attribute of a class is a method, property or the like that the candidate has made."""
    return type(v) is Function and v._rh_binds or type(type(v)) is Mirror and v._rh_owner.operate("describes", v) is not False


@transparent
def _class_of_tests(name, bases, own, /, **named):
    """Makes a class of the tests; in the candidate's instance, if a decorator or descriptor of the candidate has made a part of it."""
    return derived(name, (), own, named) if any(map(_binds, own.values())) else type(name, bases, own, **named)


@transparent
def _decorated_class(name, bases, own, /, **named):
    """Makes a class of the tests that the candidate decorates, and may change; in the candidate's instance, if it can cross."""
    try:
        return _derived(name, (), own, named)
    except CannotCross:
        return _class_of_tests(name, bases, own, **named)


def _is_decorated(frame, body):
    """Reports whether a statement of a class has a decorator of the candidate."""
    code, at = frame.f_code, frame.f_lasti
    if code.co_code[at + 2 + 2 * _CACHES[_CALL]] != _CALL:
        return False
    for start, end, line in code.co_lines():
        if start < at and (line or 0) >= body.co_firstlineno:
            for _, _, op, n in dis._unpack_opargs(code.co_code[start:min(end, at)]):
                name = code.co_names[n >> (op == _LOAD_GLOBAL)] if op in _LOADING else code._varname_from_oparg(n) if op in _LOADING_LOCAL else ""
                if name and (is_candidates(frame.f_locals.get(name)) or is_candidates(dict.get(frame.f_globals, name))):
                    return True
    return False


_LOAD_GLOBAL = dis.opmap["LOAD_GLOBAL"]
_LOADING, _LOADING_LOCAL = frozenset((_LOAD_GLOBAL, dis.opmap["LOAD_NAME"])), frozenset(dis.opmap[name] for name in ("LOAD_FAST", "LOAD_DEREF"))


_builds = builtins.__build_class__


@transparent
def _build(body, name, /, *bases, **named):
    c = Current.current
    plain = bases in ((), (object,)) and c is not None and c.loaded and body.__code__.co_filename == "tests.py" and "metaclass" not in named
    made = {} if not plain else {"metaclass": _decorated_class if _is_decorated(sys._getframe(1), body.__code__) and not name.startswith("Test") else _class_of_tests}
    return _builds(body, name, *bases, **made, **named)


def watch_classes(on):
    """Has statements of classes of the tests make them as above. In a candidate's instance, they would only take its fuel."""
    builtins.__build_class__ = _build if on else _builds


def _options(field):
    """What a field of a dataclass was made with."""
    return {k: v for k in ("default", "default_factory", "init", "repr", "hash", "compare", "kw_only") if (v := getattr(field, k)) is not dataclasses.MISSING}


def _annotations(own):
    """The annotations in the body of a class; from Python 3.14 on, a function there makes them."""
    make = own.get("__annotate_func__")
    return own.get("__annotations__") if make is None else dataclasses.annotationlib.call_annotate_function(make, dataclasses.annotationlib.Format.FORWARDREF)


def derived(name, bases, own, named):
    """Has a class of the tests made in the candidate's instance: one below a class of the candidate, or with methods that it has made."""
    try:
        return _derived(name, bases, own, named)
    except CannotCross as e:
        raise Unsupported("the tests derive the class %s from one of the candidate's, with %s" % (name, e), chosen=any(type(b) is Mirror and b._rh_class is None for b in bases))


def _derived(name, bases, own, named):
    c = Current.current
    if not all(type(b) in (Mirror, Raised) and namespace(b).get("_rh_class") is not None and b._rh_owner_class is c for b in bases) or not c.loaded:
        raise CannotCross("beside another class")
    c.given.moves = True
    try:
        encode, body = Encoder(c.encoded).encode, []
        for k, v in own.items():
            if k not in OF_BODIES:
                how = type(v).__name__ if type(v) in (staticmethod, classmethod, property, dataclasses.Field) else ""
                body.append([k, how, *(None if x is None else encode(x) for x in ([v.fget, v.fset, v.fdel] if how == "property" else [_options(v)] if how == "Field" else [v.__func__] if how else [v]))])
        annotations = _annotations(own)
        if type(annotations) is dict:
            body.append(["__annotations__", "annotations", *(x for k, v in {**dict.fromkeys(annotations, encode(object)), **c.given.kinds().hints(annotations)}.items() for x in (encode(k), v))])
        named = {k: encode(v) for k, v in named.items()}
    finally:
        c.given.moves = False
    before = {*c.classes}
    number = c.ask("derive", name, [b._rh_class for b in bases], body, named)[1]
    kind = c.classes.get(number) if type(number) is int else None  # it is there if the candidate keeps its classes where the tests see them
    if type(number) is not int or number in before or kind is not None and type(kind) not in (Mirror, Raised):
        raise c.forged(Forged("a class"))
    cell = {k: v for k, v in own.items() if k == "__classcell__"}
    if kind is not None and cell:
        cell["__classcell__"].cell_contents = kind
    own = {"__module__": c.program.module, "__qualname__": name, **cell}
    if kind is None and any(type(b) is Raised for b in bases):
        kind = Raised(name, bases, {**own, "_rh_class": number, "_rh_owner_class": c})
    kind = c.classes[number] = kind or Mirror(name, bases or (handles.Handle,), {**own, "__doc__": namespace(handles.Handle)["__doc__"], "_rh_library": None}, c, number)
    c.program.classes.add(name)
    if not bases:
        c.program.prompt_classes.add(name)
    return kind


# How far an object is trusted with what the tests use it with: not at all (0), which is what a function returned;
# DERIVED: the candidate answered with it, and tests made it, or it came of one that they made; MADE: nobody else had it in hand.
# MIXED is DERIVED, with a value of the tests in it: that may be what they expect, so a plain value of it tells nothing.
MIXED, DERIVED, MADE = -1, 1, 2

# Methods by which tests ask an answer that should be a built-in value whether it is what they expect.
QUERIES = frozenset("""startswith endswith issubset issuperset isdisjoint difference symmetric_difference intersection union removeprefix removesuffix is_integer
    isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper
    equal equals equals_to isequal is_equal is_equal_to isclose is_close close_to almost_equal almost_equals count find index rfind rindex""".split())
PLACES = frozenset("count find index rfind rindex".split())  # an answer of a class that the tests do not name stands for a text or list: 0 would often do


def no_answer(self, frame):
    """NotImplemented, which an operator knows what to do with. A test that calls the method itself would take it as true."""
    code = frame.f_code
    if code.co_filename == "tests.py" and code.co_code[frame.f_lasti] == _CALL and not _COMPARISONS.isdisjoint(code.co_names):
        raise tells_nothing(self, "call a method of comparison of")
    return NotImplemented


def drops(frame):
    """Reports whether tests drop what their call returns, in a statement such as s.add(1) or s.add(1).add(2): an object that answers with itself is then no answer."""
    code, at = frame.f_code, frame.f_lasti
    if code.co_filename != "tests.py":
        return False
    _, places, known = _dropping.get(id(code)) or _dropping.setdefault(id(code), (code, [p[::2] for p in code.co_positions()], {}))
    if at in known:
        return known[at]
    ops, k = code.co_code, at
    while True:
        k += 2 + 2 * _CACHES[ops[k]]
        if ops[k] != _LOAD_ATTR:
            break
        while k < len(ops) and (ops[k] not in _CALLING or places[k // 2] != places[at // 2]):
            k += 2 + 2 * _CACHES[ops[k]]
        if k >= len(ops):
            break
    known[at] = k < len(ops) and ops[k] == dis.opmap["POP_TOP"]
    return known[at]


_dropping = {}
_CACHES = [dis._inline_cache_entries.get(name, 0) for name in dis.opname]
_LOAD_ATTR, _CALLING = dis.opmap["LOAD_ATTR"], frozenset(dis.opmap[name] for name in ("CALL", "CALL_KW", "CALL_FUNCTION_EX"))
_CALL, _COMPARISONS = dis.opmap["CALL"], frozenset("__eq__ __ne__ __lt__ __le__ __gt__ __ge__".split())


def tells_nothing(self, what):
    return Unsupported("the tests %s an object of the candidate's class %s, which it has answered with" % (what, type(self).__name__), chosen=True)


OF_FUNCTIONS = frozenset(("__name__", "__qualname__", "__wrapped__", "__annotations__", "__defaults__", "__kwdefaults__", "__slots__", "__func__", "__self__", "__members__", "__supertype__"))
OF_CLASSES = frozenset(("__members__", "__slots__", "__match_args__", "__abstractmethods__", "__dataclass_fields__", "__wrapped__", "__total__", "__required_keys__", "__optional_keys__"))


def is_candidates(v):
    return type(type(v)) is Mirror or type(v) in (Function, Query, Mirror) or type(v) in handles.STANDS or issubclass(type(v), handles.Record)
