// Strip: one band a thread, and for the thread in view one lane a phase, over instructions.

const GUTTER = 74;
const LABEL_GAP = 12; // left of the chart: half a diamond stands there

function drawStrip() {
  const canvas = byId("strip");
  // Of very many threads all together are as high as 120 at their least.
  const crowded = threads.length > 120;
  const bandHeight = !several ? 34 : crowded ? 720 / threads.length : Math.max(5, Math.min(22, 260 / threads.length));
  const bandGap = !several || crowded ? 0 : bandHeight > 8 ? 3 : 1;
  const laneHeight = Math.max(7, Math.min(18, 220 / phases.length));
  const bandsEnd = threads.length * (bandHeight + bandGap) + 10;
  const lanesEnd = bandsEnd + phases.length * laneHeight;
  const shares = new Map(); // what a thread's pixel columns hold, until the view changes
  let brush = null;

  const span = (t) => (state.view && t === state.thread
    ? [state.view.from, state.view.to]
    : [0, Math.max(...threads.map((thread) => thread.instructions), 1)]);
  const laneSpan = () => span(state.thread);

  function columns(t, from, to, width) {
    const key = `${t} ${from} ${to} ${width}`;
    if (!shares.has(key)) {
      if (shares.size > 4 * threads.length + 4) shares.clear();
      shares.set(key, phasesOfColumns(t, from, to, width));
    }
    return shares.get(key);
  }

  const drawBand = (g, t, x, y, width, height) => paintColumns(g, columns(t, ...span(t), width), x, y, width, height);

  function drawLanes(g, x, width) {
    const share = columns(state.thread, ...laneSpan(), width);
    for (let phase = 0; phase < phases.length; phase++) {
      const y = bandsEnd + phase * laneHeight;
      const lit = litPhase() < 0 || litPhase() === phase;
      g.fillStyle = css("--soft");
      g.globalAlpha = lit ? 1 : 0.4;
      if (laneHeight >= 11 || phase % 5 === 0) g.fillText(String(phase), x - LABEL_GAP, y + laneHeight / 2);
      g.fillStyle = css("--line");
      g.globalAlpha = 0.55;
      g.fillRect(x, y + laneHeight - 0.5, width, 0.5);
      g.fillStyle = phases[phase].colour;
      for (let c = 0; c < width; c++) {
        const part = share[c * phases.length + phase];
        if (part === 0) continue;
        g.globalAlpha = (0.3 + 0.7 * part) * (lit ? 1 : 0.14);
        g.fillRect(x + c, y + 1, 1, laneHeight - 2);
      }
    }
    g.globalAlpha = 1;
  }

  /** The simulation points: a diamond each, on its phase's lane. */
  function drawPoints(g, x, width) {
    const [from, to] = laneSpan();
    data.points.forEach((point) => {
      if (rows.thread[point.row] !== state.thread) return;
      const at = ((point.start + point.end) / 2 - from) / (to - from);
      if (at < 0 || at > 1) return;
      diamond(g, x + at * width, bandsEnd + (point.phase + 0.5) * laneHeight, Math.min(6, laneHeight / 2 + 1));
    });
  }

  /** Of several threads, also on each one's band. */
  function drawPointsOnBands(g, x, width) {
    if (!several || bandHeight < 9) return;
    data.points.forEach((point) => {
      if (point.row < 0) return;
      const t = rows.thread[point.row];
      const [from, to] = span(t);
      const at = ((point.start + point.end) / 2 - from) / (to - from);
      if (at >= 0 && at <= 1) diamond(g, x + at * width, t * (bandHeight + bandGap) + bandHeight / 2, 4.5);
    });
  }

  function drawAxis(g, x, width) {
    const [from, to] = laneSpan();
    const marks = ticks(from, to, width / 110);
    const digits = Math.min(9, Math.max(3, 2 + Math.ceil(Math.log10(to / Math.max(1, marks[1] - marks[0] || 1)))));
    g.fillStyle = css("--soft");
    g.textAlign = "center";
    for (const t of marks) {
      const at = x + ((t - from) / (to - from)) * width;
      g.fillRect(at, lanesEnd, 1, 5);
      const label = short(t, digits);
      const half = g.measureText(label).width / 2;
      g.fillText(label, Math.max(x + half - 8, Math.min(x + width - half, at)), lanesEnd + 14);
    }
    g.textAlign = "right";
    g.fillText("instructions", x + width, lanesEnd + 30);
  }

  function drawCursor(g, row, x, width, colour) {
    if (row < 0 || rows.thread[row] !== state.thread) return;
    const [from, to] = laneSpan();
    const a = x + ((rows.start[row] - from) / (to - from)) * width;
    const b = x + ((rows.start[row] + rows.length[row] - from) / (to - from)) * width;
    if (b < x || a > x + width) return;
    g.strokeStyle = colour;
    g.lineWidth = 1;
    g.strokeRect(Math.max(x, a) - 0.5, bandsEnd - 4, Math.max(2, Math.min(b, x + width) - Math.max(x, a)) + 1, lanesEnd - bandsEnd + 4);
  }

  surface(canvas, (g, width) => {
    const [x, w] = plotArea(width);
    g.textBaseline = "middle";
    threads.forEach((thread, t) => {
      const y = t * (bandHeight + bandGap);
      g.fillStyle = css(t === state.thread ? "--ink" : "--soft");
      g.textAlign = "right";
      const fits = width >= 500 && g.measureText(thread.label).width <= x - LABEL_GAP;
      if (several && bandHeight >= 11) g.fillText(fits ? thread.label : thread.short, x - LABEL_GAP, y + bandHeight / 2);
      drawBand(g, t, x, y, w, bandHeight);
    });
    drawPointsOnBands(g, x, w);
    g.textAlign = "right";
    drawLanes(g, x, w);
    drawPoints(g, x, w);
    drawAxis(g, x, w);
    drawCursor(g, state.picked, x, w, css("--accent"));
    drawCursor(g, state.row, x, w, css("--ink"));
    if (brush) {
      g.fillStyle = css("--accent");
      g.globalAlpha = 0.2;
      g.fillRect(Math.min(brush.a, brush.b), 0, Math.abs(brush.b - brush.a), lanesEnd);
      g.globalAlpha = 1;
    }
  }, () => lanesEnd + 38);

  const within = (px) => {
    const [x, w] = plotArea(canvas.clientWidth);
    return Math.max(x, Math.min(x + w, px));
  };

  /** Thread and instruction at a place, or null. */
  function at(px, py) {
    const [x, w] = plotArea(canvas.clientWidth);
    const inBands = py < bandsEnd - 6;
    const t = inBands ? Math.min(threads.length - 1, Math.floor(py / (bandHeight + bandGap))) : state.thread;
    const [from, to] = inBands ? span(t) : laneSpan();
    const instruction = from + ((px - x) / w) * (to - from);
    if (px < x || px > x + w || py > lanesEnd || instruction >= threads[t].instructions || !(threads[t].last > threads[t].first)) return null;
    return { t, instruction, row: rowAt(threads[t], instruction) };
  }

  canvas.addEventListener("pointerdown", (event) => {
    const [px, py] = place(canvas, event);
    const found = at(px, py);
    if (!found || event.button > 0) return;
    brush = { a: px, b: px, t: found.t, from: found };
    if (event.pointerType === "mouse") canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const [px, py] = place(canvas, event);
    const found = at(px, py);
    if (brush) brush.b = within(px);
    if (!found) return leave();
    if (found.t !== state.thread && !brush) set({ thread: found.t, view: null });
    set({ row: found.row, drag: brush ? px : null });
    showTip(event.clientX, event.clientY, ...rowTip(found.row));
  });
  canvas.addEventListener("pointerup", (event) => {
    const [px, py] = place(canvas, event);
    const [drawn, found] = [brush, at(px, py) ?? brush?.from];
    brush = null;
    set({ drag: null });
    if (!drawn || !found) return;
    if (Math.abs(px - drawn.a) < 5) return pick(found.row);
    if (found.t !== drawn.t) return;
    const [x, w] = plotArea(canvas.clientWidth);
    const end = px >= x + w - 1 ? viewTo() : px <= x ? viewFrom() : found.instruction;
    look(...[drawn.from.instruction, end].sort((p, q) => p - q));
  });
  canvas.addEventListener("pointercancel", () => { brush = null; set({ drag: null }); leave(); });
  canvas.addEventListener("pointerleave", () => { if (!brush) leave(); });
  canvas.addEventListener("dblclick", () => set({ view: null }));
  canvas.addEventListener("keydown", (event) => {
    const thread = threads[state.thread];
    const row = state.row >= 0 ? state.row : Math.max(thread.first, state.picked);
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -rows.n, End: rows.n }[event.key];
    if (step) set({ row: Math.max(thread.first, Math.min(thread.last - 1, row + step)) });
    else if (event.key === "Enter") pick(row);
    else if (event.key === "Escape") set({ view: null, row: -1 });
    else if (event.key === "+" || event.key === "=") around(row, 0.5);
    else if (event.key === "-") around(row, 2);
    else return;
    event.preventDefault();
    canvas.setAttribute("aria-label", state.row >= 0 ? `${rowName(state.row)}, ${phaseTitle(rows.phase[state.row])}` : stripLabel());
  });

  /** Look closer at [from, to), widened to whole rows. */
  function look(from, to) {
    const [a, b] = [rowAt(threads[state.thread], from), rowAt(threads[state.thread], to)];
    set({ view: { from: rows.start[a], to: rows.start[b] + rows.length[b] } });
  }

  function around(row, factor) {
    const middle = rows.start[row] + rows.length[row] / 2;
    const half = Math.max(rows.length[row], ((viewTo() - viewFrom()) / 2) * factor);
    if (2 * half >= threads[state.thread].instructions) set({ view: null });
    else look(Math.max(0, middle - half), Math.min(threads[state.thread].instructions - 1, middle + half));
  }

  byId("reset").addEventListener("click", () => set({ view: null }));
  watch(() => { byId("reset").hidden = !state.view; });
  canvas.setAttribute("aria-label", stripLabel());
}

