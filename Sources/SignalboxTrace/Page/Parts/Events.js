/** The classes of the style sheet of the kinds of events. */
const looks = {
  started: "outside", hook: "outside", called: "outside", answered: "outside",
  advanced: "outside", dispatched: "action", runStarted: "action", changed: "change",
  pending: "change", confirmed: "change", takenBack: "change", derived: "change",
  failed: "bad", runFailed: "bad", unhandled: "bad", dropped: "bad", loop: "bad",
  duplicate: "bad", lost: "bad", testFailed: "bad",
};

/** The text of an event on one line. */
function describe(line) {
  return plain(description(line));
}

function description(line) {
  const name = line.kind.startsWith("run")
    ? `run ${line.run === undefined ? "" : valueText(line.run)}`.trim() : valueText(line.action);
  switch (line.kind) {
    case "dispatched": case "runStarted": return name;
    case "finished": case "runFinished": return `${name} finished after ${span(line.seconds)}`;
    case "cancelled": case "runCancelled": return `${name} ${reasons[line.reason] ?? "cancelled"}`;
    case "failed": case "runFailed": return `${name} failed: ${line.text}`;
    case "hook": return `hook ${line.name}: ${valueText(line.value)}`;
    case "derived":
      return `derived ${line.name}: ${valueText(line.from)} → ${valueText(line.to)}`;
    case "changed": return changesText(line.changes);
    case "pending": return "pending change";
    case "confirmed": return "confirmed change";
    case "takenBack": return "change taken back";
    case "unhandled": return `unhandled error: ${line.text}`;
    case "dropped": return `dropped ${droppedText(line)}`;
    case "loop": return `stopped a loop: ${line.chain.join(" → ")}`;
    case "duplicate": return `two elements have the id of ${line.place}`;
    case "released": return "store released";
    case "lost": return lostText(line);
    case "called": return `${line.endpoint} called with ${valueText(line.request)}`;
    case "answered": return `${line.endpoint} ${answerText(line)}`;
    case "advanced": return `clock advanced by ${line.by} s`;
    case "testFailed": return `the test failed: ${line.text.split("\n")[0]}`;
    case "stopped": return "recording stopped";
    default: return line.kind;
  }
}

const reasons = {
  requested: "cancelled", superseded: "superseded", ignored: "ignored",
  released: "ended: the store is gone", ended: "ended with its state",
};

function lostText({ count, changes }) {
  const text = `${number(count)} events were not recorded`;
  return changes.length > 0 ? `${text}: ${changesText(changes)}` : text;
}

function droppedText(line) {
  switch (line.what) {
    case "change": return `change ${changesText(line.changes ?? [])}`;
    case "action": return valueText(line.action);
    default: return line.what;
  }
}

function answerText(line) {
  return "response" in line ? `answered ${valueText(line.response)}` : `failed: ${line.text}`;
}
