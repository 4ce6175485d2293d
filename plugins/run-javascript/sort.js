// The sort of V8: a stable merge sort that finds runs (TimSort). By a comparison that contradicts itself, such as (a, b) => a > b ? 1 : -1 for equal
// values, or one that says true and false, what comes out depends on which values are compared, and in which order.

const LONG = 32;     // values, from which on a sort of QuickJS is tried first
const SMALLEST = 7;  // wins in a row, after which a merge gallops

// insert sorts the values from low to high, of which those up to start are sorted.
function insert(list, order, low, start, high) {
  for (start = low === start ? start + 1 : start; start < high; start++) {
    let left = low, right = start;
    const pivot = list[start];
    while (left < right) {
      const mid = left + (right - left >> 1);
      if (+order(pivot, list[mid]) < 0) right = mid; else left = mid + 1;
    }
    for (let k = start; k > left; k--) list[k] = list[k - 1];
    list[left] = pivot;
  }
}

// run returns the length of the run at low, which then ascends.
function run(list, order, low, high) {
  if (low + 1 === high) return 1;
  let length = 2, before = list[low + 1];
  const falls = +order(before, list[low]) < 0; // of a bigint it throws
  for (let k = low + 2; k < high; k++, length++) {
    const x = list[k];
    if (+order(x, before) < 0 !== falls) break;
    before = x;
  }
  if (falls) for (let a = low, b = low + length - 1; a < b; a++, b--) { const x = list[a]; list[a] = list[b]; list[b] = x; }
  return length;
}

// A State is one sort of the values of a long array.
class State {
  gallop = SMALLEST;
  runs = []; // [start, length]

  constructor(list, order) {
    this.list = list;
    this.order = order;
  }

  sort() {
    const { list, order } = this, n = list.length;
    const least = leastRun(n);
    for (let low = 0, left = n; left > 0;) {
      let length = run(list, order, low, low + left);
      if (length < least) {
        const forced = Math.min(least, left);
        insert(list, order, low, low + length, low + forced);
        length = forced;
      }
      this.runs[this.runs.length] = [low, length];
      this.collapse();
      low += length;
      left -= length;
    }
    while (this.runs.length > 1) {
      let n = this.runs.length - 2;
      if (n > 0 && this.runs[n - 1][1] < this.runs[n + 1][1]) n--;
      this.mergeAt(n);
    }
  }

  collapse() {
    const { runs } = this;
    const holds = (n) => n < 2 || runs[n - 2][1] > runs[n - 1][1] + runs[n][1];
    while (runs.length > 1) {
      let n = runs.length - 2;
      if (!holds(n + 1) || !holds(n)) {
        if (runs[n - 1][1] < runs[n + 1][1]) n--;
        this.mergeAt(n);
      } else if (runs[n][1] <= runs[n + 1][1]) this.mergeAt(n);
      else break;
    }
  }

  mergeAt(n) {
    const { list, runs } = this;
    let { 0: a, 1: lengthA } = runs[n], { 0: b, 1: lengthB } = runs[n + 1];
    runs[n] = [a, lengthA + lengthB];
    for (let k = n + 1; k < runs.length - 1; k++) runs[k] = runs[k + 1];
    runs.length--;
    const k = this.right(list, list[b], a, lengthA, 0);
    a += k;
    lengthA -= k;
    if (lengthA === 0) return;
    lengthB = this.left(list, list[a + lengthA - 1], b, lengthB, lengthB - 1);
    if (lengthB === 0) return;
    if (lengthA <= lengthB) this.mergeLow(a, lengthA, b, lengthB); else this.mergeHigh(a, lengthA, b, lengthB);
  }

