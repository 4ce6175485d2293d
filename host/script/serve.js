// The functions that the host calls.

return {
  // bind finds the scorers, and the keys of the configuration that each reads; undefined: perhaps any. It returns an error message.
  bind(list, ns) {
    idle = find("serveIdle", ns);
    for (const name of parse(list)) {
      // An export comes before a function of the same name, which may be its helper.
      let f = find(name, ns) ?? (name === "score" ? only(ns) : undefined) ?? around(name), reads;
      if (f !== undefined) {
        const [shim, of] = fitting(f);
        reads = of;
        f = shim(f);
      } else if (name === "score") {
        for (const other of f ? [] : names(shims)) {
          const g = find(other, ns) ?? around(other);
          if (g !== undefined) { f = shims[other].shim(g); reads = shims[other].reads(g); break; }
        }
      }
      if (f === undefined) return "it has no function " + name + "(case, config); write: export function " + name + "(case, config) { ... }" + others(ns);
      functions[functions.length] = { name, f, reads };
    }
    return "";
  },
  // serve returns an answer, or undefined if the answer is pending.
  serve(request, export_) {
    const { name, f, reads } = functions[export_];
    try {
      const r = parse(request);
      if (r.kind === "reads") return stringify({ reads: reads ?? null });
      const level = (v) => (r.kind === "scorer" && typeof v === "string" ? { level: v } : v);
      const v = level(r.kind === "corpus" ? f(r.stats, r.config) : f(r.case, r.config, r.criterion));
      if (v !== null && typeof v === "object" && typeof v.then === "function") {
        answered = undefined;
        call(then, Promise.resolve(v), (v) => { answered = answer(name, level(v)); }, (e) => { answered = failed(explain(e)); });
        return undefined;
      }
      return answer(name, v);
    } catch (e) {
      return failed(explain(e));
    }
  },
  // wait returns the answer that was pending, or undefined if the script had more to do.
  wait(export_) {
    try {
      if (answered === undefined && idle?.() === true) return undefined;
    } catch (e) {
      return failed(explain(e));
    }
    return answered === undefined ? failed(functions[export_].name + "() returned a promise that nothing settles: there are no timers and no files here") : answered;
  },
  explain,
  program,
  peers,
  inPeer,
};
