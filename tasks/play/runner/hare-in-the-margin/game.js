// Hare in the Margin: a painted hare runs along three lines of an old manuscript and gathers gold leaf.

import { startGame } from "/base/game.js";

const LINES = [232, 400, 568]; // where the hare's feet are, by line
const HARE_X = 230;
const HALF_HARE = 22;
const CHANGE_STEPS = 12; // from one line to the next
const HOP_STEPS = 30;
const HOP_HEIGHT = 96;
const HURT_STEPS = 60; // after a hit: nothing hurts, and the hare is slower
const SEEN = 1100; // pixels ahead of the hare
const FASTEST = 13;
const SPEEDING = 0.00022; // pixels per step more, for each pixel run
const MAX_HITS = 2;
const SPILT = 5; // leaves lost by a stumble
// By level: pixels per step at first, steps between two rows of things, and what may stand in a row.
const PAGES = [
  { speed: 6.5, apart: 48, kinds: ["blot", "hole"], both: 0.15 },
  { speed: 7, apart: 44, kinds: ["blot", "hole", "quill"], both: 0.3 },
  { speed: 7.5, apart: 40, kinds: ["blot", "hole", "quill", "snail"], both: 0.45 },
  { speed: 8, apart: 37, kinds: ["blot", "hole", "quill", "quill", "snail"], both: 0.6 },
  { speed: 8.5, apart: 34, kinds: ["blot", "hole", "quill", "quill", "snail"], both: 0.75 },
];
const WIDTH = { blot: 64, hole: 110, quill: 34, snail: 62, gold: 30 };
const SNAIL_SPEED = 1.6; // it comes towards the hare

function create({ level, random }) {
  const page = PAGES[level - 1];
  const world = {
    page, random, steps: 0, run: 0, speed: page.speed, line: 1, from: 1, changing: 0, hop: 0, hurt: 0, hits: 0, gold: 0,
    things: [], nextRow: 900, goldLine: 1, words: [], count: 0, ink: Array.from({ length: 60 }, () => random.whole(0, 5)),
  };
  fill(world);
  return world;
}

// Rows of things, as far as can be seen and a little more.
function fill(world) {
  while (world.nextRow < world.run + 1700) {
    const speed = speedAt(world, world.nextRow);
    row(world, world.nextRow);
    const room = speed * world.page.apart;
    leaves(world, world.nextRow + room * 0.34, room * 0.16);
    world.nextRow += room;
  }
}

const speedAt = (world, run) => Math.min(FASTEST, world.page.speed + run * SPEEDING);

// One line of the three is always free.
function row(world, at) {
  const { random, page } = world;
  const free = random.whole(0, 2);
  const others = random.shuffled([0, 1, 2].filter((line) => line !== free));
  const blocked = random.chance(page.both) ? 2 : 1;
  for (const line of others.slice(0, blocked)) {
    const kind = random.pick(page.kinds);
    add(world, kind, line, at);
    if (kind !== "quill" && kind !== "snail" && random.chance(0.5)) add(world, "gold", line, at, HOP_HEIGHT - 8);
  }
}

// Three leaves of gold on one line, most often another than before.
function leaves(world, at, apart) {
  const { random } = world;
  world.goldLine = random.pick(random.chance(0.75) ? [0, 1, 2].filter((line) => line !== world.goldLine) : [0, 1, 2]);
  for (let i = 0; i < 3; i += 1) add(world, "gold", world.goldLine, at + i * apart, 30);
}

function add(world, kind, line, at, height = 0) {
  world.count += 1;
  world.things.push({ id: world.count, kind, line, at, height, speed: kind === "snail" ? SNAIL_SPEED : 0, gone: false });
}

function step(world, input) {
  world.steps += 1;
  const full = speedAt(world, world.run);
  if (world.hurt > 0) world.hurt -= 1;
  world.speed = full * (world.hurt > 0 ? 0.7 : 1);
  world.run += world.speed;
  move(world, input);
  for (const thing of world.things) {
    if (thing.at - world.run < SEEN) thing.at -= thing.speed;
    touch(world, thing);
  }
  world.things = world.things.filter((thing) => !thing.gone && thing.at > world.run - 420);
  for (const word of world.words) word.left -= 1;
  world.words = world.words.filter((word) => word.left > 0);
  fill(world);
}

