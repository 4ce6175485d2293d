// QuickJS-NG 0.15.1 takes the flag v of regular expressions and does not do what it
// says: \p{L} matches nothing, a dot half a character. So there is no such flag.
// This runs before a script that has a text which may be flags, v among them;
// literals are looked at by the host.
(function () {
  "use strict";
  const refused = "the flag v of regular expressions is not what it should be here; write them with u";
  const construct = Reflect.construct, apply = Reflect.apply, text = String, SyntaxError_ = SyntaxError;
  const match = Symbol.match, includes = String.prototype.includes, compile = RegExp.prototype.compile;
  const checked = (flags) => {
    if (flags === undefined) return flags;
    const f = text(flags);
    if (apply(includes, f, ["v"])) throw new SyntaxError_(refused);
    return f;
  };
  const Checked = new Proxy(RegExp, {
    construct: (target, [pattern, flags], self) => construct(target, [pattern, checked(flags)], self),
    apply: (target, self, [pattern, flags]) => {
      if (flags !== undefined) return construct(target, [pattern, checked(flags)], Checked);
      const same = pattern !== null && typeof pattern === "object" && pattern[match] && pattern.constructor === Checked;
      return same ? pattern : construct(target, [pattern], Checked);
    },
  });
  const define = (o, name, value) => Object.defineProperty(o, name, { value, writable: true, configurable: true, enumerable: false });
  define(RegExp.prototype, "constructor", Checked);
  define(RegExp.prototype, "compile", { compile(pattern, flags) { return apply(compile, this, [pattern, checked(flags)]); } }.compile);
  define(globalThis, "RegExp", Checked);
})();
