// Curious Flock: a dog barks somewhere in a field. White sheep bolt away from it, black sheep come to look, and all should end in their fold.

import { startGame } from "/base/game.js";
import { FIELDS } from "./fields.js";

const COLUMNS = 10;
const ROWS = 7;
const CELL = 80;
const LEFT = 240;
const TOP = 100;
const RUN_STEPS = 3; // for one cell
const CHEER_STEPS = 40; // between a field that is done and the next one
const SPARE_BARKS = 3; // more than the shortest way needs
const SIDES = [[0, -1], [1, 0], [0, 1], [-1, 0]];

// ---- the rules, over a field and the places of its sheep ----

const inside = (x, y) => x >= 0 && y >= 0 && x < COLUMNS && y < ROWS;
const at = (x, y) => y * COLUMNS + x;

// The nearest sheep on each of the four sides hears the dog; hedges and sheep are in the way of the sound.
function listeners(field, sheep, x, y) {
  const found = [];
  for (const [dx, dy] of SIDES) {
    for (let i = x + dx, j = y + dy; inside(i, j) && field.solid[at(i, j)] !== "hedge"; i += dx, j += dy) {
      const index = sheep.findIndex((one) => !one.home && one.x === i && one.y === j);
      if (index < 0) continue;
      found.push({ index, dx, dy });
      break;
    }
  }
  return found;
}

// How far a sheep runs: to its fold, to clover, or to whatever stands in its way.
function run(field, sheep, { index, dx, dy }, dog) {
  const one = sheep[index];
  const sign = one.kind === "white" ? 1 : -1;
  let { x, y } = one;
  for (;;) {
    const nextX = x + dx * sign;
    const nextY = y + dy * sign;
    if (!inside(nextX, nextY)) break;
    const place = at(nextX, nextY);
    if (field.solid[place] && field.folds[one.kind] !== place) break;
    if ((nextX === dog.x && nextY === dog.y) || sheep.some((other) => !other.home && other.x === nextX && other.y === nextY)) break;
    x = nextX;
    y = nextY;
    if (field.folds[one.kind] === place || field.clover[place]) break;
  }
  return { ...one, x, y, home: field.folds[one.kind] === at(x, y) };
}

const free = (field, sheep, x, y) => inside(x, y) && !field.solid[at(x, y)] && !sheep.some((one) => !one.home && one.x === x && one.y === y);

// The flock after a bark. Each sheep runs along a line of its own, so that none is in the way of another.
function bark(field, sheep, x, y) {
  const after = [...sheep];
  for (const heard of listeners(field, sheep, x, y)) after[heard.index] = run(field, sheep, heard, { x, y });
  return after;
}

// ---- fields ----

// Each field has a way that was searched for: see fields.js. Seen in a mirror it is another field with the same way.
function layOut(world) {
  const { random } = world;
  if (!world.waiting.length) world.waiting = random.shuffled(FIELDS[world.level - 1]);
  const { barks, rows } = world.waiting.pop();
  const sideways = random.chance(0.5);
  const upright = random.chance(0.5);
  world.field = { solid: {}, clover: {}, folds: {} };
  world.begin = [];
  rows.split(" ").forEach((row, j) => [...row].forEach((sign, i) => put(world, sign, sideways ? COLUMNS - 1 - i : i, upright ? ROWS - 1 - j : j)));
  world.begin.sort((a, b) => (a.kind < b.kind ? 1 : -1));
  world.most = barks + SPARE_BARKS;
  lead(world);
}

function put({ field, begin }, sign, x, y) {
  const place = at(x, y);
  const kind = sign.toLowerCase() === "w" ? "white" : "black";
  if (sign === "#") field.solid[place] = "hedge";
  else if (sign === ",") field.clover[place] = true;
  else if (sign === "W" || sign === "B") {
    field.solid[place] = "fold";
    field.folds[kind] = place;
  } else if (sign !== ".") begin.push({ kind, x, y, home: false });
}

function lead(world) {
  world.sheep = world.begin.map((one) => ({ ...one, shownX: one.x, shownY: one.y, hop: 0 }));
  world.left = world.most;
  world.dog = null;
}

