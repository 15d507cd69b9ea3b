// Glasshouse Gecko: a gecko clings to any stone, leaps straight through the air, and gathers fireflies by night.

import { startGame } from "/base/game.js";
import { DIRECTIONS, build } from "./house.js";

const CELL = 48;
const CRAWL_STEPS = 6; // for one cell
const LEAP_STEPS = 2;
const MAX_HURT = 3;
const PLANS = [
  { columns: 30, rows: 17, chambers: 1, fireflies: 5, brambles: 3, spread: 5 },
  { columns: 36, rows: 19, chambers: 1, fireflies: 9, brambles: 7, spread: 5 },
  { columns: 44, rows: 21, chambers: 2, fireflies: 13, first: 4, brambles: 12, spread: 4 },
  { columns: 52, rows: 23, chambers: 2, fireflies: 17, first: 4, brambles: 18, spread: 4 },
  { columns: 60, rows: 25, chambers: 3, fireflies: 21, first: 3, brambles: 28, spread: 4 },
];
const GATES = { A: "#f07fb4", B: "#8fb4ff" };

function create({ level, random }) {
  const { house, start, blossoms, fireflies } = build(PLANS[level - 1], random);
  const world = {
    house, start, blossoms, level, steps: 0, hurt: 0, caught: 0, words: [], x: start[0], y: start[1],
    going: null, face: 1, side: [0, 1], fireflies: fireflies.map(([x, y], id) => ({ id, x, y })), all: fireflies.length,
    leaves: Array.from({ length: 40 }, () => ({ x: random.between(0, 1), y: random.between(0, 1), size: random.between(26, 90), turn: random.between(0, 6) })),
    camera: null,
  };
  world.camera = eye(world);
  return world;
}

function step(world, input) {
  world.steps += 1;
  for (const word of world.words) word.left -= 1;
  world.words = world.words.filter((word) => word.left > 0);
  if (!world.going) choose(world, input);
  if (world.going) go(world);
  const wanted = eye(world);
  world.camera.x += (wanted.x - world.camera.x) * 0.14;
  world.camera.y += (wanted.y - world.camera.y) * 0.14;
}

function choose(world, input) {
  const name = Object.keys(DIRECTIONS).find((one) => input.held(`Arrow${one[0].toUpperCase()}${one.slice(1)}`));
  const leaps = input.pressed("Space");
  if (!name && !leaps) return;
  const direction = name ? DIRECTIONS[name] : [-world.side[0], -world.side[1]];
  const { x, y, house } = world;
  if (leaps) {
    const path = house.leap(x, y, direction);
    if (path) world.going = { direction, leaping: true, left: path.length, step: 0 };
    else say(world, house.solid(x + direction[0], y + direction[1]) ? "no room" : "too far", false, 30);
  } else if (!input.held("Space") && house.holds(x + direction[0], y + direction[1])) {
    world.going = { direction, leaping: false, left: 1, step: 0 };
  }
  if (world.going) turn(world, direction);
}

// Which way it looks, along the stone under its feet.
function turn(world, [dx, dy]) {
  const along = dx * -world.side[1] + dy * world.side[0];
  if (along) world.face = -Math.sign(along);
}

function go(world) {
  const { going } = world;
  going.step += 1;
  if (going.step < (going.leaping ? LEAP_STEPS : CRAWL_STEPS)) return;
  going.step = 0;
  going.left -= 1;
  world.x += going.direction[0];
  world.y += going.direction[1];
  touch(world);
  if (world.going && going.left === 0) {
    world.going = null;
    settle(world, going);
  }
}

function touch(world) {
  const { x, y, house } = world;
  const here = (one) => one.x === x && one.y === y;
  if (world.fireflies.some(here)) {
    world.fireflies = world.fireflies.filter((one) => !here(one));
    world.caught += 1;
    say(world, "+1", true, 40);
  }
  const blossom = world.blossoms.find(here);
  if (blossom) {
    world.blossoms = world.blossoms.filter((one) => one !== blossom);
    house.open(blossom.gate);
    say(world, "A gate opens", true, 90, true);
  }
  if (house.at(x, y) !== "^") return;
  world.hurt += 1;
  say(world, "Brambles! Back to the nest", false, 90, true);
  [world.x, world.y] = world.start;
  world.going = null;
  world.side = [0, 1];
}

