/**
 * The changes of a part of the state up to an event, newest first, as [event, where, rows].
 *
 * The part is followed back through its list: an element that moved had another index before. The
 * result has `isWhole` if the part has been there from the first state on.
 */
function changesOf(recording, event, path, most) {
  const { changes } = recording.store[event];
  const found = [];
  let rest = path;
  for (let i = lastUpTo(changes, event); i >= 0 && rest && found.length < most; i--) {
    if (!recording.mayChange(changes[i], rest[0])) continue;
    for (const change of [...recording.line(changes[i]).changes].reverse()) {
      const step = back(change, rest);
      if (step.row && found.at(-1)?.[0] !== changes[i]) found.push([changes[i], ...step.row]);
      rest = step.path;
      if (!rest) break;
    }
  }
  found.isWhole = rest !== undefined && found.length < most;
  return found;
}

const stepIndex = (step) => step?.index ?? step;
const isSameStep = (a, b) => JSON.stringify(stepIndex(a)) === JSON.stringify(stepIndex(b));

/**
 * Goes back over a change: where the part was before, or undefined if it was not there, and the row
 * that tells what happened to the part, if anything did.
 */
function back(change, path) {
  const { at } = change;
  const shared = Math.min(at.length, path.length);
  if (!at.slice(0, shared).every((step, index) => isSameStep(step, path[index]))) return { path };
  const rows = () => changeRows(change);
  // A part of the part has changed.
  if (at.length > path.length) return { path, row: [pathText(at.slice(path.length)), rows()] };
  const rest = path.slice(at.length);
  switch (changeKind(change)) {
    case "elements":
      return rest.length === 0 ? { path, row: ["", rows()] } : backInList(change, path, rest);
    case "value": {
      const [old, now] = ["from", "to"].map((side) =>
        side in change ? partOf(change[side], rest) : undefined);
      if (old !== undefined && now !== undefined && isSame(old)(now)) return { path };
      const hasAppeared = old === undefined && now !== undefined;
      return { path: hasAppeared ? undefined : path,
        row: ["", [["", partText(old), partText(now)]]] };
    }
    default: return { path, row: ["", rows()] };
  }
}

function backInList(change, path, rest) {
  const index = stepIndex(rest[0]);
  const arrived = listOf(change.inserted).find(([now]) => now === index);
  if (arrived) {
    const part = partOf(arrived[1], rest.slice(1));
    return { path: undefined, row: ["", [["", "–", partText(part)]]] };
  }
  const old = listOf(change.moved).find(([, now]) => now === index)?.[0] ?? oldIndex(change, index);
  const place = path.length - rest.length;
  return { path: [...path.slice(0, place), old, ...path.slice(place + 1)] };
}

/** The index that an element had that neither moved nor entered. */
function oldIndex(change, index) {
  const arriving = [...listOf(change.moved).map(([, now]) => now),
    ...listOf(change.inserted).map(([now]) => now)];
  let old = index - arriving.filter((now) => now < index).length;
  const leaving = [...listOf(change.removed), ...listOf(change.moved)].map(([it]) => it);
  for (const gone of leaving.sort((a, b) => a - b)) if (gone <= old) old += 1;
  return old;
}

const partText = (part) => part === undefined ? "–" : valueText(part);

/** A part of a value, or undefined if the value does not have it. */
function partOf(value, path) {
  let part = value;
  for (const step of path) {
    const place = partPlace(part, step);
    if (!place) return undefined;
    part = place[0][place[1]];
  }
  return part;
}

/** The text of an entry of `changesOf`. */
function historyText([, where, rows]) {
  const texts = rows.slice(0, 3).map(([, before, after]) =>
    before === "–" ? `+ ${after}` : after === "–" ? `- ${before}` : `${before} → ${after}`);
  return (where ? `${where} ` : "") + texts.join(", ") + (rows.length > 3 ? ", …" : "");
}