function create({ level, random }) {
  const world = { level, random, waiting: [], steps: 0, done: 0, again: 0, barks: 0, cheer: 0, tired: 0, moving: 0, rings: [], hover: null };
  world.tufts = Array.from({ length: 150 }, () => ({ x: random.between(0, 1280), y: random.between(64, 716), kind: random.whole(0, 5) }));
  layOut(world);
  return world;
}

function step(world, input) {
  world.steps += 1;
  for (const ring of world.rings) ring.left -= 1;
  world.rings = world.rings.filter((ring) => ring.left > 0);
  const { pointer } = input;
  const x = Math.floor((pointer.x - LEFT) / CELL);
  const y = Math.floor((pointer.y - TOP) / CELL);
  world.hover = inside(x, y) ? { x, y } : null;
  moveFlock(world);
  if (world.moving > 0) return;
  if (world.cheer > 0) {
    world.cheer -= 1;
    if (world.cheer === 0) layOut(world);
    return;
  }
  if (world.tired > 0) {
    world.tired -= 1;
    if (world.tired === 0) lead(world);
    return;
  }
  if (input.pressed("r") && world.left < world.most) {
    world.again += 1;
    lead(world);
  } else if (pointer.clicked && inside(x, y)) order(world, x, y);
}

function order(world, x, y) {
  if (!free(world.field, world.sheep, x, y)) {
    world.rings.push({ ...middle(x, y), left: 20, word: "not here", good: false });
    return;
  }
  const heard = listeners(world.field, world.sheep, x, y);
  world.dog = { x, y };
  world.barks += 1;
  world.left -= 1;
  world.rings.push({ ...middle(x, y), left: 34, word: heard.length ? "woof!" : "nobody hears", good: heard.length > 0 });
  world.sheep = bark(world.field, world.sheep, x, y);
  moveFlock(world);
  if (world.sheep.every((one) => one.home)) {
    world.done += 1;
    world.cheer = CHEER_STEPS;
  } else if (world.left === 0) {
    world.again += 1;
    world.tired = CHEER_STEPS;
  }
}

// What is seen runs after what is so.
function moveFlock(world) {
  world.moving = 0;
  for (const one of world.sheep) {
    const far = Math.abs(one.x - one.shownX) + Math.abs(one.y - one.shownY);
    if (far < 0.01) {
      one.shownX = one.x;
      one.shownY = one.y;
      one.hop = 0;
      continue;
    }
    const part = Math.min(far, 1 / RUN_STEPS);
    one.shownX += Math.sign(one.x - one.shownX) * (Math.abs(one.x - one.shownX) > 0.01 ? part : 0);
    one.shownY += Math.sign(one.y - one.shownY) * (Math.abs(one.y - one.shownY) > 0.01 ? part : 0);
    one.hop += 1;
    world.moving += 1;
  }
}

const over = () => null; // there is always another field

const cellName = (place) => "abcdefghij"[place % COLUMNS] + (Math.floor(place / COLUMNS) + 1);

function state(world) {
  const { field } = world;
  const cells = (found) => Object.keys(found).map(Number);
  return {
    score: world.done,
    progress: Math.min(1, world.done / 5),
    board: { columns: COLUMNS, rows: ROWS },
    hedges: cells(field.solid).filter((place) => field.solid[place] === "hedge").map(cellName),
    clover: cells(field.clover).map(cellName),
    folds: Object.fromEntries(Object.entries(field.folds).map(([kind, place]) => [kind, cellName(place)])),
    entities: world.sheep.map((one, i) => ({ id: i + 1, kind: one.kind, cell: cellName(at(one.x, one.y)), home: one.home })),
    ready: world.moving === 0 && world.cheer === 0 && world.tired === 0,
    barks_left: world.left,
    metrics: { barks: world.barks, begun_again: world.again },
  };
}

// ---- the picture ----

const middle = (x, y) => ({ x: LEFT + (x + 0.5) * CELL, y: TOP + (y + 0.5) * CELL });