/** Instructions of each phase in each pixel column, columns x phases, as shares of the column's time. */
function phasesOfColumns(t, from, to, width) {
  const out = new Float32Array(width * phases.length);
  const scale = width / (to - from);
  for (let row = rowAt(threads[t], from); row < threads[t].last; row++) {
    const a = Math.max(0, (rows.start[row] - from) * scale);
    const b = Math.min(width, (rows.start[row] + rows.length[row] - from) * scale);
    if (a >= width) break;
    for (let c = Math.floor(a); c < b; c++) out[c * phases.length + rows.phase[row]] += Math.min(b, c + 1) - Math.max(a, c);
  }
  return out;
}

/** A column of several phases is divided among them from top to bottom. */
function paintColumns(g, share, x, y, width, height) {
  for (let phase = 0; phase < phases.length; phase++) {
    g.fillStyle = phases[phase].colour;
    g.globalAlpha = litPhase() < 0 || litPhase() === phase ? 1 : 0.14;
    for (let c = 0; c < width; c++) {
      const part = share[c * phases.length + phase];
      if (part === 0) continue;
      let above = 0;
      for (let p = 0; p < phase; p++) above += share[c * phases.length + p];
      let run = 1;
      if (part > 0.999) while (c + run < width && share[(c + run) * phases.length + phase] > 0.999) run++;
      g.fillRect(x + c, y + above * height, run, part * height);
      c += run - 1;
    }
  }
  g.globalAlpha = 1;
}

const stripLabel = () => `Phase of each interval over ${short(data.summary.instructions)} instructions: ${counted(phases.length, "phase")}`;
