// Tables: everything that is text.

/** Of intervals of unlike lengths, from which to which. */
function lengthsSaid() {
  const [least, most] = [Math.min, Math.max].map((of) => short(rows.length.reduce((a, b) => of(a, b), rows.length[0] ?? 0)));
  return least === most ? `of ${least} instructions` : `of ${least} to ${most} instructions`;
}

function fillHeader() {
  const s = data.summary;
  byId("name").textContent = data.name;
  byId("command").textContent = data.provenance.find(([what]) => what === "command")?.[1] ?? "";
  byId("process").textContent = !s.process ? "" : s.process.startsWith("all") ? `Processes: ${s.process}, put together.` : `Process ${s.process}; all that follows is of it alone.`;
  byId("process").hidden = !s.process;
  byId("warnings").replaceChildren(...data.warnings.map((text) => element("li", {}, text)));
  byId("warnings").hidden = !data.warnings.length;
  const tiles = [
    ["instructions", short(s.instructions), whole(s.instructions)],
    [noun(s.intervals, "interval"), whole(s.intervals), s.interval ? `of ${short(s.interval)} instructions` : !data.matrix.even && !grouped ? lengthsSaid() : several ? `in ${threads.length} threads` : ""],
    [noun(s.k, "phase"), whole(s.k), `over ${counted(s.blocks, "block")}`],
    [noun(s.points, "point"), whole(s.points), `${s.points === 1 ? "stands" : "stand"} for ${percent(s.coverage)} of the run`],
    ["to simulate", percent(s.simulated / (s.instructions || 1)), `${short(s.simulated)} instructions`],
  ];
  byId("summary").replaceChildren(...tiles.map(([what, value, more]) =>
    element("div", {}, element("dt", {}, what), element("dd", {}, value, element("small", {}, more)))));
}

function fillLeads() {
  const rowsAre = grouped ? ` ${whole(data.summary.intervals)} intervals are shown in ${whole(rows.n)} steps.` : "";
  byId("strip-lead").textContent = several
    ? `Above, one band a thread, each on its own instructions; below, one lane a phase for the thread pointed at. Diamonds are the simulation points.${rowsAre}`
    : `Above, the whole run; below, one lane a phase. Diamonds are the simulation points.${rowsAre}`;
  if (data.icicle) {
    const { shortest, shortest_in_points: inPoints, nodes: every } = data.icicle;
    const gathered = shortest ? ` Of ${whole(every)} stretches those of ${short(shortest)} instructions or more are shown${inPoints < shortest ? `, and within simulation points ${inPoints ? `those of ${short(inPoints)}` : "all of them"}` : ""}; shorter neighbours are gathered.` : "";
    byId("icicle-lead").textContent = `Time runs from left to right. Each row cuts the same run into finer stretches: the calls and loops that the program repeats, and what these are made of. Names are the hottest functions.${gathered}`;
  }
  fillMatrixLead();
  if (data.beside_code) byId("path-title").textContent = `Path through code, ${data.beside_code}`;
  byId("path-lead").textContent = `Each interval a dot, successive ones joined. Loops of the line are behaviour that comes back. Three dimensions keep ${percent(data.path.kept)} of the variance. Rings are the simulation points; the axes count distance between ${data.beside_code ? `what phases were found in: projected vectors of code, and ${data.beside_code}` : "projected vectors"}.`;
  const t = data.scores.threshold;
  byId("scores-lead").textContent = t
    ? `The smallest k whose score reaches ${percent(t.t)} of the way from the worst score to the best: ${data.scores.chosen}.`
    : `k = ${data.scores.chosen}${data.scores.k.length < 2 ? "; no other k was tried" : ""}.`;
  byId("phases-lead").textContent = `Share of the instructions, the interval that stands for the phase, ${data.measures.phases ? "the mean over its intervals, " : data.measures.points ? "what that interval showed, " : ""}and where its instructions were executed.`;
  const source = data.measures.points?.source;
  byId("points-lead").textContent = `Simulate from start (after warming up) to end, then weigh each by its weight: average cycles per instruction, never instructions per cycle.${data.measures.points ? ` What each showed was measured by ${source || "an unnamed source"}; MPKI are events per 1000 instructions.` : ""}`;
}

/** Of the distance that is chosen: that of code, or of all that phases were found in. */
function fillMatrixLead() {
  const perCell = Math.ceil(data.summary.intervals / Math.max(1, data.matrix.size));
  const cells = perCell > 1 ? ` One cell is up to ${whole(perCell)} intervals.` : "";
  const found = state.byFound && data.matrix.found;
  const apart = found ? `two intervals are in what phases were found in: code, ${data.beside_code}` : "the code of two intervals is";
  const missed = data.matrix.found && !found ? ` Phases were told apart by ${data.beside_code} as well, so that intervals of the same code may be of several.` : "";
  byId("matrix-lead").textContent = `${data.matrix.even ? "Time runs" : "Instructions run"} along both edges${several ? ", one thread after the other" : ""}. Above the diagonal: how far apart ${apart}; dark is alike. Below: pairs that were put into one phase.${missed}${cells}`;
  byId("matrix-near").textContent = found ? "0 alike" : "0 same code";
  byId("matrix-far").textContent = found ? `${number(Number(found.most.toPrecision(2)))} and further` : "2 nothing in common";
}

