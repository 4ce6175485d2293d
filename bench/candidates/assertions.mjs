// Asks node:assert, Jest's expect and chai about a table of assertions, and writes the answers:
// what run-javascript's own must agree with (TestRunJavaScript_AssertsAsTheRealTools).
//
// Usage: node bench/candidates/assertions.mjs DIRECTORY > plugins/run-javascript/testdata/assertions.json
//
// DIRECTORY gets the packages, pinned below. Node's own assertions depend on its version: use 20.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import assert from "node:assert";
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const packages = { expect: "30.5.2", chai: "6.3.0" };
const dir = resolve(process.argv[2] ?? "");
mkdirSync(dir, { recursive: true });
writeFileSync(dir + "/package.json", JSON.stringify({ private: true, dependencies: packages }));
execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund"], { cwd: dir, stdio: ["ignore", "ignore", "inherit"] });
const load = createRequire(dir + "/package.json"), from = async (name) => import(load.resolve(name));
const { expect } = await from("expect"), chai = await from("chai");

// Groups of values, each compared with each other of its group. "~": it does not cross between two instances as it is.
const groups = [
  ["0", "-0", "NaN", "1", "'1'", "1n", "2n", "true", "false", "null", "undefined", "''", "'a'", "Infinity", "~new Number(1)", "~new String('a')", "~Object(1n)", "~new Boolean(false)", "~Symbol.iterator", "~Symbol('a')", "~Symbol.for('a')"],
  ["[]", "[1]", "['1']", "[,]", "[undefined]", "[null]", "[1, , 3]", "[1, undefined, 3]", "[[1], [2]]", "[[1], ['2']]", "[NaN]", "[-0]", "[0]", "{ 0: 1, length: 1 }", "{ 0: 1 }", "new Array(2)", "[{ a: undefined }]", "[{}]", "~Object.assign([1], { x: 1 })", "~new (class L extends Array {})(1)", "new Set([1])", "'1'"],
  ["{}", "{ a: 1 }", "{ a: '1' }", "{ a: 1, b: undefined }", "{ a: undefined }", "{ a: null }", "{ a: -0 }", "{ a: 0 }", "{ a: NaN }", "{ a: { b: [1, { c: 2 }] } }", "{ a: { b: [1, { c: 2, d: undefined }] } }", "{ a: 1, b: 2 }", "{ b: 2, a: 1 }",
    "Object.create(null)", "Object.assign(Object.create(null), { a: 1 })", "~{ get a() { return 1; } }", "~new (class A { constructor() { this.a = 1; } })()", "~Object.create({ a: 1 })", "~{ a: 1, [Symbol.for('s')]: 1 }", "~Object.defineProperty({}, 'a', { value: 1 })", "~{ a: 1, [Symbol.toStringTag]: 'T' }", "[]", "null", "~() => 1"],
  ["new Map()", "new Map([[1, 2]])", "new Map([['1', 2]])", "new Map([[1, '2']])", "new Map([[1, 2], [3, 4]])", "new Map([[3, 4], [1, 2]])", "new Map([[{ a: 1 }, 2]])", "new Map([[{ a: '1' }, 2]])", "new Map([[NaN, 1]])", "new Map([[undefined, 1]])", "new Map([[null, 1]])", "new Map([['a', undefined]])", "new Map([['b', undefined]])", "new Map([['a', { b: undefined }]])", "new Map([['a', {}]])", "{}", "new Set()"],
  ["new Set()", "new Set([1, 2])", "new Set([2, 1])", "new Set(['1', 2])", "new Set([{ a: 1 }])", "new Set([{ a: '1' }])", "new Set([{ a: 1 }, { a: 1 }])", "new Set([{ a: 1 }, { a: 2 }])", "new Set([[1], [2]])", "new Set([[2], [1]])", "new Set([NaN])", "new Set([undefined])", "new Set([null])", "new Set([0])", "new Set([false])", "[1, 2]"],
  ["new Date(0)", "new Date(1)", "new Date(NaN)", "0", "'1970-01-01T00:00:00.000Z'", "{}", "~Object.assign(new Date(0), { a: 1 })", "~Object.setPrototypeOf(new Date(0), null)"],
  ["/a/", "/a/g", "/b/", "~Object.assign(/a/, { lastIndex: 1 })", "'/a/'", "~Object.assign(/a/, { x: 1 })", "{}"],
  ["new Uint8Array([1, 2])", "new Uint8Array([1, 3])", "new Uint8ClampedArray([1, 2])", "new Int8Array([1, 2])", "new Float64Array([1, 2])", "new Float64Array([NaN])", "new Float64Array([0])", "new Float64Array([-0])", "new Float32Array([0])", "new BigInt64Array([1n])", "new BigInt64Array([2n])", "new Uint8Array([1, 2]).buffer", "new Uint8Array([1, 3]).buffer", "[1, 2]", "{ 0: 1, 1: 2 }", "~new DataView(new ArrayBuffer(2))", "~Object.assign(new Uint8Array([1, 2]), { x: 1 })"],
  ["new Error('a')", "new Error('b')", "new TypeError('a')", "~{ message: 'a' }", "~{ name: 'Error', message: 'a' }", "Object.assign(new Error('a'), { code: 1 })", "Object.assign(new Error('a'), { code: 2 })", "~new Error('a', { cause: 1 })", "~new Error('a', { cause: 2 })", "~new AggregateError([new Error('x')], 'a')", "~new AggregateError([], 'a')", "~Object.assign(new Error('a'), { name: 'B' })", "~new (class B extends Error {})('a')", "'Error: a'"],
  ["~parseInt", "~() => 1", "~(() => { const o = {}; o.o = o; return o; })()", "~(() => { const o = { o: {} }; o.o.o = o; return o; })()", "~(() => { const o = { l: [] }; o.l[0] = o; return o; })()", "~{ o: {} }", "~new WeakMap()", "~new WeakSet()", "~Promise.resolve(1)", "~new (class A { #x = 1; })()", "~(class A {})", "~Math", "~(function () { return arguments; })(1)", "~[1]"],
];
const operators = [
  "assert.equal(A, B)", "assert.notEqual(A, B)", "assert.strictEqual(A, B)", "assert.notStrictEqual(A, B)", "assert.deepEqual(A, B)", "assert.notDeepEqual(A, B)", "assert.deepStrictEqual(A, B)", "assert.notDeepStrictEqual(A, B)",
  "expect(A).toBe(B)", "expect(A).toEqual(B)", "expect(A).not.toEqual(B)", "expect(A).toStrictEqual(B)", "expect(A).toMatchObject(B)", "expect([A]).toContain(B)", "expect([A]).toContainEqual(B)", "expect({ k: A }).toHaveProperty('k', B)", "expect({ k: A, l: 1 }).toEqual(expect.objectContaining({ k: B }))",
  "expect([A, 1]).toEqual(expect.arrayContaining([B]))", "expect(A).toBeGreaterThan(B)", "expect(A).toBeLessThanOrEqual(B)",
  "chai.expect(A).to.equal(B)", "chai.expect(A).to.eql(B)", "chai.expect(A).to.not.deep.equal(B)", "chai.expect([A]).to.include(B)", "chai.expect([A]).to.deep.include(B)", "chai.expect({ k: A }).to.have.property('k', B)", "chai.expect({ k: A }).to.have.deep.property('k', B)", "chai.expect([A, 1]).to.have.deep.members([1, B])",
  "chai.assert.equal(A, B)", "chai.assert.strictEqual(A, B)", "chai.assert.deepEqual(A, B)", "chai.assert.notDeepEqual(A, B)",
];

