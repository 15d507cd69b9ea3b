// Flower of Salt: a salter floods, covers and rakes the pans of a salt garden, by sun, rain and tide.

import { startGame } from "/base/game.js";
import { INK, flamingo, heap, icon, mat, mill, oval } from "./garden.js";

const PANS = { left: 196, top: 150, wide: 190, high: 176, columns: 4, rows: 3 };
const ROWS = [{ yields: 3, drying: 1.4 }, { yields: 4, drying: 1.15 }, { yields: 6, drying: 0.9 }];
const BARN = { x: 1120, y: 440, reach: 120 };
const WATCH = 100; // steps; four are a day
const WATCHES = ["Morning", "Noon", "Evening", "Night"];
const SUN = [1, 1.5, 1, 0.12];
const DRY_STEPS = 300; // of plain sun, until there is flower of salt
const COARSE = 1.5; // times as long, and it is coarse
const BITTER = 2.1;
const RAIN = 1 / 130; // of the way, lost in each step
const BARROW = 12;
const MATS = 4;
const PACE = 18; // pixels that the salter walks in a step
const MOST_ORDERS = 4;
const SEEN_WATCHES = 6;
const JOB_STEPS = { flood: 14, rake: 22, clear: 18, mat: 12, unload: 12 };
// The weather of a day: morning, noon, evening, night.
const DAYS = {
  fair: [["sun", "sun", "sun", "sun"]],
  hazy: [["cloud", "sun", "sun", "cloud"], ["sun", "cloud", "sun", "sun"], ["sun", "sun", "cloud", "cloud"]],
  shower: [["sun", "sun", "rain", "cloud"], ["cloud", "rain", "sun", "sun"], ["rain", "sun", "sun", "cloud"], ["sun", "sun", "cloud", "rain"]],
  storm: [["sun", "cloud", "rain", "rain"], ["rain", "rain", "sun", "sun"]],
};
// By level: baskets ordered, measures of the tide basin, and the days, which come in any order after the first.
const SEASONS = [
  { order: 24, basin: 12, days: ["fair", "fair", "hazy"] },
  { order: 38, basin: 10, days: ["fair", "fair", "hazy", "hazy"] },
  { order: 52, basin: 9, days: ["fair", "fair", "hazy", "hazy", "shower", "shower"] },
  { order: 58, basin: 8, days: ["fair", "fair", "hazy", "shower", "shower", "shower", "shower"] },
  { order: 65, basin: 7, days: ["fair", "fair", "hazy", "hazy", "shower", "shower", "shower", "storm"] },
];

function create({ level, random }) {
  const season = SEASONS[level - 1];
  const pans = Array.from({ length: PANS.columns * PANS.rows }, (_, i) => {
    const column = i % PANS.columns;
    const row = Math.floor(i / PANS.columns);
    return { name: `${"abcd"[column]}${row + 1}`, row, ...middle(column, row), content: "empty", dry: 0, mat: false, shine: random.whole(0, 99) };
  });
  return {
    season, pans, weather: forecast(random, season), steps: 0, stored: 0, barrow: 0, mats: MATS, basin: season.basin, orders: [],
    salter: { x: 1000, y: 470, facing: -1, busy: 0, walking: false }, words: [], spoiled: 0,
  };
}

const middle = (column, row) => ({ x: PANS.left + (column + 0.5) * PANS.wide, y: PANS.top + (row + 0.5) * PANS.high });

// All the weather of the season.
function forecast(random, { days }) {
  const order = [days[0], ...random.shuffled(days.slice(1))];
  return order.flatMap((day) => random.pick(DAYS[day]));
}

const watchOf = (world) => Math.floor(world.steps / WATCH);
const weatherNow = (world) => world.weather[Math.min(world.weather.length - 1, watchOf(world))];
const dayOf = (world) => Math.min(world.season.days.length, Math.floor(watchOf(world) / 4) + 1);

function step(world, input) {
  world.steps += 1;
  if (world.steps % (WATCH * 4) === 0) {
    world.basin = world.season.basin;
    say(world, "High tide", 98, 250, true);
  }
  listen(world, input.pointer.clicked);
  labour(world);
  for (const pan of world.pans) weathering(world, pan);
  for (const word of world.words) word.left -= 1;
  world.words = world.words.filter((word) => word.left > 0);
}

