class Details {
  constructor(recording, choose) {
    Object.assign(this, { recording, choose, element: $("details") });
    this.about = make("div", { id: "about", tabIndex: -1 });
    this.about.addEventListener("keydown", (event) => this.key(event));
    this.state = new StateTree((path) => this.follow(path));
    this.after = make("section", { id: "after", "aria-label": "State after the event" });
    this.element.append(this.about, this.after);
  }

  show(event) {
    const { recording } = this;
    this.event = event;
    const line = recording.line(event);
    // The changes of a part stay as long as one of them is shown.
    if (!this.history?.events.has(event)) this.history = undefined;
    this.about.replaceChildren(
      make("h2", { id: "event" }, describe(line)), this.copies(event, line),
      ...this.changesOfPart(), this.facts(event, line),
      ...(line.changes?.length > 0 ? differenceTable(line.changes) : []),
      make("div", { id: "links" }, this.why(event, line), this.then(event)));
    this.about.scrollTop = 0;
    this.shown = this.stateEvent(event);
    const state = recording.state(this.shown);
    const title = make("h3", {}, this.shown === event ? "State" : `State after #${this.shown + 1}`);
    if (state === undefined) {
      this.after.replaceChildren(title, make("p", {}, "The state is not known here."));
      return;
    }
    this.after.replaceChildren(title, this.state.element);
    const isChange = line.kind === "changed" || line.kind === "lost";
    this.state.show(state, isChange ? line.changes : [], line.child);
  }

  /** The event after which the state is shown. A store that is gone, or of no event, has its last. */
  stateEvent(event) {
    const { recording } = this;
    const stores = [...recording.stores.values()].filter((it) => it.number !== undefined);
    const own = recording.store[event];
    const store = own.number === undefined && stores.length === 1 ? stores[0] : own;
    let last = Math.min(event, store.released - 1);
    while (last > 0 && recording.store[last] !== store) last -= 1;
    return recording.store[last] === store ? last : event;
  }

  /** Up and down go through the links. */
  key(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...this.about.querySelectorAll("li button")];
    if (!by || links.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = links.indexOf(document.activeElement) + by;
    links[Math.min(links.length - 1, Math.max(0, next))].focus();
    event.preventDefault();
  }

  showNothing() {
    this.about.replaceChildren(make("p", { id: "event" }, "This recording has no events."));
    this.after.remove();
  }

  facts(event, line) {
    const { recording } = this;
    const work = recording.works[recording.workOf[event]];
    const by = recording.store[event].events.get(line.by);
    const workLink = () => work.first === event ? workText(work)
      : this.link(work.first, workText(work));
    const facts = [
      ["Event", [`#${event + 1}`]],
      ["Time", [seconds(recording.time[event])]],
      ["Store", [recording.store[event].name]],
      ["Child", line.child && breakable(line.child)],
      ["Work", work && [workLink()]],
      ["Error", line.error && whole(line.error)],
      [reasons[line.reason] === "ignored" ? "For" : "By", by !== undefined && [this.link(by)]],
      ["Value", line.value !== undefined && whole(line.value)],
      ["Failure", line.kind === "testFailed" && [make("pre", {}, line.text)]],
    ];
    const list = make("dl");
    for (const [name, nodes] of facts) {
      if (nodes && nodes[0] !== "") list.append(make("dt", {}, name), make("dd", {}, ...nodes));
    }
    return list;
  }

  /** A button that selects an event. */
  link(event, text) {
    const title = describe(this.recording.line(event));
    const all = text ? `${title}, ${text}` : title;
    return make("button", { onclick: () => this.choose(event) }, all);
  }

  /** A link with the time of its event. */
  item(event, text) {
    return make("li", { "aria-current": event === this.event && "true" },
      text === undefined ? this.link(event)
        : make("button", { onclick: () => this.choose(event) }, text),
      " ", make("span", { className: "when" }, seconds(this.recording.time[event])));
  }

