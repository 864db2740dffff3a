// Matrix: distances above the diagonal, the phases they led to below it.

const EDGE = 9; // the phases' colours along both edges
const LEFT = 44; // room for the ticks of the left axis
const BELOW = 36;
const ORIGIN = LEFT + EDGE; // where the matrix begins
const sideOf = (width) => width - ORIGIN - MARGIN;

function drawMatrix() {
  const canvas = byId("matrix");
  const m = data.matrix.size;
  const first = data.matrix.first;
  const ofCode = unpack(data.matrix.distance);
  const found = data.matrix.found && { most: data.matrix.found.most, distance: unpack(data.matrix.found.distance) };
  const distances = () => (found && state.byFound ? found.distance : ofCode);
  const phase = Array.from({ length: m }, (_, cell) => mostOf(first[cell], first[cell + 1]));
  const image = element("canvas", { width: m, height: m });
  let painted = "";
  // Where cells begin on both edges: by number where intervals are alike in length, else by instructions.
  const edges = new Float64Array(m + 1);
  for (let cell = 0; cell < m; cell++) edges[cell + 1] = edges[cell] + (data.matrix.even ? 1 : lengthOf(cell));
  const stretched = data.matrix.even ? null : element("canvas");

  function lengthOf(cell) {
    let sum = 0;
    for (let row = first[cell]; row < first[cell + 1]; row++) sum += rows.length[row];
    return sum;
  }

  const far = (i, j) => (i === j ? 0 : distances()[(Math.min(i, j) * (2 * m - Math.min(i, j) - 1)) / 2 + Math.abs(j - i) - 1]);
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
    const key = `${scheme.matches} ${print.matches} ${litPhase()} ${state.byFound}`;
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

  surface(canvas, (g, width) => {
    if (!m) return;
    paint();
    const [a, b] = cells();
    const side = sideOf(width);
    const along = scaleOf(a, b, side);
    if (stretched) stretch(g, a, b, side, along);
    else {
      g.imageSmoothingEnabled = side / (b - a) < 1 / devicePixelRatio;
      g.drawImage(image, a, a, b - a, b - a, ORIGIN, EDGE, side, side);
    }
    for (let cell = a; cell < b; cell++) {
      g.fillStyle = phases[phase[cell]].colour;
      g.globalAlpha = litPhase() < 0 || phase[cell] === litPhase() ? 1 : 0.14;
      // Whole pixels: no paper shines through between neighbours.
      const [from, to] = [cell, cell + 1].map((at) => Math.round(along(edges[at])));
      g.fillRect(ORIGIN + from, 0, Math.max(1, to - from), EDGE - 3);
      g.fillRect(LEFT, EDGE + from, EDGE - 3, Math.max(1, to - from));
    }
    g.globalAlpha = 1;
    drawThreads(g, a, b, along, side);
    drawAxes(g, a, b, along, side);
    if (state.row >= 0) drawCross(g, cellOf(state.row), a, b, along, side);
  }, (width) => EDGE + sideOf(width) + BELOW);

  /** From a place on an edge to pixels from its beginning. */
  function scaleOf(a, b, side) {
    return (at) => ((at - edges[a]) / (edges[b] - edges[a])) * side;
  }

  /** Draws cells of unlike length: first all columns as wide as they are, then all rows as high. */
  function stretch(g, a, b, side, along) {
    const wide = Math.max(1, Math.round(side * devicePixelRatio));
    const at = (cell) => Math.round(along(edges[cell]) * devicePixelRatio);
    [stretched.width, stretched.height] = [wide, m];
    const columns = stretched.getContext("2d");
    columns.imageSmoothingEnabled = g.imageSmoothingEnabled = false;
    for (let cell = a; cell < b; cell++) columns.drawImage(image, cell, 0, 1, m, at(cell), 0, Math.max(1, at(cell + 1) - at(cell)), m);
    for (let cell = a; cell < b; cell++) {
      g.drawImage(stretched, 0, cell, wide, 1, ORIGIN, EDGE + at(cell) / devicePixelRatio, side, Math.max(1, at(cell + 1) - at(cell)) / devicePixelRatio);
    }
  }

  /** What both axes say: [place on an edge, label], and of what. */
  function marks(a, b, side) {
    if (several && !state.view) {
      const runs = new Set(threads.map((thread) => thread.run)).size > 1;
      const middle = (thread) => (edges[cellOf(thread.first)] + edges[cellOf(thread.last - 1) + 1]) / 2;
      return [threads.filter((thread) => thread.last > thread.first).map((thread) => [middle(thread), thread.short]), runs ? "run.thread" : "thread"];
    }
    if (!data.matrix.even) {
      const begin = rows.start[first[a]];
      const placed = ticks(begin, begin + edges[b] - edges[a], side / 90).map((at) => [edges[a] + at - begin, short(at, 4)]);
      return [placed, several ? `instructions of ${threads[state.thread].label}` : "instructions"];
    }
    const start = (cell) => (cell < b ? rows.index[first[cell]] : rows.index[first[b] - 1] + rows.count[first[b] - 1]);
    const placed = ticks(start(a), start(b), side / 70).filter(Number.isInteger).map((interval) => {
      let cell = a;
      while (cell < b - 1 && start(cell + 1) <= interval) cell++;
      return [cell + (interval - start(cell)) / (start(cell + 1) - start(cell)), whole(interval)];
    });
    return [placed, several ? `interval of ${threads[state.thread].label}` : "interval"];
  }

  function drawAxes(g, a, b, along, side) {
    const [placed, title] = marks(a, b, side);
    g.fillStyle = css("--soft");
    g.textBaseline = "middle";
    let [right, lowest] = [-Infinity, -Infinity];
    for (const [at, label] of placed) {
      const px = along(at);
      const half = g.measureText(label).width / 2;
      const x = Math.min(ORIGIN + px, ORIGIN + side + MARGIN - half);
      if (x - half > right + 8) {
        g.fillRect(ORIGIN + px, EDGE + side, 1, 5);
        g.textAlign = "center";
        g.fillText(label, x, EDGE + side + 13);
        right = x + half;
      }
      if (px > lowest + 14 && EDGE + px < EDGE + side - 4) {
        g.fillRect(LEFT - 5, EDGE + px, 5, 1);
        g.textAlign = "right";
        g.fillText(label, LEFT - 8, Math.max(7, EDGE + px));
        lowest = px;
      }
    }
    g.textAlign = "right";
    g.fillText(title, ORIGIN + side, EDGE + side + 29);
  }

  /** A thread's first cell is marked by a line across. */
  function drawThreads(g, a, b, along, side) {
    g.fillStyle = css("--accent");
    for (const thread of threads.slice(1, 40)) {
      const cell = cellOf(thread.first);
      if (cell <= a || cell >= b) continue;
      g.fillRect(ORIGIN + along(edges[cell]) - 0.5, EDGE, 1, side);
      g.fillRect(ORIGIN, EDGE + along(edges[cell]) - 0.5, side, 1);
    }
  }

  function drawCross(g, cell, a, b, along, side) {
    if (cell < a || cell >= b) return;
    const at = along((edges[cell] + edges[cell + 1]) / 2);
    g.strokeStyle = css("--accent");
    g.beginPath();
    g.moveTo(ORIGIN + at, EDGE); g.lineTo(ORIGIN + at, EDGE + side);
    g.moveTo(ORIGIN, EDGE + at); g.lineTo(ORIGIN + side, EDGE + at);
    g.stroke();
  }

  function cellName(cell) {
    const [from, to] = [first[cell], first[cell + 1] - 1];
    const last = rows.index[to] + rows.count[to] - 1;
    const name = last > rows.index[from] ? `${whole(rows.index[from])}–${whole(last)}` : whole(last);
    return `${several ? `${threads[rows.thread[from]].label}, ` : ""}${name} (${phaseTitle(phase[cell])})`;
  }

  const cellRange = (cell) => {
    const last = first[cell + 1] - 1;
    return rangeName(rows.start[first[cell]], rows.start[last] + rows.length[last]);
  };

  function pairTip(x, y) {
    const by = far(y, x);
    const said = !found || !state.byFound ? `Distance ${(by / 127.5).toFixed(2)}` : `Distance ${((by / 255) * found.most).toPrecision(2)}${by === 255 ? " or more" : ""}`;
    const names = (cell) => element("div", {}, cellRange(cell), element("br"), hottest(first[cell]).slice(0, 2).map(([name]) => name).join(", "));
    const head = (cell) => element("b", {}, swatch(phase[cell]), `Interval ${cellName(cell)}`);
    return x === y ? rowTip(first[x]) : [element("b", {}, said), head(x), names(x), head(y), names(y)];
  }

  /** The cell at a place on an edge; before `a` or from `b` on where it is outside. */
  function cellAlong(a, b, at) {
    if (at < edges[a]) return a - 1;
    let [low, high] = [a, b];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (edges[middle] <= at) low = middle; else high = middle - 1;
    }
    return low;
  }

  canvas.addEventListener("pointermove", (event) => {
    const [px, py] = place(canvas, event);
    const [a, b] = cells();
    const side = sideOf(canvas.clientWidth);
    const [x, y] = [px - ORIGIN, py - EDGE].map((p) => cellAlong(a, b, edges[a] + (p / side) * (edges[b] - edges[a])));
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
  const label = () => canvas.setAttribute("aria-label", `${found && state.byFound ? "Distance" : "Manhattan distance"} between all pairs of intervals, ${m} by ${m}`);
  label();
  byId("matrix-choice").hidden = !found;
  if (!found) return;
  const choice = byId("matrix-by");
  choice.append(element("option", { value: "found" }, `code, ${data.beside_code}`), element("option", { value: "code" }, "code alone"));
  choice.addEventListener("change", () => {
    set({ byFound: choice.value === "found" });
    fillMatrixLead();
    label();
  });
}

/** Of #rrggbb; the style sheet writes colours that are mixed in six digits. */
const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const mix = (a, b, t) => [0, 1, 2].map((i) => a[i] + (b[i] - a[i]) * t);
