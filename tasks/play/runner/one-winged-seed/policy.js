// Plays the next two seconds in its head, for every short plan, and takes the first move of the best plan.

const LEFT = 190;
const RIGHT = 1090;
const SEED = 20;
const BOUGH = 14;
const REACH = { dew: 34, web: 62, wren: 40 };
const NEAR = 5; // pixels: as close as this to a tear is bad, but better than one
const MOVES = [
  { id: "sail", frames: 12 }, { id: "sail", frames: 26 }, { id: "sail", frames: 44 },
  { id: "turn", frames: 12 }, { id: "turn", frames: 26 }, { id: "turn", frames: 44 },
  { id: "fold", frames: 12 }, { id: "fold", frames: 26 },
];
const SETTLE = 2;

function decide(state) {
  const { player, entities } = state.game_state;
  const begin = { x: player.x, depth: 0, drift: player.drift, side: player.side, hurt: player.hurt, time: 0, taken: [] };
  const look = 520 / player.speed;
  let best = null;
  const search = (now, value, first, left) => {
    if (left === 0 || now.time > look * 0.8) {
      const rated = value / Math.max(look * 0.5, now.time) + ahead(now, entities) * 0.0004;
      if (!best || rated > best.rated) best = { rated, first };
      return;
    }
    for (const move of MOVES) {
      const { end, gain } = play(now, move, entities, player.speed);
      if (gain > -20) search(end, value + gain - 0.7, first ?? move, left - 1);
      else if (!best || value + gain < -60) best ??= { rated: -9, first: first ?? move };
    }
  };
  search(begin, 0, null, 4);
  return { id: best.first.id, arguments: { frames: best.first.frames } };
}

// A plan that ends above the next gap is better than one that ends above the wood.
function ahead(now, things) {
  const row = things.find((thing) => thing.kind === "branch" && thing.below > now.depth);
  if (!row) return 0;
  const mate = things.filter((thing) => thing.kind === "branch" && thing.below === row.below);
  if (mate.length < 2) return 0;
  const gap = (mate[0].to + mate[1].x) / 2;
  return -Math.max(0, Math.abs(gap - now.x) - (row.below - now.depth) * 0.8);
}

function play(from, move, things, speed) {
  let { x, depth, drift, side, hurt, time } = from;
  const taken = [...from.taken];
  let gain = 0;
  if (move.id === "turn") side = -side;
  const winds = things.filter((thing) => thing.kind === "wind");
  for (let i = 0; i < move.frames + SETTLE; i += 1) {
    const folded = move.id === "fold" && i < move.frames;
    if (hurt > 0) hurt -= 1;
    drift += ((folded ? 0 : side * 1.15 * speed) - drift) * 0.3;
    const wind = winds.find((one) => Math.abs(one.below - depth) < one.half);
    x += drift + (wind ? wind.speed : 0);
    depth += speed * (folded ? 1.7 : 1);
    time += 1;
    if (x < LEFT + SEED || x > RIGHT - SEED) {
      x = Math.max(LEFT + SEED, Math.min(RIGHT - SEED, x));
      side = x < 640 ? 1 : -1;
      drift = 0;
    }
    for (const thing of things) {
      const down = thing.below - depth;
      if (thing.kind === "wind" || down > 80 || down < -80) continue;
      if (thing.kind === "dew") {
        if (Math.hypot(thing.x - x, down) > REACH.dew - 3 || taken.includes(thing.id)) continue;
        taken.push(thing.id);
        gain += 2;
      } else if (hurt === 0) {
        const apart = distance(thing, x, down, time);
        if (apart < 0) {
          gain -= 30;
          hurt = 50;
        } else if (apart < NEAR && !taken.includes(-thing.id)) {
          gain -= 3;
          taken.push(-thing.id);
        }
      }
    }
  }
  return { end: { x, depth, drift, side, hurt, time, taken }, gain };
}

// How far from a tear; below 0 is one.
function distance(thing, x, down, time) {
  if (thing.kind === "branch") {
    const beside = Math.max(thing.x - SEED + 6 - x, x - (thing.to + SEED - 6));
    return Math.max(beside, Math.abs(down) - (BOUGH + SEED - 4));
  }
  let at = thing.x + thing.speed * time;
  if (at > RIGHT - 30) at = 2 * (RIGHT - 30) - at;
  if (at < LEFT + 30) at = 2 * (LEFT + 30) - at;
  return Math.hypot(at - x, down) - REACH[thing.kind];
}
