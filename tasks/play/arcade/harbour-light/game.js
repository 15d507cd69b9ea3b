// Harbour Light: boats come in from the sea at night. One that is lit long enough turns away from the rocks.

import { startGame } from "/base/game.js";

const LAMP = { x: 640, y: 590 };
const REACH = 610; // how far the beam goes
const FLAT = 0.64; // the sea is seen at a slant
const HORIZON = 178;
const ROCKS = 120; // a boat as near as this is lost
const HALF_BEAM = 0.085; // radians
const TURN = 0.028; // radians in one step
const LIT_STEPS = 30; // how long a boat must be lit
const MAX_WRECKS = 3;
const LEFTMOST = -1.32; // radians from straight up
const RIGHTMOST = 1.32;
// By level: steps between two boats, and how far a boat comes in one step.
const PACE = [
  { every: 105, speed: 1.0 },
  { every: 92, speed: 1.15 },
  { every: 80, speed: 1.3 },
  { every: 70, speed: 1.45 },
  { every: 62, speed: 1.6 },
];

function create({ level, random }) {
  const stars = Array.from({ length: 90 }, () => ({ x: random.between(0, 1280), y: random.between(0, HORIZON - 10), size: random.between(0.6, 1.8) }));
  return { pace: PACE[level - 1], random, stars, angle: 0, boats: [], saved: 0, wrecks: 0, steps: 0, next: 20, count: 0, sparks: [] };
}

function step(world, input) {
  world.steps += 1;
  world.angle += TURN * input.axis("ArrowLeft", "ArrowRight");
  world.angle = Math.max(LEFTMOST, Math.min(RIGHTMOST, world.angle));
  world.next -= 1;
  if (world.next <= 0) launch(world);
  for (const boat of world.boats) sail(world, boat);
  world.boats = world.boats.filter((boat) => boat.state !== "gone");
  for (const spark of world.sparks) spark.left -= 1;
  world.sparks = world.sparks.filter((spark) => spark.left > 0);
}

function launch(world) {
  let angle = world.random.between(LEFTMOST + 0.1, RIGHTMOST - 0.1);
  const last = world.boats.at(-1);
  if (last && Math.abs(last.angle - angle) < 0.25) angle = last.angle > 0 ? angle - 0.5 : angle + 0.5;
  world.count += 1;
  world.boats.push({ id: world.count, angle, distance: REACH, lit: 0, state: "coming" });
  world.next = world.pace.every;
}

function sail(world, boat) {
  if (boat.state === "turning") {
    boat.distance += 2.4;
    boat.fade -= 1;
    if (boat.fade <= 0) boat.state = "gone";
    return;
  }
  const inBeam = Math.abs(boat.angle - world.angle) <= HALF_BEAM;
  if (inBeam) boat.lit += 1;
  else boat.lit = Math.max(0, boat.lit - 1);
  boat.distance -= world.pace.speed * (inBeam ? 0.4 : 1);
  if (boat.lit >= LIT_STEPS) {
    boat.state = "turning";
    boat.fade = 70;
    world.saved += 1;
    world.sparks.push({ ...place(boat), left: 40, good: true });
  } else if (boat.distance <= ROCKS) {
    boat.state = "gone";
    world.wrecks += 1;
    world.sparks.push({ ...place(boat), left: 55, good: false });
  }
}

function place(boat) {
  return { x: LAMP.x + Math.sin(boat.angle) * boat.distance, y: LAMP.y - Math.cos(boat.angle) * boat.distance * FLAT };
}

function over(world) {
  if (world.wrecks < MAX_WRECKS) return null;
  return { outcome: "fail", reason: `${MAX_WRECKS} boats ran onto the rocks. Saved: ${world.saved}` };
}

function state(world) {
  return {
    score: world.saved,
    progress: Math.min(1, world.saved / 20),
    player: { angle: round(world.angle), leftmost: LEFTMOST, rightmost: RIGHTMOST, half_beam: HALF_BEAM },
    entities: world.boats
      .filter((boat) => boat.state === "coming")
      .map((boat) => ({ id: boat.id, kind: "boat", angle: round(boat.angle), distance: round(boat.distance - ROCKS), lit: round(boat.lit / LIT_STEPS) })),
    metrics: { saved: world.saved, wrecks: world.wrecks },
  };
}

const round = (value) => Math.round(value * 1000) / 1000;

