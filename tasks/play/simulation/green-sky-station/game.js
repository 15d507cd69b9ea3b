// Green Sky Station: five people keep a station under the polar ice alive, and bring up cores, read them and send reports when the sky is clear.

import { startGame } from "/base/game.js";

const HOUR = 20; // steps
const WALK_STEPS = 24; // nobody works on the way
const UNTRAINED = 0.2; // of what somebody does who has learned it
const TIRED = 15; // below this, half the work
const AWAKE = 60; // who collapsed cannot be sent anywhere before
const ROOM = { wide: 240, high: 178 };
const CARD = { left: 26, top: 600, wide: 238, high: 104, gap: 8 };
const ROOMS = ["engine", "workshop", "garden", "well", "drill", "lab", "radio", "bunks"].map((id, i) => ({ id, x: 24 + (i % 4) * 250, y: 196 + Math.floor(i / 4) * 192 }));
const CREW = [
  { name: "Ada", colour: "#f08a4b", trained: ["engine", "workshop"] },
  { name: "Bo", colour: "#7ed07a", trained: ["garden", "well"] },
  { name: "Cleo", colour: "#6fc3f2", trained: ["drill", "well"] },
  { name: "Dag", colour: "#c79cf0", trained: ["lab", "drill"] },
  { name: "Edda", colour: "#f2d35e", trained: ["radio", "lab"] },
];
const NEEDS = ["warmth", "machines", "food", "water"];
// What one trained person adds in an hour, and what an hour takes.
const GIVES = { warmth: 15, machines: 12, food: 10, water: 11 };
const TAKES = { warmth: 4.6, machines: 2, food: 2.6, water: 2.4 };
const CORES = 0.42; // that one person drills in an hour
const READS = 0.42; // cores that one person reads in an hour
const STORE = 12; // cores, and findings
const SENDS = 1.8; // reports that one person sends in an hour of clear sky
// By level: how much the cold takes, and how many hours the kinds of weather last.
const WINTERS = [
  { harsh: 0.8, clear: [14, 18], calm: [8, 12], storm: [4, 5] },
  { harsh: 0.9, clear: [11, 15], calm: [8, 12], storm: [5, 7] },
  { harsh: 1, clear: [9, 13], calm: [8, 12], storm: [7, 9] },
  { harsh: 1, clear: [8, 11], calm: [8, 11], storm: [8, 11] },
  { harsh: 1.05, clear: [7, 10], calm: [8, 11], storm: [9, 12] },
];
const AFTER = { clear: "calm", calm: "storm", storm: "clear" };

function create({ level, random }) {
  const world = {
    random, winter: WINTERS[level - 1], steps: 0, warmth: 80, machines: 80, food: 80, water: 80, cores: 0, findings: 0, sent: 0, sky: "clear", skyLeft: 0, words: [], grabbed: null,
    hand: { x: 0, y: 0 }, flakes: [],
    crew: CREW.map((one) => ({ ...one, room: "bunks", energy: 100, walk: 0, collapsed: false })),
  };
  world.skyLeft = random.whole(...world.winter.clear) * HOUR;
  world.next = random.whole(...world.winter.calm);
  world.flakes = Array.from({ length: 60 }, () => ({ x: random.between(0, 1280), y: random.between(0, 190), size: random.between(1, 2.6) }));
  return world;
}

const roomAt = ({ x, y }) => ROOMS.find((room) => x >= room.x && x <= room.x + ROOM.wide && y >= room.y && y <= room.y + ROOM.high);
const cardX = (i) => CARD.left + i * (CARD.wide + CARD.gap);
const cardAt = ({ x, y }) => (y < CARD.top || y > CARD.top + CARD.high ? -1 : CREW.findIndex((_, i) => x >= cardX(i) && x <= cardX(i) + CARD.wide));

