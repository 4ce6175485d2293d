// Functions whose parameters are named after fields of the case: (output, expected) in any order.

const means = {
  output: "output outputs prediction predicted pred response completion solution_str actual actual_output actualOutput hypothesis candidate generated text model_output modelOutput answer",
  expected: "expected expected_output expectedOutput reference ref ground_truth groundTruth gold ideal target label correct_answer correctAnswer solution",
  references: "references refs targets", input: "input inputs question prompt query", context: "context contexts", metadata: "metadata extra_info", config: "config",
};

// meanings are the fields of the case, by name of a parameter.
const meanings = { __proto__: null };
for (const [field, list] of names(means).map((field) => [field, means[field].split(" ")])) for (const name of list) meanings[name] = field;

// fields returns the field that each parameter gets, if the output is one of several. A parameter of another name gets a key of
// the configuration, or what the case has by that name.
function fields(f) {
  const list = parameters(f), has = { __proto__: null };
  let output; // the parameter that is the output, if one is: beside it other names of it stand for themselves
  for (let k = 0; k < list.length; k++) if (meanings[list[k]] === "output" && (output === undefined || output === "answer" || list[k] === "output")) output = list[k];
  for (let k = 0; k < list.length; k++) {
    let field = meanings[list[k]];
    if (field === "output" && list[k] !== output) field = list[k] === "answer" ? "expected" : undefined; // (prediction, answer) are two things
    if (has[field]) return undefined;
    if (field !== undefined) has[field] = true;
    list[k] = { name: list[k], field };
  }
  return has.output && list.length > 1 ? list : undefined;
}

const byName = (list) => (f) => (c, config) => {
  const values = [];
  for (let k = 0; k < list.length; k++) {
    const { name, field } = list[k];
    if (call(owns, config, name) && !isGiven(name)) values[k] = config[name];
    else if (field === undefined) values[k] = k < f.length ? column(c, name) : undefined;
    else if (field === "metadata") values[k] = (name === field ? undefined : column(c, name)) ?? c.metadata ?? {};
    else if (field === "config") values[k] = config;
    else if (field === "expected") values[k] = expected(c) ?? objectOf(c, "reward_model").ground_truth ?? column(c, name);
    else values[k] = c[field] ?? undefined;
    if (values[k] === undefined && k < f.length) {
      if (field === undefined) return { unscored: "the case has no " + name + ", which the function asks for, nor has the configuration" };
      if (lacking[field]) return without(field);
    }
  }
  return apply(f, undefined, values);
};

const names_ = (list) => { const out = []; for (let k = 0; k < list.length; k++) out[k] = list[k].name; return out; };
