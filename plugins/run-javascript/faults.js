// What the judge raises on purpose, and what is a defect or a limit of its own: that is not the candidate's fault, whoever catches it.
const meant = new WeakSet(), builtin = new Set([Error, TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError, InternalError].map((kind) => kind.prototype));
const own = /^(?!chai\.|sort\.)\w+\.js:/;

// fault has the first defect that a test has met.
export const fault = { error: undefined };

// mean marks an error that the judge raises on purpose: tests or the candidate brought it about.
export function mean(e) {
  meant.add(e);
  return e;
}

// converting returns what a conversion of values gives. If that throws, as that of an object without toString does, it is not a defect, unless the judge's
// side of an object of the candidate fails.
export function converting(f) {
  try { return f(); } catch (e) { throw e instanceof Error && !/^(?:judge|known|lent|requests|wire)\.js:/.test(placeOf(e)) ? mean(e) : e; }
}

// loosely reports whether two values are equal as == has it.
export const loosely = (a, b) => converting(() => a == b);

// placeOf returns where an error was raised: the first function on its stack that is not a built-in one.
const placeOf = (e) => /\((?!native\))([^()]*)\)/.exec(typeof e.stack === "string" ? e.stack : "")?.[1] ?? "";

// isFault reports whether an error is one that code of the judge has raised by itself.
function isFault(e) {
  if (!(e instanceof Error) || meant.has(e) || !builtin.has(Object.getPrototypeOf(e))) return false;
  return e instanceof InternalError || own.test(placeOf(e));
}

// noted returns an error, and notes it if it is a defect: a test may catch it.
export function noted(e) {
  if (fault.error === undefined && isFault(e)) fault.error = e;
  return e;
}

// guarded notes the defects of a function that tests call, or of each function in an object.
export function guarded(f) {
  if (typeof f !== "function") return Object.fromEntries(Object.entries(f).map(([name, f]) => [name, guarded(f)]));
  return (...list) => { try { return f(...list); } catch (e) { throw noted(e); } };
}