function weathering(world, pan) {
  if (pan.content !== "brine" || pan.mat) return;
  const weather = weatherNow(world);
  if (weather === "rain") pan.dry = Math.max(0, pan.dry - RAIN);
  else pan.dry = Math.min(BITTER + 0.2, pan.dry + ((weather === "cloud" ? 0.4 : 1) * SUN[watchOf(world) % 4] * ROWS[pan.row].drying) / DRY_STEPS);
}

// What a full pan would give.
function grade(pan) {
  if (pan.content !== "brine") return pan.content;
  if (pan.dry >= BITTER) return "bitter";
  if (pan.dry >= COARSE) return "coarse";
  return pan.dry >= 1 ? "flower" : "brine";
}

function listen(world, click) {
  if (!click) return;
  const pan = world.pans.find((one) => Math.abs(one.x - click.x) < PANS.wide / 2 && Math.abs(one.y - click.y) < PANS.high / 2);
  const atBarn = Math.hypot(click.x - BARN.x, click.y - BARN.y) < BARN.reach;
  if (!pan && !atBarn) return;
  const order = pan ? { pan, kind: click.button === "right" ? "mat" : "work" } : { pan: null, kind: "unload" };
  if (world.orders.some((one) => one.pan === order.pan && one.kind === order.kind)) say(world, "Ordered already", click.x, click.y, false);
  else if (world.orders.length >= MOST_ORDERS) say(world, "Four orders wait", click.x, click.y, false);
  else world.orders.push(order);
}

// The salter walks to the first order, works, and goes on to the next.
function labour(world) {
  const { salter } = world;
  const order = world.orders[0];
  salter.walking = false;
  if (!order) return;
  const goal = order.pan ? { x: order.pan.x, y: order.pan.y + 30 } : { x: BARN.x - 76, y: BARN.y + 60 };
  const far = Math.hypot(goal.x - salter.x, goal.y - salter.y);
  if (far > 1) {
    const share = Math.min(1, PACE / far);
    if (Math.abs(goal.x - salter.x) > 2) salter.facing = Math.sign(goal.x - salter.x);
    salter.x += (goal.x - salter.x) * share;
    salter.y += (goal.y - salter.y) * share;
    salter.walking = true;
    return;
  }
  const job = jobOf(order);
  salter.busy += 1;
  if (salter.busy < JOB_STEPS[job]) return;
  salter.busy = 0;
  world.orders.shift();
  DONE[job](world, order.pan);
}

function jobOf({ pan, kind }) {
  if (kind !== "work") return kind;
  return { empty: "flood", mud: "clear", brine: "rake" }[pan.content];
}

const DONE = {
  flood(world, pan) {
    if (pan.mat) return say(world, "A mat is on it", pan.x, pan.y, false);
    if (world.basin <= 0) return say(world, "The basin is dry", pan.x, pan.y, false);
    world.basin -= 1;
    pan.content = "brine";
    pan.dry = 0;
    return say(world, "Flooded", pan.x, pan.y, true);
  },
  clear(world, pan) {
    pan.content = "empty";
    say(world, "Cleared", pan.x, pan.y, true);
  },
  rake(world, pan) {
    if (pan.mat) return say(world, "A mat is on it", pan.x, pan.y, false);
    const found = grade(pan);
    pan.content = found === "brine" ? "mud" : "empty";
    pan.dry = 0;
    if (found === "brine" || found === "bitter") {
      world.spoiled += 1;
      return say(world, found === "brine" ? "Too early: mud!" : "Bitter: thrown away", pan.x, pan.y, false);
    }
    const given = found === "flower" ? ROWS[pan.row].yields : 1;
    const taken = Math.min(given, BARROW - world.barrow);
    world.barrow += taken;
    if (taken < given) return say(world, `Barrow full: +${taken}`, pan.x, pan.y, false);
    return say(world, found === "flower" ? `Flower of salt +${taken}` : "Coarse salt +1", pan.x, pan.y, true);
  },
  mat(world, pan) {
    if (!pan.mat && world.mats <= 0) return say(world, "No mat left", pan.x, pan.y, false);
    pan.mat = !pan.mat;
    world.mats += pan.mat ? -1 : 1;
    return say(world, pan.mat ? "Covered" : "Uncovered", pan.x, pan.y, true);
  },
  unload(world) {
    world.stored += world.barrow;
    say(world, world.barrow ? `Stored +${world.barrow}` : "The barrow is empty", BARN.x, BARN.y - 90, world.barrow > 0);
    world.barrow = 0;
  },
};

