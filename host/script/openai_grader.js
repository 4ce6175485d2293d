// OpenAI: grade(sample, item).

shims.grade = {
  shim: (f) => ofOutput((c, config) => f({ output_text: c.output, ...config.sample }, { ...row({ ...c.metadata, ...c }, { reference: expected(c), reference_answer: expected(c) }), ...objectOf(c, "item") })),
  reads: () => ["sample"],
};
