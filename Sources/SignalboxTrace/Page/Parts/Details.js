class Details {
  constructor(recording, choose) {
    Object.assign(this, { recording, choose, element: $("details") });
  }

  show(event) {
    const { recording } = this;
    const line = recording.line(event);
    const work = recording.works[recording.workOf[event]];
    const facts = [
      ["Time", seconds(recording.time[event])],
      ["Store", recording.store[event].name || undefined],
      ["Child", line.child],
      ["Number", line.id === undefined ? undefined : `${line.id}`],
      ["Work", work && this.link(work.first, workText(work))],
      ...this.rest(line, recording.store[event]),
    ];
    const list = make("dl");
    for (const [name, value] of facts) {
      if (value === undefined) continue;
      list.append(make("dt", {}, name), make("dd", {}, value));
    }
    this.element.replaceChildren(
      make("h2", { id: "event" }, describe(line)), list, ...this.why(event, line),
      ...this.difference(line), ...this.stateAfter(event, line));
    this.element.scrollTop = 0;
  }

  /** What else the line says of its event. */
  rest(line, store) {
    const by = store.events.get(line.by);
    return [
      ["Error", line.error && valueText(line.error, 2000)],
      [reasons[line.reason] === "ignored" ? "For" : "By", by === undefined ? undefined : this.link(by)],
      ["Value", line.value !== undefined ? valueText(line.value, 2000) : undefined],
      ["Failure", line.kind === "testFailed" ? make("pre", {}, line.text) : undefined],
    ];
  }

  link(event, text) {
    const { recording } = this;
    const title = describe(recording.line(event));
    return make("button", { onclick: () => this.choose(event) }, text ? `${title}, ${text}` : title);
  }

  why(event, line) {
    const most = 20;
    const list = make("ol", { id: "why" });
    let count = 0;
    for (const cause of this.recording.causes(event)) {
      if (++count <= most) list.append(make("li", {}, this.link(cause)));
    }
    if (count === 0) {
      const text = line.cause === undefined || line.cause === null
        ? "From outside." : "The cause is no longer in the recording.";
      return [make("h3", {}, "Why"), make("p", { id: "why" }, text)];
    }
    const more = count > most ? make("p", {}, `and ${number(count - most)} earlier causes`) : "";
    return [make("h3", {}, "Why"), list, more];
  }

  difference(line) {
    const rows = (line.changes ?? []).flatMap(changeRows);
    if (rows.length === 0) return [];
    const body = make("tbody");
    for (const row of rows.slice(0, 500)) {
      body.append(make("tr", {}, ...row.map((text) => make("td", { className: "mono" }, text))));
    }
    const head = make("tr", {}, ...["Where", "Before", "After"].map(
      (text) => make("th", { scope: "col" }, text)));
    return [
      make("h3", {}, "Difference"),
      make("table", { id: "difference" }, make("thead", {}, head), body),
      rows.length > 500 ? make("p", {}, `and ${number(rows.length - 500)} more`) : "",
    ];
  }

  stateAfter(event, line) {
    const state = this.recording.state(event);
    if (state === undefined) return [];
    const isChange = line.kind === "changed" || line.kind === "lost";
    const lines = valueLines(state, isChange ? line.changes : []);
    const most = 2000;
    const text = make("pre", { id: "state", tabIndex: 0, "aria-label": "State" });
    const fill = (count) => text.replaceChildren(...lines.slice(0, count).flatMap(
      ([line, isChanged]) => [isChanged ? make("mark", {}, line) : line, "\n"]));
    fill(most);
    if (lines.length <= most) return [make("h3", {}, "State"), text];
    const all = make("button", {}, `Show all ${number(lines.length)} lines`);
    all.onclick = () => { fill(lines.length); all.remove(); };
    return [make("h3", {}, "State"), text, all];
  }
}
