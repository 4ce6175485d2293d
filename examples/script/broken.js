export function score(c) {
  const text = c.output.trim();
  const words = text.split(" ");
  return words.length / c.settings.most;
}
