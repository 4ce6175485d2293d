// Runs before the driver, in the same QuickJS. It makes splitting by a regular
// expression faster and changes nothing else: what a script can observe, down to
// which properties are read in which order, stays as it was.
//
// QuickJS does literally what the standard says: it tries to match at each
// position in turn. Here the expression is asked where it matches next. Functions
// that run later use nothing that a script can have changed.
(function () {
  "use strict";
  const { apply, construct, defineProperty, getOwnPropertyDescriptor: own, setPrototypeOf } = Reflect;
  const RE = RegExp, ProxyOf = Proxy, species = Symbol.species, match = Symbol.match, proto = RegExp.prototype, exec = proto.exec, arrays = Array.prototype;
  const unbound = Function.prototype.bind.bind(Function.prototype.call); // f(self, a) instead of self.f(a)
  const sourceOf = unbound(own(proto, "source").get), has = unbound(Object.prototype.hasOwnProperty);
  const test = unbound(proto.test), replace = unbound(proto[Symbol.replace]);
  const slice = unbound(String.prototype.slice), indexOf = unbound(String.prototype.indexOf), concat = unbound(String.prototype.concat);
  const split = unbound(String.prototype.split), replaceAll = unbound(String.prototype.replaceAll), codeAt = unbound(String.prototype.charCodeAt);

  const trunc = Math.trunc, text = (v) => typeof v === "string" ? v : concat("", v);
  const isObject = (v) => v !== null && typeof v === "object" || typeof v === "function";
  const isConstructor = (f) => { try { new (new ProxyOf(f, { __proto__: null, construct: () => ({}) }))(); return true; } catch { return false; } };
  const sticky = (flags) => indexOf(flags, "y") < 0 ? flags + "y" : flags;

  // ours is an expression whose own properties hide those that all have.
  function ours(source, flags) {
    const re = new RE(source, flags);
    defineProperty(re, "exec", { __proto__: null, value: exec });
    defineProperty(re, "constructor", { __proto__: null, value: RE });
    defineProperty(re, "flags", { __proto__: null, value: flags });
    defineProperty(re, "unicode", { __proto__: null, value: false });
    return re;
  }

  // plans say how to split, by flags and source.
  const plans = { __proto__: null }, mostPlans = 200;
  let planned = 0;

  function planOf(flags, source) {
    const known = plans[flags] && plans[flags][source];
    if (known) return known;
    new RE(source, sticky(flags)); // what is wrong with them is said here
    let kept = "", unicode = false;
    for (let k = 0; k < flags.length; k++) {
      const f = flags[k];
      if (f === "u" || f === "v") unicode = true;
      if (f !== "g" && f !== "y" && f !== "d") kept += f;
    }
    const plan = { __proto__: null, re: ours(source, kept + "g"), unicode, set: setOf(source, kept) };
    if (planned < mostPlans) {
      planned++;
      plans[flags] ||= { __proto__: null };
      plans[flags][source] = plan;
    }
    return plan;
  }

  const form = ours("^(?:(\\\\[sSwWdD])|\\[(\\^?)((?:[^\\]\\\\]|\\\\[^])*)\\])(\\+?)$", "");
  const others = { __proto__: null, "\\s": "\\S", "\\S": "\\s", "\\w": "\\W", "\\W": "\\w", "\\d": "\\D", "\\D": "\\d" };

  // setOf returns how to split by one or many characters of a set: by is one that
  // can stand for all of them, run looks like a run of that one and of what is not
  // in the set.
  function setOf(source, flags) {
    const z = flags === "" || flags === "u" ? form.exec(source) : null;
    if (z === null) return undefined;
    const one = z[1] || "[" + z[2] + z[3] + "]", other = z[1] ? others[z[1]] : "[" + (z[2] ? "" : "^") + z[3] + "]";
    const is = ours(one, flags), many = z[4] !== "";
    if (is.exec(" ") !== null) return { __proto__: null, by: " ", many, run: ours(simple[other] || "(?:" + other + "| )*", flags + "y") };
    return is.exec("\0") === null ? { __proto__: null, by: "\0", many, run: ours(other + "*", flags + "y") } : undefined;
  }

  const simple = { __proto__: null, "\\S": "[\\S ]*", "\\w": "[\\w ]*" }; // these are faster
  const several = { __proto__: null, " ": ours(" +(?= )", "g"), "\0": ours("\0+(?=\0)", "g") };

  // bySet makes every separator the same, and splits by that. It returns nothing
  // if it cannot.
  function bySet({ by, many, run }, s, limit) {
    if (by !== " " && indexOf(s, by) >= 0) return undefined;
    run.lastIndex = 0;
    for (;;) {
      test(run, s);
      const at = run.lastIndex;
      if (at >= s.length) break;
      const code = codeAt(s, at);
      if (code >= 0xD800 && code < 0xE000) return undefined; // it may be half of a character
      s = replaceAll(s, s[at], by);
    }
    if (many && indexOf(s, by + by) >= 0) s = replace(several[by], s, "");
    return split(s, by, limit);
  }

  // bySearch splits where an expression matches next. No prototype of the array
  // sees how it is filled.
  function bySearch(plan, s, limit) {
    const out = [];
    setPrototypeOf(out, null);
    fill(out, plan, s, limit);
    setPrototypeOf(out, arrays);
    return out;
  }

  function fill(out, { re, unicode }, s, limit) {
    let n = 0, from = 0, z;
    re.lastIndex = 0;
    while ((z = re.exec(s)) !== null) {
      const at = z.index, to = re.lastIndex;
      if (s.length === 0) return;
      if (at >= s.length) break;
      if (to === from) { // it is empty, and where the last has ended
        re.lastIndex = from + (unicode && isPair(s, from) ? 2 : 1);
        continue;
      }
      out[n++] = slice(s, from, at);
      for (let k = 1; n < limit && k < z.length; k++) out[n++] = z[k];
      if (n >= limit) return;
      from = to;
    }
    out[n] = slice(s, from, s.length);
  }

  function isPair(s, at) {
    const a = codeAt(s, at), b = codeAt(s, at + 1);
    return a >= 0xD800 && a < 0xDC00 && b >= 0xDC00 && b < 0xE000;
  }

  // patternOf returns the pattern of a regular expression, or nothing.
  function patternOf(v) {
    if (v === proto) return undefined;
    try { return sourceOf(v); } catch { return undefined; }
  }

  function faster(original, self, args) {
    if (!isObject(self)) return apply(original, self, args);
    const s = text(args.length > 0 ? args[0] : undefined), given = args.length > 1 ? args[1] : undefined;
    // as lets the original go on with what was read already.
    const as = (constructor, flags) => apply(original, { __proto__: null, constructor, flags }, [s, given]);
    const of = self.constructor, by = of === undefined || !isObject(of) ? of : of[species] ?? undefined;
    if (by !== undefined && by !== RE && !isConstructor(by)) return as(isObject(of) ? { __proto__: null, [species]: by } : of, "");
    const flags = text(self.flags), made = (make) => as({ __proto__: null, [species]: function (_, flags) { return make(flags); } }, flags);
    if (by !== undefined && by !== RE || patternOf(self) === undefined) return made((flags) => construct(by || RE, [self, flags]));
    self[match]; // which is how a constructor asks what it is given
    const source = patternOf(self), plan = planOf(flags, source), limit = given === undefined ? 0xFFFFFFFF : trunc(given) >>> 0, now = own(proto, "exec");
    if (now === undefined || !has(now, "value") || now.value !== exec) return apply(original, { __proto__: null, constructor: { __proto__: null, [species]: function () { return new RE(source, sticky(flags)); } }, flags }, [s, limit]);
    if (limit === 0) return [];
    return plan.set && bySet(plan.set, s, limit) || bySearch(plan, s, limit);
  }

  const was = own(proto, Symbol.split);
  was.value = new Proxy(was.value, { __proto__: null, apply: faster });
  defineProperty(proto, Symbol.split, was);
})();
