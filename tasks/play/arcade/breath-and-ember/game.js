// Breath and Ember: a glassblower heats, blows and swings hot glass until it fits the dotted outline of the order.

import { startGame } from "/base/game.js";

const HOME = { x: 620, y: 196 }; // where the pipe ends and the glass begins
const FURNACE_X = 246;
const START = { width: 26, length: 30, heat: 0.8 };
const STIFF = 0.35; // colder glass does not give way: it cracks
const MELTING = 0.96; // hotter glass runs off the pipe
const STRAIN_STEPS = 40; // of work on stiff glass before it cracks
const RUN_STEPS = 30; // of melting before it runs
const HEATING = 0.0085; // in one step
const GROWTH = 1.1; // pixels in one step, at full heat
const NEW_STEPS = 24; // a new gather comes, and no key counts
const MAX_LOST = 3;
const FINE = 3;
const FAIR = 1;
// By level: how close the glass must come, how fast it cools, how often the door lets cold air in.
const WORKSHOPS = [
  { tolerance: 13, cooling: 0.0012, draughts: 0 },
  { tolerance: 11, cooling: 0.0015, draughts: 0 },
  { tolerance: 9, cooling: 0.0018, draughts: 0 },
  { tolerance: 8, cooling: 0.002, draughts: 640 },
  { tolerance: 7, cooling: 0.0022, draughts: 480 },
];
const DRAUGHT_STEPS = 150;
// What people order: how wide and how long, and the outline from the neck to the foot (shares of the width).
const PATTERNS = [
  { name: "bowl", width: [112, 136], length: [74, 92], outline: [0.3, 0.74, 0.95, 1, 0.97, 0.84, 0.5] },
  { name: "vase", width: [66, 84], length: [128, 152], outline: [0.42, 0.34, 0.56, 0.9, 1, 0.82, 0.5] },
  { name: "bottle", width: [58, 72], length: [138, 158], outline: [0.3, 0.27, 0.38, 0.86, 1, 1, 0.9] },
  { name: "lantern", width: [96, 116], length: [100, 120], outline: [0.3, 0.62, 0.9, 1, 0.96, 0.78, 0.52] },
  { name: "carafe", width: [86, 102], length: [118, 140], outline: [0.34, 0.25, 0.4, 0.72, 0.95, 1, 0.8] },
];
const COLOURS = ["#4fb6b0", "#7d8fe0", "#c56f9c", "#6fbf73", "#d9a441", "#5a9fd6"];

function create({ level, random }) {
  const world = {
    random, shop: WORKSHOPS[level - 1], steps: 0, score: 0, lost: 0, fine: 0, fair: 0, shelf: [], words: [], x: HOME.x, turn: 0, breath: 0,
    nextDraught: WORKSHOPS[level - 1].draughts, draught: 0, doing: "rest", last: null, order: null, dust: [],
  };
  world.dust = Array.from({ length: 26 }, () => ({ x: random.between(300, 1280), y: random.between(40, 560), pace: random.between(0.1, 0.35) }));
  gather(world);
  return world;
}

function gather(world) {
  const { random } = world;
  const pattern = random.pick(PATTERNS.filter((one) => one !== world.last));
  world.last = pattern;
  world.order = {
    pattern, width: random.whole(...pattern.width), length: random.whole(...pattern.length), colour: random.pick(COLOURS),
  };
  world.glass = { ...START, strain: 0, melting: 0 };
  world.fresh = NEW_STEPS;
  world.breath = 0;
}

function step(world, input) {
  world.steps += 1;
  for (const word of world.words) word.left -= 1;
  world.words = world.words.filter((word) => word.left > 0);
  weather(world);
  world.doing = "rest";
  if (world.fresh > 0) world.fresh -= 1;
  else if (input.held("ArrowUp")) world.doing = "heat";
  else if (input.held("Space")) world.doing = "blow";
  else if (input.held("ArrowDown")) world.doing = "swing";
  work(world);
  world.x += ((world.doing === "heat" ? FURNACE_X : HOME.x) - world.x) * 0.16;
  world.turn = world.doing === "swing" ? Math.sin(world.steps * 0.14) * 0.22 : world.turn * 0.86;
  if (world.fresh === 0 && input.pressed("Enter")) finish(world);
}

function weather(world) {
  if (!world.shop.draughts) return;
  if (world.draught > 0) world.draught -= 1;
  world.nextDraught -= 1;
  if (world.nextDraught > 0) return;
  world.draught = DRAUGHT_STEPS;
  world.nextDraught = world.shop.draughts;
}