// Properties of one value, for all values of all groups.
const properties = [
  "assert(A)", "assert.ok(A)", "assert.ifError(A)", "assert.match(A, /a/)", "assert.doesNotMatch(A, /a/)", "assert.throws(() => { throw A; })", "assert.throws(() => { throw A; }, Error)", "assert.throws(() => { throw A; }, /a/)", "assert.throws(() => { throw A; }, { message: 'a' })", "assert.throws(() => { throw A; }, new Error('a'))",
  ...["toBeNull", "toBeUndefined", "toBeDefined", "toBeTruthy", "toBeFalsy", "toBeNaN"].flatMap((m) => [`expect(A).${m}()`, `expect(A).not.${m}()`]),
  ...["Object", "Array", "Error", "Function", "Map", "Number", "String"].flatMap((c) => [`expect(A).toBeInstanceOf(${c})`, `expect(A).toEqual(expect.any(${c}))`, `chai.expect(A).to.be.instanceof(${c})`]),
  "expect(A).toEqual(expect.anything())", "expect(A).toHaveLength(1)", "expect(A).toContain(1)", "expect(A).toMatch('a')", "expect(A).toMatch(/a/)", "expect(A).toBeCloseTo(1)", "expect(A).toBeCloseTo(0, 5)", "expect(A).toHaveProperty('a')", "expect(A).toHaveProperty('a.b')", "expect(A).toHaveProperty(['length'])",
  "expect(A).toEqual(expect.stringContaining('a'))", "expect(A).toEqual(expect.stringMatching(/a/))", "expect(A).toEqual(expect.closeTo(1))", "expect(A).toEqual(expect.not.anything?.() ?? 1)", "expect(A).toEqual(expect.not.arrayContaining([1]))", "expect(A).toEqual(expect.not.objectContaining({ a: 1 }))", "expect(A).toEqual(expect.not.stringContaining('a'))",
  "expect(() => { throw A; }).toThrow()", "expect(() => { throw A; }).toThrow('a')", "expect(() => { throw A; }).toThrow(/a/)", "expect(() => { throw A; }).toThrow(Error)", "expect(() => { throw A; }).toThrow(TypeError)", "expect(() => { throw A; }).toThrow(new Error('a'))", "expect(A).toThrow()",
  ...["object", "number", "string", "array", "undefined", "null", "function", "map", "error", "date", "regexp", "bigint"].map((t) => `chai.expect(A).to.be.a('${t}')`),
  ...["ok", "true", "false", "null", "undefined", "NaN", "exist", "empty", "finite"].flatMap((p) => [`chai.expect(A).to.be.${p}`, `chai.expect(A).to.not.be.${p}`]),
  "chai.expect(A).to.have.property('a')", "chai.expect(A).to.have.own.property('a')", "chai.expect(A).to.have.lengthOf(1)", "chai.expect(A).to.be.above(0)", "chai.expect(A).to.be.at.least(1)", "chai.expect(A).to.be.below(1)", "chai.expect(A).to.be.at.most(1)", "chai.expect(A).to.be.within(0, 1)", "chai.expect(A).to.be.closeTo(1, 0.5)",
  "chai.expect(A).to.match(/a/)", "chai.expect(A).to.include('a')", "chai.expect(A).to.include({ a: 1 })", "chai.expect(A).to.have.keys('a')", "chai.expect(A).to.have.all.keys('a', 'b')", "chai.expect(A).to.have.any.keys('a', 'x')", "chai.expect(A).to.be.oneOf([1, 'a', null])", "chai.expect(A).to.be.deep.oneOf([[1], { a: 1 }])", "chai.expect(A).to.satisfy((x) => x == 1)", "chai.expect(A).to.have.members([1])", "chai.expect(A).to.include.members([1])", "chai.expect(A).to.have.string('a')",
  "chai.expect(() => { throw A; }).to.throw()", "chai.expect(() => { throw A; }).to.throw('a')", "chai.expect(() => { throw A; }).to.throw(Error)", "chai.expect(() => { throw A; }).to.throw(TypeError, 'a')", "chai.expect(() => { throw A; }).to.throw(/a/)", "chai.expect(A).to.throw()",
  ...["isTrue", "isFalse", "isOk", "isNotOk", "isNull", "isNotNull", "isUndefined", "isDefined", "isNaN", "exists", "notExists", "isArray", "isNotArray", "isObject", "isString", "isNumber", "isBoolean", "isFunction", "isFinite", "isEmpty", "isNotEmpty"].map((m) => `chai.assert.${m}(A)`),
  "chai.assert.lengthOf(A, 1)", "chai.assert.property(A, 'a')", "chai.assert.notProperty(A, 'a')", "chai.assert.propertyVal(A, 'a', 1)", "chai.assert.include(A, 1)", "chai.assert.notInclude(A, 1)", "chai.assert.isAbove(A, 0)", "chai.assert.isAtLeast(A, 1)", "chai.assert.isBelow(A, 1)", "chai.assert.isAtMost(A, 1)", "chai.assert.closeTo(A, 1, 0.5)", "chai.assert.typeOf(A, 'object')", "chai.assert.instanceOf(A, Object)", "chai.assert.match(A, /a/)", "chai.assert.sameMembers(A, [1])", "chai.assert.sameDeepMembers(A, [[1], [2]])", "chai.assert.hasAllKeys(A, ['a'])", "chai.assert.oneOf(A, [1, 'a'])", "chai.assert.throws(() => { throw A; }, /a/)", "chai.assert.doesNotThrow(() => A)",
];

