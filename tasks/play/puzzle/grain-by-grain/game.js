// Grain by Grain: nobody knows what the jars weigh. A balance and brass weights tell, while the candle lasts; then the orders are mixed.

import { startGame } from "/base/game.js";

const JARS = "abcdefgh";
const LONGEST = 12; // of the line
const MAX_WRONG = 3;
const ADDED = 3; // weighings that a served order gives
const SHOW_STEPS = 70; // of a word over the counter
const NOTES = 15; // lines in each of the two columns of the notebook
// By level: jars, the heaviest, how fine the scale reads, weighings, jars in an order, whether jars are filled anew, whether orders forbid a jar.
const SHOPS = [
  { jars: 4, heaviest: 9, reads: 9, candle: 8, few: 2, many: 2, refill: false, forbid: false },
  { jars: 5, heaviest: 12, reads: 4, candle: 12, few: 2, many: 2, refill: false, forbid: false },
  { jars: 6, heaviest: 15, reads: 3, candle: 16, few: 2, many: 3, refill: true, forbid: false },
  { jars: 7, heaviest: 18, reads: 2, candle: 18, few: 3, many: 3, refill: true, forbid: true },
  { jars: 8, heaviest: 20, reads: 1, candle: 22, few: 3, many: 4, refill: true, forbid: true },
];
const POWDERS = ["#d9573f", "#e5a83b", "#e8d9a0", "#6fa84f", "#4aa6a0", "#5a7fc4", "#9a6bb5", "#d58aa8"];
const SIGNS = ["moon", "sun", "leaf", "drop", "star", "ring", "peak", "wave"];

function create({ level, random }) {
  const shop = SHOPS[level - 1];
  const weights = random.shuffled(Array.from({ length: shop.heaviest }, (_, i) => i + 1)).slice(0, shop.jars);
  const world = {
    random, shop, steps: 0, served: 0, wrong: 0, weighings: 0, candle: shop.candle, line: "", notes: [], words: [], tilt: 0, pans: ["", ""], lean: 0,
    jars: weights.map((weight, i) => ({ name: JARS[i], weight, fresh: false })), motes: [],
  };
  world.motes = Array.from({ length: 30 }, () => ({ x: random.between(0, 1280), y: random.between(60, 520), pace: random.between(0.1, 0.3) }));
  ask(world);
  return world;
}

// An order is the sum of jars that are there: it can always be mixed.
function ask(world) {
  const { random, shop } = world;
  const mixed = random.shuffled(world.jars);
  const count = random.whole(shop.few, shop.many);
  const total = mixed.slice(0, count).reduce((sum, jar) => sum + jar.weight, 0);
  world.order = { count, total, without: shop.forbid ? mixed[count].name : "" };
}

function step(world, input) {
  world.steps += 1;
  for (const word of world.words) word.left -= 1;
  world.words = world.words.filter((word) => word.left > 0);
  const aim = Math.max(-1, Math.min(1, world.lean / 6));
  world.tilt += (aim - world.tilt) * 0.08;
  for (const letter of input.letters()) if (world.line.length < LONGEST && /[a-hv1-9]/.test(letter)) world.line += letter;
  if (input.pressed("Space")) world.line = "";
  if (input.pressed("Enter") && world.line) {
    const line = world.line;
    world.line = "";
    if (line.includes("v")) weigh(world, line);
    else serve(world, line);
  }
}

function say(world, text, good) {
  world.words = [{ text, good, left: SHOW_STEPS }];
}

function mistake(world, line) {
  if (new Set(line).size < line.length) return "each thing only once";
  const unknown = [...line].find((sign) => JARS.includes(sign) && !world.jars.some((jar) => jar.name === sign));
  return unknown ? `there is no jar ${unknown}` : "";
}

const heft = (world, signs) => [...signs].reduce((sum, sign) => sum + (Number(sign) || world.jars.find((jar) => jar.name === sign).weight), 0);

