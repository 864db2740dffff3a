// Icicle: the hierarchy, a row a level, over instructions; below it the intervals and a metric.

const ROW = 24; // a level's height, where there is room
const BAND = 22;
const GRAPH = 66;
const colourOf = ([r, g, b]) => `rgb(${Math.round(r)},${Math.round(g)},${Math.round(b)})`;
const BLUE = [60, 114, 195];
const ORANGE = [208, 96, 20];

function drawIcicle() {
  if (!nodes) return;
  byId("icicle-section").hidden = false;
  describeNodes();
  const canvas = byId("icicle");
  const deep = Math.max(110, Math.min(430, nodes.depth * ROW));
  const bandTop = deep + 14;
  const graphTop = bandTop + BAND + 30;
  const graphEnd = () => (metric ? graphTop + GRAPH : bandTop + BAND + 4);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const cells = { key: "", colours: [], ink: [] };
  let metric = metrics.find(({ name }) => name === data.quality?.foremost[0]) ?? metrics[0];
  let mode = "phase";
  let cursor = -1; // the cell pointed at
  let camera = null; // what is drawn: {from, to, top, tall}

  const thread = () => threads[state.thread];
  /** The cell zoomed into; -1 where the view is none. */
  const root = () => (state.node >= 0 && nodes.thread[state.node] === state.thread && state.view?.from === nodes.start[state.node] && state.view.to === nodes.end[state.node] ? state.node : -1);
  const rowsOf = (t) => heights[t];
  const heights = threads.map((_, t) => 1 + nodes.deepest.subarray(nodes.first[t][0], nodes.first[t].at(-1)).reduce((most, row) => Math.max(most, row), 0));

  function target() {
    const top = root() < 0 ? 0 : nodes.row[root()];
    const shown = (root() < 0 ? rowsOf(state.thread) : nodes.deepest[root()] + 1) - top;
    return { from: viewFrom(), to: viewTo(), top, tall: Math.min(34, deep / shown) };
  }

  // Colours.

  /** A diverging scale around the run's mean, by ratio. */
  function metricScale() {
    const mean = metricOver(metric, thread(), 0, thread().instructions);
    const off = [];
    for (let row = thread().first; row < thread().last; row++) if (metric.values[row] > 0) off.push(Math.abs(Math.log(metric.values[row] / mean)));
    off.sort((a, b) => a - b);
    const most = off[Math.floor(0.98 * (off.length - 1))] || 1;
    return (value) => Math.max(-1, Math.min(1, Math.log(value / mean) / most));
  }

  function paint() {
    const key = `${mode} ${metric?.name} ${state.thread} ${scheme.matches} ${print.matches}`;
    if (key === cells.key) return;
    cells.key = key;
    cells.line = css("--ink");
    const [card, bar] = ["--card", "--bar"].map((name) => rgb(css(name)));
    const palette = data.palette.map(rgb);
    const own = phases.map((p) => rgb(p.colour));
    const scale = mode === "metric" ? metricScale() : null;
    const made = {
      phase: (c) => mix(mix(card, bar, nodes.place[c] ? 0 : 1), own[nodes.phase[c]], [0.12 + 0.62 * nodes.share[c] ** 2, 1, 0.5][nodes.place[c]]),
      level: (c) => (nodes.label[c] < 0 ? bar : mix(card, palette[nodes.label[c] % palette.length], nodes.count[c] > 1 ? 0.45 : 0.85)),
      metric: (c) => {
        const value = metricOver(metric, thread(), nodes.start[c], nodes.end[c]);
        if (Number.isNaN(value)) return bar;
        const at = scale(value || 1e-12);
        return mix(mix(card, bar, 1), at < 0 ? BLUE : ORANGE, Math.abs(at) ** 0.8);
      },
    }[mode];
    for (let c = 0; c < nodes.n; c++) {
      if (nodes.thread[c] !== state.thread) continue;
      const colour = made(c);
      cells.colours[c] = colour;
      cells.ink[c] = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2] > 132 ? "#10141a" : "#ffffff";
    }
  }

  /** How much of a cell the phase that stands out leaves visible. */
  function litOf(c) {
    if (state.level >= 0 && !inLevel(c, state.level)) return 0.3;
    if (litPhase() < 0) return 1;
    if (nodes.place[c]) return nodes.phase[c] === litPhase() ? 1 : 0.12;
    return 0.12 + 0.88 * phasesOver(threads[nodes.thread[c]], nodes.start[c], nodes.end[c])[litPhase()];
  }

  // Drawing.

  function drawRow(g, row, x, width, narrow) {
    const first = nodes.first[state.thread];
    const y = (row - camera.top) * camera.tall;
    if (y > deep || first[row] === first[row + 1]) return;
    const scale = width / (camera.to - camera.from);
    let c = first[row];
    for (let high = first[row + 1]; c < high;) {
      const middle = (c + high) >> 1;
      if (nodes.end[middle] <= camera.from) c = middle + 1; else high = middle;
    }
    for (; c < first[row + 1] && nodes.start[c] < camera.to; c++) {
      const a = Math.max(0, (nodes.start[c] - camera.from) * scale);
      const b = Math.min(width, (nodes.end[c] - camera.from) * scale);
      if (b - a < 2) {
        for (let at = row; at <= (gathers(c) ? nodes.deepest[c] : nodes.bottom[c]); at++) blend(narrow[at], c, a, b, at > nodes.bottom[c] ? 0.42 : 1);
      } else drawCell(g, c, x + a, y, b - a);
    }
  }

  /** Whether what is within a cell has none of its own. */
  const gathers = (c) => nodes.child[c] < 0 && nodes.deepest[c] > nodes.bottom[c];

  /** Adds a cell to the pixels that it lies in: of each, colour by share, and the share. */
  function blend(narrow, c, a, b, strength) {
    const lit = litOf(c) * strength;
    for (let px = Math.floor(a); px < b; px++) {
      const share = (Math.min(b, px + 1) - Math.max(a, px)) * lit;
      for (let i = 0; i < 3; i++) narrow[4 * px + i] += share * cells.colours[c][i];
      narrow[4 * px + 3] += share;
    }
  }

  function drawNarrow(g, narrow, row, x) {
    const [y, tall] = [(row - camera.top) * camera.tall, camera.tall];
    for (let px = 0; 4 * px < narrow.length; px++) {
      const share = narrow[4 * px + 3];
      if (share < 0.02) continue;
      g.globalAlpha = Math.min(1, share);
      g.fillStyle = colourOf([0, 1, 2].map((i) => narrow[4 * px + i] / share));
      g.fillRect(x + px, y, 1, tall - (tall > 5 ? 1 : 0));
    }
    g.globalAlpha = 1;
  }

  function drawCell(g, c, x, above, wide) {
    const y = Math.max(above, 0); // of one that began above what is looked at, the rest
    const tall = above - y + (nodes.bottom[c] - nodes.row[c] + 1) * camera.tall;
    const down = gathers(c) ? nodes.deepest[c] - nodes.bottom[c] : 0;
    const gap = wide > 3.5 ? 1 : 0;
    const low = tall > 5 ? 1 : 0;
    g.globalAlpha = litOf(c);
    g.fillStyle = colourOf(cells.colours[c]);
    g.fillRect(x, y, wide - gap, tall - low);
    if (mode === "phase" && !nodes.place[c] && wide > 24 && tall >= 15) drawMixture(g, c, x, y + tall - low - 4, wide - gap);
    if (down) drawGathered(g, c, x, y + tall, wide - gap, Math.min(deep - y - tall, down * camera.tall));
    if (nodes.place[c] === 1 && wide > 6 && tall > 7 && mode === "phase") {
      g.fillStyle = cells.line;
      g.fillRect(x, y, wide - gap, 1.5);
    }
    if (wide > 34 && tall >= 13) drawName(g, c, x, y, wide - gap, tall);
    g.globalAlpha = 1;
  }

  /** Levels below what is gathered: they are there, too fine to be shown apart. */
  function drawGathered(g, c, x, y, wide, tall) {
    if (tall <= 0) return;
    const before = g.globalAlpha;
    g.globalAlpha = 0.42 * before;
    if (wide < 5) g.fillRect(x, y, wide, tall);
    else for (let at = 0; at < wide; at += 3) g.fillRect(x + at, y, 1.5, tall);
    g.globalAlpha = before;
  }

  /** Along a cell's lower edge, how much of it each phase is. */
  function drawMixture(g, c, x, y, wide) {
    const before = g.globalAlpha;
    let at = x;
    for (const [phase, share] of mixtureOf(c)) {
      g.globalAlpha = before * (litPhase() < 0 || litPhase() === phase ? 1 : 0.2);
      g.fillStyle = phases[phase].colour;
      g.fillRect(at, y, share * wide, 4);
      at += share * wide;
    }
    g.globalAlpha = before;
  }

  function drawName(g, c, x, y, wide, tall) {
    const names = nodes.count[c] > 1 ? [`${short(nodes.count[c])} parts`] : nodeNames(c);
    const room = wide - 10;
    let text = names[0] ?? "";
    for (const more of names.slice(1)) if (g.measureText(`${text} · ${more}`).width <= room) text = `${text} · ${more}`;
    const size = g.measureText(text).width;
    if (size > room) text = `${text.slice(0, Math.max(1, Math.floor((text.length * (room - 8)) / size)))}…`;
    if (size > room && room < 30) return;
    g.fillStyle = cells.ink[c];
    g.textAlign = "left";
    g.fillText(text, x + 6, y + (tall - (tall >= 15 && !nodes.place[c] && mode === "phase" ? 4 : 0)) / 2 + 0.5);
  }

  /** Left of the rows of each level its number, and a line along them where they are several. */
  function drawLevelNames(g, x) {
    let above = -Infinity;
    g.textAlign = "right";
    for (let level = 0; level <= nodes.levels; level++) {
      const [from, to] = [nodes.bases[level], nodes.bases[level + 1]].map((row) => Math.max(0, Math.min(deep, (row - camera.top) * camera.tall)));
      if (to - from < 1) continue;
      g.fillStyle = css(level === state.level ? "--ink" : "--soft");
      if (to - from > camera.tall + 1) g.fillRect(x - 7, from + 1, 2, to - from - 3);
      const y = Math.max(7, (from + to) / 2);
      if (y - above < 11) continue;
      above = y;
      const text = level === nodes.levels ? (x > 60 ? "parts" : "…") : above < camera.tall && x > 60 ? `level ${level}` : String(level);
      g.fillText(text, x - LABEL_GAP, y);
    }
  }

  /** The intervals that were chosen, or the level that is looked at, in the colours of their phases. */
  function drawBandBelow(g, x, width) {
    const scale = width / (camera.to - camera.from);
    g.fillStyle = css("--soft");
    g.textAlign = "right";
    g.fillText(x > 60 ? "intervals" : "int.", x - LABEL_GAP, bandTop + BAND / 2);
    paintColumns(g, phasesOfColumns(state.thread, camera.from, camera.to, width), x, bandTop, width, BAND);
    g.fillStyle = css("--card");
    for (let row = rowAt(thread(), camera.from); row < thread().last && rows.start[row] < camera.to; row++) {
      if (rows.length[row] * scale > 4) g.fillRect(x + (rows.start[row] + rows.length[row] - camera.from) * scale - 1, bandTop, 1, BAND);
    }
    for (const point of data.points) {
      if (point.row < 0 || rows.thread[point.row] !== state.thread) continue;
      const at = ((point.start + point.end) / 2 - camera.from) * scale;
      if (at >= 0 && at <= width) diamond(g, x + at, bandTop + BAND / 2, 5.5);
    }
  }

  /** A line that is level over each stretch: [from, to, value]. */
  function drawSteps(g, steps, x, width, y, colour, thick) {
    const scale = width / (camera.to - camera.from);
    g.strokeStyle = colour;
    g.lineWidth = thick;
    g.lineJoin = "round";
    g.beginPath();
    let pen = false;
    for (const [from, to, value] of steps) {
      if (Number.isNaN(value)) { pen = false; continue; }
      const [a, b] = [from, to].map((at) => x + Math.max(0, Math.min(width, (at - camera.from) * scale)));
      if (pen) g.lineTo(a, y(value)); else g.moveTo(a, y(value));
      g.lineTo(b, y(value));
      pen = true;
    }
    g.stroke();
  }

  function* stepsOfRows() {
    for (let row = rowAt(thread(), camera.from); row < thread().last && rows.start[row] < camera.to; row++) {
      yield [rows.start[row], rows.start[row] + rows.length[row], metric.values[row]];
    }
  }

  function* stepsOfLevel(level) {
    for (let at = camera.from; at < camera.to;) {
      const c = nodeAt(state.thread, nodes.bases[level + 1] - 1, at);
      if (c < 0) return;
      yield [nodes.start[c], nodes.end[c], metricOver(metric, thread(), nodes.start[c], nodes.end[c])];
      at = nodes.end[c];
    }
  }

  /** Of a graph, and its highest value: a few intervals far above all others must not press these together. */
  function heightOf(steps) {
    const known = steps.filter(([, , value]) => !Number.isNaN(value)).sort((a, b) => a[2] - b[2]);
    const whole = known.reduce((sum, [from, to]) => sum + to - from, 0);
    let [sum, most] = [0, 0];
    for (const [from, to, value] of known) {
      most = value;
      if ((sum += to - from) >= 0.995 * whole) break;
    }
    const highest = known.length ? known.at(-1)[2] : 0;
    return highest > 1.6 * most ? [most * 1.1 || 1, highest] : [highest || 1, highest || 1];
  }

  function drawGraph(g, x, width) {
    if (!metric) return;
    const [most, highest] = heightOf([...stepsOfRows()]);
    const y = (value) => graphTop + GRAPH * (1 - Math.min(value, most * 1.06) / (most * 1.06));
    g.textAlign = "left";
    g.fillStyle = css("--ink");
    const beyond = highest > most ? ` (cut off: up to ${number(highest)})` : "";
    g.fillText(`${metric.title}${state.level >= 0 ? `, mean over each node of level ${state.level}` : ""}${beyond}`, x, graphTop - 13);
    g.textAlign = "right";
    for (const t of levels(most)) {
      g.fillStyle = css("--line");
      g.fillRect(x, y(t), width, 0.5);
      g.fillStyle = css("--soft");
      g.fillText(number(t), x - LABEL_GAP, y(t));
    }
    if (state.level < 0) return drawSteps(g, stepsOfRows(), x, width, y, css("--accent"), 1.25);
    drawSteps(g, stepsOfRows(), x, width, y, css("--line"), 1);
    drawSteps(g, stepsOfLevel(state.level), x, width, y, css("--accent"), 2);
  }

  function drawScale(g, x, width) {
    const { from, to } = camera;
    const marks = ticks(from, to, width / 110);
    const digits = Math.min(9, Math.max(3, 2 + Math.ceil(Math.log10(to / Math.max(1, marks[1] - marks[0] || 1)))));
    const y = graphEnd();
    g.fillStyle = css("--soft");
    g.textAlign = "center";
    for (const t of marks) {
      const at = x + ((t - from) / (to - from)) * width;
      const label = short(t, digits);
      const half = g.measureText(label).width / 2;
      g.fillRect(at, y, 1, 5);
      g.fillText(label, Math.max(x + half - 8, Math.min(x + width - half, at)), y + 14);
    }
    g.textAlign = "right";
    g.fillText(several ? `instructions of ${thread().label}` : "instructions", x + width, y + 30);
  }

  /** Around the cell pointed at, and down to the axis where it lies. */
  function drawCursorCell(g, x, width) {
    const c = cursor;
    if (c < 0 || nodes.thread[c] !== state.thread) return;
    const scale = width / (camera.to - camera.from);
    const [a, b] = [nodes.start[c], nodes.end[c]].map((at) => x + Math.max(0, Math.min(width, (at - camera.from) * scale)));
    const y = Math.max(0, (nodes.row[c] - camera.top) * camera.tall);
    g.fillStyle = css("--ink");
    g.globalAlpha = 0.07;
    g.fillRect(a, y, Math.max(1, b - a), graphEnd() - y);
    g.globalAlpha = 1;
    g.strokeStyle = css("--ink");
    g.lineWidth = 2;
    g.strokeRect(a, y + 1, Math.max(2, b - a - 1), (nodes.bottom[c] + 1 - camera.top) * camera.tall - y - 2);
  }

  function drawRowMark(g, x, width) {
    if (cursor >= 0 || state.row < 0 || rows.thread[state.row] !== state.thread) return;
    const at = x + ((rows.start[state.row] + rows.length[state.row] / 2 - camera.from) / (camera.to - camera.from)) * width;
    if (at < x || at > x + width) return;
    g.fillStyle = css("--ink");
    g.globalAlpha = 0.5;
    g.fillRect(at, 0, 1, graphEnd());
    g.globalAlpha = 1;
  }

  const redraw = surface(canvas, (g, width) => {
    const [x, w] = plotArea(width);
    camera ??= target();
    paint();
    g.textBaseline = "middle";
    drawLevelNames(g, x);
    g.save();
    g.beginPath();
    g.rect(x - 1, 0, w + 2, deep + 1);
    g.clip();
    g.font = `11.5px ${getComputedStyle(document.body).fontFamily}`;
    const narrow = Array.from({ length: nodes.depth }, () => new Float32Array(4 * (Math.ceil(w) + 2)));
    for (let row = 0; row < rowsOf(state.thread); row++) {
      drawRow(g, row, x, w, narrow);
      drawNarrow(g, narrow[row], row, x);
    }
    g.restore();
    drawBandBelow(g, x, w);
    drawGraph(g, x, w);
    drawScale(g, x, w);
    drawCursorCell(g, x, w);
    drawRowMark(g, x, w);
  }, () => graphEnd() + 38);

  // Moving.

  let moving = 0;
  let sought = "";
  function move() {
    const to = target();
    const key = JSON.stringify([to, state.thread]);
    if (key === sought) return;
    sought = key;
    const from = camera;
    cancelAnimationFrame(moving);
    if (!from || still.matches || document.hidden) { camera = to; redraw(); return; }
    const begin = performance.now();
    const step = (now) => {
      const t = Math.min(1, Math.max(0, (now - begin) / 280));
      const eased = 1 - (1 - t) ** 3;
      camera = Object.fromEntries(Object.keys(to).map((name) => [name, t === 1 ? to[name] : from[name] + (to[name] - from[name]) * eased]));
      redraw();
      if (t < 1) moving = requestAnimationFrame(step);
    };
    moving = requestAnimationFrame(step);
  }

  function look(c) {
    cursor = -1;
    hideTip();
    if (c < 0) set({ node: -1, view: null });
    else set({ node: c, thread: nodes.thread[c], view: { from: nodes.start[c], to: nodes.end[c] }, row: -1 });
  }

  const out = () => look(root() < 0 ? -1 : nodes.parent[root()]);

  /** The cell at a place: of its level, or a gathered one that reaches down to it. */
  function at(px, py) {
    const [x, w] = plotArea(canvas.clientWidth);
    if (px < x || px > x + w || py >= deep) return -1;
    const instruction = camera.from + ((px - x) / w) * (camera.to - camera.from);
    const row = Math.floor(py / camera.tall + camera.top);
    const c = nodeAt(state.thread, row, Math.min(instruction, thread().instructions - 1));
    return c >= 0 && (nodes.bottom[c] >= row || (gathers(c) && nodes.deepest[c] >= row)) ? c : -1;
  }

  const levelAt = (px, py) => {
    const level = levelOf(Math.floor(py / camera.tall + camera.top));
    return px < plotArea(canvas.clientWidth)[0] && py < deep && level < nodes.levels ? level : -1;
  };

  function rowUnder(px) {
    const [x, w] = plotArea(canvas.clientWidth);
    const instruction = camera.from + ((px - x) / w) * (camera.to - camera.from);
    return px < x || px > x + w || instruction >= thread().instructions ? -1 : rowAt(thread(), instruction);
  }

  function point(c) {
    if (c === cursor) return;
    cursor = c;
    redraw();
  }

  canvas.addEventListener("pointermove", (event) => {
    const [px, py] = place(canvas, event);
    const c = at(px, py);
    canvas.style.cursor = c >= 0 || levelAt(px, py) >= 0 ? "pointer" : "crosshair";
    point(c);
    const row = py > deep ? rowUnder(px) : -1;
    if (c >= 0) {
      set({ row: -1 });
      return showTip(event.clientX, event.clientY, ...nodeTip(c, metric));
    }
    if (row < 0) return leave();
    set({ row });
    return showTip(event.clientX, event.clientY, ...(metric ? metricTip(row, [metric]) : rowTip(row)));
  });
  canvas.addEventListener("pointerleave", () => { point(-1); leave(); });
  canvas.addEventListener("click", (event) => {
    const [px, py] = place(canvas, event);
    const [level, c] = [levelAt(px, py), at(px, py)];
    if (level >= 0) return set({ level: level === state.level ? -1 : level });
    if (c >= 0) return c === root() ? out() : look(c);
    const row = py > deep ? rowUnder(px) : -1;
    return row >= 0 ? pick(row) : undefined;
  });
  canvas.addEventListener("keydown", (event) => {
    const now = cursor >= 0 && nodes.thread[cursor] === state.thread ? cursor : root() >= 0 ? root() : nodes.first[state.thread][0];
    const fresh = cursor < 0 && event.key.startsWith("Arrow");
    const beside = (step) => (nodes.row[now + step] === nodes.row[now] && nodes.thread[now + step] === state.thread && nodes.end[now + step] > viewFrom() && nodes.start[now + step] < viewTo() ? now + step : now);
    const next = { ArrowLeft: () => beside(-1), ArrowRight: () => beside(1), ArrowUp: () => (nodes.parent[now] >= 0 ? nodes.parent[now] : now), ArrowDown: () => (nodes.child[now] >= 0 ? nodes.child[now] : now) }[event.key];
    if (next) point(fresh ? now : next());
    else if (event.key === "Enter" && cursor >= 0) look(cursor);
    else if (event.key === "Escape") out();
    else if (event.key === "Home") look(-1);
    else return;
    event.preventDefault();
    canvas.setAttribute("aria-label", cursor >= 0 ? nodeSaid(cursor) : label());
    const [x, w] = plotArea(canvas.clientWidth);
    if (cursor < 0) return;
    const box = canvas.getBoundingClientRect();
    const middle = x + Math.max(0, Math.min(w, (((nodes.start[cursor] + nodes.end[cursor]) / 2 - camera.from) / (camera.to - camera.from)) * w));
    showTip(box.left + middle, box.top + (nodes.bottom[cursor] - camera.top + 1) * camera.tall, ...nodeTip(cursor, metric));
  });
  canvas.addEventListener("blur", () => { point(-1); hideTip(); });

  // Controls.

  function chooser(id, options, chosen, change) {
    const select = byId(id);
    select.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
    select.value = chosen;
    select.parentElement.hidden = options.length < 2;
    select.addEventListener("change", () => change(select.value));
    return select;
  }

  const labelled = nodes.label.some((label) => label >= 0);
  chooser("icicle-colour", [["phase", "phases of the run"], ...(labelled ? [["level", "phases of each level"]] : []), ...(metric ? [["metric", "the metric below"]] : [])], mode, (chosen) => { mode = chosen; explain(); redraw(); });
  chooser("icicle-metric", metrics.map(({ name, title }) => [name, title]), metric?.name ?? "", (name) => { metric = metrics.find((one) => one.name === name); redraw(); });
  const levelChoice = chooser("icicle-level", [["-1", "all"], ...Array.from({ length: nodes.levels }, (_, level) => [String(level), String(level)])], "-1", (level) => set({ level: Number(level) }));
  const threadChoice = chooser("icicle-thread", threads.map(({ label }, t) => [String(t), label]), String(state.thread), (t) => set({ thread: Number(t), view: null, node: -1 }));

  function explain() {
    const said = {
      phase: "Full colour, with a line along the top: the intervals that were chosen. Above them, paler the more phases a stretch mixes; below, what each is made of.",
      level: "Stretches of one colour in one row behave alike; a colour means another phase in each row.",
      metric: `Orange is above the mean of the thread, blue below it.`,
    };
    byId("icicle-key").textContent = said[mode];
  }

  /** The way to the node that is looked at, each step of it a button. */
  function crumbs() {
    const way = root() < 0 ? [] : ancestry(root());
    const steps = [["Whole run", -1], ...way.map((c) => [`${nodes.count[c] > 1 ? `${whole(nodes.count[c])} parts` : nodeName(c) || "?"} · ${part((nodes.end[c] - nodes.start[c]) / thread().instructions)}`, c])];
    byId("crumbs").hidden = !way.length;
    byId("crumbs").replaceChildren(...steps.map(([text, c], i) => {
      const button = element("button", { type: "button", ...(i === steps.length - 1 ? { "aria-current": "true" } : {}) }, text);
      button.addEventListener("click", () => look(c));
      return element("li", {}, button);
    }));
  }

  let told = -2;
  watch(() => {
    move();
    levelChoice.value = String(state.level);
    threadChoice.value = String(state.thread);
    const shown = root();
    if (shown === told) return;
    told = shown;
    crumbs();
    fillNode(shown, metric);
  });
  const label = () => `Hierarchy of ${counted(data.icicle.nodes, "node")} on ${counted(nodes.levels, "level")} over ${short(thread().instructions)} instructions`;
  canvas.setAttribute("aria-label", label());
  sought = JSON.stringify([target(), state.thread]);
  explain();
}

