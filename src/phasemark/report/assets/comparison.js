// Comparison: two runs, phase by phase, in parts of all that the first took.

function fillComparison() {
  const c = data.comparison;
  if (!c) return;
  byId("comparison-section").hidden = false;
  byId("comparison-said").replaceChildren(...c.sentences.map((text) => element("li", {}, text)));
  const timed = c.cpi.length > 0;
  byId("comparison-lead").textContent = `${c.unit[0].toUpperCase()}${c.unit.slice(1)}${c.source ? `, measured by ${c.source}` : ""}, in parts of all before.${timed ? " Work: by other numbers of instructions; speed: by another CPI." : ""}`;
  const base = c.whole[0] || 1;
  const share = (x) => cell(x ? part(x / base) : "–", x ?? 0);
  const signed = (x) => cell(x === null ? "–" : Math.abs(x) < base / 2000 ? "0" : `${x < 0 ? "−" : "+"}${part(Math.abs(x) / base)}`, x);
  const of = (p) => (p < 0 ? c.whole : [c.time[0][p], c.time[1][p]]);
  const sum = (values) => values.reduce((all, x) => all + (x ?? 0), 0);
  const line = (p) => {
    const name = p < 0 ? "" : phases[p].functions[0]?.[0] ?? "";
    const [before, after] = of(p);
    const cells = [share(before), share(after), signed((after ?? 0) - (before ?? 0))];
    if (timed) {
      const cpi = p < 0 ? c.whole_cpi : [c.cpi[0][p], c.cpi[1][p]];
      cells.push(signed(p < 0 ? sum(c.work) : c.work[p]), signed(p < 0 ? sum(c.speed) : c.speed[p]));
      cells.push(...cpi.map((x) => cell(x === null ? "–" : number(x), x)));
    }
    const row = element("tr", { class: p < 0 ? "full" : "" }, cell(p < 0 ? "all" : [swatch(p), phaseName(p)], p), element("td", { class: "called", title: name }, name), ...cells);
    if (p >= 0) lights(row, p);
    return row;
  };
  const heads = ["phase", "function", "before", "after", "change", ...(timed ? ["work", "speed", "CPI before", "CPI after"] : [])];
  byId("comparison").replaceChildren(
    element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, line(-1), ...c.order.map(line)));
  sortable(byId("comparison"));
}