function draw(pen, world) {
  meadow(pen, world);
  board(pen, world);
  sideNotes(pen, world);
  for (const place of Object.keys(world.field.clover)) clover(pen, middle(place % COLUMNS, Math.floor(place / COLUMNS)));
  for (const [place, kind] of Object.entries(world.field.solid)) if (kind === "hedge") hedge(pen, middle(place % COLUMNS, Math.floor(place / COLUMNS)), Number(place));
  for (const [kind, place] of Object.entries(world.field.folds)) fold(pen, world, kind, middle(place % COLUMNS, Math.floor(place / COLUMNS)));
  if (world.hover && free(world.field, world.sheep, world.hover.x, world.hover.y)) {
    pen.frame(LEFT + world.hover.x * CELL + 4, TOP + world.hover.y * CELL + 4, CELL - 8, CELL - 8, "rgba(255,255,255,.75)", 3, 14);
  }
  if (world.dog) dog(pen, middle(world.dog.x, world.dog.y), world);
  for (const one of [...world.sheep].sort((a, b) => a.shownY - b.shownY)) {
    const moved = one.shownX !== one.x || one.shownY !== one.y;
    if (one.home && !moved) continue;
    sheep(pen, middle(one.shownX, one.shownY), one, world.steps);
  }
  for (const ring of world.rings) {
    const colour = ring.good ? "#fff6d8" : pen.theme.bad;
    pen.context.globalAlpha = Math.min(1, ring.left / 18);
    pen.ring(ring.x, ring.y, 88 - ring.left * 1.8, colour, 4);
    pen.text(ring.word, ring.x, Math.max(128, ring.y - 50), { size: 22, bold: true, colour, shadow: "rgba(30,60,20,.9)" });
    pen.context.globalAlpha = 1;
  }
  if (world.moving === 0 && world.cheer > 0) banner(pen, "All home!", pen.theme.good);
  if (world.moving === 0 && world.tired > 0) banner(pen, "The dog is tired: the same field again", pen.theme.bad);
}

function banner(pen, words, colour) {
  pen.rect(330, 330, 620, 90, pen.theme.panel, 24);
  pen.text(words, 640, 376, { size: 30, bold: true, colour });
}

function meadow(pen, world) {
  pen.sky("#a9cf6a", "#8fbd58", "#79ab4e");
  for (const tuft of world.tufts) {
    const { x, y } = tuft;
    if (tuft.kind < 3) {
      pen.line([[x - 4, y - 6], [x, y], [x + 1, y - 9]], "rgba(60,105,40,.45)", 2);
      pen.line([[x, y], [x + 5, y - 6]], "rgba(60,105,40,.45)", 2);
    } else if (tuft.kind === 3) {
      for (let i = 0; i < 5; i += 1) pen.circle(x + Math.sin(i * 1.257) * 4, y + Math.cos(i * 1.257) * 4, 2.4, "rgba(255,255,255,.8)");
      pen.circle(x, y, 2.2, "#f4c542");
    } else pen.circle(x, y, 2.4, "rgba(240,205,80,.8)");
  }
}

function board(pen) {
  const wide = COLUMNS * CELL;
  const high = ROWS * CELL;
  for (let y = 0; y < ROWS; y += 1) {
    for (let x = 0; x < COLUMNS; x += 1) {
      pen.rect(LEFT + x * CELL, TOP + y * CELL, CELL, CELL, (x + y) % 2 ? "rgba(255,255,210,.2)" : "rgba(40,90,30,.1)");
    }
  }
  // a fence of planks around it
  for (const y of [TOP - 9, TOP + high + 1]) pen.rect(LEFT - 9, y, wide + 18, 8, "#7d5a35", 3);
  for (const x of [LEFT - 9, LEFT + wide + 1]) pen.rect(x, TOP - 9, 8, high + 18, "#7d5a35", 3);
  for (let x = 0; x <= COLUMNS; x += 1) for (const y of [TOP - 5, TOP + high + 5]) pen.rect(LEFT + x * CELL - 5, y - 9, 10, 18, "#96703f", 3);
  for (let y = 0; y <= ROWS; y += 1) for (const x of [LEFT - 5, LEFT + wide + 5]) pen.rect(x - 6, TOP + y * CELL - 9, 12, 18, "#96703f", 3);
  for (let x = 0; x < COLUMNS; x += 1) pen.text("abcdefghij"[x], LEFT + (x + 0.5) * CELL, TOP + high + 32, { size: 20, bold: true, colour: "#2f4a1e" });
  for (let y = 0; y < ROWS; y += 1) pen.text(String(y + 1), LEFT - 30, TOP + (y + 0.5) * CELL, { size: 20, bold: true, colour: "#2f4a1e" });
}

