// Models side by side: likelihood and errors of each model and number of states, one chart each, with one legend.

const SHAPED = ["simpoint", "mixture", "hmm", "hsmm"];
const DASHES = { reweight: "7 4", random: "2 4", projected: "8 3 2 3" };

function drawModels() {
  const m = data.compared;
  if (!m) return;
  byId("models-section").hidden = false;
  byId("models-said").textContent = m.said;
  byId("models-lead").textContent = m.lead;
  const holders = m.charts.map(() => element("div"));
  byId("models").replaceChildren(...holders);
  const light = { pointed: "", kept: "" }; // a series, or a series and how many states
  const show = (pointed) => { light.pointed = pointed; lightModels(light); };
  m.charts.forEach((chart, i) => {
    const draw = () => { holders[i].replaceChildren(comparedChart(m, chart, holders[i].clientWidth || 400, show)); lightModels(light); };
    let width = 0;
    new ResizeObserver(() => { if (holders[i].clientWidth !== width) { width = holders[i].clientWidth; requestAnimationFrame(draw); } }).observe(holders[i]);
    draw();
  });
  byId("models-legend").replaceChildren(...m.series.map(({ model, sees }, at) => {
    const sample = svg("svg", { viewBox: "0 0 34 14", width: 34, height: 14, class: `series ${classOf(model)}`, "aria-hidden": "true" });
    sample.append(svg("path", { class: "run", d: "M1 7H33", "stroke-dasharray": DASHES[sees] ?? "" }), markOf(model, 17, 7));
    const button = element("button", { type: "button", "aria-pressed": "false", "data-series": at }, sample, `${model} (${sees})`);
    for (const event of ["pointerenter", "focus"]) button.addEventListener(event, () => show(String(at)));
    for (const event of ["pointerleave", "blur"]) button.addEventListener(event, () => show(""));
    button.addEventListener("click", () => { light.kept = light.kept === String(at) ? "" : String(at); lightModels(light); });
    return element("li", {}, button);
  }));
  fillVerdicts(m);
  fillModels(m);
}

/** Which is best by what, and how many of SimPoint's fits of as many states each model is better than. */
function fillVerdicts(m) {
  const table = byId("verdicts");
  byId("verdicts-part").hidden = !m.verdicts.length;
  const heads = ["by", "best", "", "SimPoint's best", ...m.others];
  const rowOf = (one) => element("tr", {}, ...[one.criterion, one.best, one.value, one.baseline].map((text) => element("td", {}, text)),
    ...one.wins.map((wins) => element("td", {}, wins ? `${wins[0]} of ${wins[1]}` : "–")));
  table.replaceChildren(
    element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...m.verdicts.map(rowOf)));
}

const classOf = (model) => (SHAPED.includes(model) ? `of-${model}` : "");

/** A diamond, a square, a circle or a triangle: models can be told apart without colours, where one lies on another too. */
function markOf(model, x, y) {
  if (model === "mixture") return svg("rect", { class: "mark open", x: x - 4.5, y: y - 4.5, width: 9, height: 9 });
  if (model === "hsmm") return svg("path", { class: "mark open", d: `M${x} ${y - 7}l6.5 11.5h-13z` });
  if (model === "simpoint") return svg("path", { class: "mark", d: `M${x} ${y - 4.5}l4.5 4.5l-4.5 4.5l-4.5 -4.5z` });
  return svg("circle", { class: "mark", cx: x, cy: y, r: 3 });
}

function comparedChart(m, chart, width, show) {
  const [height, left, top, bottom] = [270, 58, 44, 40];
  const out = svg("svg", { class: "chart compared", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `${chart.title}: ${chart.said}` });
  const placed = chart.log ? Math.log2 : (x) => x;
  const xs = chart.marks.map(([, , x]) => placed(x));
  const ys = chart.marks.flatMap(([, , , y, low, high]) => [y, low, high]);
  const [from, to] = [Math.min(...xs), Math.max(...xs)];
  const [low, high] = [chart.zero ? 0 : Math.min(...ys), Math.max(...ys)];
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  const base = chart.zero ? 0 : low - room;
  const px = (x) => (to > from ? left + 14 + ((placed(x) - from) / (to - from)) * (width - left - 30) : (left + width) / 2);
  const py = (y) => height - bottom - ((y - base) / (high + room - base)) * (height - top - bottom);

  out.append(svg("text", { class: "title", x: 0, y: 14 }, chart.title), svg("text", { x: 0, y: 30 }, chart.said));
  for (const t of ticks(base, high, 4)) {
    out.append(svg("line", { class: "grid", x1: left, x2: width, y1: py(t), y2: py(t) }));
    out.append(svg("text", { x: left - 8, y: py(t) + 4, "text-anchor": "end" }, chart.zero ? `${said(t)} %` : said(t)));
  }
  let last = -Infinity;
  const steps = chart.log ? [...new Set(chart.marks.map(([, states]) => states))].sort((a, b) => a - b) : ticks(from, to, width / 90);
  for (const t of steps) {
    if (px(t) - last < 30) continue; // no room for its number
    last = px(t);
    out.append(svg("text", { x: px(t), y: height - bottom + 17, "text-anchor": "middle" }, said(t)));
  }
  out.append(svg("text", { x: width, y: height - 4, "text-anchor": "end" }, chart.x));
  m.series.forEach(({ model, sees }, at) => {
    const own = chart.marks.filter(([series]) => series === at);
    const group = svg("g", { class: `series ${classOf(model)}`, "data-series": at });
    if (chart.lines) group.append(svg("path", { class: "run", d: own.map(([, , x, y], i) => `${i ? "L" : "M"}${px(x)} ${py(y)}`).join(""), "stroke-dasharray": DASHES[sees] ?? "" }));
    for (const mark of own) group.append(fitMark(m, chart, mark, px(mark[2]), py, show));
    out.append(group);
  });
  walkable(out);
  return out;
}

