// URL and URLSearchParams, as Node has them, for ASCII hosts of the schemes that the web knows. What else there is, is lacking.
import { converting, mean } from "./faults.js";

const ports = { __proto__: null, "http:": "80", "https:": "443", "ws:": "80", "wss:": "443", "ftp:": "21" };
const invalid = (input) => mean(Object.assign(new TypeError("Invalid URL"), { code: "ERR_INVALID_URL", input }));

// escaped percent-encodes what a part of a URL cannot have.
const escaped = (text, these) => text.toWellFormed().replace(these, (c) => c <= "\x7f" ? "%" + c.charCodeAt().toString(16).toUpperCase().padStart(2, "0") : encodeURIComponent(c));
const inPath = /[\0- "#<>?`{}]|[^\0-~]/gu, inQuery = /[\0- "#<>']|[^\0-~]/gu, inOpaqueQuery = /[\0- "#<>]|[^\0-~]/gu, inHash = /[\0- "<>`]|[^\0-~]/gu, inUser = /[\0- "#/:;<=>?@[\\\]^`{|}]|[^\0-~]/gu, inOpaque = /[\0-\x1f]|[^\0-~]/gu;

// web makes the classes. lacking makes the error of what is not here.
export function web({ TextEncoder, TextDecoder, lacking }) {
  const coded = (text) => Array.from(new TextEncoder().encode(text), (b) => b === 32 ? "+" : /[\w*.-]/.test(String.fromCharCode(b)) ? String.fromCharCode(b) : "%" + b.toString(16).toUpperCase().padStart(2, "0")).join("");
  const decoded = (text) => {
    const bytes = [], source = new TextEncoder().encode(text.replaceAll("+", " ")), hex = (k) => String.fromCharCode(source[k + 1] ?? 0, source[k + 2] ?? 0);
    for (let k = 0; k < source.length; k++) bytes.push(source[k] === 37 && /^[\da-f]{2}$/i.test(hex(k)) ? parseInt(hex(k), 16) + 0 * (k += 2) : source[k]);
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytes));
  };
  const pairsOf = (text) => text.split("&").filter((part) => part !== "").map((part) => { const at = part.indexOf("="); return (at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)]).map(decoded); });
  const word = (v) => { if (typeof v === "symbol") throw mean(new TypeError("Cannot convert a Symbol value to a string")); return converting(() => String(v)).toWellFormed(); };
  const needs = (list, n, names) => { if (list.length < n) throw mean(Object.assign(new TypeError("The " + names + " must be specified"), { code: "ERR_MISSING_ARGS" })); };

  class URLSearchParams {
    #list = []; #changed = () => {};
    constructor(from = "") {
      if (from === null || typeof from !== "object" && typeof from !== "function") this.#list = pairsOf(word(from).replace(/^\?/, ""));
      else if (from[Symbol.iterator] == null) this.#list = Object.keys(from).map((key) => [word(key), word(from[key])]);
      else this.#list = Array.from(from, (pair) => {
        const both = typeof pair === "object" && pair?.[Symbol.iterator] != null ? [...pair] : [];
        if (both.length !== 2) throw mean(Object.assign(new TypeError("Each query pair must be an iterable [name, value] tuple"), { code: "ERR_INVALID_TUPLE" }));
        return both.map(word);
      });
    }
    static of(text, changed) { const made = new URLSearchParams(text); made.#changed = changed; return made; }
    static replace(of, text) { of.#list = pairsOf(text); }
    static refill(of, text) { of.#list = pairsOf(text); of.#changed(); }
    get size() { return this.#list.length; }
    append(...pair) { needs(pair, 2, '"name" and "value" arguments'); this.#list.push(pair.slice(0, 2).map(word)); this.#changed(); }
    delete(...args) { needs(args, 1, '"name" argument'); this.#list = this.#list.filter((pair) => !this.#matches(pair, args)); this.#changed(); }
    #matches([name, v], args) { return name === word(args[0]) && (args[1] === undefined || v === word(args[1])); }
    get(...args) { needs(args, 1, '"name" argument'); return this.#list.find((pair) => pair[0] === word(args[0]))?.[1] ?? null; }
    getAll(...args) { needs(args, 1, '"name" argument'); return this.#list.filter((pair) => pair[0] === word(args[0])).map((pair) => pair[1]); }
    has(...args) { needs(args, 1, '"name" argument'); return this.#list.some((pair) => this.#matches(pair, args)); }
    set(...args) {
      needs(args, 2, '"name" and "value" arguments');
      const [name, v] = args.map(word), at = this.#list.findIndex((pair) => pair[0] === name);
      if (at < 0) this.#list.push([name, v]);
      else this.#list = this.#list.filter((pair, k) => k <= at || pair[0] !== name).map((pair, k) => k === at ? [name, v] : pair);
      this.#changed();
    }
    sort() { this.#list.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0); this.#changed(); }
    forEach(f, self) { for (const [name, v] of this) Reflect.apply(f, self, [v, name, this]); }
    *entries() { for (let k = 0; k < this.#list.length; k++) yield [...this.#list[k]]; }
    *keys() { for (const [name] of this) yield name; }
    *values() { for (const [, v] of this) yield v; }
    [Symbol.iterator]() { return this.entries(); }
    toString() { return this.#list.map((pair) => pair.map(coded).join("=")).join("&"); }
    get [Symbol.toStringTag]() { return "URLSearchParams"; }
  }
  Object.defineProperty(URLSearchParams.prototype, Symbol.iterator, { value: URLSearchParams.prototype.entries, writable: true, configurable: true });
  const { of: paramsOf, replace, refill } = URLSearchParams;
  delete URLSearchParams.of;
  delete URLSearchParams.refill;
  delete URLSearchParams.replace;

  function hostOf(text, input) {
    if (text.includes("%")) try { text = decodeURIComponent(text); } catch { throw invalid(input); }
    if (/[^\0-\x7f]/.test(text)) throw lacking("URL with a host that is not ASCII");
    const host = text.toLowerCase();
    if (/^\[.*\]$/.test(host)) throw lacking("URL with an address of IPv6");
    if (host === "" || /[\0- #%/:<>?@[\\\]^|\x7f]/.test(host)) throw invalid(input);
    if (/(?:^|\.)xn--/.test(host)) throw lacking("URL with a host in Punycode");
    const last = host.replace(/\.$/, "").split(".").at(-1);
    if (!/^(?:\d+|0x[\da-f]*)$/.test(last)) return host;
    if (!/^(?:(?:0|[1-9]\d*)\.){3}(?:0|[1-9]\d*)$/.test(host)) throw lacking("URL with an address of IPv4 in another form");
    if (host.split(".").some((part) => Number(part) > 255)) throw invalid(input);
    return host;
  }

  // pathOf returns a path, whose parts . and .. go. before: the parts that it begins with.
  function pathOf(text, before = []) {
    const out = [...before], parts = text.split(/[/\\]/);
    for (const [k, part] of parts.entries()) {
      const end = k === parts.length - 1, dots = part.replace(/%2e/gi, ".");
      if (dots === "..") { out.pop(); if (end) out.push(""); } else if (dots !== ".") out.push(escaped(part, inPath)); else if (end) out.push("");
    }
    return out;
  }

  // parsed returns the parts of a URL. search and hash are undefined if there is none, which an empty one is not.
  function parsed(input, base) {
    let text = input.replace(/^[\0- ]+|[\0- ]+$/g, "").replace(/[\t\n\r]/g, "");
    const hashAt = text.indexOf("#"), hash = hashAt < 0 ? undefined : text.slice(hashAt + 1);
    const whole = hashAt < 0 ? text : text.slice(0, hashAt), schemed = /^([a-z][a-z\d+.-]*):/i.exec(whole);
    let at = { protocol: base?.protocol, username: "", password: "", host: "", port: "", path: [], opaque: undefined, search: undefined, hash: hash === undefined ? undefined : escaped(hash, inHash) };
    const cut = whole.indexOf("?"), query = cut < 0 ? undefined : whole.slice(cut + 1);
    text = cut < 0 ? whole : whole.slice(0, cut);
    if (schemed !== null && schemed[0].length <= text.length) {
      at.protocol = schemed[0].toLowerCase();
      text = text.slice(schemed[0].length);
    } else if (base === undefined) throw invalid(input);
    const special = at.protocol in ports;
    if (query !== undefined) at.search = escaped(query, special ? inQuery : inOpaqueQuery);
    if (!special) {
      if (schemed === null ? whole !== "" || base.opaque === undefined || hashAt < 0 : text.startsWith("/") || text.startsWith("\\") || at.protocol === "file:" || text.endsWith(" ")) {
        throw lacking("URL of the scheme " + at.protocol);
      }
      return schemed === null ? { ...base, hash: at.hash } : { ...at, opaque: escaped(text, inOpaque) };
    }
    if (schemed !== null && !(base !== undefined && base.protocol === at.protocol && !/^\/\//.test(text)) || schemed === null && /^[/\\]{2}/.test(text)) {
      text = text.replace(/^[/\\]+/, "");
      const end = text.search(/[/\\]/), authority = end < 0 ? text : text.slice(0, end), user = authority.lastIndexOf("@"), [, name, port] = /^(.*?)(?::([^:\]]*))?$/s.exec(authority.slice(user + 1));
      if (user >= 0) {
        const own = authority.slice(0, user), colon = own.indexOf(":");
        [at.username, at.password] = [colon < 0 ? own : own.slice(0, colon), colon < 0 ? "" : own.slice(colon + 1)].map((part) => escaped(part, inUser));
      }
      at.host = hostOf(name, input);
      if (port !== undefined && !/^\d*$/.test(port) || Number(port ?? 0) > 65535) throw invalid(input);
      at.port = port === undefined || port === "" || String(Number(port)) === ports[at.protocol] ? "" : String(Number(port));
      at.path = pathOf(end < 0 ? "" : text.slice(end + 1));
      return at;
    }
    at = { ...base, search: at.search, hash: at.hash };
    if (/^[/\\]/.test(text)) at.path = pathOf(text.slice(1));
    else if (text !== "") at.path = pathOf(text, base.path.slice(0, -1));
    else if (query === undefined) at.search = base.search;
    return at;
  }

  class URL {
    #at; #params;
    constructor(...args) {
      needs(args, 1, '"url" argument');
      const [input, base] = args;
      this.#at = parsed(word(input), base === undefined ? undefined : parsed(word(base)));
      this.#params = paramsOf(this.#at.search ?? "", () => { this.#at.search = this.#params.toString() || undefined; });
    }
    static parse(...args) { try { return new URL(...args); } catch (e) { if (e.code === "ERR_INVALID_URL") return null; throw e; } }
    static canParse(...args) { try { return new URL(...args) !== undefined; } catch (e) { if (e.code === "ERR_INVALID_URL") return false; throw e; } }
    get protocol() { return this.#at.protocol; }
    get username() { return this.#at.username; }
    get password() { return this.#at.password; }
    get hostname() { return this.#at.host; }
    get port() { return this.#at.port; }
    get host() { return this.#at.host + (this.#at.port === "" ? "" : ":" + this.#at.port); }
    get origin() { return this.#at.opaque === undefined ? this.protocol + "//" + this.host : "null"; }
    get pathname() { return this.#at.opaque ?? "/" + this.#at.path.join("/"); }
    get search() { return this.#at.search ? "?" + this.#at.search : ""; }
    get hash() { return this.#at.hash ? "#" + this.#at.hash : ""; }
    get searchParams() { return this.#params; }
    get href() {
      const { username, password, opaque, search, hash } = this.#at, user = username + (password === "" ? "" : ":" + password);
      return this.protocol + (opaque === undefined ? "//" + (user === "" ? "" : user + "@") + this.host : "") + this.pathname + (search === undefined ? "" : "?" + search) + (hash === undefined ? "" : "#" + hash);
    }
    set href(v) { this.#at = parsed(word(v)); replace(this.#params, this.#at.search ?? ""); }
    set search(v) { v = word(v).replace(/^\?/, "").replace(/[\t\n\r]/g, ""); this.#at.search = v === "" ? undefined : escaped(v, inQuery); replace(this.#params, v); }
    set hash(v) { v = word(v).replace(/^#/, "").replace(/[\t\n\r]/g, ""); this.#at.hash = v === "" ? undefined : escaped(v, inHash); }
    set username(v) { if (this.#at.opaque === undefined) this.#at.username = escaped(word(v), inUser); }
    set password(v) { if (this.#at.opaque === undefined) this.#at.password = escaped(word(v), inUser); }
    set host(v) {
      const [, name, port] = /^([^:]*)(?::(\d+))?$/.exec(word(v)) ?? [];
      if (name === undefined) throw lacking("URL with such a host");
      this.hostname = name;
      if (port !== undefined) this.port = port;
    }
    set pathname(v) { if (this.#at.opaque === undefined) this.#at.path = pathOf(escaped(word(v).replace(/[\t\n\r]/g, ""), /[?#]/g).replace(/^[/\\]/, "")); }
    set port(v) { v = word(v); if (!/^\d{0,5}$/.test(v) || Number(v) > 65535) throw lacking("URL with such a port"); this.#at.port = v === "" || String(Number(v)) === ports[this.protocol] ? "" : String(Number(v)); }
    set hostname(v) { if (!/^[a-z\d.-]*[a-z][a-z\d-]*$/i.test(word(v))) throw lacking("URL with such a hostname"); this.#at.host = hostOf(word(v), v); }
    set protocol(v) { v = word(v).replace(/:?$/, ":").toLowerCase(); if (!(v in ports)) throw lacking("URL with such a protocol"); this.#at.protocol = v; if (this.port === ports[v]) this.#at.port = ""; }
    toString() { return this.href; }
    toJSON() { return this.href; }
    get [Symbol.toStringTag]() { return "URL"; }
  }
  for (const name of ["createObjectURL", "revokeObjectURL"]) Object.defineProperty(URL, name, { configurable: true, get: () => { throw lacking("URL." + name); } });
  return { URL, URLSearchParams, refill };
}
