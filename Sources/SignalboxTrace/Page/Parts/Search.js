/** Finds words in what events say, in any order, among those that the filters accept. */
class Search {
  constructor(recording, tree, ranged) {
    Object.assign(this, { recording, tree, ranged, texts: [], words: [], matches: undefined });
    this.filters = new Filters(recording, () => this.run());
    this.input = $("query");
    this.input.addEventListener("input", () => this.run());
    this.input.form.addEventListener("submit", (event) => event.preventDefault());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.say();
  }

  run() {
    this.words = wordsOf(this.input.value);
    const isFiltered = this.words.length > 0 || this.filters.chips.length > 0;
    this.matches = isFiltered ? this.find() : undefined;
    this.ranged(this.filters.chips.find((it) => it.type === "time")?.value);
    this.tree.filter(this.matches);
    if (this.matches === undefined) this.tree.select(this.tree.selected);
    else if (this.matches.length > 0) this.step(0);
    this.say();
  }

  /** Shows everything again. */
  end() {
    this.input.value = "";
    this.filters.clear();
  }

  /** The matches in the order of the tree. */
  find() {
    const { order, count, shownBy } = this.recording;
    const isFound = new Uint8Array(count);
    for (let event = 0; event < count; event++) {
      if (this.filters.accepts(event) && this.words.every((it) => this.text(event).includes(it))) {
        isFound[shownBy[event]] = 1;
      }
    }
    return [...order].filter((event) => isFound[event]);
  }

  /** Made at the first search, because opening the page must not wait for it. */
  text(event) {
    return this.texts[event] ??= searchText(
      this.recording.line(event), this.recording.store[event], this.recording).toLowerCase();
  }

  /** Selects the next match, the one before, or the nearest. */
  step(by) {
    const { matches, recording, tree } = this;
    if (!matches?.length) return;
    const at = tree.selected < 0 ? -1
      : lastUpTo(matches, recording.place[tree.selected], (match) => recording.place[match]);
    const isOnMatch = matches[at] === tree.selected;
    let next = at + by;
    if (by === 0) next = isOnMatch ? at : at + 1;
    if (by < 0 && !isOnMatch) next = at;
    tree.select(matches[(next + matches.length) % matches.length]);
    this.say();
  }

  say() {
    const { matches, recording, tree } = this;
    const all = counted(recording.count, "event");
    let text = all;
    if (matches) {
      const at = matches.indexOf(tree.selected);
      text = matches.length === 0 ? `Not found in ${all}`
        : `${at < 0 ? "" : `${number(at + 1)} of `}${number(matches.length)} found in ${all}`;
    } else if (recording.unread) {
      text += `; ${counted(recording.unread, "line")} skipped, which this page does not know`;
    }
    if ($("status").textContent !== text) $("status").textContent = text;
  }

  key(event) {
    switch (event.key) {
      case "Enter": this.step(event.shiftKey ? -1 : 1); break;
      case "ArrowDown": $("tree").focus(); break;
      case "Escape":
        if (this.matches) this.end();
        $("tree").focus();
        break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** So much of a text or a value is searched. */
const searched = 20_000;

/** What an event says in its row, and its values as a whole. */
function searchText(line, store, recording) {
  const rows = (line.changes ?? []).flatMap((change) => changeRows(change, searched));
  const values = ["action", "run", "value", "error", "request", "response"]
    .filter((name) => line[name] !== undefined).map((name) => valueText(line[name], searched));
  return [describe(line), placeText(line, store, recording), line.text ?? "", ...values,
    ...rows.flat()].join(" ");
}
