/** Finds text in what events say. */
class Search {
  constructor(recording, tree) {
    Object.assign(this, { recording, tree, texts: [], query: "", matches: undefined });
    this.input = $("query");
    this.input.addEventListener("input", () => this.run());
    this.input.form.addEventListener("submit", (event) => event.preventDefault());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.say();
  }

  run() {
    this.query = this.input.value.trim().toLowerCase();
    this.matches = this.query ? this.find(this.query) : undefined;
    this.tree.filter(this.matches);
    if (this.matches === undefined) this.tree.select(this.tree.selected);
    else if (this.matches.length > 0) this.step(0);
    this.say();
  }

  /** The matches in the order of the tree. */
  find(query) {
    const { order, count } = this.recording;
    const matches = [];
    for (let place = 0; place < count; place++) {
      if (this.text(order[place]).includes(query)) matches.push(order[place]);
    }
    return matches;
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
    const all = `${number(recording.count)} event${recording.count === 1 ? "" : "s"}`;
    let text = all;
    if (matches) {
      const at = matches.indexOf(tree.selected);
      text = matches.length === 0 ? `Not found in ${all}`
        : `${at < 0 ? "" : `${number(at + 1)} of `}${number(matches.length)} found in ${all}`;
    } else if (recording.unread) {
      text += `; ${number(recording.unread)} line${recording.unread === 1 ? "" : "s"} cannot be read`;
    }
    if ($("status").textContent !== text) $("status").textContent = text;
  }

  key(event) {
    switch (event.key) {
      case "Enter": this.step(event.shiftKey ? -1 : 1); break;
      case "ArrowDown": $("tree").focus(); break;
      case "Escape":
        if (this.input.value) { this.input.value = ""; this.run(); }
        $("tree").focus();
        break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

function searchText(line, store, recording) {
  const changes = (line.changes ?? []).flatMap(changeRows).map((row) => row.join(" "));
  return [describe(line), placeText(line, store, recording), ...changes].join(" ");
}
