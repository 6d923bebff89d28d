/** What the kinds of events are called in the filter. */
const groups = {
  changed: "change", derived: "change", lost: "change", pending: "change", confirmed: "change",
  takenBack: "change", hook: "hook", dropped: "dropped", dispatched: "action",
  finished: "action", cancelled: "action", failed: "action", runStarted: "run", runFinished: "run",
  runCancelled: "run", runFailed: "run", called: "test", answered: "test", advanced: "test",
  testFailed: "test",
};

const isError = (kind) => looks[kind] === "bad";

/** The chips: what the events that are shown must be, besides what is searched. */
class Filters {
  constructor(recording, changed) {
    Object.assign(this, { recording, changed, chips: [] });
    const { kind, child, store } = recording;
    this.tests = {
      store: (event, value) => store[event].name === value,
      child: (event, value) => child[event] !== undefined
        && (child[event] === value || isWithin(child[event], value)),
      kind: (event, value) => (groups[kind[event]] ?? "store") === value,
      errors: (event) => isError(kind[event]),
      time: (event, { from, to }) => recording.time[event] >= from && recording.time[event] <= to,
    };
    this.menu("store", () => [...recording.stores.values()].map((it) => it.name).filter(Boolean),
      recording.severalStores);
    this.menu("child", () => [...recording.children.keys()], recording.children.size > 0);
    this.menu("kind", () => kind.map((it) => groups[it] ?? "store"), recording.count > 0);
    this.errors = $("errors");
    this.errors.onclick = () => this.toggle("errors", "errors");
    document.addEventListener("click", (event) => this.close(event.target));
    $("menus").addEventListener("keydown", (event) => {
      const menu = event.target.closest("details[open]");
      if (event.key !== "Escape" || !menu) return;
      menu.open = false;
      menu.firstChild.focus();
      event.stopPropagation();
    });
  }

  /** A list of check boxes that is made when it is opened. */
  menu(type, values, isNeeded) {
    if (!isNeeded) return;
    const most = 500;
    const list = make("div");
    const menu = make("details", { id: `menu-${type}` }, make("summary", {}, `${type} `), list);
    menu.addEventListener("toggle", () => {
      if (!menu.open) return;
      this.close(menu);
      const all = [...new Set(values())];
      list.replaceChildren(...all.slice(0, most).map((value) => {
        const box = make("input", { type: "checkbox", checked: this.has(type, value) });
        box.onchange = () => this.toggle(type, value);
        return make("label", {}, box, " ", ...breakable(value));
      }));
      if (all.length > most) list.append(`and ${number(all.length - most)} more, by search`);
    });
    $("menus").append(menu);
  }

  close(target) {
    for (const menu of $("menus").querySelectorAll("details[open]")) {
      if (!menu.contains(target)) menu.open = false;
    }
  }

  has(type, value) { return this.chips.some((it) => it.type === type && it.value === value); }

  toggle(type, value) {
    const others = this.chips.filter((it) => it.type !== type || it.value !== value);
    this.chips = others.length < this.chips.length ? others : [...others, { type, value }];
    this.update();
  }

  /** Takes the place of all other values of its type. */
  set(type, value) {
    this.chips = this.chips.filter((it) => it.type !== type);
    if (value !== undefined) this.chips.push({ type, value });
    this.update();
  }

  clear() {
    this.chips = [];
    this.update();
  }

  update() {
    this.errors.setAttribute("aria-pressed", String(this.has("errors", "errors")));
    $("chips").replaceChildren(...this.chips.filter((it) => it.type !== "errors").map((it) => {
      const text = it.type === "time" ? `${seconds(it.value.from)} to ${seconds(it.value.to)}`
        : it.value;
      const chip = make("button", { className: "chip", "aria-label": `Remove ${it.type} ${text}` },
        make("span", {}, `${it.type}: ${text}`), " ×");
      chip.onclick = () => {
        this.toggle(it.type, it.value);
        ($("chips").firstChild ?? $("tree")).focus();
      };
      return chip;
    }));
    for (const box of $("menus").querySelectorAll("input")) {
      const type = box.closest("details").id.slice("menu-".length);
      box.checked = this.has(type, box.parentElement.textContent.trim());
    }
    this.changed();
  }

  /** Whether an event has one of the values of each type. */
  accepts(event) {
    const types = new Set(this.chips.map((it) => it.type));
    return [...types].every((type) => this.chips.some(
      (it) => it.type === type && this.tests[type](event, it.value)));
  }
}

const isWithin = (child, outer) => child.startsWith(`${outer}.`) || child.startsWith(`${outer}[`);

/** The words of a query. Words in quotation marks stay together. */
function wordsOf(query) {
  return [...query.toLowerCase().matchAll(/"([^"]+)"?|[^\s"]+/g)].map(([word, phrase]) =>
    phrase ?? word);
}
