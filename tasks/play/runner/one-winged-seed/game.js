// One-Winged Seed: a maple seed whirls down between two trunks and drinks dew, past branches, webs and wrens.

import { startGame } from "/base/game.js";

const LEFT = 190; // the trunks
const RIGHT = 1090;
const SEED_Y = 190; // where the seed is in the picture
const SEED = 20; // half its size
const SLANT = 1.15; // sideways for each pixel of fall
const FOLDED = 1.7; // so much faster with the wing folded
const BEND = 0.3; // how fast it gets into its new way
const FASTEST = 5.4;
const SPEEDING = 0.00011; // pixels per step more, for each pixel of fall
const HURT_STEPS = 50;
const MAX_TEARS = 3;
const BOUGH = 14; // half the thickness of a branch
const REACH = { dew: 34, web: 62, wren: 40 }; // nearer than this, and it is touched
const SEEN = 540; // pixels below the seed
const DOTS = 9; // of the line that shows the way
// By level: speed of the fall, pixels between two rows, width of the gap, and what else is in the air.
const FALLS = [
  { speed: 2.8, apart: 300, gap: 330, webs: 0, wrens: 0, wind: 0 },
  { speed: 3.1, apart: 290, gap: 300, webs: 0.4, wrens: 0, wind: 0 },
  { speed: 3.4, apart: 280, gap: 280, webs: 0.4, wrens: 0.25, wind: 0 },
  { speed: 3.7, apart: 275, gap: 262, webs: 0.4, wrens: 0.35, wind: 0.3 },
  { speed: 4.0, apart: 270, gap: 246, webs: 0.45, wrens: 0.45, wind: 0.4 },
];

function create({ level, random }) {
  const world = {
    fall: FALLS[level - 1], random, steps: 0, depth: 0, x: 640, side: random.pick([-1, 1]), drift: 0, folded: false, speed: FALLS[level - 1].speed,
    dew: 0, tears: 0, hurt: 0, rows: 0, nextRow: 440, gap: 640, things: [], words: [], count: 0,
    leaves: Array.from({ length: 22 }, () => ({ x: random.between(0, 1280), y: random.between(0, 900), pace: random.between(0.25, 0.8), hue: random.whole(0, 3) })),
  };
  fill(world);
  return world;
}

// Rows of branches, as far as can be seen and a little more.
function fill(world) {
  const { random, fall } = world;
  while (world.nextRow < world.depth + SEEN + 700) {
    const before = world.gap;
    const away = random.between(90, 235) * random.pick([-1, 1]);
    const half = fall.gap / 2;
    world.gap = before + away;
    if (world.gap < LEFT + half + 30 || world.gap > RIGHT - half - 30) world.gap = before - away;
    world.gap = Math.round(world.gap);
    const at = world.nextRow;
    const middle = at - fall.apart / 2;
    if (world.rows > 0) between(world, middle, before);
    add(world, "branch", at, { x: LEFT, to: world.gap - half });
    add(world, "branch", at, { x: world.gap + half, to: RIGHT });
    add(world, "dew", at, { x: world.gap + random.whole(-1, 1) * (half - 64) });
    world.rows += 1;
    world.nextRow += fall.apart;
  }
}

// What hangs, flies and blows between two rows.
function between(world, middle, before) {
  const { random, fall } = world;
  const way = (before + world.gap) / 2;
  const far = random.pick([-1, 1]) * random.whole(40, 150);
  const dew = Math.max(LEFT + 60, Math.min(RIGHT - 60, way + far));
  add(world, "dew", middle, { x: Math.round(dew) });
  if (random.chance(fall.webs)) {
    const web = way + (way > 640 ? -1 : 1) * random.whole(190, 300);
    add(world, "web", middle, { x: Math.round(web) });
  } else if (random.chance(fall.wrens)) {
    add(world, "wren", middle + random.whole(-30, 30), { x: random.whole(LEFT + 60, RIGHT - 60), speed: random.pick([-1, 1]) * 1.8 });
  } else if (random.chance(fall.wind)) {
    add(world, "wind", middle, { x: 640, speed: random.pick([-1, 1]) * 1.5, half: 80 });
  }
}

function add(world, kind, at, more) {
  world.count += 1;
  world.things.push({ id: world.count, kind, at, speed: 0, gone: false, ...more });
}

const speedAt = (world, depth) => Math.min(FASTEST, world.fall.speed + depth * SPEEDING);

