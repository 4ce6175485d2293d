// Fields of the case and keys of the configuration, as functions of every convention get them.

// parameters returns the names of a function's parameters; none if one of them is not a plain name.
const shown = Function.prototype.toString, exec = RegExp.prototype.exec;
const declared = /^(?:async\b\s*)?(?:function\b\s*)?[\w$]*\s*\(([\w$\s,=."']*)\)/, parameter = /^\s*([\w$]+)\s*(?:=.*)?$/;
function parameters(f) {
  const found = call(exec, declared, apply(shown, f, [])), list = found === null ? [] : call(split, found[1], ",");
  for (let k = 0; k < list.length; k++) {
    const name = call(exec, parameter, list[k]);
    if (name === null) return [];
    list[k] = name[1];
  }
  return list;
}

const isObject = (v) => typeof v === "object" && v !== null && !isArray(v);
// column returns what the case has by a name, else its metadata, where columns of a dataset are.
const column = (c, name) => c[name] ?? (isObject(c.metadata) && call(owns, c.metadata, name) ? c.metadata[name] : undefined) ?? undefined;
// objectOf returns the members of a column that is an object.
const objectOf = (c, name) => { const v = column(c, name); return isObject(v) ? v : {}; };
const last = (list) => isArray(list) && list.length > 0 ? list[0] : undefined;
const expected = (c) => c.expected ?? last(c.references);
// row returns a copy of under, overwritten by the values of over that are neither undefined nor null.
function row(under, over) {
  const out = { ...under }, list = names(over);
  for (let k = 0; k < list.length; k++) if (over[list[k]] !== undefined && over[list[k]] !== null) out[list[k]] = over[list[k]];
  return out;
}

const ofCase = " c case input output references expected context metadata config criterion ";
const isGiven = (name) => call(indexOf, ofCase, " " + name + " ") >= 0;

const owns = Object.prototype.hasOwnProperty;
// settings returns the keys of the configuration that a function gets by the names of its parameters; undefined: perhaps any.
function settings(list) {
  const out = [];
  for (let k = 0; k < list.length; k++) {
    if (list[k] === "config") return undefined;
    if (!isGiven(list[k])) out[out.length] = list[k];
  }
  return out;
}
// Fields that a score depends on: a case without one is unscored, never compared with undefined.
const lacking = { __proto__: null, output: "output", expected: "expected answer", references: "references", input: "input", context: "context" };
const without = (field) => ({ unscored: "the case has no " + lacking[field] });
const ofOutput = (score) => (c, config) => (c.output ?? null) === null ? without("output") : score(c, config);

// taken returns the names that a function destructures from its only parameter.
const braces = /^(?:async\b\s*)?(?:function\b\s*)?[\w$]*\s*\(\s*\{([^{}()]*)\}\s*(?:=\s*\{\s*\})?\s*(,)?/, member = /^\s*([\w$]+)/, rest = /\.\.\./;
function taken(f) {
  const found = call(exec, braces, apply(shown, f, []));
  if (found === null || found[2]) return undefined;
  if (call(test, rest, found[1])) return ["config"]; // it may read any key
  const list = call(split, found[1], ","), out = [];
  for (let k = 0; k < list.length; k++) {
    const name = call(exec, member, list[k]);
    if (name !== null) out[out.length] = name[1];
  }
  return out;
}
// set returns a case with its columns, which are in the metadata, and the keys of the configuration, for functions that destructure it.
function set(c, config) {
  const out = { ...c };
  for (const more of [isObject(c.metadata) ? row(c.metadata, c) : {}, config]) {
    const list = names(more);
    for (let k = 0; k < list.length; k++) if (!isGiven(list[k])) out[list[k]] = more[list[k]];
  }
  return out;
}

const ofExpected = (wants, score) => (c, config) => wants && (expected(c) ?? null) === null ? without("expected") : score(c, config);