function move(world, input) {
  if (world.changing > 0) world.changing -= 1;
  if (world.hop > 0) world.hop -= 1;
  if (world.changing > 0 || world.hop > 0) return;
  const by = (input.pressed("ArrowDown") ? 1 : 0) - (input.pressed("ArrowUp") ? 1 : 0);
  const to = world.line + by;
  if (by !== 0 && to >= 0 && to <= 2) {
    world.from = world.line;
    world.line = to;
    world.changing = CHANGE_STEPS;
  } else if (input.pressed("Space")) {
    world.hop = HOP_STEPS;
  }
}

// The line the hare is on: the old one for the first half of a change.
const lineNow = (world) => (world.changing > CHANGE_STEPS / 2 ? world.from : world.line);
const heightNow = (world) => Math.sin((world.hop / HOP_STEPS) * Math.PI) * HOP_HEIGHT;

function touch(world, thing) {
  if (thing.gone || thing.line !== lineNow(world)) return;
  if (Math.abs(thing.at - world.run) > WIDTH[thing.kind] / 2 + (thing.kind === "hole" ? -8 : HALF_HARE)) return;
  const height = heightNow(world);
  if (thing.kind === "gold") {
    if (Math.abs(thing.height - 30 - height) > 48) return;
    thing.gone = true;
    world.gold += 1;
    say(world, "+1", true, 22, thing.height);
    return;
  }
  const over = { blot: 30, hole: 6, snail: 44, quill: 400 }[thing.kind];
  if (world.hurt > 0 || height > over) return;
  world.hits += 1;
  world.hurt = HURT_STEPS;
  const spilt = Math.min(SPILT, world.gold);
  world.gold -= spilt;
  const what = { blot: "An ink blot!", hole: "A hole in the page!", snail: "A snail!", quill: "A quill!" }[thing.kind];
  say(world, spilt ? `${what}  -${spilt}` : what, false, 60, 60);
}

function say(world, text, good, left, height) {
  world.words.push({ text, good, left, most: left, y: LINES[lineNow(world)] - height - 30 });
}

function over(world) {
  if (world.hits < MAX_HITS) return null;
  return { outcome: "fail", reason: `The hare has stumbled twice. Gold leaf: ${world.gold}` };
}

const round = (value) => Math.round(value * 10) / 10;

function state(world) {
  return {
    score: world.gold,
    progress: Math.min(1, Math.round((world.gold / 74) * 1000) / 1000),
    player: {
      line: world.line, from: world.from, changing: world.changing, hop: world.hop, hurt: world.hurt, speed: round(world.speed),
      full_speed: round(speedAt(world, world.run)), distance: round(world.run),
    },
    entities: world.things
      .filter((thing) => thing.at > world.run - 60 && thing.at < world.run + SEEN)
      .map(({ id, kind, line, at, height, speed }) => ({ id, kind, line, ahead: round(at - world.run), width: WIDTH[kind], height, speed })),
    metrics: { hits: world.hits, distance: Math.round(world.run) },
  };
}

// ---- the picture ----

const INK = "#3b2417";
const RED = "#a8322a";
const BLUE = "#2e4f8a";
const LEAF = "#4d7a4a";

function draw(pen, world) {
  parchment(pen, world);
  for (const border of [{ y: 106, up: 1 }, { y: 690, up: -1 }]) vine(pen, world, border);
  capitals(pen, world);
  LINES.forEach((y, line) => script(pen, world, y, line));
  const inFront = world.things.filter((thing) => thing.at - world.run < 1200);
  for (const thing of inFront) drawThing(pen, world, thing, thing.at - world.run + HARE_X);
  hare(pen, world);
  for (const word of world.words) {
    pen.context.globalAlpha = Math.min(1, word.left / 16);
    const colour = word.good ? "#9a6a00" : RED;
    if (!word.good) pen.ring(HARE_X, word.y + 50, 100 - word.left, RED, 5);
    pen.text(word.text, HARE_X + 40, word.y - (word.most - word.left) * 0.7, { size: word.good ? 24 : 30, bold: true, colour, align: "left" });
    pen.context.globalAlpha = 1;
  }
}