const fileName = (path) => path.slice(path.lastIndexOf("/") + 1);

/** A list of places with their shares; the whole name shows on hovering. */
function places(list, shown = (name) => name) {
  return element("ol", { class: "places" }, ...list.map(([name, of, share, text]) =>
    element("li", { "--part": `${100 * share}%`, title: of ? `${name} (${of})` : name },
      element("span", { class: "name" }, shown(name), ...(of ? [element("span", { class: "soft" }, ` ${of}`)] : []),
        ...(text ? [element("code", { title: text }, text)] : [])),
      element("span", { class: "part" }, part(share)))));
}

/** How a phase differs from the most similar one with the same hottest function. */
function contrastOf(p, phase) {
  const { other, distance, places: differing } = p.beside;
  const does = p.does?.beside ?? [];
  const said = differing.length ? "" : ` No ${p.lines.length ? "line" : "block"} differs by 0.1 % or more.`;
  const rowOf = ([name, of, here, there]) => element("tr", {},
    element("td", { title: of ? `${name} (${of})` : name }, fileName(name), ...(of ? [element("span", { class: "soft" }, ` ${of}`)] : [])),
    element("td", {}, part(here)), element("td", {}, part(there)));
  const found = [element("h4", {}, `Beside ${phaseTitle(other)}`), element("p", {}, `The most similar phase of the same ${data.places === "Blocks" ? "block" : "function"}: distance ${distance.toFixed(2)} of 2.${said}`)];
  if (differing.length) {
    found.push(element("table", { class: "beside" },
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "differ most in"), ...[phase, other].map((of) => element("th", { scope: "col" }, swatch(of), ` ${phaseName(of)}`)))),
      element("tbody", {}, ...differing.map(rowOf))));
  }
  if (does.length) {
    found.push(element("table", { class: "beside" },
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "per 1,000 instructions"), ...(differing.length ? ["", ""] : [phase, other].map((of) => [swatch(of), ` ${phaseName(of)}`])).map((head) => element("th", { scope: "col" }, ...head)))),
      element("tbody", {}, ...does.map(([column, here, there]) => element("tr", {}, element("td", { title: data.behaviour.columns[column].title }, data.behaviour.columns[column].label), element("td", {}, rate(here)), element("td", {}, rate(there)))))));
  }
  return found;
}

/** While the pointer or the focus is on it, the phase stands out everywhere. */
function lights(node, phase) {
  for (const event of ["pointerenter", "focusin"]) node.addEventListener(event, () => set({ phase }));
  for (const event of ["pointerleave", "focusout"]) node.addEventListener(event, () => set({ phase: -1 }));
}

function fillLegend() {
  phases.forEach((p, phase) => {
    const button = element("button", { type: "button", "aria-pressed": "false" }, swatch(phase), phaseName(phase), element("span", { class: "soft" }, part(p.share)));
    if (p.begins?.name) button.title = p.begins.name;
    button.setAttribute("aria-label", `${capital(phaseTitle(phase))}, ${p.begins?.name ? `${p.begins.name}, ` : ""}${percent(p.share)} of the instructions`);
    lights(button, phase);
    button.addEventListener("click", () => set({ kept: state.kept === phase ? -1 : phase }));
    watch(() => button.setAttribute("aria-pressed", String(state.kept === phase)));
    byId("legend").append(element("li", {}, button));
  });
}

function pointName(point) {
  const thread = threads.find((t) => t.run === point.run && t.thread === point.thread);
  return `${several ? `${thread.label}, ` : ""}interval ${whole(point.interval)}, ${rangeName(point.start, point.end)}`;
}

/** CPI and misses as a small table; null where nothing was measured. */
function measuresOf(measures, values, said) {
  if (!measures || values.every((x) => x === null)) return null;
  return element("dl", { class: "measures", title: said }, ...measures.names.map(({ name, label }, i) =>
    element("div", {}, element("dt", { title: titleOf(name) }, label), element("dd", {}, values[i] === null ? "–" : number(values[i])))));
}

/** Means over the phase's intervals; where only points were simulated, the values of its only point. */
function measuresOfPhase(p) {
  const { phases: means, points } = data.measures;
  if (means) return measuresOf(means, p.values, "mean over the phase's intervals");
  return p.points.length === 1 ? measuresOf(points, data.points[p.points[0]].values, "of its point, as simulated") : null;
}