const softness = (heat) => Math.max(0, (heat - STIFF) / (1 - STIFF));

function work(world) {
  const { glass, shop, doing } = world;
  if (doing === "heat") glass.heat = Math.min(1, glass.heat + HEATING);
  else if (world.fresh === 0) glass.heat = Math.max(0, glass.heat - shop.cooling * (world.draught > 0 ? 2.5 : 1));
  const give = GROWTH * softness(glass.heat);
  world.breath = doing === "blow" ? Math.min(1, world.breath + 0.2) : world.breath * 0.8; // breath does not end at once
  if (world.breath < 0.02) world.breath = 0;
  glass.width += give * world.breath;
  glass.length += give * world.breath * 0.35;
  if (doing === "swing") {
    glass.length += give;
    glass.width = Math.max(START.width * 0.8, glass.width - give * 0.15);
  }
  glass.width = Math.min(190, glass.width);
  glass.length = Math.min(215, glass.length);
  const strained = (doing === "blow" || doing === "swing") && glass.heat < STIFF;
  glass.strain = strained ? glass.strain + 1 : Math.max(0, glass.strain - 0.5);
  glass.melting = glass.heat > MELTING ? glass.melting + 1 : Math.max(0, glass.melting - 1);
  if (glass.strain >= STRAIN_STEPS) lose(world, "It cracked: too cold");
  else if (glass.melting >= RUN_STEPS) lose(world, "It ran off: too hot");
}

function lose(world, why) {
  world.lost += 1;
  world.words.push({ text: why, left: 80, good: false, x: HOME.x, y: 300 });
  gather(world);
}

function finish(world) {
  const { glass, order, shop } = world;
  const off = Math.max(Math.abs(glass.width - order.width), Math.abs(glass.length - order.length));
  if (off > shop.tolerance * 2) {
    lose(world, "It does not fit the order");
    return;
  }
  const points = off <= shop.tolerance ? FINE : FAIR;
  world.score += points;
  if (points === FINE) world.fine += 1;
  else world.fair += 1;
  world.shelf.push({ pattern: order.pattern, colour: order.colour, width: glass.width, length: glass.length, fine: points === FINE });
  world.words.push({ text: points === FINE ? `Fine work  +${FINE}` : `Fair work  +${FAIR}`, left: 80, good: true, x: HOME.x, y: 300 });
  gather(world);
}

function over(world) {
  if (world.lost < MAX_LOST) return null;
  return { outcome: "fail", reason: `${MAX_LOST} pieces are lost, and the master closes the shop. Points: ${world.score}` };
}

const round = (value, digits = 10) => Math.round(value * digits) / digits;

function state(world) {
  const { glass, order, shop } = world;
  return {
    score: world.score,
    progress: Math.min(1, round(world.score / 33, 1000)),
    player: { width: round(glass.width), length: round(glass.length), heat: round(glass.heat, 1000), ready: world.fresh === 0 },
    order: { name: order.pattern.name, width: order.width, length: order.length, tolerance: shop.tolerance },
    workshop: { stiff: STIFF, melting: MELTING, heating: HEATING, growth: GROWTH, cooling: shop.cooling, draught: world.draught },
    entities: [],
    metrics: { fine: world.fine, fair: world.fair, lost: world.lost },
  };
}

// ---- the picture ----

function draw(pen, world) {
  room(pen, world);
  shelf(pen, world);
  furnace(pen, world);
  piece(pen, world);
  gauges(pen, world);
  for (const word of world.words) {
    const colour = word.good ? pen.theme.good : pen.theme.bad;
    pen.context.globalAlpha = Math.min(1, word.left / 30);
    pen.ring(HOME.x, HOME.y + 100, 210 - word.left * 1.4, colour, 4);
    pen.text(word.text, word.x, word.y - (80 - word.left) * 0.6, { size: 34, bold: true, colour, shadow: "rgba(0,0,0,.8)" });
    pen.context.globalAlpha = 1;
  }
}