function say(world, text, x, y, good) {
  world.words.push({ text, x, y, good, left: 55, most: 55 });
}

function over(world) {
  const { order, days } = world.season;
  if (world.stored >= order) return { outcome: "success", reason: `The merchant has all the ${order} baskets.` };
  if (world.steps < days.length * 4 * WATCH) return null;
  return { outcome: "fail", reason: `The season is over. Stored: ${world.stored} of ${order}` };
}

const round = (value) => Math.round(value * 1000) / 1000;

function state(world) {
  const watch = watchOf(world);
  return {
    score: world.stored,
    progress: Math.min(1, round(world.stored / world.season.order)),
    player: { x: round(world.salter.x), y: round(world.salter.y), busy: world.salter.busy },
    entities: world.pans.map((pan) => ({
      id: pan.name, kind: "pan", content: grade(pan), dry: round(pan.dry), mat: pan.mat, yields: ROWS[pan.row].yields, drying: ROWS[pan.row].drying, x: pan.x, y: pan.y,
    })),
    orders: world.orders.map((order) => ({ kind: order.kind, pan: order.pan?.name ?? null })),
    day: dayOf(world), steps_left: world.season.days.length * 4 * WATCH - world.steps, watch: watch % 4, watch_left: WATCH - (world.steps % WATCH),
    weather: world.weather.slice(watch, watch + SEEN_WATCHES), order: world.season.order,
    barrow: world.barrow, barrow_room: BARROW - world.barrow, basin: world.basin, mats: world.mats,
    metrics: { spoiled: world.spoiled, day: dayOf(world), barrow: world.barrow },
  };
}

// ---- the picture ----

const HORIZON = 118;
const CLAY = "#c79a72";
const GOOD_SALT = "#5fbf6a";

function draw(pen, world) {
  land(pen, world);
  for (const pan of world.pans) drawPan(pen, world, pan);
  barn(pen, world);
  world.orders.forEach((order, i) => flag(pen, order, i + 1));
  drawSalter(pen, world);
  weatherOver(pen, world);
  board(pen, world);
  for (const word of world.words) drawWord(pen, word);
}

function land(pen, world) {
  const watch = watchOf(world);
  const weather = weatherNow(world);
  const night = watch % 4 === 3;
  const skies = { sun: ["#8fd3ea", "#d9f1ee"], cloud: ["#a9bcc8", "#dbe3e2"], rain: ["#71879a", "#a9b9c2"] }[weather];
  pen.rect(0, 0, 1280, HORIZON, pen.vertical(0, HORIZON, ...(night ? ["#39406e", "#8d7fa6"] : watch % 4 === 2 && weather === "sun" ? ["#f2a98f", "#fbe0b5"] : skies)));
  pen.rect(0, HORIZON - 22, 1280, 22, "#4fa3b5");
  for (let i = 0; i < 16; i += 1) pen.rect((i * 97 + world.steps * 0.3) % 1300 - 20, HORIZON - 17 + (i % 3) * 6, 34, 2, "rgba(255,255,255,.4)");
  pen.rect(0, HORIZON, 1280, 720 - HORIZON, pen.vertical(HORIZON, 720, "#dcc39a", "#e7cda6", "#d9b98d"));
  for (let i = 0; i < 70; i += 1) { // samphire on the banks
    const x = (i * 211) % 1280;
    const y = HORIZON + 18 + ((i * 137) % 590);
    const colour = i % 3 ? "#a9a55f" : "#c26a62";
    pen.line([[x, y], [x - 5, y - 9]], colour, 3);
    pen.line([[x, y], [x + 5, y - 10]], colour, 3);
  }
  basin(pen, world);
  pen.rect(PANS.left - 22, PANS.top - 16, PANS.wide * 4 + 44, PANS.high * 3 + 26, "#b98a62", 26);
  pen.rect(PANS.left - 16, PANS.top - 12, PANS.wide * 4 + 32, PANS.high * 3 + 16, CLAY, 22);
}

