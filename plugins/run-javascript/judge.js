// The judge's side of a candidate: what tests see of it. Every byte that comes from the candidate passes
// through a Decoder, so that what a test compares is an exact built-in value, or a handle: an object that
// stays in the candidate's instance, and is known here by a number.
import { place } from "./events.js";
import { guarded, mean } from "./faults.js";
import { answers, asking, classes, computing, extended, Function, handleOf, hooks, isOfTests, isTheirs, known, makes, makesCode, own, places, raised, raisedBy, scopes, standard, surfaces, theirs, wrapped } from "./known.js";
import { Lent } from "./lent.js";
import { isModule } from "./node.js";
import { MAX_ITEMS } from "./requests.js";
import { builtFrom, errors, Forged, recordNamed, symbolsOf } from "./wire.js";

const MAX_HANDLES = 100_000;
const unwritten = /^(?:BigInt|Map|Set|RegExp|Error)\.prototype$/; // the judge writes none of them as JSON
const implied = /^(?:toString|valueOf|then)$/; // members that tests use without naming them
const chains = new WeakSet(); // what then() of promises of the candidate's own classes has returned
// A Candidate is a program in the peer, as tests see it. It is loaded when it is first needed, and again after it has ended.
export class Candidate extends Lent {
  // load loads the program, and returns what the names are: ["F", whether it uses this, its number, its name] for a function, ["A"] for an export that is computed each time, ["V"], or undefined.
  load(wanted = []) {
    this.start();
    const p = this.program, [, body] = this.waits(1e15, "load", p.prompt, p.texts, wanted, this.importing, ...this.watches > 0 ? [this.watches] : []);
    try {
      const [used, before, kinds, added, plain] = body;
      this.plain = plain === 1;
      if (!Array.isArray(kinds) || kinds.length !== wanted.length || !p.ran(used, before)) throw new Forged("not what it was asked");
      this.loaded = true;
      this.deliver();
      this.extend(added);
      return kinds.map((k) => this.kind(k));
    } catch (e) {
      throw this.forged(e);
    }
  }

  plain = false;         // its module is a plain object
  iterates = false;      // the tests may list what values inherit
  listed = false;        // the candidate has added to that
  reads = () => false;   // reports whether the tests read a member of such a name
  mentioned = new Set(); // names of functions that the tests call, or read of a prototype

  // extend adds the functions to built-in classes that the candidate has added, and that the tests mention. It refuses other changes of what they use.
  extend(list) {
    for (const [of, name] of extended.splice(0)) delete of[name];
    if (!Array.isArray(list) || list.length > 100) throw new Forged("functions of built-in classes");
    for (const [path, name, coded, enumerable] of list) {
      if (coded === undefined || name === "toJSON") {
        if (!implied.test(name) && !this.reads(name === "toJSON" ? "stringify" : name)) continue;
        const refuse = () => { this.chooses(); throw this.lacks("the tests use " + path + "." + name + ", which the candidate has changed", true); };
        if (coded === undefined || !unwritten.test(path)) refuse();
        const { prototype } = globalThis[path.split(".")[0]];
        Object.defineProperty(prototype, name, { value: refuse, configurable: true });
        extended.push([prototype, name]);
        continue;
      }
      if (/^(?:BigInt|Error|Object\.|Math|JSON)/.test(path)) continue;
      const of = /^(?:Array|String|Number|Boolean|Function|Date|Promise|Map|Set|RegExp)(?:\.prototype)?$|^Object$/.test(path) ? standard.get(path) : undefined;
      if (of === undefined || typeof name !== "string") throw new Forged("a function of a built-in class");
      if (!this.mentioned.has(name) && !(enumerable === true && this.iterates) || name in of || asking.has(name) || hooks.has(name)) continue;
      const value = this.decoder().decode(coded);
      if (handleOf(value)?.isFunction !== true) throw new Forged("a function of a built-in class");
      if (of === Function.prototype) Object.defineProperty(of, name, { get() { return isOfTests(this) ? value : undefined; }, set(value) { Object.defineProperty(this, name, { value, configurable: true, writable: true }); }, configurable: true });
      else Object.defineProperty(of, name, { value, configurable: true, writable: true, enumerable: enumerable === true });
      extended.push([of, name]);
      this.listed ||= enumerable === true && this.iterates;
    }
  }

  kind(k) {
    if (k === null) return undefined;
    if (!Array.isArray(k) || k[0] !== "V" && k[0] !== "A" && !(k[0] === "F" && Number.isInteger(k[2]) && k[2] >= 0 && typeof k[3] === "string")) throw new Forged("a name of no kind");
    return k;
  }

  computed = new Set(); // names of exports that have a getter

  kindOf(name) { return this.checked(() => this.kind(this.ask("name", name)[1])); }

