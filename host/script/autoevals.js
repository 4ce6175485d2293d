// autoevals and others: scorer({ output, expected }) and evaluate(output, expected).

// A case that is taken apart has the expected answer, as autoevals have it: apart finds that, wanting that there is no default.
const apart = /^(?:async\b\s*)?(?:function\b\s*)?[\w$]*\s*\(\s*\{[^}]*\bexpected\b/;
const wanting = /^(?:async\b\s*)?(?:function\b\s*)?[\w$]*\s*\(\s*\{[^}]*\bexpected\b(?!\s*(?::\s*[\w$]+\s*)?=)/;

const scorer = {
  fits: (f) => call(test, apart, apply(shown, f, [])),
  shim: (f) => ofOutput(ofExpected(call(test, wanting, apply(shown, f, [])), (c, config) => f({ ...set(c, config), expected: expected(c), config }, config))),
  reads(f) {
    const list = taken(f);
    return list ? settings(list) : undefined;
  },
};
shims.evaluate = {
  shim(f) {
    const list = fields(f);
    return list ? byName(list)(f) : f.length > 1 ? ofOutput(ofExpected(true, (c) => f(c.output, expected(c)))) : scorer.shim(f);
  },
  reads(f) {
    const list = fields(f);
    return list ? settings(names_(list)) : f.length > 1 ? [] : scorer.reads(f);
  },
};
shims.scorer = scorer;
signatures[signatures.length] = scorer;