function basin(pen, world) {
  const share = world.basin / world.season.basin;
  pen.rect(22, 170, 130, 400, "#9c7350", 40);
  pen.rect(30, 178, 114, 384, "#7a5a44", 34);
  const high = 384 * share;
  if (high > 8) {
    pen.rect(30, 562 - high, 114, high, pen.vertical(562 - high, 562, "#7fd6d6", "#3a94ab"), Math.min(34, high / 2));
    for (let i = 0; i < 5; i += 1) {
      const y = 562 - high + 18 + i * 62;
      if (y < 545) pen.line([[52 + ((i * 29 + world.steps * 0.2) % 50), y], [72 + ((i * 29 + world.steps * 0.2) % 50), y]], "rgba(255,255,255,.6)", 3);
    }
  }
  pen.text("Tide basin", 87, 592, { size: 18, bold: true, colour: INK });
  pen.text(`${world.basin} of ${world.season.basin}`, 87, 618, { size: 20, bold: true, colour: "#14586b" });
  flamingo(pen, 58, 686, world.steps, 1);
  flamingo(pen, 130, 690, world.steps + 70, -1);
}

const mix = (from, to, share) => `rgb(${from.map((one, i) => Math.round(one + (to[i] - one) * share)).join(",")})`;

function brineColour(dry) {
  const stops = [[0, [98, 190, 198]], [0.2, [168, 186, 220]], [0.45, [236, 168, 184]], [0.95, [226, 116, 140]], [1.15, [250, 236, 238]], [COARSE, [244, 240, 226]], [BITTER, [170, 158, 140]], [9, [140, 130, 116]]];
  const i = stops.findIndex(([at]) => dry < at);
  const [low, from] = stops[Math.max(0, i - 1)];
  const [high, to] = stops[Math.max(1, i)];
  return mix(from, to, Math.max(0, Math.min(1, (dry - low) / (high - low))));
}

function drawPan(pen, world, pan) {
  const x = pan.x - 86;
  const y = pan.y - 80;
  const wide = 172;
  const high = 122;
  pen.rect(x, y, wide, high + 6, "#8f6748", 20);
  const floor = { empty: "#b08560", mud: "#6f4f3c" }[pan.content] ?? brineColour(pan.dry);
  pen.rect(x + 4, y + 5, wide - 8, high - 6, floor, 17);
  if (pan.content === "brine") brine(pen, world, pan, x, y);
  else for (let i = 0; i < 6; i += 1) pen.line([[x + 20 + i * 24, y + 26 + ((i * 31) % 60)], [x + 32 + i * 24, y + 34 + ((i * 31) % 60)], [x + 40 + i * 24, y + 28 + ((i * 31) % 60)]], pan.content === "mud" ? "#3f2b20" : "#96704f", 3);
  if (pan.content === "mud") pen.text("mud", pan.x, pan.y - 20, { size: 22, bold: true, colour: "#f2d9bd" });
  if (pan.mat) mat(pen, x, y, wide, high);
  pen.rect(x + 8, y + 8, 40, 26, "rgba(58,42,60,.78)", 8);
  pen.text(pan.name, x + 28, y + 22, { size: 17, bold: true });
  for (let i = 0; i < ROWS[pan.row].yields; i += 1) heap(pen.context, x + wide - 16 - i * 15, y + 26, 7);
  gauge(pen, pan, x, y + high + 12, wide);
}

function brine(pen, world, pan, x, y) {
  const ripe = grade(pan);
  for (let i = 0; i < 5; i += 1) {
    const at = x + 22 + ((i * 53 + pan.shine + world.steps * 0.15) % 120);
    pen.line([[at, y + 42 + i * 15], [at + 16, y + 42 + i * 15]], pan.dry < 1 ? "rgba(255,255,255,.5)" : "rgba(190,160,170,.35)", 2.5);
  }
  const crust = Math.max(0, Math.min(1, (pan.dry - 0.55) / 0.5));
  for (let i = 0; i < 26 * crust; i += 1) {
    const at = { x: x + 16 + ((i * i * 29 + i * 83 + pan.shine * 3) % 138), y: y + 40 + ((i * i * 13 + i * 47 + pan.shine) % 70) };
    pen.rect(at.x, at.y, 7, 7, ripe === "bitter" ? "#8a7f6e" : ripe === "coarse" ? "#efe6c4" : "#ffffff", 2);
  }
  if (ripe !== "flower") return;
  for (let i = 0; i < 4; i += 1) {
    const size = 5 + 5 * Math.abs(Math.sin(world.steps * 0.08 + i * 1.7));
    const at = { x: x + 34 + i * 34, y: y + 52 + ((i * 37 + pan.shine) % 44) };
    pen.line([[at.x - size, at.y], [at.x + size, at.y]], "#e0608a", 2);
    pen.line([[at.x, at.y - size], [at.x, at.y + size]], "#e0608a", 2);
  }
}

