// Drizzle and Dot: a cloud rains on beanstalks, a ladybird climbs them and gathers the last stars before dawn.

import { startGame } from "/base/game.js";

const GROUND = 640;
const RIM = 606; // of the pots: where a beanstalk begins
const POTS = [180, 400, 880, 1100];
const KETTLE = 640;
const PLATE = 46; // how near to the kettle Dot stands on its bellows
const CLOUD_Y = 138;
const CLOUD_SPEED = 5;
const RAIN_REACH = 70;
const RAIN_COST = 0.34; // percent of the water in a step
const STEAM = 1.1;
const GROWTH = 1.8; // pixels in a step
const TALLEST = 380;
const LEAF = 64; // half the width of the leaf on top
const WALK = 4;
const CLIMB = 3;
const HOP = 9;
const FALL = 0.5;
const GLIDE = 3; // Dot never falls faster than that
const CATCH = 44;
const MAX_LOST = 5;
// By level: how fast beanstalks wilt, how long stars last, how many there are at once, how strong the wind is.
const SKIES = [
  { wilt: 0.25, lasts: 1500, stars: 3, wind: 0 },
  { wilt: 0.35, lasts: 1400, stars: 3, wind: 0 },
  { wilt: 0.45, lasts: 1300, stars: 3, wind: 0.5 },
  { wilt: 0.55, lasts: 1250, stars: 3, wind: 0.8 },
  { wilt: 0.65, lasts: 1350, stars: 3, wind: 1.1 },
];
const WIND_STEPS = 420;

function create({ level, random }) {
  const world = {
    random, sky: SKIES[level - 1], steps: 0, caught: 0, lost: 0, rained: 0, steamed: 0, count: 0, stars: [], next: 0, words: [],
    cloud: { x: 520, water: 60, raining: false, filling: false }, wind: 0,
    dot: { x: 640, feet: GROUND, up: 0, on: "ground", pot: -1, face: 1 },
    pots: POTS.map((x) => ({ x, height: 0 })),
    far: Array.from({ length: 70 }, () => ({ x: random.between(0, 1280), y: random.between(60, 400), size: random.between(0.6, 1.7) })),
  };
  for (let i = 0; i < world.sky.stars; i += 1) rise(world, i * 200);
  return world;
}

// A star comes out over a pot that has none.
function rise(world, longer = 0) {
  const { random } = world;
  const free = POTS.map((_, i) => i).filter((i) => !world.stars.some((star) => star.pot === i));
  const pot = random.pick(free);
  world.count += 1;
  world.stars.push({
    id: world.count, pot, x: POTS[pot] + random.whole(-85, 85), height: random.whole(190, 370), left: world.sky.lasts + longer, most: world.sky.lasts + longer,
  });
}

function step(world, input) {
  world.steps += 1;
  if (world.sky.wind && world.steps % WIND_STEPS === 1) world.wind = world.random.pick([-1, 1]) * world.sky.wind * world.random.between(0.5, 1);
  drift(world, input);
  walk(world, input);
  shine(world);
  for (const word of world.words) word.left -= 1;
  world.words = world.words.filter((word) => word.left > 0);
}

function drift(world, input) {
  const { cloud, dot, sky } = world;
  cloud.x = Math.max(70, Math.min(1210, cloud.x + CLOUD_SPEED * input.axis("a", "d") + world.wind));
  cloud.raining = input.held("s") && cloud.water > 0;
  if (cloud.raining) {
    cloud.water = Math.max(0, cloud.water - RAIN_COST);
    world.rained += 1;
  }
  for (const pot of world.pots) {
    const wet = cloud.raining && Math.abs(cloud.x - pot.x) <= RAIN_REACH;
    pot.height = Math.max(0, Math.min(TALLEST, pot.height + (wet ? GROWTH : -sky.wilt)));
  }
  world.steam = dot.on === "ground" && Math.abs(dot.x - KETTLE) <= PLATE;
  cloud.filling = world.steam && Math.abs(cloud.x - KETTLE) <= RAIN_REACH && cloud.water < 100;
  if (cloud.filling) {
    cloud.water = Math.min(100, cloud.water + STEAM);
    world.steamed += 1;
  }
}

const leafY = (world, i) => RIM - world.pots[i].height;

function walk(world, input) {
  const { dot } = world;
  const way = input.axis("ArrowLeft", "ArrowRight");
  if (way) dot.face = way;
  const stalk = POTS.findIndex((x, i) => Math.abs(dot.x - x) < 26 && dot.feet > leafY(world, i) + 1);
  if (stalk >= 0 && input.held("ArrowUp") && !(dot.on === "air" && dot.up < 0)) climb(world, stalk);
  else if (dot.on === "stalk" && !way) dot.feet = Math.max(dot.feet, leafY(world, dot.pot));
  else move(world, way, input.pressed("ArrowUp"));
}

