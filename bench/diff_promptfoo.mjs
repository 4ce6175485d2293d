// Reads {type, value, output} a line, writes promptfoo's score a line. Argument: the directory of promptfoo.
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const { assertions } = await import(pathToFileURL(process.argv[2] + "/dist/src/index.js"));
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { type, value, output } = JSON.parse(line);
  const result = await assertions.runAssertion({
    assertion: { type, value }, test: { vars: {}, assert: [] }, providerResponse: { output }, output, latencyMs: 1,
  });
  console.log(JSON.stringify(result.score));
}
process.exit(0);
