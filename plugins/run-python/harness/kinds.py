# What tests are told when they ask what kind of thing an object of the candidate is. The object stays in the
# candidate's instance; here are a class like its own, and of classes of the library their names.
import ast, dis, re, sys, types

# Built-in classes that have no name among the built-in functions, and those that make iterators.
HIDDEN = {k.__name__: k for k in (*vars(types).values(), map, filter, zip, enumerate, reversed, memoryview, property, classmethod, staticmethod, *map(type, (
    iter([]), iter(()), iter(""), iter("\u0100"), iter(range(0)), iter(range(1 << 70)), iter({}), iter({}.values()), iter({}.items()), iter(set()), iter(b""), iter(bytearray()), reversed([]),
    reversed({}), reversed({}.values()), reversed({}.items()), iter(int, 0)))) if type(k) is type and k.__module__ == "builtins"}

mro, namespace = (vars(type)[name].__get__ for name in ("__mro__", "__dict__"))
_LOAD_ATTR = dis.opmap["LOAD_ATTR"]


def library_of(kind):
    """The class of the library that a class stands for, if the tests have its module; else None."""
    told = namespace(kind).get("_rh_library")
    if told is None:
        return None
    module, name = told
    found = HIDDEN.get(name) if module == "builtins" else vars(sys.modules.get(module, types)).get(name) if module.partition(".")[0] in sys.stdlib_module_names else None
    return found if isinstance(found, type) and found.__module__ == module else None


def said(kind):
    """What is said to be the class of an object. Where the tests read it, its own; where Python asks, as isinstance does, the nearest one that is not the candidate's."""
    return (library_of if is_read(sys._getframe(2)) else below)(kind) or kind


def is_read(frame):
    """Reports whether a frame reads an attribute: else Python asks for it."""
    return frame.f_code.co_code[frame.f_lasti] == _LOAD_ATTR


def below(kind):
    """The nearest class that the tests have, too; None: object."""
    return next((k for k in map(library_of, mro(kind)) if k is not None), kind._rh_shape)


def shown(kinds):
    """Classes as the tests see them."""
    return tuple(library_of(k) or k for k in kinds if k.__name__ != "Handle") or (object,)


class _Guarded(ast.NodeTransformer):
    """Has tests call what guards them where they call methods, which cannot be replaced."""

    def visit_Call(self, node):
        self.generic_visit(node)
        f, args = node.func, node.args
        if isinstance(f, ast.Name) and f.id == "type" and len(args) == 1 and not node.keywords and self.types:
            f.id = TYPE_OF
        return node

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load) and node.attr in EVALUATES and isinstance(node.value, ast.Name) and node.value.id in ("builtins", "__builtins__"):
            return ast.copy_location(ast.Name(EVALUATES[node.attr], node.ctx), node)
        if isinstance(node.ctx, ast.Load) and node.attr in _FORMATS and not isinstance(node.value, (ast.Constant, ast.JoinedStr)):
            node.value = _guard(FORMATTED, node.value)
        return node

    def visit_ImportFrom(self, node):
        if node.module != "builtins" or node.level or not any(x.name in EVALUATES for x in node.names):
            return node
        kept = [x for x in node.names if x.name not in EVALUATES]
        own = [ast.copy_location(ast.Assign([ast.Name(x.asname or x.name, ast.Store())], ast.Name(EVALUATES[x.name], ast.Load())), node) for x in node.names if x.name in EVALUATES]
        node.names = kept
        return [ast.fix_missing_locations(x) for x in ([node] * bool(kept) + own)]


_FORMATS = frozenset(("format", "format_map"))


def _guard(name, v):
    return ast.copy_location(ast.Call(ast.copy_location(ast.Name(name, ast.Load()), v), [v], []), v)


TYPE_OF, FORMATTED = "_rh_type", "_rh_formatted"
EVALUATES = {name: "_rh_" + name for name in ("eval", "exec", "compile")}
_type_call = re.compile(r"\btype\(").search
_guarded = re.compile(r"\btype\(|[\w)\]]\s*\.format(_map)?\b|builtins").search


def _is_guarded(source):
    return ("type(" in source or ".format" in source or "builtins" in source) and _guarded(source)  # the first is a hundred times as fast


def parsed(source, file):
    """Parses tests in which type(v) is said(v), as far as they ask for types and the like: it costs as much as compiling them."""
    tree = ast.parse(source, file)
    if not _is_guarded(source):
        return tree
    names = (n.id if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load) else n.arg if isinstance(n, ast.arg) else n.name if isinstance(n, (ast.FunctionDef, ast.ClassDef)) else "" for n in ast.walk(tree))
    guarded = _Guarded()
    guarded.types = _type_call(source) is not None and "type" not in names
    return guarded.visit(tree)


def source_or_tree(source, file):
    """What to compile: the text, unless it asks for types."""
    return parsed(source, file) if _is_guarded(source) else source