function room(pen, world) {
  pen.rect(0, 0, 1280, 586, pen.vertical(0, 586, "#1b1420", "#2c1d22", "#3b2420"));
  for (let row = 0; row < 12; row += 1) {
    for (let x = row % 2 ? -60 : 0; x < 1280; x += 120) pen.frame(x + 3, row * 49 + 3, 114, 43, "rgba(0,0,0,.16)", 3, 5);
  }
  // the window, by night; the cold comes in when it stands open
  const cold = world.draught > 0;
  pen.rect(428, 92, 124, 154, "#120e16", 62);
  pen.rect(436, 100, 108, 146, pen.vertical(100, 246, "#101b3c", "#27406e"), 54);
  for (const [x, y] of [[462, 142], [508, 128], [494, 172], [526, 196], [456, 206]]) pen.circle(x, y, 1.7, "#dfe8ff");
  pen.line([[490, 100], [490, 246]], "#120e16", 6);
  pen.line([[436, 184], [544, 184]], "#120e16", 6);
  if (cold) {
    for (let i = 0; i < 7; i += 1) {
      const x = 430 + ((world.steps * 5 + i * 90) % 400);
      pen.line([[x, 120 + i * 26], [x + 60, 114 + i * 26], [x + 96, 124 + i * 26]], "rgba(170,205,255,.55)", 3);
    }
    pen.text("Cold air!", 490, 70, { size: 22, bold: true, colour: "#a9ccff" });
  }
  pen.glow(FURNACE_X, 330, 620, "rgba(255,120,40,.4)", 0.8 + Math.sin(world.steps * 0.09) * 0.12);
  for (const mote of world.dust) {
    const y = (mote.y - world.steps * mote.pace + 9000) % 560;
    pen.circle(mote.x + Math.sin(world.steps * 0.01 + mote.y) * 14, y, 1.6, "rgba(255,196,120,.4)");
  }
  pen.rect(0, 560, 1280, 160, pen.vertical(560, 720, "#43291d", "#1a0f0c"));
  pen.rect(0, 560, 1280, 8, "#6a4128");
}

function furnace(pen, world) {
  pen.shape([[40, 566], [40, 236], [92, 150], [176, 106], [246, 96], [316, 106], [400, 150], [444, 236], [444, 566]].map(([x, y]) => [x - 20, y]), "#51312a");
  for (let i = 0; i <= 14; i += 1) {
    const a = Math.PI + (i / 14) * Math.PI;
    pen.line([[226 + Math.cos(a) * 132, 320 + Math.sin(a) * 150], [226 + Math.cos(a) * 186, 320 + Math.sin(a) * 204]], "rgba(20,8,6,.55)", 4);
  }
  for (const y of [360, 410, 460, 510]) {
    pen.line([[26, y], [92, y]], "rgba(20,8,6,.5)", 4);
    pen.line([[360, y], [420, y]], "rgba(20,8,6,.5)", 4);
  }
  pen.rect(96, 170, 260, 350, "#170a08", 130);
  const flicker = Math.sin(world.steps * 0.17) * 6;
  pen.rect(108, 184, 236, 330, pen.vertical(184, 514, "#5a1408", "#c83c0c", "#ffae3a", "#fff0b0"), 118);
  for (let i = 0; i < 6; i += 1) {
    const x = 132 + i * 38;
    const high = 90 + Math.sin(world.steps * 0.12 + i * 1.9) * 34 + flicker;
    pen.shape([[x - 26, 512], [x - 10, 512 - high * 0.5], [x, 512 - high], [x + 12, 512 - high * 0.45], [x + 26, 512]], "rgba(255,226,130,.55)");
  }
  pen.glow(226, 420, 250, "rgba(255,160,60,.75)", 0.8);
  pen.rect(20, 514, 412, 52, "#3a221d", 6);
  pen.rect(20, 514, 412, 8, "#7a4a34", 4);
}

function shelf(pen, world) {
  for (const y of [232, 392, 552]) {
    pen.rect(872, y, 384, 14, "#7a4b2c", 4);
    pen.rect(872, y + 10, 384, 6, "#3a2116", 3);
  }
  pen.text("Finished", 1064, 84, { size: 20, colour: "#d9b48c" });
  const shown = world.shelf.slice(-12);
  shown.forEach((one, i) => {
    const row = Math.floor(i / 4);
    const size = 0.42;
    const x = 920 + (i % 4) * 96;
    const y = 232 + row * 160 - one.length * 2 * size;
    pen.at(x, y, (c) => body(c, one.pattern, one.width, one.length, glassPaint(c, one.width, one.colour)), { scale: size });
    if (one.fine) star(pen, x, 232 + row * 160 + 7, 8, "#ffd98a");
  });
}

function star(pen, x, y, size, colour) {
  pen.shape(Array.from({ length: 10 }, (_, i) => {
    const far = i % 2 ? size * 0.45 : size;
    return [x + Math.sin((i * Math.PI) / 5) * far, y - Math.cos((i * Math.PI) / 5) * far];
  }), colour);
}