function step(world, input) {
  world.steps += 1;
  for (const word of world.words) word.left -= 1;
  world.words = world.words.filter((word) => word.left > 0);
  hands(world, input.pointer);
  weather(world);
  for (const need of NEEDS) {
    const storm = world.sky === "storm" && (need === "warmth" || need === "machines") ? 1.4 : 1;
    world[need] = Math.max(0, world[need] - (TAKES[need] * world.winter.harsh * storm) / HOUR);
  }
  for (const one of world.crew) live(world, one);
}

function hands(world, pointer) {
  world.hand = { x: pointer.x, y: pointer.y };
  if (pointer.clicked) {
    const i = cardAt(pointer.clicked);
    world.grabbed = i < 0 ? null : i;
  }
  if (!pointer.released || world.grabbed === null) return;
  const one = world.crew[world.grabbed];
  const above = cardX(world.grabbed) + CARD.wide / 2;
  const room = roomAt(pointer);
  world.grabbed = null;
  if (!room || room.id === one.room) return;
  if (one.collapsed) {
    world.words.push({ text: "cannot get up yet", left: 60, x: above, y: 586, good: false });
    return;
  }
  one.room = room.id;
  one.walk = WALK_STEPS;
  world.words.push({ text: `to the ${room.id}`, left: 50, x: above, y: 586, good: true });
}

function weather(world) {
  world.skyLeft -= 1;
  if (world.skyLeft > 0) return;
  world.sky = AFTER[world.sky];
  world.skyLeft = world.next * HOUR;
  world.next = world.random.whole(...world.winter[AFTER[world.sky]]);
}

function live(world, one) {
  if (one.walk > 0) {
    one.walk -= 1;
    return;
  }
  if (one.room === "bunks") {
    one.energy = Math.min(100, one.energy + 10 / HOUR);
    if (one.energy >= AWAKE) one.collapsed = false;
    return;
  }
  const outside = one.room === "drill" && world.sky === "storm";
  one.energy -= (outside ? 9 : 2.6) / HOUR;
  if (one.energy <= 0) {
    one.energy = 0;
    one.collapsed = true;
    one.room = "bunks";
    one.walk = WALK_STEPS;
    world.words.push({ text: `${one.name} collapsed!`, left: 90, x: cardX(world.crew.indexOf(one)) + CARD.wide / 2, y: 586, good: false });
    return;
  }
  if (!outside) work(world, one);
}

function work(world, one) {
  let rate = one.trained.includes(one.room) ? 1 : UNTRAINED;
  if (one.energy < TIRED) rate *= 0.5;
  if (world.machines < 25 && one.room !== "workshop") rate *= 0.5;
  const add = (need) => {
    world[need] = Math.min(100, world[need] + (GIVES[need] * rate) / HOUR);
  };
  if (one.room === "engine") add("warmth");
  else if (one.room === "workshop") add("machines");
  else if (one.room === "garden") add("food");
  else if (one.room === "well") add("water");
  else if (one.room === "drill") world.cores = Math.min(STORE, world.cores + (CORES * rate) / HOUR);
  else if (one.room === "lab") {
    const read = Math.min(world.cores, (READS * rate) / HOUR, STORE - world.findings);
    world.cores -= read;
    world.findings += read;
  } else if (one.room === "radio" && world.sky === "clear") {
    const before = Math.floor(world.sent);
    const sends = Math.min(world.findings, (SENDS * rate) / HOUR);
    world.findings -= sends;
    world.sent += sends;
    if (Math.floor(world.sent) > before) world.words.push({ text: "Report sent!", left: 70, x: 644, y: 440, good: true });
  }
}

const EMPTY = { warmth: "The station froze", machines: "The machines stood still", food: "The food ran out", water: "The water ran out" };

function over(world) {
  const gone = NEEDS.find((need) => world[need] <= 0);
  return gone ? { outcome: "fail", reason: `${EMPTY[gone]}. Reports sent: ${Math.floor(world.sent)}` } : null;
}