  // resolve returns what tests see under a name; undefined if the candidate has none.
  resolve(name, kind) {
    kind ??= this.kindOf(name);
    if (kind?.[0] === "A") this.computed.add(name);
    if (kind === undefined) return undefined;
    if (kind[0] !== "F") {
      this.chooses();
      return this.value(this.ask("constant", name));
    }
    const known = this.objects.get(kind[2]), h = handleOf(known); // it has come as a value before
    if (h?.isFunction) {
      if (/^[A-Z]/.test(name)) h.byName = true;
      return known;
    }
    const f = this.callable(name, kind[3], kind[1] === 1);
    if (!this.objects.has(kind[2])) this.objects.set(kind[2], f); // what is returned under its number is the same function
    return f;
  }

  // exported returns what the candidate exports by default; undefined: nothing. named: the tests have it under the name of a class.
  exported(named = false) {
    const reply = this.ask("exported");
    if (reply[1] === null) return undefined;
    if (reply[1]?.[0] !== "F") this.chooses();
    const v = this.value(reply);
    if (named && handleOf(v)?.isFunction) handleOf(v).byName = true;
    return v;
  }

  // replace puts a function in the place of what the candidate exports under a name; undefined: what was there.
  replace(name, v) {
    const replaced = v === undefined || typeof v === "function" ? this.ask("export", name, ...v === undefined ? [] : this.encoded([v], "replace " + name))[1] : false;
    if (replaced !== true) throw this.lacks("the tests replace " + name + " in the candidate's module");
  }

  checked(f) {
    try { return f(); } catch (e) { throw this.forged(e); }
  }

  // wholeModule returns a module that is not a plain object, such as a function; undefined: it is one.
  wholeModule() { return this.ask("whole")[1] === true ? this.exported() : undefined; }

  // exportNames returns the names that the module exports. sorted: the tests import it as a module, whose names are in this order.
  exportNames(sorted) {
    const [, names] = this.ask("module");
    if (!sorted && isModule(this.program.texts[this.program.used]) || !Array.isArray(names) || !names.every((name) => typeof name === "string")) throw this.lacks("the tests list what the module exports", true);
    return [...new Set(names)];
  }

  // isMadeBy reports whether an object of the candidate is of a class of Node that both instances have.
  isMadeBy(v, name) { return this.ask("madeBy", handleOf(v).target, name)[1] === true; }

  stayed = new Set(); // what the tests define or replace, and cannot cross

  // call calls a function or method. of: what a function has as this.
  call(target, key, args, name, of = undefined) {
    const own = of === undefined ? 0 : surfaces.has(of) ? 2 : 1;
    const coded = this.encoded(own === 1 ? [of, ...args] : args, "call " + name);
    this.last = { name, args: own === 1 ? coded.slice(1) : coded };
    return this.value(own === 0 ? this.ask("call", target, key, coded) : this.ask("call", target, key, coded, own));
  }

  construct(target, args, name) {
    const coded = this.encoded(args, "make a " + name);
    this.last = { name: "new " + name, args: coded };
    const v = this.value(this.ask("construct", target, coded)), h = handleOf(v);
    if (h !== undefined && h.seen === 1) h.made = true;
    return v;
  }

  // callable returns what tests see of a function or class of the candidate. usesThis: it gets the object of which the tests call it as a method.
  callable(target, name, usesThis = false) {
    const objects = this.objects, found = objects.get(target);
    if (found !== undefined) return found;
    const self = this;
    const as = new Map(); // the names under which the tests have read it as a method, with the objects
    const byName = () => typeof target === "string" || known.get(f).byName === true;
    const called = (of, args) => {
      const h = handleOf(of), holder = h?.owner === self && typeof h.target === "number" ? h : undefined;
      const own = h?.owner === self || usesThis && of !== null && !scopes.has(of) ? of : undefined;
      let key = [...as.keys()].find((key) => asking.has(key)) ?? [...as.keys()].at(-1), by = holder ?? as.get(key);
      if (h === undefined && typeof target === "number" && of !== null && typeof of === "object") {
        const keys = Object.keys(of).filter((key) => of[key] === f);
        [key, by] = [keys.find((key) => asking.has(key)) ?? keys[0], of];
      }
      if (key === undefined || by === undefined) return self.call(target, null, args, name, own);
      const named = () => by === as.get(key) && !by.isFunction && self.isNamed(by);
      self.asks(by, key, args, named);
      return self.mapped(by, key, self.call(target, null, args, name, own), named);
    };
    const f = new Proxy(function () {}, guarded({
      apply: (_, of, args) => called(of, args),
      construct: (_, args, made) => {
        if (made !== f) return self.derived(made, f, args);
        self.named.add(target);
        const v = self.construct(target, args, name);
        if (v === null || typeof v !== "object") throw mean(new TypeError(name + " is not a constructor"));
        return v;
      },
      get: (_, key, receiver) => {
        if (key === "name") return name;
        if (key === "should" && Object.hasOwn(Object.prototype, key)) return Reflect.get(Object.prototype, key, receiver);
        if (key === Symbol.hasInstance) return (v) => { self.named.add(target); return self.isInstance(v, target, name); };
        if (key === "call") return (of, ...args) => called(of, args);
        if (key === "apply") return (of, args) => called(of, [...args ?? []]);
        if (key === "bind") return (of, ...first) => (...args) => called(of, [...first, ...args]);
        if (key === Symbol.toPrimitive) return (hint) => self.worthOf(known.get(f), hint);
        if (key === "valueOf") return () => self.isWorth(known.get(f)) ? self.worthOf(known.get(f), "number") : f;
        if (key === "prototype") return self.prototypeOf(target);
        if (key === "then" || key === "toJSON") return undefined;
        if (key === Symbol.toStringTag) return self.tagOf(target, (tag) => tag.endsWith("Function"));
        if (typeof key === "symbol") return self.memberUnder(target, key);
        if (key === "toString") return () => self.textOf(known.get(f), target);
        if (key === "mock") return self.noMock(target, f);
        if (/^[A-Z]/.test(name) && byName() && makes.test(key)) self.named.add(target);
        return self.property(target, key, byName() ? undefined : known.get(f));
      },
      set: (_, key, x) => {
        if (typeof key === "symbol") throw self.lacks("the tests set a property of a function of the candidate under a symbol");
        return self.ask("set", target, key, self.encoded([x], "set " + key)[0])[1] === true;
      },
      deleteProperty: (_, key) => self.ask("delete", target, String(key))[1] === true,
      getOwnPropertyDescriptor: (of, key) => Reflect.getOwnPropertyDescriptor(of, key) ?? (typeof key === "string" ? self.ownOf(target, key, known.get(f)) : undefined),
      has: (_, key) => typeof key === "string" && self.ask("has", target, key)[1] === true,
      ownKeys: (of) => [...new Set([...Reflect.ownKeys(of), ...Object.keys(self.askFields(target))])],
      getPrototypeOf: () => Function.prototype,
    }));
    known.set(f, { owner: this, target, name, alive: () => this.objects === objects, isFunction: true, as });
    objects.set(target, f);
    return f;
  }

