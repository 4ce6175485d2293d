export const score = (c) => Math.min(1, 100 / Math.max(c.output.length, 1));
