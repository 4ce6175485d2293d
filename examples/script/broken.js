export function score(c) {
  const words = c.output.words();
  return words.length / 100;
}