  isInstance(v, target, name) {
    if (chains.has(v)) throw this.lacks("the tests ask for the class of what then() of the candidate's promise returns", true);
    const r = raisedBy(v), h = handleOf(v) ?? (places.get(v)?.alive() ? places.get(v) : undefined); // an error has the class's number: it may have no name
    if (h !== undefined && h.owner === this) return this.ask("instance", h.target, target)[1] === true;
    if (r !== undefined) return r.classes?.includes(name);
    if (h === undefined && this.ask("decides", target)[1] === true) throw this.lacks("the tests ask " + name + ", which has a Symbol.hasInstance of its own, about another value", true);
    return false;
  }

  // property returns what an object or function has under a name. h: what is known of it. receiver: the object that inherits it.
  property(target, key, h = undefined, receiver = undefined) {
    const reply = receiver === undefined ? this.ask("get", target, key, false) : this.ask("get", target, key, false, receiver.target);
    const [, coded] = reply;
    if (Array.isArray(coded) && coded[0] === "G") return this.checked(() => {
      if (key !== "constructor" && key !== "__proto__" || !standard.has(coded[1]) || coded[1] === "Proxy" || makesCode.test(coded[1]) && h?.isFunction !== true && typeof target !== "string") throw new Forged("a built-in class");
      return standard.get(coded[1]);
    });
    if (key === "__proto__" && Array.isArray(coded) && coded[0] === "F" && typeof coded[2] === "string") return this.classOf(coded[1], coded[2]);
    const v = this.value(reply), own = handleOf(v);
    if (reply[0] !== "f") return v;
    if (typeof v !== "function") throw this.forged(new Forged("a method"));
    if (own !== undefined && h !== undefined) own.as.set(key, h);
    return own === undefined && asking.has(key) ? this.method(target, key, h ?? { target, made: false }) : v;
  }

  // memberUnder returns what an object or function has under a symbol of the candidate, or one of the tests that it knows.
  memberUnder(target, symbol) {
    const key = this.keyOf(symbol);
    return key === undefined ? undefined : this.value(this.ask("get", target, key, true));
  }

  // answerUnder returns what an object has under a symbol of JavaScript's own by which it says something about others. Only one that the tests have made answers.
  answerUnder(h, name) {
    const v = this.value(this.ask("get", h.target, name, true));
    if ((v !== undefined || h.like === "Proxy of an array") && !h.made) throw this.lacks("the tests use what an object of the candidate has under Symbol." + name, true);
    return v ?? (name === "isConcatSpreadable" && h.like === "Array" || undefined);
  }

  // keyOf writes a symbol that the candidate may use, but for those of JavaScript itself.
  keyOf(symbol) {
    if (this.numberOf(symbol) === undefined && !this.tokens.includes(symbol) && Symbol.keyFor(symbol) === undefined) return undefined;
    return this.encoder().encode(symbol);
  }

  // method returns a method of an error, or one that is a function of the tests.
  method(target, key, h, of = h) {
    const f = (...args) => {
      const named = () => this.isNamed(h);
      this.asks(of, key, args, named);
      const v = this.mapped(of, key, this.call(target, key, args, key), named);
      if (of instanceof Promise && v instanceof Promise) Reflect.apply(Promise.prototype.catch, of, [() => {}]); // what the method returns goes on with it
      return v;
    };
    theirs.add(f);
    return Object.assign(f, { toString: () => "function " + key + "() { [candidate] }" });
  }

