// Path: successive intervals joined, through three dimensions.

function drawPath() {
  const canvas = byId("path");
  const points = Float32Array.from(unpack(data.path.points));
  const screen = new Float32Array(rows.n * 2);
  const turn = { yaw: 0.35, pitch: 0.35, zoom: 1 };
  const middle = [0, 0, 0]; // of the points on each axis
  const half = [0, 0, 0]; // half their range on each axis
  centre();
  const reach = Math.hypot(...half) || 1; // no turn then leaves the canvas
  const unit = data.path.reach / 32767;
  let held = null;

  /** Moves the origin amid the points. */
  function centre() {
    for (let axis = 0; axis < 3; axis++) {
      let [low, high] = [Infinity, -Infinity];
      for (let i = axis; i < points.length; i += 3) [low, high] = [Math.min(low, points[i]), Math.max(high, points[i])];
      [middle[axis], half[axis]] = [(low + high) / 2, (high - low) / 2];
      for (let i = axis; i < points.length; i += 3) points[i] -= middle[axis];
    }
  }

  /** Turns a place in space into one on the canvas. */
  function projection(size) {
    const [cy, sy, cp, sp] = [Math.cos(turn.yaw), Math.sin(turn.yaw), Math.cos(turn.pitch), Math.sin(turn.pitch)];
    const scale = ((size / 2 - 34) / reach) * turn.zoom;
    return (x, y, z) => [size / 2 + (x * cy + z * sy) * scale, size / 2 - (y * cp - (z * cy - x * sy) * sp) * scale];
  }

  function project(size) {
    const seen = projection(size);
    for (let i = 0; i < rows.n; i++) [screen[2 * i], screen[2 * i + 1]] = seen(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
  }

  /** The box around the points; of each axis the outermost edge has ticks and a name. */
  function drawBox(g, size) {
    const seen = projection(size);
    g.globalAlpha = 1;
    g.lineWidth = 1;
    g.strokeStyle = css("--line");
    for (let axis = 0; axis < 3; axis++) {
      if (!half[axis]) continue;
      const edges = [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(([p, q]) => {
        const at = (along) => seen(...[0, 1, 2].map((other) => (other === axis ? along : half[other] * (other === (axis + 1) % 3 ? p : q))));
        const [from, to] = [at(-half[axis]), at(half[axis])];
        g.beginPath(); g.moveTo(...from); g.lineTo(...to); g.stroke();
        return { at, from, to };
      });
      const outer = axis === 1 ? ({ from, to }) => -(from[0] + to[0]) : ({ from, to }) => from[1] + to[1];
      drawEdge(g, size, axis, edges.reduce((best, edge) => (outer(edge) > outer(best) ? edge : best)));
    }
  }

  function drawEdge(g, size, axis, { at, from, to }) {
    const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (long < 24) return;
    let normal = [(to[1] - from[1]) / long, (from[0] - to[0]) / long];
    const away = normal[0] * ((from[0] + to[0]) / 2 - size / 2) + normal[1] * ((from[1] + to[1]) / 2 - size / 2);
    if (away < 0 || (away < 1 && normal[1] < 0)) normal = normal.map((x) => -x);
    const out = ([x, y], by) => [x + normal[0] * by, y + normal[1] * by];
    const say = (text, [x, y]) => {
      const wide = g.measureText(text).width;
      const [before, after] = { center: [wide / 2, wide / 2], right: [wide, 0], left: [0, wide] }[g.textAlign];
      g.fillText(text, Math.max(before, Math.min(size - after, x)), Math.max(7, Math.min(size - 7, y)));
    };
    g.strokeStyle = g.fillStyle = css("--soft");
    g.textBaseline = "middle";
    g.textAlign = Math.abs(normal[0]) < 0.3 ? "center" : normal[0] < 0 ? "right" : "left";
    g.beginPath(); g.moveTo(...from); g.lineTo(...to); g.stroke();
    const [low, high] = [-1, 1].map((sign) => (middle[axis] + sign * half[axis]) * unit);
    for (const t of ticks(low, high, long / 64)) {
      const place = at(t / unit - middle[axis]);
      g.beginPath(); g.moveTo(...place); g.lineTo(...out(place, 4)); g.stroke();
      say(number(Math.abs(t) < 1e-9 ? 0 : Number(t.toPrecision(6))).replace("-", "−"), out(place, 12));
    }
    say(`axis ${axis + 1}`, out([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2], Math.abs(normal[0]) < 0.3 ? 27 : 40));
  }

  /** Lines and dots of one phase; a line has the colour of the row it leads to. */
  function drawPhase(g, phase, radius) {
    const lit = litPhase() < 0 || litPhase() === phase;
    g.strokeStyle = g.fillStyle = phases[phase].colour;
    g.globalAlpha = (lit ? 1 : 0.1) * Math.max(0.12, Math.min(0.6, 300 / rows.n));
    g.beginPath();
    for (let i = 1; i < rows.n; i++) {
      if (rows.phase[i] !== phase || rows.thread[i] !== rows.thread[i - 1] || !inView(i)) continue;
      g.moveTo(screen[2 * i - 2], screen[2 * i - 1]);
      g.lineTo(screen[2 * i], screen[2 * i + 1]);
    }
    g.stroke();
    g.globalAlpha = lit ? 0.9 : 0.1;
    for (let i = 0; i < rows.n; i++) {
      if (rows.phase[i] === phase && inView(i)) g.fillRect(screen[2 * i] - radius, screen[2 * i + 1] - radius, 2 * radius, 2 * radius);
    }
  }

  function ring(g, row, radius, colour) {
    g.beginPath();
    g.arc(screen[2 * row], screen[2 * row + 1], radius, 0, 2 * Math.PI);
    g.globalAlpha = 1;
    g.lineWidth = 2;
    g.strokeStyle = colour;
    g.stroke();
  }

  const redraw = surface(canvas, (g, size) => {
    drawBox(g, size);
    project(size);
    g.lineWidth = 1;
    for (let phase = 0; phase < phases.length; phase++) drawPhase(g, phase, rows.n > 3000 ? 1 : 1.75);
    for (const point of data.points) if (point.row >= 0 && inView(point.row)) ring(g, point.row, 5, css("--ink"));
    if (state.row >= 0) ring(g, state.row, 8, css("--accent"));
  });

  function nearest(px, py) {
    let [best, distance] = [-1, 18 * 18];
    for (let i = 0; i < rows.n; i++) {
      const d = (screen[2 * i] - px) ** 2 + (screen[2 * i + 1] - py) ** 2;
      if (d < distance && inView(i)) [best, distance] = [i, d];
    }
    return best;
  }

  function rotate(dx, dy) {
    turn.yaw += dx;
    turn.pitch = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, turn.pitch + dy));
    requestAnimationFrame(redraw);
  }

  function zoom(factor) {
    turn.zoom = Math.max(0.5, Math.min(40, turn.zoom * factor));
    requestAnimationFrame(redraw);
  }

  canvas.addEventListener("pointerdown", (event) => {
    held = place(canvas, event);
    canvas.setPointerCapture(event.pointerId);
    leave();
  });
  canvas.addEventListener("pointermove", (event) => {
    const [px, py] = place(canvas, event);
    if (held) {
      rotate((px - held[0]) / 120, (py - held[1]) / 120);
      held = [px, py];
      return;
    }
    const row = nearest(px, py);
    if (row < 0) return leave();
    set({ row });
    showTip(event.clientX, event.clientY, ...rowTip(row));
  });
  canvas.addEventListener("pointerup", () => { held = null; });
  canvas.addEventListener("pointercancel", () => { held = null; });
  canvas.addEventListener("pointerleave", leave);
  canvas.addEventListener("dblclick", () => { if (state.row >= 0) pick(state.row); });
  canvas.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, -0.15], ArrowDown: [0, 0.15] }[event.key];
    if (step) rotate(...step);
    else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else return;
    event.preventDefault();
  });
  canvas.setAttribute("aria-label", "The intervals as points in three dimensions, successive ones joined, coloured by phase");
}
