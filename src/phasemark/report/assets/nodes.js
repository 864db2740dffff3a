// Nodes: the cells of the icicle, and what the rows within each tell of it.

const nodes = data.icicle && unpackNodes(data.icicle);

/** Cells of all threads: a node each, or short neighbours of one parent, gathered. */
function unpackNodes(packed) {
  const made = { first: [], depth: packed.bases.at(-1), bases: packed.bases, levels: packed.levels };
  for (const name of ["start", "parent", "count", "bottom", "deepest", "label"]) made[name] = unpack(packed[name]);
  const n = (made.n = made.start.length);
  Object.assign(made, { end: new Float64Array(n), row: new Uint8Array(n), child: new Int32Array(n).fill(-1), thread: new Uint16Array(n) });
  threads.forEach((thread, t) => {
    const { first } = packed.threads.find((one) => one.run === thread.run && one.thread === thread.thread) ?? { first: [0] };
    made.first.push(first);
    made.thread.fill(t, first[0], first.at(-1));
    for (let row = 0; row + 1 < first.length; row++) made.row.fill(row, first[row], first[row + 1]);
  });
  for (let c = n - 1; c >= 0; c--) placeCell(made, c);
  for (let c = 0; c < n; c++) if (made.end[c] === 0) made.end[c] = made.parent[c] < 0 ? threads[made.thread[c]].instructions : made.end[made.parent[c]];
  return made;
}

/** A cell ends where its parent's next begins. */
function placeCell(made, c) {
  const above = made.parent[c];
  const next = above < 0 ? (c + 1 < made.n && made.parent[c + 1] < 0 && made.thread[c + 1] === made.thread[c] ? c + 1 : -1) : made.child[above];
  if (next >= 0) made.end[c] = made.start[next];
  if (above >= 0) made.child[above] = c;
}

/** Which level a row is of; `levels`: it holds parts of leaves. */
const levelOf = (row) => nodes.bases.findLastIndex((base) => base <= row);
/** Whether a cell is cut off by itself in a level, or lies between two. */
const inLevel = (c, level) => nodes.row[c] < nodes.bases[level + 1] && nodes.bottom[c] >= nodes.bases[level + 1] - 1;

/** Sums of row values, so that the sum over any stretch of instructions takes a subtraction. */
function summed(values) {
  const sums = new Float64Array(rows.n + 1);
  for (let row = 0; row < rows.n; row++) sums[row + 1] = sums[row] + values(row);
  return ({ a, b, before, until }) => sums[b] - sums[a] + until * (sums[b + 1] - sums[b]) - before * (sums[a + 1] - sums[a]);
}

/** The rows [a, b] of a stretch, and which parts of the first and of the last are before it, and in it. */
function stretch(thread, from, to) {
  const [a, b] = [rowAt(thread, from), rowAt(thread, to - 1)];
  const cut = (row, at) => Math.max(0, Math.min(1, (at - rows.start[row]) / (rows.length[row] || 1)));
  return { a, b, before: cut(a, from), until: cut(b, to) };
}

const phaseSums = nodes && phases.map((_, phase) => summed((row) => (rows.phase[row] === phase ? rows.length[row] : 0)));
const metricSums = new Map();

/** A metric over a stretch: its mean, weighted by instructions; NaN where nothing was measured. */
function metricOver(metric, thread, from, to) {
  if (!metricSums.has(metric.name)) {
    const known = (row) => !Number.isNaN(metric.values[row]);
    metricSums.set(metric.name, [
      summed((row) => (known(row) ? metric.values[row] * rows.length[row] : 0)),
      summed((row) => (known(row) ? rows.length[row] : 0)),
    ]);
  }
  const [sum, weight] = metricSums.get(metric.name);
  const of = stretch(thread, from, to);
  const measured = weight(of);
  return measured > 0.5 ? sum(of) / measured : NaN;
}

/** Share of each phase in a stretch. */
function phasesOver(thread, from, to) {
  const of = stretch(thread, from, to);
  return phaseSums.map((sum) => sum(of) / (to - from));
}

/** [name, module, share] of the hottest functions of a stretch, from those of its rows. */
function hottestOver(thread, from, to, top) {
  const sums = new Map();
  const last = rowAt(thread, to - 1);
  for (let row = rowAt(thread, from); row <= last; row++) {
    const part = (Math.min(to, rows.start[row] + rows.length[row]) - Math.max(from, rows.start[row])) / (to - from);
    for (let i = row * rows.top; i < (row + 1) * rows.top; i++) {
      if (rows.hot[i] >= 0) sums.set(rows.hot[i], (sums.get(rows.hot[i]) ?? 0) + (part * rows.share[i]) / 200);
    }
  }
  return [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, top).map(([place, share]) => [...data.functions[place], share]);
}

/** What the colours of cells are made of: the phase with most of each, its share, and where the cell stands. */
function describeNodes() {
  const [HOLDS, IS, WITHIN] = [0, 1, 2]; // several intervals, (a part of) one, and what is finer
  nodes.phase = new Uint16Array(nodes.n);
  nodes.share = new Float32Array(nodes.n);
  nodes.place = new Uint8Array(nodes.n);
  nodes.names = new Array(nodes.n);
  nodes.mixtures = new Array(nodes.n);
  for (let c = 0; c < nodes.n; c++) {
    const thread = threads[nodes.thread[c]];
    const [a, b] = [rowAt(thread, nodes.start[c]), rowAt(thread, nodes.end[c] - 1)];
    const above = nodes.parent[c];
    nodes.place[c] = a < b ? HOLDS : above >= 0 && nodes.place[above] !== HOLDS ? WITHIN : IS;
    if (a === b) {
      [nodes.phase[c], nodes.share[c]] = [rows.phase[a], 1];
      continue;
    }
    const shares = phasesOver(thread, nodes.start[c], nodes.end[c]);
    nodes.phase[c] = shares.indexOf(Math.max(...shares));
    nodes.share[c] = shares[nodes.phase[c]];
  }
}

/** The functions that make up a tenth of a cell or more, the hottest first; the first however little it is. */
function nodeNames(c) {
  if (!nodes.names[c]) {
    const hot = hottestOver(threads[nodes.thread[c]], nodes.start[c], nodes.end[c], 4);
    nodes.names[c] = [...new Set(hot.filter(([, , share], i) => !i || share >= 0.1).map(([name]) => name))];
  }
  return nodes.names[c];
}

const nodeName = (c) => nodeNames(c)[0] ?? "";

/** [phase, share] of a cell, the largest first, as far as they count. */
function mixtureOf(c) {
  nodes.mixtures[c] ??= phasesOver(threads[nodes.thread[c]], nodes.start[c], nodes.end[c])
    .map((share, phase) => [phase, share]).filter(([, share]) => share >= 0.001).sort((a, b) => b[1] - a[1]);
  return nodes.mixtures[c];
}

/** The node, and those that it lies in, the coarsest first. */
function ancestry(c) {
  const found = [];
  for (let at = c; at >= 0; at = nodes.parent[at]) found.unshift(at);
  return found;
}

/** The cell at an instruction of a thread in a row, or in the next above that holds it; -1: there is none. */
function nodeAt(t, row, instruction) {
  const first = nodes.first[t];
  for (let at = Math.min(row, first.length - 2); at >= 0; at--) {
    let [low, high] = [first[at], first[at + 1] - 1];
    if (high < low) continue;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (nodes.start[middle] <= instruction) low = middle; else high = middle - 1;
    }
    if (nodes.start[low] <= instruction && instruction < nodes.end[low]) return low;
  }
  return -1;
}