function step(world, input) {
  world.steps += 1;
  if (world.hurt > 0) world.hurt -= 1;
  world.speed = speedAt(world, world.depth);
  if (input.pressed("Space")) {
    world.side = -world.side;
    world.words.push({ left: 14, most: 14, x: world.x, depth: world.depth });
  }
  world.folded = input.held("ArrowDown");
  const wanted = world.folded ? 0 : world.side * SLANT * world.speed;
  world.drift += (wanted - world.drift) * BEND;
  world.x += world.drift + windAt(world, world.depth);
  world.depth += world.speed * (world.folded ? FOLDED : 1);
  if (world.x < LEFT + SEED || world.x > RIGHT - SEED) {
    world.x = Math.max(LEFT + SEED, Math.min(RIGHT - SEED, world.x));
    world.side = world.x < 640 ? 1 : -1;
    world.drift = 0;
  }
  for (const thing of world.things) {
    if (thing.kind === "wren" && thing.at - world.depth < SEEN) fly(thing);
    touch(world, thing);
  }
  world.things = world.things.filter((thing) => !thing.gone && thing.at > world.depth - 300);
  for (const word of world.words) word.left -= 1;
  world.words = world.words.filter((word) => word.left > 0);
  for (const one of world.leaves) {
    one.y -= world.speed * one.pace;
    if (one.y < -30) one.y += 800;
  }
  fill(world);
}

function fly(wren) {
  wren.x += wren.speed;
  if (wren.x < LEFT + 30 || wren.x > RIGHT - 30) wren.speed = -wren.speed;
}

function windAt(world, depth) {
  const wind = world.things.find((thing) => thing.kind === "wind" && Math.abs(thing.at - depth) < thing.half);
  return wind ? wind.speed : 0;
}

function touches(world, thing) {
  const down = thing.at - world.depth;
  if (thing.kind === "branch") return Math.abs(down) < BOUGH + SEED - 4 && world.x > thing.x - SEED + 6 && world.x < thing.to + SEED - 6;
  return Math.hypot(thing.x - world.x, down) < REACH[thing.kind];
}

function touch(world, thing) {
  if (thing.gone || thing.kind === "wind" || !touches(world, thing)) return;
  if (thing.kind === "dew") {
    thing.gone = true;
    world.dew += 1;
    world.words.push({ text: "+1", good: true, left: 26, most: 26, x: thing.x, depth: thing.at });
  } else if (world.hurt === 0) {
    world.tears += 1;
    world.hurt = HURT_STEPS;
    const what = { branch: "A branch!", web: "A web!", wren: "A wren!" }[thing.kind];
    world.words.push({ text: `${what} Tear ${world.tears} of ${MAX_TEARS}`, good: false, left: 60, most: 60, x: world.x, depth: world.depth });
  }
}

function over(world) {
  if (world.tears < MAX_TEARS) return null;
  return { outcome: "fail", reason: `The wing is torn. Drops of dew: ${world.dew}` };
}

const round = (value) => Math.round(value * 100) / 100;

function state(world) {
  return {
    score: world.dew,
    progress: Math.min(1, round(world.dew / 60)),
    player: { x: round(world.x), side: world.side, drift: round(world.drift), depth: round(world.depth), speed: round(world.speed), hurt: world.hurt },
    entities: world.things
      .filter((thing) => thing.at > world.depth - 90 && thing.at < world.depth + SEEN)
      .map(({ id, kind, at, x, to = 0, speed, half = 0 }) => ({ id, kind, below: round(at - world.depth), x: round(x), to: round(to), speed, half })),
    metrics: { tears: world.tears, rows: world.things.length ? Math.floor(world.depth / world.fall.apart) : 0 },
  };
}

// ---- the picture ----

const FOLIAGE = ["#e2703a", "#c9452f", "#efa23c", "#a83a3f"];

function draw(pen, world) {
  backdrop(pen, world);
  const shown = world.things.filter((thing) => thing.at - world.depth < 620);
  for (const thing of shown) if (thing.kind === "wind") wind(pen, world, thing);
  trunks(pen, world);
  for (const thing of shown) if (thing.kind === "branch") branch(pen, thing, placeOf(world, thing.at));
  for (const thing of shown) {
    const y = placeOf(world, thing.at);
    if (thing.kind === "dew") dew(pen, world, thing.x, y);
    if (thing.kind === "web") web(pen, thing.x, y);
    if (thing.kind === "wren") wren(pen, world, thing, y);
  }
  way(pen, world);
  seed(pen, world);
  for (const word of world.words) drawWord(pen, world, word);
}

const placeOf = (world, at) => at - world.depth + SEED_Y;