// The stone it holds on to now: what it landed on, else the same as before, else any.
function settle(world, { direction, leaping }) {
  const { x, y, house } = world;
  const is = ([dx, dy]) => house.solid(x + dx, y + dy);
  if (leaping && is(direction)) world.side = direction;
  else if (!is(world.side) || (world.side[0] && world.side[1])) {
    const all = [[0, 1], [-1, 0], [1, 0], [0, -1], [-1, 1], [1, 1], [-1, -1], [1, -1]];
    world.side = all.find(is) ?? [0, 1];
  }
  turn(world, direction);
}

function say(world, text, good, left, wide = false) {
  world.words.push({ text, good, left, most: left, wide, x: world.x, y: world.y });
}

function over(world) {
  if (world.hurt >= MAX_HURT) return { outcome: "fail", reason: `Three times in the brambles. Fireflies: ${world.caught}` };
  if (!world.fireflies.length) return { outcome: "success", reason: "All fireflies are yours" };
  return null;
}

function state(world) {
  return {
    score: world.caught,
    progress: Math.round((world.caught / world.all) * 1000) / 1000,
    player: { x: world.x, y: world.y, resting: world.going === null },
    house: world.house.cells.map((row) => row.join("")),
    entities: [
      ...world.fireflies.map(({ id, x, y }) => ({ id, kind: "firefly", x, y })),
      ...world.blossoms.map(({ gate, x, y }) => ({ id: gate, kind: "blossom", x, y })),
    ],
    metrics: { fireflies_left: world.fireflies.length, hurt: world.hurt },
  };
}

// ---- the picture ----

const TOP = 66; // below the heads-up line

function place(world) {
  const share = world.going ? world.going.step / (world.going.leaping ? LEAP_STEPS : CRAWL_STEPS) : 0;
  const [dx, dy] = world.going?.direction ?? [0, 0];
  return { x: (world.x + dx * share + 0.5) * CELL, y: (world.y + dy * share + 0.5) * CELL };
}

function eye(world) {
  const { x, y } = place(world);
  const within = (value, most) => Math.max(0, Math.min(Math.max(0, most), value));
  return { x: within(x - 640, world.house.columns * CELL - 1280), y: within(y - TOP - 330, world.house.rows * CELL - 720 + TOP) };
}

function draw(pen, world) {
  const camera = { x: Math.round(world.camera.x), y: Math.round(world.camera.y) - TOP };
  night(pen, world, camera);
  pen.at(-camera.x, -camera.y, (c) => {
    const from = { x: Math.floor(camera.x / CELL), y: Math.floor(camera.y / CELL) };
    stones(pen, c, world, from);
    if (!world.going) leapMarks(pen, world);
    nest(pen, world);
    for (const one of world.blossoms) blossom(pen, (one.x + 0.5) * CELL, (one.y + 0.5) * CELL, GATES[one.gate], world.steps);
    for (const one of world.fireflies) firefly(pen, one, world.steps);
    gecko(pen, world);
    for (const word of world.words) if (!word.wide) spoken(pen, word);
  });
  pen.rect(0, 0, 1280, TOP, "#0b1716");
  pen.rect(0, TOP - 3, 1280, 3, "#2f5a50");
  chart(pen, world, camera);
  const wide = world.words.filter((word) => word.wide).at(-1);
  if (wide) pen.text(wide.text, 640, 108, { size: 30, bold: true, colour: wide.good ? pen.theme.accent : pen.theme.bad, shadow: "#000" });
}