function weigh(world, line) {
  const [left, right] = line.split("v");
  const wrong = mistake(world, line) || (!left || !right ? "something on both pans" : "") || (world.candle === 0 ? "the candle is out" : "");
  if (wrong) {
    say(world, wrong, false);
    return;
  }
  const difference = heft(world, left) - heft(world, right);
  const read = Math.abs(difference) <= world.shop.reads;
  world.candle -= 1;
  world.weighings += 1;
  world.pans = [left, right];
  world.lean = difference;
  world.notes.push({ left, right, lean: Math.sign(difference), difference: read ? difference : null, old: false });
  say(world, result(world, world.notes.at(-1)), true);
}

function result(world, { lean, difference }) {
  if (lean === 0) return "equal";
  const side = lean > 0 ? "left" : "right";
  return difference === null ? `${side} by more than ${world.shop.reads}` : `${side} by ${Math.abs(difference)}`;
}

// The same, for the notebook.
function brief(world, { lean, difference }) {
  if (lean === 0) return "equal";
  return `${lean > 0 ? "left" : "right"} ${difference === null ? `> ${world.shop.reads}` : Math.abs(difference)}`;
}

function serve(world, line) {
  const { order } = world;
  const wrong = mistake(world, line)
    || (/[1-9]/.test(line) ? "brass is no medicine" : "")
    || (line.length !== order.count ? `the order is of ${order.count} jars` : "")
    || (line.includes(order.without || "-") ? `not from jar ${order.without}` : "");
  if (wrong) {
    say(world, wrong, false);
    return;
  }
  if (heft(world, line) !== order.total) {
    world.wrong += 1;
    say(world, "a wrong mixture!", false);
    return;
  }
  world.served += 1;
  world.candle = Math.min(world.shop.candle, world.candle + ADDED);
  say(world, "just right!", true);
  if (world.shop.refill) refill(world, line);
  ask(world);
}

// One of the jars that were used is filled anew: what was written about it is old.
function refill(world, line) {
  const name = world.random.pick([...line]);
  const taken = world.jars.map((jar) => jar.weight);
  const left = Array.from({ length: world.shop.heaviest }, (_, i) => i + 1).filter((weight) => !taken.includes(weight));
  for (const jar of world.jars) {
    jar.fresh = jar.name === name;
    if (jar.fresh) jar.weight = world.random.pick(left);
  }
  for (const note of world.notes) if ((note.left + note.right).includes(name)) note.old = true;
}

function over(world) {
  if (world.wrong < MAX_WRONG) return null;
  return { outcome: "fail", reason: `${MAX_WRONG} wrong mixtures. Orders served: ${world.served}` };
}

function state(world) {
  return {
    score: world.served,
    progress: Math.min(1, world.served / 12),
    shop: { jars: world.jars.map((jar) => jar.name), heaviest: world.shop.heaviest, reads: world.shop.reads, candle: world.candle },
    order: { jars: world.order.count, grains: world.order.total, without: world.order.without },
    notebook: world.notes.map((note) => ({ ...note })),
    line: world.line,
    entities: world.jars.map((jar) => ({ kind: "jar", id: jar.name, filled_anew: jar.fresh })),
    metrics: { weighings: world.weighings, wrong: world.wrong },
  };
}

// ---- the picture ----

function draw(pen, world) {
  shopRoom(pen, world);
  shelf(pen, world);
  balance(pen, world);
  orderCard(pen, world);
  notebook(pen, world);
  candle(pen, world);
  typed(pen, world);
  for (const word of world.words) {
    pen.context.globalAlpha = Math.min(1, word.left / 20);
    pen.rect(170, 552, 460, 44, "rgba(14,26,22,.92)", 22);
    pen.text(word.text, 400, 575, { size: 25, bold: true, colour: word.good ? pen.theme.good : pen.theme.bad });
    pen.context.globalAlpha = 1;
  }
}

