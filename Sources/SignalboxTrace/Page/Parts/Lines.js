/** The elements of what should be a list. */
const listOf = (value) => Array.isArray(value) ? value : [];
const isText = (value) => typeof value === "string";

/** What the line of each known kind must have. The command skips the same lines. */
const kinds = new Map([
  ["store", (line) => isText(line.state)],
  ["started", (line) => line.state !== undefined],
  ["state", (line) => line.state !== undefined],
  ["changed", (line) => listOf(line.changes).every(isChange)],
  ["lost", (line) => listOf(line.changes).every(isChange)],
  ["hook", (line) => isText(line.name)],
  ["derived", (line) => isText(line.name)],
  ["dropped", (line) => ["change", "action", "run", "cancel"].includes(line.what)],
  ["advanced", (line) => isText(line.by)],
  ...["dispatched", "finished", "cancelled", "failed", "runStarted", "runFinished", "runCancelled",
    "runFailed", "pending", "confirmed", "takenBack", "unhandled", "loop", "duplicate", "released",
    "called", "answered", "testFailed", "stopped"].map((kind) => [kind, () => true]),
]);

/** The object of a line, or undefined if the line is not one that is known. */
function readLine(text) {
  let line;
  try { line = JSON.parse(text); } catch { return undefined; }
  if (line === null || typeof line !== "object" || typeof line.t !== "number") return undefined;
  if (!kinds.get(line.kind)?.(line)) return undefined;
  if (!(line.t >= 0 && line.t <= 1e9)) line.t = Math.min(Math.max(0, line.t), 1e9);
  for (const name of ["store", "id", "cause", "work"]) {
    if (line[name] !== undefined && !Number.isInteger(line[name])) line[name] = undefined;
  }
  if (line.child !== undefined && !isText(line.child)) line.child = undefined;
  return line;
}

/** The line with what it lacks, for those who show it. */
function completed(line) {
  line.changes &&= listOf(line.changes).every(isChange) ? listOf(line.changes) : [];
  if (line.kind === "changed" || line.kind === "lost") line.changes ??= [];
  if (line.kind === "loop") line.chain = listOf(line.chain).filter(isText);
  for (const name of ["text", "place", "endpoint"]) {
    if (!isText(line[name])) line[name] = "";
  }
  for (const name of ["seconds", "count"]) {
    if (typeof line[name] !== "number") line[name] = 0;
  }
  return line;
}

function isChange(change) {
  return Array.isArray(change?.at) && change.at.every(isStep) && changeKind(change) !== undefined;
}

function isStep(step) {
  return isText(step) || Number.isInteger(step)
    || (step !== null && typeof step === "object"
      && (Number.isInteger(step.index) || step.key !== undefined));
}

/** What a change does, or undefined if that is not known. */
function changeKind(change) {
  if (Number.isInteger(change.offset) && isText(change.from) && isText(change.to)) return "text";
  if (Array.isArray(change.out) && Array.isArray(change.in)) return "members";
  const { removed, moved, inserted } = change;
  if (removed !== undefined || moved !== undefined || inserted !== undefined) {
    const pairs = [...listOf(removed), ...listOf(moved), ...listOf(inserted)];
    const arePairs = pairs.every((pair) => listOf(pair).length === 2 && Number.isInteger(pair[0]))
      && listOf(moved).every(([, now]) => Number.isInteger(now));
    return arePairs ? "elements" : undefined;
  }
  return "from" in change || "to" in change ? "value" : undefined;
}