/** Where a phase's intervals begin, else its hottest line. */
function phaseSaid(phase) {
  const { begins, lines } = phases[phase];
  if (begins?.event) return `, begins ${begins.event.startsWith("after ") ? "" : "with the "}${begins.event}`;
  if (begins) return `, begins at ${[begins.function, fileName(begins.place)].filter(Boolean).join(", ")}`;
  return lines.length ? `: ${fileName(lines[0][0])}` : "";
}

/** In which levels a node is cut off by itself. */
function levelSaid(c) {
  const own = levelOf(nodes.row[c]);
  if (own === nodes.levels) return "Part of a leaf";
  if (!inLevel(c, own)) return own ? `Between levels ${own - 1} and ${own}` : "Above level 0";
  const last = Math.min(nodes.levels - 1, levelOf(nodes.bottom[c]));
  return last > own ? `Levels ${own} to ${last}` : `Level ${own}`;
}

/** `level 3, phase 2, deflate, 1.2 M instructions from 4.1 M`: for those who do not see it. */
function nodeSaid(c) {
  const length = nodes.end[c] - nodes.start[c];
  return `${levelSaid(c)}, ${nodeName(c)}, ${phaseTitle(nodes.phase[c])}, ${short(length)} instructions from ${short(nodes.start[c])}`;
}