// The forest behind: dusk, a low sun, far trunks that pass by more slowly.
function backdrop(pen, world) {
  const low = Math.min(1, world.depth / 9000);
  pen.sky("#24485c", "#3f7a80", "#7fae94", "#e8c98a", "#e09a63");
  pen.glow(600, 590 - low * 120, 330, "rgba(255,190,110,.6)", 0.6);
  pen.circle(600, 590 - low * 120, 62, "#fff1cd");
  for (const [pace, colour, width, apart] of [[0.12, "rgba(40,84,92,.32)", 34, 170], [0.24, "rgba(28,62,74,.42)", 52, 262]]) {
    for (let i = 0; i < 8; i += 1) {
      const x = 120 + i * apart + (i % 3) * 34;
      pen.rect(x, 0, width, 720, colour);
      for (let k = 0; k < 3; k += 1) {
        const y = ((((k * 331 + i * 127 - world.depth * pace) % 960) + 960) % 960) - 120;
        const out = i % 2 ? 1 : -1;
        const edge = x + width / 2 + (out * width) / 2;
        pen.shape([[edge, y + 44], [edge + out * 40, y + 12], [edge + out * 78, y - 6], [edge + out * 42, y + 24], [edge, y + 68]], colour);
      }
    }
  }
  for (const one of world.leaves) {
    const x = one.x + Math.sin(world.steps * 0.02 + one.y * 0.02) * 22;
    pen.at(x, one.y, (c) => leaf(c, 0, 0, 10, FOLIAGE[one.hue], 0), { turn: world.steps * 0.02 + one.x, alpha: 0.5 });
  }
}

function trunks(pen, world) {
  for (const side of [-1, 1]) {
    const inner = side < 0 ? LEFT : RIGHT;
    const outer = side < 0 ? 0 : 1280;
    const c = pen.context;
    const paint = c.createLinearGradient(outer, 0, inner, 0);
    paint.addColorStop(0, "#1c1517");
    paint.addColorStop(0.75, "#3f2a26");
    paint.addColorStop(1, "#6d4636");
    pen.rect(Math.min(inner, outer), 0, Math.abs(inner - outer), 720, paint);
    for (let i = 0; i < 40; i += 1) {
      const x = outer - side * (14 + ((i * 47) % 168));
      const y = ((((i * 137 - world.depth) % 900) + 900) % 900) - 120;
      const bend = ((i * 29) % 17) - 8;
      pen.line([[x, y], [x + bend, y + 38], [x, y + 84]], i % 3 ? "rgba(12,8,9,.5)" : "rgba(170,112,78,.28)", 4);
    }
    for (let i = 0; i < 5; i += 1) {
      const y = ((((i * 251 + 90 - world.depth) % 1250) + 1250) % 1250) - 150;
      const x = inner + side * 22;
      pen.circle(x, y, 20, "#4d6b3a");
      pen.circle(x + side * 18, y + 14, 15, "#5f8044");
      pen.circle(x + side * 4, y + 22, 11, "#7a9a52");
    }
    pen.rect(side < 0 ? inner - 5 : inner, 0, 5, 720, "rgba(255,196,130,.35)");
  }
}

function branch(pen, thing, y) {
  const fromLeft = thing.x === LEFT;
  const root = fromLeft ? thing.x - 14 : thing.to + 14;
  const tip = fromLeft ? thing.to : thing.x;
  const out = fromLeft ? 1 : -1;
  const long = Math.abs(tip - root);
  if (long < 6) return;
  pen.shape([[root, y - 32], [root + out * Math.min(46, long), y - 15], [tip - out * 6, y - 11], [tip, y], [tip - out * 6, y + 10], [root + out * Math.min(60, long), y + 15], [root, y + 36]], "#2c1c1a");
  pen.shape([[root, y - 29], [root + out * Math.min(46, long), y - 13], [tip - out * 8, y - 9], [tip - out * 10, y - 2], [root + out * 40, y - 2], [root, y + 2]], "#7a4e3a");
  for (let i = 0; i * 62 < long - 40; i += 1) { // leaves hang from the branch, within what hurts
    const x = root + out * (54 + i * 62);
    const sort = (thing.id * 5 + i * 3) % 4;
    leaf(pen.context, x, y + ((i * 7) % 9) - 3, 21, FOLIAGE[sort], (i % 2 ? 0.5 : -0.4) + (i % 3) * 0.5);
  }
  leaf(pen.context, tip - out * 14, y - 2, 20, FOLIAGE[thing.id % 4], out * 1.9);
}

// A maple leaf: half of its outline, from the tip to the stalk.
const LOBES = [[0, -1], [0.17, -0.6], [0.42, -0.72], [0.36, -0.3], [0.98, -0.42], [0.76, -0.06], [0.92, 0.2], [0.36, 0.34], [0.08, 0.46]];