function parchment(pen, world) {
  pen.fill(pen.vertical(0, 720, "#ead9b0", "#f3e7c6", "#f1e2bd", "#dcc593"));
  for (let i = 0; i < 46; i += 1) {
    const x = ((i * 197 - world.run) % 1400 + 1400) % 1400 - 60;
    const y = 70 + ((i * 83) % 620);
    pen.line([[x, y], [x + 24 + (i % 5) * 9, y + (i % 3) - 1]], "rgba(140,100,50,.13)", 2);
  }
  pen.rect(0, 0, 1280, 70, pen.vertical(0, 70, "#6b4a2c", "#8a6338"));
  pen.rect(0, 66, 1280, 6, "#c9a24a");
  pen.rect(0, 712, 1280, 8, "#c9a24a");
}

// A vine with leaves and berries along the upper and the lower edge of the page.
function vine(pen, world, { y, up }) {
  const c = pen.context;
  const shift = world.run % 160;
  c.strokeStyle = LEAF;
  c.lineWidth = 3;
  c.beginPath();
  for (let x = -160; x <= 1440; x += 8) {
    const wave = y + Math.sin(((x + 160) / 160) * Math.PI * 2) * 11;
    if (x === -160) c.moveTo(x - shift, wave);
    else c.lineTo(x - shift, wave);
  }
  c.stroke();
  for (let i = -1; i < 10; i += 1) {
    const x = i * 160 - shift;
    leaf(c, x + 40, y + 12, 0.5 * up);
    leaf(c, x + 120, y - 12, -0.5 * up);
    pen.circle(x + 84, y + 12 * up, 5.5, RED);
    pen.circle(x + 4, y - 13 * up, 5.5, BLUE);
    pen.circle(x + 82, y + 10 * up, 1.8, "#f6d9c0");
    pen.circle(x + 2, y - 15 * up, 1.8, "#d8e4ff");
  }
}

function leaf(c, x, y, turn) {
  c.save();
  c.translate(x, y);
  c.rotate(turn);
  c.fillStyle = "#6f9a5c";
  c.beginPath();
  c.moveTo(-16, 0);
  c.quadraticCurveTo(0, -13, 16, 0);
  c.quadraticCurveTo(0, 13, -16, 0);
  c.fill();
  c.restore();
}

// Painted capital letters pass by behind the lines.
function capitals(pen, world) {
  for (let i = -1; i < 3; i += 1) {
    const first = Math.floor(world.run / 700) + i;
    const x = first * 700 - world.run + 420;
    const y = LINES[((first % 2) + 2) % 2] + 46;
    const back = first % 3 ? BLUE : RED;
    pen.context.globalAlpha = 0.5;
    pen.rect(x, y, 78, 78, "#c9a24a", 6);
    pen.rect(x + 5, y + 5, 68, 68, back, 4);
    for (const [dx, dy] of [[16, 16], [62, 16], [16, 62], [62, 62]]) pen.ring(x + dx, y + dy, 7, "#e9cf86", 2);
    pen.text("AHMPSTQ"[((first % 7) + 7) % 7], x + 39, y + 42, { size: 50, bold: true, colour: "#f3d98b" });
    pen.context.globalAlpha = 1;
  }
}

// Handwriting under the hare's feet: short strokes in words, one path for the whole line.
function script(pen, world, y, line) {
  const c = pen.context;
  const holes = world.things.filter((thing) => thing.kind === "hole" && thing.line === line).map((thing) => thing.at);
  const begin = Math.floor((world.run - HARE_X) / 11) - 2;
  const open = (at) => holes.some((hole) => Math.abs(hole - at) < WIDTH.hole / 2 + 6);
  c.strokeStyle = INK;
  c.lineWidth = 4;
  c.lineCap = "butt";
  c.beginPath();
  for (let i = begin; i < begin + 124; i += 1) {
    const at = i * 11;
    const kind = world.ink[(((i * 7 + line * 13) % 60) + 60) % 60];
    if (open(at) || (i + line * 3) % 11 === 0) continue;
    const x = at - world.run + HARE_X;
    c.moveTo(x, y + 8 - (kind === 1 ? 5 : 0));
    c.lineTo(x, y + 27 + (kind === 0 ? 9 : 0));
    if (kind > 2) {
      c.moveTo(x - 1, y + 9);
      c.lineTo(x + 9, y + 12);
    }
    if (kind === 5) {
      c.moveTo(x, y + 26);
      c.lineTo(x + 9, y + 23);
    }
  }
  c.stroke();
  c.strokeStyle = "rgba(168,50,42,.55)"; // the ruled line
  c.lineWidth = 2.5;
  c.beginPath();
  for (let x = -20; x < 1300; x += 10) {
    const at = x + world.run - HARE_X;
    if (open(at + 5)) continue;
    c.moveTo(x, y + 3);
    c.lineTo(x + 10.5, y + 3);
  }
  c.stroke();
}