function climb(world, pot) {
  const { dot } = world;
  dot.x += (POTS[pot] - dot.x) * 0.2;
  dot.feet = Math.max(leafY(world, pot), dot.feet - CLIMB);
  dot.up = 0;
  dot.pot = pot;
  dot.on = dot.feet <= leafY(world, pot) ? "leaf" : "stalk";
}

function move(world, way, hops) {
  const { dot } = world;
  dot.x = Math.max(30, Math.min(1250, dot.x + WALK * way));
  if (dot.on === "leaf") {
    dot.feet = leafY(world, dot.pot);
    if (Math.abs(dot.x - POTS[dot.pot]) > LEAF) dot.on = "air";
  } else if (dot.on === "stalk") {
    dot.on = "air";
  }
  if (hops && (dot.on === "leaf" || dot.on === "ground")) {
    dot.up = -HOP;
    dot.on = "air";
  }
  if (dot.on !== "air") return;
  const before = dot.feet;
  dot.up = Math.min(GLIDE, dot.up + FALL);
  dot.feet += dot.up;
  const leaf = POTS.findIndex((x, i) => Math.abs(dot.x - x) <= LEAF && dot.up > 0 && before <= leafY(world, i) + 4 && dot.feet >= leafY(world, i));
  if (leaf >= 0) land(dot, "leaf", leafY(world, leaf), leaf);
  else if (dot.feet >= GROUND) land(dot, "ground", GROUND, -1);
}

function land(dot, on, feet, pot) {
  dot.on = on;
  dot.feet = feet;
  dot.pot = pot;
  dot.up = 0;
}

function shine(world) {
  const { dot } = world;
  for (const star of world.stars) {
    star.left -= 1;
    const y = RIM - star.height;
    if (Math.hypot(star.x - dot.x, y - (dot.feet - 20)) < CATCH) {
      star.caught = true;
      world.caught += 1;
      say(world, "A star!", true, star.x, y);
    } else if (star.left <= 0) {
      world.lost += 1;
      say(world, "It faded", false, star.x, y);
    }
  }
  world.stars = world.stars.filter((star) => !star.caught && star.left > 0);
  if (world.stars.length < world.sky.stars && world.next <= 0) world.next = 60;
  if (world.next > 0) {
    world.next -= 1;
    if (world.next === 0 && world.stars.length < world.sky.stars) rise(world);
  }
}

function say(world, text, good, x, y) {
  world.words.push({ text, good, x, y, left: 70 });
}

function over(world) {
  if (world.lost < MAX_LOST) return null;
  return { outcome: "fail", reason: `${MAX_LOST} stars have faded, and it is day. Caught: ${world.caught}` };
}

const round = (value) => Math.round(value * 10) / 10;

function state(world) {
  const { cloud, dot, sky } = world;
  return {
    score: world.caught,
    progress: Math.min(1, Math.round((world.caught / 9) * 1000) / 1000),
    player: { x: round(dot.x), height: round(RIM - dot.feet), on: dot.on, pot: dot.pot },
    cloud: { x: round(cloud.x), water: round(cloud.water), wind: Math.round(world.wind * 100) / 100 },
    pots: world.pots.map((pot) => ({ x: pot.x, height: round(pot.height) })),
    kettle: { x: KETTLE, steam: world.steam === true },
    sky: { wilt: sky.wilt, growth: GROWTH, cost: RAIN_COST },
    entities: world.stars.map(({ id, pot, x, height, left }) => ({ id, kind: "star", pot, x, height, left })),
    metrics: { lost: world.lost, rained: world.rained, steamed: world.steamed },
  };
}

// ---- the picture ----

function draw(pen, world) {
  dawn(pen, world);
  kettle(pen, world);
  world.pots.forEach((pot, i) => beanstalk(pen, world, pot, i));
  for (const star of world.stars) drawStar(pen, world, star);
  rain(pen, world);
  drizzle(pen, world);
  ladybird(pen, world);
  for (const word of world.words) {
    const colour = word.good ? "#fff3a6" : "#ff9d9d";
    pen.context.globalAlpha = Math.min(1, word.left / 25);
    pen.ring(word.x, word.y, 96 - word.left, colour, 4);
    pen.text(word.text, word.x, word.y - 44 - (70 - word.left) * 0.4, { size: 26, bold: true, colour, shadow: "rgba(20,10,50,.8)" });
    pen.context.globalAlpha = 1;
  }
}

