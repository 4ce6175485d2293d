// Asks ajv of each document; see .ci/schemas.
const fs = require("fs");
const path = require("path");
const Ajv = require("ajv").default;
const addFormats = require("ajv-formats").default;

const work = process.argv[2];
const cases = JSON.parse(fs.readFileSync(path.join(work, "cases.json"), "utf8"));
const validators = new Map();
const answers = cases.map(({ schema, doc }) => {
  if (!validators.has(schema.$id)) {
    const ajv = new Ajv({ strict: false, allErrors: false });
    addFormats(ajv);
    validators.set(schema.$id, ajv.compile(schema));
  }
  return validators.get(schema.$id)(doc);
});
fs.writeFileSync(path.join(work, "ajv.json"), JSON.stringify(answers));