// What else there is: promises, messages, subsets, paths.
const single = `
await expect(Promise.resolve(1)).resolves.toBe(1)
await expect(Promise.resolve(1)).resolves.toBe(2)
await expect(Promise.resolve(1)).resolves.not.toBe(2)
await expect(Promise.reject(new Error("a"))).resolves.toBe(1)
await expect(Promise.reject(new Error("a"))).resolves.not.toBe(1)
await expect(Promise.reject(new Error("a b"))).rejects.toThrow("a")
await expect(Promise.reject(new Error("a b"))).rejects.toThrow("c")
await expect(Promise.reject(new TypeError("a b"))).rejects.toThrow(TypeError)
await expect(Promise.reject(new TypeError("a b"))).rejects.toThrow(RangeError)
await expect(Promise.reject(new TypeError("a b"))).rejects.toThrow()
await expect(Promise.reject(new TypeError("a b"))).rejects.not.toThrow()
await expect(Promise.reject(new TypeError("a b"))).rejects.toBeInstanceOf(TypeError)
await expect(Promise.reject(new TypeError("a b"))).rejects.toEqual(new TypeError("a b"))
await expect(Promise.reject(new TypeError("a b"))).rejects.toMatchObject({ message: "a b" })
await expect(Promise.reject(7)).rejects.toBe(7)
await expect(Promise.reject(7)).rejects.toBe(8)
await expect(Promise.reject("a")).rejects.toThrow()
await expect(Promise.reject("a")).rejects.toThrow("a")
await expect(Promise.resolve(1)).rejects.toThrow()
await expect(Promise.resolve(1)).rejects.not.toThrow()
await expect(Promise.resolve([1, { a: 2 }])).resolves.toEqual([1, { a: 2 }])
await expect(Promise.resolve([1, 2])).resolves.toHaveLength(2)
await expect(async () => 1).resolves.toBe(1)
await expect(async () => { throw new Error("a"); }).rejects.toThrow("a")
await expect(new Promise((done) => setTimeout(done, 5, 3))).resolves.toBe(3)
await expect(new Promise((_, fail) => setTimeout(fail, 5, new Error("late")))).rejects.toThrow("late")
await expect(1).resolves.toBe(1)
await expect({ then: (f) => f(1) }).resolves.toBe(1)
await assert.rejects(Promise.reject(new Error("a")))
await assert.rejects(Promise.reject(new Error("a")), Error)
await assert.rejects(Promise.reject(new Error("a")), TypeError)
await assert.rejects(Promise.reject(new Error("a")), /a/)
await assert.rejects(Promise.reject(new Error("a")), /^b/)
await assert.rejects(Promise.reject(new Error("a")), { message: "a" })
await assert.rejects(Promise.reject(new Error("a")), { message: "a", name: "Error" })
await assert.rejects(Promise.reject(new Error("a")), { message: "b" })
await assert.rejects(Promise.reject(new Error("a")), (e) => e.message === "a")
await assert.rejects(Promise.reject(new Error("a")), (e) => e.message === "b")
await assert.rejects(Promise.reject(new Error("a")), () => 1)
await assert.rejects(async () => { throw new Error("a"); }, /a/)
await assert.rejects(async () => 1)
await assert.rejects(Promise.resolve(1))
await assert.rejects(() => { throw new Error("a"); })
await assert.rejects(() => 1)
await assert.rejects(1)
await assert.doesNotReject(Promise.resolve(1))
await assert.doesNotReject(async () => 1)
await assert.doesNotReject(Promise.reject(new Error("a")))
assert.throws(() => {})
assert.throws(() => { throw new Error("a b"); }, /^Error: a b$/)
assert.throws(() => { throw new Error("a b"); }, /^a b$/)
assert.throws(() => { throw new TypeError("a"); }, Error)
assert.throws(() => { throw new Error("a"); }, TypeError)
assert.throws(() => { throw new TypeError("a"); }, { name: "TypeError", message: "a" })
assert.throws(() => { throw new TypeError("a"); }, { name: "TypeError", message: /a/ })
assert.throws(() => { throw new TypeError("a"); }, { name: "TypeError", message: /b/ })
assert.throws(() => { throw new TypeError("a"); }, { code: 1 })
assert.throws(() => { throw Object.assign(new TypeError("a"), { code: 1 }); }, { code: 1 })
assert.throws(() => { throw Object.assign(new TypeError("a"), { code: { x: 1 } }); }, { code: { x: 1 } })
assert.throws(() => { throw Object.assign(new TypeError("a"), { code: { x: 1 } }); }, { code: { x: "1" } })
assert.throws(() => { throw new TypeError("a"); }, new TypeError("a"))
assert.throws(() => { throw new TypeError("a"); }, new TypeError("b"))
assert.throws(() => { throw new TypeError("a"); }, new Error("a"))
assert.throws(() => { throw new TypeError("a"); }, (e) => e instanceof TypeError)
assert.throws(() => { throw new TypeError("a"); }, (e) => e instanceof RangeError)
assert.throws(() => { throw new TypeError("a"); }, () => { throw new Error("x"); })
assert.throws(() => { throw new TypeError("a"); }, () => "yes")
assert.throws(() => { throw new TypeError("a"); }, {})
assert.throws(() => { throw new TypeError("a"); }, "b")
assert.throws(() => { throw new TypeError("a"); }, "a")
assert.throws(() => { throw new TypeError("a"); }, TypeError, "words")
assert.throws(() => { throw new TypeError("a"); }, RangeError, "words")
assert.throws(() => { throw null; })
assert.throws(() => { throw null; }, { a: 1 })
assert.throws(() => { throw "a"; }, /a/)
assert.throws(() => { throw { a: 1 }; }, { a: 1 })
assert.throws("a")
assert.throws(1, Error)
assert.doesNotThrow(() => {})
assert.doesNotThrow(() => { throw new Error("a"); })
assert.doesNotThrow(() => { throw new Error("a"); }, "words")
assert.doesNotThrow(() => { throw new Error("a"); }, TypeError)
assert.fail()
assert.fail("words")
assert.ok()
assert.equal(1)
assert.equal(1, 1, "words")
assert.equal(1, 2, new TypeError("words"))
assert.strict.equal(1, "1")
assert.strict.deepEqual([1], ["1"])
assert.strict(1)
assert.match("abc", /b/)
assert.match("abc", "b")
assert.match(1, /1/)
assert.doesNotMatch("abc", /x/)
assert.doesNotMatch("abc", /b/)
assert.doesNotMatch(1, /x/)
expect(0.1 + 0.2).toBeCloseTo(0.3)
expect(0.1 + 0.2).toBeCloseTo(0.3, 20)
expect(1.005).toBeCloseTo(1, 2)
expect(1.0049).toBeCloseTo(1, 2)
expect(1.23).toBeCloseTo(1.2, 1)
expect(1.25).toBeCloseTo(1.2, 1)
expect(10).toBeCloseTo(14, -1)
expect(10).toBeCloseTo(16, -1)
expect(Infinity).toBeCloseTo(Infinity)
expect(Infinity).toBeCloseTo(-Infinity)
expect(NaN).toBeCloseTo(NaN)
expect(1).toBeCloseTo("1")
expect(1).not.toBeCloseTo(2)
expect(1n).toBeGreaterThan(0)
expect(1n).toBeGreaterThan(0.5)
expect("b").toBeGreaterThan("a")
expect("abc").toContain("b")
expect("abc").toContain("x")
expect("abc").toContain(1)
expect([1, 2]).toContain(2)
expect([1, 2]).not.toContain(3)
expect([NaN]).toContain(NaN)
expect([0]).toContain(-0)
expect(new Set([1, 2])).toContain(2)
expect(new Set([{ a: 1 }])).toContainEqual({ a: 1 })
expect(new Map([[1, 2]])).toContainEqual([1, 2])
expect({ a: 1 }).toContain("a")
expect(null).toContain(1)
expect([{ a: 1 }]).toContain({ a: 1 })
expect([{ a: 1, b: undefined }]).toContainEqual({ a: 1 })
expect("abc").toHaveLength(3)
expect({ length: 2 }).toHaveLength(2)
expect([]).toHaveLength(0)
expect([1]).toHaveLength("1")
expect(1).toHaveLength(1)
expect("abc").toMatch("b")
expect("abc").toMatch(/B/i)
expect("abc").toMatch(/x/)
expect(1).toMatch("1")
expect("abc").toMatch(1)
expect("a.b").toMatch("a.b")
expect("axb").toMatch("a.b")
expect({ a: 1, b: 2 }).toMatchObject({ a: 1 })
expect({ a: 1, b: 2 }).toMatchObject({ a: 2 })
expect({ a: 1, b: 2 }).toMatchObject({ c: undefined })
expect({ a: { b: 1, c: 2 } }).toMatchObject({ a: { b: 1 } })
expect({ a: { b: 1, c: 2 } }).toMatchObject({ a: {} })
expect({ a: [1, 2] }).toMatchObject({ a: [1] })
expect({ a: [{ b: 1, c: 2 }] }).toMatchObject({ a: [{ b: 1 }] })
expect([{ a: 1, b: 2 }]).toMatchObject([{ a: 1 }])
expect([{ a: 1 }, { b: 2 }]).toMatchObject([{ a: 1 }])
expect({ a: 1 }).toMatchObject({ a: expect.any(Number) })
expect({ a: new Date(0) }).toMatchObject({ a: new Date(0) })
expect({ a: new Date(0) }).toMatchObject({ a: new Date(1) })
expect({ a: new Map([[1, 2]]) }).toMatchObject({ a: new Map([[1, 2]]) })
expect({ a: null }).toMatchObject({ a: {} })
expect({ a: undefined }).toMatchObject({ a: undefined })
expect(new (class A { x = 1; })()).toMatchObject({ x: 1 })
expect(1).toMatchObject({})
expect({}).toMatchObject(1)
expect({ a: { b: [1, { c: 2 }] } }).toHaveProperty("a.b[1].c", 2)
expect({ a: { b: [1, { c: 2 }] } }).toHaveProperty("a.b.1.c")
expect({ a: { b: [1, { c: 2 }] } }).toHaveProperty(["a", "b", 1, "c"], 2)
expect({ a: { b: [1, { c: 2 }] } }).toHaveProperty("a.b.length", 2)
expect({ a: { b: [1, { c: 2 }] } }).toHaveProperty("a.x")
expect({ a: { b: [1, { c: 2 }] } }).toHaveProperty("a.b", [1, { c: 2 }])
expect({ a: { b: [1, { c: 2 }] } }).not.toHaveProperty("a.b", [1])
expect({ "a.b": 1 }).toHaveProperty(["a.b"], 1)
expect({ "a.b": 1 }).toHaveProperty("a.b", 1)
expect({ a: undefined }).toHaveProperty("a")
expect({ a: undefined }).toHaveProperty("a", undefined)
expect({}).toHaveProperty("a", undefined)
expect({ a: 1 }).toHaveProperty("")
expect({ "": 1 }).toHaveProperty("")
expect({ a: 1 }).toHaveProperty("toString")
expect("abc").toHaveProperty("length", 3)
expect(null).toHaveProperty("a")
expect({ a: null }).toHaveProperty("a.b")
expect({ a: 1 }).toHaveProperty("a", expect.any(Number))
expect({ a: 1, b: "x" }).toEqual({ a: expect.any(Number), b: expect.any(String) })
expect({ a: 1 }).toEqual({ a: expect.any(String) })
expect([1, 2, 3]).toEqual(expect.arrayContaining([3, 1]))
expect([1, 2, 3]).toEqual(expect.arrayContaining([4]))
expect([1, 2, 3]).toEqual(expect.arrayContaining([]))
expect([1, 2, 3]).toEqual(expect.not.arrayContaining([4]))
expect([{ a: 1 }]).toEqual(expect.arrayContaining([{ a: 1 }]))
expect([{ a: 1, b: 2 }]).toEqual(expect.arrayContaining([expect.objectContaining({ a: 1 })]))
expect("1").toEqual(expect.arrayContaining(["1"]))
expect({ a: 1, b: 2 }).toEqual(expect.objectContaining({ a: 1 }))
expect({ a: 1, b: 2 }).toEqual(expect.objectContaining({ a: expect.any(Number) }))
expect({ a: { b: 1, c: 2 } }).toEqual(expect.objectContaining({ a: { b: 1 } }))
expect({ a: undefined }).toEqual(expect.objectContaining({ a: undefined }))
expect({}).toEqual(expect.objectContaining({ a: undefined }))
expect({ a: 1 }).toEqual(expect.not.objectContaining({ b: 1 }))
expect({ a: 1 }).toEqual(expect.not.objectContaining({ a: 1 }))
expect("hello").toEqual(expect.stringContaining("ell"))
expect("hello").toEqual(expect.not.stringContaining("x"))
expect("hello").toEqual(expect.stringMatching(/^h/))
expect("hello").toEqual(expect.stringMatching("ell"))
expect("hello").toEqual(expect.not.stringMatching(/^x/))
expect(["a", "b"]).toEqual([expect.stringMatching(/a/), expect.anything()])
expect({ a: 0.30000001 }).toEqual({ a: expect.closeTo(0.3, 5) })
expect({ a: 0.31 }).toEqual({ a: expect.closeTo(0.3, 5) })
expect({ a: 0.31 }).toEqual({ a: expect.not.closeTo(0.3, 5) })
expect([1, 2]).toEqual(expect.arrayOf(expect.any(Number)))
expect([1, "2"]).toEqual(expect.arrayOf(expect.any(Number)))
expect(null).toEqual(expect.anything())
expect(1).toBe(expect.any(Number))
expect(1).toStrictEqual(expect.any(Number))
expect({ a: 1 }).toStrictEqual({ a: expect.any(Number) })
expect(1).toEqual(expect.any(Object))
expect(null).toEqual(expect.any(Object))
expect(Symbol("a")).toEqual(expect.any(Symbol))
expect(1n).toEqual(expect.any(BigInt))
expect(true).toEqual(expect.any(Boolean))
expect(() => {}).toEqual(expect.any(Function))
expect([]).toEqual(expect.any(Array))
expect(new Map([["a", 1]])).toEqual(new Map([["a", expect.any(Number)]]))
expect(() => {}).toThrow()
expect(() => {}).not.toThrow()
expect(() => { throw new Error("a b"); }).not.toThrow()
expect(() => { throw new Error("a b"); }).not.toThrow("c")
expect(() => { throw new Error("a b"); }).toThrow("")
expect(() => { throw new Error("a b"); }).toThrow(/^a b$/)
expect(() => { throw new Error("a b"); }).toThrow(/^Error/)
expect(() => { throw new Error("a b"); }).toThrow(new Error("a b"))
expect(() => { throw new Error("a b"); }).toThrow(new TypeError("a b"))
expect(() => { throw new Error("a b"); }).toThrow(new Error("a"))
expect(() => { throw new Error("a b"); }).toThrow({ message: "a b" })
expect(() => { throw new (class Mine extends TypeError {})("a"); }).toThrow(TypeError)
expect(() => { throw "a b"; }).toThrow("a")
expect(() => { throw "a b"; }).toThrow(Error)
expect(() => { throw { message: "a b" }; }).toThrow("a")
expect(() => { throw null; }).toThrow()
expect(1).toThrow()
expect(() => { throw new Error("a"); }).toThrow(expect.any(Error))
expect(() => { throw new Error("a"); }).toThrow(expect.objectContaining({ message: "a" }))
expect(undefined).toBeDefined()
expect(null).toBeDefined()
expect([1, [2, [3]]]).toEqual([1, [2, [3]]])
expect({ a: undefined, b: 2 }).toEqual({ b: 2 })
expect({ a: undefined, b: 2 }).toStrictEqual({ b: 2 })
expect([undefined]).toStrictEqual([,])
expect([undefined]).toEqual([,])
expect(new (class A { a = 1; })()).toEqual({ a: 1 })
expect(new (class A { a = 1; })()).toStrictEqual({ a: 1 })
expect([..."ab"]).toEqual(["a", "b"])
expect((function* () { yield 1; })()).toEqual((function* () { yield 1; })())
expect((function* () { yield 1; })()).toEqual((function* () { yield 2; })())
chai.expect([1, 2, 3]).to.have.members([3, 2, 1])
chai.expect([1, 2, 3]).to.have.ordered.members([1, 2, 3])
chai.expect([1, 2, 3]).to.have.ordered.members([3, 2, 1])
chai.expect([1, 2, 3]).to.include.members([3, 1])
chai.expect([1, 2, 3]).to.include(2)
chai.expect([1, 2, 3]).to.not.include(4)
chai.expect([1, 2, 3]).to.be.an("array").that.includes(2)
chai.expect([1, 2, 3]).to.be.an("array").and.have.lengthOf(3)
chai.expect([1, 2, 3]).to.be.an("array").that.does.not.include(4)
chai.expect([1, 2, 3]).to.have.length(3)
chai.expect([1, 2, 3]).to.have.length.above(2)
chai.expect([1, 2, 3]).to.have.lengthOf.at.most(2)
chai.expect([{ a: 1 }]).to.deep.include({ a: 1 })
chai.expect([{ a: 1 }]).to.include({ a: 1 })
chai.expect({ a: 1, b: 2 }).to.include({ a: 1 })
chai.expect({ a: { b: 1 } }).to.deep.include({ a: { b: 1 } })
chai.expect({ a: { b: 1 } }).to.include({ a: { b: 1 } })
chai.expect("foobar").to.include("foo")
chai.expect("foobar").to.contain("x")
chai.expect({ a: 1, b: 2 }).to.have.all.keys("a", "b")
chai.expect({ a: 1, b: 2 }).to.have.all.keys("a")
chai.expect({ a: 1, b: 2 }).to.have.keys(["a", "b"])
chai.expect({ a: 1, b: 2 }).to.include.all.keys("a")
chai.expect({ a: 1, b: 2 }).to.contain.keys("a")
chai.expect({ a: 1, b: 2 }).to.have.any.keys("a", "z")
chai.expect({ a: 1, b: 2 }).to.not.have.any.keys("y", "z")
chai.expect(new Map([["a", 1]])).to.have.keys("a")
chai.expect(new Set(["a", 1])).to.have.keys("a", 1)
chai.expect({ a: 1 }).to.have.property("a").that.equals(1)
chai.expect({ a: 1 }).to.have.property("a").that.is.a("number")
chai.expect({ a: 1 }).to.have.property("b")
chai.expect({ a: { b: [1] } }).to.have.nested.property("a.b[0]", 1)
chai.expect({ a: { b: [1] } }).to.have.nested.property("a.b[1]")
chai.expect({ a: { b: 1 } }).to.have.deep.property("a", { b: 1 })
chai.expect({ a: 1 }).to.have.own.property("a", 1)
chai.expect({ a: 1 }).to.have.own.property("toString")
chai.expect({ a: 1 }).to.have.property("toString")
chai.expect(() => { throw new TypeError("a b"); }).to.throw()
chai.expect(() => { throw new TypeError("a b"); }).to.throw(TypeError)
chai.expect(() => { throw new TypeError("a b"); }).to.throw(RangeError)
chai.expect(() => { throw new TypeError("a b"); }).to.throw("a")
chai.expect(() => { throw new TypeError("a b"); }).to.throw("x")
chai.expect(() => { throw new TypeError("a b"); }).to.throw(/b$/)
chai.expect(() => { throw new TypeError("a b"); }).to.throw(TypeError, "a b")
chai.expect(() => { throw new TypeError("a b"); }).to.throw(TypeError, /x/)
chai.expect(() => { throw new TypeError("a b"); }).to.not.throw()
chai.expect(() => { throw new TypeError("a b"); }).to.not.throw(RangeError)
chai.expect(() => { throw new TypeError("a b"); }).to.throw().with.property("message", "a b")
chai.expect(() => { throw new TypeError("a b"); }).to.throw(new TypeError("a b"))
chai.expect(() => {}).to.throw()
chai.expect(() => {}).to.not.throw()
chai.expect(5).to.be.within(1, 5)
chai.expect(5).to.be.within(6, 7)
chai.expect(1.5).to.be.closeTo(1, 0.5)
chai.expect(1.6).to.be.closeTo(1, 0.5)
chai.expect(1.5).to.be.approximately(1, 0.6)
chai.expect(5).to.be.greaterThan(4)
chai.expect(5).to.be.gte(5)
chai.expect(5).to.be.lessThan(5)
chai.expect(5).to.be.lte(5)
chai.expect(new Date(5)).to.be.above(new Date(4))
chai.expect(new Date(5)).to.be.above(4)
chai.expect("").to.be.empty
chai.expect([]).to.be.empty
chai.expect({}).to.be.empty
chai.expect(new Map()).to.be.empty
chai.expect([1]).to.not.be.empty
chai.expect(null).to.be.empty
chai.expect("abc").to.match(/b/)
chai.expect(2).to.be.oneOf([1, 2])
chai.expect(3).to.be.oneOf([1, 2])
chai.expect({ f() {} }).to.respondTo("f")
chai.expect({}).to.respondTo("f")
chai.expect(1).to.satisfy((n) => n > 0)
chai.expect(1).to.equal(1).and.not.equal(2)
chai.expect(1).to.be.a("number").and.equal(2)
chai.expect(1).to.not.equal(1)
chai.expect(1).to.exist
chai.expect(null).to.not.exist
chai.expect(undefined).to.be.undefined
chai.expect(true).to.be.true
chai.expect("true").to.be.true
chai.expect(Object.freeze({})).to.be.frozen
chai.expect({}).to.be.frozen
chai.expect.fail("words")
chai.assert(1)
chai.assert(0)
chai.assert.equal(1, "1")
chai.assert.notEqual(1, 2)
chai.assert.strictEqual(1, "1")
chai.assert.notStrictEqual(1, "1")
chai.assert.deepEqual({ a: [1] }, { a: [1] })
chai.assert.deepEqual({ a: [1] }, { a: ["1"] })
chai.assert.deepStrictEqual({ a: 1 }, { a: 1 })
chai.assert.include([1, 2], 2)
chai.assert.include("abc", "b")
chai.assert.include({ a: 1, b: 2 }, { a: 1 })
chai.assert.deepInclude([{ a: 1 }], { a: 1 })
chai.assert.throws(() => { throw new TypeError("a"); }, TypeError)
chai.assert.throws(() => { throw new TypeError("a"); }, RangeError)
chai.assert.throws(() => { throw new TypeError("a"); }, "a")
chai.assert.throws(() => { throw new TypeError("a"); }, TypeError, "x")
chai.assert.throws(() => {})
chai.assert.doesNotThrow(() => { throw new Error("a"); })
chai.assert.fail()
chai.assert.lengthOf([1, 2], 2)
chai.assert.sameOrderedMembers([1, 2], [1, 2])
chai.assert.sameOrderedMembers([1, 2], [2, 1])
chai.assert.includeMembers([1, 2, 3], [2, 1])
chai.assert.approximately(1.5, 1, 0.6)
chai.assert.operator(1, "<", 2)
chai.assert.operator(1, ">", 2)
`.trim().split("\n");

const require = (name) => ({ assert, chai: { assert: chai.assert, expect: chai.expect }})[name];
const given = { assert, expect, chai: require("chai")};
const compiled = (text) => new Function(...Object.keys(given), "A", "B", "return async () => {" + text + "}");
const passes = async (f) => { try { await f(); return "P"; } catch { return "F"; } };
const values = (group) => group.map((v) => new Function("return () => (" + v.replace("~", "") + ")")());
const say = async (text, a, b) => passes(async () => compiled(text)(...Object.values(given), a?.(), b?.())());

const out = { origin: { node: process.version, ...packages }, groups: [], single: {} };
for (const group of groups) {
  const made = values(group), answers = {};
  for (const text of operators) {
    let row = "";
    for (const a of made) for (const b of made) row += await say(text, a, b);
    answers[text] = row;
  }
  for (const text of properties) {
    let row = "";
    for (const a of made) row += await say(text, a);
    answers[text] = row;
  }
  out.groups.push({ values: group, answers });
}
for (const text of single) out.single[text] = await say(text);
process.stdout.write(JSON.stringify(out, null, 1) + "\n");
