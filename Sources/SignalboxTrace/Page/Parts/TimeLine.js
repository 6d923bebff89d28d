/**
 * Work on a time line, with lanes for each store or child. Dragging moves it, the wheel zooms. Over
 * the names, the wheel scrolls the lanes.
 */
class TimeLine {
  constructor(recording, choose, range) {
    Object.assign(this, { recording, choose, range });
    this.element = $("bars");
    this.body = make("div", { className: "rows", role: "none" });
    this.cursor = make("div", { id: "cursor" });
    this.element.append(this.body);
    this.lanes = lanesOf(recording);
    this.hasNames = this.lanes.some(({ name }) => name !== this.lanes[0].name);
    $("time").classList.toggle("named", this.hasNames);
    this.element.style.height = `${Math.min(6.5, Math.max(1, this.lanes.length)) * 18 + 6}px`;
    this.show(0, recording.duration);
    this.element.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.element.addEventListener("keydown", (event) => this.key(event));
    for (const part of [this.element, $("scale")]) {
      part.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    }
    $("lanes").addEventListener("wheel", (event) => {
      event.preventDefault();
      this.element.scrollTop += event.deltaY;
    }, { passive: false });
    dragged(this.element, {
      began: () => ({ from: this.from, top: this.element.scrollTop }),
      moved: ({ from, top }, x, y) => {
        const start = from - x / this.scale;
        this.element.scrollTop = top - y;
        this.show(start, start + this.to - this.from);
      },
      clicked: (target) => {
        const bar = target.closest(".work");
        if (bar) this.choose(recording.works[Number(bar.id.slice(1))].first);
      },
    });
    dragged($("scale"), {
      began: (x) => this.timeAt(x),
      moved: (start, _, __, x) => {
        const times = [start, this.timeAt(x)].map((it) =>
          Math.min(this.to, Math.max(this.from, it)));
        this.shade({ from: Math.min(...times), to: Math.max(...times) });
      },
      ended: () => this.range(this.shaded),
      clicked: () => this.range(undefined),
    });
    $("closer").onclick = () => this.zoom(0.5);
    $("wider").onclick = () => this.zoom(2);
    $("whole").onclick = () => this.show(0, recording.duration);
    $("only").onclick = () => this.range({ from: this.from, to: this.to });
  }

  /** Shows the range that filters the tree, if there is one. */
  shade(range) {
    this.shaded = range;
    this.draw();
  }

  show(from, to) {
    const all = Math.max(this.recording.duration, 1e-6);
    const width = Math.min(all, Math.max(1e-6, to - from));
    this.from = Math.min(Math.max(0, from), all - width);
    this.to = this.from + width;
    this.draw();
  }

  zoom(factor, around) {
    const middle = around ?? this.cursorTime() ?? (this.from + this.to) / 2;
    const width = (this.to - this.from) * factor;
    const share = (middle - this.from) / (this.to - this.from);
    this.show(middle - width * share, middle + width * (1 - share));
  }

