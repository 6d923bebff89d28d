/**
 * The events as columns, in the order of the file. An event is named by its index.
 *
 * Only what the tree and the time line need of all events is kept. A line is parsed again when its
 * event is shown.
 */
class Recording {
  constructor(text) {
    this.text = text;
    this.begin = [];
    this.end = [];
    this.cause = [];
    this.time = [];
    this.kind = [];
    this.store = [];
    this.child = [];
    // Each text is kept once.
    this.children = new Map();
    this.works = [];
    this.workOf = [];
    this.stores = new Map();
    this.unread = 0;
    for (let from = 0; from < text.length;) {
      let to = text.indexOf("\n", from);
      if (to < 0) to = text.length;
      if (to > from) this.read(from, to);
      from = to + 1;
    }
    this.count = this.time.length;
    this.duration = this.time.reduce((a, b) => Math.max(a, b), 0);
    this.severalStores = [...this.stores.keys()].filter((id) => id !== undefined).length > 1;
    this.arrange();
  }

  read(from, to) {
    if (!this.header) { this.header = JSON.parse(this.text.slice(from, to)); return; }
    const line = readLine(this.text.slice(from, to));
    if (!line) { this.skip(from, to); return; }
    const store = this.storeOf(line.store);
    if (line.kind === "store") { store.name = isText(line.name) ? line.name : line.state; return; }
    const event = this.time.length;
    if (line.kind === "state") {
      store.wholes.push({ after: event - 1, from, to });
      return;
    }
    this.begin.push(from);
    this.end.push(to);
    this.time.push(line.t);
    this.kind.push(line.kind);
    this.store.push(store);
    this.child.push(this.childOf(line));
    // A cause that the file no longer has leaves its effects without one.
    this.cause.push(store.events.get(line.cause) ?? -1);
    if (line.id !== undefined) store.events.set(line.id, event);
    if (line.kind === "started") store.wholes.push({ after: event, from, to });
    if (line.kind === "changed" || line.kind === "lost") store.changes.push(event);
    if (line.kind === "released") store.released = event;
    this.workOf.push(this.follow(line, event, store));
  }

  /** Counts a line that is not known. Without its changes, the state is not known either. */
  skip(from, to) {
    this.unread += 1;
    let line;
    try { line = JSON.parse(this.text.slice(from, to)); } catch { return; }
    if (line?.changes === undefined || line.what !== undefined) return;
    if (Number.isInteger(line.store)) {
      this.storeOf(line.store).wholes.push({ after: this.time.length - 0.5, from: undefined });
    }
  }

  childOf({ child }) {
    if (child === undefined) return undefined;
    if (!this.children.has(child)) this.children.set(child, child);
    return this.children.get(child);
  }

  storeOf(id) {
    if (!this.stores.has(id)) {
      this.stores.set(id, {
        number: id, name: id === undefined ? "" : `store ${id}`, events: new Map(), work: new Map(),
        wholes: [], changes: [], released: Infinity,
      });
    }
    return this.stores.get(id);
  }

  /** Keeps the books of work. Returns the index in `works`, or -1. */
  follow(line, event, store) {
    if (line.kind === "dispatched" || line.kind === "runStarted") {
      store.work.set(line.id, this.works.length);
      this.works.push({ first: event, from: line.t, to: undefined, outcome: "open", lane: 0 });
    }
    const index = store.work.get(line.work ?? line.id) ?? -1;
    const work = this.works[index];
    const outcome = { finished: "finished", runFinished: "finished", cancelled: "cancelled",
      runCancelled: "cancelled", failed: "bad", runFailed: "bad" }[line.kind];
    if (work && outcome && work.to === undefined) {
      work.to = line.t;
      work.outcome = outcome;
      work.last = event;
    }
    return index;
  }

  line(event) { return completed(readLine(this.text.slice(this.begin[event], this.end[event]))); }

  /**
   * Numbers the tree of causes depth first: `order[place[e]]` is e, and the `size[e]` places from
   * `place[e]` on are those of e and of everything that it caused. A cause comes before its
   * effects in the file, so that two passes suffice, and a chain of any length needs no recursion.
   */
  arrange() {
    const { count, cause } = this;
    this.size = new Int32Array(count).fill(1);
    this.effects = new Int32Array(count);
    this.level = new Int32Array(count).fill(1);
    this.position = new Int32Array(count);
    this.place = new Int32Array(count);
    this.order = new Int32Array(count);
    this.roots = 0;
    for (let e = count - 1; e >= 0; e--) if (cause[e] >= 0) this.size[cause[e]] += this.size[e];
    this.shownBy = new Int32Array(count);
    for (let e = 0; e < count; e++) this.shownBy[e] = e;
    for (const { first, last, outcome } of this.works) {
      if (outcome === "finished" && this.size[last] === 1) this.shownBy[last] = first;
    }
    const free = new Int32Array(count);
    let freeRoot = 0;
    for (let e = 0; e < count; e++) {
      const above = cause[e];
      if (above < 0) {
        this.position[e] = this.isRow(e) ? ++this.roots : 0;
        this.place[e] = freeRoot;
        freeRoot += this.size[e];
      } else {
        this.level[e] = this.level[above] + 1;
        this.position[e] = this.isRow(e) ? ++this.effects[above] : 0;
        this.place[e] = free[above];
        free[above] += this.size[e];
      }
      free[e] = this.place[e] + 1;
      this.order[this.place[e]] = e;
    }
  }

  /** Whether an event has a row. The end of work without effects is in the row of its beginning. */
  isRow(event) { return this.shownBy[event] === event; }

  siblings(event) { return this.cause[event] < 0 ? this.roots : this.effects[this.cause[event]]; }

  /** The causes of an event, nearest first. */
  *causes(event) {
    for (let e = this.cause[event]; e >= 0; e = this.cause[e]) yield e;
  }

  /** The effects of an event that have rows, in order. */
  *effectsOf(event) {
    const { place, size, order } = this;
    const end = place[event] + size[event];
    for (let at = place[event] + 1; at < end; at += size[order[at]]) {
      if (this.isRow(order[at])) yield order[at];
    }
  }

  /** Whether a line may change a part that begins with a step. It need not be parsed to tell. */
  mayChange(event, step) {
    if (!isText(step)) return true;
    const text = this.text.slice(this.begin[event], this.end[event]);
    return text.includes(JSON.stringify(step)) || /"at":\s*\[\s*\]/.test(text);
  }

  /** The event with the first known state of an event's store, or -1. */
  startOf(event) {
    const first = this.store[event].wholes[0];
    return this.kind[first?.after] === "started" ? first.after : -1;
  }

  /** The state of an event's store after it, from the last whole state before it. */
  state(event) {
    const { wholes, changes, released } = this.store[event];
    const whole = wholes[lastUpTo(wholes, event, (whole) => whole.after)];
    if (whole?.from === undefined || event >= released) return undefined;
    let { state } = JSON.parse(this.text.slice(whole.from, whole.to));
    for (let i = lastUpTo(changes, whole.after) + 1; changes[i] <= event; i++) {
      state = applied(this.line(changes[i]).changes, state);
    }
    return state;
  }
}

/** The index of the last element that is at most `limit` in a sorted array, or -1. */
function lastUpTo(sorted, limit, value = (element) => element) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value(sorted[middle]) <= limit) low = middle + 1; else high = middle;
  }
  return low - 1;
}
