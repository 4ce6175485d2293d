// What the judge raises on purpose, and what is a defect or a limit of its own: that is not the candidate's fault, whoever catches it.
const meant = new WeakSet(), builtin = new Set([Error, TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError, InternalError].map((kind) => kind.prototype));
const own = /^(?!chai\.|sort\.)\w+\.js:/;

// What V8 says where QuickJS says something else, as far as the error alone tells it. A third item: V8 may say something else; "own": where no built-in function raises it.
const sayings = new Map(Object.entries({
  TypeError: [
    [/^cannot read property 'Symbol\.iterator' of null$/, "null is not iterable"],
    [/^cannot read property 'Symbol\.iterator' of undefined$/, "undefined is not iterable"],
    [/^cannot read property '([^]*)' of (null|undefined)$/, "Cannot read properties of $2 (reading '$1')"],
    [/^cannot set property '([^]*)' of (null|undefined)$/, "Cannot set properties of $2 (setting '$1')"],
    [/^'(\d+)' is read-only$/, "Cannot assign to read only property '$1' of object '[object Array]'"],
    [/^'([^]*)' is read-only$/, "Cannot assign to read only property '$1' of object '#<Object>'", true],
    [/^no setter for property$/, "Cannot set property of #<Object> which has only a getter", true],
    [/^empty array$/, "Reduce of empty array with no initial value"],
    [/^circular reference$/, "Converting circular structure to JSON", true],
    [/^BigInt are forbidden in JSON\.stringify$/, "Do not know how to serialize a BigInt"],
    [/^cannot convert BigInt to number$/, "Cannot mix BigInt and other types, use explicit conversions"],
    [/^bigint argument with unary \+$/, "Cannot convert a BigInt value to a number"],
    [/^cannot convert symbol to (string|number)$/, "Cannot convert a Symbol value to a $1"],
    [/^cannot convert to object$/, "Cannot convert undefined or null to object"],
    [/^Cannot convert undefined or null to object$/, "Cannot convert undefined or null to object", "own"],
    [/^class constructors must be invoked with 'new'$/, "Class constructor cannot be invoked without 'new'", true],
    [/^invalid value used as WeakMap key$/, "Invalid value used as weak map key"],
    [/^invalid value used as WeakSet key$/, "Invalid value used in weak set"],
    [/^circular prototype chain$/, "Cyclic __proto__ value"],
    [/^not a Date object$/, "this is not a Date object."],
    [/^cannot invoke a running generator$/, "Generator is already running"],
    [/^private class field '(#[^]*)' does not exist$/, "Cannot read private member $1 from an object whose class did not declare it", true],
  ],
  ReferenceError: [
    [/^'this' can be initialized only once$/, "Super constructor may only be called once"],
    [/^this is not initialized$/, "Must call super constructor in derived class before accessing 'this' or returning from derived constructor"],
    [/^([^]*) is not initialized$/, "Cannot access '$1' before initialization"],
  ],
  RangeError: [
    [/^invalid array length$/, "Invalid array length"],
    [/^invalid string length$/, "Invalid string length"],
    [/^Date value is NaN$/, "Invalid time value"],
    [/^BigInt division by zero$/, "Division by zero"],
    [/^BigInt is too large(?: to allocate)?$/, "Maximum BigInt size exceeded"],
  ],
  URIError: [[/^expecting (?:hex digit|surrogate pair)$/, "URI malformed"]],
}).map(([name, list]) => {
  const all = list.map(([of, to, guessed = false]) => ({ of, to, guessed, words: of.source.match(/[\w ]+/g).reduce((a, b) => b.length > a.length ? b : a) }));
  return [globalThis[name].prototype, { exact: new Map(all.filter((s) => !s.of.source.includes("(")).map((s) => [s.of.source.slice(1, -1).replaceAll("\\", ""), s])), patterns: all.filter((s) => s.of.source.includes("(")) }];
}));