// Moon, panes and leaves move slower than the house: they are farther away.
function night(pen, world, camera) {
  pen.sky("#0d2a33", "#11403f", "#173f35", "#0d2622");
  pen.glow(960 - camera.x * 0.08, 210 - camera.y * 0.08, 300, "rgba(200,240,230,.35)");
  pen.circle(960 - camera.x * 0.08, 210 - camera.y * 0.08, 58, "#e4f3e6");
  pen.circle(942 - camera.x * 0.08, 198 - camera.y * 0.08, 11, "#cfe3d6");
  pen.circle(976 - camera.x * 0.08, 226 - camera.y * 0.08, 16, "#cfe3d6");
  const shift = camera.x * 0.25;
  for (let i = -1; i < 9; i += 1) {
    const x = i * 190 - (shift % 190);
    pen.line([[x, 0], [x, 720]], "rgba(150,205,190,.16)", 6);
    pen.line([[x, 190 - camera.y * 0.2], [x + 95, 110 - camera.y * 0.2], [x + 190, 190 - camera.y * 0.2]], "rgba(150,205,190,.16)", 5);
    pen.line([[x, 470 - camera.y * 0.2], [x + 190, 470 - camera.y * 0.2]], "rgba(150,205,190,.12)", 4);
  }
  for (const one of world.leaves) {
    const x = (one.x * 2000 - camera.x * 0.5 + 4000) % 2000 - 200;
    const y = (one.y * 1200 - camera.y * 0.5 + 2400) % 1200 - 200;
    frond(pen, x, y, one.size, one.turn + Math.sin(world.steps * 0.012 + one.turn) * 0.06);
  }
}

function frond(pen, x, y, size, angle) {
  pen.at(x, y, (c) => {
    c.fillStyle = "rgba(8,40,34,.55)";
    c.beginPath();
    c.moveTo(0, 0);
    c.quadraticCurveTo(size * 0.5, -size * 0.5, size * 1.4, 0);
    c.quadraticCurveTo(size * 0.5, size * 0.5, 0, 0);
    c.fill();
  }, { turn: angle });
}

// One path for all stone, one for its joints, one for the moss: a full screen costs three strokes.
function stones(pen, c, world, from) {
  const { house } = world;
  const seen = [];
  for (let y = from.y; y <= from.y + 16; y += 1) for (let x = from.x; x <= from.x + 27; x += 1) seen.push([x, y]);
  const stone = seen.filter(([x, y]) => house.at(x, y) === "#");
  c.fillStyle = "#3d4f50";
  c.beginPath();
  for (const [x, y] of stone) c.rect(x * CELL, y * CELL, CELL + 0.5, CELL + 0.5);
  c.fill();
  c.strokeStyle = "rgba(12,24,24,.4)";
  c.lineWidth = 3;
  c.beginPath();
  for (const [x, y] of stone) {
    c.moveTo(x * CELL, y * CELL + 24);
    c.lineTo(x * CELL + CELL, y * CELL + 24);
    const joint = x * CELL + ((x + y) % 2 ? 14 : 34);
    c.moveTo(joint, y * CELL);
    c.lineTo(joint, y * CELL + 24);
    c.moveTo(joint - 10, y * CELL + 24);
    c.lineTo(joint - 10, y * CELL + CELL);
  }
  c.stroke();
  c.strokeStyle = "#7fae74";
  c.lineWidth = 6;
  c.lineCap = "round";
  c.beginPath();
  for (const [x, y] of stone) {
    if (!house.solid(x, y - 1)) edge(c, x, y, 0, 0, 1, 0);
    if (!house.solid(x, y + 1)) edge(c, x, y, 0, 1, 1, 1);
    if (!house.solid(x - 1, y)) edge(c, x, y, 0, 0, 0, 1);
    if (!house.solid(x + 1, y)) edge(c, x, y, 1, 0, 1, 1);
  }
  c.stroke();
  for (const [x, y] of seen) {
    const cell = house.at(x, y);
    if (cell === "^") bramble(pen, world, x, y);
    if (GATES[cell]) gate(pen, x, y, GATES[cell]);
  }
}

function edge(c, x, y, ax, ay, bx, by) {
  c.moveTo((x + ax) * CELL, (y + ay) * CELL);
  c.lineTo((x + bx) * CELL, (y + by) * CELL);
}

function bramble(pen, world, x, y) {
  const [mx, my] = [(x + 0.5) * CELL, (y + 0.5) * CELL];
  for (let i = 0; i < 9; i += 1) {
    const a = (i / 9) * Math.PI * 2 + x;
    const far = i % 2 ? 25 : 18;
    pen.shape([[mx + Math.cos(a) * far, my + Math.sin(a) * far], [mx + Math.cos(a + 0.5) * 9, my + Math.sin(a + 0.5) * 9], [mx + Math.cos(a - 0.5) * 9, my + Math.sin(a - 0.5) * 9]], i % 2 ? "#c63b57" : "#8e2a4c");
  }
  pen.circle(mx, my, 11, "#5d1f3d");
  pen.circle(mx - 3, my - 3, 4, "#e0637c");
}

