// promptfoo: get_assert(output, context), and assertions without a name.

function contextOf(c, config) {
  const vars = { ...row(c.metadata, { input: c.input, expected: expected(c), references: c.references }), ...objectOf(c, "vars") };
  return { vars, prompt: c.input, config, test: { vars }, provider: null, logProbs: null };
}

// An assertion without a name of promptfoo's is known by its parameters: (output), (output, context),
// (output, { vars }).
const assertion = /^(?:async\b\s*)?(?:function\b\s*)?(?:[\w$]*\s*\(\s*output\s*(?:,\s*)?(?:\)|\{|_?(?:context|ctx)\b)|output\s*=>)/;
const assert = {
  fits: (f) => call(test, assertion, apply(shown, f, [])),
  shim: (f) => ofOutput((c, config) => f(c.output, contextOf(c, config))),
  reads: (f) => call(test, /^[^)]*,|\barguments\b|\.\.\./, apply(shown, f, [])) ? undefined : [],
};
shims.get_assert = assert;
shims.getAssert = assert;
signatures[signatures.length] = assert;