// unsaid has messages of QuickJS where V8's have what the error alone does not tell.
const unsaid = new Set(`not a function|not a constructor|not an object|value is not iterable|object is not extensible|could not delete property|proxy: cannot set property|revoked proxy
must be called with new|invalid brand on object|invalid 'in' operand|invalid 'instanceof' right operand|parent class must be constructor|property is not configurable|cannot convert to BigInt
regexp must have the 'g' flag|null or undefined are forbidden|invalid number of digits|invalid repeat count|invalid code point|invalid array index|cannot convert to BigInt: not an integer
cannot convert NaN or Infinity to BigInt|invalid BigInt literal|expecting ')'|unexpected end|nothing to repeat|invalid regular expression flags|duplicate group name|invalid repetition count
invalid group name|invalid class range|invalid group|invalid array buffer length|extraneous characters at the end|unknown unicode property name`.split(/[|\n]/));

// aloud is false while the judge's answers are written, which tell messages that the program does not read.
let aloud = true;
export function unheard(f) {
  const before = aloud;
  aloud = false;
  try { return f(); } finally { aloud = before; }
}

// guessed is the property of an error whose message Node may word in another way. read is called when a program reads it.
export const guessed = (message, read) => ({ configurable: true, get() { if (aloud) read(); return message; }, set(value) { Object.defineProperty(this, "message", { value, writable: true, configurable: true }); } });

// speaksAs gives errors of the language the messages of V8, unless a program has the words in its text: then they may be its own.
// read is called when it reads one that may not be V8's.
export function speaksAs(text, read) {
  const has = { __proto__: null }, guesses = { __proto__: null }; // whether the text has the words of a message; properties for messages
  const guess = (message) => guesses[message] ??= guessed(message, () => read("V8's words for \"" + message + "\""));
  // isConstant reports whether the program declares a name as a constant and changes it, but no property of that name.
  const isConstant = (name) => {
    const n = RegExp.escape(name), changes = "\\s*(?:(?:[-+*/%&|^]|\\*\\*|<<|>>>?|&&|\\|\\||\\?\\?)?=(?![=>])|\\+\\+|--)", has = (source) => new RegExp(source).test(text);
    return has("\\bconst\\b[^=;]*?(?<![\\w$.])" + n + "(?![\\w$])") && has("(?<![\\w$.]|\\bconst\\s)" + n + changes + "|(?:\\+\\+|--)" + n + "(?![\\w$])") && !has("\\.\\s*" + n + changes);
  };
  Error.prepareStackTrace = (e, places) => {
    const message = unheard(() => e.message);
    if (unsaid.has(message)) {
      if (!(has[message] ??= text.includes(message))) Object.defineProperty(e, "message", guess(message));
      return new Frames(places);
    }
    const known = typeof message === "string" && message.length < 1_000 ? sayings.get(Object.getPrototypeOf(e)) : undefined, said = known?.exact.get(message) ?? known?.patterns.find((s) => s.of.test(message));
    if (said !== undefined && !(has[said.words] ??= text.includes(said.words))) {
      const constant = said.words === " is read" && isConstant(said.of.exec(message)[1]), to = constant ? "Assignment to constant variable." : message.replace(said.of, said.to);
      if (said.guessed && !constant && !(said.guessed === "own" && places[0]?.isNative())) Object.defineProperty(e, "message", guess(to)); else e.message = to;
    }
    return new Frames(places);
  };
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
export function framesOf(e) {
  const own = e !== Error.prototype && Object.hasOwn(e, "stack") ? e.stack : stack.call(e);
  return own instanceof Frames ? String(own) : own;
}
const headed = (e, frames) => typeof frames === "string" && /^(?: {4}at |$)/.test(frames) ? (Error.prototype.toString.call(e) + "\n" + frames).trimEnd() : frames;
Object.defineProperty(Error.prototype, "stack", { get() { return headed(this, framesOf(this)); }, set(value) { Object.defineProperty(this, "stack", { value, writable: true, configurable: true }); }, configurable: true });
{
  const { captureStackTrace } = Error;
  Error.captureStackTrace = (of, from) => {
    converting(() => captureStackTrace(of, from));
    Object.defineProperty(of, "stack", { value: headed(of, String(of.stack)), writable: true, configurable: true });
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