function shopRoom(pen, world) {
  pen.fill(pen.vertical(0, 720, "#16332c", "#1f4439", "#17352d"));
  for (let x = 20; x < 1280; x += 64) {
    pen.rect(x, 0, 2, 610, "rgba(0,0,0,.16)");
    for (let y = 90 + (x % 3) * 12; y < 600; y += 96) pen.shape([[x + 32, y - 12], [x + 40, y], [x + 32, y + 12], [x + 24, y]], "rgba(216,178,98,.09)");
  }
  pen.glow(806, 430, 420, "rgba(255,190,90,.5)", (world.candle ? 0.75 : 0.15) + Math.sin(world.steps * 0.11) * 0.05);
  for (const mote of world.motes) pen.circle(mote.x + Math.sin(world.steps * 0.012 + mote.y) * 12, (mote.y - world.steps * mote.pace + 9000) % 540, 1.5, "rgba(255,220,150,.4)");
  pen.rect(0, 606, 1280, 114, pen.vertical(606, 720, "#6d4426", "#3c2413"));
  pen.rect(0, 606, 1280, 7, "#a06c3d");
  for (const y of [640, 672, 702]) pen.line([[0, y], [400, y + 4], [900, y - 3], [1280, y + 2]], "rgba(30,14,4,.25)", 2);
}

function shelf(pen, world) {
  pen.rect(24, 222, 832, 14, "#7b4d2b", 4);
  pen.rect(24, 234, 832, 6, "#432713", 3);
  world.jars.forEach((jar, i) => {
    const away = (world.line + world.pans.join("")).includes(jar.name) && world.line.includes(jar.name);
    jarPicture(pen, 84 + i * 102, 222, jar, 1, away ? 0.35 : 1);
    if (jar.fresh) {
      pen.rect(84 + i * 102 - 30, 84, 60, 24, pen.theme.accent, 10);
      pen.text("new", 84 + i * 102, 97, { size: 17, bold: true, colour: "#3a2410" });
    }
  });
  // brass weights in their case
  pen.rect(60, 250, 560, 52, "#3a2113", 12);
  pen.text("brass", 104, 276, { size: 17, colour: "#d8b262" });
  for (let n = 1; n <= 9; n += 1) brass(pen, 124 + n * 51, 298, n, world.line.includes(String(n)) ? 0.3 : 1);
}

function jarPicture(pen, x, foot, jar, scale, alpha = 1) {
  const i = JARS.indexOf(jar.name);
  pen.at(x, foot, (c) => {
    c.globalAlpha *= alpha;
    pen.rect(-34, -84, 68, 84, "rgba(210,240,235,.22)", 14);
    pen.rect(-29, -58, 58, 53, POWDERS[i], 10);
    pen.rect(-29, -58, 58, 9, "rgba(255,255,255,.25)", 4);
    pen.frame(-34, -84, 68, 84, "rgba(230,250,245,.65)", 2.5, 14);
    pen.rect(-27, -101, 54, 19, "#8a5a33", 6);
    pen.rect(-27, -101, 54, 6, "#b07a48", 4);
    pen.rect(-20, -48, 40, 36, "#f6ecd2", 6);
    pen.text(jar.name, 0, -30, { size: 29, bold: true, colour: "#3a2410" });
    pen.rect(-29, -76, 5, 62, "rgba(255,255,255,.45)", 3);
    emblem(pen, SIGNS[i], 21, -72);
  }, { scale });
}

function emblem(pen, kind, x, y) {
  const colour = "rgba(255,240,200,.85)";
  if (kind === "ring" || kind === "sun") pen.ring(x, y, 4, colour, 2);
  else if (kind === "peak" || kind === "leaf") pen.shape([[x - 5, y + 4], [x, y - 5], [x + 5, y + 4]], colour);
  else if (kind === "wave" || kind === "moon") pen.line([[x - 5, y], [x - 2, y - 3], [x + 2, y + 3], [x + 5, y]], colour, 2);
  else pen.circle(x, y, 4, colour);
}

function brass(pen, x, foot, n, alpha = 1) {
  const tall = 24 + n * 1.4;
  pen.context.globalAlpha = alpha;
  pen.circle(x, foot - tall - 3, 5, "#e7c477");
  pen.rect(x - 11 - n * 0.7, foot - tall, 22 + n * 1.4, tall, "#c99a3f", 5);
  pen.rect(x - 8 - n * 0.7, foot - tall + 2, 4, tall - 6, "#f3da98", 2);
  pen.text(String(n), x + 1, foot - tall / 2 + 1, { size: 19, bold: true, colour: "#3a2410" });
  pen.context.globalAlpha = 1;
}

