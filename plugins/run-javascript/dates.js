// Date.parse of V8: texts of ISO 8601, and the other ones that it takes for dates. Times without a zone are in UTC.

const names = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const zones = { __proto__: null, ut: 0, utc: 0, z: 0, gmt: 0, cst: -6, cdt: -5, est: -5, edt: -4, mst: -7, mdt: -6, pst: -8, pdt: -7 }; // hours
const usual = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z)?$/; // what QuickJS reads alike
const isoTime = /^T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:(Z)|([-+])(\d\d)(?::(\d\d)|(\d\d)))?$/i;
const { parse, UTC } = Date, AGES = UTC(2400) - UTC(2000);

const isNumber = (t) => t >= "0" && t < ":", between = (n, from, to) => n >= from && n <= to;
const valueOf = (digits) => Number(digits.replace(/^0+/, "").slice(0, 9));
const millisecondsOf = (digits) => Number(digits.slice(0, 3).padEnd(3, "0"));

// piecesOf returns numbers, words and single characters of a text. What is in parentheses is one piece.
function piecesOf(text) {
  const list = [];
  let depth = 0;
  for (const t of text.split("\0", 1)[0].match(/\d+|[^\0-@\s]+|[^]/g) ?? []) {
    if (depth === 0) list.push(t);
    if (t === "(") depth++; else if (t === ")" && depth > 0) depth--;
  }
  return list;
}

// timeOf returns the milliseconds since 1970 of a text, or NaN.
export function timeOf(text) {
  if (usual.test(text)) return parse(text);
  const list = piecesOf(text), day = [], time = [];
  let k = 0, iso = false, month, noon, sign = 1, hours, minutes; // noon: 12 or 0 hours, of pm and am; the last three are the zone
  const peek = () => list[k] ?? "", next = () => list[k++] ?? "", skip = (t) => peek() === t && ++k > 0;
  const digits = (n) => isNumber(peek()) && peek().length === n, within = (from, to) => digits(2) && between(valueOf(peek()), from, to);
  const expects = (n) => between(time.length, 1, 3) && n < (time.length === 3 ? 1000 : 60), filled = (of, n, v) => { while (of.length < n) of.push(v); };

  // begin reads a text of ISO 8601. It returns the first piece that is not part of one; null: the text is not a date.
  const begin = () => {
    if (["+", "-"].includes(peek())) {
      const t = next();
      if (!digits(6)) return t;
      const year = Number(t + valueOf(next()));
      if (Object.is(year, -0)) return t;
      day.push(year);
    } else if (digits(4)) day.push(valueOf(next())); else return next();
    if (skip("-")) {
      if (!within(1, 12)) return next();
      day.push(valueOf(next()));
      if (skip("-")) {
        if (!within(1, 31)) return next();
        day.push(valueOf(next()));
      }
    }
    if (/^t$/i.test(peek())) {
      const [, h, m, s = "0", fraction = "0", , plus, zone = "0", a, b] = isoTime.exec(list.slice(k).join("")) ?? [], zoned = Number(a ?? b ?? 0);
      if (h === undefined || h > 24 || m > 59 || s > 59 || Number(h) === 24 && (m > 0 || s > 0 || valueOf(fraction) > 0) || zone > 23 || zoned > 59) return null;
      time.push(Number(h), Number(m), Number(s), millisecondsOf(fraction));
      [sign, hours, minutes] = [plus === "-" ? -1 : 1, Number(zone), zoned];
    } else if (peek() !== "") return next();
    iso = true;
    return "";
  };

  const first = begin();
  if (first === null) return NaN;
  let begun = day.length > 0; // a number has been read
  for (let t = first; t !== ""; t = next()) {
    const word = t > "@" && !/\s/.test(t) ? t.toLowerCase() : "";
    if (isNumber(t)) {
      const n = valueOf(t);
      begun = true;
      if (skip(":")) {
        const twice = skip(":");
        if (twice ? time.length > 0 : time.length > 3) return NaN;
        time.push(n, ...twice ? [0] : []);
        if (!twice) skip(".");
      } else if (skip(".") && expects(n)) {
        if (!isNumber(peek())) return NaN;
        time.push(n, millisecondsOf(next()));
        time.length = Math.min(time.length, 4);
        filled(time, 4, 0);
      } else if (hours !== undefined && minutes === undefined && n < 60) minutes = n;
      else if (expects(n)) {
        time.push(n);
        filled(time, 4, 0);
        if (!/^(?:|\s|[-+Z])$/i.test(peek())) return NaN;
      } else {
        if (day.length > 2) return NaN;
        day.push(n);
        skip("-");
      }
    } else if (word !== "") {
      const named = names.indexOf(word.slice(0, 3));
      if (["am", "pm"].includes(word) && time.length > 0) noon = word === "pm" ? 12 : 0;
      else if (named >= 0) {
        month = named + 1;
        skip("-");
      } else if (word in zones && begun) [sign, hours, minutes] = [zones[word] < 0 ? -1 : 1, Math.abs(zones[word]), 0];
      else if (begun || isNumber(peek())) return NaN;
    } else if (["+", "-"].includes(t) && (hours === 0 && minutes === 0 || time.length > 0)) {
      const zone = isNumber(peek()) ? next() : "", n = valueOf(zone);
      begun = true;
      if (peek() !== ":" && !between(zone.length, 1, 4)) return NaN;
      [sign, hours, minutes] = [t === "-" ? -1 : 1, ...peek() === ":" ? [n, undefined] : zone.length < 3 ? [n, 0] : [Math.floor(n / 100), n % 100]];
    } else if (["+", "-", ")"].includes(t) && begun) return NaN;
  }
  if (day.length === 0) return NaN;
  filled(day, 3, 1);
  filled(time, 4, 0);
  const isDay = between(day[0], 1, 31), [y, m, d] = month !== undefined ? isDay ? [day[1], month, day[0]] : [day[0], month, day[1]] : iso || !isDay ? day : [day[2], day[0], day[1]];
  if (noon !== undefined) {
    if (time[0] > 12) return NaN;
    time[0] = time[0] % 12 + noon;
  }
  if (!between(m, 1, 12) || !between(d, 1, 31) || (time[0] > 23 || time[1] > 59 || time[2] > 59 || time[3] > 999) && (time[0] !== 24 || time[1] + time[2] + time[3] > 0)) return NaN;
  const year = iso || y > 99 || y < 0 ? y : y + (y < 50 ? 2000 : 1900), early = between(year, 0, 99); // of which Date.UTC makes others
  return UTC(year + (early ? 400 : 0), m - 1, d, ...time) - (early ? AGES : 0) - sign * ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000;
}