function hedge(pen, { x, y }, seed) {
  pen.rect(x - 37, y - 30, 74, 70, "rgba(35,60,25,.4)", 22);
  for (let i = 0; i < 7; i += 1) {
    const a = i * 2.4 + seed;
    pen.circle(x + Math.sin(a) * 17, y + Math.cos(a) * 15 - 2, 21, i % 2 ? "#3f6f37" : "#376331");
  }
  for (let i = 0; i < 9; i += 1) {
    const a = i * 1.9 + seed * 3;
    pen.circle(x + Math.sin(a) * (8 + i * 2.4), y + Math.cos(a) * (6 + i * 2.2) - 6, 5, "#5d9150");
  }
  if (seed % 3 === 0) for (const [dx, dy] of [[-14, -8], [10, 6], [18, -14]]) pen.circle(x + dx, y + dy, 4, "#e9a3c0");
}

function clover(pen, { x, y }) {
  pen.circle(x, y, 32, "rgba(60,130,60,.35)");
  for (const [dx, dy] of [[-15, -8], [14, -12], [0, 12], [-18, 16], [19, 13], [0, -20]]) {
    for (let i = 0; i < 3; i += 1) pen.circle(x + dx + Math.sin(i * 2.09) * 5, y + dy + Math.cos(i * 2.09) * 5, 5.2, "#2f8a4a");
    pen.circle(x + dx, y + dy - 7, 4.5, "#d98ad0");
  }
}

function fold(pen, world, kind, { x, y }) {
  const white = kind === "white";
  const inside_ = world.sheep.filter((one) => one.home && one.kind === kind && one.x === one.shownX && one.y === one.shownY);
  pen.rect(x - 39, y - 39, 78, 78, white ? "#f3ead2" : "#3a3346", 10);
  pen.shape([[x - 39, y - 12], [x, y - 46], [x + 39, y - 12]], white ? "#c8553d" : "#6d5a8c");
  pen.line([[x - 39, y - 12], [x, y - 46], [x + 39, y - 12]], white ? "#9c3c29" : "#50406b", 5);
  pen.rect(x - 22, y - 6, 44, 44, "#1f160f", 8);
  inside_.forEach((one, i) => face(pen, x - 10 + (i % 2) * 20, y + 12 + Math.floor(i / 2) * 14, kind, 0.62));
}

function face(pen, x, y, kind, scale) {
  const wool = kind === "white" ? "#fbf8ee" : "#39323f";
  const skin = kind === "white" ? "#4a3f3a" : "#d7c3a5";
  pen.circle(x, y - 8 * scale, 13 * scale, wool);
  pen.at(x, y, (c) => {
    c.fillStyle = skin;
    c.beginPath();
    c.ellipse(0, 3, 9, 12, 0, 0, Math.PI * 2);
    c.ellipse(-12, -2, 7, 3.6, -0.4, 0, Math.PI * 2);
    c.ellipse(12, -2, 7, 3.6, 0.4, 0, Math.PI * 2);
    c.fill();
  }, { scale });
  for (const side of [-1, 1]) {
    pen.circle(x + side * 4 * scale, y, 2.8 * scale, "#fff");
    pen.circle(x + side * 4 * scale, y + 0.6, 1.5 * scale, "#111");
  }
}

function sheep(pen, { x, y }, one, steps) {
  const hop = Math.abs(Math.sin(one.hop * 0.5)) * 12;
  const white = one.kind === "white";
  const wool = white ? "#f7f3e6" : "#3c3543";
  const shade = white ? "#dcd4bf" : "#2a2431";
  pen.at(x, y + 30, (c) => {
    c.fillStyle = "rgba(30,50,20,.35)";
    c.beginPath();
    c.ellipse(0, 0, 30, 8, 0, 0, Math.PI * 2);
    c.fill();
  });
  const up = y - hop + Math.sin(steps * 0.05 + one.x) * 1.2;
  for (const dx of [-16, -6, 8, 17]) pen.rect(x + dx - 3, up + 12, 6, 17, white ? "#4a3f3a" : "#c9b596", 3);
  for (const [dx, dy, r] of [[-18, 4, 13], [18, 4, 13], [0, 8, 16], [-10, -8, 14], [10, -8, 14]]) pen.circle(x + dx, up + dy + 2, r, shade);
  for (const [dx, dy, r] of [[-17, 2, 12], [17, 2, 12], [0, 4, 16], [-10, -9, 13], [10, -9, 13], [0, -6, 14]]) pen.circle(x + dx, up + dy, r, wool);
  face(pen, x, up + 2, one.kind, 1);
}