// What is being typed lies on the pans already; else what was weighed last.
function onPans(world) {
  if (world.line.includes("v")) return world.line.split("v");
  return world.line ? [world.line, ""] : world.pans;
}

function balance(pen, world) {
  const middle = { x: 400, y: 350 };
  const turn = -world.tilt * 0.16;
  pen.rect(middle.x - 9, middle.y, 18, 250, "#b98a3a", 6);
  pen.rect(middle.x - 5, middle.y, 4, 250, "#f0d48c", 2);
  pen.shape([[290, 608], [320, 584], [480, 584], [510, 608]], "#94692a");
  pen.rect(320, 582, 160, 5, "#f0d48c", 2);
  for (const [side, signs] of onPans(world).slice(0, 2).map((signs, i) => [i ? 1 : -1, signs])) {
    const x = middle.x + side * 188 * Math.cos(turn);
    const y = middle.y + side * 188 * Math.sin(turn);
    pen.line([[x, y], [x - 86, y + 146]], "rgba(240,212,140,.7)", 2);
    pen.line([[x, y], [x + 86, y + 146]], "rgba(240,212,140,.7)", 2);
    const things = [...signs].slice(0, 6);
    things.forEach((sign, i) => {
      const at = x + (i - (things.length - 1) / 2) * Math.min(46, 150 / things.length);
      const jar = world.jars.find((one) => one.name === sign);
      if (jar) jarPicture(pen, at, y + 146, jar, 0.62);
      else if (Number(sign)) brass(pen, at, y + 146, Number(sign));
    });
    pen.shape([[x - 98, y + 146], [x + 98, y + 146], [x + 70, y + 166], [x - 70, y + 166]], "#c99a3f");
    pen.rect(x - 98, y + 143, 196, 6, "#f3da98", 3);
    pen.text(side < 0 ? "left" : "right", x, y + 157, { size: 14, bold: true, colour: "#3a2410" });
  }
  pen.at(middle.x, middle.y, () => {
    pen.shape([[-195, -4], [0, -14], [195, -4], [195, 5], [0, 12], [-195, 5]], "#d4a64a");
    pen.line([[-191, -2], [0, -10], [191, -2]], "#f8e3a8", 3);
  }, { turn });
  pen.circle(middle.x, middle.y, 16, "#94692a");
  pen.circle(middle.x, middle.y, 9, "#f3da98");
}

function orderCard(pen, world) {
  const { order } = world;
  pen.at(770, 250, () => {
    pen.rect(-118, 0, 236, 142, "#f3e6c6", 8);
    pen.rect(-118, 0, 236, 30, "#a8432f", 8);
    pen.text("Order", 0, 16, { size: 19, bold: true, colour: "#fbeed2" });
    pen.text(`${order.count} jars`, 0, 54, { size: 25, bold: true, colour: "#3a2410" });
    pen.text(`${order.total} grains`, 0, 88, { size: 31, bold: true, colour: "#a8432f" });
    pen.text(order.without ? `nothing from jar ${order.without}` : "in all", 0, 122, { size: 19, colour: "#3a2410" });
  });
  pen.circle(770, 252, 7, "#c99a3f");
}