  // memberOf returns what an error of a class of the candidate's own has under a name.
  memberOf(error, key) {
    const { target } = places.get(error), reply = this.ask("get", target, key, false);
    return reply[0] === "f" ? this.method(target, key, { target, made: false }, error) : this.value(reply);
  }

  // convert converts an error of a class that has toString, as primitiveOf converts an object.
  convert(error, hint) {
    if (hint === "number") throw this.lacks("the tests take an error of the candidate for a number", true);
    return this.textOf(places.get(error), places.get(error).target);
  }

  // textOf returns the text of an object, function or error, of which h is known. It has one until it is asked for something else.
  textOf(h, target, ask = () => this.primitive(target)) {
    if (h.text?.asked !== this.log.length) {
      const v = ask();
      h.text = { asked: this.log.length, v };
    }
    return h.text.v;
  }

  // ownText returns the toString that an error of the candidate has itself.
  ownText(x) {
    const self = this, h = {}, f = function () { return self.textOf(h, undefined, () => Reflect.apply(x, this, [])); };
    theirs.add(f);
    wrapped.set(f, x);
    return f;
  }

  // prototypeOf returns the prototype of a class of the candidate.
  prototypeOf(target) {
    const v = this.value(this.ask("prototype", target)), h = handleOf(v);
    if (h !== undefined) [h.made, h.isPrototype] = [true, true];
    return v;
  }

  classesOfTests = new Map(); // that derive from one of the candidate, with what they are there
  derivedFrom = new Map();    // their prototypes, by the numbers of those that these have there

  // derived makes an object of a class of the tests that derives from one of the candidate: the candidate has a class whose members
  // are those of the tests, and the object is its own.
  derived(made, base, args) {
    if (isTheirs(made) || typeof made !== "function") throw this.lacks("the tests make an object of another class", true);
    const levels = [];
    for (let of = made; of !== base; of = Object.getPrototypeOf(of)) {
      if (typeof of !== "function" || levels.length > 50) throw this.lacks("the tests change what a class derives from");
      levels.unshift(of);
    }
    let from = base;
    for (const of of levels) {
      let there = this.classesOfTests.get(of);
      if (there === undefined || !handleOf(there).alive()) {
        const members = (own, without, crosses) => Object.entries(Object.getOwnPropertyDescriptors(own)).filter(([key]) => !without.includes(key))
          .flatMap(([key, d]) => ["value", "get", "set"].filter((kind) => kind in d && crosses(d[kind])).map((kind) => [key, kind, this.encoded([d[kind]], "derive a class")[0]]));
        there = this.value(this.ask("derive", handleOf(from).target, of.name, members(of.prototype, ["constructor"], (v) => typeof v === "function"), members(of, ["length", "name", "prototype"], (v) => v !== undefined)));
        if (handleOf(there)?.isFunction !== true) throw this.forged(new Forged("a class"));
        this.classesOfTests.set(of, there);
        const { target } = handleOf(there);
        this.derivedFrom.set(handleOf(this.prototypeOf(target)).target, of.prototype);
        this.objects.set(target, of); // it is the tests' own where it comes back
        wrapped.set(of, there);
      }
      from = there;
    }
    const v = this.construct(handleOf(from).target, args, made.name), h = handleOf(v);
    if (h === undefined || h.isFunction) throw this.lacks("a class that the tests derive has objects of another kind", true);
    h.overlay = made.prototype;
    return v;
  }

  // decoded reads a handle, a function or an exception.
  decoded(v, decoder) {
    const [tag, n, name] = v;
    if (tag === "P" && Number.isInteger(n) && n < 2 ** 31 && (n >= 0 || this.promises.has(n))) return v.length > 2 ? this.shaped(this.promiseOf(n).promise, v.slice(2)) : this.promiseOf(n).promise;
    if (tag === "f" && Number.isInteger(n) && n >= 0 && n < this.given.size) return [...this.given.keys()][n];
    if (tag === "I" && Number.isInteger(n) && n >= 0 && n < this.iterators.length) return this.iterators[n].v;
    if (tag === "A" && Number.isInteger(n) && n >= 0 && n < this.signals.length) return this.signals[n];
    if (tag === "E" && Number.isInteger(n) && n >= 0 && n < this.emitters.length) return this.emitters[n].v;
    if (tag === "C" && recordNamed(n) !== undefined) return recordNamed(n)[0].constructor;
    if (tag === "W" && Number.isInteger(n) && n >= 0 && n < this.timers.length) return this.timers[n].v;
    if (tag === "T" && Number.isInteger(n) && n >= 0 && n < this.tokens.length) return this.tokens[n];
    if (tag === "Y" && Number.isInteger(n) && n >= 0 && typeof name === "string") {
      if (this.symbols.size >= 1_000) throw this.lacks("the candidate has more than 1000 symbols", true);
      if (!this.symbols.has(n)) this.symbols.set(n, Symbol(name));
      return this.symbols.get(n);
    }
    if (tag !== "H" && tag !== "F" || !Number.isInteger(n) || n < 0 || n > 10 * MAX_HANDLES || this.objects.size > MAX_HANDLES) throw new Forged("a value of kind " + String(tag).slice(0, 20));
    let found = this.objects.get(n);
    if (tag === "F") {
      if (typeof name !== "string") throw new Forged("a function");
      return found ?? this.callable(n, name, v[3] === 1);
    }
    if (found === undefined) {
      if (typeof name !== "string") throw new Forged("an object");
      found = this.object(n, name);
    }
    handleOf(found).seen++;
    if (v.length > 3) this.described(handleOf(found), v, decoder);
    return found;
  }

