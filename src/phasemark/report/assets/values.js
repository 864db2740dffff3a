// Values: the data, unpacked, and how numbers are said.

const data = JSON.parse(document.getElementById("data").textContent);

const ARRAYS = { f8: Float64Array, f4: Float32Array, u4: Uint32Array, i4: Int32Array, u2: Uint16Array, i2: Int16Array, u1: Uint8Array };

function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.data), (c) => c.charCodeAt(0));
  return new ARRAYS[packed.type](bytes.buffer);
}

const rows = { top: data.rows.top };
for (const name of ["start", "length", "index", "count", "phase", "hot", "share"]) rows[name] = unpack(data.rows[name]);
rows.n = rows.start.length;
rows.thread = new Uint16Array(rows.n);
data.threads.forEach((thread, t) => rows.thread.fill(t, thread.first, thread.last));

const metrics = data.metrics.map((metric) => ({ ...metric, values: unpack(metric.values) }));

const threads = data.threads;
const phases = data.phases;
const several = threads.length > 1;
const grouped = rows.n < data.summary.intervals;

const whole = (x) => Math.round(x).toLocaleString("en-GB");
/** `3 intervals`, `1 interval`. */
const noun = (n, one) => (n === 1 ? one : `${one}s`);
const counted = (n, one) => `${whole(n)} ${noun(n, one)}`;
/** A share in percent: what is little is not said to be nothing, nor what lacks a little the whole. */
function digitsOf(x, digits) {
  const least = 10 ** -digits;
  const rounded = (100 * x).toFixed(digits);
  if (x > 0 && 100 * x < least / 2) return `< ${least}`;
  return x < 1 - 1e-12 && Number(rounded) === 100 ? `> ${(100 - least).toFixed(digits)}` : rounded;
}
/** For columns: one digit. */
const part = (x) => `${digitsOf(x, 1)} %`;
/** In a sentence: two digits, as the terminal has it, but for zeros at the end. */
const percent = (x) => `${digitsOf(x, 2).replace(/\.?0+$/, "")} %`;

/** 1234567 -> "1.23 M". */
function short(x, digits = 3) {
  const [size, unit] = [[1e12, " T"], [1e9, " G"], [1e6, " M"], [1e3, " k"], [1, ""]].find(([s]) => x >= s) ?? [1, ""];
  return `${Number((x / size).toPrecision(digits))}${unit}`;
}

/** The thread's row that holds an instruction. */
function rowAt(thread, instruction) {
  let [low, high] = [thread.first, thread.last - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (rows.start[middle] <= instruction) low = middle; else high = middle - 1;
  }
  return low;
}

/** The row in which a simulation point lies; -1 if its thread is not there. */
function rowOfPoint(point) {
  const thread = threads.find((t) => t.run === point.run && t.thread === point.thread);
  return thread ? rowAt(thread, point.start) : -1;
}

function rowName(row) {
  const [first, count] = [rows.index[row], rows.count[row]];
  const name = count > 1 ? `Intervals ${whole(first)}–${whole(first + count - 1)}` : `Interval ${whole(first)}`;
  return several ? `${name}, ${threads[rows.thread[row]].label}` : name;
}

const rangeName = (from, to) => `instructions ${whole(from)} – ${whole(to)}`;

/** [name, module, share] of a row's hottest functions. */
function hottest(row) {
  const found = [];
  for (let i = row * rows.top; i < (row + 1) * rows.top; i++) {
    if (rows.hot[i] >= 0) found.push([...data.functions[rows.hot[i]], rows.share[i] / 200]);
  }
  return found;
}

/** An element with text or children; nothing is ever parsed as HTML. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("--")) made.style.setProperty(name, value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

const swatch = (phase) => element("i", { class: "swatch", "--phase": phases[phase].colour });
/** A phase in a table, and in a sentence: its number, or what it is instead of a phase. */
const phaseName = (phase) => phases[phase].name;
const phaseTitle = (phase) => (/^\d/.test(phaseName(phase)) ? `phase ${phase}` : phaseName(phase));
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const byId = (id) => document.getElementById(id);
