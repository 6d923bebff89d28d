/** A list of rows of one height, of which only those in view exist. */
class VirtualRows {
  constructor(element, height, row) {
    Object.assign(this, { element, height, row, count: 0 });
    this.body = make("div", { className: "rows", role: "none" });
    element.append(this.body);
    element.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(element);
  }

  draw() {
    const { scrollTop, clientHeight } = this.element;
    const first = Math.max(0, Math.floor(scrollTop / this.height) - 8);
    const last = Math.min(this.count, Math.ceil((scrollTop + clientHeight) / this.height) + 8);
    this.body.style.height = `${this.count * this.height}px`;
    const rows = [];
    for (let i = first; i < last; i++) {
      const row = this.row(i);
      row.style.top = `${i * this.height}px`;
      rows.push(row);
    }
    this.body.replaceChildren(...rows);
  }

  reveal(index) {
    const top = index * this.height;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop || top + this.height > scrollTop + clientHeight) {
      this.element.scrollTop = Math.max(0, top - clientHeight / 2);
    }
  }
}

class Tree {
  constructor(recording, chosen) {
    this.recording = recording;
    this.chosen = chosen;
    this.folded = new Set();
    this.element = $("tree");
    this.rows = new VirtualRows(this.element, 24, (i) => this.row(this.shown[i]));
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("click", (event) => this.click(event));
    this.selected = -1;
    this.filter(undefined);
  }

  /** Shows only these events and their causes, or everything. */
  filter(matches) {
    this.matches = matches;
    this.inFilter = undefined;
    if (matches) {
      this.inFilter = new Set();
      for (const match of matches) {
        this.inFilter.add(match);
        for (const cause of this.recording.causes(match)) {
          if (this.inFilter.has(cause)) break;
          this.inFilter.add(cause);
        }
      }
      this.isMatch = new Set(matches);
    }
    this.update();
  }

  update() {
    const { order, size, count } = this.recording;
    const shown = [];
    for (let place = 0; place < count;) {
      const event = order[place];
      if (this.recording.isRow(event) && (!this.inFilter || this.inFilter.has(event))) {
        shown.push(event);
      }
      place += this.isFolded(event) ? size[event] : 1;
    }
    this.shown = shown;
    this.rows.count = shown.length;
    this.rows.draw();
  }

  /** A filter shows what it finds, even in folded parts. */
  isFolded(event) { return !this.inFilter && this.folded.has(event); }

  /** The row of an event, or of the first row after its place. */
  rowOf(event) {
    const { place } = this.recording;
    return lastUpTo(this.shown, place[event], (shown) => place[shown]);
  }

  select(chosen) {
    const event = this.recording.shownBy[chosen];
    this.selected = event;
    let unfolded = false;
    for (const cause of this.recording.causes(event)) {
      unfolded = this.folded.delete(cause) || unfolded;
    }
    if (unfolded) this.update();
    this.element.setAttribute("aria-activedescendant", `e${event}`);
    this.rows.reveal(this.rowOf(event));
    this.rows.draw();
    this.chosen(event);
  }

  fold(event, isFolded) {
    if (isFolded) this.folded.add(event); else this.folded.delete(event);
    this.update();
  }

  row(event) {
    const { level, position, effects, time, store, kind } = this.recording;
    const line = this.recording.line(event);
    const hasEffects = effects[event] > 0;
    const isFolded = this.isFolded(event);
    const isMatch = this.matches && this.isMatch.has(event);
    const place = placeText(line, store[event], this.recording);
    const work = this.recording.works[this.recording.workOf[event]];
    const isFinished = work?.first === event && this.recording.shownBy[work.last] === event;
    return make("div", {
      role: "treeitem", id: `e${event}`,
      className: `row${isMatch ? " match" : this.matches ? " context" : ""}`,
      "aria-level": level[event], "aria-posinset": position[event],
      "aria-setsize": this.recording.siblings(event),
      "aria-expanded": hasEffects ? String(!isFolded) : undefined,
      "aria-selected": String(event === this.selected),
    },
      make("span", { className: "time mono" }, seconds(time[event])),
      indented(make("span", { className: "twisty", "aria-hidden": "true" },
        hasEffects ? (isFolded ? "▸" : "▾") : ""), level[event]),
      make("span", { className: `label ${looks[kind[event]] ?? "ended"}` }, describe(line)),
      isFinished ? make("span", { className: "took" }, span(work.to - work.from)) : undefined,
      place ? make("span", { className: "place", title: place }, make("bdi", { dir: "ltr" }, place))
        : undefined);
  }

  click(event) {
    const row = event.target.closest(".row");
    if (!row) return;
    const clicked = Number(row.id.slice(1));
    if (event.target.closest(".twisty") && this.recording.effects[clicked] > 0) {
      this.fold(clicked, !this.folded.has(clicked));
    }
    this.select(clicked);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.shown.length === 0) return;
    const { shown, selected, recording } = this;
    const row = this.rowOf(selected);
    const page = Math.max(1, Math.floor(this.element.clientHeight / 24) - 1);
    const to = (index) => this.select(shown[Math.min(shown.length - 1, Math.max(0, index))]);
    switch (event.key) {
      case "ArrowDown": to(row + 1); break;
      case "ArrowUp": to(row - 1); break;
      case "PageDown": to(row + page); break;
      case "PageUp": to(row - page); break;
      case "Home": to(0); break;
      case "End": to(shown.length - 1); break;
      case "ArrowLeft":
        if (recording.effects[selected] > 0 && !this.isFolded(selected) && !this.inFilter) {
          this.fold(selected, true);
          this.select(selected);
        } else if (recording.cause[selected] >= 0) this.select(recording.cause[selected]);
        break;
      case "ArrowRight":
        if (this.isFolded(selected)) {
          this.fold(selected, false);
          this.select(selected);
        } else if (recording.effects[selected] > 0) to(row + 1);
        break;
      case "Enter": $("about").focus(); break;
      case "s": $("state")?.focus(); break;
      default: return;
    }
    event.preventDefault();
  }
}

/** Deep chains are indented no further than this, so that their texts stay in view. */
const deepest = 24;

function indented(element, level) {
  element.style.marginLeft = `min(${Math.min(level - 1, deepest) * 14}px, 25%)`;
  return element;
}

/** Where an event happened: the store, if there are several, and the child. */
function placeText(line, store, recording) {
  return [recording.severalStores ? store.name : "", line.child ?? ""].filter(Boolean).join(" ");
}