function draw(pen, world, pictures) {
  pen.rect(0, 0, 1280, HORIZON, pen.vertical(0, HORIZON, "#0a1026", "#1c2c58", "#35507c"));
  for (const star of world.stars) pen.circle(star.x, star.y, star.size, "rgba(255,255,255,.7)");
  pen.glow(1060, 90, 130, "rgba(255,240,200,.35)");
  pen.circle(1060, 90, 34, "#f3ead0");
  pen.circle(1046, 84, 31, "#18264d");
  sea(pen, world);
  beam(pen, world);
  for (const boat of world.boats) drawBoat(pen, boat, pictures.boat);
  for (const spark of world.sparks) drawSpark(pen, spark);
  rocks(pen);
  pen.picture(pictures.lighthouse, LAMP.x, LAMP.y + 78, 160, 260);
  pen.glow(LAMP.x, LAMP.y, 90, "rgba(255,220,130,.9)");
}

function sea(pen, world) {
  pen.rect(0, HORIZON, 1280, 720 - HORIZON, pen.vertical(HORIZON, 720, "#1f4670", "#0d2342", "#081428"));
  for (let row = 0; row < 9; row += 1) {
    const y = HORIZON + 18 + row * row * 6.4;
    const shift = (world.steps * (0.25 + row * 0.07)) % 160;
    for (let x = -160; x < 1280; x += 160) {
      pen.line([[x + shift + row * 37, y], [x + shift + row * 37 + 26 + row * 4, y]], `rgba(160,200,235,${0.1 + row * 0.012})`, 2);
    }
  }
}

function beam(pen, world) {
  pen.at(LAMP.x, LAMP.y, (c) => {
    const light = c.createLinearGradient(0, 0, 0, -REACH);
    light.addColorStop(0, "rgba(255,228,150,.75)");
    light.addColorStop(1, "rgba(255,228,150,.06)");
    c.fillStyle = light;
    c.beginPath();
    c.moveTo(0, 0);
    for (const side of [-1, 1]) {
      const angle = world.angle + side * HALF_BEAM;
      c.lineTo(Math.sin(angle) * REACH, -Math.cos(angle) * REACH * FLAT);
    }
    c.fill();
  });
}

function drawBoat(pen, boat, picture) {
  const { x, y } = place(boat);
  const size = 86 - boat.distance * 0.07;
  const alpha = boat.state === "turning" ? boat.fade / 70 : 1;
  pen.context.globalAlpha = alpha;
  pen.glow(x, y - size * 0.36, 26, "rgba(255,210,120,.9)");
  pen.picture(picture, x, y, size, size, Math.sin(boat.distance * 0.06) * 0.07);
  if (boat.lit > 0 && boat.state === "coming") pen.bar(x - 24, y - size * 0.72, 48, 7, boat.lit / LIT_STEPS, pen.theme.good);
  pen.context.globalAlpha = 1;
}

function drawSpark(pen, spark) {
  const size = spark.good ? 60 - spark.left : 80 - spark.left;
  pen.context.globalAlpha = Math.min(1, spark.left / 30);
  pen.ring(spark.x, spark.y, size, spark.good ? pen.theme.good : pen.theme.bad, 4);
  pen.text(spark.good ? "saved" : "wrecked", spark.x, spark.y - 48, { size: 22, bold: true, colour: spark.good ? pen.theme.good : pen.theme.bad });
  pen.context.globalAlpha = 1;
}

function rocks(pen) {
  pen.shape([[380, 720], [430, 650], [480, 668], [520, 612], [566, 640], [640, 604], [706, 640], [760, 606], [806, 664], [860, 646], [906, 720]], "#111728");
  pen.shape([[420, 720], [450, 676], [500, 690], [540, 640], [600, 672], [680, 660], [740, 640], [790, 690], [850, 676], [880, 720]], "#1a2238");
}

startGame({
  id: "arcade/harbour-light",
  title: "Harbour Light",
  how: ["Left and Right arrow keys turn the beam.", "A boat that stays in the light turns away.", "Three wrecks, and the night is lost."],
  levels: 5,
  theme: { accent: "#ffd98a" },
  pictures: { boat: "art/boat.svg", lighthouse: "art/lighthouse.svg" },
  create,
  step,
  draw,
  over,
  state,
  hud: (world, level) => [["Saved", world.saved], ["Wrecks", `${world.wrecks} of ${MAX_WRECKS}`], ["Level", level]],
});
