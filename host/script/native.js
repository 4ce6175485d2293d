// Our own: score(case, config), and functions of unknown conventions.

const plainDefault = /^[^,]*,\s*[\w$]+\s*=\s*(?:[-\d."'`]|true\b|false\b)/, cases = /^(?:_?c|_?case|case_|kase|testCase|row|sample|item|example|stats)$/;
// solo returns the name of the only parameter of an arrow function without parentheses.
const arrow = /^(?:async\s+)?([\w$]+)\s*=>/;
function solo(f) {
  const found = call(exec, arrow, apply(shown, f, []));
  return found === null ? undefined : [found[1]];
}

// fitting returns the shim that fits the parameters of a function, and the keys of the configuration that it reads.
const wide = /\barguments\b|\.\.\./;
function fitting(f) {
  for (let k = 0; k < signatures.length; k++) if (signatures[k].fits(f)) return [signatures[k].shim, signatures[k].reads(f)];
  const list = fields(f);
  if (list) return [byName(list), settings(names_(list))];
  const apartOf = taken(f);
  if (apartOf) return [(f) => (c, config, criterion) => f(set(c, config), config, criterion), settings(apartOf)];
  const mine = solo(f) ?? parameters(f);
  if (mine.length === 0 || call(test, wide, apply(shown, f, []))) return [(f) => f, undefined];
  // A second parameter with a plain default is one setting, otherwise it is the configuration.
  const single = mine.length > 1 && f.length < 2 && mine[1] !== "config" && call(test, plainDefault, apply(shown, f, []));
  if (single) {
    const keys = [];
    for (let k = 1; k < mine.length; k++) keys[k - 1] = mine[k];
    return [(f) => (c, config) => {
      const values = [c];
      for (let k = 0; k < keys.length; k++) values[k + 1] = call(owns, config, keys[k]) ? config[keys[k]] : undefined;
      return apply(f, undefined, values);
    }, settings(keys)];
  }
  if (mine.length === 1) {
    const graded = !call(test, cases, mine[0]);
    return [(f) => (c) => f(graded && c.target !== undefined ? c.target : c), []];
  }
  return [(f) => f, undefined];
}
