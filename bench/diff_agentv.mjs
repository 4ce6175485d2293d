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
function* orders(calls) {
  if (!calls.length) yield [];
  for (const [i, call] of calls.entries()) for (const rest of orders(calls.toSpliced(i, 1))) yield [call, ...rest];
}
// superset takes the first call that fits, so its score depends on the order of the calls, which should not count: the best order is compared.
function trajectory(config, messages) {
  const grade = (output) => new agentv.ToolTrajectoryGrader({ config }).evaluate({ output }).score;
  let score = grade(messages);
  if (config.mode === "superset" && score < 1) for (const toolCalls of orders(messages.flatMap((m) => m.toolCalls ?? []))) score = Math.max(score, grade([{ role: "assistant", toolCalls }]));
  return score;
}
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { kind, config, output, messages } = JSON.parse(line);
  const score = kind === "tool-trajectory" ? trajectory(config, messages)
    : (kind === "regex" ? agentv.runRegexAssertion(output, config.pattern, config.flags) : assertions[kind](output, config)).score;
  console.log(JSON.stringify(score));
}
process.exit(0);