function fitMark(m, chart, [series, states, , y, low, high], x, py, show) {
  const made = svg("g", { class: "fit", role: "img", "data-fit": `${series} ${states}`, "aria-label": [...fitSaid(m, series, states)].flat().join(", ") });
  if (high > low) made.append(svg("line", { class: "run", x1: x, x2: x, y1: py(low), y2: py(high) }));
  made.append(svg("circle", { class: "hit", cx: x, cy: py(y), r: 9 }), markOf(m.series[series].model, x, py(y)));
  const on = () => {
    const [name, ...rows] = fitSaid(m, series, states);
    const box = made.getBoundingClientRect();
    const here = beside(made).map((fit) => fitSaid(m, ...fit.dataset.fit.split(" ").map(Number))[0]);
    showTip(box.right, box.top, element("b", {}, name), ...(here.length ? [element("div", {}, `also here: ${here.join("; ")}`)] : []), element("ul", {}, ...rows.map(([what, is]) => element("li", {}, element("span", {}, what), element("span", {}, is)))));
    show(`${series} ${states}`);
  };
  for (const event of ["pointerenter", "focus"]) made.addEventListener(event, on);
  for (const event of ["pointerleave", "blur"]) made.addEventListener(event, () => { hideTip(); show(""); });
  return made;
}

/** The marks that lie on one. */
function beside(made) {
  const at = (fit) => ["cx", "cy"].map((name) => Number(fit.querySelector(".hit").getAttribute(name)));
  const [x, y] = at(made);
  return [...made.ownerSVGElement.querySelectorAll(".fit")].filter((fit) => fit !== made && Math.hypot(at(fit)[0] - x, at(fit)[1] - y) < 6);
}

/** A fit in words: its name, then what is known of it; of several seeds from least to most. */
function fitSaid(m, series, states) {
  const { model, sees } = m.series[series];
  const own = m.fits.filter((fit) => fit.series === series && fit.states === states);
  const range = (values, say) => {
    const known = values.filter((x) => x !== null);
    const [least, most] = [Math.min(...known), Math.max(...known)];
    return !known.length ? "–" : least === most ? say(least) : `${say(least)} to ${say(most)}`;
  };
  return [
    `${model} (${sees}), ${counted(states, "state")}${own.length > 1 ? `, ${own.length} seeds` : ""}`,
    ["phases found", range(own.map((fit) => fit.used), whole)],
    ...m.columns.map(({ name, share }, at) => [name, range(own.map((fit) => fit.values[at]), share ? part : said)]),
  ];
}

/** One mark of a chart is reached by Tab; the arrows lead from one to the next, across all models. */
function walkable(chart) {
  const marks = [...chart.querySelectorAll(".fit")];
  marks.forEach((mark, i) => {
    mark.setAttribute("tabindex", i ? -1 : 0);
    mark.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      const next = marks.at((i + step) % marks.length);
      mark.setAttribute("tabindex", -1);
      next.setAttribute("tabindex", 0);
      next.focus();
      event.preventDefault();
    });
  });
}

/** A series, or a fit wherever it is, stands out; the others of its charts step back. */
function lightModels({ pointed, kept }) {
  const lit = pointed || kept;
  const section = byId("models-section");
  const [series, states] = lit.split(" ");
  for (const group of section.querySelectorAll(".compared .series")) group.classList.toggle("dim", lit !== "" && group.dataset.series !== series);
  for (const fit of section.querySelectorAll(".fit")) fit.classList.toggle("lit", states !== undefined && fit.dataset.fit === lit);
  for (const row of section.querySelectorAll("#fits tbody tr")) row.classList.toggle("lit", states !== undefined && row.dataset.fit === lit);
  for (const button of section.querySelectorAll("#models-legend button")) button.setAttribute("aria-pressed", String(button.dataset.series === kept));
}

function fillModels(m) {
  const seeds = new Set(m.fits.map((fit) => fit.seed)).size > 1;
  const heads = ["model", "sees", "states", ...(seeds ? ["seed"] : []), "used", ...m.columns.map(({ name }) => name)];
  const rowOf = (fit) => element("tr", { "data-fit": `${fit.series} ${fit.states}` },
    cell(m.series[fit.series].model, m.series[fit.series].model), cell(m.series[fit.series].sees, m.series[fit.series].sees),
    cell(whole(fit.states), fit.states), ...(seeds ? [cell(String(fit.seed), fit.seed)] : []), cell(whole(fit.used), fit.used),
    ...m.columns.map(({ share }, at) => cell(fit.values[at] === null ? "–" : share ? part(fit.values[at]) : fit.values[at].toFixed(4), fit.values[at])));
  const table = byId("fits");
  table.replaceChildren(
    element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...m.fits.map(rowOf)));
  sortable(table);
}