// It gets lighter, and the sun rises, with every star that faded.
const DAWNS = [["#1d1b4c", "#4a3578", "#a45d8f", "#f0a088"], ["#26255c", "#5d4389", "#bd6f93", "#f6ae8c"], ["#343570", "#765698", "#d48497", "#fbc093"], ["#4a5088", "#9470a6", "#e79c9a", "#fed29c"], ["#6f86b8", "#b79ac0", "#f6bca6", "#ffe3ac"]];

function dawn(pen, world) {
  pen.sky(...DAWNS[Math.min(4, world.lost)]);
  for (const one of world.far) pen.circle(one.x, one.y, one.size, `rgba(255,255,255,${0.5 - world.lost * 0.1})`);
  const sun = 560 - world.lost * 34;
  pen.glow(1010, sun, 330, "rgba(255,214,140,.75)", 0.7);
  pen.circle(1010, sun, 46, "#fff0bf");
  hill(pen, [[0, 500], [200, 440], [420, 486], [640, 430], [900, 492], [1100, 446], [1280, 484]], "#7a4f86");
  hill(pen, [[0, 566], [180, 530], [380, 560], [600, 516], [820, 556], [1060, 520], [1280, 560]], "#5b3f77");
  for (const [x, y, size] of [[90, 540, 20], [130, 534, 26], [520, 530, 22], [566, 524, 28], [760, 546, 20], [1220, 545, 26], [1180, 536, 20]]) {
    pen.shape([[x - size * 0.5, y + 10], [x, y - size * 1.6], [x + size * 0.5, y + 10]], "#46336a");
  }
  if (world.wind) wind(pen, world);
  pen.rect(0, GROUND - 6, 1280, 86, pen.vertical(GROUND - 6, 720, "#3d6b52", "#28463f", "#1c2f33"));
  for (let i = 0; i < 64; i += 1) {
    const x = i * 20 + ((i * 7) % 11);
    pen.line([[x, GROUND - 4], [x + ((i % 3) - 1) * 4, GROUND - 13 - (i % 4) * 2]], "#55895f", 3);
  }
}

function hill(pen, points, colour) {
  const c = pen.context;
  c.fillStyle = colour;
  c.beginPath();
  c.moveTo(0, 720);
  c.lineTo(...points[0]);
  for (let i = 1; i < points.length; i += 1) {
    const [x, y] = points[i];
    const [px, py] = points[i - 1];
    c.bezierCurveTo((px + x) / 2, py, (px + x) / 2, y, x, y);
  }
  c.lineTo(1280, 720);
  c.fill();
}

function wind(pen, world) {
  const way = Math.sign(world.wind);
  for (let i = 0; i < 9; i += 1) {
    const x = ((((i * 173 + world.steps * world.wind * 5) % 1400) + 1400) % 1400) - 60;
    const y = 92 + ((i * 37) % 120);
    pen.line([[x, y], [x + 34 * way, y - 4], [x + 74 * way, y]], "rgba(255,255,255,.45)", 3);
    pen.line([[x + 62 * way, y - 8], [x + 74 * way, y], [x + 62 * way, y + 8]], "rgba(255,255,255,.45)", 3);
  }
}

function kettle(pen, world) {
  if (world.steam) {
    for (let i = 0; i < 12; i += 1) {
      const rise = (world.steps * 3 + i * 36) % 420;
      pen.circle(KETTLE + 30 + Math.sin(rise * 0.03 + i) * 16 - rise * 0.07, 566 - rise, 12 + rise * 0.045, `rgba(255,255,255,${0.5 - rise * 0.001})`);
    }
  }
  pen.rect(KETTLE - 50, GROUND - 2, 100, 12, world.steam ? "#ffe08a" : "#c9a25c", 6); // the plate of the bellows
  pen.rect(KETTLE - 58, GROUND + 8, 116, 8, "#5a3f2a", 4);
  pen.shape([[KETTLE - 30, 632], [KETTLE - 22, 592], [KETTLE + 22, 592], [KETTLE + 30, 632]], "#4d4a60");
  pen.rect(KETTLE - 14, 606, 28, 20, world.steam ? "#ffb14a" : "#7b3f34", 8);
  const c = pen.context;
  c.fillStyle = "#d9784a";
  c.beginPath();
  c.ellipse(KETTLE, 572, 30, 24, 0, 0, Math.PI * 2);
  c.fill();
  pen.line([[KETTLE + 22, 574], [KETTLE + 36, 560]], "#d9784a", 9);
  pen.line([[KETTLE - 20, 556], [KETTLE - 22, 536], [KETTLE + 18, 536], [KETTLE + 18, 556]], "#3b3348", 5);
  pen.circle(KETTLE, 546, 5, "#3b3348");
  pen.line([[KETTLE - 16, 564], [KETTLE - 8, 556]], "#f6b48c", 4);
}

