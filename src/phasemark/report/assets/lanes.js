// Lanes: all threads side by side on one clock, a block a run; empty where a thread is idle.

const LANES_TITLE = 24; // above the lanes of a run, where there are several
const LANES_BELOW = 40;

function drawThreads() {
  const found = data.lanes;
  if (!found) return;
  byId("lanes-section").hidden = false;
  const canvas = byId("lanes");
  const [start, phase, began] = [unpack(found.start), unpack(found.phase), unpack(found.began)];
  const longest = Math.max(...found.runs.map((run) => run.length), 1);
  const titled = found.runs.length > 1;
  // Of very many threads all together are as high as 120 at their least.
  const crowded = threads.length > 120;
  const tall = crowded ? 840 / threads.length : Math.max(6, Math.min(20, Math.floor(520 / threads.length)));
  const gap = crowded ? 0 : tall > 9 ? 2 : 1;
  let view = null; // {from, to}: ticks from the beginning of each run
  let at = null; // {lane, time} that the keyboard or the pointer is at
  let brush = null;
  let layer = null; // the lanes as they were drawn last, and of what
  let metric = null; // that lanes are coloured by; null: by phase

  const tops = [];
  let height = titled ? 0 : 6;
  for (const run of found.runs) {
    if (titled) height += LANES_TITLE;
    for (let lane = run.first; lane < run.last; lane++, height += tall + gap) tops[lane] = height;
    height += titled ? 6 : 0;
  }
  const runOf = (lane) => found.runs.find((run) => lane >= run.first && lane < run.last);
  const from = () => view?.from ?? 0;
  const to = () => view?.to ?? longest;
  const end = (lane, cell) => (cell + 1 < found.first[lane + 1] ? start[cell + 1] : runOf(lane).length);

  /** The last of rising values [low, high) that is not above a time; the first where all are. */
  function search(values, low, high, time) {
    high--;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (values[middle] <= time) low = middle; else high = middle - 1;
    }
    return low;
  }
  const cellAt = (lane, time) => search(start, found.first[lane], found.first[lane + 1], time);
  const rowAtTime = (lane, time) => search(began, threads[lane].first, threads[lane].last, time);

  /** Time of each phase in each pixel column, columns x phases, as shares of the column. */
  function shares(lane, width) {
    const out = new Float32Array(width * phases.length);
    const scale = width / (to() - from());
    for (let cell = cellAt(lane, from()); cell < found.first[lane + 1]; cell++) {
      const a = Math.max(0, (start[cell] - from()) * scale);
      if (a >= width) break;
      if (phase[cell] < 0) continue;
      const b = Math.min(width, (end(lane, cell) - from()) * scale);
      for (let c = Math.floor(a); c < b; c++) out[c * phases.length + phase[cell]] += Math.min(b, c + 1) - Math.max(a, c);
    }
    return out;
  }

  /** Mean of the metric in each pixel column, by time; NaN where the thread is idle or was not measured. */
  function means(lane, width) {
    const [sum, time, share] = [new Float64Array(width), new Float64Array(width), shares(lane, width)];
    const scale = width / (to() - from());
    const { first, last } = threads[lane];
    for (let row = rowAtTime(lane, from()); row < last; row++) {
      const a = Math.max(0, (began[Math.max(row, first)] - from()) * scale);
      if (a >= width) break;
      const value = metric.values[row];
      if (Number.isNaN(value)) continue;
      const b = Math.min(width, ((row + 1 < last ? began[row + 1] : runOf(lane).length) - from()) * scale);
      for (let c = Math.floor(a); c < b; c++) {
        const part = Math.min(b, c + 1) - Math.max(a, c);
        sum[c] += part * value;
        time[c] += part;
      }
    }
    return sum.map((total, c) => {
      let ran = 0;
      for (let p = 0; p < phases.length; p++) ran += share[c * phases.length + p];
      return ran < 0.5 || !time[c] ? NaN : total / time[c];
    });
  }

  /** Around the mean of all that was measured, by ratio: -1 to 1. */
  function metricScale() {
    const there = [...metric.values].filter((value) => value > 0);
    const mean = there.reduce((all, value) => all + value, 0) / Math.max(1, there.length);
    const off = there.map((value) => Math.abs(Math.log(value / mean))).sort((a, b) => a - b);
    const most = off[Math.floor(0.98 * (off.length - 1))] || 1;
    return { mean, at: (value) => Math.max(-1, Math.min(1, Math.log(Math.max(value, 1e-12) / mean) / most)) };
  }

  function paintMetric(g, lane, width) {
    const card = mix(rgb(css("--card")), rgb(css("--bar")), 1);
    const scale = metricScale();
    means(lane, width).forEach((value, c) => {
      if (Number.isNaN(value)) return;
      const place = scale.at(value);
      g.fillStyle = `rgb(${mix(card, place < 0 ? BLUE : ORANGE, Math.abs(place) ** 0.8).map(Math.round).join(",")})`;
      g.fillRect(c, tops[lane], 1, tall);
    });
  }

  /** The lanes, drawn once for as long as they look the same. */
  function lanesOf(width) {
    const key = `${from()} ${to()} ${width} ${litPhase()} ${devicePixelRatio} ${metric?.name} ${scheme.matches} ${print.matches}`;
    if (layer?.key === key) return layer.canvas;
    const drawn = document.createElement("canvas");
    const scale = devicePixelRatio || 1;
    [drawn.width, drawn.height] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
    const g = drawn.getContext("2d");
    g.scale(scale, scale);
    threads.forEach((_, lane) => (metric ? paintMetric(g, lane, width) : paintColumns(g, shares(lane, width), 0, tops[lane], width, tall)));
    layer = { key, canvas: drawn };
    return drawn;
  }

  function drawNames(g, x) {
    g.textAlign = "right";
    let every = tall + gap >= 13 ? 1 : 4;
    while (every > 1 && every * (tall + gap) < 13) every *= 2;
    threads.forEach((thread, lane) => {
      const lit = at?.lane === lane;
      if ((lane - runOf(lane).first) % every && !lit) return;
      g.fillStyle = css(lit ? "--ink" : "--soft");
      g.fillText(titled || x < 60 ? String(thread.thread) : thread.label, x - LABEL_GAP, tops[lane] + tall / 2);
    });
    if (!titled) return;
    g.textAlign = "left";
    g.fillStyle = css("--ink");
    for (const run of found.runs) g.fillText(run.title, x, tops[run.first] - 11);
  }

  function drawTimes(g, x, width) {
    g.fillStyle = css("--soft");
    g.textAlign = "center";
    for (const t of ticks(from(), to(), width / 110)) {
      const place = x + ((t - from()) / (to() - from())) * width;
      const label = short(t, 4);
      const half = g.measureText(label).width / 2;
      g.fillRect(place, height, 1, 5);
      g.fillText(label, Math.max(x + half - 8, Math.min(x + width - half, place)), height + 14);
    }
    g.textAlign = "right";
    g.fillText(found.clock, x + width, height + 31);
  }

  const redraw = surface(canvas, (g, width) => {
    const [x, w] = plotArea(width);
    g.textBaseline = "middle";
    g.fillStyle = css("--line");
    g.globalAlpha = 0.5;
    if (!crowded) for (const top of tops) g.fillRect(x, top + tall - 0.5, w, 0.5);
    g.globalAlpha = 1;
    g.drawImage(lanesOf(w), x, 0, w, height);
    drawNames(g, x);
    drawTimes(g, x, w);
    if (at) {
      const place = x + ((at.time - from()) / (to() - from())) * w;
      g.strokeStyle = css("--ink");
      g.lineWidth = 1;
      g.globalAlpha = 0.35;
      g.fillStyle = css("--ink");
      if (place >= x && place <= x + w) g.fillRect(place, 0, 1, height);
      g.globalAlpha = 1;
      g.strokeRect(x - 0.5, tops[at.lane] - 0.5, w + 1, tall + 1);
    }
    if (brush) {
      g.fillStyle = css("--accent");
      g.globalAlpha = 0.2;
      g.fillRect(Math.min(brush.a, brush.b), 0, Math.abs(brush.b - brush.a), height);
      g.globalAlpha = 1;
    }
  }, () => height + LANES_BELOW);

  /** Lane and time at a place, or null. */
  function placeOf(px, py) {
    const [x, w] = plotArea(canvas.clientWidth);
    const lane = tops.findIndex((top) => py >= top && py < top + tall + gap);
    if (lane < 0 || px < x || px > x + w) return null;
    return { lane, time: from() + ((px - x) / w) * (to() - from()) };
  }

  /** What a thread does at a time; of an idle one how long it is. */
  function said({ lane, time }) {
    if (time >= runOf(lane).length) return null;
    const cell = cellAt(lane, time);
    const name = titled ? threads[lane].label : `thread ${threads[lane].thread}`;
    const when = `${short(start[cell], 6)} – ${short(end(lane, cell), 6)}`;
    if (phase[cell] < 0) return { row: -1, tip: [element("b", {}, `${name} is idle`), element("div", {}, when)] };
    const row = rowAtTime(lane, time);
    const tip = rowTip(row);
    return { row, tip: [...tip, element("div", {}, `${phaseTitle(phase[cell])} at ${when}`)] };
  }

  function look(a, b) {
    const least = longest / 1e6;
    const [low, high] = [Math.max(0, Math.min(a, b)), Math.min(longest, Math.max(a, b))];
    if (high - low < least) return;
    view = low <= 0 && high >= longest ? null : { from: low, to: high };
    byId("lanes-reset").hidden = !view;
    redraw();
  }
  function showAll() {
    view = null;
    byId("lanes-reset").hidden = true;
    redraw();
  }

  canvas.addEventListener("pointerdown", (event) => {
    const [px, py] = place(canvas, event);
    if (event.button > 0 || !placeOf(px, py)) return;
    brush = { a: px, b: px };
    if (event.pointerType === "mouse") canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const [px, py] = place(canvas, event);
    const [x, w] = plotArea(canvas.clientWidth);
    if (brush) brush.b = Math.max(x, Math.min(x + w, px));
    at = placeOf(px, py);
    const shown = at && said(at);
    if (shown) showTip(event.clientX, event.clientY, ...shown.tip); else hideTip();
    set({ row: shown ? shown.row : -1 });
    redraw();
  });
  canvas.addEventListener("pointerup", (event) => {
    const [px, py] = place(canvas, event);
    const [x, w] = plotArea(canvas.clientWidth);
    const drawn = brush;
    brush = null;
    if (!drawn) return;
    if (Math.abs(px - drawn.a) < 5) {
      const shown = placeOf(px, py) && said(placeOf(px, py));
      if (shown && shown.row >= 0) pick(shown.row);
      return void redraw();
    }
    const time = (p) => from() + ((Math.max(x, Math.min(x + w, p)) - x) / w) * (to() - from());
    look(time(drawn.a), time(px));
  });
  canvas.addEventListener("pointercancel", () => { brush = null; at = null; leave(); redraw(); });
  canvas.addEventListener("pointerleave", () => { if (!brush) { at = null; leave(); redraw(); } });
  canvas.addEventListener("dblclick", showAll);
  canvas.addEventListener("keydown", (event) => {
    const step = (to() - from()) / 50;
    const now = at ?? { lane: 0, time: from() + step / 2 };
    const move = { ArrowLeft: [0, -step], ArrowRight: [0, step], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const half = (to() - from()) / 2;
    if (move) {
      const lane = Math.max(0, Math.min(threads.length - 1, now.lane + (at ? move[0] : 0)));
      at = { lane, time: Math.max(from(), Math.min(to() - step / 100, now.time + (at ? move[1] : 0))) };
    } else if (event.key === "Enter" && at) {
      const shown = said(at);
      if (shown && shown.row >= 0) pick(shown.row);
    } else if (event.key === "+" || event.key === "=") look(now.time - half / 2, now.time + half / 2);
    else if (event.key === "-") look(now.time - 2 * half, now.time + 2 * half);
    else if (event.key === "Escape") { at = null; showAll(); } else return;
    event.preventDefault();
    const cell = at && at.time < runOf(at.lane).length ? cellAt(at.lane, at.time) : -1;
    canvas.setAttribute("aria-label", cell < 0 ? lanesLabel() : `${threads[at.lane].label}: ${phase[cell] < 0 ? "idle" : phaseTitle(phase[cell])}`);
    redraw();
  });
  byId("lanes-reset").addEventListener("click", showAll);
  const choice = byId("lanes-colour");
  choice.replaceChildren(element("option", { value: "" }, "phase"), ...metrics.map(({ name, title }) => element("option", { value: name }, title)));
  byId("lanes-colour-choice").hidden = !metrics.length;
  choice.addEventListener("change", () => {
    metric = metrics.find(({ name }) => name === choice.value) ?? null;
    byId("lanes-key").textContent = metric ? `${metric.title}: blue below, orange above the mean of all intervals, ${number(metricScale().mean)}.` : "";
    redraw();
  });
  const lanesLabel = () => `Phases of ${counted(threads.length, "thread")} side by side`;
  canvas.setAttribute("aria-label", lanesLabel());
  byId("lanes-lead").textContent = `Each thread of each run on one clock${titled ? ", all runs on one scale" : ""}: who runs beside whom, in which phase. A lane is empty where its thread waits, has not begun, or has ended.`;
}