  // described notes what a candidate says of an object: its properties, the names that it inherits, and what it is like.
  described(h, [, , , coded, names, like, kind, origin], decoder) {
    if (coded !== null) [h.fields, h.read] = [this.fields(coded, decoder), this.uses];
    if (Number.isInteger(names)) names = decoder.chains?.[names];
    else if (Array.isArray(names) && names.length <= 200 && names.every((name) => typeof name === "string")) (decoder.chains ??= []).push(names);
    else throw new Forged("names");
    h.names ??= new Set(names);
    if (typeof like === "string" && (["Proxy", "Proxy of an array", "URL", "URLSearchParams"].includes(like) || Object.hasOwn(classes, like) || Object.hasOwn(errors, like))) h.like = like;
    h.kind = Number.isInteger(kind) ? kind : undefined; // two classes may have one name
    h.overlay ??= this.derivedFrom.get(h.kind);
    if (origin === undefined || h.overlay !== undefined) return;
    const from = Array.isArray(origin) && ["@", "f", "C"].includes(origin[0]) ? decoder.decode(origin) : undefined, proto = typeof from === "function" ? from.prototype : from;
    if (proto === null || typeof proto !== "object" || handleOf(proto) !== undefined) throw new Forged("an object of no class");
    [h.proto, h.methods] = [proto, origin[0] === "f" ? proto : undefined];
  }

  // fields reads the own properties of an object.
  fields(coded, decoder) {
    if (!Array.isArray(coded) || coded[0] !== "o") throw new Forged("an object");
    const fields = {};
    if (++decoder.depth > 100) throw new Forged("more than 100 nested values");
    decoder.properties(fields, coded, 1);
    decoder.depth--;
    return fields;
  }

  // askFields asks for the own properties of an object: all, or those that it does not compute.
  askFields(n, all = true) {
    const [, body] = this.ask("fields", n, all);
    const h = handleOf(this.objects.get(n)), fields = this.checked(() => {
      if (!Array.isArray(body) || ![0, 1, 2, 3].includes(body[0]) || !Array.isArray(body[2]) || body[2].length > 200) throw new Forged("an object");
      if (!body[2].every((row) => Array.isArray(row) && typeof row[0] === "string" && Number.isInteger(row[1]))) throw new Forged("an object");
      h.level = body[0];
      h.unlike = new Map(body[2]);
      h.computes = body[2].some(([, flags]) => (flags & 24) > 0);
      return this.fields(body[1], this.decoder());
    });
    this.deliver();
    return fields;
  }