function gate(pen, x, y, colour) {
  pen.rect(x * CELL, y * CELL, CELL, CELL, "rgba(10,22,24,.75)");
  for (let i = 0; i < 3; i += 1) {
    pen.line([[x * CELL + 4, y * CELL + 6 + i * 16], [x * CELL + CELL - 4, y * CELL + 14 + i * 12]], colour, 4);
    pen.line([[x * CELL + 8 + i * 16, y * CELL], [x * CELL + 8 + i * 16, y * CELL + CELL]], colour, 5);
  }
}

function blossom(pen, x, y, colour, steps) {
  pen.glow(x, y, 70, colour, 0.5);
  for (let i = 0; i < 6; i += 1) {
    const a = (i / 6) * Math.PI * 2 + Math.sin(steps * 0.02) * 0.2;
    pen.circle(x + Math.cos(a) * 12, y + Math.sin(a) * 12, 9, colour);
  }
  pen.circle(x, y, 8, "#fff2b0");
}

function firefly(pen, one, steps) {
  const x = (one.x + 0.5) * CELL + Math.sin(steps * 0.05 + one.id) * 5;
  const y = (one.y + 0.5) * CELL + Math.cos(steps * 0.04 + one.id * 2) * 5;
  pen.glow(x, y, 58, "rgba(255,226,110,.9)", 0.65 + Math.sin(steps * 0.07 + one.id) * 0.25);
  pen.circle(x - 6, y - 8, 6, "rgba(240,250,255,.7)");
  pen.circle(x + 6, y - 8, 6, "rgba(240,250,255,.7)");
  pen.circle(x, y, 8, "#4a3a1a");
  pen.circle(x, y + 4, 7, "#fff08a");
}

function nest(pen, world) {
  const [x, y] = [(world.start[0] + 0.5) * CELL, (world.start[1] + 1) * CELL];
  pen.shape([[x - 30, y - 14], [x + 30, y - 14], [x + 20, y], [x - 20, y]], "#a9653c");
  pen.rect(x - 34, y - 20, 68, 9, "#c98054", 4);
}

// Where a leap would end, from where the gecko rests.
function leapMarks(pen, world) {
  for (const direction of Object.values(DIRECTIONS)) {
    const path = world.house.leap(world.x, world.y, direction);
    if (!path || path.length < 2) continue;
    for (const [x, y] of path.slice(0, -1)) pen.circle((x + 0.5) * CELL, (y + 0.5) * CELL, 3, "rgba(220,255,235,.4)");
    const [x, y] = path.at(-1);
    pen.ring((x + 0.5) * CELL, (y + 0.5) * CELL, 12, "rgba(220,255,235,.6)", 3);
  }
}

function gecko(pen, world) {
  const { x, y } = place(world);
  const [sx, sy] = world.side;
  const leaping = world.going?.leaping;
  const turned = leaping ? Math.atan2(world.going.direction[1], world.going.direction[0]) : Math.atan2(sy, sx) - Math.PI / 2;
  const walk = world.going && !leaping ? Math.sin(world.steps * 0.9) : 0;
  pen.glow(x, y, 80, "rgba(180,255,190,.35)");
  pen.at(x, y, (c) => {
    c.scale((leaping ? 1 : world.face) * 1.25, leaping && world.going.direction[0] < 0 ? -1.25 : 1.25);
    const low = leaping ? 0 : 6;
    const skin = "#a6e35f";
    const dark = "#3f7d2c";
    c.lineCap = "round";
    curve(c, dark, 11, [-14, low], [-34, low + 2], [-40, low - 12], [-30 + walk * 3, low - 20]);
    curve(c, skin, 7, [-14, low], [-34, low + 2], [-40, low - 12], [-30 + walk * 3, low - 20]);
    for (const [leg, phase] of [[-12, walk], [13, -walk]]) {
      const foot = leaping ? [leg - 12, 13] : [leg + phase * 6, 17];
      pen.line([[leg, low], foot], dark, 7);
      for (const toe of [-5, 0, 5]) pen.circle(foot[0] + toe, foot[1], 3.2, "#d8f59a");
    }
    blob(c, 0, low - 2, 24, 11, dark);
    blob(c, 0, low - 3, 22, 9, skin);
    blob(c, 2, low + 2, 17, 4, "#e6f7b8");
    blob(c, 26, low - 7, 15, 12, dark);
    blob(c, 26, low - 7, 13, 10, skin);
    for (const [dx, dy] of [[-12, -6], [-2, -9], [8, -7], [-6, -2]]) pen.circle(dx, low + dy + 3, 2.6, "#f08a3c");
    pen.circle(28, low - 12, 7, "#fff7d6");
    pen.circle(30, low - 12, 3.6, "#241a10");
    pen.circle(31, low - 13.4, 1.3, "#fff");
    pen.line([[30, low - 1], [38, low - 4]], dark, 2);
  }, { turn: turned });
}

