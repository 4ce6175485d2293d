// Asks ajv of each document; see .ci/schemas.
const fs = require("fs");
const path = require("path");
const Ajv7 = require("ajv").default;
const Ajv2020 = require("ajv/dist/2020").default;
const addFormats = require("ajv-formats").default;

const work = process.argv[2];
const cases = JSON.parse(fs.readFileSync(path.join(work, "cases.json"), "utf8"));
const validators = new Map();
const answers = cases.map(({ schema, doc }) => {
  if (!validators.has(schema.$id)) {
    const Ajv = schema.$schema.includes("2020-12") ? Ajv2020 : Ajv7;
    const ajv = new Ajv({ strict: false, allErrors: false });
    addFormats(ajv);
    validators.set(schema.$id, ajv.compile(schema));
  }
  return validators.get(schema.$id)(doc);
});
fs.writeFileSync(path.join(work, "ajv.json"), JSON.stringify(answers));
