// Machine: the states of a model in a ring, as large as their shares; arrows lead to what follows.

const LEVELS = [0.5, 0.25, 0.1, 0.05, 0.005];
const NARROW = 640; // below this width there is room for the circles alone

function drawMachine() {
  const m = data.machine;
  if (!m) return;
  byId("machine-section").hidden = false;
  byId("machine-reading").textContent = m.reading;
  byId("machine-lead").textContent = m.ordered
    ? "A circle is a state of the program, as large as its share of the run, in the colour of its phase; the first has a ring. Arrows lead to what comes next; without a number, always or nearly so. Beside each state: the function it spends most in, how long it lasts, and what it does more than the rest of the run."
    : "A circle is a state of the program, as large as its share of the run, in the colour of its phase. The model knows no order, so there are no arrows.";
  const choice = byId("machine-arrows");
  choice.parentElement.hidden = !m.arrows.length;
  choice.replaceChildren(...LEVELS.map((least) => {
    const n = m.arrows.filter((arrow) => isDrawn(arrow, least)).length;
    return element("option", { value: least, ...(least === m.strong ? { selected: "" } : {}) }, `${least < 0.01 ? "all" : `from ${100 * least} %`} (${n})`);
  }));
  const holder = byId("machine");
  let width = holder.clientWidth;
  const draw = () => {
    holder.replaceChildren(machineOf(m, Number(choice.value), width < NARROW));
    if (width && width < NARROW) byId("states-details").open = true;
  };
  new ResizeObserver(() => {
    const crossed = (holder.clientWidth < NARROW) !== (width < NARROW);
    width = holder.clientWidth;
    if (crossed) requestAnimationFrame(draw);
  }).observe(holder);
  choice.addEventListener("change", draw);
  watch(() => lightMachine(holder));
  draw();
  fillStates(m);
}

/** Of each state the strongest arrow from it and to it is always there. */
const isDrawn = (arrow, least) => arrow[7] === 1 || arrow[2] >= least;

/** The picture; arrows from a share on, the others are there for the state that is pointed at. */
function machineOf(m, least, narrow) {
  const [w, h] = [m.width, m.height];
  const view = narrow ? [(w - h) / 2, 0, h, h] : [0, 0, w, h];
  const out = svg("svg", { class: "machine", viewBox: view.join(" "), role: "group", "aria-label": `${counted(m.states.length, "state")} and what follows what` });
  for (const arrow of m.arrows) out.append(arrowOf(m, arrow, isDrawn(arrow, least)));
  const nodes = m.states.map((s, number) => nodeOf(m, s, number, narrow));
  m.around.forEach((number, i) => {
    const node = nodes[number];
    node.setAttribute("tabindex", i ? -1 : 0);
    node.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (step) {
        const next = nodes[m.around.at((i + step) % m.around.length)];
        node.setAttribute("tabindex", -1);
        next.setAttribute("tabindex", 0);
        next.focus();
      } else if (event.key === "Enter" || event.key === " ") keep(number);
      else if (event.key === "Escape") set({ kept: -1 });
      else return;
      event.preventDefault();
    });
  });
  out.append(...m.around.map((number) => nodes[number]));
  return out;
}

const keep = (phase) => set({ kept: state.kept === phase ? -1 : phase });

function arrowOf(m, [source, target, share, x, y, atX, atY], strong) {
  const along = ([sx, sy, r], by) => {
    const far = Math.hypot(x - sx, y - sy) || 1;
    return [sx + ((x - sx) / far) * (r + by), sy + ((y - sy) / far) * (r + by)];
  };
  const ring = m.states[target].starts ? 4 : 0;
  const head = m.many ? 4 : 6; // many circles stand close together
  const [[x0, y0], [x1, y1], tip] = [along(m.states[source].spot, 0), along(m.states[target].spot, head + 2 + ring), along(m.states[target].spot, 2 + ring)];
  const turn = Math.atan2(tip[1] - y1, tip[0] - x1);
  const side = (0.45 + 0.2 * share) * head;
  const made = svg("g", { class: strong ? "arrow" : "arrow weak", "data-source": source, "data-target": target, "aria-hidden": "true" });
  made.style.setProperty("--phase", phases[source].colour);
  made.append(
    svg("path", { d: `M${x0} ${y0}Q${x} ${y} ${x1} ${y1}`, "stroke-width": 0.8 + 2.2 * share, opacity: 0.55 + 0.45 * share }),
    svg("path", { class: "head", d: `M${tip.join(" ")}L${x1 - side * Math.sin(turn)} ${y1 + side * Math.cos(turn)}L${x1 + side * Math.sin(turn)} ${y1 - side * Math.cos(turn)}z` }));
  if (share < 0.95) {
    made.append(svg("text", { class: m.many ? "often crowded" : "often", x: atX, y: atY + 4 }, `${Math.round(100 * share) || "< 1"} %`));
  }
  return made;
}

function nodeOf(m, s, number, narrow) {
  const [x, y, r] = s.spot;
  const made = svg("g", { class: "node", role: "img", "data-state": number, "aria-label": stateSaid(m, number) });
  made.style.setProperty("--phase", phases[number].colour);
  if (!narrow) made.append(...labelOf(m, s, number));
  made.append(svg("circle", { class: "spot", cx: x, cy: y, r }));
  if (s.starts) made.append(svg("circle", { class: "first", cx: x, cy: y, r: r + 3.5 }));
  if (r >= 8) made.append(svg("text", { class: "number", x, y: y + 4, fill: s.ink }, String(number)));
  const show = (px, py) => showTip(px, py, ...stateTip(m, number));
  made.addEventListener("pointermove", (event) => show(event.clientX, event.clientY));
  made.addEventListener("focus", () => { const box = made.querySelector(".spot").getBoundingClientRect(); show(box.right, box.top); });
  for (const event of ["pointerleave", "blur"]) made.addEventListener(event, hideTip);
  made.addEventListener("click", () => keep(number));
  lights(made, number);
  return made;
}