/** What the node is among the intervals that were chosen. */
function nodePlace(c) {
  const thread = threads[nodes.thread[c]];
  const [a, b] = [rowAt(thread, nodes.start[c]), rowAt(thread, nodes.end[c] - 1)];
  if (a < b) return `Holds ${whole(rows.index[b] + rows.count[b] - rows.index[a])} intervals`;
  const same = rows.start[a] === nodes.start[c] && rows.start[a] + rows.length[a] === nodes.end[c];
  return same ? rowName(a) : `Within ${rowName(a).toLowerCase()}`;
}

function nodeTip(c, metric) {
  const thread = threads[nodes.thread[c]];
  const [from, to] = [nodes.start[c], nodes.end[c]];
  const phase = nodes.phase[c];
  const of = mixtureOf(c).slice(0, 4).map(([phase, share]) => element("span", { class: "of" }, swatch(phase), `${phaseName(phase)}: ${part(share)}`));
  return [
    element("b", {}, swatch(phase), nodes.count[c] > 1 ? `${whole(nodes.count[c])} parts, too short to be shown apart` : nodeName(c)),
    element("div", {}, `${levelSaid(c)} · ${nodePlace(c)}`),
    element("div", {}, `${whole(to - from)} instructions, ${part((to - from) / thread.instructions)} of the ${several ? "thread" : "run"}`),
    element("div", {}, rangeName(from, to)),
    ...(of.length > 1 ? [element("div", { class: "mixture" }, "Phases ", ...of)] : []),
    element("div", {}, `${of.length > 1 ? `Mostly ${phaseTitle(phase)}` : capital(phaseTitle(phase))}${phaseSaid(phase)}`),
    ...(metric ? [element("div", {}, `${metric.title}: ${value(metricOver(metric, thread, from, to))}`)] : []),
    element("ul", {}, ...hottestOver(thread, from, to, 3).map(([name, , share]) => element("li", {}, element("span", {}, name), element("span", {}, `${Math.round(100 * share)} %`)))),
  ];
}