const round = (value) => Math.round(value * 100) / 100;

function state(world) {
  return {
    score: Math.floor(world.sent + 1e-9),
    progress: Math.min(1, round(world.sent / 40)),
    hours: Math.floor(world.steps / HOUR),
    needs: Object.fromEntries(NEEDS.map((need) => [need, round(world[need])])),
    stores: { cores: round(world.cores), findings: round(world.findings) },
    sky: { now: world.sky, hours_left: round(world.skyLeft / HOUR), next: AFTER[world.sky], next_hours: world.next },
    entities: world.crew.map((one) => ({ kind: "person", id: one.name.toLowerCase(), room: one.room, energy: round(one.energy), trained: one.trained, walking: one.walk > 0, collapsed: one.collapsed })),
    metrics: { reports: Math.floor(world.sent), hours: Math.floor(world.steps / HOUR) },
  };
}

// ---- the picture ----

function draw(pen, world) {
  sky(pen, world);
  pen.rect(0, 176, 1280, 544, pen.vertical(176, 720, "#cfe3ee", "#7fa6bd", "#26425a", "#101e30"));
  for (let i = 0; i < 20; i += 1) pen.at(i * 70, 182 + Math.sin(i * 1.7) * 4, (c) => snow(c));
  for (const room of ROOMS) drawRoom(pen, world, room);
  panel(pen, world);
  world.crew.forEach((one, i) => card(pen, world, one, i));
  for (const word of world.words) {
    pen.context.globalAlpha = Math.min(1, word.left / 20);
    pen.text(word.text, word.x, word.y, { size: 20, bold: true, colour: word.good ? pen.theme.good : pen.theme.bad, shadow: "rgba(0,0,0,.9)" });
    pen.context.globalAlpha = 1;
  }
  if (world.grabbed !== null) person(pen, world.hand.x, world.hand.y + 20, world.crew[world.grabbed], world.steps, true);
}

function snow(c) {
  c.fillStyle = "#e6f1f6";
  c.beginPath();
  c.ellipse(0, 0, 78, 16, 0, 0, Math.PI * 2);
  c.fill();
}

function sky(pen, world) {
  pen.rect(0, 0, 1280, 190, pen.vertical(0, 190, "#071124", "#10304a", "#1d5560"));
  for (const flake of world.flakes) pen.circle(flake.x, flake.y * 0.8, flake.size * 0.5, "rgba(255,255,255,.7)");
  if (world.sky === "clear") {
    for (let band = 0; band < 3; band += 1) {
      for (let x = 0; x < 1280; x += 20) {
        const y = 60 + band * 22 + Math.sin(x * 0.006 + world.steps * 0.006 + band * 2) * 26;
        pen.rect(x, y, 20, 62, pen.vertical(y, y + 62, "rgba(90,255,170,0)", `rgba(90,255,${150 + band * 40},.32)`, "rgba(90,255,170,0)"));
      }
    }
  } else {
    pen.rect(0, 0, 1280, 190, world.sky === "storm" ? "rgba(190,205,220,.4)" : "rgba(90,110,130,.35)");
    for (let i = 0; i < 8; i += 1) {
      const x = ((i * 190 + world.steps * 0.3) % 1520) - 120;
      const y = 96 + (i % 3) * 26;
      for (const [dx, dy, r] of [[-44, 8, 22], [-14, -4, 30], [20, 2, 26], [48, 10, 18]]) pen.circle(x + dx, y + dy, r, world.sky === "storm" ? "#8797a8" : "#3d5064");
      pen.rect(x - 66, y + 10, 132, 20, world.sky === "storm" ? "#8797a8" : "#3d5064", 10);
    }
  }
  if (world.sky === "storm") {
    for (const flake of world.flakes) {
      const x = (flake.x + world.steps * (5 + flake.size)) % 1300;
      pen.line([[x, flake.y], [x + 26, flake.y + 5]], "rgba(255,255,255,.75)", flake.size);
    }
  }
  // the mast stands above the radio room, the drill tower above the drill
  pen.line([[644, 190], [644, 84]], "#9fb4c4", 5);
  pen.line([[620, 190], [644, 110], [668, 190]], "#9fb4c4", 2);
  pen.circle(644, 82, 5, world.steps % 60 < 30 ? "#ff6b5e" : "#70302c");
  const left = Math.ceil(world.skyLeft / HOUR);
  const names = { clear: "Clear sky: the radio works", calm: "Clouds: no radio", storm: "Storm: no radio, no drilling" };
  pen.rect(712, 18, 544, 74, pen.theme.panel, 14);
  pen.text(names[world.sky], 730, 40, { size: 21, bold: true, align: "left", colour: world.sky === "clear" ? pen.theme.good : world.sky === "storm" ? pen.theme.bad : "#cfd8e6" });
  pen.text(`${left} h more, then ${{ clear: "clear sky", calm: "clouds", storm: "storm" }[AFTER[world.sky]]} for ${world.next} h`, 730, 72, { size: 18, align: "left" });
}