function beanstalk(pen, world, pot, i) {
  const c = pen.context;
  const top = RIM - pot.height;
  const bend = (up) => Math.sin(up * 0.02 + i * 2) * Math.min(12, up * 0.08) * (1 - up / Math.max(1, pot.height));
  if (pot.height > 3) {
    c.strokeStyle = "#2f7a4a";
    c.lineWidth = 11;
    c.lineCap = "round";
    c.beginPath();
    for (let up = 0; up <= pot.height; up += 8) c.lineTo(pot.x + bend(up), RIM - up);
    c.stroke();
    c.strokeStyle = "#5fb868";
    c.lineWidth = 4;
    c.stroke();
    for (let up = 34, k = 0; up < pot.height - 20; up += 44, k += 1) {
      const side = k % 2 ? 1 : -1;
      frond(c, pot.x + bend(up), RIM - up, side, 30, k % 3 ? "#4ca35c" : "#67bb62");
    }
  }
  c.fillStyle = "#2f7a4a";
  c.beginPath();
  c.ellipse(pot.x, top + 8, LEAF + 4, 13, 0, 0, Math.PI * 2);
  c.fill();
  c.fillStyle = "#79cf6e";
  c.beginPath();
  c.ellipse(pot.x, top + 4, LEAF, 10, 0, 0, Math.PI * 2);
  c.fill();
  pen.line([[pot.x - LEAF + 12, top + 4], [pot.x + LEAF - 12, top + 4]], "#b6eb94", 2.5);
  pen.shape([[pot.x - 38, RIM + 2], [pot.x + 38, RIM + 2], [pot.x + 28, GROUND + 14], [pot.x - 28, GROUND + 14]], "#b3573a");
  pen.rect(pot.x - 44, RIM - 2, 88, 13, "#d2724c", 5);
  pen.line([[pot.x - 22, RIM + 20], [pot.x - 18, GROUND + 6]], "rgba(255,220,190,.35)", 5);
}

function frond(c, x, y, side, size, colour) {
  c.fillStyle = colour;
  c.beginPath();
  c.moveTo(x, y);
  c.quadraticCurveTo(x + side * size * 0.5, y - size * 0.7, x + side * size, y - size * 0.25);
  c.quadraticCurveTo(x + side * size * 0.5, y + size * 0.2, x, y);
  c.fill();
}

function drawStar(pen, world, star) {
  const y = RIM - star.height + Math.sin(world.steps * 0.05 + star.id) * 3;
  const share = star.left / star.most;
  const late = share < 0.3;
  pen.glow(star.x, y, 66, late ? "rgba(255,150,130,.8)" : "rgba(255,240,160,.85)", 0.5 + share * 0.5);
  const points = Array.from({ length: 10 }, (_, i) => {
    const far = i % 2 ? 10 : 23;
    return [star.x + Math.sin((i * Math.PI) / 5) * far, y - Math.cos((i * Math.PI) / 5) * far];
  });
  pen.shape(points, late ? "#ffc2a8" : "#fff0a0");
  pen.line([...points, points[0]], "#e09a3a", 2.5);
  pen.circle(star.x - 5, y - 2, 2.2, "#6b4a2a");
  pen.circle(star.x + 5, y - 2, 2.2, "#6b4a2a");
  const c = pen.context; // how long it will still shine
  c.strokeStyle = "rgba(20,14,50,.5)";
  c.lineWidth = 5;
  c.beginPath();
  c.arc(star.x, y, 32, 0, Math.PI * 2);
  c.stroke();
  c.strokeStyle = late ? "#ff7f6b" : "#ffffff";
  c.beginPath();
  c.arc(star.x, y, 32, -Math.PI / 2, -Math.PI / 2 + Math.PI * 2 * share);
  c.stroke();
}

function rain(pen, world) {
  const { cloud } = world;
  if (!cloud.raining) return;
  const c = pen.context;
  c.strokeStyle = "rgba(190,225,255,.75)";
  c.lineWidth = 3;
  c.beginPath();
  for (let i = 0; i < 34; i += 1) {
    const x = cloud.x - 62 + ((i * 41) % 124);
    const y = 180 + ((world.steps * 11 + i * 67) % 440);
    c.moveTo(x, y);
    c.lineTo(x, y + 16);
  }
  c.stroke();
}