/** How phases scale: what there is to say, and the table that says it. */
function fillScaling() {
  const s = data.scaling;
  if (!s) return;
  byId("scaling-section").hidden = false;
  byId("scaling-said").replaceChildren(...s.sentences.map((text) => element("li", {}, text)));
  byId("scaling-lead").textContent = `Time in ${s.unit}${s.source ? `, measured by ${s.source}` : ""}, threads side by side. At once: how many threads run while a phase does. Times as fast, and the share of perfect scaling: beside the run of ${counted(s.threads[s.base], "thread")}.`;
  const heads = [["phase"], ["function"]];
  const columns = [];
  s.threads.forEach((n, run) => {
    const of = counted(n, "thread");
    heads.push([`time, ${of}`], ["at once", `threads that run at once, ${of}`]);
    columns.push((p) => cell(short(p < 0 ? s.time[run] : s.elapsed[run][p], 4), p < 0 ? s.time[run] : s.elapsed[run][p]));
    columns.push((p) => (p < 0 ? cell("", null) : cell(s.active[run][p] === null ? "–" : number(s.active[run][p]), s.active[run][p])));
    if (run === s.base) return;
    heads.push(["faster", `times as fast, ${of}`], ["of perfect", `of perfect scaling, ${of}`]);
    for (const [whole_, each, said] of [["whole_speedup", "speedup", (x) => number(x)], ["whole_efficiency", "efficiency", (x) => part(x)]]) {
      columns.push((p) => {
        const x = p < 0 ? s[whole_][run] : s[each][run][p];
        return cell(x === null ? "–" : said(x), x);
      });
    }
  });
  const order = phases.map((_, p) => p).sort((a, b) => s.elapsed[s.widest][b] - s.elapsed[s.widest][a]);
  const line = (p) => {
    const name = p < 0 ? "" : phases[p].functions[0]?.[0] ?? "";
    const row = element("tr", { class: p < 0 ? "full" : "" }, cell(p < 0 ? "all" : [swatch(p), phaseName(p)], p), element("td", { class: "called", title: name }, name), ...columns.map((of) => of(p)));
    if (p >= 0) lights(row, p);
    return row;
  };
  byId("scaling").replaceChildren(
    element("thead", {}, element("tr", {}, ...heads.map(([text, title = ""]) => element("th", { title, scope: "col" }, text)))),
    element("tbody", {}, line(-1), ...order.map(line)));
  sortable(byId("scaling"));
}