function labelOf(m, s, number) {
  const [[x, y, r], [lx, ly, left]] = [s.spot, s.label];
  const side = left ? -1 : 1;
  const anchor = { x: lx, "text-anchor": left ? "end" : "start" };
  const leader = svg("path", { class: "leader", d: `M${x + side * (r + 3)} ${y}L${lx - side * 6} ${ly}` });
  if (m.many) return [leader, svg("text", { ...anchor, class: "line", y: ly + 4 }, `${number}  ${s.name}`)];
  const apart = s.apart ? `, elsewhere ${percentOf(s.apart[2])}` : "";
  const lines = [lastsSaid(m, s, number), ...(s.apart ? [`more ${s.apart[0]} ${percentOf(s.apart[1])}${apart}`] : [])];
  const top = ly - 7 * lines.length + 4;
  return [leader, svg("text", { ...anchor, class: "name", y: top }, `${s.name}  ${percentOf(s.hot)}`),
    ...lines.map((text, i) => svg("text", { ...anchor, class: "line", y: top + 15 * (i + 1) }, text))];
}

const percentOf = (x) => `${digitsOf(x, 0)} %`;

function lastsSaid(m, s, number) {
  const said = s.starts ? `begins here; ${percentOf(phases[number].share)}` : `${percentOf(phases[number].share)} of the run`;
  if (s.endless) return `${said}, to the end`;
  return s.intervals === null ? said : `${said}, lasts ${counted(Math.max(1, s.intervals), "interval")}`;
}

/** What comes after a state, the most frequent first: [state, share]. */
const movesOf = (m, number) => m.arrows.filter(([source]) => source === number).map(([, target, share]) => [target, share]).reverse();

const thenSaid = (m, number, most = 3) => movesOf(m, number).slice(0, most).map(([target, share]) => `${target} (${digitsOf(share, 0)} %)`).join(", ");

function stateSaid(m, number) {
  const s = m.states[number];
  const then = thenSaid(m, number);
  return `State ${number}, ${s.title}: ${lastsSaid(m, s, number)}${then ? `; then state ${then}` : ""}`;
}

function stateTip(m, number) {
  const s = m.states[number];
  const long = s.instructions === null ? "" : `, ${short(s.instructions, 2)} instructions`;
  const list = (items) => element("ul", {}, ...items.map(([name, value]) => element("li", {}, element("span", {}, name), element("span", {}, value))));
  const then = movesOf(m, number).slice(0, 4);
  return [
    element("b", {}, swatch(number), `State ${number} · ${s.name}`),
    element("div", {}, `${lastsSaid(m, s, number)}${long}; entered ${counted(s.visits, "time")}`),
    list(phases[number].functions.slice(0, 4).map(([name, , share]) => [name, percentOf(share)])),
    ...(then.length ? [element("div", {}, "then"), list(then.map(([target, share]) => [`${target} · ${m.states[target].name}`, percentOf(share)]))] : []),
  ];
}

/** What is pointed at, here or elsewhere, and its arrows stand out; the state of the interval under the pointer has a rim. */
function lightMachine(holder) {
  const lit = litPhase();
  const now = state.row >= 0 ? rows.phase[state.row] : -1;
  const near = new Set([lit, ...movesOf(data.machine, lit).map(([target]) => target)]);
  for (const node of holder.querySelectorAll(".node")) {
    const number = Number(node.dataset.state);
    node.classList.toggle("dim", lit >= 0 && !near.has(number));
    node.classList.toggle("now", number === now || number === state.kept);
  }
  for (const arrow of holder.querySelectorAll(".arrow")) {
    arrow.classList.toggle("lit", Number(arrow.dataset.source) === lit);
    arrow.classList.toggle("dim", lit >= 0 && Number(arrow.dataset.source) !== lit && Number(arrow.dataset.target) !== lit);
  }
}

function fillStates(m) {
  const table = byId("states");
  const heads = ["state", "share", ...(m.ordered ? ["lasts, intervals", "instructions", "entered", "then"] : ["entered"]), "mostly", "more than elsewhere"];
  const rowOf = (s, number) => {
    const lasts = s.endless ? "to the end" : s.intervals === null ? "–" : s.intervals.toLocaleString("en-GB", { maximumFractionDigits: 1, minimumFractionDigits: 1 });
    const made = element("tr", {}, cell([swatch(number), String(number)], number), cell(part(phases[number].share), phases[number].share),
      ...(m.ordered ? [cell(lasts, s.endless ? Infinity : s.intervals), cell(s.instructions === null ? "–" : short(s.instructions), s.instructions)] : []),
      cell(whole(s.visits), s.visits), ...(m.ordered ? [cell(thenSaid(m, number), null)] : []),
      cell(`${s.name} ${percentOf(s.hot)}`, s.name), cell(s.apart ? `${s.apart[0]} ${percentOf(s.apart[1])}, elsewhere ${percentOf(s.apart[2])}` : "–", s.apart ? s.apart[0] : null));
    lights(made, number);
    return made;
  };
  table.replaceChildren(
    element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...m.states.map(rowOf)));
  sortable(table);
}