function drawThing(pen, world, thing, x) {
  const y = LINES[thing.line];
  const c = pen.context;
  if (thing.kind === "gold") {
    const lift = Math.sin(world.steps * 0.08 + thing.id) * 3;
    pen.at(x, y - thing.height + lift, () => {
      pen.shape([[0, -19], [14, 0], [0, 19], [-14, 0]], "#8a5c00");
      pen.shape([[0, -15], [11, 0], [0, 15], [-11, 0]], "#f5c430");
      pen.shape([[0, -15], [0, 15], [-11, 0]], "#ffe58a");
    });
  } else if (thing.kind === "blot") {
    c.fillStyle = "#16121c";
    c.beginPath();
    c.ellipse(x, y - 8, 33, 17, 0, 0, Math.PI * 2);
    c.ellipse(x - 14, y - 20, 15, 13, 0, 0, Math.PI * 2);
    c.ellipse(x + 12, y - 22, 17, 15, 0, 0, Math.PI * 2);
    c.fill();
    for (const [dx, dy, r] of [[-40, -4, 5], [42, -12, 6], [30, -40, 4], [-26, -40, 4]]) pen.circle(x + dx, y + dy, r, "#16121c");
    pen.circle(x + 8, y - 27, 4, "#6f6a86");
  } else if (thing.kind === "hole") {
    c.fillStyle = "#b08a50";
    hole(c, x, y, 62, 34);
    c.fillStyle = "#2a1a10";
    hole(c, x, y, 54, 28);
  } else if (thing.kind === "quill") {
    quill(pen, x, y);
  } else {
    snail(pen, world, x, y);
  }
}

function hole(c, x, y, wide, high) {
  c.beginPath();
  for (let i = 0; i <= 14; i += 1) {
    const a = (i / 14) * Math.PI * 2;
    const far = 1 + Math.sin(i * 5.4) * 0.11 * (i % 14 ? 1 : 0);
    c.lineTo(x + Math.cos(a) * wide * far, y + 14 + Math.sin(a) * high * far);
  }
  c.fill();
}

function quill(pen, x, y) {
  pen.shape([[x - 3, y + 8], [x - 12, y - 40], [x - 26, y - 92], [x - 10, y - 134], [x + 20, y - 156], [x + 24, y - 106], [x + 14, y - 50]], "#f9f4ea");
  pen.shape([[x + 1, y - 30], [x + 6, y - 90], [x + 20, y - 156], [x + 24, y - 106], [x + 14, y - 50]], "#bcd0ea");
  pen.line([[x - 26, y - 92], [x - 10, y - 134], [x + 20, y - 156], [x + 24, y - 106], [x + 14, y - 50]], INK, 2.5);
  pen.line([[x - 26, y - 92], [x - 12, y - 40]], INK, 2.5);
  for (let i = 0; i < 5; i += 1) pen.line([[x + 1 + i * 2.4, y - 52 - i * 20], [x - 17 + i * 2, y - 66 - i * 18]], "rgba(59,36,23,.45)", 2);
  pen.line([[x - 2, y + 10], [x + 2, y - 46], [x + 12, y - 120]], INK, 4);
  pen.shape([[x - 6, y - 6], [x + 3, y - 8], [x - 2, y + 12]], "#16121c");
}