function leaf(c, x, y, size, colour, turn) {
  c.save();
  c.translate(x, y);
  c.rotate(turn);
  c.scale(size, size);
  c.fillStyle = colour;
  c.beginPath();
  for (const [right, down] of LOBES) c.lineTo(right, down);
  c.lineTo(0.05, 1);
  c.lineTo(-0.05, 1);
  for (const [right, down] of [...LOBES].reverse()) c.lineTo(-right, down);
  c.fill();
  c.restore();
}

function dew(pen, world, x, y) {
  const swing = Math.sin(world.steps * 0.08 + x) * 2;
  pen.glow(x, y, 40, "rgba(170,235,255,.9)", 0.55);
  const c = pen.context;
  c.fillStyle = "#bdf0ff";
  c.beginPath();
  c.moveTo(x, y - 21 + swing);
  c.bezierCurveTo(x + 6, y - 8 + swing, x + 14, y + swing, x + 14, y + 6 + swing);
  c.arc(x, y + 6 + swing, 14, 0, Math.PI);
  c.bezierCurveTo(x - 14, y + swing, x - 6, y - 8 + swing, x, y - 21 + swing);
  c.fill();
  c.strokeStyle = "#2b7f9c";
  c.lineWidth = 2;
  c.stroke();
  oval(c, x - 5, y + 4 + swing, 3, 6, "#ffffff");
}

function web(pen, x, y) {
  const size = REACH.web - SEED + 4;
  pen.circle(x, y, size, "rgba(236,240,255,.2)");
  for (let i = 0; i < 8; i += 1) {
    const turn = (i * Math.PI) / 4 + 0.2;
    pen.line([[x, y], [x + Math.cos(turn) * (size + 6), y + Math.sin(turn) * (size + 6)]], "rgba(255,255,255,.75)", 1.5);
  }
  for (const share of [0.35, 0.68, 1]) {
    const points = Array.from({ length: 9 }, (_, i) => [x + Math.cos((i * Math.PI) / 4 + 0.2) * size * share, y + Math.sin((i * Math.PI) / 4 + 0.2) * size * share]);
    pen.line(points, "rgba(255,255,255,.85)", 2);
  }
  for (const side of [-1, 1]) {
    for (const leg of [-7, -2, 3, 8]) pen.line([[x, y], [x + side * 11, y + leg - 4], [x + side * 17, y + leg + 3]], "#241a2b", 2);
  }
  pen.circle(x, y + 4, 8, "#241a2b");
  pen.circle(x, y - 5, 5, "#241a2b");
  pen.line([[x - 3, y + 4], [x + 3, y + 4]], "#e0b84e", 3);
}

function wren(pen, world, thing, y) {
  const out = thing.speed > 0 ? 1 : -1;
  const beat = Math.sin(world.steps * 0.45) * 20;
  for (let i = 1; i < 4; i += 1) pen.circle(thing.x - out * (34 + i * 13), y, 4 - i * 0.7, "rgba(255,255,255,.5)");
  pen.at(thing.x, y, (c) => {
    c.scale(out, 1);
    pen.shape([[-18, -2], [-36, -20], [-28, 2]], "#5b3724");
    oval(c, 0, 0, 23, 16, "#3a2318");
    oval(c, 0, 0, 21, 14, "#96603a");
    oval(c, 3, 6, 15, 8, "#e8cda4");
    pen.circle(18, -9, 11, "#96603a");
    pen.line([[12, -14], [24, -14]], "#f3e2c0", 3);
    pen.circle(21, -9, 2.8, "#120b0a");
    pen.shape([[27, -11], [40, -6], [27, -5]], "#f0b440");
    pen.shape([[-10, -4], [10, -4], [-6, -12 - beat]], "#6d4228");
    pen.shape([[-6, -4], [6, -4], [-3, -8 - beat * 0.8]], "#b98150");
  });
}

function wind(pen, world, { at, half, speed }) {
  const y = placeOf(world, at);
  pen.rect(LEFT, y - half, RIGHT - LEFT, half * 2, "rgba(214,240,255,.16)");
  const out = Math.sign(speed);
  for (let i = 0; i < 15; i += 1) {
    const x = LEFT + ((((i * 173 + world.steps * speed * 3) % 830) + 830) % 830) + 30;
    const row = y - half + 14 + ((i * 47) % (half * 2 - 24));
    pen.line([[x - out * 34, row], [x, row]], "rgba(240,252,255,.65)", 3);
    pen.line([[x - out * 9, row - 7], [x, row], [x - out * 9, row + 7]], "rgba(240,252,255,.65)", 3);
  }
}