const TITLES = { engine: "Engine", workshop: "Workshop", garden: "Garden", well: "Well", drill: "Drill", lab: "Lab", radio: "Radio", bunks: "Bunks" };
const MAKES = { engine: "warmth", workshop: "machines", garden: "food", well: "water", drill: "cores", lab: "cores → findings", radio: "findings → reports", bunks: "energy" };
const WALLS = { engine: "#5a352c", workshop: "#4a4338", garden: "#2f5038", well: "#2a4a63", drill: "#51616e", lab: "#43386a", radio: "#5c4f2c", bunks: "#3a3350" };

function drawRoom(pen, world, { id, x, y }) {
  const busy = world.crew.some((one) => one.room === id && one.walk === 0);
  const { wide, high } = ROOM;
  pen.rect(x - 5, y - 5, wide + 10, high + 10, "#0d1826", 16);
  pen.rect(x, y, wide, high, WALLS[id], 12);
  pen.rect(x, y + high - 34, wide, 34, "rgba(0,0,0,.3)", 12);
  pen.glow(x + wide / 2, y + 60, 110, "rgba(255,210,140,.5)", busy ? 0.9 : 0.2);
  furnish(pen, world, id, x, y, busy);
  pen.text(TITLES[id], x + 14, y + 20, { size: 19, bold: true, align: "left", shadow: "rgba(0,0,0,.6)" });
  pen.text(MAKES[id], x + wide - 12, y + 20, { size: 14, align: "right", colour: "#e6dcc0" });
  const here = world.crew.filter((one) => one.room === id);
  here.forEach((one, i) => person(pen, x + wide / 2 + (i - (here.length - 1) / 2) * 44, y + high - 14, one, world.steps, one.walk === 0));
  const idle = busy && ((id === "radio" && world.sky !== "clear") || (id === "drill" && world.sky === "storm") || (id === "lab" && world.cores <= 0.02) || (id === "radio" && world.findings <= 0.02));
  if (idle) pen.text("nothing to do", x + wide / 2, y + 62, { size: 17, bold: true, colour: pen.theme.bad, shadow: "rgba(0,0,0,.8)" });
}

