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
function changeRows(change) {
  const path = pathText(change.at);
  const at = (index) => `${path}[${index}]`;
  if (change.offset !== undefined) {
    const piece = (text) => (change.offset > 0 ? "…" : "") + valueText(text, 2000);
    return [[path, piece(change.from), piece(change.to)]];
  }
  if (change.out) {
    return [...change.out.map((member) => [path, valueText(member), "–"]),
      ...change.in.map((member) => [path, "–", valueText(member)])];
  }
  if (change.removed || change.moved || change.inserted) {
    return [
      ...(change.removed ?? []).map(([index, value]) => [at(index), valueText(value), "–"]),
      ...(change.moved ?? []).map(([old, now]) => [path, `[${old}]`, `[${now}]`]),
      ...(change.inserted ?? []).map(([index, value]) => [at(index), "–", valueText(value)]),
    ];
  }
  return [[path, "from" in change ? valueText(change.from) : "–",
    "to" in change ? valueText(change.to) : "–"]];
}

/** The paths of what is new in the state, as `valueLines` spells them. */
function changedPaths(change) {
  const spell = (steps) => steps.map((step) => JSON.stringify(step.index ?? step)).join("");
  const path = spell(change.at);
  if (change.out) return change.in.map((member) => path + JSON.stringify(member));
  if (change.removed || change.moved || change.inserted) {
    return [...(change.inserted ?? []).map(([index]) => `${path}${index}`),
      ...(change.moved ?? []).map(([, now]) => `${path}${now}`)];
  }
  return "to" in change ? [path] : [];
}

function changesText(changes) {
  const rows = changes.flatMap(changeRows);
  const texts = rows.slice(0, 3).map(([path, before, after]) =>
    cut(before === "–" ? `+ ${path} ${after}` : after === "–" ? `- ${path} ${before}`
      : `${path} ${before} → ${after}`, 160));
  if (rows.length > 3) texts.push(`and ${number(rows.length - 3)} more`);
  return texts.join(", ") || "no visible difference";
}

/** Applies changes to a state that is used nowhere else, and returns it. */
function applied(changes, state) {
  const root = [state];
  for (const change of changes) {
    // Where the changed part is held: an array or an object, and a key in it.
    let holder = root, key = 0;
    for (const [i, step] of change.at.entries()) {
      const value = holder[key];
      if (value === null || typeof value !== "object" || value.omitted) break;
      if (typeof step === "object" && step.key !== undefined) {
        const isLast = i === change.at.length - 1;
        const entries = value.dictionary;
        const spelled = JSON.stringify(step.key);
        const place = entries.findIndex(([key]) => JSON.stringify(key) === spelled);
        if (isLast && !("from" in change) && "to" in change) {
          entries.push([step.key, change.to]);
          holder = undefined;
        } else if (isLast && isRemoval(change)) {
          entries.splice(place, 1);
          holder = undefined;
        } else [holder, key] = [entries[place], 1];
      } else if (typeof step === "string") {
        const field = value.fields.find((field) => field.length > 1 && field[0] === step);
        [holder, key] = [field, 1];
      } else {
        const index = step.index ?? step;
        const list = Array.isArray(value) ? value : value.list;
        [holder, key] = list ? [list, index] : [value.fields[index], value.fields[index].length - 1];
      }
      if (!holder) break;
    }
    if (holder) holder[key] = edited(change, holder[key]);
  }
  return root[0];
}

function isRemoval(change) {
  return "from" in change && !("to" in change);
}

function edited(change, value) {
  if (value?.omitted) return value;
  if (change.offset !== undefined) {
    return value.slice(0, change.offset) + change.to
      + value.slice(change.offset + change.from.length);
  }
  if (change.out) {
    const out = new Set(change.out.map((member) => JSON.stringify(member)));
    return { set: [...value.set.filter((it) => !out.has(JSON.stringify(it))), ...change.in] };
  }
  if (change.removed || change.moved || change.inserted) {
    const list = Array.isArray(value) ? value : value.list;
    const moved = (change.moved ?? []).map(([old, now]) => [now, list[old]]);
    const leaving = new Set([...(change.removed ?? []), ...(change.moved ?? [])].map(([old]) => old));
    const stayed = list.filter((_, index) => !leaving.has(index));
    const arriving = [...moved, ...(change.inserted ?? [])].sort(([a], [b]) => a - b);
    const result = [];
    let next = 0;
    for (const [index, element] of arriving) {
      while (result.length < index && next < stayed.length) result.push(stayed[next++]);
      result.push(element);
    }
    while (next < stayed.length) result.push(stayed[next++]);
    return Array.isArray(value) ? result : { ...value, list: result };
  }
  return change.to;
}
