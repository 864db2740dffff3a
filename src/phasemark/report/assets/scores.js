// Scores: the BIC of every k with the threshold, and the squared error, one chart each.

function svg(tag, attributes = {}, text = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
}

function drawScores() {
  const { k, name, bic, inertia, threshold, chosen } = data.scores;
  if (k.length < 2) return;
  chart(byId("bic"), `${name[0].toUpperCase()}${name.slice(1)} (higher is better)`, k, bic, chosen, threshold);
  chart(byId("inertia"), "Squared error (distortion)", k, inertia, chosen, null);
}

function chart(holder, title, ks, values, chosen, threshold) {
  const points = ks.map((k, i) => [k, values[i]]).filter(([, value]) => value !== null);
  if (!points.length) return void (holder.hidden = true); // a mixture has no squared error
  const draw = () => holder.replaceChildren(chartOf(holder.clientWidth || 400, title, points, chosen, threshold));
  let width = 0;
  new ResizeObserver(() => { if (holder.clientWidth !== width) { width = holder.clientWidth; requestAnimationFrame(draw); } }).observe(holder);
  return draw();
}

function chartOf(width, title, points, chosen, threshold) {
  const [height, left, top, bottom] = [250, 58, 30, 34];
  const out = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": title });
  const [ks, values] = [points.map(([k]) => k), points.map(([, value]) => value)];
  const all = threshold ? [...values, threshold.bic] : values;
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  const x = (k) => left + 10 + ((k - ks[0]) / (ks.at(-1) - ks[0] || 1)) * (width - left - 24);
  const y = (value) => height - bottom - ((value - low + room) / (high - low + 2 * room)) * (height - top - bottom);

  out.append(svg("text", { class: "title", x: 0, y: 14 }, title));
  for (const t of ticks(low, high, 4)) {
    out.append(svg("line", { class: "grid", x1: left, x2: width, y1: y(t), y2: y(t) }));
    out.append(svg("text", { x: left - 8, y: y(t) + 4, "text-anchor": "end" }, said(t)));
  }
  for (const t of ticks(ks[0], ks.at(-1), Math.min(ks.at(-1) - ks[0], width / 60)).filter(Number.isInteger)) {
    out.append(svg("text", { x: x(t), y: height - bottom + 18, "text-anchor": "middle" }, String(t)));
  }
  out.append(svg("text", { x: width, y: height, "text-anchor": "end" }, "k, phases"));
  if (threshold) {
    out.append(svg("line", { class: "threshold", x1: left, x2: width, y1: y(threshold.bic), y2: y(threshold.bic) }));
    out.append(svg("text", { class: "said", x: left + 4, y: y(threshold.bic) - 6 }, `threshold ${said(threshold.bic)}`));
  }
  out.append(svg("path", { class: "curve", d: points.map(([k, value], i) => `${i ? "L" : "M"}${x(k)} ${y(value)}`).join("") }));
  for (const [k, value] of points) out.append(dot(k, value, x(k), y(value), k === chosen));
  return out;
}

function dot(k, value, cx, cy, chosen) {
  const text = `k = ${k}: ${said(value)}${chosen ? ", chosen" : ""}`;
  const made = svg("circle", { class: chosen ? "dot chosen" : "dot", cx, cy, r: chosen ? 6 : 3.5, tabindex: 0, role: "img", "aria-label": text });
  const show = () => {
    const box = made.getBoundingClientRect();
    showTip(box.right, box.top, element("b", {}, text));
  };
  for (const [event, act] of [["pointerenter", show], ["focus", show], ["pointerleave", hideTip], ["blur", hideTip]]) made.addEventListener(event, act);
  return made;
}

const said = (x) => (Math.abs(x) >= 1e7 || (x && Math.abs(x) < 1e-3) ? x.toExponential(1) : Number(x.toPrecision(5)).toLocaleString("en-GB"));
