// State: what is looked at; every chart draws from it and changes it.

const state = {
  row: -1, // the row under the pointer
  picked: -1, // the row whose functions are shown
  phase: -1, // the phase that stands out
  kept: -1, // the phase that keeps standing out after the pointer left
  thread: 0, // the thread shown in lanes
  drag: null, // how far a drag over the strip has come
  node: -1, // the cell of the icicle that was zoomed into, while the view is its own
  level: -1, // the level of the hierarchy that stands out
  byFound: true, // whether the matrix shows distances in what phases were found in, where that is more than code
  view: null, // {from, to}: instructions of that thread looked at closely
};

const watchers = [];
let waiting = false;

const watch = (draw) => watchers.push(draw);

function set(change) {
  if (Object.entries(change).every(([name, value]) => state[name] === value)) return;
  Object.assign(state, change);
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    watchers.forEach((draw) => draw());
  });
}

const litPhase = () => (state.phase >= 0 ? state.phase : state.kept);
const viewFrom = () => state.view?.from ?? 0;
const viewTo = () => state.view?.to ?? threads[state.thread].instructions;

/** Whether a row lies in what is looked at closely. */
function inView(row) {
  if (!state.view) return true;
  return rows.thread[row] === state.thread && rows.start[row] < state.view.to && rows.start[row] + rows.length[row] > state.view.from;
}

function pick(row) {
  set({ picked: row, row, thread: rows.thread[row], view: rows.thread[row] === state.thread ? state.view : null });
}

const longest = () => threads.reduce((best, thread, t) => (thread.instructions > threads[best].instructions ? t : best), 0);
