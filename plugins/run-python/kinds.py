# What tests are told when they ask what kind of thing an object of the candidate is. The object stays in the
# candidate's instance; here are a class like its own, and of classes of the library their names.
import ast, dis, re, sys, types

# Built-in classes that have no name among the built-in functions, and those that make iterators.
HIDDEN = {k.__name__: k for k in (*vars(types).values(), map, filter, zip, enumerate, reversed, memoryview, property, classmethod, staticmethod, *map(type, (
    iter([]), iter(()), iter(""), iter("\u0100"), iter(range(0)), iter(range(1 << 70)), iter({}), iter({}.values()), iter({}.items()), iter(set()), iter(b""), iter(bytearray()), reversed([]),
    reversed({}), reversed({}.values()), reversed({}.items()), iter(int, 0)))) if type(k) is type and k.__module__ == "builtins"}

mro = vars(type)["__mro__"].__get__
_LOAD_ATTR = dis.opmap["LOAD_ATTR"]


def library_of(kind):
    """The class of the library that a class stands for, if the tests have its module; else None."""
    told = vars(kind).get("_rh_library")
    if told is None:
        return None
    module, name = told
    found = HIDDEN.get(name) if module == "builtins" else vars(sys.modules.get(module, types)).get(name) if module.partition(".")[0] in sys.stdlib_module_names else None
    return found if isinstance(found, type) and found.__module__ == module else None


def said(kind):
    """What is said to be the class of an object. Where the tests read it, its own; where Python asks, as isinstance does, the nearest one that is not the candidate's."""
    frame = sys._getframe(2)
    if frame.f_code.co_code[frame.f_lasti] == _LOAD_ATTR:
        return library_of(kind) or kind
    return below(kind) or kind


def below(kind):
    """The nearest class that the tests have, too; None: object."""
    return next((k for k in map(library_of, mro(kind)) if k is not None), kind._rh_shape)


def shown(kinds):
    """Classes as the tests see them."""
    return tuple(library_of(k) or k for k in kinds if k.__name__ != "Handle") or (object,)


class _Types(ast.NodeTransformer):
    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "type" and len(node.args) == 1 and not node.keywords:
            node.func.id = TYPE_OF
        return node


TYPE_OF = "_rh_type"
_type_call = re.compile(r"\btype\(").search


def _asks_type(source):
    return "type(" in source and _type_call(source)  # the first is a hundred times as fast


def parsed(source, file):
    """Parses tests in which type(v) is said(v), as far as they ask for types: it costs as much as compiling them."""
    tree = ast.parse(source, file)
    names = (n.id if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load) else n.arg if isinstance(n, ast.arg) else n.name if isinstance(n, (ast.FunctionDef, ast.ClassDef)) else "" for n in ast.walk(tree))
    return tree if not _asks_type(source) or "type" in names else _Types().visit(tree)


def source_or_tree(source, file):
    """What to compile: the text, unless it asks for types."""
    return parsed(source, file) if _asks_type(source) else source