function blob(c, x, y, wide, high, colour) {
  c.fillStyle = colour;
  c.beginPath();
  c.ellipse(x, y, wide, high, 0, 0, Math.PI * 2);
  c.fill();
}

function curve(c, colour, line, a, b, d, e) {
  c.strokeStyle = colour;
  c.lineWidth = line;
  c.beginPath();
  c.moveTo(...a);
  c.bezierCurveTo(...b, ...d, ...e);
  c.stroke();
}

function spoken(pen, word) {
  const [x, y] = [(word.x + 0.5) * CELL, (word.y + 0.5) * CELL];
  const colour = word.good ? pen.theme.accent : pen.theme.bad;
  pen.context.globalAlpha = Math.min(1, word.left / 20);
  pen.ring(x, y, 26 + (word.most - word.left) * 0.8, colour, 4);
  pen.text(word.text, x, y - CELL - (word.most - word.left) * 0.4, { size: 26, bold: true, colour, shadow: "rgba(0,0,0,.8)" });
  pen.context.globalAlpha = 1;
}

// The whole house, small, in the corner.
function chart(pen, world, camera) {
  const { house } = world;
  const size = house.rows > 19 ? 4 : 5;
  const [left, top] = [1280 - house.columns * size - 16, 12];
  const c = pen.context;
  pen.rect(left - 6, top - 6, house.columns * size + 12, house.rows * size + 12, "rgba(8,18,18,.9)", 8);
  c.fillStyle = "#5d7a74";
  c.beginPath();
  house.cells.forEach((row, y) => row.forEach((cell, x) => cell === "#" && c.rect(left + x * size, top + y * size, size, size)));
  c.fill();
  house.cells.forEach((row, y) => row.forEach((cell, x) => {
    if (cell === "^") pen.rect(left + x * size, top + y * size, size, size, "#c63b57");
    if (GATES[cell]) pen.rect(left + x * size, top + y * size, size, size, GATES[cell]);
  }));
  for (const one of world.fireflies) pen.circle(left + (one.x + 0.5) * size, top + (one.y + 0.5) * size, 3, "#ffe96b");
  for (const one of world.blossoms) pen.circle(left + (one.x + 0.5) * size, top + (one.y + 0.5) * size, 4, GATES[one.gate]);
  pen.circle(left + (world.x + 0.5) * size, top + (world.y + 0.5) * size, 4, "#a6ff5f");
  pen.frame(left + (camera.x / CELL) * size, top + ((camera.y + TOP) / CELL) * size, (1280 / CELL) * size, ((720 - TOP) / CELL) * size, "rgba(255,255,255,.6)", 1.5);
}

startGame({
  id: "platformer/glasshouse-gecko",
  title: "Glasshouse Gecko",
  how: ["Arrow keys crawl along stone: floors, walls and ceilings.", "Space with an arrow key leaps straight through the air.", "Catch fireflies, keep out of the brambles. Blossoms open gates."],
  levels: 5,
  theme: { accent: "#ffe96b", good: "#b9f28a", bad: "#ff8fa3", panel: "rgba(8,28,28,.9)" },
  create,
  step,
  draw,
  over,
  state,
  hud: (world, level) => [["Fireflies", `${world.caught} of ${world.all}`], ["Hurt", `${world.hurt} of ${MAX_HURT}`], ["Level", level]],
});