  // object returns what tests see of an object.
  object(n, name) {
    const self = this, objects = this.objects;
    const h = { owner: this, target: n, name, alive: () => this.objects === objects, fields: undefined, names: undefined, like: undefined, level: 0, made: false, seen: 0 };
    const target = {}, locked = () => !Object.isExtensible(target), fields = () => {
      h.fields = self.askFields(n, false);
      if (h.level === 0) return h.fields;
      const list = Object.entries(h.fields).map(([key, v]) => [key, v ?? self.property(n, key, h)]);
      return self.checked(() => { // what is locked cannot change, but in what a candidate forges
        for (const key of Object.keys(target)) if (list.every(([k]) => k !== key)) delete target[key];
        for (const [key, value] of list) {
          if (Object.getOwnPropertyDescriptor(target, key)?.writable === false) continue;
          Object.defineProperty(target, key, { value, writable: h.level < 3, enumerable: true, configurable: h.level < 2 });
        }
        if (h.proto !== undefined && !locked()) Object.setPrototypeOf(target, h.proto);
        return Object.preventExtensions(target);
      });
    };
    const put = (key, x) => {
      const [coded] = self.encoded([x], "set " + String(key));
      h.fields = undefined;
      return self.ask("set", n, String(key), coded)[1] === true;
    };
    const overlay = (key) => {
      if (h.methods !== undefined && Object.hasOwn(h.fields ?? fields(), key)) return undefined;
      for (let of = h.overlay ?? h.methods; of !== undefined && of !== null && handleOf(of) === undefined; of = Object.getPrototypeOf(of)) if (Object.hasOwn(of, key)) return of;
    };
    h.describe = (key) => {
      const from = h.fields ?? fields();
      if (!Object.hasOwn(from, key) && (typeof key !== "string" || h.unlike?.has(key) === false)) return undefined;
      if (Object.hasOwn(from, key) && h.unlike?.has(key) !== true) return { value: from[key], writable: true, enumerable: true, configurable: true };
      return self.ownOf(n, key, h);
    };
    const ownNames = () => [...new Set([...Object.keys(h.fields), ...h.unlike.keys(), ...symbolsOf(h.fields)])];
    const iterates = (name) => h.like === "Proxy" || (h[name] ??= self.ask("has", n, name, true)[1] === true);
    const v = new Proxy(target, guarded({
      get: (_, key, receiver) => {
        if (h.level === 3 && Object.hasOwn(target, key)) return target[key];
        if (key === "should" && Object.hasOwn(Object.prototype, key)) return Reflect.get(Object.prototype, key, receiver);
        const overlaid = overlay(key);
        if (overlaid !== undefined) return Reflect.get(overlaid, key, receiver);
        if (key === Symbol.iterator) return iterates("iterator") ? () => self.iterator(h, v) : undefined;
        if (key === Symbol.asyncIterator) return iterates("asyncIterator") ? () => self.iteratorAsync(n, v) : undefined;
        if (key === "next" && h.steps !== undefined) return (...args) => args.length > 0 ? self.property(n, key, h)(...args) : self.step(h.steps);
        if (key === Symbol.toStringTag) return ["Map", "Set", "Array", "Date", "RegExp"].includes(h.like) ? h.like : h.like === "Proxy of an array" ? "Array" : self.tagOf(n);
        if (key === "then" && h.names?.has(key) === true && self.isNamed(h)) {
          self.awaits = true;
          return self.property(n, key, h);
        }
        if (key === "then" && (h.names?.has(key) || h.fields && typeof h.fields[key] === "function" && Object.hasOwn(h.fields, key))) throw self.lacks("the tests wait for an object that a function of the candidate returned, and that has a method then", true);
        if (key === "toJSON" && (h.like === "Array" || h.like === "Proxy of an array") && !h.names?.has(key)) return () => self.itemsOf(v);
        if (key === "then" || key === "toJSON" && h.names?.has(key) !== true && !(h.fields && Object.hasOwn(h.fields, key))) return undefined;
        if (key === Symbol.toPrimitive) return (hint) => self.primitiveOf(h, hint);
        if (answers.has(key)) return self.answerUnder(h, answers.get(key));
        if (typeof key === "symbol") return self.memberUnder(n, key);
        if (key === "hasOwnProperty") return (x) => Object.hasOwn(v, x);
        if (key === "propertyIsEnumerable") return (x) => Object.getOwnPropertyDescriptor(v, x)?.enumerable === true;
        return self.property(n, key, h, h.isPrototype && handleOf(receiver)?.owner === self && receiver !== v ? handleOf(receiver) : undefined);
      },
      set: (_, key, x, receiver) => {
        if (typeof key === "symbol") throw self.lacks("the tests set a property of an object of the candidate under a symbol");
        const overlaid = overlay(key);
        if (overlaid !== undefined && Object.getOwnPropertyDescriptor(overlaid, key).set !== undefined) return Reflect.set(overlaid, key, x, receiver);
        return put(key, x);
      },
      defineProperty: (_, key, d) => {
        if (typeof key === "symbol" || !("value" in d) && d.configurable !== true) throw self.lacks("the tests define a property of an object of the candidate that is not as others");
        if ("value" in d) return put(key, d.value);
        h.fields = undefined;
        return self.ask("accessor", n, key, ...[d.get, d.set].map((f) => computing.has(f) ? null : self.encoded([f], "define " + key)[0]))[1] === true;
      },
      deleteProperty: (_, key) => { h.fields = undefined; return self.ask("delete", n, String(key))[1] === true; },
      has: (_, key) => key === Symbol.iterator || key === Symbol.asyncIterator ? iterates(key.description.slice(7)) : typeof key === "symbol" ? self.keyOf(key) !== undefined && self.ask("has", n, self.keyOf(key), true)[1] === true : typeof key === "string" && (key in Object.prototype || self.hasName(h, v, key)),
      isExtensible: () => { if (!locked()) fields(); return !locked(); },
      preventExtensions: () => { throw self.lacks("the tests freeze an object of the candidate"); },
      ownKeys: () => h.level === 3 && locked() ? Object.keys(target) : (fields(), locked()) ? Object.keys(target) : ownNames(),
      getOwnPropertyDescriptor: (_, key) => locked() ? Object.getOwnPropertyDescriptor(target, key) : h.describe(key),
      getPrototypeOf: () => h.overlay !== undefined ? h.overlay : locked() ? Reflect.getPrototypeOf(target) : h.proto !== undefined ? h.proto : (classes[h.like] ?? (h.isPrototype ? errors[h.like] : undefined))?.prototype ?? Object.prototype,
    }));
    known.set(v, h);
    objects.set(n, v);
    return v;
  }