function furnish(pen, world, id, x, y, busy) {
  const beat = busy ? Math.sin(world.steps * 0.15) : 0;
  const foot = y + ROOM.high - 30;
  if (id === "engine") {
    pen.rect(x + 22, foot - 74, 70, 74, "#8a4a36", 10);
    pen.rect(x + 34, foot - 46, 46, 34, busy ? "#ffb648" : "#3a1c14", 8);
    pen.rect(x + 50, y + 38, 14, 42, "#6d3a2c");
    pen.ring(x + 200, foot - 44, 24 + beat * 2, "#c9a27a", 6);
  } else if (id === "workshop") {
    pen.rect(x + 18, foot - 30, 90, 8, "#a9814f", 3);
    for (const dx of [26, 96]) pen.rect(x + dx, foot - 24, 6, 24, "#7d5d36");
    for (let i = 0; i < 4; i += 1) pen.line([[x + 150 + i * 20, y + 46], [x + 150 + i * 20, y + 76 + (i % 2) * 10]], "#c7ccd2", 5);
    if (busy && world.steps % 20 < 8) pen.glow(x + 70, foot - 36, 34, "#ffe08a");
  } else if (id === "garden") {
    for (let i = 0; i < 5; i += 1) {
      const tall = 10 + (world.food / 100) * 34;
      pen.line([[x + 30 + i * 44, foot], [x + 30 + i * 44, foot - tall]], "#7cc26a", 4);
      pen.circle(x + 24 + i * 44, foot - tall * 0.7, 8, "#5aa553");
      pen.circle(x + 36 + i * 44, foot - tall, 8, "#8fd67a");
    }
    pen.rect(x + 30, y + 38, 180, 6, "#ffd6f0", 3);
  } else if (id === "well") {
    pen.rect(x + 26, foot - 84, 56, 84, "rgba(180,225,255,.25)", 10);
    const tall = (world.water / 100) * 76;
    pen.rect(x + 30, foot - tall - 3, 48, tall, "#58b4ec", 6);
    pen.line([[x + 180, y + 40], [x + 180, foot]], "#9fc4da", 6);
    pen.circle(x + 180, foot - 30 + beat * 14, 9, "#d8eefb");
  } else if (id === "drill") {
    pen.line([[x + 50, y + 36], [x + 50, foot + 20]], "#d3dde4", 8);
    for (let i = 0; i < 5; i += 1) pen.line([[x + 40, y + 46 + i * 20 + beat * 4], [x + 60, y + 54 + i * 20 + beat * 4]], "#7a8a96", 4);
    for (let i = 0; i < Math.floor(world.cores); i += 1) pen.rect(x + 218 - i * 14, foot - 40, 10, 40, "#c3ecfa", 4);
  } else if (id === "lab") {
    pen.rect(x + 16, foot - 30, 84, 8, "#b5a6e0", 3);
    [["#7ef0c0", 30], ["#f09ac0", 52], ["#8ac4ff", 76]].forEach(([colour, dx]) => pen.shape([[x + dx - 9, foot - 30], [x + dx - 3, foot - 54], [x + dx + 3, foot - 54], [x + dx + 9, foot - 30]], colour));
    for (let i = 0; i < Math.floor(world.findings); i += 1) pen.rect(x + 216 - i * 14, foot - 56 - (i % 2) * 5, 12, 16, "#fff6d8", 2);
  } else if (id === "radio") {
    pen.rect(x + 20, foot - 62, 70, 62, "#2e281a", 8);
    pen.circle(x + 40, foot - 40, 10, world.sky === "clear" ? "#8ff0b0" : "#54452c");
    if (busy && world.sky === "clear") for (let i = 0; i < 3; i += 1) pen.ring(x + 40, foot - 40, 14 + ((world.steps + i * 16) % 48), "rgba(143,240,176,.5)", 2);
    for (let i = 0; i < 3; i += 1) pen.line([[x + 60, foot - 48 + i * 14], [x + 82, foot - 48 + i * 14]], "#c9a64a", 4);
  } else for (const [dx, dy] of [[20, 0], [150, 0], [20, 42], [150, 42]]) {
    pen.rect(x + dx, y + 60 + dy, 70, 12, "#7d6a4a", 4);
    pen.rect(x + dx + 2, y + 50 + dy, 66, 12, "#9a7fc4", 5);
    pen.rect(x + dx + 2, y + 48 + dy, 18, 12, "#f1eadb", 5);
  }
}

