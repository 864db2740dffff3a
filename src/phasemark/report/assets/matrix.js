// Matrix: distances above the diagonal, the phases they led to below it.

const EDGE = 9;

function drawMatrix() {
  const canvas = byId("matrix");
  const m = data.matrix.size;
  const first = data.matrix.first;
  const distance = unpack(data.matrix.distance);
  const phase = Array.from({ length: m }, (_, cell) => mostOf(first[cell], first[cell + 1]));
  const image = element("canvas", { width: m, height: m });
  let painted = "";

  const far = (i, j) => (i === j ? 0 : distance[(Math.min(i, j) * (2 * m - Math.min(i, j) - 1)) / 2 + Math.abs(j - i) - 1]);
  const cellOf = (row) => {
    let [low, high] = [0, m - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (first[middle] <= row) low = middle; else high = middle - 1;
    }
    return low;
  };

  /** The phase with most instructions in rows [a, b). */
  function mostOf(a, b) {
    const sum = new Float64Array(phases.length);
    for (let row = a; row < b; row++) sum[rows.phase[row]] += rows.length[row] || 1e-9;
    return sum.indexOf(Math.max(...sum));
  }

  function paint() {
    const key = `${scheme.matches} ${print.matches} ${litPhase()}`;
    if (key === painted) return;
    painted = key;
    const [near, distant, paper] = [css("--near"), css("--far"), css("--card")].map(rgb);
    const colours = phases.map((p) => rgb(p.colour));
    const pixels = new ImageData(m, m);
    for (let y = 0; y < m; y++) {
      for (let x = 0; x < m; x++) {
        const lit = litPhase() < 0 || phase[x] === litPhase() || phase[y] === litPhase() ? 1 : 0.25;
        const same = phase[x] === phase[y];
        const colour = x >= y ? mix(near, distant, far(y, x) / 255) : same ? colours[phase[x]] : paper;
        const faded = x >= y || same ? mix(paper, colour, x >= y ? lit : phase[x] === litPhase() || litPhase() < 0 ? 1 : 0.15) : colour;
        pixels.data.set([faded[0], faded[1], faded[2], 255], 4 * (y * m + x));
      }
    }
    image.getContext("2d").putImageData(pixels, 0, 0);
  }

  /** Cells looked at: [from, to). */
  function cells() {
    if (!state.view) return [0, m];
    const thread = threads[state.thread];
    return [cellOf(rowAt(thread, state.view.from)), cellOf(rowAt(thread, state.view.to - 1)) + 1];
  }

  surface(canvas, (g, size) => {
    if (!m) return;
    paint();
    const [a, b] = cells();
    const [side, step] = [size - EDGE, (size - EDGE) / (b - a)];
    g.imageSmoothingEnabled = step < 1 / devicePixelRatio;
    g.drawImage(image, a, a, b - a, b - a, EDGE, EDGE, side, side);
    for (let cell = a; cell < b; cell++) {
      g.fillStyle = phases[phase[cell]].colour;
      g.globalAlpha = litPhase() < 0 || phase[cell] === litPhase() ? 1 : 0.14;
      g.fillRect(EDGE + (cell - a) * step, 0, step + 0.3, EDGE - 3);
      g.fillRect(0, EDGE + (cell - a) * step, EDGE - 3, step + 0.3);
    }
    g.globalAlpha = 1;
    drawThreads(g, a, b, step, size);
    if (state.row >= 0) drawCross(g, cellOf(state.row), a, b, step, size);
  });

  /** A thread's first cell is marked by a line across. */
  function drawThreads(g, a, b, step, size) {
    g.fillStyle = css("--accent");
    for (const thread of threads.slice(1, 40)) {
      const cell = cellOf(thread.first);
      if (cell <= a || cell >= b) continue;
      g.fillRect(EDGE + (cell - a) * step - 0.5, EDGE, 1, size);
      g.fillRect(EDGE, EDGE + (cell - a) * step - 0.5, size, 1);
    }
  }

  function drawCross(g, cell, a, b, step, size) {
    if (cell < a || cell >= b) return;
    const at = EDGE + (cell - a + 0.5) * step;
    g.strokeStyle = css("--accent");
    g.beginPath();
    g.moveTo(at, EDGE); g.lineTo(at, size);
    g.moveTo(EDGE, at); g.lineTo(size, at);
    g.stroke();
  }

  function cellName(cell) {
    const [from, to] = [first[cell], first[cell + 1] - 1];
    const last = rows.index[to] + rows.count[to] - 1;
    const name = last > rows.index[from] ? `${whole(rows.index[from])}–${whole(last)}` : whole(last);
    return `${several ? `${threads[rows.thread[from]].label}, ` : ""}${name} (phase ${phase[cell]})`;
  }

  const cellRange = (cell) => {
    const last = first[cell + 1] - 1;
    return rangeName(rows.start[first[cell]], rows.start[last] + rows.length[last]);
  };

  function pairTip(x, y) {
    const said = `Distance ${(far(y, x) / 127.5).toFixed(2)}`;
    const names = (cell) => element("div", {}, cellRange(cell), element("br"), hottest(first[cell]).slice(0, 2).map(([name]) => name).join(", "));
    const head = (cell) => element("b", {}, swatch(phase[cell]), `Interval ${cellName(cell)}`);
    return x === y ? rowTip(first[x]) : [element("b", {}, said), head(x), names(x), head(y), names(y)];
  }

  canvas.addEventListener("pointermove", (event) => {
    const [px, py] = place(canvas, event);
    const [a, b] = cells();
    const step = (canvas.clientWidth - EDGE) / (b - a);
    const [x, y] = [px, py].map((p) => a + Math.floor((p - EDGE) / step));
    if (!m || [x, y].some((c) => c < a || c >= b)) return leave();
    set({ row: first[x] });
    showTip(event.clientX, event.clientY, ...pairTip(x, y));
  });
  canvas.addEventListener("pointerleave", leave);
  canvas.addEventListener("click", () => { if (state.row >= 0) pick(state.row); });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const cell = state.row < 0 ? 0 : Math.max(0, Math.min(m - 1, cellOf(state.row) + step));
    set({ row: first[cell] });
    canvas.setAttribute("aria-label", `Interval ${cellName(cell)}`);
  });
  canvas.setAttribute("aria-label", `Manhattan distance between all pairs of intervals, ${m} by ${m}`);
}

/** Of #rrggbb; the style sheet writes colours that are mixed in six digits. */
const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const mix = (a, b, t) => [0, 1, 2].map((i) => a[i] + (b[i] - a[i]) * t);
