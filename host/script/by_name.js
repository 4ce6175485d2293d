// Functions whose parameters are named after fields of the case: (output, expected) in any order.

const means = {
  output: "output prediction predicted pred response completion actual candidate generated hypothesis answer",
  expected: "expected reference ref ground_truth groundTruth gold ideal target label solution",
  references: "references", input: "input question prompt query", context: "context", metadata: "metadata", config: "config",
};

// meanings are the fields of the case, by name of a parameter.
const meanings = { __proto__: null };
for (const [field, list] of names(means).map((field) => [field, means[field].split(" ")])) for (const name of list) meanings[name] = field;

// fields returns the field that each parameter gets, if the output is one of them. A parameter of another name gets a key of the
// configuration. Without an expected answer, such parameters must have defaults.
function fields(f) {
  const list = parameters(f), has = { __proto__: null };
  let outputs = 0, settings = 0;
  for (let k = 0; k < list.length; k++) if (meanings[list[k]] === "output" && list[k] !== "answer") outputs++;
  for (let k = 0; k < list.length; k++) {
    const field = list[k] === "answer" && outputs > 0 ? "expected" : meanings[list[k]]; // (prediction, answer) are two things
    if (has[field]) return undefined;
    if (field === undefined && k < f.length) settings++;
    if (field !== undefined) has[field] = true;
    list[k] = { name: list[k], field };
  }
  return has.output && (has.expected || settings === 0 && list.length > 1) ? list : undefined;
}

const byName = (list) => (f) => (c, config) => {
  const values = [];
  for (let k = 0; k < list.length; k++) {
    const { name, field } = list[k];
    if (call(owns, config, name) && !isGiven(name)) values[k] = config[name];
    else if (field === undefined) values[k] = k < f.length ? c[name] ?? (c.metadata ?? {})[name] ?? undefined : undefined;
    else values[k] = (field === "expected" ? expected(c) : field === "config" ? config : field === "metadata" ? c.metadata ?? {} : c[field]) ?? undefined;
    if (values[k] === undefined && k < f.length) {
      if (field === undefined) return { unscored: "the case has no " + name + ", which the function asks for, nor has the configuration" };
      if (lacking[field]) return without(field);
    }
  }
  return apply(f, undefined, values);
};

const names_ = (list) => { const out = []; for (let k = 0; k < list.length; k++) out[k] = list[k].name; return out; };
