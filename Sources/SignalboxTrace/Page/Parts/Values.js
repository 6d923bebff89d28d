/** A value as Swift source, on one line of at most about `room` characters. */
function valueText(value, room = 160) {
  if (room <= 0) return "…";
  if (value === null || value === undefined) return "nil";
  if (typeof value === "string") return JSON.stringify(cut(value, room));
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return listed("[", value, "]", room, valueText);
  if (value.number !== undefined) return value.number;
  if (value.list) return listed("[", value.list, "]", room, valueText);
  if (value.set) return listed("[", value.set, "]", room, valueText);
  if (value.dictionary) {
    if (value.dictionary.length === 0) return "[:]";
    return listed("[", value.dictionary, "]", room,
      ([key, value], rest) => `${valueText(key, rest)}: ${valueText(value, rest)}`);
  }
  if (value.text !== undefined) return cut(value.text, room);
  if ("some" in value) return valueText(value.some, room);
  if (value.redacted) return "<redacted>";
  if (value.fields === undefined && value.case === undefined) return "…";
  const name = value.case === undefined ? value.type ?? "" : `.${value.case}`;
  if (value.case !== undefined && !value.fields?.length) return name;
  return listed(`${name}(`, value.fields ?? [], ")", room, (field, rest) =>
    (field.length > 1 ? `${field[0]}: ` : "") + valueText(field.at(-1), rest));
}

function listed(open, elements, close, room, text) {
  let all = open;
  for (let i = 0; i < elements.length; i++) {
    if (i > 0) all += ", ";
    if (all.length >= room) return `${all}…${close}`;
    all += text(elements[i], room - all.length);
  }
  return all + close;
}

function cut(text, room) {
  return text.length > room ? `${text.slice(0, Math.max(1, room - 1))}…` : text;
}

/** The parts of a value, as [the step to the part, its name, the part]. */
function parts(value) {
  if (value === null || typeof value !== "object") return [];
  const list = Array.isArray(value) ? value : value.list;
  if (list) return list.map((element, index) => [index, `[${index}]`, element]);
  if (value.set) return value.set.map((member) => [undefined, "", member]);
  if (value.dictionary) {
    return value.dictionary.map(([key, value]) => [{ key }, `[${valueText(key, 40)}]`, value]);
  }
  return (value.fields ?? []).map((field, index) => field.length > 1
    ? [field[0], field[0], field[1]] : [index, `${index}`, field[0]]);
}

/** A value as lines: [text, whether the line belongs to what has changed]. */
function valueLines(state, changes) {
  const changed = new Set(changes.flatMap(changedPaths));
  const lines = [];
  const add = (name, value, path, depth, isWithin) => {
    const isChanged = isWithin || changed.has(path);
    const all = depth < 60 ? parts(value) : [];
    const head = "  ".repeat(depth) + (name ? `${name}: ` : "");
    if (all.length === 0) lines.push([head + valueText(value, 2000), isChanged]);
    else lines.push([head + heading(value, all.length), isChanged]);
    for (const [step, name, part] of all) {
      const isMember = step === undefined;
      const way = path + JSON.stringify(isMember ? part : step);
      add(name, part, way, depth + 1, isChanged);
    }
  };
  add("", state, "", 0, false);
  return lines;
}

function heading(value, count) {
  const elements = `${number(count)} element${count === 1 ? "" : "s"}`;
  if (Array.isArray(value) || value.list || value.set || value.dictionary) return elements;
  return value.case === undefined ? value.type ?? "" : `.${value.case}`;
}