  why(event, line) {
    const causes = [...this.recording.causes(event)];
    const section = this.list("Why", "why", causes);
    if (causes.length === 0) {
      const isOutside = line.cause === undefined;
      section.append(make("p", { id: "why" },
        isOutside ? "From outside." : "The cause is no longer in the recording."));
    }
    return section;
  }

  then(event) {
    const effects = [...this.recording.effectsOf(event)];
    return effects.length > 0 ? this.list("Then", "then", effects) : undefined;
  }

  list(title, id, events) {
    const most = 20;
    if (events.length === 0) return make("section", {}, make("h3", {}, title));
    const more = events.length - most;
    return make("section", {}, make("h3", {}, title),
      make("ol", { id }, ...events.slice(0, most).map((it) => this.item(it))),
      more > 0 ? make("p", {}, `and ${number(more)} more`) : "");
  }

  // The changes of a part of the state

  /** Goes to the last change of a part of the state, and lists the earlier ones. */
  follow(path) {
    const { recording } = this;
    const most = 50;
    const found = changesOf(recording, this.shown, path, most);
    const rows = found.map((entry) => [entry[0], historyText(entry)]);
    const start = recording.startOf(this.shown);
    if (found.isWhole && start >= 0) rows.push([start, "in the first state that is known"]);
    this.history = { path, rows, events: new Set([...rows.map(([event]) => event), this.event]) };
    if (rows.length > 0) this.choose(rows[0][0]);
    else this.show(this.event);
  }

  changesOfPart() {
    if (!this.history) return [];
    const { path, rows } = this.history;
    const close = make("button", {}, "Close");
    close.onclick = () => {
      this.history = undefined;
      this.show(this.event);
      $("tree").focus();
    };
    return [make("section", { id: "history" },
      make("h3", {}, "Changes of ",
        make("span", { className: "mono" }, ...breakable(pathText(path))), " ", close),
      make("ol", {}, ...rows.map(([event, text]) => this.item(event, text))))];
  }

  // Copying

  copies(event, line) {
    const bar = make("p", { id: "copies" }, "Copy");
    const texts = {
      link: () => location.href, value: () => valueOf(line, this.recording.state(this.shown)),
      chain: () => {
        const events = [event, ...this.recording.causes(event)];
        const lines = events.map((it) => this.recording.line(it));
        const end = lines.at(-1).cause === undefined ? "outside" : "…";
        return [...lines.map(describe), end].join(" ← ");
      },
      test: () => testCall(this.recording.store[event].name, document.title),
    };
    const said = make("span", { role: "status" });
    for (const [name, text] of Object.entries(texts)) {
      const button = make("button", { "aria-label": `Copy ${name}` }, name);
      button.onclick = async () => {
        said.textContent = await copy(text()) ? `The ${name} is copied.`
          : "Copying is not allowed here.";
      };
      bar.append(" ", button);
    }
    bar.append(" ", said);
    return bar;
  }
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Not every browser allows it for a file.
  }
  const area = make("textarea", { value: text });
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  return isCopied;
}

/** What an event is about, as a whole. */
function valueOf(line, state) {
  for (const name of ["value", "action", "run", "response", "request", "error"]) {
    if (line[name] !== undefined) return valueText(line[name], Infinity);
  }
  const rows = (line.changes ?? []).flatMap((change) => changeRows(change, Infinity));
  if (rows.length === 1) return rows[0][2] === "–" ? rows[0][1] : rows[0][2];
  if (rows.length > 1) return rows.map((row) => row.join("\t")).join("\n");
  return line.text || valueText(state, Infinity);
}

/** The call that writes a test of a store. */
function testCall(store, file) {
  return `let source = try Trace.test(
  of: URL(filePath: ${quoted(file)}), store: ${quoted(store)}, named: "recorded",
  Trace.Surroundings(subject: "interactor: …"))`;
}
