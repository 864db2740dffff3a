// Phases as they come: the largest, what each mostly is among the page's, and how often predictors are right.

function fillTracked() {
  const t = data.tracked;
  if (!t) return;
  byId("tracked-section").hidden = false;
  byId("tracked-said").textContent = t.said;
  byId("tracked-lead").textContent = `Each of ${counted(t.foretold[0], "interval")} is foretold from those before it; in ${whole(t.foretold[1])} of them the phase changes. False changes are foretold where it stays.`;
  const table = (id, heads, body) => byId(id).replaceChildren(
    element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...body));
  table("tracked-phases", ["online phase", "share", "intervals", "mostly phase", "part of it"], t.phases.map((p) => element("tr", {},
    cell(String(p.phase), p.phase), cell(part(p.share), p.share), cell(whole(p.intervals), p.intervals),
    cell([swatch(p.own), ` ${p.own}`], p.own), cell(part(p.part), p.part))));
  table("tracked-predictors", ["predictor", "intervals", "changes", "false changes", "lengths"], t.predictors.map((p) => element("tr", {},
    cell(p.name, p.name), ...p.values.map((share) => cell(share === null ? "–" : part(share), share)))));
  for (const id of ["tracked-phases", "tracked-predictors"]) sortable(byId(id));
}