  // left returns where a key belongs in a sorted part, before what equals it. It looks around hint first.
  left(list, key, base, length, hint) {
    const { order } = this;
    let last = 0, offset = 1;
    if (order(list[base + hint], key) < 0) {
      const most = length - hint;
      while (offset < most && order(list[base + hint + offset], key) < 0) { last = offset; offset = 2 * offset + 1; }
      if (offset > most) offset = most;
      last += hint;
      offset += hint;
    } else {
      const most = hint + 1;
      while (offset < most && !(order(list[base + hint - offset], key) < 0)) { last = offset; offset = 2 * offset + 1; }
      if (offset > most) offset = most;
      const to = hint - last;
      last = hint - offset;
      offset = to;
    }
    for (last++; last < offset;) {
      const mid = last + (offset - last >> 1);
      if (order(list[base + mid], key) < 0) last = mid + 1; else offset = mid;
    }
    return offset;
  }

  // right returns where a key belongs in a sorted part, behind what equals it.
  right(list, key, base, length, hint) {
    const { order } = this;
    let last = 0, offset = 1;
    if (order(key, list[base + hint]) < 0) {
      const most = hint + 1;
      while (offset < most && order(key, list[base + hint - offset]) < 0) { last = offset; offset = 2 * offset + 1; }
      if (offset > most) offset = most;
      const to = hint - last;
      last = hint - offset;
      offset = to;
    } else {
      const most = length - hint;
      while (offset < most && !(order(key, list[base + hint + offset]) < 0)) { last = offset; offset = 2 * offset + 1; }
      if (offset > most) offset = most;
      last += hint;
      offset += hint;
    }
    for (last++; last < offset;) {
      const mid = last + (offset - last >> 1);
      if (order(key, list[base + mid]) < 0) offset = mid; else last = mid + 1;
    }
    return offset;
  }

  // mergeLow merges two runs, of which the first is not longer, from their beginnings.
  mergeLow(a, lengthA, b, lengthB) {
    const { list, order } = this, part = copied(list, a, lengthA);
    let to = a, k = 0;
    const rest = () => { while (lengthA-- > 0) list[to++] = part[k++]; };
    const lastOfA = () => { while (lengthB-- > 0) list[to++] = list[b++]; list[to] = part[k]; };
    list[to++] = list[b++];
    if (--lengthB === 0) return rest();
    if (lengthA === 1) return lastOfA();
    for (;;) {
      let winsA = 0, winsB = 0;
      for (;;) {
        if (order(list[b], part[k]) < 0) {
          list[to++] = list[b++];
          winsB++;
          winsA = 0;
          if (--lengthB === 0) return rest();
          if (winsB >= this.gallop) break;
        } else {
          list[to++] = part[k++];
          winsA++;
          winsB = 0;
          if (--lengthA === 1) return lastOfA();
          if (winsA >= this.gallop) break;
        }
      }
      this.gallop++;
      for (let first = true; first || winsA >= SMALLEST || winsB >= SMALLEST; first = false) {
        this.gallop = Math.max(1, this.gallop - 1);
        winsA = this.right(part, list[b], k, lengthA, 0);
        for (let n = 0; n < winsA; n++) list[to++] = part[k++];
        lengthA -= winsA;
        if (winsA > 0) {
          if (lengthA === 1) return lastOfA();
          if (lengthA === 0) return rest();
        }
        list[to++] = list[b++];
        if (--lengthB === 0) return rest();
        winsB = this.left(list, part[k], b, lengthB, 0);
        for (let n = 0; n < winsB; n++) list[to++] = list[b++];
        lengthB -= winsB;
        if (winsB > 0 && lengthB === 0) return rest();
        list[to++] = part[k++];
        if (--lengthA === 1) return lastOfA();
      }
      this.gallop++;
    }
  }

