// What the salt garden is drawn with: the same everywhere, and nothing of the game in it.

export const INK = "#3a2a3c";

export function oval(c, x, y, wide, high, colour) {
  c.fillStyle = colour;
  c.beginPath();
  c.ellipse(x, y, wide, high, 0, 0, Math.PI * 2);
  c.fill();
}

export function heap(c, x, y, size) {
  c.fillStyle = INK;
  c.beginPath();
  c.moveTo(x - size - 2, y + 2);
  c.quadraticCurveTo(x, y - size * 3.4, x + size + 2, y + 2);
  c.fill();
  c.fillStyle = "#fffaf6";
  c.beginPath();
  c.moveTo(x - size, y);
  c.quadraticCurveTo(x, y - size * 2.9, x + size, y);
  c.fill();
}

export function flamingo(pen, x, y, steps, facing) {
  const dip = Math.sin(steps * 0.02) > 0.55;
  pen.at(x, y, (c) => {
    c.scale(facing, 1);
    pen.line([[0, 0], [0, 26]], "#d8687c", 3);
    pen.line([[5, 0], [9, 12], [5, 26]], "#d8687c", 3);
    oval(c, 0, -6, 18, 11, "#f29aa9");
    oval(c, -6, -6, 12, 8, "#fbc3c8");
    pen.line(dip ? [[14, -8], [26, -12], [28, 8], [24, 16]] : [[14, -8], [24, -18], [16, -32], [24, -42]], "#f29aa9", 6);
    const head = dip ? [24, 16] : [25, -43];
    pen.circle(head[0], head[1], 6, "#f29aa9");
    pen.line([[head[0] + 4, head[1]], [head[0] + 11, head[1] + 6]], "#3a2a3c", 4);
  });
}

export function mill(pen, x, y, world) {
  oval(pen.context, x, y + 62, 52, 10, "rgba(80,50,40,.25)");
  pen.shape([[x - 36, y + 62], [x - 22, y - 34], [x + 22, y - 34], [x + 36, y + 62]], "#fbf2e6");
  pen.shape([[x + 4, y + 62], [x + 4, y - 34], [x + 22, y - 34], [x + 36, y + 62]], "#e6d3c4");
  pen.shape([[x - 28, y - 32], [x, y - 62], [x + 28, y - 32]], "#7a6488");
  pen.rect(x - 9, y + 30, 18, 32, "#7d5a48", 8);
  for (let i = 0; i < 4; i += 1) {
    pen.at(x, y - 34, () => {
      pen.line([[0, 0], [0, -62]], "#6a4c3c", 4);
      pen.rect(3, -60, 15, 44, "rgba(255,255,255,.9)");
      pen.frame(3, -60, 15, 44, "#c9a58c", 1.5);
    }, { turn: world.steps * 0.012 + (i * Math.PI) / 2 });
  }
  pen.circle(x, y - 34, 6, "#6a4c3c");
}

export function mat(pen, x, y, wide, high) {
  pen.rect(x + 2, y + 14, wide - 4, high - 20, "#8d6b2f", 10);
  for (let row = 0; row < 6; row += 1) {
    for (let i = 0; i < 8; i += 1) pen.rect(x + 7 + i * 20, y + 18 + row * 16, 18, 13, (i + row) % 2 ? "#e0bd6a" : "#c99f4d", 3);
  }
}

export function icon(pen, weather, night, x, y) {
  const c = pen.context;
  if (weather !== "rain" || night) pen.circle(x + (weather === "sun" ? 0 : 10), y - (weather === "sun" ? 0 : 8), 14, night ? "#e6e3f4" : "#ffd35c");
  if (night) pen.circle(x + (weather === "sun" ? 6 : 16), y - (weather === "sun" ? 4 : 12), 12, "#41334a");
  if (weather === "sun" && !night) {
    for (let i = 0; i < 8; i += 1) {
      const turn = (i * Math.PI) / 4;
      pen.line([[x + Math.cos(turn) * 18, y + Math.sin(turn) * 18], [x + Math.cos(turn) * 23, y + Math.sin(turn) * 23]], "#ffd35c", 3);
    }
  }
  if (weather === "sun") return;
  const colour = weather === "rain" ? "#9fb2c6" : "#e9eef0";
  oval(c, x - 4, y + 2, 24, 10, colour);
  pen.circle(x - 12, y - 4, 11, colour);
  pen.circle(x + 4, y - 7, 13, colour);
  if (weather === "rain") for (const dx of [-16, -4, 8]) pen.line([[x + dx, y + 15], [x + dx - 3, y + 24]], "#7cc4ff", 3);
}
