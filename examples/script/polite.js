// How polite an answer is: half for a greeting, half for a closing.
const greetings = /^(hello|hi|good (morning|evening)|dear)\b/i;
const closings = /\b(thank you|thanks|best regards|you are welcome)[.!\s]*$/i;

export function score(c, config) {
  const text = (c.output ?? "").trim();
  if (text === "") return { unscored: "the case has no output" };
  const hits = [greetings.test(text) && "greeting", closings.test(text) && "closing"].filter(Boolean);
  return { score: hits.length / 2, hits };
}