  // mergeHigh merges two runs, of which the first is longer, from their ends.
  mergeHigh(a, lengthA, b, lengthB) {
    const { list, order } = this, part = copied(list, b, lengthB);
    let to = b + lengthB - 1, k = lengthB - 1, at = a + lengthA - 1;
    const rest = () => { for (let n = 0; n < lengthB; n++) list[to - (lengthB - 1) + n] = part[n]; };
    const firstOfB = () => { while (lengthA-- > 0) list[to--] = list[at--]; list[to] = part[k]; };
    list[to--] = list[at--];
    if (--lengthA === 0) return rest();
    if (lengthB === 1) return firstOfB();
    for (;;) {
      let winsA = 0, winsB = 0;
      for (;;) {
        if (order(part[k], list[at]) < 0) {
          list[to--] = list[at--];
          winsA++;
          winsB = 0;
          if (--lengthA === 0) return rest();
          if (winsA >= this.gallop) break;
        } else {
          list[to--] = part[k--];
          winsB++;
          winsA = 0;
          if (--lengthB === 1) return firstOfB();
          if (winsB >= this.gallop) break;
        }
      }
      this.gallop++;
      for (let first = true; first || winsA >= SMALLEST || winsB >= SMALLEST; first = false) {
        this.gallop = Math.max(1, this.gallop - 1);
        winsA = lengthA - this.right(list, part[k], a, lengthA, lengthA - 1);
        for (let n = 0; n < winsA; n++) list[to--] = list[at--];
        lengthA -= winsA;
        if (winsA > 0 && lengthA === 0) return rest();
        list[to--] = part[k--];
        if (--lengthB === 1) return firstOfB();
        winsB = lengthB - this.left(part, list[at], 0, lengthB, lengthB - 1);
        for (let n = 0; n < winsB; n++) list[to--] = part[k--];
        lengthB -= winsB;
        if (winsB > 0) {
          if (lengthB === 1) return firstOfB();
          if (lengthB === 0) return rest();
        }
        list[to--] = list[at--];
        if (--lengthA === 0) return rest();
      }
      this.gallop++;
    }
  }
}

// copied returns a part of a list. A program may have replaced the methods of arrays.
function copied(list, from, length) {
  const part = [];
  for (let k = 0; k < length; k++) part[k] = list[from + k];
  return part;
}

// leastRun returns how long a run is at least.
function leastRun(n) {
  let r = 0;
  for (; n >= 64; n >>= 1) r |= n & 1;
  return n + r;
}

const { isArray } = Array, { sort, toSorted } = Array.prototype, slice = Function.prototype.call.bind(Array.prototype.slice);

// put puts values in order.
function put(list, order) {
  const n = list.length;
  if (n < 2) return;
  if (n < LONG) return insert(list, order, 0, run(list, order, 0, n), n); // one run
  const before = slice(list);
  sort.call(list, order);
  if (agrees(list, order)) return;
  for (let k = 0; k < n; k++) list[k] = before[k];
  new State(list, order).sort();
}

// agrees reports whether a comparison says of neighbours the same in both directions: then their order is the only one, and QuickJS finds it faster.
function agrees(list, order) {
  for (let k = 1; k < list.length; k++) {
    const a = list[k - 1], b = list[k], there = order(a, b), back = order(b, a);
    if (there > 0 || back < 0 || (there < 0) !== (back > 0)) return false;
  }
  return true;
}

// taken returns the values of a list that are to be sorted, and how many are undefined. holes: those count, too.
function taken(of, holes) {
  const list = [];
  let gone = 0, n = 0;
  for (let k = 0, { length } = of; k < length; k++) {
    const x = of[k];
    if (x !== undefined) list[n++] = x; else if (holes || k in of) gone++;
  }
  return { list, gone };
}

// What has no comparison, or is not an array, is sorted by QuickJS: its own order does not contradict itself.
const methods = {
  sort(by) {
    if (typeof by !== "function" || !isArray(this)) return sort.call(this, by);
    const { length } = this, { list, gone } = taken(this, false), n = list.length;
    put(list, by);
    for (let k = 0; k < n; k++) this[k] = list[k];
    for (let k = n; k < n + gone; k++) this[k] = undefined;
    for (let k = n + gone; k < length; k++) delete this[k];
    return this;
  },
  toSorted(by) {
    if (typeof by !== "function" || !isArray(this)) return toSorted.call(this, by);
    const { list, gone } = taken(this, true), n = list.length;
    put(list, by);
    for (let k = n; k < n + gone; k++) list[k] = undefined;
    return list;
  },
};
for (const name of ["sort", "toSorted"]) Object.defineProperty(Array.prototype, name, { value: methods[name], writable: true, configurable: true });
