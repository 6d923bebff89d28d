/** A path as in `messages[3, id: 7].text`. */
function pathText(path) {
  let text = "";
  for (const step of path) {
    if (typeof step === "string") text += text ? `.${step}` : step;
    else if (typeof step === "number") text += `[${step}]`;
    else if (step.key !== undefined) text += `[${valueText(step.key, 40)}]`;
    else text += step.id === undefined ? `[${step.index}]` : `[${step.index}, id: ${step.id}]`;
  }
  return text || "the state";
}

/** The rows of a change: [where, before, after]. */
function changeRows(change, room = 160) {
  const path = pathText(change.at);
  const at = (index) => `${path}[${index}]`;
  if (changeKind(change) === "text") {
    const start = change.offset > 0 ? "…" : "";
    const piece = (text) => start + valueText(text, Math.max(room, 2000));
    return [[path, piece(change.from), piece(change.to)]];
  }
  if (changeKind(change) === "members") {
    return [...change.out.map((member) => [path, valueText(member, room), "–"]),
      ...change.in.map((member) => [path, "–", valueText(member, room)])];
  }
  if (changeKind(change) === "elements") {
    return [
      ...listOf(change.removed).map(([index, value]) => [at(index), valueText(value, room), "–"]),
      ...listOf(change.moved).map(([old, now]) => [path, `[${old}]`, `[${now}]`]),
      ...listOf(change.inserted).map(([index, value]) => [at(index), "–", valueText(value, room)]),
    ];
  }
  return [[path, "from" in change ? valueText(change.from, room) : "–",
    "to" in change ? valueText(change.to, room) : "–"]];
}

/** The paths of what is new in the state, as `spelled` writes them. */
function changedPaths(change) {
  const path = spelled(change.at);
  if (changeKind(change) === "members") {
    return change.in.map((member) => `${path}/${JSON.stringify(member)}`);
  }
  if (changeKind(change) === "elements") {
    return [...listOf(change.inserted).map(([index]) => `${path}/${index}`),
      ...listOf(change.moved).map(([, now]) => `${path}/${now}`)];
  }
  return "to" in change ? [path] : [];
}

function changesText(changes) {
  const rows = changes.flatMap((change) => changeRows(change));
  const texts = rows.slice(0, 3).map(([path, before, after]) =>
    cut(before === "–" ? `+ ${path} ${after}` : after === "–" ? `- ${path} ${before}`
      : `${path} ${before} → ${after}`, 160));
  if (rows.length > 3) texts.push(`and ${number(rows.length - 3)} more`);
  return texts.join(", ") || "no visible difference";
}

/**
 * Applies changes to a state that is used nowhere else, and returns it.
 *
 * A change that does not fit the state, such as one of a part that was left out, does nothing.
 */
function applied(changes, state) {
  const root = [state];
  for (const change of changes) {
    const path = [...change.at];
    const key = isEntry(change) ? path.pop().key : undefined;
    // Where the changed part is held: an array and an index in it.
    let place = [root, 0];
    for (const step of path) {
      place = partPlace(place[0][place[1]], step);
      if (!place) break;
    }
    if (!place) continue;
    const [holder, index] = place;
    if (key === undefined) holder[index] = edited(change, holder[index]);
    else changeEntry(change, key, holder[index]?.dictionary);
  }
  return root[0];
}

/** Whether a dictionary gets or loses an entry. */
function isEntry(change) {
  return ("from" in change) !== ("to" in change) && change.at.at(-1)?.key !== undefined;
}

function changeEntry(change, key, entries) {
  if (!Array.isArray(entries)) return;
  if ("to" in change) entries.push([key, change.to]);
  else takeOut(entries, isKey(key));
}

/** Removes the first element of an array that meets a condition. Returns whether there was one. */
function takeOut(array, condition) {
  const place = array.findIndex(condition);
  if (place >= 0) array.splice(place, 1);
  return place >= 0;
}

/** Where a part of a value is held, as an array and an index in it, if the value has the part. */
function partPlace(value, step) {
  if (value === null || typeof value !== "object") return undefined;
  if (step.key !== undefined) {
    const entry = entriesOf(value).find(isKey(step.key));
    return entry && [entry, 1];
  }
  const index = step.index ?? step;
  const list = Array.isArray(value) ? value : value.list;
  if (list) return index in listOf(list) ? [list, index] : undefined;
  const fields = fieldsOf(value);
  const field = typeof step === "string"
    ? fields.find((field) => field.length > 1 && field[0] === step) : fields[index];
  return field && [field, field.length - 1];
}

/** Tells whether a value is the same as another one. */
function isSame(value) {
  const spelled = JSON.stringify(value);
  return (other) => JSON.stringify(other) === spelled;
}

/** Tells whether an entry of a dictionary has a key. */
function isKey(key) {
  const isSameKey = isSame(key);
  return (entry) => listOf(entry).length === 2 && isSameKey(entry[0]);
}

/** Whether two values look the same, except for the parts of objects, which no change names. */
function isAlike(a, b) {
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return a === b;
  if (a.object && b.object) return a.type === b.type;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => isAlike(a[key], b[key]));
}

function edited(change, value) {
  if (value?.omitted) return value;
  if (changeKind(change) === "text") {
    return typeof value !== "string" ? value : value.slice(0, change.offset) + change.to
      + value.slice(change.offset + change.from.length);
  }
  if (changeKind(change) === "members") return value?.set ? editedSet(change, value) : value;
  if (changeKind(change) === "elements") {
    const list = Array.isArray(value) ? value : value?.list;
    if (!Array.isArray(list)) return value;
    const result = editedList(change, list);
    return Array.isArray(value) ? result : { ...value, list: result };
  }
  return change.to;
}

function editedSet(change, value) {
  const set = [...listOf(value.set)];
  for (const member of change.out) {
    // Members with redacted parts may look the same, so each takes out one.
    if (!takeOut(set, isSame(member))) takeOut(set, (it) => isAlike(it, member));
  }
  return { set: [...set, ...change.in] };
}

function editedList(change, list) {
  const moved = listOf(change.moved).map(([old, now]) => [now, list[old]]);
  const leaving = new Set([...listOf(change.removed), ...listOf(change.moved)].map(([old]) => old));
  const stayed = list.filter((_, index) => !leaving.has(index));
  const arriving = [...moved, ...listOf(change.inserted)].sort(([a], [b]) => a - b);
  const result = [];
  let next = 0;
  for (const [index, element] of arriving) {
    while (result.length < index && next < stayed.length) result.push(stayed[next++]);
    result.push(element);
  }
  while (next < stayed.length) result.push(stayed[next++]);
  return result;
}