function notebook(pen, world) {
  const x = 902;
  pen.rect(x - 8, 76, 372, 516, "#3d2314", 14);
  pen.rect(x, 84, 356, 500, "#f2e8cf", 8);
  for (let i = 0; i <= NOTES; i += 1) pen.line([[x + 12, 142 + i * 28], [x + 344, 142 + i * 28]], "rgba(90,120,160,.3)", 1);
  pen.text("Notebook", x + 178, 108, { size: 22, bold: true, colour: "#4a2c16" });
  pen.text(`jars: 1 to ${world.shop.heaviest}, all different`, x + 178, 131, { size: 15, colour: "#7a5636" });
  // What is old goes first where there is no room.
  const good = world.notes.filter((note) => !note.old).length;
  const room = Math.max(0, NOTES * 2 - good);
  const oldest = world.notes.filter((note) => note.old).slice(-room || world.notes.length);
  const shown = world.notes.filter((note) => !note.old || (room > 0 && oldest.includes(note))).slice(-NOTES * 2);
  pen.line([[x + 178, 142], [x + 178, 576]], "rgba(168,67,47,.35)", 2);
  shown.forEach((note, i) => {
    const column = x + Math.floor(i / NOTES) * 176;
    const y = 157 + (i % NOTES) * 28;
    const ink = note.old ? "rgba(90,70,50,.4)" : "#2f2012";
    pen.text(`${note.left}:${note.right}`, column + 12, y, { size: note.left.length + note.right.length > 5 ? 13 : 17, bold: true, align: "left", colour: ink });
    pen.text(note.old ? "old" : brief(world, note), column + 172, y, { size: 15, align: "right", colour: ink });
    if (note.old) pen.line([[column + 10, y], [column + 140, y]], "rgba(168,67,47,.5)", 2);
  });
  if (!shown.length) pen.text("Nothing is weighed yet", x + 178, 200, { size: 17, colour: "#9a7a58" });
}

function candle(pen, world) {
  const tall = 24 + 106 * (world.candle / world.shop.candle);
  const top = 590 - tall;
  pen.rect(776, 590, 60, 18, "#94692a", 8);
  pen.rect(790, top, 32, tall, pen.vertical(top, 590, "#fff3d6", "#dcc79c"), 7);
  pen.line([[806, top], [806, top - 9]], "#2a1a10", 3);
  if (world.candle) {
    const sway = Math.sin(world.steps * 0.13) * 2;
    pen.glow(806, top - 24, 70, "rgba(255,190,90,.9)");
    pen.shape([[796, top - 12], [800 + sway, top - 26], [806 + sway, top - 46], [812 + sway, top - 26], [816, top - 12], [806, top - 5]], "#ffd35e");
    pen.shape([[801, top - 12], [806 + sway * 0.6, top - 30], [811, top - 12], [806, top - 8]], "#fff6d2");
  }
  pen.text(String(world.candle), 806, 566, { size: 22, bold: true, colour: "#6b3d17" });
}

function typed(pen, world) {
  pen.rect(30, 630, 840, 66, "#1c120b", 14);
  pen.frame(30, 630, 840, 66, "#c99a3f", 2, 14);
  const words = world.line.replace("v", " : ");
  pen.text(world.line ? words : "ab v 73 weighs · abc mixes · Space clears", 54, 664, {
    size: world.line ? 34 : 21, bold: Boolean(world.line), align: "left", colour: world.line ? pen.theme.accent : "rgba(240,220,180,.6)",
  });
  const what = !world.line ? "" : world.line.includes("v") ? "Enter weighs" : "Enter serves";
  pen.text(what, 846, 664, { size: 21, align: "right", colour: "#f3e6c6" });
  pen.text(`The needle reads up to ${world.shop.reads}`, 1080, 650, { size: 20, colour: "#f3e6c6" });
  pen.text(world.shop.refill ? "After an order one jar used is filled anew" : "The jars stay as they are", 1080, 682, { size: 16, colour: "#d8b98c" });
}

startGame({
  id: "puzzle/grain-by-grain",
  title: "Grain by Grain",
  how: ["Type jars, v, and jars or brass (abv73), and Enter: they are weighed.", "Type jars alone (acd) and Enter: they are mixed for the order.", "Each weighing burns the candle. Three wrong mixtures end it."],
  levels: 5,
  theme: { accent: "#f0c869", panel: "rgba(22,30,24,.92)", good: "#a6e3a1", bad: "#ff9d85" },
  create,
  step,
  draw,
  over,
  state,
  hud: (world, level) => [["Served", world.served], ["Wrong", `${world.wrong} of ${MAX_WRONG}`], ["Weighings left", world.candle], ["Level", level]],
});
