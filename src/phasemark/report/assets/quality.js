// Quality: estimates with their error bars, metrics of the largest phases beside the whole, CoV and CIM against k.

const titleOf = (name) => metrics.find((metric) => metric.name === name)?.title ?? name;
const share = (x) => (x === null ? "–" : `${Number((100 * x).toPrecision(3)).toLocaleString("en-GB")} %`);

function fillEstimates() {
  if (!data.estimates.length) return;
  byId("estimate-section").hidden = false;
  const [first, again] = [false, true].map((doubles) => data.estimates.filter((one) => one.doubles === doubles));
  const known = data.estimates.some((one) => one.full !== null);
  const interval = data.confidence ? `${Number((100 * data.confidence).toPrecision(6))} % interval` : "interval";
  const rests = data.estimates.map((one) => data.points.length - one.missing);
  const [least, most] = [Math.min(...rests), Math.max(...rests)];
  const on = least < data.points.length
    ? `From ${least === most ? whole(least) : `${whole(least)} to ${whole(most)}`} of ${counted(data.points.length, "point")}, the others were not measured. ` : "";
  byId("estimate-lead").textContent = `${on}What the simulated points say of the whole run, with its confidence interval, half of whose width is the error bar (±)${known
    ? ", and what the full run really is. In the last column the line is the full run, the bar the interval, the dot the estimate; each row has its own scale, which stands beside it: how far from the line the drawing ends."
    : ". In the last column the line is the estimate, the bar the interval; each row has its own scale, which stands beside it: how far from the line the drawing ends."}`;
  byId("estimate-forecast").textContent = data.forecast && `${data.forecast}.`;
  byId("estimate-forecast").hidden = !data.forecast;
  estimateTable(byId("estimate"), first, known, interval);
  if (!again.length) return;
  const more = byId("estimate-more");
  more.hidden = false;
  more.querySelector("summary").textContent = `${counted(again.length, "rate")} of the same events, per reference`;
  estimateTable(more.querySelector("table"), again, known, interval);
}

function estimateTable(table, estimates, known, interval) {
  const missing = estimates.some((one) => one.missing);
  const points = data.points.length;
  const heads = [["metric"], ["estimate"], ...(missing ? [["points"]] : []), [interval, "interval"], ["±", "interval"], ...(known ? [["full run"], ["error", "error"], ["covered"]] : []), ["", "wide"]];
  const rowOf = (one) => {
    const range = one.high === null ? "not bounded" : `${number(one.low)} – ${number(one.high)}`;
    const half = halfWidth(one);
    return element("tr", {},
      cell(breakable(one.metric), one.metric, { title: titleOf(one.metric) }),
      cell([number(one.value), element("small", {}, one.half_width === null ? range : `${range} (±${half})`)], one.value),
      ...(missing ? [cell(`${whole(points - one.missing)} of ${whole(points)}`, points - one.missing)] : []),
      cell(range, one.high === null ? null : one.high - one.low, { class: "interval" }),
      cell(half, one.half_width, { class: "interval" }),
      ...(known ? [
        cell(one.full === null ? "" : [number(one.full), element("small", {}, one.error === null ? "" : signed(one.error))], one.full),
        cell(one.error === null ? "" : signed(one.error), one.error === null ? null : Math.abs(one.error), { class: "error" }),
        cell(one.covered === null ? "" : one.covered ? "yes" : "no", one.covered === null ? null : Number(one.covered), { class: one.covered === false ? "bad" : "" }),
      ] : []),
      element("td", { class: "wide" }, errorBar(one)));
  };
  table.replaceChildren(
    element("thead", {}, element("tr", {}, ...heads.map(([text, kind = ""]) => element("th", { scope: "col", class: kind }, text)))),
    element("tbody", {}, ...estimates.map(rowOf)));
  sortable(table);
}

/** Half the interval's width, a share of the estimate, as the terminal has it. */
function halfWidth({ half_width: half }) {
  if (half === null) return "–";
  const digits = half <= FARTHEST ? 1 : 0;
  return `${half <= FARTHEST ? "" : "over "}${(100 * Math.min(half, FARTHEST)).toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits })} %`;
}

/** A name that may go on in the next line after an underscore. */
const breakable = (name) => name.split(/(?<=_)/).flatMap((piece, i) => (i ? [element("wbr"), piece] : [piece]));

const baseOf = (one) => one.full ?? one.value;
/** How far a row's ends lie from its line, a share of it, and how far its bar reaches, a round one. */
function reachOf(one) {
  const ends = one.high === null ? [one.value] : [one.value, one.low, one.high];
  const farthest = Math.max(...ends.map((end) => Math.abs(end / baseOf(one) - 1)));
  return [farthest, Math.min(round(farthest), FARTHEST)];
}