// Where the seed goes if nobody does anything: a dot for every ten steps.
function way(pen, world) {
  let { x, depth, drift, side } = world;
  for (let i = 1; i <= DOTS * 10; i += 1) {
    drift += (side * SLANT * world.speed - drift) * BEND;
    x += drift + windAt(world, depth);
    depth += world.speed;
    if (x < LEFT + SEED || x > RIGHT - SEED) {
      x = Math.max(LEFT + SEED, Math.min(RIGHT - SEED, x));
      side = x < 640 ? 1 : -1;
      drift = 0;
    }
    if (i % 10 !== 0) continue;
    pen.circle(x, placeOf(world, depth), 7.5 - i * 0.03, `rgba(70,30,10,${0.8 - i / 180})`);
    pen.circle(x, placeOf(world, depth), 5.5 - i * 0.03, `rgba(255,176,66,${1 - i / 180})`);
  }
}

function seed(pen, world) {
  const blink = world.hurt > 0 && world.hurt % 10 < 5;
  const whirl = world.folded ? Math.PI / 2 + 0.35 : Math.sin(world.steps * 0.3) * 0.3;
  const wide = world.folded ? 0.55 : Math.cos(world.steps * 0.3) * 0.35 + 0.8;
  pen.glow(world.x, SEED_Y, 62, "rgba(255,226,140,.8)", 0.7);
  pen.at(world.x, SEED_Y, (c) => {
    c.rotate(whirl * -1);
    c.scale(world.side, 1);
    c.fillStyle = "#5c3414"; // the wing, first its edge
    wing(c, wide, 2.5);
    c.fillStyle = "#f5cf72";
    wing(c, wide, 0);
    for (let i = 0; i < 4; i += 1) pen.line([[4, -2 - i], [(18 + i * 7) * wide, -9 - i * 5]], "#c58a3a", 1.6);
    for (let i = 0; i < world.tears; i += 1) pen.shape([[(16 + i * 9) * wide, -30], [(21 + i * 9) * wide, -13], [(25 + i * 9) * wide, -31]], "#4b1f1f");
    oval(c, -2, 3, 14, 11, "#5c3414");
    oval(c, -2, 3, 12, 9, "#b5743a");
    oval(c, -5, 0, 4, 3, "#e3ab6a");
  }, { alpha: blink ? 0.35 : 1 });
}

function wing(c, wide, edge) {
  c.beginPath();
  c.moveTo(-4, 4 + edge);
  c.bezierCurveTo(4, -14 - edge, 26 * wide, -36 - edge, (46 + edge) * wide, -26 - edge);
  c.bezierCurveTo((52 + edge) * wide, -14, 28 * wide, 6 + edge, 4, 8 + edge);
  c.fill();
}

function drawWord(pen, world, word) {
  const y = placeOf(world, word.depth);
  const gone = word.most - word.left;
  pen.context.globalAlpha = Math.min(1, word.left / 14);
  if (!word.text) pen.ring(word.x, y, 20 + gone * 2, "#fff2c4", 3);
  else if (word.good) {
    pen.ring(word.x, y, 14 + gone * 1.6, "#bdf0ff", 3);
    pen.text(word.text, word.x + 34, y - gone * 0.6, { size: 26, bold: true, colour: "#e4faff", shadow: "rgba(0,30,40,.8)" });
  } else {
    pen.ring(world.x, SEED_Y, 24 + gone * 1.5, "#ff5a4a", 5);
    const x = Math.max(380, Math.min(900, world.x));
    pen.text(word.text, x, SEED_Y - 66, { size: 30, bold: true, colour: "#ffd0c4", shadow: "rgba(60,0,0,.9)" });
  }
  pen.context.globalAlpha = 1;
}

function oval(c, x, y, wide, high, colour) {
  c.fillStyle = colour;
  c.beginPath();
  c.ellipse(x, y, wide, high, 0, 0, Math.PI * 2);
  c.fill();
}

startGame({
  id: "runner/one-winged-seed",
  title: "One-Winged Seed",
  how: ["Space turns the seed around. Down folds the wing: a straight drop.", "Drink the dew. Keep off branches, webs and wrens.", "The third tear in the wing ends the fall."],
  levels: 5,
  theme: { accent: "#ffc766", good: "#bdf0ff", bad: "#ff9d84", panel: "rgba(30,20,24,.88)", ink: "#fbeedb" },
  create,
  step,
  draw,
  over,
  state,
  hud: (world, level) => [["Dew", world.dew], ["Tears", `${world.tears} of ${MAX_TEARS}`], ["Speed", world.speed.toFixed(1)], ["Level", level]],
});