function snail(pen, world, x, y) {
  const c = pen.context;
  const wave = Math.sin(world.steps * 0.16) * 2;
  c.fillStyle = "#b98a4c";
  c.beginPath();
  c.roundRect(x - 38, y - 14, 70 + wave, 16, 8);
  c.fill();
  pen.line([[x - 32, y - 10], [x - 38, y - 30 + wave]], "#b98a4c", 7);
  pen.line([[x - 38, y - 30 + wave], [x - 46, y - 42 + wave]], INK, 2.5);
  pen.line([[x - 36, y - 30 + wave], [x - 34, y - 44 + wave]], INK, 2.5);
  pen.circle(x + 6, y - 28, 25, RED);
  pen.ring(x + 6, y - 28, 25, INK, 3);
  c.strokeStyle = "#f3d98b";
  c.lineWidth = 4;
  c.beginPath();
  for (let i = 0; i <= 26; i += 1) {
    const a = i * 0.46;
    c.lineTo(x + 6 + Math.cos(a) * (20 - i * 0.72), y - 28 + Math.sin(a) * (20 - i * 0.72));
  }
  c.stroke();
}

function hare(pen, world) {
  const share = world.changing / CHANGE_STEPS;
  const arc = Math.sin(share * Math.PI) * 26;
  const y = LINES[world.line] + (LINES[world.from] - LINES[world.line]) * share - arc - heightNow(world);
  const inAir = world.hop > 0 || world.changing > 0;
  const stride = inAir ? 0.9 : Math.sin(world.run * 0.035);
  const lean = inAir ? Math.cos((world.hop / HOP_STEPS) * Math.PI) * -0.25 : stride * 0.07;
  if (!inAir) pen.at(HARE_X, y + 2, () => pen.rect(-34, -3, 68, 6, "rgba(60,36,20,.25)", 3));
  pen.at(HARE_X, y - 38, (c) => {
    const fur = "#b5652f";
    const leg = (x, swing, long) => {
      pen.line([[x, 10], [x + swing * 14, 24], [x + swing * 30, 22 + long]], INK, 11);
      pen.line([[x, 10], [x + swing * 14, 24], [x + swing * 30, 22 + long]], fur, 7);
    };
    leg(-24, -stride, 14);
    leg(22, stride, 14);
    oval(c, -4, 0, 42, 22, INK);
    oval(c, -4, 0, 39, 19, fur);
    oval(c, 0, 9, 26, 9, "#f3dfc0");
    oval(c, -44, -8, 10, 9, INK);
    oval(c, -44, -8, 7.5, 6.5, "#fbf3e2");
    for (const [tilt, paint] of [[-0.75, "#9c5426"], [-0.45, fur]]) {
      c.save();
      c.translate(36, -26);
      c.rotate(tilt - stride * 0.1);
      oval(c, 0, -28, 9, 30, INK);
      oval(c, 0, -28, 6.5, 27, paint);
      oval(c, 1, -26, 3, 18, "#e9b7a0");
      c.restore();
    }
    oval(c, 42, -18, 21, 17, INK);
    oval(c, 42, -18, 18, 14, fur);
    oval(c, 52, -12, 9, 7, "#f3dfc0");
    pen.circle(47, -22, 3.6, "#1c120c");
    pen.circle(48.2, -23.2, 1.3, "#fff");
    pen.circle(60, -14, 2.8, "#7a2c22");
    leg(-16, stride, 14);
    leg(16, -stride, 14);
    c.fillStyle = BLUE; // a small scarf, so that the hare is not lost among brown ink
    c.beginPath();
    c.roundRect(22, -14, 13, 22, 6);
    c.fill();
    pen.line([[24, -2], [6 - world.speed, -12 - stride * 4], [-8 - world.speed, -8 + stride * 5]], BLUE, 7);
  }, { turn: lean, alpha: world.hurt > 0 && world.hurt % 10 < 5 ? 0.45 : 1 });
}

function oval(c, x, y, wide, high, colour) {
  c.fillStyle = colour;
  c.beginPath();
  c.ellipse(x, y, wide, high, 0, 0, Math.PI * 2);
  c.fill();
}

startGame({
  id: "runner/hare-in-the-margin",
  title: "Hare in the Margin",
  how: ["Up and Down leap to another line of the page, Space hops.", "Hop over blots, holes and snails. Quills are too tall.", "Gather gold leaf. The second stumble ends the run."],
  levels: 5,
  theme: { accent: "#f5c430", good: "#8fe3a2", bad: "#ffb09a", panel: "rgba(48,28,16,.92)", ink: "#fbf1da" },
  create,
  step,
  draw,
  over,
  state,
  hud: (world, level) => [["Gold leaf", world.gold], ["Stumbles", `${world.hits} of ${MAX_HITS}`], ["Speed", world.speed.toFixed(1)], ["Level", level]],
});
