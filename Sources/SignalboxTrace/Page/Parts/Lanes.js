/**
 * The lanes of work: each piece is in the first lane of its store or child that is free when it
 * begins.
 *
 *     room          ██ load   ███ save
 *                     ████ load
 *     \.rows[id: 3]      ██ rename
 */
function lanesOf(recording) {
  const groups = new Map();
  for (const [index, { first }] of recording.works.entries()) {
    const store = recording.store[first];
    const child = recording.child[first] ?? "";
    const key = `${store.number} ${child}`;
    if (!groups.has(key)) {
      const names = [recording.severalStores || !child ? store.name : "", child];
      groups.set(key, { name: names.filter(Boolean).join(" "), works: [], store, child });
    }
    groups.get(key).works.push(index);
  }
  const lanes = [];
  // The lanes of a store come before those of its children.
  const sorted = [...groups.values()].sort((a, b) =>
    a.store.number - b.store.number || Boolean(a.child) - Boolean(b.child));
  for (const { name, works } of sorted) {
    for (const lane of pack(works, recording.works, lanes.length)) {
      lanes.push({ name, works: lane });
    }
  }
  return lanes;
}

/** Divides work into lanes in which nothing overlaps. */
function pack(indices, works, offset) {
  const lanes = [];
  const free = [];
  // The lanes in use, by when they get free. Those before `next` are free.
  const busy = [];
  let next = 0;
  for (const index of indices) {
    const work = works[index];
    while (next < busy.length && busy[next].until <= work.from) {
      insert(free, busy[next++].lane, (lane) => -lane);
    }
    const lane = free.pop() ?? lanes.push([]) - 1;
    lanes[lane].push(index);
    work.lane = offset + lane;
    insert(busy, { until: work.to ?? Infinity, lane }, (it) => it.until);
  }
  return lanes;
}

/** Inserts an element into a sorted array. */
function insert(sorted, element, value) {
  sorted.splice(lastUpTo(sorted, value(element), value) + 1, 0, element);
}

function workText(work) {
  if (work.to === undefined) return "not ended";
  const how = { finished: "finished", cancelled: "cancelled", bad: "failed" }[work.outcome];
  return `${how} after ${span(work.to - work.from)}`;
}

/** One, two or five times a power of ten, and at least `least`. */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * 0.999);
}
