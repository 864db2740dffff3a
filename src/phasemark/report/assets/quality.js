// Quality: estimates with their error bars, metrics of the largest phases beside the whole, CoV and CIM against k.

const titleOf = (name) => metrics.find((metric) => metric.name === name)?.title ?? name;
const share = (x) => (x === null ? "–" : `${Number((100 * x).toPrecision(3)).toLocaleString("en-GB")} %`);

function fillEstimates() {
  if (!data.estimates.length) return;
  byId("estimate-section").hidden = false;
  const known = data.estimates.some((one) => one.full !== null);
  byId("estimate-lead").textContent = known
    ? "What the simulated points say of the whole run, with its confidence interval, and what the full run really is. In the last column the line is the full run."
    : "What the simulated points say of the whole run, with its confidence interval.";
  const reach = Math.max(...data.estimates.map(reachOf).filter(Number.isFinite), 1e-9);
  const head = ["metric", "estimate", "interval", ...(known ? ["full run", "error"] : []), "points missing", ""];
  byId("estimate").replaceChildren(
    element("thead", {}, element("tr", {}, ...head.map((text) => element("th", {}, text)))),
    element("tbody", {}, ...data.estimates.map((one) => element("tr", {}, ...[
      one.metric, number(one.value), one.high === null ? "not bounded" : `${number(one.low)} – ${number(one.high)}`,
      ...(known ? [one.full === null ? "" : number(one.full), one.full ? signed(one.value / one.full - 1) : ""] : []),
      one.missing ? whole(one.missing) : "", errorBar(one, reach),
    ].map((text) => element("td", {}, text))))),
  );
}

const baseOf = (one) => one.full || one.value;
const reachOf = (one) => Math.max(...(one.high === null ? [one.value] : [one.value, one.low, one.high]).map((end) => Math.abs(end / baseOf(one) - 1)));
const signed = (x) => `${x < 0 ? "−" : "+"}${percent(Math.abs(x))}`;

function errorBar(one, reach) {
  if (!baseOf(one)) return "";
  const at = (end) => `${50 + 48 * Math.max(-1, Math.min(1, (end / baseOf(one) - 1) / reach))}%`;
  const bar = element("span", { class: "bar", "--from": at(one.low), "--to": at(one.high ?? one.low), "--at": at(one.value) }, element("b"));
  if (one.high !== null) bar.append(element("i"));
  bar.append(element("em"));
  return bar;
}

function fillQuality() {
  const q = data.quality;
  if (!q) return;
  byId("quality-section").hidden = false;
  byId("metrics-lead").textContent = `Each metric over the instructions${several ? " of the thread shown in lanes above" : ""}; look closer with the strip above. Diamonds are the simulation points.`;
  const missing = q.missing.map(([name, part]) => ` ${titleOf(name)} was not measured for ${percent(part)} of the instructions.`).join("");
  byId("quality-lead").textContent = `Mean of each metric, and its standard deviation relative to that mean: little within a phase beside the whole run means that an interval of it stands for all.${missing}`;
  fillBeside(q);
  fillByK(q);
}

function fillBeside(q) {
  const cell = (name, phase) => q.phases.find((one) => one.metric === name && one.phase === phase);
  const cellText = (one) => (one.mean === null ? "–" : `${number(one.mean)} (${share(one.cov)})`);
  const line = (phase, label) => element("tr", { class: phase === "full" ? "full" : "" },
    element("td", {}, ...label), element("td", {}, part(cell(q.foremost[0], phase).share)),
    ...q.foremost.map((name) => element("td", {}, cellText(cell(name, phase)))));
  const summary = (text, of) => element("tr", { class: "full" }, element("td", {}, text), element("td", {}),
    ...q.foremost.map((name) => element("td", {}, of(q.whole.find((one) => one.metric === name)))));
  const rowsOf = q.largest.map((phase) => {
    const made = line(String(phase), [swatch(phase), String(phase)]);
    lights(made, phase);
    return made;
  });
  byId("beside").replaceChildren(
    element("thead", {}, element("tr", {}, ...[["phase"], ["share"], ...q.foremost.map((name) => [name, titleOf(name)])].map(([text, title = ""]) => element("th", { title }, text)))),
    element("tbody", {},
      line("full", ["whole run"]), ...rowsOf,
      summary("CoV, whole → within phases", (one) => `${share(one.before)} → ${share(one.cov)}`),
      summary(`CIM of ${number(q.sample)}, whole → phases`, (one) => `${share(one.cim_before === null ? null : one.cim_before / 100)} → ${share(one.cim === null ? null : one.cim / 100)}`),
      summary("less deviation", (one) => share(one.deviation_reduction))),
  );
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