/** Where a phase begins, as a person says it: with a call or loop, and how reliably, or at a place. */
function beginning({ event, of_intervals, of_events, function: name, place, share }) {
  const there = [name, fileName(place)].filter(Boolean).join(", ");
  if (!event) return `Begins at ${there} (${part(share)} of its instructions).`;
  const after = event.startsWith("after ");
  const at = after && there ? `, at ${there}` : "";
  return `Begins ${after ? "" : "with the "}${event}${at}: ${part(of_intervals)} of its intervals do, and ${part(of_events)} of all such events begin one.`;
}

function fillPhases() {
  phases.forEach((p, phase) => {
    const stands = p.points.map((i) => pointName(data.points[i]));
    const card = element("article", { class: "phase", "--phase": p.colour },
      element("header", {}, element("h3", {}, swatch(phase), ` ${capital(phaseTitle(phase))}`, ...(p.begins?.name ? [element("span", { class: "called" }, ` ${p.begins.name}`)] : [])), element("b", {}, part(p.share))),
      element("p", {}, `${counted(p.intervals, "interval")}. ${stands.length ? `Point${stands.length > 1 ? "s" : ""}: ${stands.join("; ")}.` : data.no_point}`),
      ...(p.begins ? [element("p", { class: "begins" }, beginning(p.begins))] : []),
      ...[measuresOfPhase(p)].filter(Boolean),
      ...(p.does ? [element("h4", {}, "Memory and branches per 1,000 instructions"), behaviourOf(p.does)] : []),
      ...(p.does?.same ? [element("p", {}, sameCode(p.does.same))] : []),
      element("h4", {}, data.places), places(p.functions));
    if (p.lines.length) {
      const known = p.lined < 0.9995 ? ` (known for ${part(p.lined)})` : "";
      card.append(element("h4", {}, `Lines${known}`), places(p.lines, fileName));
    }
    if (p.beside) card.append(...contrastOf(p, phase));
    lights(card, phase);
    watch(() => card.classList.toggle("lit", litPhase() === phase));
    byId("phases").append(card);
  });
}

function fillPoints() {
  const measures = data.measures.points;
  const runs = new Set(data.points.map((p) => p.run)).size > 1;
  const columns = [
    ...(runs ? [["run", "run"]] : []), ...(several ? [["thread", "thread"]] : []),
    ["interval", "interval"], ["start", "start"], ["end", "end"],
    ...(data.points.some((p) => p.warmup) ? [["warmup", "warm-up"]] : []),
  ];
  const heads = ["phase", "share", "weight", ...columns.map(([, head]) => head)].map((text) => [text, ""]);
  for (const { name, label } of measures?.names ?? []) heads.push([label, titleOf(name)]);
  const body = element("tbody", {}, ...data.points.map((point) => {
    const held = phases[point.phase].share;
    const row = element("tr", { tabindex: 0 },
      cell([swatch(point.phase), phaseName(point.phase)], point.phase),
      cell(part(held), held), cell(point.weight >= 0.00005 || !point.weight ? point.weight.toFixed(4) : number(point.weight), point.weight),
      ...columns.map(([name]) => cell(whole(point[name]), point[name])),
      ...point.values.map((x) => cell(x === null ? "–" : number(x), x)));
    lights(row, point.phase);
    row.addEventListener("click", () => point.row >= 0 && pick(point.row));
    row.addEventListener("keydown", (event) => event.key === "Enter" && point.row >= 0 && pick(point.row));
    watch(() => row.classList.toggle("lit", litPhase() === point.phase));
    return row;
  }));
  byId("points").append(element("thead", {}, element("tr", {}, ...heads.map(([text, title]) => element("th", { scope: "col", title }, text)))), body);
  sortable(byId("points"));
  byId("points-note").textContent = data.weights && `${capital(data.weights)}.`;
  byId("points-note").hidden = !data.weights;
}

function fillProvenance() {
  byId("provenance").append(...data.provenance.flatMap(([what, value]) => [element("dt", {}, what), element("dd", {}, value)]));
}

/** The picked interval's functions. */
function fillDetail() {
  const box = byId("detail");
  let shown = -1;
  watch(() => {
    if (state.picked === shown) return;
    shown = state.picked;
    box.hidden = shown < 0;
    if (shown < 0) return;
    const phase = rows.phase[shown];
    const close = element("button", { type: "button" }, "Close");
    close.addEventListener("click", () => set({ picked: -1 }));
    box.style.setProperty("--phase", phases[phase].colour);
    box.replaceChildren(
      element("div", { class: "heading" }, element("h3", {}, `${rowName(shown)} · ${phaseTitle(phase)}`), close),
      element("p", {}, rangeName(rows.start[shown], rows.start[shown] + rows.length[shown])),
      places(hottest(shown)));
  });
}