  // shaped gives a promise the members that the candidate's has. What its then returns is a promise of this instance.
  shaped(promise, [target, own, names]) {
    if (places.has(promise)) return promise;
    if (!Number.isInteger(target) || target < 0 || target > 10 * MAX_HANDLES || !Array.isArray(names) || names.length > 200) throw new Forged("a promise");
    const { objects } = this, members = names.filter((name) => typeof name === "string" && !(name in Promise.prototype) && !hooks.has(name));
    const member = (of, name, get, set) => Object.defineProperty(of, name, { get, set, configurable: true });
    const plain = (q) => {
      chains.add(q);
      for (const name of members) member(q, name, () => { throw this.lacks("the tests read " + name + " of what then() of the candidate's promise returns", true); });
      return chained(q);
    };
    const chained = (q) => {
      for (const name of ["then", "catch", "finally"]) Object.defineProperty(q, name, { value: (...list) => plain(Reflect.apply(Promise.prototype[name], q, list)), configurable: true });
      return q;
    };
    places.set(promise, { target, owner: this, alive: () => this.objects === objects });
    for (const name of members) member(promise, name, () => this.memberOf(promise, name), (x) => this.ask("set", target, name, this.encoded([x], "set " + name)[0]));
    return own === 1 ? chained(promise) : promise;
  }

  // classOf returns a class of the candidate by its number. Tests that name it have the same one.
  classOf(n, name) {
    if (!Number.isInteger(n) || n < 0 || n > 10 * MAX_HANDLES) throw this.forged(new Forged("a class"));
    if (!this.objects.has(n) && /^[A-Za-z_$][\w$]*$/.test(name)) {
      const kind = this.kindOf(name);
      if (kind?.[0] === "F" && kind[2] === n) return this.resolve(name, kind);
    }
    return this.callable(n, name);
  }

  // primitiveOf converts an object. One that the tests have made, and nothing has returned since, takes part in arithmetic. Others are text where they
  // must be, and are asked for no number: it could be another one each time.
  primitiveOf(h, hint) {
    if (h.made && h.seen > 1 && hint !== "string") throw this.lacks("the tests convert an object of class " + h.name + " that a function or method of the candidate has returned", true);
    if (h.made || hint === "string") return this.primitive(h.target, hint);
    return this.textOf(h, h.target, () => {
      const by = this.ask("converts", h.target)[1];
      if ((by & 1) > 0 || hint === "number" && by !== 0) throw this.lacks("the tests take an object of class " + h.name + " for a number that a function of the candidate has returned", true);
      return this.primitive(h.target);
    });
  }

  // isWorth reports whether a function of the candidate has a valueOf of its own, as a sum that goes on with each call.
  isWorth(h) { return h.isWorth ??= (this.ask("converts", h.target)[1] & 1) > 0; }

  // worthOf converts a function. It is worth one value: a comparison is not to bring about another one.
  worthOf(h, hint) {
    if (hint === "string" || !this.isWorth(h)) return this.textOf(h, h.target);
    const v = this.primitive(h.target, hint);
    h.worth ??= v;
    if (!Object.is(h.worth, v)) throw this.lacks("the tests convert a function of the candidate whose value changes", true);
    return v;
  }

  // primitive returns what an object or function is converted to.
  primitive(target, hint = "string") {
    const v = this.value(this.ask("primitive", target, hint));
    if (v !== null && typeof v === "object" || typeof v === "function") throw this.forged(new Forged("a primitive value"));
    return v;
  }

  // noMock refuses what a function of the candidate says of its calls: it may stand where the tests have put a mock.
  noMock(target, f) {
    if (this.property(target, "mock", known.get(f)) !== undefined) throw this.lacks("the tests read mock of a function of the candidate", true);
  }

  // tagOf returns the tag of an object or function, but for those of built-in classes.
  tagOf(n, allowed = () => true) {
    const tag = this.value(this.ask("get", n, "toStringTag", true));
    return typeof tag === "string" && globalThis[tag] === undefined && !/^(?:Arguments|Null|Undefined)$/.test(tag) && allowed(tag) ? tag : undefined;
  }

  // ownOf describes a property that an object has itself, and that is not as others.
  ownOf(n, key, h) {
    const [, body] = this.ask("own", n, key);
    if (body === null) return undefined;
    return this.checked(() => {
      if (!Array.isArray(body) || body.length !== 2 || !Number.isInteger(body[0]) || body[0] < 0 || body[0] > 31) throw new Forged("a property");
      const [flags, coded] = body, v = this.decoder().decode(coded), of = { enumerable: (flags & 1) > 0, configurable: true };
      if (typeof v === "function") handleOf(v)?.as.set(key, h);
      if ((flags & 24) === 0) return { ...of, value: v, writable: (flags & 2) > 0 };
      const computed = (f) => { theirs.add(f); computing.add(f); return f; };
      return { ...of, get: flags & 8 ? computed(() => this.property(n, key, h)) : undefined, set: flags & 16 ? computed((x) => this.ask("set", n, key, this.encoded([x], "set " + key)[0])) : undefined };
    });
  }

  // hasName reports whether an object has a name. An object that a function returned is not asked: its names came with it.
  hasName(h, v, key) {
    if (h.overlay !== undefined && key in h.overlay || h.proto !== undefined && key in h.proto) return true;
    if (h.names === undefined || own.has(h) || this.isNamed(h)) return this.ask("has", h.target, key)[1] === true;
    if (Object.hasOwn(h.fields ??= this.askFields(h.target, false), key) || h.names.has(key)) return true;
    if (h.like?.startsWith("Proxy")) throw this.lacks("the tests ask a Proxy of the candidate whether it has " + key, true);
    return false;
  }