  /** Up and down zoom. Sideways, or with Shift, the time line moves. */
  wheel(event) {
    event.preventDefault();
    const isSideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    if (!isSideways) return this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.timeAt(event.clientX));
    const by = (event.deltaX || event.deltaY) / this.scale;
    this.show(this.from + by, this.to + by);
  }

  timeAt(x) {
    return this.from + (x - this.element.getBoundingClientRect().left) / this.scale;
  }

  /** The time of the chosen event, if it is in view. */
  cursorTime() {
    const time = this.recording.time[this.selected];
    return time >= this.from && time <= this.to ? time : undefined;
  }

  select(event) {
    this.selected = event;
    const time = this.recording.time[event];
    const width = this.to - this.from;
    if (time < this.from || time > this.to) this.show(time - width / 2, time + width / 2);
    const work = this.recording.works[this.recording.workOf[event]];
    if (work) {
      const top = work.lane * 18;
      const { scrollTop, clientHeight } = this.element;
      if (top < scrollTop || top + 18 > scrollTop + clientHeight) {
        this.element.scrollTop = top;
      }
    }
    this.draw();
  }

  draw() {
    const width = this.element.clientWidth;
    const { scrollTop, clientHeight } = this.element;
    if (!width) return;
    this.scale = width / (this.to - this.from);
    this.body.style.height = `${this.lanes.length * 18}px`;
    const bars = [];
    const last = Math.min(this.lanes.length, Math.ceil((scrollTop + clientHeight) / 18));
    const first = Math.floor(scrollTop / 18);
    for (let lane = first; lane < last; lane++) bars.push(...this.bars(lane));
    const time = this.cursorTime();
    if (time !== undefined) {
      this.cursor.style.left = `${(time - this.from) * this.scale}px`;
      this.cursor.style.height = `${Math.max(clientHeight, this.lanes.length * 18)}px`;
      bars.push(this.cursor);
    }
    this.body.replaceChildren(...bars);
    const work = this.recording.workOf[this.selected];
    if (work >= 0) this.element.setAttribute("aria-activedescendant", `w${work}`);
    else this.element.removeAttribute("aria-activedescendant");
    if (this.hasNames) this.drawNames(first, last, scrollTop);
    this.drawAxis(width);
    this.drawMarks(width);
    $("range").textContent = `${seconds(this.from)} to ${seconds(this.to)}`;
  }

  /** The bars of a lane. Of bars that begin at one pixel, only one is drawn. */
  bars(lane) {
    const { works } = this.recording;
    const all = this.lanes[lane].works;
    const bars = [];
    const chosen = this.recording.workOf[this.selected];
    let right = -Infinity;
    let i = Math.max(0, lastUpTo(all, this.from, (index) => works[index].from));
    for (; i < all.length && works[all[i]].from <= this.to; i++) {
      const index = all[i];
      const work = works[index];
      const to = work.to ?? this.recording.duration;
      if (to < this.from) continue;
      const left = Math.max(-2, (work.from - this.from) * this.scale);
      const wide = Math.max(3, (Math.min(to, this.to) - this.from) * this.scale - left);
      if (left + wide <= right + 1 && index !== chosen) continue;
      right = left + wide;
      const name = work.name ??= describe(this.recording.line(work.first));
      const bar = make("div", {
        role: "option", id: `w${index}`, className: `work ${work.outcome}`,
        "aria-selected": String(index === chosen),
        "aria-label": `${name}, ${seconds(work.from)}, ${workText(work)}`,
        title: `${name} ${workText(work)}`,
      }, wide > 24 ? name : "");
      bar.style.cssText = `left:${left}px;width:${wide}px;top:${lane * 18}px`
        + (wide > 24 ? "" : ";padding:0");
      bars.push(bar);
    }
    return bars;
  }

  /** The store or the child beside the first of its lanes in view. */
  drawNames(first, last, scrollTop) {
    const names = [];
    for (let lane = first; lane < last; lane++) {
      const { name } = this.lanes[lane];
      if (lane > first && name === this.lanes[lane - 1].name) continue;
      const label = make("div", { title: name }, make("bdi", { dir: "ltr" }, name));
      label.style.top = `${lane * 18 - scrollTop}px`;
      names.push(label);
    }
    $("lanes").replaceChildren(...names);
  }

  drawAxis(width) {
    const step = niceStep((this.to - this.from) / Math.max(2, width / 110));
    const digits = Math.max(0, -Math.floor(Math.log10(step)));
    const ticks = [];
    for (let i = Math.ceil(this.from / step); i * step <= this.to; i++) {
      const tick = make("span", {}, `${(i * step).toFixed(digits)} s`);
      tick.style.left = `${(i * step - this.from) * this.scale}px`;
      ticks.push(tick);
    }
    if (this.shaded) {
      const shade = make("i");
      shade.style.left = `${(this.shaded.from - this.from) * this.scale}px`;
      shade.style.width = `${Math.max(2, (this.shaded.to - this.shaded.from) * this.scale)}px`;
      ticks.push(shade);
    }
    $("axis").replaceChildren(...ticks);
  }

  /** A line for each pixel at which events happened. */
  drawMarks(width) {
    const canvas = $("marks");
    canvas.width = width;
    canvas.height = 10;
    const context = canvas.getContext("2d");
    context.fillStyle = getComputedStyle(canvas).color;
    const { time, count } = this.recording;
    let drawn = -1;
    for (let e = 0; e < count; e++) {
      if (time[e] < this.from || time[e] > this.to) continue;
      const x = Math.floor((time[e] - this.from) * this.scale);
      if (x === drawn) continue;
      drawn = x;
      context.fillRect(Math.min(x, width - 1), 2, 1, 6);
    }
  }

  key(event) {
    const { works, workOf } = this.recording;
    if (event.ctrlKey || event.metaKey || event.altKey || works.length === 0) return;
    const index = workOf[this.selected];
    const to = (next) => this.choose(works[Math.min(works.length - 1, Math.max(0, next))].first);
    const by = (share) => {
      const width = (this.to - this.from) * share;
      this.show(this.from + width, this.to + width);
    };
    switch (event.key) {
      case "ArrowRight": case "ArrowDown": to(index + 1); break;
      case "ArrowLeft": case "ArrowUp": to(index - 1); break;
      case "Home": to(0); break;
      case "End": to(works.length - 1); break;
      case "PageDown": by(0.5); break;
      case "PageUp": by(-0.5); break;
      case "+": case "=": this.zoom(0.5); break;
      case "-": this.zoom(2); break;
      case "Enter": $("tree").focus(); break;
      default: return;
    }
    event.preventDefault();
  }
}

/** Tells an element's owner of a pointer that is dragged, or that was only pressed. */
function dragged(element, { began, moved, ended, clicked }) {
  element.addEventListener("pointerdown", (down) => {
    if (down.button !== 0) return;
    const start = began(down.clientX);
    let isDragged = false;
    const move = (event) => {
      const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY];
      if (!isDragged && Math.hypot(x, y) < 4) return;
      if (!isDragged) element.setPointerCapture(down.pointerId);
      isDragged = true;
      moved(start, x, y, event.clientX);
    };
    const end = (event) => {
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", end);
      element.removeEventListener("pointercancel", end);
      if (isDragged) ended?.();
      else if (event.type === "pointerup") clicked?.(down.target);
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
  });
}
