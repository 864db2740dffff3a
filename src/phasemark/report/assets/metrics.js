// Metrics: a graph a metric over the instructions of the thread in view, in line with the strip above.

const PANEL = 58; // height of a graph, CSS pixels
const PANEL_GAP = 36; // above it, for its title, clear of the axis before
const STRIP_BAND = 10;

/** Whether it is of no machine, and was recorded with the profile. */
const ofBehaviour = ({ name }) => name.startsWith("behaviour ");

function fillMetricsLead() {
  const [some, every] = [metrics.some(ofBehaviour), metrics.every(ofBehaviour)];
  if (every) byId("metrics-title").textContent = "Memory and branches over the run";
  const noted = some && !every ? " The last ones, of memory and branches, are of no machine." : "";
  byId("metrics-lead").textContent = `Each ${every ? "rate" : "metric"} over the instructions${several ? " of the thread shown in lanes above" : ""}; look closer with the strip above. Diamonds are the simulation points.${noted}`;
}

function drawMetrics() {
  if (!metrics.length) return;
  byId("metrics-section").hidden = false;
  fillMetricsLead();
  const canvas = byId("metrics");
  const button = byId("all-metrics");
  const first = [...(data.quality?.foremost ?? []), ...metrics.filter(ofBehaviour).map(({ name }) => name)];
  const columns = new Map(); // least and most of each pixel column, until the view changes
  let all = metrics.length <= first.length;

  const shown = () => (all ? metrics : metrics.filter(({ name }) => first.includes(name)));
  const span = () => (state.view ? [state.view.from, state.view.to] : [0, Math.max(...threads.map((t) => t.instructions), 1)]);
  const top = (i) => STRIP_BAND + i * (PANEL + PANEL_GAP) + PANEL_GAP;
  const height = () => top(shown().length - 1) + PANEL + 38;

  /** Least and most of a metric in each pixel column; NaN where nothing was measured. */
  function measured(metric, from, to, width) {
    const key = `${metric.name} ${state.thread} ${from} ${to} ${width}`;
    if (!columns.has(key)) {
      if (columns.size > 4 * metrics.length) columns.clear();
      columns.set(key, extremes(metric.values, from, to, width));
    }
    return columns.get(key);
  }

  function extremes(values, from, to, width) {
    const [low, high] = [new Float32Array(width).fill(NaN), new Float32Array(width).fill(NaN)];
    const scale = width / (to - from);
    for (let row = rowAt(threads[state.thread], from); row < threads[state.thread].last; row++) {
      const a = Math.max(0, Math.floor((rows.start[row] - from) * scale));
      if (a >= width) break;
      const value = values[row];
      if (Number.isNaN(value)) continue;
      const b = Math.min(width, Math.max(a + 1, Math.ceil((rows.start[row] + rows.length[row] - from) * scale)));
      for (let c = a; c < b; c++) {
        if (!(low[c] <= value)) low[c] = value;
        if (!(high[c] >= value)) high[c] = value;
      }
    }
    return [low, high];
  }

  /** A line through the columns; where a column holds several values, it spans them. */
  function drawLine(g, [low, high], x, y) {
    g.beginPath();
    let before = -1;
    for (let c = 0; c < low.length; c++) {
      if (Number.isNaN(low[c])) { before = -1; continue; }
      if (before < 0) g.moveTo(x + c, y(low[c]));
      else g.lineTo(x + c, y(Math.abs(low[c] - before) < Math.abs(high[c] - before) ? low[c] : high[c]));
      if (high[c] > low[c]) { g.lineTo(x + c, y(high[c])); g.lineTo(x + c, y(low[c])); }
      g.lineTo(x + c + 1, y(low[c]));
      before = low[c];
    }
    g.strokeStyle = css("--accent");
    g.lineWidth = 1.25;
    g.lineJoin = "round";
    g.stroke();
  }

  function drawPanel(g, metric, i, x, width) {
    const [from, to] = span();
    const extent = measured(metric, from, to, width);
    const most = extent[1].reduce((best, v) => (v > best ? v : best), 0) || 1;
    const y = (value) => top(i) + PANEL * (1 - value / (most * 1.06));
    g.textAlign = "left";
    g.fillStyle = css("--ink");
    g.fillText(metric.title, x, top(i) - 14);
    g.textAlign = "right";
    for (const t of levels(most)) {
      g.fillStyle = css("--line");
      g.fillRect(x, y(t), width, 0.5);
      g.fillStyle = css("--soft");
      g.fillText(number(t), x - LABEL_GAP, y(t));
    }
    drawLine(g, extent, x, y);
    for (const point of data.points) {
      if (point.row < 0 || rows.thread[point.row] !== state.thread || Number.isNaN(metric.values[point.row])) continue;
      const at = ((point.start + point.end) / 2 - from) / (to - from);
      if (at < 0 || at > 1) continue;
      diamond(g, x + at * width, y(metric.values[point.row]), 4.5);
    }
  }

  function drawBand(g, x, width) {
    const [from, to] = span();
    const place = (instruction) => x + Math.max(0, Math.min(width, ((instruction - from) / (to - from)) * width));
    const { last } = threads[state.thread];
    for (let row = rowAt(threads[state.thread], from); row < last && rows.start[row] < to;) {
      let next = row + 1;
      while (next < last && rows.phase[next] === rows.phase[row]) next++;
      const [a, b] = [place(rows.start[row]), place(rows.start[next - 1] + rows.length[next - 1])];
      g.globalAlpha = litPhase() < 0 || litPhase() === rows.phase[row] ? 1 : 0.14;
      g.fillStyle = phases[rows.phase[row]].colour;
      g.fillRect(a, 0, b - a, STRIP_BAND);
      row = next;
    }
    g.globalAlpha = 1;
  }

  function drawAxisBelow(g, x, width) {
    const [from, to] = span();
    const below = height() - 36;
    g.fillStyle = css("--soft");
    g.textAlign = "center";
    for (const t of ticks(from, to, width / 110)) {
      const label = short(t, 4);
      const half = g.measureText(label).width / 2;
      g.fillText(label, Math.max(x + half - 8, Math.min(x + width - half, x + ((t - from) / (to - from)) * width)), below + 12);
    }
    g.textAlign = "right";
    g.fillText("instructions", x + width, below + 28);
  }

  function drawAt(g, row, x, width) {
    if (row < 0 || rows.thread[row] !== state.thread) return;
    const [from, to] = span();
    const at = x + ((rows.start[row] + rows.length[row] / 2 - from) / (to - from)) * width;
    if (at < x || at > x + width) return;
    g.fillStyle = css("--ink");
    g.globalAlpha = 0.5;
    g.fillRect(at, 0, 1, height() - 36);
    g.globalAlpha = 1;
  }

  const redraw = surface(canvas, (g, width) => {
    const [x, w] = plotArea(width);
    g.textBaseline = "middle";
    drawBand(g, x, w);
    shown().forEach((metric, i) => drawPanel(g, metric, i, x, w));
    drawAxisBelow(g, x, w);
    drawAt(g, state.row, x, w);
  }, height);

  canvas.addEventListener("pointermove", (event) => {
    const [px] = place(canvas, event);
    const [x, w] = plotArea(canvas.clientWidth);
    const [from, to] = span();
    const instruction = from + ((px - x) / w) * (to - from);
    if (px < x || px > x + w || instruction >= threads[state.thread].instructions) return leave();
    const row = rowAt(threads[state.thread], instruction);
    set({ row });
    showTip(event.clientX, event.clientY, ...metricTip(row, shown()));
    return undefined;
  });
  canvas.addEventListener("pointerleave", leave);
  canvas.addEventListener("click", () => { if (state.row >= 0) pick(state.row); });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const thread = threads[state.thread];
    set({ row: Math.max(thread.first, Math.min(thread.last - 1, (state.row >= 0 ? state.row : thread.first - 1) + step)) });
    canvas.setAttribute("aria-label", `${rowName(state.row)}: ${shown().map((m) => `${m.title} ${value(m.values[state.row])}`).join(", ")}`);
    event.preventDefault();
  });
  button.hidden = all;
  button.addEventListener("click", () => {
    all = !all;
    button.textContent = all ? "Show fewer" : "Show all metrics";
    button.setAttribute("aria-pressed", String(all));
    redraw();
  });
  canvas.setAttribute("aria-label", `${counted(metrics.length, "metric")} over ${short(data.summary.instructions)} instructions`);
}

