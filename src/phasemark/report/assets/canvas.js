// Canvas: sharp on every screen, redrawn when its size or the colours change (dark, print); and the tooltip.

const scheme = matchMedia("(prefers-color-scheme: dark)");
const print = matchMedia("print");
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Calls draw(context, width, height) in CSS pixels now and whenever needed; returns what draws again. */
function surface(canvas, draw, height) {
  const context = canvas.getContext("2d");
  function redraw() {
    const width = canvas.clientWidth;
    const tall = height ? height(width) : canvas.clientHeight;
    if (height) canvas.style.height = `${tall}px`;
    const scale = devicePixelRatio || 1;
    const [w, h] = [Math.round(width * scale), Math.round(tall * scale)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, tall);
    context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    draw(context, width, tall);
  }
  let width = canvas.clientWidth;
  new ResizeObserver(() => {
    if (canvas.clientWidth === width) return;
    width = canvas.clientWidth;
    requestAnimationFrame(redraw);
  }).observe(canvas);
  for (const media of [scheme, print]) media.addEventListener("change", redraw);
  watch(redraw);
  redraw();
  return redraw;
}

const MARGIN = 8; // right of a chart over instructions, for the diamond of a last interval

/** Where a canvas of this width draws over instructions: strip and metrics alike, so that they align. */
function plotArea(width) {
  const x = width < 500 ? 44 : GUTTER;
  return [x, Math.max(1, Math.floor(width - x - MARGIN))];
}

/** Where the pointer is, in the canvas's CSS pixels. */
function place(canvas, event) {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

const tip = byId("tip");

function showTip(x, y, ...children) {
  tip.replaceChildren(...children);
  tip.hidden = false;
  const [w, h] = [tip.offsetWidth, tip.offsetHeight];
  const left = x + 16 + w > innerWidth - 8 ? Math.max(8, x - w - 16) : x + 16;
  const top = y + 16 + h > innerHeight - 8 ? Math.max(8, y - h - 16) : y + 16;
  tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
}

const hideTip = () => { tip.hidden = true; };

/** What is said of a row under the pointer. */
function rowTip(row) {
  const phase = rows.phase[row];
  const end = rows.start[row] + rows.length[row];
  const list = element("ul", {}, ...hottest(row).slice(0, 3).map(([name, , share]) =>
    element("li", {}, element("span", {}, name), element("span", {}, `${Math.round(100 * share)} %`))));
  return [
    element("b", {}, swatch(phase), `${rowName(row)} · ${phaseTitle(phase)}`),
    element("div", {}, rangeName(rows.start[row], end)),
    list,
  ];
}

function leave() {
  hideTip();
  set({ row: -1 });
}

/** Round steps for an axis of about `count` ticks. */
function ticks(from, to, count) {
  const raw = (to - from) / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw || 1));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw) ?? raw;
  const found = [];
  for (let t = Math.ceil(from / step) * step; t <= to + step * 1e-9; t += step) found.push(t);
  return found;
}

/** Steps of an axis from 0: at least one beside it, wherever the largest value lies. */
function levels(most) {
  for (let count = 2; count < 6; count++) {
    const found = ticks(0, most, count);
    if (found.length > 1) return found;
  }
  return ticks(0, most, 10);
}