const EXACT = 1e-6; // no bar is longer than its line
const FARTHEST = 10; // a bar that is longer tells only that it is

/** The next of 1, 2, 5, 10 ... */
function round(x) {
  if (!(x > EXACT)) return EXACT;
  const power = 10 ** Math.floor(Math.log10(x));
  return power * ([1, 2, 5, 10].find((step) => step * power >= x * (1 - 1e-9)) ?? 10);
}

/** As the terminal has it: two digits behind the point, and no sign of what rounds to 0. */
function signed(x) {
  const text = Math.abs(100 * x).toLocaleString("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return `${Number(text.replaceAll(",", "")) === 0 ? "" : x < 0 ? "−" : "+"}${text} %`;
}

function errorBar(one) {
  if (!baseOf(one) || (one.high === null && one.full === null)) return "";
  const [farthest, reach] = reachOf(one);
  const at = (end) => `${50 + 48 * Math.max(-1, Math.min(1, (end / baseOf(one) - 1) / reach))}%`;
  const bar = element("span", { class: "bar", "--from": at(one.low), "--to": at(one.high ?? one.low), "--at": at(one.value) });
  if (one.high !== null) bar.append(element("i"));
  bar.append(element("b"), element("em", one.high === null ? { class: "open" } : {}));
  return element("span", { class: "scaled", "aria-hidden": "true" }, bar, element("span", { class: "soft" }, reach <= EXACT ? "" : `${farthest > FARTHEST ? "beyond the scale of" : "scale"} ±${Number((100 * reach).toPrecision(1)).toLocaleString("en-GB", { maximumSignificantDigits: 2 })} %`));
}

function fillQuality() {
  const q = data.quality;
  if (!q) return;
  byId("quality-section").hidden = false;
  const missing = q.missing.map(([name, part]) => ` ${titleOf(name)} was not measured for ${percent(part)} of the instructions.`).join("");
  byId("quality-lead").textContent = `Mean of each metric, and its standard deviation relative to that mean: little within a phase beside the whole run means that an interval of it stands for all.${missing}`;
  fillBeside(q);
  fillByK(q);
}

function fillBeside(q) {
  const of = (name, phase) => q.phases.find((one) => one.metric === name && one.phase === phase);
  const mean = (one) => (one.mean === null ? "–" : `${number(one.mean)} (${share(one.cov)})`);
  const line = (phase, label) => {
    const held = of(q.foremost[0], phase).share;
    return element("tr", { class: phase === "full" ? "full" : "" }, cell(label, phase), cell(part(held), held),
      ...q.foremost.map((name) => cell(mean(of(name, phase)), of(name, phase).mean)));
  };
  const summary = (text, of) => element("tr", { class: "full" }, element("td", {}, text), element("td", {}),
    ...q.foremost.map((name) => element("td", {}, of(q.whole.find((one) => one.metric === name)))));
  const rowsOf = q.largest.map((phase) => {
    const made = line(String(phase), [swatch(phase), phaseName(phase)]);
    lights(made, phase);
    return made;
  });
  const heads = [["phase"], ["share"], ...q.foremost.map((name) => [name, titleOf(name)])];
  byId("beside").replaceChildren(
    element("thead", {}, element("tr", {}, ...heads.map(([text, title = ""]) => element("th", { title, scope: "col" }, text)))),
    element("tbody", {},
      line("full", ["whole run"]), ...rowsOf,
      summary("CoV, whole → within phases", (one) => `${share(one.before)} → ${share(one.cov)}`),
      summary(`CIM of ${number(q.sample)}, whole → phases`, (one) => `${share(one.cim_before === null ? null : one.cim_before / 100)} → ${share(one.cim === null ? null : one.cim / 100)}`),
      summary("less deviation", (one) => share(one.deviation_reduction))));
  sortable(byId("beside"));
}

function fillByK(q) {
  const names = Object.keys(q.against_k);
  if (!names.length) return;
  const choice = byId("by-k-metric");
  byId("by-k").hidden = false;
  choice.replaceChildren(...names.map((name) => element("option", { value: name }, titleOf(name))));
  const draw = () => {
    const by = q.against_k[choice.value];
    for (const [id, values, title] of [["cov-k", by.cov.map((x) => x === null ? null : 100 * x), "CoV within phases, %"], ["cim-k", by.cim, `CIM of a sample of ${number(q.sample)}, %`]]) {
      byId(id).replaceChildren();
      chart(byId(id), title, by.k, values, data.summary.k, null);
    }
  };
  choice.addEventListener("change", draw);
  draw();
}
