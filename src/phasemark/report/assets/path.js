// Path: successive intervals joined, through three dimensions.

function drawPath() {
  const canvas = byId("path");
  const points = Float32Array.from(unpack(data.path.points));
  const screen = new Float32Array(rows.n * 2);
  const turn = { yaw: 0.35, pitch: 0.35, zoom: 1 };
  const reach = centred();
  let held = null;

  /** Moves the origin amid the points; returns the farthest's distance: no turn then leaves the canvas. */
  function centred() {
    for (let axis = 0; axis < 3; axis++) {
      let [low, high] = [Infinity, -Infinity];
      for (let i = axis; i < points.length; i += 3) [low, high] = [Math.min(low, points[i]), Math.max(high, points[i])];
      for (let i = axis; i < points.length; i += 3) points[i] -= (low + high) / 2;
    }
    let best = 1;
    for (let i = 0; i < rows.n; i++) best = Math.max(best, Math.hypot(points[3 * i], points[3 * i + 1], points[3 * i + 2]));
    return best;
  }

  function project(size) {
    const [cy, sy, cp, sp] = [Math.cos(turn.yaw), Math.sin(turn.yaw), Math.cos(turn.pitch), Math.sin(turn.pitch)];
    const scale = ((size / 2 - 14) / reach) * turn.zoom;
    for (let i = 0; i < rows.n; i++) {
      const [x, y, z] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
      screen[2 * i] = size / 2 + (x * cy + z * sy) * scale;
      screen[2 * i + 1] = size / 2 - (y * cp - (z * cy - x * sy) * sp) * scale;
    }
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
