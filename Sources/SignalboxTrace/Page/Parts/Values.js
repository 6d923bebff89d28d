/** A value as Swift source, on one line of at most about `room` characters. */
function valueText(value, room = 160) {
  if (room <= 0) return "…";
  if (value === null || value === undefined) return "nil";
  if (typeof value === "string") return quoted(cut(value, room));
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return listed("[", value, "]", room, valueText);
  if (isText(value.number)) return value.number;
  if (value.list) return listed("[", listOf(value.list), "]", room, valueText);
  if (value.set) return listed("[", listOf(value.set), "]", room, valueText);
  if (value.dictionary) {
    const entries = entriesOf(value);
    if (entries.length === 0) return "[:]";
    return listed("[", entries, "]", room,
      ([key, value], rest) => `${valueText(key, rest)}: ${valueText(value, rest)}`);
  }
  if (isText(value.text)) return value.text === "" ? `${value.type}()` : cut(value.text, room);
  if ("some" in value) {
    return value.some === null ? ".some(nil)" : `.some(${valueText(value.some, room - 1)})`;
  }
  if (value.redacted) return "<redacted>";
  if (value.fields === undefined && value.case === undefined) return "…";
  const fields = fieldsOf(value);
  const name = value.case === undefined ? value.type ?? "" : `.${value.case}`;
  if (value.case !== undefined && fields.length === 0) return name;
  return listed(`${name}(`, fields, ")", room, (field, rest) =>
    (field.length > 1 ? `${field[0]}: ` : "") + valueText(field.at(-1), rest));
}

const fieldsOf = (value) => listOf(value.fields).filter((field) => listOf(field).length > 0);
const entriesOf = (value) =>
  listOf(value.dictionary).filter((entry) => listOf(entry).length === 2);

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
  if (list) return listOf(list).map((element, index) => [index, `[${index}]`, element]);
  if (value.set) return listOf(value.set).map((member) => [undefined, "", member]);
  if (value.dictionary) {
    return entriesOf(value).map(([key, value]) => [{ key }, `[${valueText(key, 40)}]`, value]);
  }
  return fieldsOf(value).map((field, index) => field.length > 1
    ? [field[0], field[0], field[1]] : [index, `${index}`, field[0]]);
}

function heading(value, count) {
  if (Array.isArray(value) || value.list || value.set || value.dictionary) {
    return counted(count, "element");
  }
  return value.case === undefined ? value.type ?? "" : `.${value.case}`;
}