  // fieldsOf returns the own properties of a handle, as they were when the candidate has run last.
  fieldsOf(v) {
    const h = handleOf(v);
    if (h.like === "Proxy of an array") throw this.lacks("the tests compare a Proxy of an array", true);
    if (h.made || h.computes) return this.askFields(h.target);
    if (h.fields === undefined || h.read !== this.uses) [h.fields, h.read] = [this.askFields(h.target), this.uses];
    return h.fields;
  }

  // itemsOf returns the items of an array of a class of the candidate, as JSON has them.
  itemsOf(v) {
    const { length } = v;
    if (!(length <= MAX_ITEMS)) throw this.ends("output", "an array of the candidate has more than " + MAX_ITEMS + " items");
    return Array.from({ length }, (_, k) => v[k]);
  }

  // iterator returns an iterator: the object itself, if it is that of the candidate.
  iterator(h, v) {
    const reply = this.ask("iterate", h.target), it = handleOf(this.value(reply));
    if (it === undefined) throw this.forged(new Forged("an iterator"));
    if (reply[0] !== "end") return this.items(it.target);
    h.steps = it.target;
    return v;
  }

  // step returns what the next step of an iterator of the candidate is.
  step(it) {
    if (++this.taken > MAX_ITEMS) throw this.ends("output", "the candidate's iterators have more than " + MAX_ITEMS + " items");
    const reply = this.ask("next", it);
    return { value: this.value(reply), done: reply[0] === "end" };
  }

  // items are those of an iterator of the candidate, which learns that the tests want no more, unless it ends or throws by itself.
  *items(it) {
    let open = false;
    try {
      for (;;) {
        const { value, done } = this.step(it);
        if (done) return value;
        open = true;
        yield value;
        open = false;
      }
    } finally {
      if (open && this.end === undefined) this.ask("stop", it);
    }
  }

  // iteratorAsync returns an asynchronous iterator: the object itself, if it is that of the candidate.
  iteratorAsync(n, v) {
    const reply = this.ask("iterateAsync", n), it = handleOf(this.value(reply));
    if (it === undefined) throw this.forged(new Forged("an iterator"));
    return reply[0] === "end" ? v : this.itemsAsync(it);
  }

  async *itemsAsync(it) {
    let open = false;
    try {
      for (;;) {
        const { value: v, done } = this.step(it.target), step = v instanceof Promise ? await v : { value: v, done };
        if (step === null || typeof step !== "object") throw mean(new TypeError("an iterator's result is not an object"));
        if (step.done) return;
        open = true;
        yield step.value;
        open = false;
      }
    } finally {
      if (open && this.end === undefined) await this.value(this.ask("stop", it.target));
    }
  }

  // exception makes an error in its built-in class, with the name of the candidate's. What the candidate's class defines, it asks for.
  exception([, classes, message, name, , place]) {
    if (!Array.isArray(classes) || classes.length === 0 || classes.length > 9 || typeof message !== "string") throw new Forged("an exception");
    const { base, make } = builtFrom(classes), { objects } = this;
    if (base === undefined) throw new Forged("an exception");
    if (classes[0][0] === "C") { // of the tests
      const [proto] = recordNamed(classes[0][1]) ?? [], e = make(message, name);
      if (!(proto instanceof base)) throw new Forged("an exception");
      raised.set(e, { line: 0, classes: [] });
      return Object.setPrototypeOf(e, proto);
    }
    const own = classes.slice(0, -1).map((c) => {
      if (!Array.isArray(c) || c[0] !== "F" || typeof c[2] !== "string") throw new Forged("a class");
      return c[2];
    });
    const e = make(message, name);
    if (own.length > 0) {
      if (!Array.isArray(place) || !Number.isInteger(classes[0][1]) || !Number.isInteger(place[0]) || place[0] < 0 || !Array.isArray(place[1]) || place[1].length > 200) throw new Forged("an exception");
      let of = this.classes.get(own[0]);
      if (of === undefined) {
        of = class extends base {};
        Object.defineProperty(of, "name", { value: own[0] });
        const names = new Set(place[1]);
        const [, n, name] = classes[0];
        Object.defineProperty(of.prototype, "constructor", { get: () => this.classOf(n, name), configurable: true });
        Object.setPrototypeOf(of.prototype, new Proxy(base.prototype, {
          get: (to, key, error) => key === Symbol.toPrimitive && names.has("toString") && places.has(error) ? (hint) => this.convert(error, hint) : typeof key === "string" && names.has(key) && (!(key in to) || key === "toString") && !["then", "asymmetricMatch"].includes(key) && places.has(error) ? this.memberOf(error, key) : Reflect.get(to, key, error),
          has: (to, key) => key in to || names.has(key) && !["then", "asymmetricMatch"].includes(key),
          getPrototypeOf: () => base.prototype,
        }));
        theirs.add(of);
        this.classes.set(own[0], of);
      }
      Object.setPrototypeOf(e, of.prototype);
      places.set(e, { target: place[0], owner: this, kind: classes[0][1], alive: () => this.objects === objects });
    }
    raised.set(e, { line: 0, classes: own });
    return e;
  }
}