/** Below the icicle, of the node that is looked at: what it is made of. */
function fillNode(c, metric) {
  const box = byId("node");
  box.hidden = c < 0;
  if (c < 0) return;
  const thread = threads[nodes.thread[c]];
  const [from, to] = [nodes.start[c], nodes.end[c]];
  box.style.setProperty("--phase", phases[nodes.phase[c]].colour);
  const mixture = mixtureOf(c);
  box.replaceChildren(
    element("h3", {}, `${nodes.count[c] > 1 ? `${whole(nodes.count[c])} parts` : nodeName(c)} · ${levelSaid(c).toLowerCase()}`),
    element("p", {}, `${nodePlace(c)}. ${whole(to - from)} of ${whole(thread.instructions)} instructions, ${part((to - from) / thread.instructions)}: ${rangeName(from, to)}.${metric ? ` ${metric.title}: ${value(metricOver(metric, thread, from, to))}.` : ""}`),
    element("div", { class: "stack", "aria-hidden": "true" }, ...mixture.map(([phase, share]) => element("i", { "--phase": phases[phase].colour, "--part": share }))),
    element("p", { class: "mixture" }, ...mixture.map(([phase, share]) => element("span", { class: "of" }, swatch(phase), `${phaseTitle(phase)} ${part(share)}`))),
    places(hottestOver(thread, from, to, 6)));
}