// How far a pan has dried: brine, flower, coarse, bitter.
function gauge(pen, pan, x, y, wide) {
  const full = BITTER + 0.2;
  const at = (dry) => x + 2 + (wide - 4) * Math.min(1, dry / full);
  pen.rect(x, y, wide, 16, INK, 8);
  if (pan.content !== "brine") {
    pen.text(pan.content === "mud" ? "clear it" : "empty", pan.x, y + 8, { size: 13, colour: "#e9d8c4" });
    return;
  }
  for (const [from, to, colour] of [[0, 1, "#5aa7c4"], [1, COARSE, GOOD_SALT], [COARSE, BITTER, "#ecc44f"], [BITTER, full, "#c9503f"]]) {
    pen.rect(at(from), y + 3, at(to) - at(from), 10, colour, 2);
  }
  pen.shape([[at(pan.dry), y + 9], [at(pan.dry) - 9, y - 7], [at(pan.dry) + 9, y - 7]], INK);
  pen.shape([[at(pan.dry), y + 6], [at(pan.dry) - 6, y - 5], [at(pan.dry) + 6, y - 5]], "#ffffff");
}

function barn(pen, world) {
  const { x, y } = BARN;
  oval(pen.context, x, y + 66, 118, 22, "rgba(80,50,40,.25)");
  pen.rect(x - 84, y - 34, 168, 100, "#8a5f4a", 6);
  for (let i = 0; i < 8; i += 1) pen.rect(x - 82 + i * 21, y - 32, 18, 96, i % 2 ? "#c98d74" : "#bd8068");
  pen.shape([[x - 106, y - 30], [x, y - 112], [x + 106, y - 30]], "#5d4a68");
  pen.shape([[x - 92, y - 34], [x, y - 104], [x + 92, y - 34]], "#7a6488");
  pen.rect(x - 32, y + 2, 64, 64, "#3a2a3c", 6);
  pen.text("Barn", x, y - 52, { size: 19, bold: true });
  const share = Math.min(1, world.stored / world.season.order);
  heap(pen.context, x, y + 66, 8 + 20 * share);
  pen.rect(x - 108, y + 84, 216, 58, "rgba(58,42,60,.85)", 12);
  pen.text(`Stored ${world.stored} of ${world.season.order}`, x, y + 102, { size: 18, bold: true });
  pen.bar(x - 92, y + 118, 184, 14, share, GOOD_SALT, "rgba(255,255,255,.25)");
  for (let i = 0; i < Math.min(7, Math.floor(world.stored / 10)); i += 1) heap(pen.context, 1030 + i * 30, 690, 18);
  mill(pen, 1180, 250, world);
}

function flag(pen, { pan, kind }, number) {
  const x = pan ? pan.x + (kind === "mat" ? 52 : 26) : BARN.x + 60;
  const y = pan ? pan.y - 30 : BARN.y - 10;
  pen.line([[x, y + 26], [x, y - 22]], "#4b2f2a", 4);
  pen.shape([[x, y - 24], [x + 36, y - 14], [x, y - 2]], kind === "mat" ? "#d9a63c" : "#d6455f");
  pen.text(String(number), x + 11, y - 13, { size: 17, bold: true });
}

function drawSalter(pen, world) {
  const { salter } = world;
  const stride = salter.walking ? Math.sin(world.steps * 0.5) * 7 : 0;
  const rake = salter.busy > 0 ? Math.sin(salter.busy * 0.5) * 12 : 0;
  pen.at(salter.x, salter.y, (c) => {
    c.scale(salter.facing || 1, 1);
    oval(c, 0, 6, 34, 8, "rgba(60,40,40,.3)");
    pen.line([[-26, -8], [-52, -10]], "#5d4030", 4); // the barrow
    pen.shape([[-88, -26], [-46, -26], [-54, -4], [-80, -4]], "#7d4f35");
    pen.circle(-70, 1, 8, "#3f2b20");
    if (world.barrow) heap(c, -67, -26, 6 + world.barrow);
    pen.line([[-6, 4], [-6 - stride, -16]], "#34506b", 9);
    pen.line([[7, 4], [7 + stride, -16]], "#34506b", 9);
    pen.rect(-15, -52, 30, 38, "#d6455f", 11);
    pen.rect(-15, -30, 30, 8, "#f4d9a8");
    pen.line([[10, -42], [30 + rake, -28]], "#e8b48e", 8);
    pen.line([[14 + rake, -62], [44 + rake, 4]], "#6a4c3c", 4);
    pen.line([[34 + rake, 8], [54 + rake, 0]], "#6a4c3c", 5);
    pen.circle(0, -62, 11, "#e8b48e");
    oval(c, 0, -68, 25, 7, "#b98a3a");
    oval(c, 0, -70, 24, 6, "#efd48a");
    oval(c, 0, -76, 12, 9, "#efd48a");
  });
  if (world.barrow) pen.text(`${world.barrow} of ${BARROW}`, salter.x, salter.y - 100, { size: 17, bold: true, colour: "#ffffff", shadow: INK });
}

