let n = 0;

export function score(c) {
  n++;
  while (c.output === "loop");
  return 1 / n;
}