function dog(pen, { x, y }, world) {
  const wag = Math.sin(world.steps * 0.3) * 6;
  pen.line([[x + 16, y + 18], [x + 30, y + 4 + wag * 0.4], [x + 34, y - 6 + wag]], "#b5651d", 7);
  pen.rect(x - 18, y + 2, 36, 30, "#b5651d", 14);
  pen.rect(x - 9, y + 10, 18, 22, "#f6e6cc", 8);
  pen.circle(x, y - 10, 18, "#b5651d");
  pen.shape([[x - 18, y - 18], [x - 24, y - 2], [x - 10, y - 8]], "#7a4212");
  pen.shape([[x + 18, y - 18], [x + 24, y - 2], [x + 10, y - 8]], "#7a4212");
  pen.rect(x - 7, y - 14, 14, 20, "#f6e6cc", 7);
  pen.circle(x, y - 2, 4, "#222");
  for (const side of [-1, 1]) pen.circle(x + side * 8, y - 13, 2.6, "#1b120a");
  pen.rect(x - 13, y + 6, 26, 6, "#d8403a", 3);
}

function sideNotes(pen, world) {
  const x = 104;
  pen.rect(14, 110, 182, 352, pen.theme.panel, 16);
  pen.text("Barks left", x, 136, { size: 19 });
  pen.text(String(world.left), x, 174, { size: 46, bold: true, colour: world.left <= 2 ? pen.theme.bad : pen.theme.accent });
  for (let i = 0; i < world.most; i += 1) pen.circle(x + ((i % 6) - 2.5) * 24, 214 + Math.floor(i / 6) * 20, 7, i < world.left ? pen.theme.accent : "rgba(255,255,255,.15)");
  face(pen, 44, 282, "white", 1);
  pen.text("runs away", 72, 276, { size: 18, align: "left" });
  pen.text("from the dog", 72, 298, { size: 15, align: "left" });
  if ("black" in world.field.folds) {
    face(pen, 44, 344, "black", 1);
    pen.text("comes up", 72, 338, { size: 18, align: "left" });
    pen.text("to the dog", 72, 360, { size: 15, align: "left" });
  }
  if (Object.keys(world.field.clover).length) {
    clover(pen, { x: 44, y: 412 });
    pen.text("stops", 86, 404, { size: 18, align: "left" });
    pen.text("every sheep", 86, 426, { size: 15, align: "left" });
  }
  pen.rect(14, 478, 182, 92, pen.theme.panel, 16);
  pen.text("Press R", x, 506, { size: 19, bold: true, colour: pen.theme.accent });
  pen.text("to begin this", x, 530, { size: 15 });
  pen.text("field again", x, 550, { size: 15 });
  const home = world.sheep.filter((one) => one.home).length;
  pen.rect(1084, 110, 182, 110, pen.theme.panel, 16);
  pen.text("In the folds", 1175, 138, { size: 19 });
  pen.text(`${home} of ${world.sheep.length}`, 1175, 182, { size: 36, bold: true, colour: pen.theme.good });
}

startGame({
  id: "puzzle/curious-flock",
  title: "Curious Flock",
  how: ["Click a cell: the dog barks, the nearest sheep on each side hear.", "White sheep run away from the dog, black sheep run up to it.", "They stop only at hedges, sheep and clover. Bring all home."],
  levels: 5,
  theme: { accent: "#ffe08a", panel: "rgba(38,58,28,.9)", good: "#c6f29a", bad: "#ffb09c" },
  create,
  step,
  draw,
  over,
  state,
  hud: (world, level) => [["Fields done", world.done], ["Level", level]],
});