function weatherOver(pen, world) {
  const watch = watchOf(world);
  const weather = weatherNow(world);
  if (watch % 4 === 3) pen.rect(0, HORIZON, 1280, 720 - HORIZON, "rgba(34,34,92,.3)");
  else if (watch % 4 === 2) pen.rect(0, HORIZON, 1280, 720 - HORIZON, "rgba(240,130,80,.12)");
  if (weather === "sun") return;
  pen.rect(0, HORIZON, 1280, 720 - HORIZON, weather === "rain" ? "rgba(60,80,110,.2)" : "rgba(90,100,120,.1)");
  if (weather !== "rain") return;
  for (let i = 0; i < 110; i += 1) {
    const x = (i * 167 + world.steps * 3) % 1320;
    const y = HORIZON + ((i * 89 + world.steps * 14) % 610);
    pen.line([[x, y], [x + 4, y + 18]], "rgba(225,240,255,.6)", 2);
  }
}

// This watch and the next five.
function board(pen, world) {
  const left = 700;
  const watch = watchOf(world);
  pen.rect(left, 8, 568, 100, "rgba(58,42,60,.88)", 14);
  for (let i = 0; i < SEEN_WATCHES; i += 1) {
    const x = left + 52 + i * 93;
    if (i === 0) pen.frame(left + 6, 13, 90, 90, "#f6c9cf", 3, 10);
    const after = watch + i >= world.season.days.length * 4;
    pen.text(after ? "—" : WATCHES[(watch + i) % 4], x, 26, { size: 15, bold: i === 0 });
    if (after) continue;
    icon(pen, world.weather[watch + i], (watch + i) % 4 === 3, x, 60);
    const clear = (watch + i) % 4 === 3 && world.weather[watch + i] === "sun";
    if (i > 0) pen.text(clear ? "clear" : world.weather[watch + i], x, 95, { size: 14, colour: world.weather[watch + i] === "rain" ? "#9fd4ff" : "#f3e6d4" });
  }
  pen.bar(left + 14, 89, 74, 9, 1 - (world.steps % WATCH) / WATCH, "#f6c9cf", "rgba(255,255,255,.25)");
}

function drawWord(pen, word) {
  const rise = (word.most - word.left) * 0.7;
  pen.context.globalAlpha = Math.min(1, word.left / 16);
  pen.ring(word.x, word.y - 12, 18 + rise, word.good ? "#ffffff" : "#c9303f", 3);
  const wide = word.text.length * 12.5 + 26;
  const x = Math.max(wide / 2 + 6, Math.min(1274 - wide / 2, word.x));
  pen.rect(x - wide / 2, word.y - 46 - rise, wide, 32, word.good ? "rgba(46,92,60,.94)" : "rgba(150,36,50,.94)", 10);
  pen.text(word.text, x, word.y - 29 - rise, { size: 19, bold: true });
  pen.context.globalAlpha = 1;
}

startGame({
  id: "simulation/flower-of-salt",
  title: "Flower of Salt",
  how: ["Click a pan: flood it, let it dry, rake it when the bar is green.", "Right click lays a mat against rain. Click the barn to unload.", "Fill the merchant's order before the last day ends."],
  levels: 5,
  theme: { accent: "#f9c3cb", good: "#9be0a8", bad: "#ff9c94", panel: "rgba(58,42,60,.9)", ink: "#fff6ee" },
  create,
  step,
  draw,
  over,
  state,
  hud: (world, level) => [["Day", `${dayOf(world)} of ${world.season.days.length}`], ["Barrow", `${world.barrow} of ${BARROW}`], ["Mats", world.mats], ["Level", level]],
});