// The outline is a smooth curve through the pattern's shares; it begins at the pipe.
function trace(c, pattern, width, length) {
  const full = length * 2;
  const points = pattern.outline.map((share, i) => [share * width, ((i + 0.35) / pattern.outline.length) * full]);
  const right = [[11, 0], ...points, [points.at(-1)[0] * 0.7, full]];
  const left = right.map(([x, y]) => [-x, y]).reverse();
  const all = [...right, ...left];
  c.beginPath();
  c.moveTo(...all[0]);
  for (let i = 1; i < all.length - 1; i += 1) {
    const [x, y] = all[i];
    const [nextX, nextY] = all[i + 1];
    c.quadraticCurveTo(x, y, (x + nextX) / 2, (y + nextY) / 2);
  }
  c.lineTo(...all.at(-1));
  c.closePath();
}

function body(c, pattern, width, length, paint) {
  trace(c, pattern, width, length);
  c.fillStyle = paint;
  c.fill();
  c.strokeStyle = "rgba(255,255,255,.4)";
  c.lineWidth = 2.5;
  c.stroke();
  c.beginPath(); // where the light falls on it
  c.ellipse(-width * 0.42, length * 1.05, width * 0.1, length * 0.44, 0.12, 0, Math.PI * 2);
  c.fillStyle = "rgba(255,255,255,.34)";
  c.fill();
}

function glassPaint(c, width, colour) {
  const paint = c.createLinearGradient(-width, 0, width, 0);
  paint.addColorStop(0, `${colour}e6`);
  paint.addColorStop(0.45, `${colour}88`);
  paint.addColorStop(1, `${colour}f0`);
  return paint;
}

const HOT = [[0.2, [110, 60, 50]], [0.4, [205, 70, 30]], [0.65, [255, 132, 36]], [0.85, [255, 206, 92]], [1, [255, 250, 222]]];

function heatColour(heat) {
  let i = 0;
  while (i < HOT.length - 2 && heat > HOT[i + 1][0]) i += 1;
  const [low, from] = HOT[i];
  const [high, to] = HOT[i + 1];
  const share = Math.max(0, Math.min(1, (heat - low) / (high - low)));
  return `rgb(${from.map((value, k) => Math.round(value + (to[k] - value) * share)).join(",")})`;
}

function piece(pen, world) {
  const { glass, order } = world;
  const coming = world.fresh / NEW_STEPS;
  pen.at(world.x, HOME.y - 260, (c) => {
    c.translate(0, 260 - coming * 190);
    c.fillStyle = "#8d94a4";
    c.fillRect(-8, -420, 16, 424);
    c.fillStyle = "#c9d0dc";
    c.fillRect(-4, -420, 4, 424);
    glove(c, -118);
    const paint = c.createLinearGradient(0, 0, 0, glass.length * 2);
    paint.addColorStop(0, heatColour(glass.heat * 0.86));
    paint.addColorStop(1, heatColour(glass.heat));
    if (glass.heat > 0.35) pen.glow(0, glass.length, 90 + glass.width, "rgba(255,150,50,.8)", glass.heat * 0.8);
    c.globalAlpha = 0.55 + glass.heat * 0.4;
    body(c, order.pattern, glass.width, glass.length, glass.heat < 0.3 ? glassPaint(c, glass.width, order.colour) : paint);
    c.globalAlpha = 1;
    c.setLineDash([9, 9]);
    trace(c, order.pattern, order.width, order.length);
    c.strokeStyle = "rgba(255,255,255,.95)";
    c.lineWidth = 3;
    c.stroke();
    c.setLineDash([]);
    if (glass.strain > 6) cracks(c, glass);
    if (glass.melting > 0) {
      c.fillStyle = "#fff3c4";
      c.beginPath();
      c.ellipse(0, glass.length * 2 + glass.melting * 1.6, 7, 8 + glass.melting * 1.4, 0, 0, Math.PI * 2);
      c.fill();
    }
  }, { turn: world.turn });
  if (world.breath > 0.1) {
    for (const side of [-1, 1]) {
      for (let i = 0; i < 3; i += 1) {
        const far = order.width + 34 + ((world.steps * 2 + i * 16) % 48);
        pen.context.globalAlpha = world.breath * 0.6;
        pen.line([[world.x + side * far, HOME.y + 60 + i * 40], [world.x + side * (far + 18), HOME.y + 60 + i * 40]], "#ffe6bd", 4);
        pen.context.globalAlpha = 1;
      }
    }
  }
}

