// Drawing helpers over a 2D canvas: shapes, text that stays sharp, light. `pen.context` is there for everything else.

const FONT = '"DejaVu Sans", Verdana, system-ui, sans-serif'; // one of them is on every machine, and all are wide enough

export class Pen {
  constructor(canvas, width, height, theme) {
    this.canvas = canvas;
    this.width = width;
    this.height = height;
    this.theme = theme;
    this.context = canvas.getContext("2d", { alpha: false });
    this.scale = 1;
  }

  // The backing store has as many pixels as the screen shows, so that lines and text are crisp at any size.
  fit(scale) {
    this.scale = scale;
    this.canvas.width = Math.round(this.width * scale);
    this.canvas.height = Math.round(this.height * scale);
  }

  begin() {
    this.context.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    this.context.globalAlpha = 1;
  }

  fill(colour) {
    this.rect(0, 0, this.width, this.height, colour);
  }

  // Colours from top to bottom over the whole picture.
  sky(...colours) {
    this.fill(this.vertical(0, this.height, ...colours));
  }

  vertical(top, bottom, ...colours) {
    const paint = this.context.createLinearGradient(0, top, 0, bottom);
    colours.forEach((colour, i) => paint.addColorStop(colours.length === 1 ? 0 : i / (colours.length - 1), colour));
    return paint;
  }

  rect(x, y, width, height, colour, radius = 0) {
    const c = this.context;
    c.fillStyle = colour;
    if (!radius) {
      c.fillRect(x, y, width, height);
      return;
    }
    c.beginPath();
    c.roundRect(x, y, width, height, radius);
    c.fill();
  }

  frame(x, y, width, height, colour, line = 2, radius = 0) {
    const c = this.context;
    c.strokeStyle = colour;
    c.lineWidth = line;
    c.beginPath();
    c.roundRect(x, y, width, height, radius);
    c.stroke();
  }

  circle(x, y, radius, colour) {
    const c = this.context;
    c.fillStyle = colour;
    c.beginPath();
    c.arc(x, y, radius, 0, Math.PI * 2);
    c.fill();
  }

  ring(x, y, radius, colour, line = 2) {
    const c = this.context;
    c.strokeStyle = colour;
    c.lineWidth = line;
    c.beginPath();
    c.arc(x, y, radius, 0, Math.PI * 2);
    c.stroke();
  }

  line(points, colour, line = 2) {
    const c = this.context;
    c.strokeStyle = colour;
    c.lineWidth = line;
    c.lineCap = "round";
    c.lineJoin = "round";
    this.#path(points);
    c.stroke();
  }

  shape(points, colour) {
    this.context.fillStyle = colour;
    this.#path(points);
    this.context.closePath();
    this.context.fill();
  }

  // A soft light around a point.
  glow(x, y, radius, colour, strength = 1) {
    const c = this.context;
    const paint = c.createRadialGradient(x, y, 0, x, y, radius);
    paint.addColorStop(0, colour);
    paint.addColorStop(1, "transparent");
    c.save();
    c.globalAlpha *= strength;
    c.globalCompositeOperation = "lighter";
    c.fillStyle = paint;
    c.fillRect(x - radius, y - radius, radius * 2, radius * 2);
    c.restore();
  }

  // Text with its middle (or left, right edge) at a point. `y` is the middle of the line.
  text(words, x, y, { size = 22, colour = this.theme.ink, align = "center", bold = false, shadow = "" } = {}) {
    const c = this.context;
    c.font = `${bold ? "bold " : ""}${size}px ${FONT}`;
    c.textAlign = align;
    c.textBaseline = "middle";
    if (shadow) {
      c.fillStyle = shadow;
      c.fillText(words, x + 1, y + Math.max(1, size / 14));
    }
    c.fillStyle = colour;
    c.fillText(words, x, y);
  }

  // A bar that is filled from the left; `share` from 0 to 1.
  bar(x, y, width, height, share, colour, back = "rgba(0,0,0,.35)") {
    this.rect(x, y, width, height, back, height / 2);
    const filled = Math.max(0, Math.min(1, share)) * width;
    if (filled >= height) this.rect(x, y, filled, height, colour, height / 2);
  }

  // Draw in a frame of its own: moved, turned, scaled.
  at(x, y, draw, { turn = 0, scale = 1, alpha = 1 } = {}) {
    const c = this.context;
    c.save();
    c.translate(x, y);
    c.rotate(turn);
    c.scale(scale, scale);
    c.globalAlpha *= alpha;
    draw(c);
    c.restore();
  }

  // A picture with its middle at a point. Nothing is drawn before it is loaded.
  picture(image, x, y, width, height, turn = 0) {
    if (!image?.complete || !image.naturalWidth) return;
    this.at(x, y, (c) => c.drawImage(image, -width / 2, -height / 2, width, height), { turn });
  }

  #path(points) {
    const c = this.context;
    c.beginPath();
    points.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y)));
  }
}

// All pictures of a game, loaded before it is ready: a picture that comes late would make two runs differ.
export async function loadPictures(places) {
  const found = await Promise.all(
    Object.entries(places ?? {}).map(async ([name, place]) => {
      const image = new Image();
      image.src = place;
      await image.decode();
      return [name, image];
    }),
  );
  return Object.fromEntries(found);
}
