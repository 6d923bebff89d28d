/**
 * The state as lines that unfold. A line stands for a part: a field, an element or an entry.
 *
 * Only what has changed is unfolded, and what the user unfolds.
 */
class StateTree {
  constructor(choose) {
    Object.assign(this, { choose, unfolded: new Map(), lines: [] });
    this.element = make("div", { id: "state", role: "tree", tabIndex: 0, "aria-label": "State" });
    this.element.addEventListener("click", (event) => this.click(event));
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  /**
   * Shows a state.
   *
   * - changes: what has changed, which is marked and unfolded.
   * - child: the place of a child, which is unfolded.
   */
  show(state, changes, child) {
    this.state = state;
    this.changed = new Set(changes.flatMap(changedPaths));
    this.target = [...this.changed][0];
    const ways = [...this.changed, ...changes.map((change) => `${spelled(change.at)}/`)];
    const place = child === undefined ? undefined : childPath(child, state);
    if (place !== undefined) {
      ways.push(`${place}/`);
      this.target ??= place;
    }
    this.target ??= ways[0]?.slice(0, -1);
    // Each part on the way to what has changed.
    this.around = new Set(ways.flatMap((way) =>
      [...way.matchAll(/\//g)].map((slash) => way.slice(0, slash.index))));
    this.here = place;
    this.fill();
    this.reveal(this.target === undefined ? 0
      : this.lines.findIndex((line) => line.path === this.target));
  }

  fill() {
    this.lines = [];
    const isChanged = this.changed.has("");
    this.add({ name: "", value: this.state, steps: [], path: "", depth: 0, isChanged });
    this.element.replaceChildren(...this.lines.map((line, index) => this.row(line, index)));
  }

  isUnfolded({ path, depth }) {
    return this.unfolded.get(path)
      ?? (depth === 0 || this.changed.has(path) || this.around.has(path));
  }

  add(line) {
    line.parts = line.depth < 60 ? parts(line.value) : [];
    this.lines.push(line);
    if (line.parts.length === 0 || !this.isUnfolded(line)) return;
    const all = line.parts.map(([step, name, value]) => {
      const way = `${line.path}/${JSON.stringify(step === undefined ? value : step)}`;
      // A member of a set has no step of its own.
      const steps = step === undefined ? line.steps : [...line.steps, step];
      return { name, value, steps, path: way, depth: line.depth + 1,
        isChanged: line.isChanged || this.changed.has(way) };
    });
    let hidden = [];
    const flush = () => {
      if (hidden.length > 0) this.lines.push({ hidden, owner: line.path, depth: line.depth + 1 });
      hidden = [];
    };
    for (const [index, part] of all.entries()) {
      const isShown = index < most || this.unfolded.get(`${line.path}…`)
        || this.around.has(part.path) || !line.isChanged && part.isChanged;
      if (!isShown) { hidden.push(part); continue; }
      flush();
      this.add(part);
    }
    flush();
  }

  row(line, index) {
    const properties = {
      role: "treeitem", id: `s${index}`, className: "line", "aria-level": line.depth + 1,
    };
    if (line.hidden) {
      return inset(make("div", properties, make("span", { className: "twisty" }),
        make("span", { className: "more" }, `… ${number(line.hidden.length)} more`)), line.depth);
    }
    const { name, value, parts } = line;
    const isUnfolded = this.isUnfolded(line);
    const text = parts.length === 0 ? whole(value, 160)
      : isUnfolded ? [heading(value, parts.length)] : [summary(value, parts.length)];
    if (parts.length > 0) properties["aria-expanded"] = String(isUnfolded);
    if (line.path === this.here) properties.className += " here";
    const content = [make("span", { className: "name" }, name ? `${name}: ` : ""), ...text];
    return inset(make("div", properties,
      make("span", { className: "twisty", "aria-hidden": "true" },
        parts.length === 0 ? "" : isUnfolded ? "▾" : "▸"),
      make(line.isChanged ? "mark" : "span", {}, ...content)), line.depth);
  }

  reveal(index) {
    this.selected = Math.max(0, index);
    const row = this.element.children[this.selected];
    this.element.querySelector("[aria-selected]")?.removeAttribute("aria-selected");
    if (!row) return;
    row.setAttribute("aria-selected", "true");
    this.element.setAttribute("aria-activedescendant", row.id);
    const { top, bottom } = row.getBoundingClientRect();
    const around = this.element.getBoundingClientRect();
    if (top < around.top || bottom > around.bottom) {
      this.element.scrollTop += top - around.top - Math.max(0, around.height - (bottom - top)) / 2;
    }
  }

  fold(index, isUnfolded) {
    const { path, hidden, owner } = this.lines[index];
    if (hidden) this.unfolded.set(`${owner}…`, true);
    else this.unfolded.set(path, isUnfolded);
    const { scrollTop } = this.element;
    this.fill();
    this.element.scrollTop = scrollTop;
    this.reveal(index);
  }

  /** Goes to the last change of the part. */
  follow(index) {
    const line = this.lines[index];
    if (line.hidden) this.fold(index, true);
    else this.choose(line.steps);
  }

  click(event) {
    const row = event.target.closest(".line");
    if (!row || event.target.closest("button")) return;
    const index = Number(row.id.slice(1));
    const line = this.lines[index];
    const isTwisty = event.target.closest(".twisty") && line.parts?.length > 0;
    if (isTwisty) this.fold(index, !this.isUnfolded(line)); else this.follow(index);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== this.element) return;
    const { selected, lines } = this;
    const line = lines[selected];
    const to = (index) => this.reveal(Math.min(lines.length - 1, Math.max(0, index)));
    const isOpen = line?.parts?.length > 0 && this.isUnfolded(line);
    switch (event.key) {
      case "ArrowDown": to(selected + 1); break;
      case "ArrowUp": to(selected - 1); break;
      case "Home": to(0); break;
      case "End": to(lines.length - 1); break;
      case "ArrowRight":
        if (isOpen) to(selected + 1);
        else if (line?.hidden || line?.parts?.length > 0) this.fold(selected, true);
        break;
      case "ArrowLeft":
        if (isOpen) this.fold(selected, false);
        else to(lines.findLastIndex((it, index) => index < selected && it.depth < line.depth));
        break;
      case "Enter": this.follow(selected); break;
      default: return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/** So many parts of a list are shown, and the others if they have changed or at a click. */
const most = 50;

function inset(element, depth) {
  element.style.paddingLeft = `min(${depth * 16}px, 40%)`;
  return element;
}

/** What a folded part says. */
function summary(value, count) {
  const text = valueText(value, 60);
  return Array.isArray(value) || value.list || value.set || value.dictionary
    ? heading(value, count) : text;
}

/** A path of steps as one text, in which a part begins with the text of what is around it. */
function spelled(steps) {
  return steps.map((step) => `/${JSON.stringify(step.index ?? step)}`).join("");
}

/** The way to a child, as `spelled` writes it, from a place such as `\.rows[id: 3].name`. */
function childPath(child, state) {
  let part = state;
  const steps = [];
  const names = /\.?([^.[\]\\]+)|\[id: ("(?:[^"\\]|\\.)*"|[^\]]*)\]/g;
  for (const [, name, id] of child.matchAll(names)) {
    const step = name ?? parts(part).find(([, , it]) => valueText(idOf(it), 200) === id)?.[0];
    const place = step === undefined ? undefined : partPlace(part, step);
    if (!place) break;
    steps.push(step);
    part = place[0][place[1]];
  }
  return steps.length > 0 ? spelled(steps) : undefined;
}

const idOf = (value) =>
  fieldsOf(value ?? {}).find((field) => field.length > 1 && field[0] === "id")?.[1];