const value = (x) => (x === null || Number.isNaN(x) ? "not measured" : number(x));
/** Four digits; what is small as 4.332×10⁻⁶. */
function number(x) {
  if (!x || Math.abs(x) >= 1e-3) return x.toLocaleString("en-GB", { maximumSignificantDigits: 4 });
  const [digits, power] = x.toExponential(3).split("e");
  return `${Number(digits)}×10${[...String(Number(power))].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])).join("")}`;
}

function metricTip(row, shown) {
  const phase = rows.phase[row];
  return [
    element("b", {}, swatch(phase), `${rowName(row)} · ${phaseTitle(phase)}`),
    element("div", {}, rangeName(rows.start[row], rows.start[row] + rows.length[row])),
    element("ul", {}, ...shown.map((metric) => element("li", {}, element("span", {}, metric.title), element("span", {}, value(metric.values[row]))))),
  ];
}

/** A simulation point. */
function diamond(g, cx, cy, r) {
  g.beginPath();
  for (const [dx, dy] of [[0, -r], [r, 0], [0, r], [-r, 0]]) g.lineTo(cx + dx, cy + dy);
  g.closePath();
  g.fillStyle = css("--card");
  g.fill();
  g.strokeStyle = css("--ink");
  g.lineWidth = 1.25;
  g.stroke();
}
