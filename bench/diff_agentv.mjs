// Reads {kind, config, output, messages} a line, writes AgentV's score a line. Argument: the directory of agentv.
import { readFileSync, readdirSync } from "node:fs";
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const dist = process.argv[2] + "/dist/";
const file = readdirSync(dist).find((name) => name.endsWith(".js") && readFileSync(dist + name, "utf8").includes("var ToolTrajectoryGrader = class"));
const agentv = await import(pathToFileURL(dist + file));
console.warn = () => {}; // of calls without a duration
const assertions = {
  equals: agentv.runEqualsAssertion, contains: agentv.runContainsAssertion, "contains-any": agentv.runContainsAnyAssertion, "contains-all": agentv.runContainsAllAssertion,
  icontains: agentv.runIcontainsAssertion, "icontains-any": agentv.runIcontainsAnyAssertion, "icontains-all": agentv.runIcontainsAllAssertion,
  "starts-with": agentv.runStartsWithAssertion, "ends-with": agentv.runEndsWithAssertion, "is-json": agentv.runIsJsonAssertion,
};
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { kind, config, output, messages } = JSON.parse(line);
  const result = kind === "tool-trajectory" ? new agentv.ToolTrajectoryGrader({ config }).evaluate({ output: messages })
    : kind === "regex" ? agentv.runRegexAssertion(output, config.pattern, config.flags) : assertions[kind](output, config);
  console.log(JSON.stringify(result.score));
}
process.exit(0);
