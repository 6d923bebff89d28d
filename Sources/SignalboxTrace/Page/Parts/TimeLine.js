class TimeLine {
  constructor(recording, choose) {
    this.recording = recording;
    this.choose = choose;
    this.element = $("bars");
    this.body = make("div", { className: "rows", role: "none" });
    this.cursor = make("div", { id: "cursor" });
    this.element.append(this.body);
    this.lanes = this.pack();
    this.element.style.height = `${Math.min(6.5, Math.max(1, this.lanes.length)) * 18 + 6}px`;
    this.show(0, recording.duration);
    this.element.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.element);
    this.element.addEventListener("click", (event) => {
      const bar = event.target.closest(".work");
      if (bar) this.choose(recording.works[Number(bar.id.slice(1))].first);
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.25 : 0.8, this.timeAt(event.clientX));
    }, { passive: false });
    $("closer").onclick = () => this.zoom(0.5);
    $("wider").onclick = () => this.zoom(2);
    $("whole").onclick = () => this.show(0, recording.duration);
  }

  /** Puts each piece of work into the first lane that is free when it begins. */
  pack() {
    const lanes = [];
    const free = [];
    // The lanes in use, by when they get free. Those before `next` are free.
    const busy = [];
    let next = 0;
    for (const [index, work] of this.recording.works.entries()) {
      while (next < busy.length && busy[next].until <= work.from) {
        insert(free, busy[next++].lane, (lane) => -lane);
      }
      const lane = free.pop() ?? lanes.push([]) - 1;
      lanes[lane].push(index);
      work.lane = lane;
      insert(busy, { until: work.to ?? Infinity, lane }, (it) => it.until);
    }
    return lanes;
  }

  show(from, to) {
    const whole = Math.max(this.recording.duration, 1e-6);
    const width = Math.min(whole, Math.max(1e-6, to - from));
    this.from = Math.min(Math.max(0, from), whole - width);
    this.to = this.from + width;
    this.draw();
  }

  zoom(factor, around) {
    const middle = around ?? this.cursorTime() ?? (this.from + this.to) / 2;
    const width = (this.to - this.from) * factor;
    const share = (middle - this.from) / (this.to - this.from);
    this.show(middle - width * share, middle + width * (1 - share));
  }

  timeAt(x) {
    const { left, width } = this.element.getBoundingClientRect();
    return this.from + (x - left) / width * (this.to - this.from);
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
      if (top < this.element.scrollTop || top + 18 > this.element.scrollTop + this.element.clientHeight) {
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
    for (let lane = Math.floor(scrollTop / 18); lane < last; lane++) bars.push(...this.bars(lane));
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
    this.drawAxis(width);
    this.drawMarks(width);
    $("range").textContent = `${seconds(this.from)} to ${seconds(this.to)}`;
  }

  /** The bars of a lane. Of bars that begin at one pixel, only one is drawn. */
  bars(lane) {
    const { works } = this.recording;
    const all = this.lanes[lane];
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
      const name = wide > 24 || index === chosen ? describe(this.recording.line(work.first)) : "";
      const bar = make("div", {
        role: "option", id: `w${index}`, className: `work ${work.outcome}`,
        "aria-selected": String(index === chosen),
        "aria-label": `${name || "work"}, ${seconds(work.from)}, ${workText(work)}`,
        title: `${name} ${workText(work)}`.trim(),
      }, wide > 24 ? name : "");
      bar.style.cssText = `left:${left}px;width:${wide}px;top:${lane * 18}px`
        + (wide > 24 ? "" : ";padding:0");
      bars.push(bar);
    }
    return bars;
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
    switch (event.key) {
      case "ArrowRight": case "ArrowDown": to(index + 1); break;
      case "ArrowLeft": case "ArrowUp": to(index - 1); break;
      case "Home": to(0); break;
      case "End": to(works.length - 1); break;
      case "+": case "=": this.zoom(0.5); break;
      case "-": this.zoom(2); break;
      case "Enter": $("tree").focus(); break;
      default: return;
    }
    event.preventDefault();
  }
}

/** Inserts an element into a sorted array. */
function insert(sorted, element, value) {
  sorted.splice(lastUpTo(sorted, value(element), value) + 1, 0, element);
}

function workText(work) {
  if (work.to === undefined) return "not ended";
  const how = { finished: "finished", cancelled: "cancelled", bad: "failed" }[work.outcome];
  return `${how} after ${span(work.to - work.from)}`;
}

/** One, two or five times a power of ten, and at least `least`. */
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * 0.999);
}