function glove(c, y) {
  c.fillStyle = "#a8653a";
  c.beginPath();
  c.roundRect(-34, y, 68, 64, 22);
  c.fill();
  c.fillStyle = "#8a4f2b";
  c.beginPath();
  c.roundRect(-28, y - 44, 56, 54, 12);
  c.fill();
  c.strokeStyle = "rgba(50,22,10,.6)";
  c.lineWidth = 3;
  for (const x of [-16, 0, 16]) {
    c.beginPath();
    c.moveTo(x, y + 30);
    c.lineTo(x, y + 58);
    c.stroke();
  }
}

function cracks(c, glass) {
  c.strokeStyle = "#f2fbff";
  c.lineWidth = 2.5;
  const far = glass.strain / STRAIN_STEPS;
  for (const [x, y] of [[-0.6, 0.5], [0.5, 0.8], [-0.2, 1.3], [0.3, 1.6]]) {
    c.beginPath();
    c.moveTo(0, glass.length);
    c.lineTo(x * glass.width * far * 0.6 + 6, glass.length + (y - 1) * glass.length * far * 0.5);
    c.lineTo(x * glass.width * far, glass.length + (y - 1) * glass.length * far);
    c.stroke();
  }
}

function gauges(pen, world) {
  const { glass, order, shop } = world;
  const y = 622;
  heatGauge(pen, 60, y, glass.heat);
  sizeGauge(pen, 480, y, "Width", glass.width, order.width, shop.tolerance, 170);
  sizeGauge(pen, 880, y, "Length", glass.length, order.length, shop.tolerance, 190);
  const say = { heat: "heating", blow: "blowing", swing: "swinging", rest: "" }[world.doing];
  pen.text(`Order: a ${order.pattern.name}`, 700, 128, { size: 22, align: "left", colour: "#f4dcc0", shadow: "rgba(0,0,0,.7)" });
  if (say) pen.text(say, world.x, 540, { size: 22, bold: true, colour: pen.theme.accent, shadow: "rgba(0,0,0,.8)" });
}

function heatGauge(pen, x, y, heat) {
  const wide = 340;
  pen.text(`Heat ${Math.round(heat * 100)}%`, x, y - 22, { size: 20, align: "left" });
  pen.rect(x, y, wide, 26, "#120b0a", 8);
  pen.rect(x + 3, y + 3, wide * STIFF - 3, 20, "#41659a", 5);
  pen.rect(x + wide * STIFF, y + 3, wide * (MELTING - STIFF), 20, "#e8762c");
  pen.rect(x + wide * MELTING, y + 3, wide * (1 - MELTING) - 3, 20, "#fff0c8", 5);
  pen.text("too cold", x + wide * STIFF * 0.5, y + 46, { size: 15, colour: "#9dbbe6" });
  pen.text("works, the hotter the faster", x + wide * 0.68, y + 46, { size: 15, colour: "#ffc08a" });
  marker(pen, x + wide * heat, y);
}

function sizeGauge(pen, x, y, name, value, wanted, tolerance, most) {
  const wide = 340;
  const at = (one) => x + Math.max(0, Math.min(1, one / most)) * wide;
  pen.text(`${name} ${Math.round(value)}`, x, y - 22, { size: 20, align: "left" });
  pen.text(`ordered ${wanted}`, x + wide, y - 22, { size: 20, align: "right", colour: pen.theme.good });
  pen.rect(x, y, wide, 26, "#120b0a", 8);
  pen.rect(at(wanted - tolerance * 2), y + 3, at(wanted + tolerance * 2) - at(wanted - tolerance * 2), 20, "rgba(255,207,107,.8)");
  pen.rect(at(wanted - tolerance), y + 3, at(wanted + tolerance) - at(wanted - tolerance), 20, pen.theme.good);
  pen.text("fine", at(wanted), y + 46, { size: 15, colour: pen.theme.good });
  marker(pen, at(value), y);
}

function marker(pen, x, y) {
  pen.shape([[x, y + 4], [x - 11, y - 12], [x + 11, y - 12]], "#ffffff");
  pen.rect(x - 2, y, 4, 26, "#ffffff");
}

startGame({
  id: "arcade/breath-and-ember",
  title: "Breath and Ember",
  how: ["Up heats the glass, Space blows it wide, Down swings it long.", "Enter takes it off the pipe when it fits the dotted outline.", "Work it hot: cold glass cracks. Three lost pieces close the shop."],
  levels: 5,
  theme: { accent: "#ffb35c", good: "#8fe0a8", bad: "#ff8f7a", panel: "rgba(28,16,14,.88)" },
  create,
  step,
  draw,
  over,
  state,
  hud: (world, level) => [["Points", world.score], ["Lost", `${world.lost} of ${MAX_LOST}`], ["Level", level]],
});
