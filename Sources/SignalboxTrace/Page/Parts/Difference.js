/** A value as nodes: its beginning, and a button that shows the whole. */
function whole(value, room = 300) {
  const text = valueText(value, room + 1);
  if (text.length <= room && text === valueText(value, 4 * room)) return [text];
  const shown = make("span", { className: "value" }, cut(valueText(value, 2 * room), room));
  return [shown, " ", showAll(() => { shown.textContent = plain(valueText(value, Infinity)); })];
}

function showAll(action) {
  const button = make("button", { className: "all" }, "Show all");
  button.onclick = (event) => {
    event.stopPropagation();
    action();
    // The keyboard goes on where the button was.
    button.closest("[tabindex]")?.focus();
    button.remove();
  };
  return button;
}

/** The table of what an event has changed. */
function differenceTable(changes) {
  const limit = 500;
  const room = 4000;
  const body = make("tbody");
  let count = 0;
  for (const change of changes) {
    // A list may have many rows.
    const rows = changeRows(change, room);
    for (const [index, [path, before, after]] of rows.entries()) {
      if (++count > limit) continue;
      const where = make("td", { className: "mono where" }, ...breakable(path));
      const cells = [make("td", { className: "mono" }), make("td", { className: "mono" })];
      const fill = (texts, isWhole) => {
        const nodes = compared(...texts, isWhole);
        cells.forEach((cell, side) => cell.replaceChildren(...nodes[side]));
        return nodes.isCut || [before, after].some((text) => text.length >= room);
      };
      if (fill([before, after], false)) {
        const showWhole = () => fill(changeRows(change, Infinity)[index].slice(1), true);
        cells[1].append(" ", showAll(showWhole));
      }
      body.append(make("tr", {}, where, ...cells));
    }
  }
  const head = make("tr", {}, ...["Where", "Before", "After"].map(
    (text) => make("th", { scope: "col" }, text)));
  return [
    make("h3", {}, "Difference"),
    make("table", { id: "difference" }, make("thead", {}, head), body),
    count > limit ? make("p", {}, `and ${number(count - limit)} more`) : "",
  ];
}

/** Two texts as nodes in which the characters that differ are marked, with what is around them. */
function compared(before, after, isWhole) {
  const texts = [before, after];
  const [start, end] = sharedLengths(before, after);
  const isAlike = before !== "–" && after !== "–" && before !== after
    && (start + end) * 5 >= 2 * Math.min(before.length, after.length);
  const near = 40, long = 300;
  let isCut = false;
  const shorten = (text, from, to) => {
    const [first, last] = isWhole ? [0, text.length]
      : [Math.max(0, from), Math.min(text.length, to)];
    isCut ||= first > 0 || last < text.length;
    return (first > 0 ? "…" : "") + text.slice(first, last) + (last < text.length ? "…" : "");
  };
  const nodes = texts.map((text) => {
    const isShort = text.length <= 160;
    if (!isAlike) return [shorten(text, 0, isShort ? Infinity : long)];
    const middle = text.slice(start, text.length - end);
    return [
      shorten(text.slice(0, start), isShort ? 0 : start - near, start),
      ...(middle ? [make("mark", {}, shorten(middle, 0, isShort ? Infinity : long))] : []),
      shorten(text.slice(text.length - end), 0, isShort ? Infinity : near),
    ].filter((it) => it !== "");
  });
  nodes.isCut = isCut;
  return nodes;
}

/** How many characters two texts share at their beginnings, and then at their ends. */
function sharedLengths(a, b) {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  // Both halves of a character stay together.
  if (isHigh(a, start - 1)) start -= 1;
  if (end > 0 && isHigh(a, a.length - end - 1) && !isHigh(a, a.length - end)) end -= 1;
  return [start, Math.max(0, end)];
}

function isHigh(text, index) {
  const code = text.charCodeAt(index);
  return code >= 0xD800 && code < 0xDC00;
}
