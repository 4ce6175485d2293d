// What functions of every convention ask of a case and of the configuration.

// parameters returns the names of a function's parameters, and nothing if they are more than names.
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

const last = (list) => isArray(list) && list.length > 0 ? list[0] : undefined;
const expected = (c) => c.expected ?? last(c.references);
// row is what lies under, and over it what there is of over: what is not there hides nothing.
function row(under, over) {
  const out = { ...under }, list = names(over);
  for (let k = 0; k < list.length; k++) if (over[list[k]] !== undefined && over[list[k]] !== null) out[list[k]] = over[list[k]];
  return out;
}

const ofCase = " c case input output references expected context metadata config criterion ";
const isGiven = (name) => call(indexOf, ofCase, " " + name + " ") >= 0;

const owns = Object.prototype.hasOwnProperty;
// settings are the keys of a configuration that reach a function by the names of its parameters.
function settings(list) {
  const out = [];
  for (let k = 0; k < list.length; k++) {
    if (list[k] === "config") return undefined;
    if (!isGiven(list[k])) out[out.length] = list[k];
  }
  return out;
}
// What a score would not be true without: undefined is no answer to compare with.
const lacking = { __proto__: null, output: "output", expected: "expected answer", references: "references" };
const without = (field) => ({ unscored: "the case has no " + lacking[field] });
const ofOutput = (score) => (c, config) => (c.output ?? null) === null ? without("output") : score(c, config);

// taken lists what a function takes from its only parameter apart.
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
// set is a case with what the configuration has beside it, for who takes it apart.
function set(c, config) {
  const out = { ...c }, list = names(config);
  for (let k = 0; k < list.length; k++) if (!isGiven(list[k])) out[list[k]] = config[list[k]];
  return out;
}

const ofExpected = (wants, score) => (c, config) => wants && (expected(c) ?? null) === null ? without("expected") : score(c, config);
