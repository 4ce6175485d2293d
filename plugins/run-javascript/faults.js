// What the judge raises on purpose, and what is a defect or a limit of its own: that is not the candidate's fault, whoever catches it.
const meant = new WeakSet(), builtin = new Set([Error, TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError, InternalError].map((kind) => kind.prototype));
const own = /^(?!chai\.|sort\.)\w+\.js:/;

// What V8 says where QuickJS says something else, as far as the error alone tells it. A third item: V8 may say something else, unless a built-in function of such a name has raised the error; the pattern of an empty name: no built-in function has.
const sayings = new Map(Object.entries({
  TypeError: [
    [/^cannot read property 'Symbol\.iterator' of (null|undefined)$/, "$1 is not iterable", true],
    [/^cannot read property '(?!Symbol\.|\{)([^]*)' of (null|undefined)$/, "Cannot read properties of $2 (reading '$1')"],
    [/^cannot set property '(?!Symbol\.|\{)([^]*)' of (null|undefined)$/, "Cannot set properties of $2 (setting '$1')"],
    [/^empty array$/, "Reduce of empty array with no initial value"],
    [/^circular reference$/, "Converting circular structure to JSON", true],
    [/^BigInt are forbidden in JSON\.stringify$/, "Do not know how to serialize a BigInt"],
    [/^cannot convert BigInt to number$/, "Cannot mix BigInt and other types, use explicit conversions", /^$/],
    [/^bigint argument with unary \+$/, "Cannot convert a BigInt value to a number"],
    [/^cannot convert symbol to (string|number)$/, "Cannot convert a Symbol value to a $1"],
    [/^cannot convert to object$/, "Cannot convert undefined or null to object", true],
    [/^Cannot convert undefined or null to object$/, "$&", /^(?:keys|values|entries|assign|getOwn\w+|getPrototypeOf|setPrototypeOf|groupBy|hasOwn)$/],
    [/^invalid value used as WeakMap key$/, "Invalid value used as weak map key"],
    [/^invalid value used as WeakSet key$/, "Invalid value used in weak set"],
    [/^circular prototype chain$/, "Cyclic __proto__ value"],
    [/^not a Date object$/, "this is not a Date object."],
    [/^cannot invoke a running generator$/, "Generator is already running"],
    [/^private class field '(#[^]*)' does not exist$/, "Cannot read private member $1 from an object whose class did not declare it", true],
    [/^not a function$/, "(intermediate value) is not a function", true],
    [/^not a constructor$/, "(intermediate value) is not a constructor", true],
    [/^Cannot destructure as it is (null|undefined)$/, "Cannot destructure '$1' as it is $1.", true],
    [/^value is not iterable$/, "object is not iterable (cannot read property Symbol(Symbol.iterator))", true],
    [/^(?!#<(?:Function|\w*Error)>|\[object (?!Array))[^]{1,60} is not a function$/, "$&", /^(?:map|filter|find(?:Last)?(?:Index)?|some|every|reduce(?:Right)?)$/],
    [/^(?![\d#])[^]{1,60} is not a function$/, "$&", /^(?:forEach|from)$/],
    [/^'#[^]*' was defined without a setter$/, "$&", true],
    [/^(?:Assignment to constant variable\.|Right-hand side of 'instanceof' is not (?:callable|an object)|Cannot convert object to primitive value|Class constructor (?!Weak|FinalizationRegistry)[\w$]+ cannot be invoked without 'new'|Constructor [^]* requires 'new'|Promise constructor cannot be invoked without 'new')$/, "$&"],
    [/^Cannot (?:add|define|assign|use|(?:delete|set)(?= property .* of (?:#<|\[object A))) (?!.*(?:#<(?:|Function|String|URL\w*|\w*Error|\w*Array)>|\[object (?!Array)))[ -~]{1,75}$/, "$&"], // QuickJS cuts longer ones
  ],
  ReferenceError: [
    [/^'this' can be initialized only once$/, "Super constructor may only be called once"],
    [/^this is not initialized$/, "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"],
    [/^([^]*) is not initialized$/, "Cannot access '$1' before initialization"],
    [/^(?:[^]* is not defined|Invalid left-hand side [^]*)$/, "$&"],
  ],
  RangeError: [
    [/^invalid array length$/, "Invalid array length", /^(?:Array)?$/],
    [/^toString\(\) radix argument must be between 2 and 36$/, "$&"],
    [/^invalid string length$/, "Invalid string length"],
    [/^Date value is NaN$/, "Invalid time value"],
    [/^BigInt division by zero$/, "Division by zero"],
    [/^BigInt is too large(?: to allocate)?$/, "Maximum BigInt size exceeded"],
    [/^Maximum call stack size exceeded$/, "$&"],
  ],
  URIError: [[/^expecting (?:hex digit|surrogate pair)$/, "URI malformed"]],
}).map(([name, list]) => [globalThis[name].prototype, { list: list.map(([of, to, guessed = false]) => ({ of, to, guessed })), seen: new Map() }]));
const MAX_SEEN = 1_000;   // messages
const MAX_CALLED = 2_000; // characters of a call

// aloud is false while the judge's answers are written, which tell messages that the program does not read.
let aloud = true;
export function unheard(f) {
  const before = aloud;
  aloud = false;
  try { return f(); } finally { aloud = before; }
}

// guessed is the property of an error whose message Node may word in another way. read is called when a program reads it, but where known returns the message.
const guesses = new WeakMap();
export function guessed(message, read, known = () => undefined) {
  const get = () => { const sure = known(); if (sure === undefined && aloud) read(); return sure ?? message; };
  guesses.set(get, known);
  return { configurable: true, get, set(value) { Object.defineProperty(this, "message", { value, writable: true, configurable: true }); } };
}

// isGuess reports whether the message of an error may not be V8's.
export function isGuess(e) {
  const known = guesses.get(Object.getOwnPropertyDescriptor(e, "message")?.get);
  return known !== undefined && known() === undefined;
}

// What QuickJS calls when it makes an error is not Error.prepareStackTrace of the program, which V8 calls when somebody reads a stack.
const { set: prepares } = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace");
function ErrorPrepareStackTrace(e, places) { return headed(e, String(new Frames(places))); }
Object.defineProperty(Error, "prepareStackTrace", { value: ErrorPrepareStackTrace, writable: true, enumerable: false, configurable: true });

// speaksAs gives errors of the language the messages of V8. read is called when a program reads one that may not be V8's.
export function speaksAs(read) {
  prepares.call(Error, (e, places, made) => {
    const message = made ? undefined : e.message;
    if (typeof message !== "string") return new Frames(places);
    const { list, seen } = sayings.get(Object.getPrototypeOf(e)) ?? {}, native = places[0]?.isNative() === true, by = native ? places[0].getFunctionName() ?? "?" : "";
    if (list !== undefined && !seen.has(message) && seen.size < MAX_SEEN) seen.set(message, message.length < 1_000 ? list.find((s) => s.of.test(message)) : undefined);
    const said = seen?.get(message), to = said === undefined ? message : message.replace(said.of, said.to);
    if (said !== undefined && (said.guessed === false || said.guessed.test?.(by))) {
      if (to !== message) e.message = to;
    } else {
      let known; // looked for when it is read
      const called = native ? undefined : () => (known ??= [writtenAt(places[0], message)])[0];
      Object.defineProperty(e, "message", guessed(to, () => read("V8's words for \"" + to + "\""), called));
    }
    return new Frames(places);
  });
}

// writtenAt returns what V8 says of an error, in words of the program at the place where QuickJS has raised it; undefined: these are more than names and their members.
const textOf = Function.prototype.toString, [lineOf, columnOf] = ["lineNumber", "columnNumber"].map((name) => Object.getOwnPropertyDescriptor(Function.prototype, name).get);
const words = new Set("async await case delete do else extends function if import in instanceof new of return switch throw typeof void while with yield".split(" "));
const ofPlace = String.raw`([A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*)(\([^()]*\))?`;
const iterated = new RegExp("^" + ofPlace + String.raw`\s*[)\]]`), destructured = /^\{\s*(?:([A-Za-z_$][\w$]*)|"([^"\\]*)"|'([^'\\]*)')\s*(?::\s*(?:[\w$]+|\{[^{}]*\}|\[[^[\]]*\])\s*)?[,}]/; // of one with a default V8 says something else
const pattern = /^\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/, valued = new RegExp(String.raw`^\s*=\s*` + ofPlace + String.raw`\s*(?:[;\n]|$)`);
function writtenAt(place, message) {
  const f = place.getFunction(), row = typeof f === "function" ? place.getLineNumber() - lineOf.call(f) : -1;
  if (row < 0) return undefined;
  if (/^(?:static\s*)?\{/.test(textOf.call(f))) return undefined; // a static block, whose names V8 does not say
  const lines = textOf.call(f).split("\n"), line = lines[row] ?? "";
  let at = 0;
  for (let bytes = place.getColumnNumber() - (row === 0 ? columnOf.call(f) : 1); bytes > 0 && at < line.length;) { // of UTF-8
    const c = line.codePointAt(at);
    bytes -= c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    at += c < 0x10000 ? 1 : 2;
  }
  const before = () => [...lines.slice(0, row), line.slice(0, at)].join("\n"), behind = () => [line.slice(at), ...lines.slice(row + 1)].join("\n");
  if (/^(?:not a function|(?:.* is )?not a constructor)$/.test(message)) return calledAt(line[at] ?? "", before().slice(-MAX_CALLED));
  const value = /^Cannot destructure as it is (\w+)$/.exec(message)?.[1];
  if (value !== undefined) {
    const text = behind(), name = destructured.exec(text), whole = pattern.exec(text)?.[0];
    if (name === null || whole === undefined) return undefined;
    const rest = text.slice(whole.length), from = /\b(?:const|let|var)\s*$/.test(before()) ? valued.exec(rest) : null, isParameter = /^\s*[,)]/.test(rest) && /^[^[]*[(,]\s*$/.test(before()) && !/\bcatch\s*\($/.test(before());
    if (from === null && !isParameter) return undefined;
    return "Cannot destructure property '" + (name[1] ?? name[2] ?? name[3]) + "' of '" + (from === null ? value === "null" ? "object null" : value : from[1] + (from[2] === undefined ? "" : "(...)")) + "' as it is " + value + ".";
  }
  if (!/ not iterable$|^cannot read property 'Symbol\.iterator'/.test(message) || !/(?:(?<![\]}]\s*)\bof\s+|\[\.\.\.)$/.test(before())) return undefined; // an item that is taken apart has the place of the list
  const of = iterated.exec(behind());
  return of === null || of[2] !== undefined ? undefined : of[1] + " is not iterable";
}

// elsewhere is what is before a call of which V8 says more, as that its value is not iterable, or less, as in names in brackets.
const elsewhere = /\/\/.*$|(?:\bof|\.\.\.|\byield\s*\*|\]\s*=)[\s(]*(?:new\s+)?$|(?<!\.)\.\.$|(?:^|[{,;}*]|\b(?:static|async|[gs]et)|\n)\s*\[[^[\]]*$/;

// calledAt returns what V8 says of a call behind a text that has failed. next: what follows.
function calledAt(next, text) {
  let out = "", calls = 0;
  const isCall = next !== "" && "(`".includes(next);
  if (!isCall && !/\bnew\s+[\w$.]+\s*$/.test(text)) return undefined;
  for (let m; ;) {
    text = text.replace(/(?<!\/\/.*)\s+$/, "");
    if ((m = /(?<![\w$#])(#?[A-Za-z_$][\w$]*)$/.exec(text)) !== null && !words.has(m[1])) {
      text = text.slice(0, m.index);
      const [dot] = /(?<!\.)\??\.\s*$/.exec(text) ?? [""];
      if (dot === "") {
        if (m[1][0] === "#" || elsewhere.test(text) || isCall && /\bnew\s+$/.test(text) && next === "`") return undefined;
        const made = /\bnew\s+$/.test(text);
        return made && calls > 0 ? undefined : (m[1] === "super" ? "(intermediate value)" : m[1]) + out + " is not a " + (made ? "constructor" : "function");
      }
      text = text.slice(0, -dot.length);
      out = m[1][0] === "#" ? "[" + m[1] + "]" + out : dot.trim() + m[1] + out;
    } else if ((m = /\[(?:(\w+)|"([\w$]*)"|'([\w$]*)'|`([\w$]*)`)\]$/.exec(text)) !== null && /[\w$)\]]$/.test(text.slice(0, m.index))) {
      out = (m[1] === undefined ? "." + (m[2] ?? m[3] ?? m[4]) : "[" + m[1] + "]") + out;
      text = text.slice(0, m.index);
    } else if (text.endsWith(")")) {
      const inner = /(?<=[\w$)\]])\((?:[^()"'`/]|"[^"\\\n]*"|'[^'\\\n]*'|\((?:[^()"'`/]|\([^()"'`/]*\))*\))*\)$/.exec(text);
      if (inner === null || words.has(/[\w$]*$/.exec(text.slice(0, inner.index))[0])) return undefined;
      calls++;
      out = "(...)" + out;
      text = text.slice(0, inner.index);
    } else return undefined;
  }
}

// misread returns what V8 says of a text that is not JSON.
function misread(text) {
  let k = 0;
  const fails = (what) => { throw what; }, at = (what) => fails(what + " in JSON at position " + k), is = (...list) => list.includes(text[k]), digit = () => text[k] >= "0" && text[k] <= "9";
  const space = () => { while (is(" ", "\t", "\n", "\r")) k++; };
  const unexpected = () => {
    if (k >= text.length) fails("Unexpected end of JSON input");
    if (digit() || is("-")) at("Unexpected number");
    if (is('"')) at("Unexpected string");
    if (["[object Object]", "NaN", "Infinity", "undefined"].includes(text)) fails('"' + text + '" is not valid JSON');
    const from = text.length > 20 && k >= 10 ? k - 10 : 0, to = text.length > 20 && k < text.length - 10 ? k + 10 : text.length;
    fails("Unexpected token '" + text[k] + "', " + (from > 0 ? "..." : "") + '"' + text.slice(from, to) + '"' + (to < text.length ? "..." : "") + " is not valid JSON");
  };
  const string = () => {
    for (k++; !is('"'); k++) {
      if (k >= text.length) at("Unterminated string");
      if (text[k] < " ") at("Bad control character in string literal");
      if (!is("\\")) continue;
      k++;
      if (k >= text.length) unexpected();
      if (!is(..."\"\\/bfnrtu")) at("Bad escaped character");
      if (is("u")) for (let n = 0; n < 4; n++) if (!/^[0-9a-f]$/i.test(text[++k] ?? "")) at("Bad Unicode escape");
    }
    k++;
  };
  const digits = (what) => { if (!digit()) at(what); while (digit()) k++; };
  const number = () => {
    if (is("-")) k++;
    if (is("0")) { k++; if (digit()) at("Unexpected number"); } else digits("No number after minus sign");
    if (is(".")) { k++; digits("Unterminated fractional number"); }
    if (is("e", "E")) { k++; if (is("+", "-")) k++; digits("Exponent part is missing a number"); }
  };
  const list = (end, item, what) => {
    k++;
    space();
    if (is(end)) return void k++;
    for (let first = true; ; first = false) {
      item(first);
      space();
      if (is(end)) return void k++;
      if (!is(",")) at(what);
      k++;
      space();
    }
  };
  const value = () => {
    space();
    const word = { t: "true", f: "false", n: "null" }[text[k]];
    if (word !== undefined) { for (const c of word) { if (text[k] !== c) unexpected(); k++; } } else if (is("{")) {
      list("}", (first) => {
        if (!is('"')) at(first ? "Expected property name or '}'" : "Expected double-quoted property name");
        string();
        space();
        if (!is(":")) at("Expected ':' after property name");
        k++;
        value();
      }, "Expected ',' or '}' after property value");
    } else if (is("[")) list("]", value, "Expected ',' or ']' after array element");
    else if (is('"')) string();
    else if (digit() || is("-")) number();
    else unexpected();
  };
  try {
    value();
    space();
    if (k < text.length) fails("Unexpected non-whitespace character after JSON at position " + k);
  } catch (e) {
    return e;
  }
}

// parsing is JSON.parse with the messages of V8.
const { parse } = JSON;
export function parsing(text, reviver) {
  const of = converting(() => String(text));
  try { return parse(of, reviver); } catch (e) {
    if (e instanceof SyntaxError && Object.getPrototypeOf(e) === SyntaxError.prototype) e.message = misread(of) ?? e.message;
    throw e instanceof SyntaxError ? mean(e) : e;
  }
}

// Frames is the stack of an error before somebody reads it.
class Frames {
  constructor(places) { this.places = places; }
  toString() { return this.places.map((p) => "    at " + (p.getFunctionName() ?? "<anonymous>") + (p.isNative() ? " (native)" : " (" + p.getFileName() + ":" + p.getLineNumber() + ":" + p.getColumnNumber() + ")")).join("\n"); }
}

// framesOf returns the stack of an error as QuickJS has it: without its name and message.
const { get: stack } = Object.getOwnPropertyDescriptor(Error.prototype, "stack");
const captured = new WeakMap(); // frames of what a program has given to Error.captureStackTrace
const framesIn = (e) => {
  const d = e === Error.prototype ? undefined : Object.getOwnPropertyDescriptor(e, "stack");
  return d === undefined || d.get !== undefined ? captured.get(e) ?? stack.call(e) : d.value;
};
export function framesOf(e) {
  const of = framesIn(e);
  return of instanceof Frames ? String(of) : of;
}

// shown returns a stack as a program reads it. A function of the program that prepares stacks does so once, and not while it prepares one.
let preparing = false;
function shown(e, frames) {
  const { prepareStackTrace: f } = Error;
  if (!(frames instanceof Frames)) return headed(e, frames);
  if (frames.made === undefined && !preparing && typeof f === "function" && f !== ErrorPrepareStackTrace) {
    preparing = true;
    try { frames.made = { is: f.call(Error, e, frames.places) }; } finally { preparing = false; }
  }
  return (frames.made ??= { is: headed(e, String(frames)) }).is;
}
const headed = (e, frames) => typeof frames === "string" && /^(?: {4}at |$)/.test(frames) ? (Error.prototype.toString.call(e) + "\n" + frames).trimEnd() : frames;
const { getOwnPropertyNames, isExtensible } = Object; // in V8 each error has its stack itself: here from when it is listed
Object.getOwnPropertyNames = { getOwnPropertyNames(of) {
  const names = getOwnPropertyNames(of);
  if (!Error.isError(of) || !names.includes("stack") && !isExtensible(of)) return names;
  if (!names.includes("stack")) keep(of, framesIn(of));
  return ["stack", ...names.filter((name) => name !== "stack")];
} }.getOwnPropertyNames;
const define = (of, d) => Object.defineProperty(of, "stack", { ...d, configurable: true });
const keep = (of, frames) => {
  captured.set(of, frames);
  define(of, { get: () => shown(of, frames), set(value) { define(this, { value, writable: true }); } });
};
define(Error.prototype, { get() { return shown(this, framesIn(this)); }, set(value) { define(this, { value, writable: true }); } });
{
  const { captureStackTrace } = Error;
  Error.captureStackTrace = (of, from) => {
    converting(() => captureStackTrace(of, typeof from === "function" ? from : Error.captureStackTrace));
    keep(of, of.stack);
  };
}

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

// placeOf returns where an error was raised: the first function on its stack that is not a built-in one. The stack of an error of the candidate is a property of its own.
const placeOf = (e) => /\((?!native\))([^()]*)\)/.exec(Object.hasOwn(e, "stack") ? "" : String(framesOf(e)))?.[1] ?? "";

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