function drizzle(pen, world) {
  const { cloud } = world;
  const full = cloud.water / 100;
  const shade = (bright, dark) => Math.round(bright + (dark - bright) * full);
  const colour = `rgb(${shade(250, 150)},${shade(246, 176)},${shade(255, 222)})`;
  const y = CLOUD_Y + Math.sin(world.steps * 0.04) * 4;
  const size = 0.8 + full * 0.25;
  pen.at(cloud.x, y, () => {
    for (const [dx, dy, r] of [[-52, 14, 32], [52, 14, 32], [-22, -6, 42], [26, -10, 44], [0, 16, 44]]) pen.circle(dx, dy + 5, r, "rgba(60,50,110,.35)");
    for (const [dx, dy, r] of [[-52, 14, 30], [52, 14, 30], [-22, -6, 40], [26, -10, 42], [0, 16, 42]]) pen.circle(dx, dy, r, colour);
    pen.circle(20, -22, 20, "rgba(255,255,255,.35)");
    pen.circle(-18, 2, 5, "#2c2850");
    pen.circle(18, 2, 5, "#2c2850");
    pen.circle(-30, 14, 7, "rgba(255,150,170,.6)");
    pen.circle(30, 14, 7, "rgba(255,150,170,.6)");
    if (cloud.raining) pen.circle(0, 17, 6, "#2c2850");
    else pen.line([[-8, 14], [0, 19], [8, 14]], "#2c2850", 3);
  }, { scale: size });
  pen.bar(cloud.x - 48, y + 62, 96, 14, full, full < 0.2 ? "#ff8a80" : "#6fc3ff", "rgba(20,16,50,.6)");
  if (cloud.filling) pen.text("filling up", cloud.x, y + 92, { size: 18, bold: true, colour: "#d8efff", shadow: "rgba(20,16,50,.8)" });
}

function ladybird(pen, world) {
  const { dot } = world;
  const gliding = dot.on === "air" && dot.up > 0.5;
  const upright = dot.on === "stalk" ? -1.2 : 0;
  const pace = dot.on === "ground" || dot.on === "leaf" ? Math.sin(dot.x * 0.16) * 4 : Math.sin(world.steps * 0.4) * 3;
  pen.at(dot.x, dot.feet - 4, (c) => {
    c.scale(dot.face * 1.2, 1.2);
    for (const [x, swing] of [[-13, pace], [0, -pace], [12, pace]]) pen.line([[x, -6], [x + swing, 4]], "#2a1c2c", 5);
    if (gliding) {
      const flap = Math.sin(world.steps * 0.9) * 8;
      c.fillStyle = "rgba(235,245,255,.75)";
      c.beginPath();
      c.ellipse(-16, -38 + flap * 0.4, 30, 10, 0.5, 0, Math.PI * 2);
      c.fill();
    }
    pen.circle(20, -14, 12, "#2a1c2c");
    c.fillStyle = "#e23b3b";
    c.beginPath();
    c.arc(0, -6, 25, Math.PI, 0);
    c.closePath();
    c.fill();
    c.strokeStyle = "#2a1c2c";
    c.lineWidth = 3;
    c.stroke();
    for (const [x, y, r] of [[-12, -16, 5], [2, -23, 4.5], [8, -13, 4], [-3, -11, 4]]) pen.circle(x, y, r, "#2a1c2c");
    pen.circle(-8, -24, 3, "rgba(255,255,255,.7)");
    pen.circle(25, -17, 5, "#fff");
    pen.circle(26.5, -17, 2.6, "#2a1c2c");
    pen.line([[24, -26], [30, -36]], "#2a1c2c", 2.5);
    pen.line([[18, -26], [20, -37]], "#2a1c2c", 2.5);
    pen.circle(30, -36, 3, "#ffd257");
    pen.circle(20, -37, 3, "#ffd257");
  }, { turn: upright * dot.face });
}

startGame({
  id: "platformer/drizzle-and-dot",
  title: "Drizzle and Dot",
  how: ["Drizzle the cloud: A and D drift, S rains. Rain lifts the beanstalks.", "Dot the ladybird: arrow keys walk, Up climbs a stalk or hops.", "On the kettle's plate Dot makes steam, and steam fills the cloud."],
  levels: 5,
  theme: { accent: "#ffe68a", good: "#b9f2a0", bad: "#ffa6a0", panel: "rgba(32,24,70,.86)" },
  create,
  step,
  draw,
  over,
  state,
  hud: (world, level) => [["Stars", world.caught], ["Faded", `${world.lost} of ${MAX_LOST}`], ["Water", `${Math.round(world.cloud.water)}%`], ["Level", level]],
});