function person(pen, x, foot, one, steps, there) {
  const bob = Math.sin(steps * 0.12 + one.name.length) * 1.5;
  pen.context.globalAlpha = there ? 1 : 0.45;
  pen.rect(x - 9, foot - 12, 7, 14, "#22303e", 3);
  pen.rect(x + 2, foot - 12, 7, 14, "#22303e", 3);
  pen.rect(x - 14, foot - 40 + bob, 28, 32, one.colour, 11);
  pen.circle(x, foot - 48 + bob, 14, one.colour);
  pen.circle(x, foot - 47 + bob, 10, "#f3d9bf");
  for (const side of [-1, 1]) pen.circle(x + side * 4, foot - 48 + bob, 1.8, "#2a1c14");
  pen.text(one.name[0], x, foot - 23 + bob, { size: 16, bold: true, colour: "#1b2430" });
  pen.context.globalAlpha = 1;
}

const COLOURS = { warmth: "#ff9a5c", machines: "#d0d6dc", food: "#8fd67a", water: "#64bdf2" };

function panel(pen, world) {
  pen.rect(1036, 190, 228, 396, pen.theme.panel, 16);
  NEEDS.forEach((need, i) => {
    const y = 214 + i * 58;
    const low = world[need] < 25;
    pen.text(need, 1054, y, { size: 19, align: "left", colour: low ? pen.theme.bad : pen.theme.ink, bold: low });
    pen.text(String(Math.ceil(world[need])), 1246, y, { size: 20, bold: true, align: "right", colour: low ? pen.theme.bad : COLOURS[need] });
    pen.bar(1054, y + 15, 192, 15, world[need] / 100, low && world.steps % 30 < 15 ? pen.theme.bad : COLOURS[need]);
  });
  [["cores", world.cores, "#c3ecfa"], ["findings", world.findings, "#fff6d8"], ["reports", world.sent, pen.theme.good]].forEach(([name, value, colour], i) => {
    pen.text(name, 1054, 464 + i * 44, { size: 19, align: "left" });
    pen.text(i < 2 ? value.toFixed(1) : String(Math.floor(value)), 1246, 464 + i * 44, { size: 26, bold: true, align: "right", colour });
  });
}

function card(pen, world, one, i) {
  const x = cardX(i);
  pen.rect(x, CARD.top, CARD.wide, CARD.high, pen.theme.panel, 14);
  pen.frame(x, CARD.top, CARD.wide, CARD.high, one.collapsed ? pen.theme.bad : world.grabbed === i ? "#ffffff" : one.colour, 3, 14);
  person(pen, x + 32, CARD.top + 78, one, 0, true);
  pen.text(one.name, x + 62, CARD.top + 20, { size: 20, bold: true, align: "left", colour: one.colour });
  pen.text(one.collapsed ? "collapsed" : one.walk > 0 ? "on the way" : one.room, x + 226, CARD.top + 20, { size: 15, align: "right" });
  pen.text(one.trained.join(", "), x + 62, CARD.top + 46, { size: 14, align: "left", colour: "#c8d6e4" });
  pen.bar(x + 62, CARD.top + 62, 164, 12, one.energy / 100, one.energy < TIRED ? pen.theme.bad : "#ffe08a");
  pen.text(`energy ${Math.ceil(one.energy)}`, x + 62, CARD.top + 88, { size: 14, align: "left" });
}

startGame({
  id: "simulation/green-sky-station",
  title: "Green Sky Station",
  how: ["Drag a person's card to a room: that is where they work.", "Drill cores, read them, and radio reports under a clear sky.", "Keep warmth, machines, food and water up. Let people sleep."],
  levels: 5,
  theme: { accent: "#8ff0c0", panel: "rgba(9,20,36,.9)", good: "#8ff0b0", bad: "#ff8d7a" },
  create,
  step,
  draw,
  over,
  state,
  hud: (world, level) => [["Reports", Math.floor(world.sent)], ["Hour", Math.floor(world.steps / HOUR)], ["Level", level]],
});
